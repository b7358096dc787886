//! Data races (design §3): which accesses of the event graph may take part in one, and when two of them do.
//!
//! Two conflicting accesses race if happens-before orders them in neither way. Happens-before leaves an instance only
//! through a node that *releases* (an unlock, a post, an atomic write, a creation, the end of a section or of the
//! thread) and enters only through one that *acquires*. So `first` and `second` are not ordered in an execution in
//! which, by time,
//!
//! - `first` < `second` < the next release of `first`'s instance, if `first` itself releases nothing; or
//! - the last acquire of `second`'s instance < `first` < `second`, if `second` itself acquires nothing; or
//! - for a read-modify-write and an atomic section: as in both cases, and nobody else touches those bytes in between.
//!
//! Conversely the first race of an execution can be brought to the *brink*, where both accesses are next and everything
//! that does not happen before either of them has not been done: what the rest reads it also reads there, because each
//! influence between threads that is no race is a happens-before edge. There, any of the three cases holds.
//!
//! That does not hold where operations reveal what another thread did without ordering (relaxed atomics, a `trylock` that
//! fails, `sem_getvalue`). In a program with any of them, `first` and `second` are a pair if one comes before the other by
//! time, and happens-before allows the opposite: see [`HappensBefore`](events::happens_before::HappensBefore). There an
//! access can also race with the end of the object that comes before it, so that accesses to dead objects are noted, too.
//!
//! An access is left out where an earlier one of its instance would race with the same rivals: no release and no
//! acquire lies between them, and it runs whenever the later one does.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::{IdVec, Span};
use events::{AccessPoint, EventGraph, GuardId, Guards, InstanceId, NodeHb, NodeId, Precedence, ViolationPoint};
use program::effects::{Effects, HbEffect};
use program::{At, Instruction, InstructionKind, Location, Property, SyncOp};
use rustc_hash::FxHashSet;
use symbolic::{Life, OBJECT_BITS, ObjectId, ObjectKey, SymValue};
use sync::Blocking;
use terms::TermId;

use crate::contact::{ByteRange, Manner};
use crate::critical_section::{Lock, Locks};
use crate::graph_builder::GraphBuilder;
use crate::monitor::happens_before::HbOrder;
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::{SymState, ThreadPosition};
use crate::unfolder::Site;

/// Where an access begins that is not at a constant offset, and how many bytes it has.
type Element = (TermId, u64);

/// An access that may race, tied to the node that says when it happens.
#[derive(Clone, Debug)]
pub struct RaceAccess {
    node: NodeId,
    stretch: ByteRange,
    /// Where in the stretch, if that is not constant.
    element: Option<Element>,
    manner: Manner,
    guard: GuardId,
    /// The same for one whose instruction comes to its end, unlike a second `free`: something may come after it.
    survived: GuardId,
    /// See `abandoned_section`.
    abandoned: Option<TermId>,
    /// What its section has synchronised with before may order it; not all of that is looked at.
    in_synchronised_section: bool,
    /// A synchronisation operation that may keep its thread waiting.
    may_wait: bool,
    /// The operation looks at its objects and may wait: nothing comes of that but a race.
    is_attempt: bool,
    locks: Locks,
    joined: Rc<Vec<InstanceId>>,
    /// So many steps of the instance come up to its end.
    steps: usize,
    location: Location,
    span: Span,
}

impl RaceAccess {
    /// Whether this is an operation that may wait for a lock whose life `other` ends.
    fn waits_for_end_of(&self, other: &RaceAccess) -> bool {
        self.may_wait && other.manner.is_end && !self.manner.is_after_end
    }

    /// Whether something may come after the access in every execution that gets to it.
    fn always_survives(&self) -> bool {
        self.survived == self.guard
    }
}

/// Whether an instruction orders threads even inside of an atomic section.
pub fn synchronises_inside(effects: &Effects) -> bool {
    effects.atomic_access().is_some()
        || matches!(effects.happens_before(), HbEffect::Sync(_) | HbEffect::Create | HbEffect::Join)
}

/// The accesses of this pass that may race.
#[derive(Default)]
pub(crate) struct Races {
    accesses: Vec<RaceAccess>,
}

impl Races {
    /// How many there are so far.
    pub fn count(&self) -> usize {
        self.accesses.len()
    }

    /// The current instruction touches bytes when `condition` holds.
    pub fn touch(
        &mut self,
        pass: &mut Pass<'_>,
        state: &mut SymState,
        bytes: (ByteRange, Option<Element>),
        condition: TermId,
        writes: bool,
        step: &mut OpenStep,
    ) {
        // What cannot race can still be in conflict.
        let races_only = !pass.options.every_access;
        let (atomic, in_section) = (step.atomic && races_only, state.atomic.is_some() && races_only);
        let manner = Manner { writes, atomic, in_section, is_end: false, is_after_end: false };
        self.touch_as(pass, state, bytes, condition, manner, step);
    }

    /// The current instruction wants to access bytes that are dead, when `condition` holds.
    pub fn touch_after_end(
        &mut self,
        pass: &mut Pass<'_>,
        state: &mut SymState,
        stretch: ByteRange,
        condition: TermId,
        step: &mut OpenStep,
    ) {
        if ends_wait(pass, step.site.location) {
            let mut standing = state.standing();
            standing.guard = pass.and_guard(standing.guard, condition);
            pass.leave_race_gap(standing, "the end of a wait on a destroyed object", step.site.span);
            return;
        }
        let in_section = state.atomic.is_some();
        let manner = Manner { writes: false, atomic: false, in_section, is_end: false, is_after_end: true };
        self.touch_as(pass, state, (stretch, None), condition, manner, step);
        pass.graph.attach_open_node(step);
    }

    /// The life of an object ends when `condition` holds: a write to all of it.
    pub fn touch_at_end(
        &mut self,
        pass: &mut Pass<'_>,
        state: &mut SymState,
        object: ObjectId,
        condition: TermId,
        step: &mut OpenStep,
    ) {
        let in_section = state.atomic.is_some();
        let manner = Manner { writes: true, atomic: false, in_section, is_end: true, is_after_end: false };
        // An object without any bytes can end twice all the same.
        let length = pass.survey.objects.get(object).size.unwrap_or(0).max(1);
        self.touch_as(pass, state, (ByteRange { object, offset: 0, length }, None), condition, manner, step);
    }

    /// What the pointer names is freed, a write to all of it.
    pub fn touch_what_is_freed(
        &mut self,
        pass: &mut Pass<'_>,
        state: &mut SymState,
        address: &SymValue,
        step: &mut OpenStep,
    ) {
        if !pass.looks_for(Property::NoDataRace) {
            return;
        }
        let Some(SymValue::Pointer { object, offset, targets }) = address.to_pointer(pass.terms()) else {
            return;
        };
        let zero = pass.pointer_constant(0);
        let at_start = pass.terms().eq(offset, zero);
        for &target in targets.iter() {
            // Whatever else is freed is no race but undefined.
            if matches!(pass.survey.objects.get(target).life, Life::Heap | Life::Library) {
                let number = pass.terms().constant(OBJECT_BITS, u64::from(target.0));
                let this = pass.terms().eq(object, number);
                let this = pass.terms().and(this, at_start);
                self.touch_at_end(pass, state, target, this, step);
            }
        }
    }

    /// The instruction that made these accesses, from the first one on, goes on in this state, or not at all.
    pub fn note_survival(&mut self, pass: &mut Pass<'_>, first_access: usize, next: Option<&SymState>) {
        let never = pass.graph.terms.boolean(false);
        for index in first_access..self.accesses.len() {
            let access = &self.accesses[index];
            let next = next.filter(|_| !access.is_attempt);
            if next.is_some_and(|next| pass.graph.guards.implies(access.guard, next.guard)) {
                continue;
            }
            let condition = pass.graph.guards.term(access.guard);
            let (guard, condition) = next.map_or((Guards::ROOT, never), |next| (next.guard, condition));
            self.accesses[index].survived = pass.and_guard(guard, condition);
        }
    }

    pub fn touch_as(
        &mut self,
        pass: &mut Pass<'_>,
        state: &mut SymState,
        (stretch, element): (ByteRange, Option<Element>),
        condition: TermId,
        manner: Manner,
        step: &mut OpenStep,
    ) {
        let is_alone = state.single && !pass.options.every_access;
        if !follows_contacts(pass) || is_alone || !pass.visibility.is_visible(step.site.location) {
            return;
        }
        let object = pass.survey.objects.get(stretch.object);
        // The end of a constant object's life may race.
        let never_changes = object.read_only && !object.life.can_end();
        if never_changes || matches!(object.key, ObjectKey::None | ObjectKey::Result { .. }) {
            return;
        }
        pass.survey.note_contact(stretch, step.instance, manner, &state.locks);
        if !pass.has_rivals(state, stretch, manner) {
            return;
        }
        let in_synchronised_section = state.atomic.is_some_and(|section| section.synchronised);
        if in_synchronised_section && pass.looks_for(Property::NoDataRace) {
            let what = "an access in an atomic section after a synchronisation in the same section";
            pass.leave_race_gap(state.standing(), what, step.site.span);
        }
        let node = pass.graph.node_of_access(state, step);
        if pass.options.every_access && !manner.is_after_end {
            note_access(pass, state, node, stretch, condition, manner, step);
        }
        if !pass.looks_for(Property::NoDataRace) {
            return;
        }
        keep_round_of(pass, state, condition);
        let abandoned = state.atomic.and_then(|section| section.abandoned);
        let guard = pass.and_guard(state.guard, condition);
        let steps = pass.graph.steps_of(step.instance);
        let (locks, joined) = (state.locks.clone(), state.joined.clone());
        let Site { location, span } = step.site;
        self.accesses.push(RaceAccess {
            node,
            stretch,
            element,
            manner,
            guard,
            survived: guard,
            abandoned,
            in_synchronised_section,
            may_wait: may_wait(pass, location),
            is_attempt: step.is_attempt,
            locks,
            joined,
            steps,
            location,
            span,
        });
    }

    /// Adds to the graph when each two accesses race. At the end of a pass.
    pub fn settle(&mut self, pass: &mut Pass<'_>, order: &mut HbOrder) {
        let accesses = std::mem::take(&mut self.accesses);
        let trust_locks = pass.options.optimisations.critical_sections;
        let accesses = without_covered(&pass.graph, accesses);
        let mut pairs = Pairs::default();
        let follows_happens_before = order.is_followed(pass);
        let mut waits_for_dead = false;
        let precedence = Precedence::new(&pass.graph);
        for (index, a) in accesses.iter().enumerate() {
            for b in &accesses[index + 1..] {
                let is_reliable = |lock| trust_locks && pass.survey.is_reliable(lock);
                if may_race(&pass.graph, &precedence, a, b, is_reliable) {
                    waits_for_dead |= a.waits_for_end_of(b) || b.waits_for_end_of(a);
                    let mut add = |first: &RaceAccess, second: &RaceAccess, case| {
                        pairs.entry((first.node, second.node, case)).or_default().push((first.clone(), second.clone()));
                    };
                    if follows_happens_before {
                        ways(a, b).into_iter().for_each(|(first, second)| add(first, second, RaceCase::Unordered));
                    } else {
                        let cases = cases(&pass.graph, a, b);
                        let other_way = |first: &RaceAccess| {
                            cases.iter().find(|case| case.0.node != first.node && !first.always_survives()).copied()
                        };
                        let best = cases.first().copied();
                        let other = best.and_then(|(first, ..)| other_way(first));
                        best.into_iter().chain(other).for_each(|(first, second, case)| add(first, second, case));
                    }
                }
            }
        }
        drop(precedence);
        if waits_for_dead {
            // A thread that waits has not come to its access, and races with the end of what it waits for all the same.
            let everywhere = ThreadPosition { guard: Guards::ROOT, atomic: None };
            let what = "waiting for a lock whose lifetime may end";
            let span = pass.program.functions[pass.program.entry].span;
            pass.leave_race_gap(everywhere, what, span);
        }
        if follows_happens_before && !pairs.is_empty() {
            order.settle(pass);
        }
        let chains = Chains::new(&pass.graph);
        for ((first, second, case), accesses) in pairs {
            add_pair(pass, &chains, first, second, case, &accesses);
        }
    }
}

/// Whether accesses are followed that nobody's value depends on.
fn follows_contacts(pass: &Pass<'_>) -> bool {
    pass.looks_for(Property::NoDataRace) || pass.options.every_access
}

/// An access that has rivals may race with what they only do because this thread goes on later, if they find out without
/// being ordered: a round with such an access does not happen in vain.
fn keep_round_of(pass: &mut Pass<'_>, state: &mut SymState, condition: TermId) {
    if pass.survey.reveals_without_ordering() {
        state.note_activity(pass.graph.terms(), condition);
    }
}

fn note_access(
    pass: &mut Pass<'_>,
    state: &SymState,
    node: NodeId,
    stretch: ByteRange,
    condition: TermId,
    manner: Manner,
    step: &mut OpenStep,
) {
    let guard = pass.and_guard(state.guard, condition);
    let steps = pass.graph.steps_of(step.instance);
    pass.graph.add_access(AccessPoint {
        node,
        object: stretch.object,
        offset: stretch.offset,
        length: stretch.length,
        writes: manner.writes,
        guard,
        locks: state.locks.iter().map(|(lock, _)| (lock.object, lock.offset)).collect(),
        joined: state.joined.to_vec(),
        location: step.site.location,
        span: step.site.span,
        steps,
    });
}

/// Whether a thread can be kept waiting before the instruction at a place.
fn may_wait(pass: &Pass<'_>, location: Location) -> bool {
    synchronisation_at(pass, location).is_some_and(|op| sync::class(op).waits != Blocking::Never)
}

/// Whether a wait comes to its end at a place, where the thread need not look at what it waited for.
fn ends_wait(pass: &Pass<'_>, location: Location) -> bool {
    synchronisation_at(pass, location).is_some_and(|op| sync::class(op).is_completion)
}

fn synchronisation_at(pass: &Pass<'_>, location: Location) -> Option<SyncOp> {
    match pass.program.at(location) {
        At::Instruction(Instruction { kind: InstructionKind::Sync { op, .. }, .. }) => Some(*op),
        _ => None,
    }
}

/// One literal for two nodes: true means that some of their accesses race.
fn add_pair(
    pass: &mut Pass<'_>,
    chains: &Chains,
    first: NodeId,
    second: NodeId,
    case: RaceCase,
    accesses: &[(RaceAccess, RaceAccess)],
) {
    let graph = &mut pass.graph;
    let race = graph.terms().bool_variable("race");
    let mut ways = Vec::new();
    for (a, b) in accesses {
        // Only what comes last can be left unfinished.
        let unfinished = a.abandoned.unwrap_or(graph.terms.boolean(false));
        let finished = graph.terms().not(unfinished);
        let meet = meet(graph, a, b);
        let (a, b) = (graph.guards.term(a.survived), graph.guards.term(b.guard));
        ways.push(graph.terms().and_all(&[a, b, finished, meet]));
    }
    let both = graph.terms().or_all(&ways);
    let constraint = graph.terms().implies(race, both);
    graph.constrain(constraint);
    graph.add_race_edge(first, second, race);
    match case {
        RaceCase::BeforeRelease => before_release(graph, chains, first, second, race),
        RaceCase::AfterAcquire => after_acquire(graph, chains, first, second, race),
        RaceCase::Unordered => {
            let racing = graph.add_unordered_edge(second, first, race);
            let racing = racing.expect("happens-before should be followed where it decides");
            let constraint = graph.terms().implies(race, racing);
            graph.constrain(constraint);
        }
        RaceCase::Adjacent => {
            before_release(graph, chains, first, second, race);
            // The instance of `second` may itself have read what `first` wrote.
            after_acquire(graph, chains, first, second, race);
            keep_adjacent(graph, first, second, race);
        }
    }
    let RaceAccess { location, span, steps, .. } = accesses[0].1;
    let (property, instance) = (Property::NoDataRace, graph.nodes[second].instance);
    let node = Some(second);
    graph.add_violation(ViolationPoint { property, condition: race, instance, location, span, steps, node });
}

/// When two accesses whose stretches overlap have bytes in common.
fn meet(graph: &mut GraphBuilder, a: &RaceAccess, b: &RaceAccess) -> TermId {
    let Some((at, _)) = a.element.or(b.element) else { return graph.terms.boolean(true) };
    let width = graph.terms.width(at);
    let terms = graph.terms();
    let mut bounds = |access: &RaceAccess| {
        let (start, length) = match access.element {
            Some(element) => element,
            None => (terms.constant(width, access.stretch.offset), access.stretch.length),
        };
        let length = terms.constant(width, length);
        (start, terms.add(start, length))
    };
    let ((first, first_end), (second, second_end)) = (bounds(a), bounds(b));
    let (before, after) = (terms.ult(first, second_end), terms.ult(second, first_end));
    terms.and(before, after)
}

/// How it is made sure that happens-before does not order a pair, see the module documentation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum RaceCase {
    BeforeRelease,
    AfterAcquire,
    Adjacent,
    /// By the order of happens-before alone.
    Unordered,
}

type Pairs = BTreeMap<(NodeId, NodeId, RaceCase), Vec<(RaceAccess, RaceAccess)>>;

/// Where each node stands in its chain.
struct Chains {
    position: IdVec<NodeId, usize>,
}

impl Chains {
    fn new(graph: &EventGraph) -> Self {
        let mut position: IdVec<NodeId, usize> = graph.nodes.iter().map(|_| 0).collect();
        for instance in &graph.instances {
            instance.nodes.iter().enumerate().for_each(|(place, &node)| position[node] = place);
        }
        Self { position }
    }

    /// The next node of the chain that releases.
    fn next_release(&self, graph: &EventGraph, node: NodeId) -> Option<NodeId> {
        let chain = &graph.instances[graph.nodes[node].instance].nodes;
        chain[self.position[node] + 1..].iter().copied().find(|&later| graph.nodes[later].node_hb.releases)
    }

    /// The last node of the chain before this one that acquires.
    fn last_acquire(&self, graph: &EventGraph, node: NodeId) -> Option<NodeId> {
        let chain = &graph.instances[graph.nodes[node].instance].nodes;
        chain[..self.position[node]].iter().rev().copied().find(|&node| graph.nodes[node].node_hb.acquires)
    }
}

/// `second` comes before anything of `first`'s instance that could pass `first` on.
fn before_release(graph: &mut GraphBuilder, chains: &Chains, first: NodeId, second: NodeId, race: TermId) {
    if let Some(release) = chains.next_release(graph, first) {
        graph.add_race_edge(second, release, race);
        return;
    }
    let (ended, waiting) = (graph.nodes[first].instance, graph.nodes[second].instance);
    let joins: Vec<_> = graph.joins.iter().copied().filter(|join| join.target == ended).collect();
    for join in joins {
        let condition = graph.terms().and(race, join.condition);
        if graph.nodes[join.node].instance != waiting {
            graph.add_race_edge(second, join.node, condition);
        } else if chains.position[join.node] <= chains.position[second] {
            let never = graph.terms().not(condition);
            graph.constrain(never);
        }
    }
}

/// `first` comes after anything by which `second`'s instance could have learned of it.
fn after_acquire(graph: &mut GraphBuilder, chains: &Chains, first: NodeId, second: NodeId, race: TermId) {
    let created = graph.instances[graph.nodes[second].instance].spawned_by.map(|(spawn, _)| spawn);
    for acquire in chains.last_acquire(graph, second).into_iter().chain(created) {
        if graph.nodes[acquire].instance != graph.nodes[first].instance {
            graph.add_race_edge(acquire, first, race);
        }
    }
}

/// Nobody else touches a cell of `first` between the two.
fn keep_adjacent(graph: &mut GraphBuilder, first: NodeId, second: NodeId, race: TermId) {
    let cells: FxHashSet<_> = graph.nodes[first].events.iter().map(|&event| graph.events[event].cell).collect();
    let own = [graph.nodes[first].instance, graph.nodes[second].instance];
    let touches = |node: &events::Node| {
        !own.contains(&node.instance) && node.events.iter().any(|&event| cells.contains(&graph.events[event].cell))
    };
    let others: Vec<NodeId> =
        graph.nodes.iter_enumerated().filter(|(_, node)| touches(node)).map(|(id, _)| id).collect();
    for other in others {
        let earlier = graph.terms().bool_variable("earlier");
        let later = graph.terms().not(earlier);
        let condition = graph.terms().and(race, earlier);
        graph.add_race_edge(other, first, condition);
        let condition = graph.terms().and(race, later);
        graph.add_race_edge(second, other, condition);
    }
}

fn may_race(
    graph: &EventGraph,
    precedence: &Precedence<'_>,
    a: &RaceAccess,
    b: &RaceAccess,
    is_reliable: impl Fn(Lock) -> bool,
) -> bool {
    let (first, second) = (graph.nodes[a.node].instance, graph.nodes[b.node].instance);
    first != second
        && a.manner.conflicts(b.manner)
        && a.stretch.overlaps(b.stretch)
        && !a.joined.contains(&second)
        && !b.joined.contains(&first)
        && !a.locks.iter().any(|(lock, _)| is_reliable(*lock) && b.locks.iter().any(|(other, _)| other == lock))
        && !precedence.node_precedes(a.node, b.node)
        && !precedence.node_precedes(b.node, a.node)
}

/// Which of two accesses may come first: not the end of an object, since nothing but an access that finds it dead gets far
/// with it; and after such an access there is nothing.
fn ways<'a>(a: &'a RaceAccess, b: &'a RaceAccess) -> Vec<(&'a RaceAccess, &'a RaceAccess)> {
    let mut ways = vec![(a, b), (b, a)];
    ways.retain(|(first, second)| !comes_second(first, second) && !first.manner.is_after_end);
    ways
}

fn comes_second(end: &RaceAccess, other: &RaceAccess) -> bool {
    end.manner.is_end && !other.manner.is_end && !other.manner.is_after_end
}

/// Which of two accesses may come first, and how the pair is kept unordered, the best way first. What
/// a read-modify-write or a section does may depend on the other access, so these come second where they can.
fn cases<'a>(
    graph: &EventGraph,
    a: &'a RaceAccess,
    b: &'a RaceAccess,
) -> Vec<(&'a RaceAccess, &'a RaceAccess, RaceCase)> {
    let node_hb = |access: &RaceAccess| graph.nodes[access.node].node_hb;
    let ways = ways(a, b);
    let before = ways.iter().copied().filter(|(first, _)| !node_hb(first).releases);
    let after = ways.iter().copied().filter(|(_, second)| !node_hb(second).acquires);
    let mut cases: Vec<_> = before.map(|(first, second)| (first, second, RaceCase::BeforeRelease)).collect();
    cases.extend(after.map(|(first, second)| (first, second, RaceCase::AfterAcquire)));
    if cases.is_empty() && !a.in_synchronised_section && !b.in_synchronised_section {
        let (first, second) = if b.manner.in_section || comes_second(b, a) { (a, b) } else { (b, a) };
        cases.push((first, second, RaceCase::Adjacent));
    }
    cases
}

/// Leaves out what an earlier access of the same instance stands for.
fn without_covered(graph: &EventGraph, accesses: Vec<RaceAccess>) -> Vec<RaceAccess> {
    let chains = Chains::new(graph);
    let mut kept: Vec<RaceAccess> = Vec::new();
    // By instance and object, the kept accesses since the last node that passes anything on, and that node's position.
    let mut recent: BTreeMap<(InstanceId, ObjectId), Vec<usize>> = BTreeMap::new();
    for access in accesses {
        let instance = graph.nodes[access.node].instance;
        let candidates = recent.entry((instance, access.stretch.object)).or_default();
        candidates.retain(|&index| {
            let chain = &graph.instances[instance].nodes;
            let (from, to) = (chains.position[kept[index].node], chains.position[access.node]);
            let quiet = |node: &NodeId| graph.nodes[*node].node_hb == NodeHb::NONE;
            kept[index].node == access.node || (from < to && chain[from..=to].iter().all(quiet))
        });
        let covered = candidates.iter().any(|&index| {
            let earlier: &RaceAccess = &kept[index];
            let is_same_element = earlier.element.is_none() || earlier.element == access.element;
            is_same_element
                && earlier.manner.covers(access.manner)
                && earlier.stretch.offset <= access.stretch.offset
                && access.stretch.offset + access.stretch.length <= earlier.stretch.offset + earlier.stretch.length
                && graph.guards.implies(access.guard, earlier.guard)
        });
        if !covered {
            // Nothing comes after an attempt.
            candidates.extend((!access.is_attempt).then_some(kept.len()));
            kept.push(access);
        }
    }
    kept
}

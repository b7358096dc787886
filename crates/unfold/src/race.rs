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
use events::happens_before::HappensBefore;
use events::{
    AccessPoint, EventGraph, GuardId, Guards, InstanceId, NodeHb, NodeId, Precedence, RaceEdge, ViolationPoint,
};
use program::effects::{Effects, HbEffect};
use program::{At, Instruction, InstructionKind, Location, Property, SyncOp};
use rustc_hash::FxHashSet;
use symbolic::{Life, OBJECT_BITS, ObjectId, ObjectKey, SymValue};
use sync::Waits;
use terms::TermId;

use crate::contact::{Manner, Stretch};
use crate::critical_section::{Lock, Locks};
use crate::state::{Standing, State};
use crate::unfolder::{Site, Unfolder};

/// An access that may race, tied to the node that says when it happens.
#[derive(Clone, Debug)]
pub struct RaceAccess {
    node: NodeId,
    stretch: Stretch,
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

impl Unfolder<'_> {
    pub fn looks_for_races(&self) -> bool {
        self.options.properties.contains(Property::NoDataRace)
    }

    /// Whether accesses are followed that nobody's value depends on.
    fn follows_contacts(&self) -> bool {
        self.looks_for_races() || self.options.every_access
    }

    /// The current instruction touches bytes when `condition` holds.
    pub fn touch(&mut self, state: &mut State, stretch: Stretch, condition: TermId, writes: bool, site: &Site) {
        // What cannot race can still be in conflict.
        let races_only = !self.options.every_access;
        let (atomic, in_section) = (self.atomic_access && races_only, state.atomic.is_some() && races_only);
        let manner = Manner { writes, atomic, in_section, is_end: false, is_after_end: false };
        self.touch_as(state, stretch, condition, manner, site);
    }

    /// The current instruction wants to access bytes that are dead, when `condition` holds.
    pub fn touch_after_end(&mut self, state: &mut State, stretch: Stretch, condition: TermId, site: &Site) {
        if self.ends_wait(site.location) {
            let mut standing = state.standing();
            standing.guard = self.and_guard(standing.guard, condition);
            self.leave_race_gap(standing, "the end of a wait for an object that is dead", site.span);
            return;
        }
        let in_section = state.atomic.is_some();
        let manner = Manner { writes: false, atomic: false, in_section, is_end: false, is_after_end: true };
        self.touch_as(state, stretch, condition, manner, site);
        self.attach_open_node();
    }

    /// How a synchronisation operation accesses its object: atomically, unless it initialises or destroys it.
    pub fn manner_of_synchronisation(&self, state: &State, op: SyncOp, changes: bool) -> Manner {
        let (resets, in_section) = (sync::class(op).resets, state.atomic.is_some());
        Manner { writes: resets || changes, atomic: !resets, in_section, is_end: false, is_after_end: false }
    }

    /// The life of an object ends when `condition` holds: a write to all of it.
    pub fn touch_at_end(&mut self, state: &mut State, object: ObjectId, condition: TermId, site: &Site) {
        let in_section = state.atomic.is_some();
        let manner = Manner { writes: true, atomic: false, in_section, is_end: true, is_after_end: false };
        // An object without any bytes can end twice all the same.
        let length = self.survey.objects.get(object).size.unwrap_or(0).max(1);
        self.touch_as(state, Stretch { object, offset: 0, length }, condition, manner, site);
    }

    /// What the pointer names is freed, a write to all of it.
    pub fn touch_what_is_freed(&mut self, state: &mut State, address: &SymValue, site: &Site) {
        if !self.looks_for_races() {
            return;
        }
        let Some(SymValue::Pointer { object, offset, targets }) = address.to_pointer(self.terms()) else {
            return;
        };
        let zero = self.pointer_constant(0);
        let at_start = self.terms().eq(offset, zero);
        for &target in targets.iter() {
            // Whatever else is freed is no race but undefined.
            if matches!(self.survey.objects.get(target).life, Life::Heap | Life::Library) {
                let number = self.terms().constant(OBJECT_BITS, u64::from(target.0));
                let this = self.terms().eq(object, number);
                let this = self.terms().and(this, at_start);
                self.touch_at_end(state, target, this, site);
            }
        }
    }

    /// The instruction that made these accesses, from the first one on, goes on in this state, or not at all.
    pub fn note_survival(&mut self, first_access: usize, next: Option<&State>) {
        let never = self.graph.terms.boolean(false);
        for index in first_access..self.race_accesses.len() {
            let access = &self.race_accesses[index];
            let next = next.filter(|_| !access.is_attempt);
            if next.is_some_and(|next| self.graph.guards.implies(access.guard, next.guard)) {
                continue;
            }
            let condition = self.graph.guards.term(access.guard);
            let (guard, condition) = next.map_or((Guards::ROOT, never), |next| (next.guard, condition));
            self.race_accesses[index].survived = self.and_guard(guard, condition);
        }
    }

    pub fn touch_as(&mut self, state: &mut State, stretch: Stretch, condition: TermId, manner: Manner, site: &Site) {
        let is_alone = state.single && !self.options.every_access;
        if !self.follows_contacts() || is_alone || !self.visibility.is_visible(site.location) {
            return;
        }
        let object = self.survey.objects.get(stretch.object);
        // The end of a constant object's life may race.
        let never_changes = object.read_only && !object.life.can_end();
        if never_changes || matches!(object.key, ObjectKey::None | ObjectKey::Result { .. }) {
            return;
        }
        self.survey.note_contact(stretch, self.instance, manner, &state.locks);
        if !self.has_rivals(state, stretch, manner) {
            return;
        }
        let in_synchronised_section = state.atomic.is_some_and(|section| section.synchronised);
        if in_synchronised_section && self.looks_for_races() {
            let what = "an access in an atomic section after a synchronisation in the same section";
            self.leave_race_gap(state.standing(), what, site.span);
        }
        let node = self.node_of_access(state, site.span);
        if self.options.every_access && !manner.is_after_end {
            self.note_access(state, node, stretch, condition, manner, site);
        }
        if !self.looks_for_races() {
            return;
        }
        self.keep_round_of(state, condition);
        let abandoned = state.atomic.and_then(|section| section.abandoned);
        let guard = self.and_guard(state.guard, condition);
        let steps = self.graph.instances[self.instance].steps.len();
        let (locks, joined) = (state.locks.clone(), state.joined.clone());
        let Site { location, span } = *site;
        self.race_accesses.push(RaceAccess {
            node,
            stretch,
            manner,
            guard,
            survived: guard,
            abandoned,
            in_synchronised_section,
            may_wait: self.may_wait(location),
            is_attempt: self.is_attempt,
            locks,
            joined,
            steps,
            location,
            span,
        });
    }

    /// An access that has rivals may race with what they only do because this thread goes on later, if they find out without
    /// being ordered: a round with such an access does not happen in vain.
    fn keep_round_of(&mut self, state: &mut State, condition: TermId) {
        if self.survey.reveals_without_ordering() {
            state.note_activity(&mut self.graph.terms, condition);
        }
    }

    /// Whether a thread can be kept waiting before the instruction at a place.
    fn may_wait(&self, location: Location) -> bool {
        self.synchronisation_at(location).is_some_and(|op| sync::class(op).waits != Waits::Never)
    }

    /// Whether a wait comes to its end at a place, where the thread need not look at what it waited for.
    fn ends_wait(&self, location: Location) -> bool {
        self.synchronisation_at(location).is_some_and(|op| sync::class(op).is_completion)
    }

    fn synchronisation_at(&self, location: Location) -> Option<SyncOp> {
        match self.program.at(location) {
            At::Instruction(Instruction { kind: InstructionKind::Sync { op, .. }, .. }) => Some(*op),
            _ => None,
        }
    }

    fn note_access(
        &mut self,
        state: &State,
        node: NodeId,
        stretch: Stretch,
        condition: TermId,
        manner: Manner,
        site: &Site,
    ) {
        let guard = self.and_guard(state.guard, condition);
        self.graph.accesses.push(AccessPoint {
            node,
            object: stretch.object,
            offset: stretch.offset,
            length: stretch.length,
            writes: manner.writes,
            guard,
            locks: state.locks.iter().map(|(lock, _)| (lock.object, lock.offset)).collect(),
            joined: state.joined.to_vec(),
            location: site.location,
            span: site.span,
            steps: self.graph.instances[self.instance].steps.len(),
        });
    }

    /// Whether somebody who may be running makes a conflicting access without a common lock. Where every access counts,
    /// others may also come later or have come before: a transaction may last while threads are created and joined.
    pub fn has_rivals(&self, state: &State, stretch: Stretch, manner: Manner) -> bool {
        let mut rivals = self.survey.contacts().rivals(stretch, self.instance, manner);
        rivals.any(|rival| {
            let excluded = self.options.optimisations.critical_sections
                && state.locks.iter().any(|(lock, _)| rival.locks.contains(lock) && self.survey.is_reliable(*lock));
            let is_present = || !state.joined.contains(&rival.instance) && !self.is_yet_to_be_created(rival.instance);
            !excluded && (self.options.every_access || is_present())
        })
    }

    /// Whether instances other than the present one touch an object.
    pub fn has_visitors(&self, object: ObjectId) -> bool {
        self.survey.contacts().has_visitors(object, self.instance)
    }

    /// The thread-local variables of the present instance end with it; who still uses them is not followed.
    pub fn leave_gap_at_thread_locals(&mut self, state: &State, site: &Site) {
        for (global, body) in self.program.globals.iter_enumerated() {
            if body.thread_local {
                let object = self.object(ObjectKey::ThreadLocal { global, instance: self.instance.0 });
                if self.has_visitors(object) {
                    let what = "a thread-local variable that other threads use";
                    self.leave_race_gap(state.standing(), what, site.span);
                }
            }
        }
    }

    /// Adds to the graph when each two accesses race. At the end of a pass.
    pub fn pair_accesses(&mut self) {
        let accesses = std::mem::take(&mut self.race_accesses);
        let trust_locks = self.options.optimisations.critical_sections;
        let accesses = without_covered(&self.graph, accesses);
        let mut pairs = Pairs::default();
        let follows_happens_before = self.follows_happens_before();
        let mut waits_for_dead = false;
        let precedence = Precedence::new(&self.graph);
        for (index, a) in accesses.iter().enumerate() {
            for b in &accesses[index + 1..] {
                let is_reliable = |lock| trust_locks && self.survey.is_reliable(lock);
                if may_race(&self.graph, &precedence, a, b, is_reliable) {
                    waits_for_dead |= a.waits_for_end_of(b) || b.waits_for_end_of(a);
                    let mut add = |first: &RaceAccess, second: &RaceAccess, case| {
                        pairs.entry((first.node, second.node, case)).or_default().push((first.clone(), second.clone()));
                    };
                    if follows_happens_before {
                        ways(a, b).into_iter().for_each(|(first, second)| add(first, second, Case::Unordered));
                    } else {
                        let cases = cases(&self.graph, a, b);
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
            let everywhere = Standing { guard: Guards::ROOT, atomic: None };
            let what = "waiting for a lock whose life may end";
            self.leave_race_gap(everywhere, what, self.program.functions[self.program.entry].span);
        }
        if follows_happens_before && !pairs.is_empty() {
            let racing = self.graph.terms.bool_variable("racing");
            let happens_before = std::mem::take(&mut self.happens_before);
            self.graph.happens_before = Some(HappensBefore { racing: Some(racing), ..happens_before });
            for (standing, what, span) in std::mem::take(&mut self.order_gaps) {
                self.leave_race_gap(standing, what, span);
            }
        }
        let chains = Chains::new(&self.graph);
        for ((first, second, case), accesses) in pairs {
            self.add_pair(&chains, first, second, case, &accesses);
        }
    }

    /// One literal for two nodes: true means that some of their accesses race.
    fn add_pair(
        &mut self,
        chains: &Chains,
        first: NodeId,
        second: NodeId,
        case: Case,
        accesses: &[(RaceAccess, RaceAccess)],
    ) {
        let graph = &mut self.graph;
        let race = graph.terms.bool_variable("race");
        let mut ways = Vec::new();
        for (a, b) in accesses {
            // Only what comes last can be left unfinished.
            let unfinished = a.abandoned.unwrap_or(graph.terms.boolean(false));
            let finished = graph.terms.not(unfinished);
            let (a, b) = (graph.guards.term(a.survived), graph.guards.term(b.guard));
            ways.push(graph.terms.and_all(&[a, b, finished]));
        }
        let both = graph.terms.or_all(&ways);
        let constraint = graph.terms.implies(race, both);
        graph.constraints.push(constraint);
        graph.race_edges.push(RaceEdge { from: first, to: second, condition: race });
        match case {
            Case::BeforeRelease => before_release(graph, chains, first, second, race),
            Case::AfterAcquire => after_acquire(graph, chains, first, second, race),
            Case::Unordered => {
                let racing = graph.happens_before.as_mut().and_then(|order| {
                    order.race_edges.push(RaceEdge { from: second, to: first, condition: race });
                    order.racing
                });
                let racing = racing.expect("happens-before should be followed where it decides");
                let constraint = graph.terms.implies(race, racing);
                graph.constraints.push(constraint);
            }
            Case::Adjacent => {
                before_release(graph, chains, first, second, race);
                // The instance of `second` may itself have read what `first` wrote.
                after_acquire(graph, chains, first, second, race);
                keep_adjacent(graph, first, second, race);
            }
        }
        let RaceAccess { location, span, steps, .. } = accesses[0].1;
        let (property, instance) = (Property::NoDataRace, graph.nodes[second].instance);
        let node = Some(second);
        graph.violations.push(ViolationPoint { property, condition: race, instance, location, span, steps, node });
    }
}

/// How it is made sure that happens-before does not order a pair, see the module documentation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Case {
    BeforeRelease,
    AfterAcquire,
    Adjacent,
    /// By the order of happens-before alone.
    Unordered,
}

type Pairs = BTreeMap<(NodeId, NodeId, Case), Vec<(RaceAccess, RaceAccess)>>;

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
fn before_release(graph: &mut EventGraph, chains: &Chains, first: NodeId, second: NodeId, race: TermId) {
    if let Some(release) = chains.next_release(graph, first) {
        graph.race_edges.push(RaceEdge { from: second, to: release, condition: race });
        return;
    }
    let (ended, waiting) = (graph.nodes[first].instance, graph.nodes[second].instance);
    let joins: Vec<_> = graph.joins.iter().copied().filter(|join| join.target == ended).collect();
    for join in joins {
        let condition = graph.terms.and(race, join.condition);
        if graph.nodes[join.node].instance != waiting {
            graph.race_edges.push(RaceEdge { from: second, to: join.node, condition });
        } else if chains.position[join.node] <= chains.position[second] {
            let never = graph.terms.not(condition);
            graph.constraints.push(never);
        }
    }
}

/// `first` comes after anything by which `second`'s instance could have learned of it.
fn after_acquire(graph: &mut EventGraph, chains: &Chains, first: NodeId, second: NodeId, race: TermId) {
    let created = graph.instances[graph.nodes[second].instance].spawned_by.map(|(spawn, _)| spawn);
    for acquire in chains.last_acquire(graph, second).into_iter().chain(created) {
        if graph.nodes[acquire].instance != graph.nodes[first].instance {
            graph.race_edges.push(RaceEdge { from: acquire, to: first, condition: race });
        }
    }
}

/// Nobody else touches a cell of `first` between the two.
fn keep_adjacent(graph: &mut EventGraph, first: NodeId, second: NodeId, race: TermId) {
    let cells: FxHashSet<_> = graph.nodes[first].events.iter().map(|&event| graph.events[event].cell).collect();
    let own = [graph.nodes[first].instance, graph.nodes[second].instance];
    let touches = |node: &events::Node| {
        !own.contains(&node.instance) && node.events.iter().any(|&event| cells.contains(&graph.events[event].cell))
    };
    let others: Vec<NodeId> =
        graph.nodes.iter_enumerated().filter(|(_, node)| touches(node)).map(|(id, _)| id).collect();
    for other in others {
        let earlier = graph.terms.bool_variable("earlier");
        let later = graph.terms.not(earlier);
        let condition = graph.terms.and(race, earlier);
        graph.race_edges.push(RaceEdge { from: other, to: first, condition });
        let condition = graph.terms.and(race, later);
        graph.race_edges.push(RaceEdge { from: second, to: other, condition });
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
fn cases<'a>(graph: &EventGraph, a: &'a RaceAccess, b: &'a RaceAccess) -> Vec<(&'a RaceAccess, &'a RaceAccess, Case)> {
    let node_hb = |access: &RaceAccess| graph.nodes[access.node].node_hb;
    let ways = ways(a, b);
    let before = ways.iter().copied().filter(|(first, _)| !node_hb(first).releases);
    let after = ways.iter().copied().filter(|(_, second)| !node_hb(second).acquires);
    let mut cases: Vec<_> = before.map(|(first, second)| (first, second, Case::BeforeRelease)).collect();
    cases.extend(after.map(|(first, second)| (first, second, Case::AfterAcquire)));
    if cases.is_empty() && !a.in_synchronised_section && !b.in_synchronised_section {
        let (first, second) = if b.manner.in_section || comes_second(b, a) { (a, b) } else { (b, a) };
        cases.push((first, second, Case::Adjacent));
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
            earlier.manner.covers(access.manner)
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

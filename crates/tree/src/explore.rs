//! The walk through the reachability tree, depth first and from left to right: children in the order of the threads'
//! numbers, the true outcome of a test before the false one.
//!
//! Guarantee: if the exploration is complete and no context bound or granularity limits it, a path of the tree violates
//! a property if and only if some execution does. Without inputs, its leaves are the maximal executions.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use base::{Budget, Id, Span, StopReason};
use execute::{Code, End, Op, Readiness, Standing, ThreadStatus, Undefined, WordHash, state_hash};
use program::{Property, PropertySet, ThreadId, Violation};
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use terms::TermId;

use crate::bounds::{ContextCount, Granularity, Reduction, TreeOptions};
use crate::code_facts::{CodeFacts, LoopDepth};
use crate::configuration::{Configuration, TreeRun, Until};
use crate::judge::{Feasibility, FeasibilityOracle, FoundViolation, Model, NodeView, Visitor};
use crate::lock_discipline::LockDiscipline;
use crate::sleep::{self, Footprint};
use crate::stepper::{ConfigurationAdvance, Stepper, Stop};
use crate::symbols::Symbols;
use crate::trail::TrailMark;
use crate::visited::{Meeting, NodeKey, Visited};

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// Leaves of the tree, and those of them that violate a property.
    pub interleavings: u64,
    pub failing: u64,
    pub nodes: u64,
    /// Constructs that some path has reached and that are not supported, with their places.
    pub unsupported: Vec<(String, Span)>,
    /// Undefined behaviour that is not a selected property and ended paths, once per place.
    pub undefined: Vec<Undefined>,
    /// Places of loops that were cut.
    pub cut: BTreeSet<Span>,
    /// A path was cut off in the middle of a loop that does nothing visible.
    pub out_of_fuel: bool,
    /// The context bound left something out.
    pub bounded: bool,
    pub stopped: Option<StopReason>,
}

impl Exploration {
    /// Whether nothing but the context bound and the granularity limited the walk.
    pub fn is_complete(&self) -> bool {
        self.unsupported.is_empty() && self.cut.is_empty() && !self.out_of_fuel && self.stopped.is_none()
    }
}

/// Walks the tree of `code`, lets `judge` decide, and tells `visitor`. Returns what was seen, and the symbols for
/// formulas.
pub fn explore(
    code: &Code<'_>,
    properties: PropertySet,
    options: &TreeOptions,
    judge: &mut dyn FeasibilityOracle,
    visitor: &mut dyn Visitor,
    budget: &Budget,
) -> (Exploration, Symbols) {
    let stepper = Stepper::new(code, properties, options.fuel);
    let facts = CodeFacts::new(code, options);
    let sleeps = matches!(options.reduction, Reduction::Sleep | Reduction::All) && sleep::is_sound(options, properties);
    let mut walk = TreeExplorer {
        stepper,
        facts,
        options,
        sleeps,
        judge,
        visitor,
        budget,
        path: Vec::new(),
        seen: Exploration::default(),
        visited: Visited::default(),
        discipline: LockDiscipline::default(),
        steps: 0,
        unspent: 0,
        counted_steps: 0,
        over: false,
    };
    walk.run();
    while walk.discipline.is_refuted() && !walk.over {
        walk.begin_again();
        walk.run();
    }
    (walk.seen, walk.stepper.symbols)
}

/// An edge from a node to a child.
#[derive(Clone, Copy, Debug)]
enum Child {
    Thread { thread: ThreadId, contexts: u32 },
    Fact { term: TermId, truth: bool, value: Option<(TermId, u64)> },
    Choice(u64),
}

impl Child {
    fn thread(&self) -> Option<ThreadId> {
        match self {
            Child::Thread { thread, .. } => Some(*thread),
            Child::Fact { .. } | Child::Choice(_) => None,
        }
    }
}

/// A node with children that are still to be visited.
struct TreeNode {
    /// Taken out for the last child.
    configuration: Option<Configuration>,
    children: Vec<Child>,
    next: usize,
    mark: TrailMark,
    /// At a scheduling point: whether any thread could go on.
    moved: bool,
    is_point: bool,
    /// In the middle of a step: the scheduling point where it began, unless there was nothing to decide there.
    point: Option<usize>,
}

struct TreeExplorer<'c, 'o> {
    stepper: Stepper<'c>,
    facts: CodeFacts,
    options: &'o TreeOptions,
    /// Whether interleavings are left out by sleep sets and persistent sets.
    sleeps: bool,
    judge: &'o mut dyn FeasibilityOracle,
    visitor: &'o mut dyn Visitor,
    budget: &'o Budget,
    path: Vec<TreeNode>,
    seen: Exploration,
    visited: Visited,
    discipline: LockDiscipline,
    steps: u64,
    /// Work that the budget has not been told of yet, and the steps up to which it is counted.
    unspent: u64,
    counted_steps: u64,
    over: bool,
}

/// The budget is looked at after so much work.
const WORK_BETWEEN_CHECKS: u64 = 1024;
/// Where states are kept apart, a step may copy or hash the whole memory: so many bytes are as much work as a step.
const BYTES_PER_WORK: u64 = 8192;

/// From so many visits of a place on, states there are compared although memory was written in between.
const CYCLE_AFTER: u32 = 4;

/// After so many steps in a row that need no alternative all threads have their turn, so that nobody is forgotten for
/// ever.
const MAX_AT_ONCE: u32 = 64;

impl TreeExplorer<'_, '_> {
    fn run(&mut self) {
        let mut start = Configuration::of(self.stepper.machine.state.clone());
        start.runs.push(TreeRun { thread: 0, until: Until::Visible });
        self.follow(start, None);
        while !self.over && !self.discipline.is_refuted() {
            let Some(node) = self.path.last_mut() else { break };
            self.stepper.trail.back_to(node.mark);
            if node.next == node.children.len() {
                self.leave();
                continue;
            }
            let child = node.children[node.next];
            let done = node.next;
            node.next += 1;
            let configuration = match node.next == node.children.len() {
                true => node.configuration.take(),
                false => node.configuration.clone(),
            };
            let configuration = configuration.expect("a node with children should have a configuration");
            let depth = self.path.len() - 1;
            let point = self.path[depth].point;
            match child {
                Child::Thread { thread, contexts } => {
                    let mut next = configuration;
                    if let Some(state) = next.state.take() {
                        self.stepper.machine.state = state;
                    }
                    if self.sleeps {
                        next.sleep.extend(self.path[depth].children[..done].iter().filter_map(Child::thread));
                    }
                    self.begin_step(&mut next, thread, contexts);
                    self.follow(next, Some(depth));
                }
                Child::Choice(value) => {
                    let next = Configuration { choice: Some(value), ..configuration };
                    self.follow(next, point);
                }
                Child::Fact { term, truth, value } => {
                    let terms = &mut self.stepper.symbols.terms;
                    self.stepper.trail.push_fact(terms, term, truth, value);
                    if let Some(model) = self.decide(&configuration) {
                        self.follow(Configuration { model, ..configuration }, point);
                    }
                }
            }
        }
    }

    /// Forgets the walk so far, but not what it has shown about locks and inputs.
    fn begin_again(&mut self) {
        self.discipline.begin_again();
        self.stepper.begin_again();
        self.path.clear();
        self.seen = Exploration::default();
        self.visited = Visited::default();
        self.visitor.begins_again();
    }

    /// Whether the newest fact is possible, and under which inputs.
    fn decide(&mut self, configuration: &Configuration) -> Option<Model> {
        let (symbols, trail) = (&mut self.stepper.symbols, &self.stepper.trail);
        match self.judge.decide(symbols, trail, &configuration.model) {
            Feasibility::Feasible(model) => Some(model),
            Feasibility::Infeasible => None,
            Feasibility::Stopped(reason) => {
                self.stop(reason);
                None
            }
        }
    }

    fn stop(&mut self, reason: StopReason) {
        self.seen.stopped = Some(reason);
        self.over = true;
    }

    /// Leaves the last node of the path. A scheduling point at which nobody could go on is a leaf.
    fn leave(&mut self) {
        let node = self.path.pop().expect("a path to leave should not be empty");
        if node.is_point && !node.moved {
            self.seen.interleavings += 1;
        }
    }

    /// Tells the visitor of a node, or of the end of its path.
    fn show(&mut self, configuration: &Configuration, end: Option<&End>) {
        if !self.visitor.wants_nodes() {
            return;
        }
        let (machine, trail) = (&self.stepper.machine, &self.stepper.trail);
        let (active, contexts) = (configuration.active, configuration.contexts);
        let flow = self.visitor.node(&NodeView { machine, trail, active, contexts, end });
        self.over |= flow == ControlFlow::Break(());
    }

    fn begin_step(&mut self, configuration: &mut Configuration, thread: ThreadId, contexts: u32) {
        let machine = &self.stepper.machine;
        let at = machine.site_of(thread).index();
        let until = match machine.code().ops[at] {
            Op::AtomicBegin => Until::SectionEnd,
            _ => Until::Stepped,
        };
        self.steps += 1;
        self.stepper.note_step(&self.facts, thread, at);
        configuration.runs.push(TreeRun { thread: thread.0 as usize, until });
        if self.sleeps {
            self.discipline.note(&self.stepper.machine, thread);
        }
        if !configuration.sleep.is_empty() {
            let candidates = std::mem::take(&mut configuration.sleep);
            configuration.sleep = sleep::asleep_during(&self.stepper.machine, thread, candidates.into_iter());
        }
        if self.joins_at_once(thread) {
            return;
        }
        configuration.active = thread;
        configuration.contexts = contexts;
        configuration.open_statement = !self.facts.ends_statement[at];
    }

    /// Follows a path from a configuration until it parts or ends; what it parts into is put on the path. `point` is
    /// the node at which the step in the middle of which the configuration is began.
    fn follow(&mut self, mut configuration: Configuration, mut point: Option<usize>) {
        if let Some(state) = configuration.state.take() {
            self.stepper.machine.state = state;
        }
        self.stepper.symbolic = configuration.symbolic;
        loop {
            let advance = self.stepper.advance(&mut configuration);
            if !matches!(advance, ConfigurationAdvance::Refused(_) | ConfigurationAdvance::Parts(_))
                && let Some(point) = point.take()
            {
                self.path[point].moved = true;
            }
            self.seen.out_of_fuel |= self.stepper.out_of_fuel;
            match advance {
                ConfigurationAdvance::Refused(_) => return,
                ConfigurationAdvance::Over(end) => return self.ended(*end, &configuration),
                ConfigurationAdvance::Parts(stop) => return self.part(stop, configuration, point),
                ConfigurationAdvance::Point => {}
            }
            if let Err(reason) = self.check_budget() {
                return self.stop(reason);
            }
            let at_once = self.step_at_once(&configuration);
            let decided = std::mem::take(&mut configuration.decided);
            if !decided && self.turns_back(&configuration, at_once.is_some()) {
                return;
            }
            if !decided {
                self.show(&configuration, None);
            }
            if let Some(thread) = at_once {
                if configuration.sleep.contains(&thread) {
                    return;
                }
                configuration.at_once += 1;
                let contexts = configuration.contexts;
                self.begin_step(&mut configuration, thread, contexts);
                continue;
            }
            configuration.at_once = 0;
            // Where the state was only told apart by inputs, the node is the one that has just been met.
            if !decided && self.is_known(&mut configuration) {
                return;
            }
            match self.wrong_state() {
                Ok(None) => {}
                Ok(Some(violation)) => return self.ended(End::Violated(Box::new(violation)), &configuration),
                Err(stop) => return self.decide_state(&stop, configuration),
            }
            if self.runs_forced(&mut configuration) {
                continue;
            }
            match self.choose_thread(configuration) {
                Some(going_on) => configuration = going_on,
                None => return,
            }
        }
    }

    /// Lets the only thread that can go on begin its step; `None` if the path parts or ends here.
    fn choose_thread(&mut self, mut configuration: Configuration) -> Option<Configuration> {
        let mut children = self.threads(&configuration);
        if children.is_empty() {
            self.ended(End::Stuck, &configuration);
            return None;
        }
        children.retain(|(thread, _, _)| !configuration.sleep.contains(thread));
        match children[..] {
            [] => None,
            [(thread, contexts, false)] => {
                self.begin_step(&mut configuration, thread, contexts);
                Some(configuration)
            }
            _ => {
                let child = |&(thread, contexts, _): &(ThreadId, u32, bool)| Child::Thread { thread, contexts };
                let children = children.iter().map(child).collect();
                self.push(configuration, children, None);
                None
            }
        }
    }

    /// A thread whose next step commutes with whatever the others can do before it: no other step is an alternative.
    fn step_at_once(&mut self, configuration: &Configuration) -> Option<ThreadId> {
        if !self.sleeps || configuration.at_once >= MAX_AT_ONCE {
            return None;
        }
        let (machine, discipline) = (&self.stepper.machine, &mut self.discipline);
        let mut threads = (0..machine.thread_count() as u32).map(ThreadId);
        threads.find(|&thread| {
            machine.state.threads[thread.0 as usize].status == ThreadStatus::Live
                && (Footprint::of(machine, thread) == Footprint::Nothing || discipline.permits(machine, thread))
        })
    }

    fn check_budget(&mut self) -> Result<(), StopReason> {
        let copied = self.stepper.machine.state.memory.live_bytes() / BYTES_PER_WORK;
        self.unspent += self.steps - self.counted_steps + copied;
        self.counted_steps = self.steps;
        if self.unspent < WORK_BETWEEN_CHECKS {
            return Ok(());
        }
        self.budget.spend(std::mem::take(&mut self.unspent))
    }

    /// Lets the active thread run where nobody may come between, if it can.
    fn runs_forced(&mut self, configuration: &mut Configuration) -> bool {
        let machine = &self.stepper.machine;
        // Lost memory can show in every state; accesses change who waits only where a section tests what they change.
        let looks_at_every_state =
            machine.selected(Property::ValidMemtrack) || (machine.looks_for_deadlocks() && self.facts.has_sections);
        let is_exhausted = self.is_exhausted(configuration.contexts);
        if looks_at_every_state || self.visitor.wants_nodes() || !(is_exhausted || configuration.open_statement) {
            return false;
        }
        let steps = self.stepper.run_forced(configuration, &self.facts, is_exhausted);
        self.steps += steps;
        self.seen.bounded |= is_exhausted && steps > 0;
        steps > 0
    }

    fn is_exhausted(&self, contexts: u32) -> bool {
        self.options.context_bound.is_some_and(|bound| contexts >= bound.limit)
    }

    fn push(&mut self, mut configuration: Configuration, children: Vec<Child>, point: Option<usize>) {
        self.seen.nodes += 1;
        configuration.state = Some(self.stepper.machine.state.clone());
        configuration.symbolic = self.stepper.symbolic;
        let is_point = matches!(children[..], [Child::Thread { .. }, ..]);
        let mark = self.stepper.trail.mark();
        self.path.push(TreeNode {
            configuration: Some(configuration),
            children,
            next: 0,
            mark,
            moved: false,
            is_point,
            point,
        });
    }

    /// The path parts in the middle of a step.
    fn part(&mut self, stop: Stop, configuration: Configuration, point: Option<usize>) {
        if matches!(stop, Stop::Truth(_)) && self.is_cut(ThreadId(self.stepper.machine.current as u32)) {
            return;
        }
        if let Some(children) = self.alternatives(&stop, &configuration) {
            self.push(configuration, children, point);
        }
    }

    /// The path parts between two steps: what is wrong with the state depends on inputs.
    fn decide_state(&mut self, stop: &Stop, mut configuration: Configuration) {
        configuration.decided = true;
        if let Some(children) = self.alternatives(stop, &configuration) {
            self.push(configuration, children, None);
        }
    }

    /// What a path parts into; `None` if it ends here.
    fn alternatives(&mut self, stop: &Stop, configuration: &Configuration) -> Option<Vec<Child>> {
        let fact = |term, truth, value| Child::Fact { term, truth, value };
        Some(match *stop {
            Stop::Halt(ref halt) => unreachable!("{halt:?} should have been settled"),
            Stop::OneOf(ref values) => values.iter().copied().map(Child::Choice).collect(),
            Stop::Truth(term) => vec![fact(term, true, None), fact(term, false, None)],
            Stop::Value(term) => {
                let (symbols, trail) = (&mut self.stepper.symbols, &self.stepper.trail);
                let value = match self.judge.example(symbols, trail, &configuration.model, term) {
                    Ok(Some(value)) => value,
                    Ok(None) => return None,
                    Err(reason) => {
                        self.stop(reason);
                        return None;
                    }
                };
                let constant = symbols.terms.constant(symbols.terms.width(term), value);
                let equal = symbols.terms.eq(term, constant);
                vec![fact(equal, true, Some((term, value))), fact(equal, false, Some((term, value)))]
            }
        })
    }

    /// Whether the path need not be followed any further: a loop has had its rounds, or nothing has changed since the
    /// path was here before and all threads have their turn.
    fn turns_back(&mut self, configuration: &Configuration, at_once: bool) -> bool {
        let thread = configuration.active;
        if self.recurs_too_deep(thread) {
            self.note_cut(thread);
            return true;
        }
        let Some((place, limit)) = self.loop_place(thread) else { return false };
        let changes = self.stepper.machine.changes;
        let before = self.stepper.trail.visit(place, changes);
        if u64::from(before.count) >= limit {
            self.note_cut(thread);
            return true;
        }
        let may_be_back = !at_once && ((before.count > 0 && before.changes == changes) || before.count >= CYCLE_AFTER);
        may_be_back && {
            let machine = &self.stepper.machine;
            let hash = state_hash(machine.code(), &machine.state, false);
            !self.stepper.trail.remember_state(hash, &configuration.sleep)
        }
    }

    /// Whether a node like this one was visited before, where such nodes are left out. Who need not be walked again falls
    /// asleep.
    fn is_known(&mut self, configuration: &mut Configuration) -> bool {
        if !matches!(self.options.reduction, Reduction::States | Reduction::All) {
            return false;
        }
        let key = self.node_key(configuration);
        match self.visited.meet(key, &configuration.sleep) {
            Meeting::New => false,
            Meeting::Known => true,
            Meeting::Rest(rest) => {
                let machine = &self.stepper.machine;
                let can_go_on = |thread: &ThreadId| machine.readiness(*thread) != Readiness::Halted;
                configuration.sleep =
                    self.all_threads().filter(can_go_on).filter(|thread| !rest.contains(thread)).collect();
                false
            }
        }
    }

    /// What the future of a node depends on: the state, the facts, how often each loop has been gone through, and what is
    /// used up of the context bound, by whom, where that matters.
    fn node_key(&self, configuration: &Configuration) -> NodeKey {
        let machine = &self.stepper.machine;
        let state = state_hash(machine.code(), &machine.state, false);
        let facts = self.stepper.trail.facts().last().map_or(u64::MAX, |fact| fact.conjunction.index() as u64);
        let counts = configuration.open_statement || self.options.context_bound.is_some();
        let active =
            if counts { u64::from(configuration.active.0) << 32 | u64::from(configuration.contexts) } else { 0 };
        let mut key = WordHash::default();
        for word in [state as u64, (state >> 64) as u64, facts, self.stepper.trail.rounds_hash(), active] {
            key.word(word);
        }
        key.word(u64::from(configuration.open_statement));
        key.finish()
    }

    /// Whether a loop that does nothing visible, but tests inputs, has had its rounds. Visits of scheduling points are
    /// counted where the thread arrives there.
    fn is_cut(&mut self, thread: ThreadId) -> bool {
        let machine = &self.stepper.machine;
        let own = &machine.state.threads[thread.0 as usize];
        if own.section == 0 && machine.code().visible[own.pc as usize] {
            return false;
        }
        let Some((place, limit)) = self.loop_place(thread) else { return false };
        let before = self.stepper.trail.visit(place, self.stepper.machine.changes);
        let beyond = u64::from(before.count) >= limit;
        if beyond {
            self.note_cut(thread);
        }
        beyond
    }

    /// Whether the innermost call is made more often, inside itself, than loops have rounds.
    fn recurs_too_deep(&self, thread: ThreadId) -> bool {
        let Some(rounds) = self.options.unwind else { return false };
        let frames = &self.stepper.machine.state.threads[thread.0 as usize].frames;
        let Some(last) = frames.get(1..).and_then(<[_]>::last) else { return false };
        let again = || frames[1..].iter().filter(|frame| frame.return_to == last.return_to).count();
        frames.len() > rounds as usize && again() > rounds as usize
    }

    fn note_cut(&mut self, thread: ThreadId) {
        let machine = &self.stepper.machine;
        let site = machine.site_of(thread);
        self.seen.cut.insert(machine.code().span(site));
    }

    /// Where a thread stands, with all activations around it, and how often it may come there; `None` outside loops.
    fn loop_place(&self, thread: ThreadId) -> Option<((ThreadId, u64), u64)> {
        let own = &self.stepper.machine.state.threads[thread.0 as usize];
        if own.status != ThreadStatus::Live {
            return None;
        }
        let places = || own.frames.iter().skip(1).map(|frame| frame.return_to - 1).chain([own.pc]);
        let limit = places().map(|pc| self.rounds_at(pc)).fold(1, u64::saturating_mul);
        if !places().any(|pc| self.is_in_loop(pc)) {
            return None;
        }
        let mut hasher = FxHasher::default();
        places().for_each(|pc| pc.hash(&mut hasher));
        Some(((thread, hasher.finish()), limit))
    }

    fn is_in_loop(&self, pc: u32) -> bool {
        self.facts.loop_depth[pc as usize] != LoopDepth::default()
    }

    /// How often a place is visited at most in one activation if every loop around it has its rounds.
    fn rounds_at(&self, pc: u32) -> u64 {
        let depth = self.facts.loop_depth[pc as usize];
        let rounds = self.options.unwind.map_or(u64::MAX, u64::from);
        let counted = rounds.saturating_pow(u32::from(depth.open));
        counted.saturating_mul(
            rounds.max(u64::from(self.options.unwind_counting)).saturating_pow(u32::from(depth.counting)),
        )
    }

    /// What is wrong with the state itself: a deadlock, or lost memory.
    ///
    /// # Errors
    /// What it depends on, of that which the path has not decided.
    fn wrong_state(&mut self) -> Result<Option<Violation>, Stop> {
        let deadlock = if self.stepper.machine.looks_for_deadlocks() { self.deadlock()? } else { None };
        let tracks = self.stepper.machine.selected(Property::ValidMemtrack);
        Ok(deadlock.or_else(|| if tracks { self.stepper.machine.lost_memory() } else { None }))
    }

    fn deadlock(&mut self) -> Result<Option<Violation>, Stop> {
        let count = self.stepper.machine.thread_count() as u32;
        let threads = || (0..count).map(ThreadId);
        let waits = |thread| matches!(self.stepper.machine.standing(thread), Standing::Blocked(_) | Standing::Section);
        if !threads().any(waits) {
            return Ok(None);
        }
        let standings: Vec<Standing> =
            threads().map(|thread| self.stepper.standing(thread)).collect::<Result<_, _>>()?;
        Ok(self.stepper.machine.find_deadlock(&standings))
    }

    fn all_threads(&self) -> impl Iterator<Item = ThreadId> + use<> {
        (0..self.stepper.machine.thread_count() as u32).map(ThreadId)
    }

    /// Whether the thread is about to join one that has ended, where that is no scheduling point: others cannot tell
    /// when it does so.
    fn joins_at_once(&self, thread: ThreadId) -> bool {
        let machine = &self.stepper.machine;
        self.options.granularity == Granularity::Statement
            && matches!(machine.code().ops[machine.site_of(thread).index()], Op::Join { .. })
            && matches!(machine.standing(thread), Standing::Ready)
    }

    /// The threads that may go on, with what is then used up of the context bound, and whether they stand before an
    /// atomic section, which they may not be able to enter.
    fn threads(&mut self, configuration: &Configuration) -> SmallVec<[(ThreadId, u32, bool); 8]> {
        let machine = &self.stepper.machine;
        let used = configuration.contexts;
        let active = configuration.active;
        // A join becomes possible when a thread ends or comes to it, and not otherwise.
        let own = &machine.state.threads[active.0 as usize];
        let may_join =
            own.status != ThreadStatus::Live || matches!(machine.code().ops[own.pc as usize], Op::Join { .. });
        if may_join
            && self.options.granularity == Granularity::Statement
            && let Some(thread) = self.all_threads().find(|&thread| self.joins_at_once(thread))
        {
            return [(thread, used, false)].into_iter().collect();
        }
        let before_section = |thread: ThreadId| match machine.readiness(thread) {
            Readiness::Ready => Some(false),
            Readiness::Section => Some(true),
            Readiness::Halted => None,
        };
        let is_exhausted = self.is_exhausted(used);
        if (is_exhausted || configuration.open_statement)
            && let Some(section) = before_section(active)
        {
            self.seen.bounded |= is_exhausted;
            return [(active, used, section)].into_iter().collect();
        }
        let mut enabled =
            self.all_threads().filter_map(|thread| before_section(thread).map(|section| (thread, used, section)));
        if is_exhausted {
            let first = enabled.next();
            self.seen.bounded |= first.is_some();
            return first.into_iter().collect();
        }
        let mut enabled: SmallVec<[(ThreadId, u32, bool); 8]> = enabled.collect();
        let Some(bound) = self.options.context_bound else { return enabled };
        let is_decision = enabled.len() > 1;
        for (thread, contexts, _) in &mut enabled {
            *contexts += u32::from(match bound.count {
                ContextCount::Switches => *thread != active,
                ContextCount::Decisions => is_decision,
            });
        }
        enabled
    }

    /// A path has come to its end.
    fn ended(&mut self, end: End, configuration: &Configuration) {
        self.show(configuration, Some(&end));
        match end {
            End::Violated(violation) => {
                let found =
                    FoundViolation { violation: &violation, trail: &self.stepper.trail, model: &configuration.model };
                let flow = self.visitor.found(&mut self.stepper.symbols, &found);
                self.seen.failing += 1;
                self.over |= flow == ControlFlow::Break(());
            }
            End::Unsupported { what, span } => {
                if !self.seen.unsupported.contains(&(what.clone(), span)) {
                    self.seen.unsupported.push((what, span));
                }
            }
            End::Undefined(undefined) => {
                let known = |other: &Undefined| other.span == undefined.span && other.what == undefined.what;
                if !self.seen.undefined.iter().any(known) {
                    self.seen.undefined.push(*undefined);
                }
            }
            End::Stopped(reason) => return self.stop(reason),
            End::Finished { .. } | End::Stuck | End::StepLimit => {}
        }
        self.seen.interleavings += 1;
    }
}

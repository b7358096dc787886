//! The exhaustive explorer: all interleavings at visible granularity and all choices, depth first, with merging of
//! equal states. It is the oracle that engines are compared with, for small programs.
//!
//! Guarantee: if the exploration is complete, a property has a violation in it if and only if some execution (with
//! inputs from the given domain) violates the property. An execution ends with its first violation of a selected
//! property, which might hide a violation of another; so where any is found, the other properties are explored again,
//! one by one.
//!
//! Executions are counted on the graph of states: the number of maximal executions from a state is the sum over its
//! steps and choices. If the graph has a cycle there are infinitely many, and no number is given.

use base::{Budget, Span, StopReason};
use program::{ObjectName, Program, Property, PropertySet, Schedule, Step, ThreadId, Trace, Type, Visibility};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use crate::choice::{Ask, ChoiceSource};
use crate::code::Code;
use crate::machine::{ChoiceRecord, Config, End, ExecState, Machine, Refusal, Standing, StepResult, Undefined};
use crate::observation::{Ending, Observation};
use crate::replay::replay_code;
use crate::run::too_large;
use crate::state_hash::hash;
use crate::thread::ThreadStatus;
use crate::value::mask;

/// How to explore.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExploreOptions {
    pub config: Config,
    /// The values that inputs and indeterminate memory take; default 0 and 1.
    pub inputs: RangeInclusive<i64>,
    /// States after which to give up; default one million.
    pub max_states: u64,
    /// Whether to count executions.
    pub count_executions: bool,
    /// Whether to merge equal states; default yes. Without merging every execution is walked through by itself: slow,
    /// never ending where executions are endless, and the standard that merging is measured by.
    pub merge_states: bool,
    /// Whether to collect what can be observed of executions; default no. States are then told apart by their output,
    /// and threads may be interrupted before each print, so schedules only fit where output is visible, too.
    pub collect_observations: bool,
}

impl ExploreOptions {
    pub fn new(properties: PropertySet) -> Self {
        let config = Config { fuel: 1_000_000, lone_fuel: 1_000_000, ..Config::new(properties) };
        Self {
            config,
            inputs: 0..=1,
            max_states: 1_000_000,
            count_executions: false,
            merge_states: true,
            collect_observations: false,
        }
    }
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Exploration {
    /// The first violation of each property that has one, in the order of properties.
    pub violations: Vec<Trace>,
    /// Why not everything was seen; empty if the exploration is complete.
    pub incomplete: Vec<Incomplete>,
    /// Some input or indeterminate value was not tried with all values of its type.
    pub restricted_inputs: bool,
    /// Undefined behaviour that is not a selected property and ended executions, once per place.
    pub undefined: Vec<Undefined>,
    pub states: u64,
    /// Maximal executions, if they were to be counted and are finitely many. An execution ends at its first violation.
    pub executions: Option<u128>,
    /// Whether some execution never ends.
    pub endless: bool,
    /// Of all executions that ended without a violation, if they were to be collected.
    pub observations: BTreeSet<Observation>,
}

impl Exploration {
    pub fn is_complete(&self) -> bool {
        self.incomplete.is_empty()
    }

    pub fn violates(&self, property: Property) -> bool {
        self.violations.iter().any(|trace| trace.violation.property == property)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Incomplete {
    States(u64),
    Stopped(StopReason),
    Unsupported {
        what: String,
        span: Span,
    },
    /// A thread was cut off, or an atomic section given up, after so many instructions.
    Fuel {
        instructions: u64,
        span: Span,
    },
}

/// Atomic sections that are followed until the fuel ends, before the exploration is given up.
const MAX_SECTIONS: u64 = 100;

/// Explores all executions of `program`.
pub fn explore(program: &Program, options: &ExploreOptions, budget: &Budget) -> Exploration {
    let visibility = match options.collect_observations {
        true => Visibility::with_output(program),
        false => Visibility::new(program),
    };
    explore_with(program, &visibility, options, budget)
}

/// As [`explore`], with a visibility that is already known. All observations are found only if output is visible.
pub fn explore_with(
    program: &Program,
    visibility: &Visibility,
    options: &ExploreOptions,
    budget: &Budget,
) -> Exploration {
    let code = match Code::new(program, visibility) {
        Ok(code) => code,
        Err(_) => {
            let mut found = Findings::default();
            found.note_end(&too_large());
            return found.into_exploration(Vec::new(), None);
        }
    };
    let mut search = StateSearch::new(&code, options, options.config, budget);
    let executions = search.run();
    let mut findings = search.findings;
    let mut schedules = search.violations;
    if !schedules.is_empty() {
        let hidden = options.config.properties.iter().filter(|property| !schedules.contains_key(property));
        for property in hidden.collect::<Vec<_>>() {
            let config = Config { properties: PropertySet::of(&[property]), ..options.config };
            let alone = ExploreOptions { count_executions: false, ..options.clone() };
            let mut search = StateSearch::new(&code, &alone, config, budget);
            search.run();
            findings.merge(search.findings);
            schedules.extend(search.violations);
        }
    }
    let mut found: Vec<(Property, Schedule)> = schedules.into_iter().collect();
    found.sort_by_key(|(property, _)| *property);
    let traces = found.iter().map(|(property, schedule)| confirmed(&code, options, *property, schedule)).collect();
    findings.into_exploration(traces, executions)
}

/// A violation of the explorer, replayed for its events.
fn confirmed(code: &Code<'_>, options: &ExploreOptions, property: Property, schedule: &Schedule) -> Trace {
    let config = Config { properties: PropertySet::of(&[property]), ..options.config };
    replay_code(code, schedule, config, &Budget::unlimited())
        .unwrap_or_else(|failure| panic!("an explored violation of {property} should replay: {failure}"))
}

/// What an exploration notes on its way.
#[derive(Default)]
struct Findings {
    incomplete: Vec<Incomplete>,
    restricted_inputs: bool,
    undefined: Vec<Undefined>,
    states: u64,
    endless: bool,
    observations: BTreeSet<Observation>,
}

impl Findings {
    fn note_incomplete(&mut self, reason: Incomplete) {
        if !self.incomplete.contains(&reason) {
            self.incomplete.push(reason);
        }
    }

    fn note_end(&mut self, end: &End) {
        match end {
            End::Unsupported { what, span } => {
                self.note_incomplete(Incomplete::Unsupported { what: what.clone(), span: *span });
            }
            End::Undefined(undefined) => {
                let known = |other: &Undefined| other.span == undefined.span && other.what == undefined.what;
                if !self.undefined.iter().any(known) {
                    self.undefined.push((**undefined).clone());
                }
            }
            End::Stopped(reason) => self.note_incomplete(Incomplete::Stopped(*reason)),
            End::Finished { .. } | End::Violated(_) | End::Stuck | End::StepLimit => {}
        }
    }

    fn merge(&mut self, other: Findings) {
        other.incomplete.into_iter().for_each(|reason| self.note_incomplete(reason));
        other.undefined.into_iter().for_each(|undefined| self.note_end(&End::Undefined(Box::new(undefined))));
        self.restricted_inputs |= other.restricted_inputs;
        self.endless |= other.endless;
        self.states += other.states;
        self.observations.extend(other.observations);
    }

    fn into_exploration(self, violations: Vec<Trace>, executions: Option<u128>) -> Exploration {
        let executions = executions.filter(|_| !self.endless && self.incomplete.is_empty());
        Exploration {
            violations,
            incomplete: self.incomplete,
            restricted_inputs: self.restricted_inputs,
            undefined: self.undefined,
            states: self.states,
            executions,
            endless: self.endless,
            observations: self.observations,
        }
    }
}

/// What is known of a state that was met before.
#[derive(Clone, Copy)]
enum KnownState {
    /// On the path to the present state.
    OnPath,
    /// Done, with the number of executions from there (saturating).
    Done(u128),
}

/// A state on the path, and which of its steps are still to be tried.
struct StateNode {
    state: ExecState,
    hash: u128,
    threads: Vec<ThreadId>,
    /// Index of the thread whose steps are tried at present.
    position: usize,
    odometer: Odometer,
    executions: u128,
    /// Whether any step could be taken.
    moved: bool,
    /// The step that led here, and the choices made in it.
    step: Option<ThreadId>,
    record: ChoiceRecord,
}

struct StateSearch<'c> {
    code: &'c Code<'c>,
    options: &'c ExploreOptions,
    config: Config,
    budget: &'c Budget,
    known: FxHashMap<u128, KnownState>,
    path: Vec<StateNode>,
    findings: Findings,
    violations: FxHashMap<Property, Schedule>,
    sections_given_up: u64,
}

impl<'c> StateSearch<'c> {
    fn new(code: &'c Code<'c>, options: &'c ExploreOptions, config: Config, budget: &'c Budget) -> Self {
        let (known, violations) = (FxHashMap::default(), FxHashMap::default());
        let (path, findings) = (Vec::new(), Findings::default());
        Self { code, options, config, budget, known, path, findings, violations, sections_given_up: 0 }
    }

    /// Explores everything; returns the number of executions if they were to be counted.
    fn run(&mut self) -> Option<u128> {
        let mut odometer = Odometer::new(self.options.inputs.clone());
        let mut executions: u128 = 0;
        loop {
            let mut machine = Machine::new(self.code, self.config);
            odometer.rewind();
            let ended = machine.start(&mut odometer);
            self.findings.restricted_inputs |= odometer.restricted;
            let reached = Reached { state: machine.state, record: machine.record, step: None };
            executions = executions.saturating_add(match ended {
                Some(end) => self.over(end, &reached),
                None => self.from(reached),
            });
            if self.must_stop() || !odometer.advance() {
                break;
            }
        }
        self.options.count_executions.then_some(executions)
    }

    /// Explores everything from a start state.
    fn from(&mut self, start: Reached) -> u128 {
        let mut result = match self.enter(start) {
            Some(executions) => return executions,
            None => 0,
        };
        while let Some(node) = self.path.last_mut() {
            if self.findings.must_stop() {
                // Nothing is counted any more, and a path can have millions of states.
                self.path.clear();
                return 0;
            }
            if node.position == node.threads.len() {
                result = self.leave();
                continue;
            }
            let thread = node.threads[node.position];
            node.odometer.rewind();
            let mut machine = Machine::at(self.code, self.config, node.state.clone());
            let outcome = machine.step(thread, &mut node.odometer);
            self.findings.restricted_inputs |= node.odometer.restricted;
            if !node.odometer.advance() {
                node.position += 1;
                node.odometer = Odometer::new(self.options.inputs.clone());
            }
            let refused = matches!(outcome, StepResult::Refused(_));
            node.moved |= !refused;
            let reached = Reached { state: machine.state, record: machine.record, step: Some(thread) };
            let executions = match outcome {
                StepResult::Refused(Refusal::Endless { certain: false }) => {
                    self.note_fuel(&reached.state, thread);
                    self.check_long_sections();
                    Some(0)
                }
                StepResult::Refused(_) => Some(0),
                StepResult::Over(end) => Some(self.over(end, &reached)),
                StepResult::Taken => self.enter(reached),
            };
            if let (Some(executions), Some(node)) = (executions, self.path.last_mut()) {
                node.executions = node.executions.saturating_add(executions);
            }
        }
        result
    }

    /// Comes to a state. Returns the number of executions from it if there is nothing to explore there.
    fn enter(&mut self, reached: Reached) -> Option<u128> {
        let hash = match self.options.merge_states {
            true => hash(self.code, &reached.state, self.options.collect_observations),
            false => u128::from(self.findings.states),
        };
        match self.known.get(&hash) {
            Some(KnownState::Done(executions)) => return Some(*executions),
            Some(KnownState::OnPath) => {
                self.findings.endless = true;
                return Some(0);
            }
            None => {}
        }
        self.findings.states += 1;
        self.check_limits();
        self.check_threads(&reached.state);
        let machine = Machine::at(self.code, self.config, reached.state);
        let wrong = self.wrong_state(&machine);
        let reached = Reached { state: machine.state, ..reached };
        if let Some(end) = wrong {
            self.known.insert(hash, KnownState::Done(1));
            return Some(self.over(end, &reached));
        }
        let threads = live_threads(&reached.state);
        self.known.insert(hash, KnownState::OnPath);
        self.path.push(StateNode {
            state: reached.state,
            hash,
            threads,
            position: 0,
            odometer: Odometer::new(self.options.inputs.clone()),
            executions: 0,
            moved: false,
            step: reached.step,
            record: reached.record,
        });
        None
    }

    /// What is wrong with a state itself.
    fn wrong_state(&self, machine: &Machine<'_>) -> Option<End> {
        let deadlock = if machine.looks_for_deadlocks() {
            let blocked =
                |thread: &ThreadId| matches!(machine.standing(*thread), Standing::Blocked(_) | Standing::Section);
            let somebody = live_threads(&machine.state).iter().any(blocked);
            if somebody { machine.find_deadlock(&machine.standings()) } else { None }
        } else {
            None
        };
        let tracks = self.config.properties.contains(Property::ValidMemtrack);
        let lost = || if tracks { machine.lost_memory() } else { None };
        deadlock.or_else(lost).map(|violation| End::Violated(Box::new(violation)))
    }

    /// Leaves the last state of the path; what was found there counts for the one before.
    fn leave(&mut self) -> u128 {
        let node = self.path.pop().expect("a path to leave should not be empty");
        // A state without steps is the end of an execution: stuck, with nothing to say about it.
        let executions = if node.moved { node.executions } else { 1 };
        self.known.insert(node.hash, KnownState::Done(executions));
        if !node.moved {
            self.observe(&End::Stuck, &node.state);
        }
        if let Some(before) = self.path.last_mut() {
            before.executions = before.executions.saturating_add(executions);
        }
        executions
    }

    /// An execution has ended; it counts as one.
    fn over(&mut self, end: End, reached: &Reached) -> u128 {
        self.findings.note_end(&end);
        self.observe(&end, &reached.state);
        match end {
            End::Violated(violation) if !self.violations.contains_key(&violation.property) => {
                let schedule = self.schedule(reached);
                self.violations.insert(violation.property, schedule);
            }
            _ => {}
        }
        1
    }

    fn observe(&mut self, end: &End, state: &ExecState) {
        if self.options.collect_observations
            && let Some(ending) = Ending::of(end)
        {
            self.findings.observations.insert(Observation { ending, output: state.output.to_vec() });
        }
    }

    /// The schedule of the path and one more step.
    fn schedule(&self, reached: &Reached) -> Schedule {
        let parts = self.path.iter().map(|node| (node.step, &node.record)).chain([(reached.step, &reached.record)]);
        let mut all = ChoiceRecord::default();
        let mut steps = Vec::new();
        for (step, record) in parts {
            steps.extend(step.map(|thread| Step { thread, location: None }));
            all.choices.extend_from_slice(&record.choices);
            all.memory.extend_from_slice(&record.memory);
        }
        Schedule { steps, choices: all.to_choices() }
    }

    fn must_stop(&self) -> bool {
        self.findings.must_stop()
    }

    fn check_limits(&mut self) {
        if self.findings.states > self.options.max_states {
            self.findings.note_incomplete(Incomplete::States(self.options.max_states));
        }
        if self.findings.states.is_multiple_of(256)
            && let Err(reason) = self.budget.check()
        {
            self.findings.note_incomplete(Incomplete::Stopped(reason));
        }
    }

    /// An atomic section that is given up takes as long as a thousand states, and leads to none.
    fn check_long_sections(&mut self) {
        self.sections_given_up += 1;
        let stop = if self.sections_given_up > MAX_SECTIONS { Err(StopReason::Work) } else { self.budget.check() };
        if let Err(reason) = stop {
            self.findings.note_incomplete(Incomplete::Stopped(reason));
        }
    }

    /// A thread that was cut off may have had more to do.
    fn check_threads(&mut self, state: &ExecState) {
        for thread in 0..state.threads.len() {
            match state.threads[thread].status {
                ThreadStatus::Cut => self.note_fuel(state, ThreadId(thread as u32)),
                ThreadStatus::Diverged => self.findings.endless = true,
                _ => {}
            }
        }
    }

    fn note_fuel(&mut self, state: &ExecState, thread: ThreadId) {
        let span = self.code.span(state.threads[thread.0 as usize].site());
        self.findings.note_incomplete(Incomplete::Fuel { instructions: self.config.fuel, span });
    }
}

impl Findings {
    fn must_stop(&self) -> bool {
        self.incomplete.iter().any(|reason| matches!(reason, Incomplete::States(_) | Incomplete::Stopped(_)))
    }
}

/// A state, and how it was reached from the one before.
struct Reached {
    state: ExecState,
    record: ChoiceRecord,
    step: Option<ThreadId>,
}

fn live_threads(state: &ExecState) -> Vec<ThreadId> {
    let live = |thread: &usize| state.threads[*thread].status == ThreadStatus::Live;
    (0..state.threads.len()).filter(live).map(|thread| ThreadId(thread as u32)).collect()
}

/// Counts through all combinations of the choices that one step asks for.
struct Odometer {
    inputs: RangeInclusive<i64>,
    /// For each choice, in order, which alternative is taken and how many there are.
    wheels: Vec<(u128, u128)>,
    position: usize,
    restricted: bool,
}

impl Odometer {
    fn new(inputs: RangeInclusive<i64>) -> Self {
        Self { inputs, wheels: Vec::new(), position: 0, restricted: false }
    }

    fn rewind(&mut self) {
        self.position = 0;
    }

    /// Goes on to the next combination; `false` if that was the last.
    fn advance(&mut self) -> bool {
        self.wheels.truncate(self.position);
        while let Some((at, count)) = self.wheels.last_mut() {
            *at += 1;
            if at < count {
                return true;
            }
            self.wheels.pop();
        }
        false
    }

    fn turn(&mut self, count: u128) -> u128 {
        if self.position == self.wheels.len() {
            self.wheels.push((0, count));
        }
        self.position += 1;
        self.wheels[self.position - 1].0
    }

    /// A number of `bits` width from the domain.
    fn number(&mut self, bits: u8) -> i64 {
        let all = 1u128 << bits;
        let given = (i128::from(*self.inputs.end()) - i128::from(*self.inputs.start()) + 1).max(1) as u128;
        self.restricted |= given < all;
        let index = self.turn(given.min(all));
        (i128::from(*self.inputs.start()) + index as i128) as i64
    }
}

impl ChoiceSource for Odometer {
    fn choose(&mut self, _: ThreadId, ask: Ask<'_>) -> u64 {
        match ask {
            Ask::OneOf(values) => values[self.turn(values.len() as u128) as usize],
            Ask::Input(Type::Int(bits)) => self.number(bits) as u64 & mask(bits),
            Ask::Input(Type::Float) => u64::from((self.number(32) as f32).to_bits()),
            Ask::Input(Type::Double) => (self.number(64) as f64).to_bits(),
            Ask::Input(Type::Pointer) => {
                self.restricted = true;
                0
            }
        }
    }

    fn memory(&mut self, _: ObjectName, _: u64, length: u64) -> Vec<u8> {
        self.restricted |= length > 8;
        let number = self.number(length.min(8) as u8 * 8);
        let mut bytes = number.to_le_bytes().to_vec();
        bytes.resize(length as usize, 0);
        bytes
    }
}

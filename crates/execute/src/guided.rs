//! Execution along waypoints: finds the violation that a witness tells of, as far as the witness tells it.
//!
//! The same waypoints are understood in three ways, one after the other: as one step each, which is how our own GraphML
//! witnesses mean them; as what is seen of the threads line by line, which is how our YAML witnesses do; and as visits of a
//! line, which is how most others do. Inputs that the witness does not give are zero at
//! first, then random; or those of another execution that somebody knows to end badly. Guarantee: none, it only finds; what it finds is a schedule that anybody can replay.

use std::collections::{BTreeMap, VecDeque};

use base::Budget;
use program::waypoint::{Waypoint, WitnessThread};
use program::{Choices, ObjectName, PropertySet, Schedule, Step, ThreadId, TraceEventKind, Type};

use crate::choice::{Ask, ChoiceSource, FixedChoices, RandomChoices, ReplayedChoices};
use crate::code::Code;
use crate::machine::{Config, End, Machine, StepResult};
use crate::value::mask;

/// How much to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GuideOptions {
    pub properties: PropertySet,
    /// Attempts with random values for what the witness does not say. Default: 60.
    pub random_attempts: u64,
    /// Steps that a thread may take on its way to a line. Default: 5,000.
    pub detour: usize,
    /// Steps after the last waypoint. Default: 20,000.
    pub epilogue: usize,
    /// No attempt begins after so many instructions of all together. Default: 200 million.
    pub instructions: u64,
}

impl GuideOptions {
    pub fn new(properties: PropertySet) -> Self {
        Self { properties, random_attempts: 60, detour: 5_000, epilogue: 20_000, instructions: 200_000_000 }
    }
}

/// A schedule that passes the waypoints and ends in a violation of one of the properties.
pub fn follow(code: &Code<'_>, waypoints: &[Waypoint], options: &GuideOptions, budget: &Budget) -> Option<Schedule> {
    let random = (1..=options.random_attempts).map(|seed| Unsaid::Random(RandomChoices::new(seed)));
    attempt(code, waypoints, std::iter::once(Unsaid::Zero).chain(random), options, budget)
}

/// As [`follow`], where `known` are the choices of an execution with a violation: they are taken for what the witness does
/// not say.
pub fn follow_with(
    code: &Code<'_>,
    waypoints: &[Waypoint],
    known: &Choices,
    options: &GuideOptions,
    budget: &Budget,
) -> Option<Schedule> {
    let known = std::iter::once(Unsaid::Known(ReplayedChoices::new(known)));
    attempt(code, waypoints, known, options, budget)
}

fn attempt(
    code: &Code<'_>,
    waypoints: &[Waypoint],
    sources: impl Iterator<Item = Unsaid>,
    options: &GuideOptions,
    budget: &Budget,
) -> Option<Schedule> {
    let readings = [Reading::Steps, Reading::Events, Reading::Lines];
    let attempts = sources.flat_map(|source| readings.map(|reading| (source.clone(), reading)));
    let mut executed = 0;
    for (source, reading) in attempts {
        if budget.check().is_err() || executed > options.instructions {
            return None;
        }
        let mut guide = Guide::new(code, reading, options, source, budget);
        if guide.finds_violation(waypoints) {
            return Some(Schedule { steps: guide.taken, choices: guide.machine.record.to_choices() });
        }
        executed += guide.machine.instructions;
    }
    None
}

/// What a waypoint means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    /// One step of the thread, at the line.
    Steps,
    /// The thread does something on the line that a trace tells of; what it does there without a break is told once.
    Events,
    /// The thread goes to the line and on until it leaves it.
    Lines,
}

struct Guide<'c> {
    machine: Machine<'c>,
    choices: GuidedChoices,
    reading: Reading,
    options: GuideOptions,
    budget: Budget,
    threads: BTreeMap<WitnessThread, ThreadId>,
    last: ThreadId,
    taken: Vec<Step>,
    /// Of threads that were let go further than the waypoints: what they did there, as a trace tells it.
    unmatched: BTreeMap<ThreadId, VecDeque<Told>>,
}

/// An event of a trace, as far as a waypoint shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Told {
    line: u32,
    /// An input or a new thread: told by a waypoint of its own.
    alone: bool,
}

/// What came of an attempt to take a step.
enum Went {
    On,
    Nowhere,
    Over(End),
}

impl<'c> Guide<'c> {
    fn new(code: &'c Code<'c>, reading: Reading, options: &GuideOptions, unsaid: Unsaid, budget: &Budget) -> Self {
        let mut machine = Machine::new(code, Config { lone_fuel: 4_000_000, ..Config::new(options.properties) });
        machine.budget = Some(budget.clone());
        machine.events = (reading == Reading::Events).then(Vec::new);
        Self {
            machine,
            choices: GuidedChoices { given: Vec::new(), unsaid },
            reading,
            options: *options,
            budget: budget.clone(),
            threads: BTreeMap::from([(WitnessThread(0), ThreadId::MAIN)]),
            last: ThreadId::MAIN,
            taken: Vec::new(),
            unmatched: BTreeMap::new(),
        }
    }

    fn finds_violation(&mut self, waypoints: &[Waypoint]) -> bool {
        let mut end = self.machine.start(&mut self.choices).or_else(|| self.wrong_state());
        self.note_events();
        let mut inputs = inputs_by_thread(waypoints);
        for (index, waypoint) in waypoints.iter().enumerate() {
            if end.is_some() || self.budget.check().is_err() {
                break;
            }
            if self.reading != Reading::Events {
                end = self.pass(waypoint);
                continue;
            }
            let own = inputs.entry(waypoint.thread).or_default();
            std::mem::swap(own, &mut self.choices.given);
            end = self.pass_event(waypoint, &waypoints[index + 1..]);
            std::mem::swap(own, &mut self.choices.given);
        }
        self.choices.given.clear();
        matches!(end.or_else(|| self.go_on()), Some(End::Violated(_)))
    }

    /// Passes a waypoint, or leaves it out if its thread cannot go there.
    fn pass(&mut self, waypoint: &Waypoint) -> Option<End> {
        let thread = self.thread_of(waypoint)?;
        self.last = thread;
        let known = self.machine.thread_count();
        self.choices.given = waypoint.inputs.iter().rev().map(|&value| value as u64).collect();
        let end = match (self.reading, waypoint.line) {
            (Reading::Steps, Some(line)) if self.line_of(thread).is_some_and(|own| own != line) => None,
            (Reading::Steps, _) => self.over(thread),
            (_, Some(line)) => self.visit(thread, line),
            (_, None) => None,
        };
        if let Some(created) = waypoint.creates
            && self.machine.thread_count() > known
        {
            self.threads.insert(created, ThreadId(self.machine.thread_count() as u32 - 1));
        }
        end
    }

    /// Lets the thread of a waypoint go on until it has done something on the line, unless it has done so before, in an
    /// atomic section with what came earlier; and then as long as it stays on the line without a break. If the witness
    /// comes back to the same line of this thread later on, there is a break.
    fn pass_event(&mut self, waypoint: &Waypoint, rest: &[Waypoint]) -> Option<End> {
        let (thread, line) = (self.thread_of(waypoint)?, waypoint.line?);
        self.last = thread;
        let mut left = self.options.detour;
        while !self.matches(thread, line) {
            left = left.checked_sub(1)?;
            match self.step(thread) {
                Went::On => self.note_events(),
                Went::Nowhere => return None,
                Went::Over(end) => return Some(end),
            }
        }
        let comes_back =
            rest.iter().find(|next| next.thread == waypoint.thread).is_some_and(|next| next.line == Some(line));
        let first = self.machine.site_of(thread);
        while !comes_back && self.line_of(thread) == Some(line) {
            match self.step(thread) {
                Went::On => self.note_events(),
                Went::Nowhere => return None,
                Went::Over(end) => return Some(end),
            }
            self.matches_more(thread, line);
            if self.machine.site_of(thread) == first {
                break;
            }
        }
        None
    }

    /// Whether the thread has done something on the line that no waypoint has told of yet. What it did before that was left
    /// out by the witness.
    fn matches(&mut self, thread: ThreadId, line: u32) -> bool {
        let unmatched = self.unmatched.entry(thread).or_default();
        while let Some(told) = unmatched.pop_front() {
            if told.line == line {
                self.matches_more(thread, line);
                return true;
            }
        }
        false
    }

    /// What else the thread did there is told by the same waypoint, unless it has one of its own.
    fn matches_more(&mut self, thread: ThreadId, line: u32) {
        let unmatched = self.unmatched.entry(thread).or_default();
        while unmatched.front() == Some(&Told { line, alone: false }) {
            unmatched.pop_front();
        }
    }

    fn note_events(&mut self) {
        for event in self.machine.events.iter_mut().flat_map(|events| events.drain(..)) {
            if event.span.is_known() {
                let alone = matches!(event.kind, TraceEventKind::Input { .. } | TraceEventKind::Spawn { .. });
                let told = Told { line: event.span.line, alone };
                self.unmatched.entry(event.thread).or_default().push_back(told);
            }
        }
    }

    /// The thread that a waypoint means. One that was never said to be created has the number that it is called by, or is
    /// the first that nobody else is.
    fn thread_of(&mut self, waypoint: &Waypoint) -> Option<ThreadId> {
        let Some(name) = waypoint.thread else { return Some(self.last) };
        if let Some(&thread) = self.threads.get(&name) {
            return Some(thread);
        }
        let own_number = std::iter::once(ThreadId(name.0)).filter(|own| (own.0 as usize) < self.machine.thread_count());
        let all = (0..self.machine.thread_count() as u32).map(ThreadId);
        let free = own_number.chain(all).find(|thread| !self.threads.values().any(|other| other == thread))?;
        self.threads.insert(name, free);
        Some(free)
    }

    /// Lets `thread` run to the line and until it leaves it or comes back to where it came in. If it never gets there,
    /// nothing has happened.
    fn visit(&mut self, thread: ThreadId, line: u32) -> Option<End> {
        let before = self.machine.state.clone();
        let marks = (self.taken.len(), self.machine.record.choices.len(), self.machine.record.memory.len());
        let mut left = self.options.detour;
        while self.line_of(thread) != Some(line) {
            left = left.saturating_sub(1);
            match if left == 0 { Went::Nowhere } else { self.step(thread) } {
                Went::On => {}
                Went::Over(end @ End::Violated(_)) => return Some(end),
                Went::Nowhere | Went::Over(_) => {
                    self.machine.state = before;
                    self.taken.truncate(marks.0);
                    self.machine.record.choices.truncate(marks.1);
                    self.machine.record.memory.truncate(marks.2);
                    return None;
                }
            }
        }
        let first = self.machine.site_of(thread);
        loop {
            match self.step(thread) {
                Went::On if self.line_of(thread) == Some(line) && self.machine.site_of(thread) != first => {}
                Went::On | Went::Nowhere => return None,
                Went::Over(end) => return Some(end),
            }
        }
    }

    /// After the last waypoint: the thread that acted last runs as far as it can, then the others in turn.
    fn go_on(&mut self) -> Option<End> {
        let mut left = self.options.epilogue;
        loop {
            let (count, first) = (self.machine.thread_count() as u32, self.last.0);
            let mut anybody = false;
            for thread in (0..count).map(|offset| ThreadId((first + offset) % count)) {
                loop {
                    left = left.saturating_sub(1);
                    match if left == 0 { Went::Nowhere } else { self.step(thread) } {
                        Went::On => anybody = true,
                        Went::Nowhere => break,
                        Went::Over(end) => return Some(end),
                    }
                }
            }
            if !anybody || left == 0 {
                return None;
            }
        }
    }

    fn over(&mut self, thread: ThreadId) -> Option<End> {
        match self.step(thread) {
            Went::Over(end) => Some(end),
            Went::On | Went::Nowhere => None,
        }
    }

    fn step(&mut self, thread: ThreadId) -> Went {
        if self.budget.check().is_err() {
            return Went::Nowhere;
        }
        let step = Step { thread, location: None };
        match self.machine.step(thread, &mut self.choices) {
            StepResult::Refused(_) => Went::Nowhere,
            StepResult::Over(end) => {
                self.taken.push(step);
                Went::Over(end)
            }
            StepResult::Taken => {
                self.taken.push(step);
                self.wrong_state().map_or(Went::On, Went::Over)
            }
        }
    }

    /// A deadlock, or memory that is lost: the state itself is wrong.
    fn wrong_state(&self) -> Option<End> {
        self.machine.violation_of_state().map(|violation| End::Violated(Box::new(violation)))
    }

    /// The line of the user's program on which a thread stands.
    fn line_of(&self, thread: ThreadId) -> Option<u32> {
        let code = self.machine.code();
        let span = code.span(self.machine.state.threads[thread.0 as usize].users_site(code));
        span.is_known().then_some(span.line)
    }
}

/// All inputs that a witness tells of each thread, the last one first.
fn inputs_by_thread(waypoints: &[Waypoint]) -> BTreeMap<Option<WitnessThread>, Vec<u64>> {
    let mut inputs: BTreeMap<Option<WitnessThread>, Vec<u64>> = BTreeMap::new();
    for waypoint in waypoints.iter().rev() {
        let own = inputs.entry(waypoint.thread).or_default();
        own.extend(waypoint.inputs.iter().rev().map(|&value| value as u64));
    }
    inputs
}

/// Where inputs come from that a witness does not say.
#[derive(Clone, Debug)]
enum Unsaid {
    Zero,
    Random(RandomChoices),
    /// Those of another execution, thread by thread.
    Known(ReplayedChoices),
}

impl ChoiceSource for Unsaid {
    fn choose(&mut self, thread: ThreadId, ask: Ask<'_>) -> u64 {
        match self {
            Unsaid::Zero => FixedChoices(0).choose(thread, ask),
            Unsaid::Random(random) => random.choose(thread, ask),
            Unsaid::Known(known) => known.choose(thread, ask),
        }
    }

    fn choose_address(&mut self, thread: ThreadId, alternatives: &[u64]) -> u64 {
        match self {
            Unsaid::Zero => 0,
            Unsaid::Random(random) => random.choose_address(thread, alternatives),
            Unsaid::Known(known) => known.choose_address(thread, alternatives),
        }
    }

    fn memory(&mut self, object: ObjectName, offset: u64, length: u64) -> Vec<u8> {
        match self {
            Unsaid::Zero => FixedChoices(0).memory(object, offset, length),
            Unsaid::Random(random) => random.memory(object, offset, length),
            Unsaid::Known(known) => known.memory(object, offset, length),
        }
    }
}

/// What the waypoint says, then where else inputs come from.
struct GuidedChoices {
    /// The last one comes first.
    given: Vec<u64>,
    unsaid: Unsaid,
}

impl ChoiceSource for GuidedChoices {
    fn choose(&mut self, thread: ThreadId, ask: Ask<'_>) -> u64 {
        // Asked in any case, so that what comes next for this thread is still what comes next.
        let unsaid = self.unsaid.choose(thread, ask);
        match ask {
            Ask::Input(Type::Int(bits)) => self.given.pop().map_or(unsaid, |value| value & mask(bits)),
            _ => unsaid,
        }
    }

    fn choose_address(&mut self, thread: ThreadId, alternatives: &[u64]) -> u64 {
        self.unsaid.choose_address(thread, alternatives)
    }

    fn memory(&mut self, object: ObjectName, offset: u64, length: u64) -> Vec<u8> {
        self.unsaid.memory(object, offset, length)
    }
}

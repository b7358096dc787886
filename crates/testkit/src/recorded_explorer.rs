//! The exhaustive explorer, restricted to what a prediction looks at: executions in which every thread does a prefix of
//! its recorded instructions, with the recorded inputs. Works on the program itself, with the interpreter, and knows
//! nothing of trace programs.
//!
//! A thread that would do something else stops there; in an atomic section it does not enter the section. A failing
//! assertion belongs to the branch before it, if nothing but pure computation lies between.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use execute::{Ask, ChoiceSource, Code, Config, End, ExecState, Machine, ThreadStatus};
use predict::atomicity::Transaction;
use predict::memory_access::ByteAccess;
use predict::path::{Misfit, PathStep, path};
use predict::recording::{Decision, Recording};
use predict::stepper::{Stepped, Stepper, Watcher};
use program::{
    At, InstructionKind, Location, ObjectName, Program, Property, PropertySet, TerminatorKind, ThreadId, Visibility,
};
use rustc_hash::FxHashSet;

use crate::interruptions::{InterruptionAccess, Interruptions};

/// What all reorderings of a recording show.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reorderings {
    /// Where the property is violated.
    pub violations: BTreeSet<Location>,
    pub states: u64,
    /// Whether all states were seen, and no execution ended in something unsupported.
    pub complete: bool,
}

/// What to look at, and how far to go.
#[derive(Clone, Debug, Default)]
pub struct ExplorerExtent {
    pub max_states: u64,
    /// For the property `atomicity`: what is meant to be atomic.
    pub transactions: Vec<Transaction>,
}

/// Visits every state that reorderings reach.
pub fn explore_reorderings(
    program: &Program,
    visibility: &Visibility,
    recording: &Recording,
    property: Property,
    extent: ExplorerExtent,
) -> Result<Reorderings, Misfit> {
    let paths: Result<Vec<_>, _> = recording.threads.iter().map(|record| path(program, record)).collect();
    let Ok(code) = Code::new(program, visibility) else { return Ok(Reorderings::default()) };
    let config = Config::new(PropertySet::of(&[property]));
    let mut explorer = Explorer {
        code: &code,
        config,
        paths: Rc::new(paths?),
        visibility,
        extent: &extent,
        seen: FxHashSet::default(),
        open: Vec::new(),
        found: Reorderings { complete: true, ..Reorderings::default() },
    };
    explorer.start();
    while let Some(node) = explorer.open.pop() {
        if explorer.found.states > extent.max_states {
            explorer.found.complete = false;
            break;
        }
        explorer.expand(&node);
    }
    Ok(explorer.found)
}

/// A state, and how far each thread is.
#[derive(Clone)]
struct ExplorerNode {
    state: ExecState,
    places: Vec<ExplorerPlace>,
    interruptions: Interruptions,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ExplorerPlace {
    /// Which recorded thread it is.
    recorded: ThreadId,
    /// How many instructions it has executed.
    done: usize,
}

struct Explorer<'c> {
    code: &'c Code<'c>,
    config: Config,
    paths: Rc<Vec<Vec<PathStep>>>,
    visibility: &'c Visibility,
    extent: &'c ExplorerExtent,
    seen: FxHashSet<(u128, Vec<ExplorerPlace>, Interruptions)>,
    open: Vec<ExplorerNode>,
    found: Reorderings,
}

impl<'c> Explorer<'c> {
    fn start(&mut self) {
        let machine = Machine::new(self.code, self.config);
        let places = vec![ExplorerPlace { recorded: ThreadId::MAIN, done: 0 }];
        let interruptions = Interruptions::default();
        let node = ExplorerNode { state: machine.state, places, interruptions };
        self.try_all(&node, |stepper, choices, watch| match stepper.start(choices, watch) {
            Some(end) => Stepped::Over(end),
            None => Stepped::Taken,
        });
    }

    fn expand(&mut self, node: &ExplorerNode) {
        let machine = Machine::at(self.code, self.config, node.state.clone());
        if let Some(deadlock) = machine.find_deadlock(&machine.standings()) {
            self.found.violations.insert(deadlock.location);
            return;
        }
        for thread in 0..node.places.len() {
            let thread = ThreadId(thread as u32);
            self.try_all(node, |stepper, choices, watch| stepper.step(thread, choices, watch));
        }
    }

    /// Takes a step with every combination of choices.
    fn try_all(
        &mut self,
        node: &ExplorerNode,
        step: impl Fn(&mut Stepper<'c>, &mut dyn ChoiceSource, &mut dyn Watcher) -> Stepped,
    ) {
        let mut scripts: Vec<Vec<u64>> = vec![Vec::new()];
        while let Some(script) = scripts.pop() {
            let mut stepper = Stepper::at(self.code, self.config, node.state.clone());
            let mut watch = RecordWatch::new(self, node);
            let given = script.len();
            let inputs = watch.next_input.clone();
            let mut choices = Script { given: script, taken: 0, others: Vec::new(), input: inputs, made_up: false };
            let result = step(&mut stepper, &mut choices, &mut watch);
            let Script { given: made, others, made_up, .. } = choices;
            // Memory that nobody wrote holds anything, not only what is tried here.
            self.found.complete &= !made_up;
            for (index, alternatives) in others.into_iter().enumerate() {
                for other in alternatives.into_iter().skip(1) {
                    let mut script = made[..given + index].to_vec();
                    script.push(other);
                    scripts.push(script);
                }
            }
            self.settle(result, stepper, watch);
        }
    }

    fn settle(&mut self, result: Stepped, stepper: Stepper<'c>, watch: RecordWatch<'_>) {
        if !watch.is_impossible && !matches!(result, Stepped::Refused) {
            self.found.violations.extend(&watch.interrupted);
        }
        match result {
            _ if watch.is_impossible => {}
            Stepped::Refused => {}
            Stepped::Over(End::Violated(violation)) => {
                if watch.violation_counts() {
                    self.found.violations.insert(violation.location);
                }
            }
            Stepped::Over(End::Unsupported { .. } | End::Stopped(_)) => self.found.complete = false,
            Stepped::Over(_) => {}
            Stepped::Taken => {
                let mut state = stepper.machine.state;
                for (thread, place) in watch.places.iter().enumerate() {
                    let strays = watch.strayed.get(thread).copied().unwrap_or(false);
                    let live = state.threads[thread].status == ThreadStatus::Live;
                    let path = &self.paths[place.recorded.0 as usize];
                    let next = self.code.location(state.threads[thread].site());
                    let ends = path.get(place.done).is_none_or(|step| step.location != next);
                    // What has strayed may have come to its end already, which nobody may see.
                    if strays || (live && ends) {
                        Rc::make_mut(&mut state.threads[thread]).status = ThreadStatus::Stopped;
                    }
                }
                let (hash, interruptions) = (execute::state_hash(self.code, &state, false), watch.interruptions);
                if self.seen.insert((hash, watch.places.clone(), interruptions.clone())) {
                    self.found.states += 1;
                    self.open.push(ExplorerNode { state, places: watch.places, interruptions });
                }
            }
        }
    }
}

/// Compares what is executed with the record.
struct RecordWatch<'a> {
    program: &'a Program,
    paths: Rc<Vec<Vec<PathStep>>>,
    places: Vec<ExplorerPlace>,
    /// By thread: has left its record.
    strayed: Vec<bool>,
    /// Since it strayed, a thread has only computed.
    only_computed: bool,
    /// The last thread that was about to execute something had strayed then.
    strays_now: bool,
    is_first: bool,
    /// The step cannot be part of a reordering.
    is_impossible: bool,
    next_input: Rc<Cell<u64>>,
    visibility: &'a Visibility,
    transactions: &'a [Transaction],
    interruptions: Interruptions,
    /// What the instruction accesses that is about to be executed.
    accessed: Option<ByteAccess>,
    /// Where transactions turned out to be interrupted.
    interrupted: Vec<Location>,
}

impl<'a> RecordWatch<'a> {
    fn new(explorer: &Explorer<'a>, node: &ExplorerNode) -> Self {
        Self {
            program: explorer.code.program,
            paths: explorer.paths.clone(),
            places: node.places.clone(),
            strayed: vec![false; node.places.len()],
            visibility: explorer.visibility,
            transactions: &explorer.extent.transactions,
            interruptions: node.interruptions.clone(),
            accessed: None,
            interrupted: Vec::new(),
            only_computed: true,
            strays_now: false,
            is_first: true,
            is_impossible: false,
            next_input: Default::default(),
        }
    }

    fn violation_counts(&self) -> bool {
        !self.strays_now || self.only_computed
    }

    /// Whether the thread stands at `location` because its last branch has gone where it did not go in the run. Nothing
    /// follows the end of the record, not even a failure.
    fn has_branched_otherwise(&self, thread: usize, location: Location) -> bool {
        let place = self.places[thread];
        let Some(last) = place.done.checked_sub(1) else { return false };
        let last = self.paths[place.recorded.0 as usize][last];
        let is_branch = matches!(self.program.at(last.location), At::Terminator(t) if matches!(t.kind, TerminatorKind::Branch { .. }));
        is_branch && last.decision != Some(Decision::Jump(location.block))
    }

    fn expected(&self, thread: usize) -> Option<PathStep> {
        let place = self.places[thread];
        self.paths[place.recorded.0 as usize].get(place.done).copied()
    }
}

impl Watcher for RecordWatch<'_> {
    fn before(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location) {
        let index = thread.0 as usize;
        let expected = self.expected(index);
        if expected.is_none_or(|step| step.location != location) && !self.strayed[index] {
            self.strayed[index] = true;
            let is_after_branch = self.has_branched_otherwise(index, location);
            self.only_computed = is_after_branch;
            self.is_impossible |= self.is_first || machine.state.threads[index].section > 0 && !is_after_branch;
        }
        if self.strayed[index] && !is_pure(self.program.at(location)) {
            self.only_computed = false;
        }
        self.strays_now = self.strayed[index];
        if self.strays_now && machine.state.threads[index].section > 0 && !self.only_computed {
            self.is_impossible = true;
        }
        self.is_first = false;
        let is_watched = !self.transactions.is_empty() && self.visibility.is_visible(location);
        self.accessed = is_watched.then(|| ByteAccess::next_of(machine, thread)).flatten();
        if let Some(PathStep { decision: Some(Decision::Value(bits)), .. }) = expected {
            self.next_input.set(bits);
        }
    }

    fn after(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location) {
        let index = thread.0 as usize;
        if let Some(memory) = self.accessed.take().filter(|_| !self.strayed[index]) {
            let ExplorerPlace { recorded, done } = self.places[index];
            let access = InterruptionAccess { thread: recorded.0, index: done as u32, memory };
            self.interrupted.extend(self.interruptions.note(access, location, self.transactions));
        }
        let child = match self.expected(index) {
            Some(PathStep { decision: Some(Decision::Child(child)), .. }) => Some(child),
            _ => None,
        };
        if !self.strayed[index] {
            self.places[index].done += 1;
        }
        while self.places.len() < machine.thread_count() {
            self.places.push(ExplorerPlace { recorded: child.unwrap_or(ThreadId::MAIN), done: 0 });
            self.strayed.push(false);
        }
    }
}

fn is_pure(at: At<'_>) -> bool {
    match at {
        At::Instruction(instruction) => matches!(
            instruction.kind,
            InstructionKind::Assign { .. } | InstructionKind::Assert { .. } | InstructionKind::Call { .. }
        ),
        At::Terminator(terminator) => matches!(terminator.kind, TerminatorKind::Goto(_)),
    }
}

/// Choices that were decided before, the first alternative after that.
struct Script {
    given: Vec<u64>,
    taken: usize,
    /// The alternatives of each choice beyond the given ones.
    others: Vec<Vec<u64>>,
    input: Rc<Cell<u64>>,
    /// Memory was read that nobody wrote.
    made_up: bool,
}

impl ChoiceSource for Script {
    fn choose(&mut self, _: ThreadId, ask: Ask<'_>) -> u64 {
        let Ask::OneOf(values) = ask else { return self.input.get() };
        if self.taken == self.given.len() {
            self.given.push(values[0]);
            self.others.push(values.to_vec());
        }
        self.taken += 1;
        self.given[self.taken - 1]
    }

    fn memory(&mut self, _: ObjectName, _: u64, length: u64) -> Vec<u8> {
        self.made_up = true;
        vec![0; length as usize]
    }
}

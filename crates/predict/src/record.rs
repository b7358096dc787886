//! Recording in the interpreter: the run is made at full speed, then made again instruction by instruction.

use base::Budget;
use execute::{ChoiceSource, Code, End, Machine, ReplayedChoices, RunOptions, Scheduler, ThreadStatus};
use program::{Analyses, At, Location, Program, PropertySet, ThreadId};

use crate::places::{InstructionPlaces, PlaceName, given_to, made_by, places_before};
use crate::recording::{
    Decision, DecisionKind, Recording, ThreadRecord, can_be_pending, decision_kind, value_register,
};
use crate::stepper::{Stepped, Stepper, Watcher};

/// A recording and how the run ended.
#[derive(Debug)]
pub struct Recorded {
    pub recording: Recording,
    pub end: End,
    pub output: Vec<u8>,
}

/// Runs `program` once. Nothing is a violation yet: a failed assertion only ends the process.
pub fn record(
    analyses: &Analyses<'_>,
    scheduler: &mut dyn Scheduler,
    choices: &mut dyn ChoiceSource,
    max_steps: Option<u64>,
    budget: &Budget,
) -> Result<Recorded, End> {
    let options = RunOptions { max_steps, record: true, ..RunOptions::new(PropertySet::EMPTY) };
    let program = analyses.program;
    let code = Code::of(analyses).map_err(|_| too_large())?;
    let run = execute::run_code(&code, &options, scheduler, choices, budget);
    let mut recorder = RunRecorder { program, recording: Recording::default(), places: None };
    let mut stepper = Stepper::new(&code, options.config);
    // No part of the run is longer than the whole.
    stepper.fuel = run.instructions.max(1);
    let mut choices = ReplayedChoices::new(&run.schedule.choices);
    recorder.recording.threads.push(ThreadRecord::new(program.entry));
    recorder.recording.places.push(Vec::new());
    let mut over = stepper.start(&mut choices, &mut recorder);
    for (index, step) in run.schedule.steps.iter().enumerate() {
        if over.is_some() || (index.is_multiple_of(1024) && budget.check().is_err()) {
            break;
        }
        recorder.note_step(step.thread);
        match stepper.step(step.thread, &mut choices, &mut recorder) {
            Stepped::Taken => {}
            Stepped::Refused => unreachable!("a step that was taken should be taken again"),
            Stepped::Over(end) => over = Some(end),
        }
    }
    recorder.note_pending(&stepper.machine);
    Ok(Recorded { recording: recorder.recording, end: run.end, output: run.output })
}

fn too_large() -> End {
    End::Unsupported { what: "globals larger than the address space".to_owned(), span: base::Span::UNKNOWN }
}

impl ThreadRecord {
    pub fn new(function: program::FunctionId) -> Self {
        Self { function, instructions: 0, pending: false, decisions: Vec::new() }
    }
}

struct RunRecorder<'a> {
    program: &'a Program,
    recording: Recording,
    /// Of the instruction that is being executed.
    places: Option<Vec<Option<PlaceName>>>,
}

impl RunRecorder<'_> {
    fn note_step(&mut self, thread: ThreadId) {
        match self.recording.order.last_mut() {
            Some((last, count)) if *last == thread => *count += 1,
            _ => self.recording.order.push((thread, 1)),
        }
    }

    fn note_pending(&mut self, machine: &Machine<'_>) {
        for (index, record) in self.recording.threads.iter_mut().enumerate() {
            let thread = &machine.state.threads[index];
            let at = || self.program.at(machine.code().location(thread.site()));
            record.pending =
                thread.status == ThreadStatus::Live && thread.section == 0 && can_be_pending(self.program, at());
        }
    }

    fn note_places(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location) {
        let At::Instruction(instruction) = self.program.at(location) else { return };
        let places = self.places.take();
        let made = made_by(machine, thread, &instruction.kind);
        let given = given_to(machine, thread, &instruction.kind);
        if places.is_some() || made.is_some() || given.is_some() {
            let index = self.recording.threads[thread.0 as usize].instructions;
            let places = places.unwrap_or_default();
            self.recording.places[thread.0 as usize].push(InstructionPlaces { index, places, made, given });
        }
    }

    fn decision(&self, machine: &Machine<'_>, thread: ThreadId, location: Location) -> Option<Decision> {
        let at = self.program.at(location);
        let state = &machine.state.threads[thread.0 as usize];
        Some(match (decision_kind(at)?, at) {
            (DecisionKind::Jump, _) => Decision::Jump(machine.code().location(state.site()).block),
            (DecisionKind::Callee, _) => Decision::Callee(machine.code().location(state.site()).function),
            (DecisionKind::Child, _) => Decision::Child(ThreadId(machine.thread_count() as u32 - 1)),
            (DecisionKind::Value, At::Instruction(instruction)) => {
                let register = value_register(&instruction.kind)?;
                Decision::Value(state.register(register.0).bits)
            }
            (DecisionKind::Value, At::Terminator(_)) => return None,
        })
    }
}

impl Watcher for RunRecorder<'_> {
    fn before(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location) {
        self.places = match self.program.at(location) {
            At::Instruction(instruction) => places_before(machine, thread, &instruction.kind),
            At::Terminator(_) => None,
        };
    }

    fn after(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location) {
        self.note_places(machine, thread, location);
        let decision = self.decision(machine, thread, location);
        if let Some(Decision::Child(child)) = decision {
            let state = &machine.state.threads[child.0 as usize];
            self.recording.threads.push(ThreadRecord::new(machine.code().location(state.site()).function));
            self.recording.places.push(Vec::new());
        }
        let record = &mut self.recording.threads[thread.0 as usize];
        record.instructions += 1;
        record.decisions.extend(decision);
    }
}

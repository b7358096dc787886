//! From an execution of the trace program to one of the program: the interpreter of the trace program says how many
//! recorded instructions each step got through, and the program is run so far, step by step. Then the interpreter judges.

use engines::EngineBug;
use engines::confirm::{Replayed, confirm};
use execute::{Ask, ChoiceSource, Code, Config, End, Machine, ReplayedChoices};
use program::{Analyses, Location, ObjectName, Property, PropertySet, Schedule, Step, ThreadId};

use crate::stepper::{Nobody, Stepped, Stepper, Watcher};
use crate::trace_program::TraceProgram;

/// How far the threads get, in the order in which they do.
pub struct ThreadProgress {
    /// A thread of the execution, and how many of the recorded instructions it has executed then.
    pub steps: Vec<(ThreadId, u32)>,
    /// For each thread of the execution, the recorded one.
    pub recorded: Vec<ThreadId>,
    /// The inputs of each thread of the execution, in their order.
    pub inputs: Vec<Vec<u64>>,
}

/// Replays a violation of the trace program in the program that was recorded.
pub fn replay_in_program(
    analyses: &Analyses<'_>,
    trace: &TraceProgram,
    schedule: &Schedule,
    property: Property,
) -> Result<Replayed, EngineBug> {
    let progress = progress(trace, schedule, property)?;
    let translated = translate(analyses, schedule, &progress, property, &mut Nobody)?;
    confirm(analyses, &translated.schedule, property)
}

/// An execution of the program that was recorded.
pub struct Translated {
    pub schedule: Schedule,
    pub events: Vec<program::TraceEvent>,
    /// How it ended, if it did.
    pub end: Option<End>,
}

/// What a schedule of the trace program does, in recorded instructions.
pub fn progress(trace: &TraceProgram, schedule: &Schedule, property: Property) -> Result<ThreadProgress, EngineBug> {
    let code = decoded(&Analyses::new(&trace.program))?;
    let mut counter =
        RecordedInstructionCounter { trace, tried: 0, reached: Vec::new(), recorded: Vec::new(), inputs: Vec::new() };
    let mut choices = ReplayedChoices::new(&schedule.choices);
    let mut stepper = Stepper::new(&code, Config::new(PropertySet::of(&[property])));
    let mut steps = Vec::new();
    let mut over = stepper.start(&mut choices, &mut counter).is_some();
    for step in &schedule.steps {
        if over {
            break;
        }
        let reached = match stepper.step(step.thread, &mut choices, &mut counter) {
            Stepped::Taken => counter.reached(step.thread),
            Stepped::Over(_) => {
                over = true;
                // The instruction that it ran into was not executed.
                counter.tried
            }
            Stepped::Refused => return Err(EngineBug("a schedule of the trace program does not replay".to_owned())),
        };
        steps.push((step.thread, reached));
    }
    Ok(ThreadProgress { steps, recorded: counter.recorded, inputs: counter.inputs })
}

/// The same execution of the program. `watcher` sees it.
pub fn translate(
    analyses: &Analyses<'_>,
    schedule: &Schedule,
    progress: &ThreadProgress,
    property: Property,
    watcher: &mut dyn Watcher,
) -> Result<Translated, EngineBug> {
    let code = decoded(analyses)?;
    let mut choices = RecordedInputs {
        inputs: progress.inputs.iter().map(|inputs| inputs.clone().into_iter()).collect(),
        others: ReplayedChoices::new(&schedule.choices),
    };
    let mut counting = InstructionCounter { executed: Vec::new(), watcher };
    let mut stepper = Stepper::new(&code, Config::new(PropertySet::of(&[property])));
    stepper.machine.events = Some(Vec::new());
    let mut steps: Vec<Step> = Vec::new();
    let mut end = stepper.start(&mut choices, &mut counting);
    'all: for &(thread, count) in &progress.steps {
        while end.is_none() && counting.of(thread) < count {
            if thread.0 as usize >= stepper.machine.thread_count() {
                break 'all;
            }
            stepper.machine.step_number = steps.len();
            match stepper.step(thread, &mut choices, &mut counting) {
                Stepped::Refused => break 'all,
                Stepped::Taken => {}
                Stepped::Over(over) => end = Some(over),
            }
            steps.push(Step { thread, location: None });
        }
    }
    let events = stepper.machine.events.take().unwrap_or_default();
    let schedule = Schedule { steps, choices: stepper.machine.record.to_choices() };
    Ok(Translated { schedule, events, end })
}

fn decoded<'p>(analyses: &Analyses<'p>) -> Result<Code<'p>, EngineBug> {
    Code::of(analyses).map_err(|_| EngineBug("a program that ran has too large globals".to_owned()))
}

/// Counts recorded instructions in a run of the trace program.
struct RecordedInstructionCounter<'a> {
    trace: &'a TraceProgram,
    /// How many instructions of its thread are executed when the last one that was tried is.
    tried: u32,
    reached: Vec<u32>,
    recorded: Vec<ThreadId>,
    inputs: Vec<Vec<u64>>,
}

impl RecordedInstructionCounter<'_> {
    fn reached(&self, thread: ThreadId) -> u32 {
        self.reached.get(thread.0 as usize).copied().unwrap_or(0)
    }
}

impl Watcher for RecordedInstructionCounter<'_> {
    fn before(&mut self, _: &Machine<'_>, thread: ThreadId, location: Location) {
        let weight = self.trace.origin(location).map_or(0, |origin| origin.weight);
        self.tried = self.reached(thread) + weight;
    }

    fn after(&mut self, _: &Machine<'_>, thread: ThreadId, location: Location) {
        let Some(origin) = self.trace.origin(location) else { return };
        let index = thread.0 as usize;
        if self.reached.len() <= index {
            self.reached.resize(index + 1, 0);
            self.recorded.resize(index + 1, origin.thread);
            self.inputs.resize(index + 1, Vec::new());
        }
        self.recorded[index] = origin.thread;
        self.reached[index] += origin.weight;
        self.inputs[index].extend(self.trace.input(location));
    }
}

/// Counts instructions in a run of the program.
struct InstructionCounter<'a> {
    executed: Vec<u32>,
    watcher: &'a mut dyn Watcher,
}

impl InstructionCounter<'_> {
    fn of(&self, thread: ThreadId) -> u32 {
        self.executed.get(thread.0 as usize).copied().unwrap_or(0)
    }
}

impl Watcher for InstructionCounter<'_> {
    fn before(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location) {
        self.watcher.before(machine, thread, location);
    }

    fn after(&mut self, machine: &Machine<'_>, thread: ThreadId, location: Location) {
        let index = thread.0 as usize;
        if self.executed.len() <= index {
            self.executed.resize(index + 1, 0);
        }
        self.executed[index] += 1;
        self.watcher.after(machine, thread, location);
    }
}

/// Inputs as they were recorded, everything else as the schedule says.
struct RecordedInputs {
    inputs: Vec<std::vec::IntoIter<u64>>,
    others: ReplayedChoices,
}

impl ChoiceSource for RecordedInputs {
    fn choose(&mut self, thread: ThreadId, ask: Ask<'_>) -> u64 {
        let scheduled = self.others.choose(thread, ask);
        let Ask::Input(_) = ask else { return scheduled };
        self.inputs.get_mut(thread.0 as usize).and_then(Iterator::next).unwrap_or(0)
    }

    fn choose_address(&mut self, thread: ThreadId, alternatives: &[u64]) -> u64 {
        self.others.choose_address(thread, alternatives)
    }

    fn memory(&mut self, object: ObjectName, offset: u64, length: u64) -> Vec<u8> {
        self.others.memory(object, offset, length)
    }
}

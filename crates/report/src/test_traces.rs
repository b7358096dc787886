//! Small programs and traces for the tests of this crate.

use base::{FileId, Span};
use program::{
    BlockId, Function, FunctionId, Location, Program, Property, RacingAccess, Schedule, Step, ThreadId, Trace,
    TraceEvent, TraceEventKind, Violation,
};

const SOURCE: &str = "\
int x;
void *add(void *p) { x++; return 0; }
int main(void) {
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(x == 2);
}
";

/// Function 0 is the user's, function 1 is built in.
fn program() -> Program {
    let mut program = Program::default();
    let file = program.files.intern("lost.c");
    program.files.set_text(file, SOURCE.into());
    for built_in in [false, true] {
        program.functions.push(Function {
            name: "f".to_owned(),
            parameters: Vec::new(),
            result: None,
            variadic: false,
            registers: Default::default(),
            locals: Default::default(),
            blocks: Default::default(),
            built_in,
            span: Span::UNKNOWN,
        });
    }
    program
}

fn at(line: u32) -> Span {
    Span { file: FileId::nth(0), line, column: 5, length: 6 }
}

fn event(step: usize, thread: u32, function: u32, line: u32, kind: TraceEventKind) -> TraceEvent {
    let location = Location { function: FunctionId(function), block: BlockId(0), index: line };
    TraceEvent { step, thread: ThreadId(thread), location, span: at(line), kind }
}

fn reads(value: &str) -> TraceEventKind {
    TraceEventKind::Read { place: "x".to_owned(), value: value.to_owned() }
}

fn writes(value: &str) -> TraceEventKind {
    TraceEventKind::Write { place: "x".to_owned(), value: value.to_owned() }
}

fn starts(child: u32) -> TraceEventKind {
    TraceEventKind::Spawn { child: ThreadId(child), function: "add".to_owned() }
}

fn trace(mut events: Vec<TraceEvent>) -> Trace {
    let message = "assertion failed: x == 2".to_owned();
    let last = event(events.len(), 0, 0, 7, TraceEventKind::Violated { message: message.clone() });
    let location = last.location;
    events.push(last);
    let steps = events.iter().map(|event| Step { thread: event.thread, location: Some(event.location) }).collect();
    let violation = Violation {
        property: Property::Assert,
        thread: ThreadId::MAIN,
        location,
        span: at(7),
        message,
        related: Vec::new(),
        waiting: Vec::new(),
        race: None,
    };
    Trace { schedule: Schedule { steps, ..Schedule::default() }, events, violation, states: Vec::new() }
}

pub fn lost_update() -> (Program, Trace) {
    let events = vec![
        event(0, 0, 0, 4, starts(1)),
        event(1, 0, 0, 5, starts(2)),
        event(2, 1, 0, 2, reads("0")),
        event(3, 2, 0, 2, reads("0")),
        event(4, 2, 0, 2, writes("1")),
        event(5, 1, 0, 2, writes("1")),
        // What a library model does is not shown.
        event(6, 1, 1, 1, writes("77")),
        event(7, 2, 0, 2, TraceEventKind::ThreadEnd),
        event(8, 0, 0, 7, reads("1")),
    ];
    (program(), trace(events))
}

pub fn many_threads(threads: u32) -> (Program, Trace) {
    let spawns = (1..=threads).map(|thread| event(thread as usize, 0, 0, 4, starts(thread)));
    let reads = (1..=threads).map(|thread| event((threads + thread) as usize, thread, 0, 2, reads("0")));
    (program(), trace(spawns.chain(reads).collect()))
}

pub fn long_trace(steps: usize) -> (Program, Trace) {
    let alternate = |step: usize| event(step, step as u32 % 2, 0, 2, writes(&step.to_string()));
    (program(), trace((0..steps).map(alternate).collect()))
}

/// A race between two threads, the first of which holds a lock.
pub fn race() -> (Program, Trace) {
    let (program, mut trace) = lost_update();
    let access = |thread, access, protection: &str| RacingAccess {
        thread: ThreadId(thread),
        span: at(2),
        access,
        place: "x".to_owned(),
        protection: protection.to_owned(),
    };
    trace.violation.property = Property::NoDataRace;
    trace.violation.thread = ThreadId(1);
    trace.violation.span = at(2);
    trace.violation.race =
        Some(Box::new([access(1, "write", "holding mutex m"), access(2, "read", "holding no lock")]));
    trace.violation.related = vec![(ThreadId(2), at(2), "reads x = 0".to_owned())];
    (program, trace)
}

/// Two threads that have something to do with each other only at the beginning and at the end.
pub fn private_work(steps: usize) -> (Program, Trace) {
    let private = |step: usize| {
        let kind = TraceEventKind::Write { place: format!("own[{step}]"), value: "1".to_owned() };
        event(step, 0, 0, 1 + step as u32 % 2, kind)
    };
    let mut events = vec![event(0, 0, 0, 4, starts(1))];
    events.extend((1..steps).map(private));
    events.push(event(steps, 1, 0, 2, writes("7")));
    events.push(event(steps, 0, 0, 6, reads("7")));
    (program(), trace(events))
}

//! What no execution reaches: an answer about assertions that are never evaluated, threads that are never started or a
//! program that never ends says less than it seems to.
//!
//! Some executions are tried first. For what they do not reach, the engine is asked with an assertion that fails there:
//! a violation, which is replayed, shows that the place is reached; an answer without one that it is not. Guarantee: what is
//! returned is certain; what could not be decided within the budget is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use base::{Budget, Span};
use execute::{Code, Coverage, End, RandomChoices, RandomScheduler, RoundRobin, RunOptions, Scheduler, run_covered};
use program::cfg::Cfg;
use program::points_to::PointsTo;
use program::{
    Analyses, Function, FunctionId, Instruction, InstructionKind, Location, Operand, Outcome, Program, Property,
    PropertySet, TerminatorKind,
};

use engines::{Engine, EngineBug, UnwindLimits};

use crate::driver::check_alone;
use crate::ledger::Report;

/// Something that an answer is worth little without.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Target {
    /// An assertion, or the condition of a call of `reach_error`, that is evaluated.
    Assertion,
    ThreadStart,
    /// The end of main, or another normal end of the process.
    End,
}

/// How much is certain about what is not reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Extent {
    /// By no execution at all.
    Never,
    /// By no execution within the bounds of the answers.
    WithinBounds,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unreached {
    pub target: Target,
    pub span: Span,
    pub extent: Extent,
}

/// Executions at most.
const RUNS: u64 = 40;
const STEPS_PER_RUN: u64 = 5_000;
/// No execution begins after so many instructions of all together.
const INSTRUCTIONS: u64 = 200_000;
/// The least time for questions to the engine, and of the time of the check the part that they may take.
const LEAST: Duration = Duration::from_millis(100);
const PART: u32 = 10;

/// Questions about single lines.
const LONGEST_FOR_LINES: Duration = Duration::from_secs(20);

/// The check whose answers are looked at.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub analyses: &'a Analyses<'a>,
    pub engine: &'a dyn Engine,
    pub unwind: UnwindLimits,
    pub budget: &'a Budget,
}

impl<'a> Question<'a> {
    /// The engine of the check, or the default if that one finds no violations.
    fn asked_engine(&self) -> &'a dyn Engine {
        let finds = engines::ENGINES.iter().any(|one| one.name() == self.engine.name());
        if finds { self.engine } else { engines::ENGINES[0] }
    }
}

/// What is certainly not reached of what the answers in `report`, which took so much time, are about.
pub fn unreached(question: &Question<'_>, report: &Report, elapsed: Duration) -> Result<Vec<Unreached>, EngineBug> {
    let mut open = targets(question.analyses.program, &wanted(report));
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let asked_for = question.unwind != UnwindLimits::default();
    let share = if asked_for { elapsed.max(LEAST * PART) } else { (elapsed / PART).max(LEAST) };
    let share = question.budget.remaining_time().map_or(share, |left| share.min(left));
    let budget = Budget { deadline: Instant::now().checked_add(share), ..question.budget.clone() };
    let question = &Question { budget: &budget, ..*question };
    if !is_bounded(report) {
        let reached = observed(question, |reached| open.iter().all(|target| target.is_reached(reached)));
        open.retain(|target| !target.is_reached(&reached));
    }
    let needs = most_rounds(report);
    let extent = decide(question, needs, &mut open)?;
    Ok(open
        .iter()
        .filter_map(|target| Some(Unreached { target: target.kind, span: target.span, extent: extent? }))
        .collect())
}

/// The lines of the program's functions that are reached, those that certainly are not, and those of which nothing is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineCoverage {
    /// A function that a thread begins with, and what it may call.
    pub function: String,
    pub reached: BTreeSet<(base::FileId, u32)>,
    pub never: BTreeSet<(base::FileId, u32)>,
    pub open: BTreeSet<(base::FileId, u32)>,
}

/// The coverage of lines within the bounds of the check, thread function by thread function.
pub fn lines(question: &Question<'_>, report: &Report) -> Result<Vec<LineCoverage>, EngineBug> {
    let program = question.analyses.program;
    let mut of_line: BTreeMap<(base::FileId, u32), Vec<Location>> = BTreeMap::new();
    for (id, function) in user_functions(program) {
        for location in function.locations(id) {
            let span = program.span(location);
            if span.is_known() {
                of_line.entry((span.file, span.line)).or_default().push(location);
            }
        }
    }
    let most = question.budget.remaining_time().map_or(LONGEST_FOR_LINES, |left| left.min(LONGEST_FOR_LINES));
    let budget = Budget { deadline: Instant::now().checked_add(most), ..question.budget.clone() };
    let question = &Question { budget: &budget, ..*question };
    let reached = if is_bounded(report) { BTreeSet::new() } else { observed(question, |_| false) };
    let kind = Target::Assertion;
    let place = |span: &(base::FileId, u32), locations: &[Location]| TargetPlace {
        kind,
        span: Span { file: span.0, line: span.1, column: 1, length: 1 },
        locations: locations.to_vec(),
    };
    let mut open: Vec<TargetPlace> = of_line.iter().map(|(line, locations)| place(line, locations)).collect();
    open.retain(|target| !target.is_reached(&reached));
    let decided = decide(question, most_rounds(report), &mut open)?.is_some();
    let missed: BTreeSet<_> = open.iter().map(|target| (target.span.file, target.span.line)).collect();
    let mut all = Vec::new();
    for (name, functions) in thread_functions(question.analyses) {
        let mut coverage = LineCoverage { function: name, ..LineCoverage::default() };
        for (line, locations) in &of_line {
            if !locations.iter().any(|location| functions.contains(&location.function)) {
                continue;
            }
            let set = match (missed.contains(line), decided) {
                (false, _) => &mut coverage.reached,
                (true, true) => &mut coverage.never,
                (true, false) => &mut coverage.open,
            };
            set.insert(*line);
        }
        all.push(coverage);
    }
    Ok(all)
}

/// Main and the functions that threads begin with, each with all that it may call.
fn thread_functions(analyses: &Analyses<'_>) -> Vec<(String, BTreeSet<FunctionId>)> {
    let (program, points_to) = (analyses.program, analyses.get::<PointsTo>());
    let callees = |location: Location, callee: program::Callee| match callee {
        program::Callee::Direct(function) => vec![function],
        program::Callee::Indirect(_) => points_to.callees(location).to_vec(),
    };
    let mut calls: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
    let mut starts = BTreeSet::from([program.entry]);
    for (id, function) in program.functions.iter_enumerated().filter(|(id, _)| points_to.is_reached(*id)) {
        for location in function.locations(id) {
            match program.at(location) {
                program::At::Instruction(Instruction { kind: InstructionKind::Call { callee, .. }, .. }) => {
                    calls.entry(id).or_default().extend(callees(location, *callee));
                }
                program::At::Instruction(Instruction { kind: InstructionKind::Spawn { function, .. }, .. }) => {
                    starts.extend(callees(location, *function));
                }
                _ => {}
            }
        }
    }
    let closure = |start: FunctionId| {
        let (mut seen, mut work) = (BTreeSet::new(), vec![start]);
        while let Some(function) = work.pop() {
            if seen.insert(function) {
                work.extend(calls.get(&function).into_iter().flatten());
            }
        }
        seen
    };
    let name = |start: FunctionId| match start == program.entry {
        true => "main".to_owned(),
        false => program.functions[start].name.clone(),
    };
    starts.into_iter().map(|start| (name(start), closure(start))).collect()
}

/// A target, and the locations one of which has to be reached.
struct TargetPlace {
    kind: Target,
    span: Span,
    locations: Vec<Location>,
}

impl TargetPlace {
    fn is_reached(&self, reached: &BTreeSet<Location>) -> bool {
        self.locations.iter().any(|location| reached.contains(location))
    }
}

/// What the answers make it worth asking about.
fn wanted(report: &Report) -> BTreeSet<Target> {
    let mut wanted = BTreeSet::new();
    for (property, outcome) in &report.outcomes {
        let asserted = matches!(property, Property::Assert | Property::UnreachCall);
        match outcome {
            Outcome::HoldsUpTo(_) => {
                wanted.extend([Target::ThreadStart, Target::End]);
                wanted.extend(asserted.then_some(Target::Assertion));
            }
            Outcome::Proved => wanted.extend(asserted.then_some(Target::Assertion)),
            // Whether there is an execution beside the violation.
            Outcome::Violated(_) => wanted.extend([Target::End]),
            Outcome::Unknown(_) => {}
        }
    }
    wanted
}

fn user_functions(program: &Program) -> impl Iterator<Item = (FunctionId, &Function)> {
    program.functions.iter_enumerated().filter(|(_, function)| !function.built_in)
}

fn targets(program: &Program, wanted: &BTreeSet<Target>) -> Vec<TargetPlace> {
    let mut found: BTreeMap<(Target, Span), Vec<Location>> = BTreeMap::new();
    for (id, function) in user_functions(program) {
        let cfg = Cfg::new(function);
        for (block, body) in function.blocks.iter_enumerated() {
            let at = |index: usize| Location { function: id, block, index: index as u32 };
            for (index, instruction) in body.instructions.iter().enumerate() {
                match &instruction.kind {
                    // What always fails is evaluated where it is decided whether to come here.
                    InstructionKind::Assert { condition: Operand::Int { value: 0, .. }, .. } => {
                        let deciding = cfg
                            .predecessors(block)
                            .iter()
                            .copied()
                            .filter(|&before| function.blocks[before].terminator.kind.successors().len() > 1);
                        let ends = deciding.map(|before| Location {
                            function: id,
                            block: before,
                            index: function.blocks[before].instructions.len() as u32,
                        });
                        let ends: Vec<Location> = ends.collect();
                        if !ends.is_empty() {
                            found.entry((Target::Assertion, instruction.span)).or_default().extend(ends);
                        }
                    }
                    InstructionKind::Assert { .. } => {
                        found.entry((Target::Assertion, instruction.span)).or_default().push(at(index));
                    }
                    InstructionKind::Spawn { .. } => {
                        found.entry((Target::ThreadStart, instruction.span)).or_default().push(at(index));
                    }
                    _ => {}
                }
            }
        }
    }
    let ends = ends(program);
    if !ends.is_empty() {
        found.insert((Target::End, main_span(program)), ends);
    }
    found.retain(|(target, _), _| wanted.contains(target));
    found.into_iter().map(|((kind, span), locations)| TargetPlace { kind, span, locations }).collect()
}

/// Where the process or the main thread ends by itself.
fn ends(program: &Program) -> Vec<Location> {
    let mut ends = Vec::new();
    for (id, function) in program.functions.iter_enumerated() {
        for (block, body) in function.blocks.iter_enumerated() {
            let normal = matches!(
                body.terminator.kind,
                TerminatorKind::ProcessExit { abnormal: false, .. } | TerminatorKind::ThreadExit(_)
            );
            if normal {
                ends.push(Location { function: id, block, index: body.instructions.len() as u32 });
            }
        }
    }
    ends
}

fn main_span(program: &Program) -> Span {
    program.function_named("main").map_or(Span::UNKNOWN, |main| program.functions[main].span)
}

/// What some executions reach, until it is enough.
fn observed(question: &Question<'_>, is_enough: impl Fn(&BTreeSet<Location>) -> bool) -> BTreeSet<Location> {
    let mut reached = BTreeSet::new();
    let Ok(code) = Code::of(question.analyses) else { return reached };
    let mut coverage = Coverage::new(&code);
    let options = RunOptions { max_steps: Some(STEPS_PER_RUN), ..RunOptions::new(PropertySet::EMPTY) };
    let mut instructions = 0;
    for seed in 1..=RUNS {
        let mut scheduler: Box<dyn Scheduler> = match seed % 2 {
            0 => Box::new(RoundRobin::new(seed)),
            _ => Box::new(RandomScheduler::new(seed)),
        };
        let mut choices = RandomChoices::new(seed);
        let result = run_covered(&code, &options, &mut *scheduler, &mut choices, question.budget, &mut coverage);
        instructions += result.instructions;
        reached = coverage.locations(&code).collect();
        if is_enough(&reached) || instructions >= INSTRUCTIONS || matches!(result.end, End::Stopped(_)) {
            break;
        }
    }
    reached
}

/// Executions of the interpreter know no bounds, so that they say nothing about answers that do.
fn is_bounded(report: &Report) -> bool {
    report.outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::HoldsUpTo(_)))
}

/// The largest number of rounds up to which an answer holds.
fn most_rounds(report: &Report) -> Option<u32> {
    let rounds = report.outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::HoldsUpTo(bounds) => bounds.unwind,
        _ => None,
    });
    rounds.max()
}

/// Removes what the engine reaches; says how much is certain about the rest, if anything is.
fn decide(
    question: &Question<'_>,
    rounds: Option<u32>,
    open: &mut Vec<TargetPlace>,
) -> Result<Option<Extent>, EngineBug> {
    let UnwindLimits { exactly, at_most } = question.unwind;
    let unwind = UnwindLimits { exactly, at_most: at_most.or(rounds).filter(|_| exactly.is_none()) };
    let reaching = PropertySet::of(&[Property::UnreachCall]);
    while !open.is_empty() {
        let (program, places) = with_probes(question.analyses.program, open);
        let analyses = Analyses::new(&program);
        let report = check_alone(question.asked_engine(), &analyses, reaching, unwind, question.budget)?;
        match report.outcomes.into_iter().next().map(|(_, outcome)| outcome) {
            Some(Outcome::Violated(trace)) => {
                let seen = originals(&trace, &places);
                let before = open.len();
                open.retain(|place| !place.is_reached(&seen));
                if open.len() == before {
                    return Ok(None);
                }
            }
            Some(Outcome::Proved) => return Ok(Some(Extent::Never)),
            Some(Outcome::HoldsUpTo(_)) if report.stopped.is_none() => return Ok(Some(Extent::WithinBounds)),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// What a counterexample of the program with probes reaches, as far as its steps and events tell, in the program without.
fn originals(trace: &program::Trace, probes: &BTreeSet<Location>) -> BTreeSet<Location> {
    let steps = trace.schedule.steps.iter().filter_map(|step| step.location);
    let all = steps.chain(trace.events.iter().map(|event| event.location)).chain([trace.violation.location]);
    let original = |location: Location| {
        let same = |other: &&Location| other.function == location.function && other.block == location.block;
        let before = probes.iter().filter(same).filter(|other| other.index < location.index).count();
        Location { index: location.index - before as u32, ..location }
    };
    all.map(original).collect()
}

/// The program with an assertion that fails in front of each location, as its only calls of `reach_error`; and where these
/// assertions are.
fn with_probes(program: &Program, places: &[TargetPlace]) -> (Program, BTreeSet<Location>) {
    let mut probed = program.clone();
    for function in probed.functions.iter_mut() {
        for instruction in function.blocks.iter_mut().flat_map(|block| &mut block.instructions) {
            if let InstructionKind::Assert { condition, property: Property::UnreachCall, .. } = &mut instruction.kind {
                *condition = Operand::TRUE;
            }
        }
    }
    let locations: BTreeSet<Location> = places.iter().flat_map(|place| place.locations.iter().copied()).collect();
    // From the end of each block on, so that those before stay where they are.
    for &location in locations.iter().rev() {
        let span = program.span(location);
        let kind = InstructionKind::Assert {
            condition: Operand::FALSE,
            property: Property::UnreachCall,
            message: "reached".to_owned(),
        };
        let block = &mut probed.functions[location.function].blocks[location.block];
        block.instructions.insert(location.index as usize, Instruction { kind, span });
    }
    let moved = |location: &Location| {
        let same = |other: &&Location| other.function == location.function && other.block == location.block;
        let before = locations.iter().filter(same).filter(|other| other.index < location.index).count();
        Location { index: location.index + before as u32, ..*location }
    };
    (probed, locations.iter().map(moved).collect())
}

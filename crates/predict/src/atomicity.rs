//! Three-access atomicity violations (§5.1 of the paper): between two accesses of a transaction, another thread accesses the
//! same memory in a way that no serial execution can have. Of the eight patterns of reads and writes five are such:
//! R-W-R, R-W-W, W-R-W, W-W-R and W-W-W.
//!
//! Candidates (`pavs`) are triples of accesses that may meet in memory. Locks that are held from the first to the last
//! access and by the one in between exclude most; what must come before what excludes more; the rest is decided by a search
//! with `HB(c, r) ∧ HB(r, c')` as Φ_PRP.

use events::{AccessPoint, EventGraph, Precedence, RaceEdge, ViolationPoint};
use program::instruction::{InstructionKind, TerminatorKind};
use program::{At, FunctionId, Program, Property, ThreadId};
use rustc_hash::FxHashSet;
use sync::LockEffect;

use crate::candidate_counts::CandidateCounts;
use crate::path::PathStep;
use crate::search::PredictionGoal;
use crate::trace_program::{Origin, TraceProgram};

/// Which parts of a run are meant to be atomic, besides those between calls of `gordian_atomic_begin` and
/// `gordian_atomic_end`, two functions that the program defines and that do nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TransactionOptions {
    /// Every activation of these functions.
    pub functions: Vec<String>,
    /// Every critical section that does not wait.
    pub regions: bool,
}

const BEGIN: &str = "gordian_atomic_begin";
const END: &str = "gordian_atomic_end";

/// Instructions of a thread that are meant to be atomic together, by their indices; the end is excluded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Transaction {
    pub thread: ThreadId,
    pub start: u32,
    pub end: u32,
}

/// Whether a part that the end of its thread's path leaves open is a transaction, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    LeftOut,
    Counts,
}

/// All transactions in what the threads executed, in the order of threads and beginnings.
pub fn transactions(
    program: &Program,
    paths: &[Vec<PathStep>],
    options: &TransactionOptions,
    unfinished: Unfinished,
) -> Vec<Transaction> {
    let named = |name: &String| program.function_named(name);
    let functions: FxHashSet<FunctionId> = options.functions.iter().filter_map(named).collect();
    let mut found = Vec::new();
    for (thread, path) in paths.iter().enumerate() {
        let thread = ThreadId(thread as u32);
        activations(program, path, unfinished, |function, start, end| {
            if functions.contains(&function) {
                found.push(Transaction { thread, start, end });
            }
        });
        marked(program, path, unfinished, |start, end| found.push(Transaction { thread, start, end }));
        if options.regions {
            regions(program, path, unfinished, |start, end| found.push(Transaction { thread, start, end }));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Calls `each` for every activation.
fn activations(
    program: &Program,
    path: &[PathStep],
    unfinished: Unfinished,
    mut each: impl FnMut(FunctionId, u32, u32),
) {
    let mut open: Vec<u32> = vec![0];
    for (index, step) in path.iter().enumerate() {
        match program.at(step.location) {
            At::Instruction(i) if matches!(i.kind, InstructionKind::Call { .. }) => open.push(index as u32 + 1),
            At::Terminator(t) if matches!(t.kind, TerminatorKind::Return(_)) => {
                if let Some(start) = open.pop() {
                    each(step.location.function, start, index as u32);
                }
            }
            _ => {}
        }
    }
    if unfinished == Unfinished::Counts {
        for start in open {
            let first = path.get(start as usize);
            first.into_iter().for_each(|step| each(step.location.function, start, path.len() as u32));
        }
    }
}

/// What lies between the marks.
fn marked(program: &Program, path: &[PathStep], unfinished: Unfinished, mut each: impl FnMut(u32, u32)) {
    let mut start = None;
    for (index, step) in path.iter().enumerate().filter(|(_, step)| step.location.index == 0) {
        if step.location.block != program::Function::ENTRY {
            continue;
        }
        match program.functions[step.location.function].name.as_str() {
            BEGIN => start = Some(index as u32),
            END => start.take().into_iter().for_each(|start| each(start, index as u32)),
            _ => {}
        }
    }
    start.filter(|_| unfinished == Unfinished::Counts).into_iter().for_each(|start| each(start, path.len() as u32));
}

/// From the first lock that is taken to the last that is given back, where nothing waits in between.
fn regions(program: &Program, path: &[PathStep], unfinished: Unfinished, mut each: impl FnMut(u32, u32)) {
    let (mut depth, mut start, mut waits) = (0u32, 0, false);
    for (index, step) in path.iter().enumerate() {
        let At::Instruction(instruction) = program.at(step.location) else { continue };
        match &instruction.kind {
            InstructionKind::Join { .. } => waits = true,
            InstructionKind::Sync { op, .. } => {
                let class = sync::class(*op);
                // A wait on a condition gives its mutex back and takes it again: the region goes on, as one that waits.
                match class.lock {
                    _ if class.waits_for_event() => waits = true,
                    Some(LockEffect::Acquire { fallible: false, .. }) => {
                        if depth == 0 {
                            (start, waits) = (index as u32, false);
                        }
                        depth += 1;
                    }
                    Some(LockEffect::Release { .. }) => {
                        if depth == 1 && !waits {
                            each(start, index as u32);
                        }
                        depth = depth.saturating_sub(1);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    if depth > 0 && !waits && unfinished == Unfinished::Counts {
        each(start, path.len() as u32);
    }
}

/// A triple that may violate atomicity; the numbers are those of the graph's accesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Candidate {
    pub first: usize,
    pub remote: usize,
    pub last: usize,
}

/// The candidates that only a search can decide.
pub fn candidates(
    program: &Program,
    trace: &TraceProgram,
    graph: &EventGraph,
    transactions: &[Transaction],
) -> (Vec<Candidate>, CandidateCounts) {
    let origins: Vec<Option<Origin>> = graph.accesses.iter().map(|access| trace.origin(access.location)).collect();
    let mut pavs = FxHashSet::default();
    for transaction in transactions {
        let inside = |origin: &Origin| {
            origin.thread == transaction.thread && (transaction.start..transaction.end).contains(&origin.index)
        };
        let local: Vec<usize> =
            (0..origins.len()).filter(|&index| origins[index].as_ref().is_some_and(inside)).collect();
        for (position, &first) in local.iter().enumerate() {
            for &last in local[position + 1..].iter().filter(|&&last| is_pair(graph, first, last)) {
                for remote in (0..graph.accesses.len()).filter(|&remote| is_pattern(graph, first, remote, last)) {
                    pavs.insert(Candidate { first, remote, last });
                }
            }
        }
    }
    let mut pavs: Vec<Candidate> = pavs.into_iter().collect();
    pavs.sort();
    let mut counts = CandidateCounts::new(Property::Atomicity, pavs.len());
    counts.transactions = Some(transactions.len());
    pavs.retain(|candidate| !excluded_by_locks(program, trace, graph, &origins, candidate));
    counts.after_locksets = Some(pavs.len());
    let precedence = Precedence::new(graph);
    pavs.retain(|candidate| !excluded_by_order(graph, &precedence, candidate));
    counts.after_must_happen_before = Some(pavs.len());
    (pavs, counts)
}

fn is_pair(graph: &EventGraph, first: usize, last: usize) -> bool {
    let (first, last) = (&graph.accesses[first], &graph.accesses[last]);
    first.node != last.node && first.overlaps(last)
}

/// Whether the remote access, between the two, is in conflict with both.
fn is_pattern(graph: &EventGraph, first: usize, remote: usize, last: usize) -> bool {
    let [first, remote, last] = [first, remote, last].map(|index| &graph.accesses[index]);
    let conflicts = |local: &AccessPoint| local.overlaps(remote) && (local.writes || remote.writes);
    graph.nodes[remote.node].instance != graph.nodes[first.node].instance && conflicts(first) && conflicts(last)
}

/// A lock that the thread keeps from the first to the last access and that the other thread holds, too.
fn excluded_by_locks(
    program: &Program,
    trace: &TraceProgram,
    graph: &EventGraph,
    origins: &[Option<Origin>],
    candidate: &Candidate,
) -> bool {
    let [first, remote, last] =
        [candidate.first, candidate.remote, candidate.last].map(|index| &graph.accesses[index].locks);
    let common = first.iter().any(|lock| remote.contains(lock) && last.contains(lock));
    let (Some(from), Some(to)) = (origins[candidate.first], origins[candidate.last]) else { return false };
    let between = &trace.paths()[from.thread.0 as usize][from.index as usize..to.index as usize];
    common && !between.iter().any(|step| gives_back(program, step))
}

fn gives_back(program: &Program, step: &PathStep) -> bool {
    match program.at(step.location) {
        At::Instruction(instruction) => {
            matches!(instruction.kind, InstructionKind::Sync { op, .. } if sync::class(op).releases_lock())
        }
        At::Terminator(_) => false,
    }
}

fn excluded_by_order(graph: &EventGraph, precedence: &Precedence<'_>, candidate: &Candidate) -> bool {
    let [first, remote, last] = [candidate.first, candidate.remote, candidate.last].map(|index| &graph.accesses[index]);
    let instance = |access: &AccessPoint| graph.nodes[access.node].instance;
    precedence.node_precedes(remote.node, first.node)
        || precedence.node_precedes(last.node, remote.node)
        || first.joined.contains(&instance(remote))
        || remote.joined.contains(&instance(last))
}

/// Adds to the graph what each candidate needs of the order, and says what to look for.
pub fn add_goals(trace: &TraceProgram, graph: &mut EventGraph, candidates: &[Candidate]) -> Vec<PredictionGoal> {
    candidates.iter().map(|candidate| add_goal(trace, graph, candidate)).collect()
}

fn add_goal(trace: &TraceProgram, graph: &mut EventGraph, candidate: &Candidate) -> PredictionGoal {
    let [first, remote, last] =
        [candidate.first, candidate.remote, candidate.last].map(|index| graph.accesses[index].clone());
    let violated = graph.terms.bool_variable("unserialisable");
    let guards = [first.guard, remote.guard, last.guard].map(|guard| graph.guards.term(guard));
    let executed = graph.terms.and_all(&guards);
    let constraint = graph.terms.implies(violated, executed);
    graph.constraints.push(constraint);
    graph.race_edges.push(RaceEdge { from: first.node, to: remote.node, condition: violated });
    graph.race_edges.push(RaceEdge { from: remote.node, to: last.node, condition: violated });
    let point = ViolationPoint {
        property: Property::Atomicity,
        condition: violated,
        instance: graph.nodes[last.node].instance,
        location: last.location,
        span: last.span,
        steps: last.steps,
        node: Some(last.node),
    };
    let place = trace.place(last.location);
    PredictionGoal { place, condition: violated, points: vec![point] }
}

/// For people: `R-W-R`.
pub fn pattern(graph: &EventGraph, candidate: &Candidate) -> String {
    let letter = |index: usize| if graph.accesses[index].writes { "W" } else { "R" };
    [candidate.first, candidate.remote, candidate.last].map(letter).join("-")
}

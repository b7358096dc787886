//! Who gave an answer, and why it is to be believed.

use std::collections::BTreeMap;
use std::fmt;

use crate::property::Property;

/// The engine that gave an answer, and its argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VerdictProvenance {
    pub by: EngineId,
    pub argument: VerdictArgument,
}

/// The provenance of each answer.
pub type Provenances = BTreeMap<Property, VerdictProvenance>;

/// The name of an engine, as on the command line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EngineId(pub &'static str);

impl fmt::Display for EngineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// What an answer rests on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VerdictArgument {
    /// Executions under random schedules with random inputs.
    RandomTesting,
    /// No instruction of the program can violate the property.
    NoViolationSite,
    /// Abstract interpretation orders every pair of conflicting accesses.
    StaticRaceAnalysis,
    /// All waits follow one order of locks and ends of threads.
    LockOrder,
    /// Each thread alone, with invariants of shared memory.
    ThreadModularProof,
    /// An abstract reachability tree of predicates, reduced to one interleaving of each class.
    PredicateAbstraction,
    /// A query about all executions up to bounds. For a proof: in which no bound can be reached.
    BoundedModelChecking,
    /// Exploration of the reachability tree with symbolic data.
    ReachabilityTree,
    /// A visit to every reachable state.
    ExplicitStates,
    /// A query about the reorderings of recorded executions.
    Prediction,
}

impl VerdictArgument {
    /// Whether other inputs could lead to another answer. Which instructions there are does not depend on any.
    pub fn depends_on_inputs(self) -> bool {
        self != VerdictArgument::NoViolationSite
    }

    /// A stable name for tools.
    pub fn name(self) -> &'static str {
        match self {
            VerdictArgument::RandomTesting => "random-testing",
            VerdictArgument::NoViolationSite => "no-violation-site",
            VerdictArgument::StaticRaceAnalysis => "static-race-analysis",
            VerdictArgument::LockOrder => "lock-order",
            VerdictArgument::ThreadModularProof => "thread-modular-proof",
            VerdictArgument::PredicateAbstraction => "predicate-abstraction",
            VerdictArgument::BoundedModelChecking => "bounded-model-checking",
            VerdictArgument::ReachabilityTree => "reachability-tree",
            VerdictArgument::ExplicitStates => "explicit-states",
            VerdictArgument::Prediction => "prediction",
        }
    }
}

impl fmt::Display for VerdictProvenance {
    /// The argument in words, with the engine where several use the same.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = self.by;
        match self.argument {
            VerdictArgument::RandomTesting => f.write_str("random testing"),
            VerdictArgument::NoViolationSite => f.write_str("absence of violation sites"),
            VerdictArgument::StaticRaceAnalysis => f.write_str("static race analysis"),
            VerdictArgument::LockOrder => f.write_str("lock order"),
            VerdictArgument::ThreadModularProof => f.write_str("thread-modular verification"),
            VerdictArgument::PredicateAbstraction => f.write_str("predicate abstraction with interpolants"),
            VerdictArgument::BoundedModelChecking => write!(f, "bounded model checking ({by})"),
            VerdictArgument::ReachabilityTree => write!(f, "exploration of the reachability tree ({by})"),
            VerdictArgument::ExplicitStates => f.write_str("exploration of all states"),
            VerdictArgument::Prediction => f.write_str("prediction from recorded executions"),
        }
    }
}

//! How much of the tree to walk.

use serde::{Deserialize, Serialize};

/// Which places are scheduling points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Granularity {
    /// Every visible access.
    #[default]
    Access,
    /// Whole statements, as in the paper: no switch inside a statement, between a test and the next statement, and at
    /// the creation and joining of threads.
    Statement,
}

/// What a context bound counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContextCount {
    /// Changes of the active thread, forced ones too (rule R1).
    #[default]
    Switches,
    /// Scheduling points at which more than one thread could go on.
    Decisions,
}

/// What may be left out of the tree without changing any verdict. Interleavings are then not counted as the paper does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reduction {
    /// Nothing: every leaf is an interleaving.
    #[default]
    None,
    /// Whatever follows a node that is like one visited before: the same state, facts, active thread and use of the
    /// context bound. Sound under a context bound, too.
    States,
    /// Interleavings that differ from one that was walked only in the order of steps that commute. Nothing is left out
    /// where that would be unsound: under a context bound, between whole statements, for properties of the last state. A
    /// walk in which a loop was cut proves nothing: what it leaves out may stand for what the cut left out.
    Sleep,
    /// Both. Where commuting steps may not be exchanged, only states are merged.
    All,
}

/// All executions within the bound are walked. Beyond it the active thread goes on, or else the one with the smallest
/// number, so that every path still has an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContextBound {
    pub limit: u32,
    pub count: ContextCount,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeOptions {
    /// Default: none.
    pub context_bound: Option<ContextBound>,
    /// Default: every access.
    pub granularity: Granularity,
    /// Whether a switch may come between a test and the next statement, as if the test were an assignment to an
    /// auxiliary variable. Only matters for statements; default no.
    pub hoist_tests: bool,
    /// Default: none.
    pub reduction: Reduction,
    /// Rounds of each loop; default: no limit.
    pub unwind: Option<u32>,
    /// Rounds of loops that count in registers, which mostly end by themselves, if more; default 1024.
    pub unwind_counting: u32,
    /// Instructions of a thread between two visible ones before it is cut off; default one million.
    pub fuel: u64,
}

impl Default for TreeOptions {
    fn default() -> Self {
        Self {
            context_bound: None,
            granularity: Granularity::Access,
            hoist_tests: false,
            reduction: Reduction::None,
            unwind: None,
            unwind_counting: 1024,
            fuel: 1_000_000,
        }
    }
}

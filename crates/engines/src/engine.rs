//! What every engine is: something that is started on a job and then advanced until it has nothing more to say.
//!
//! Engines know nothing of each other. What they find out are [`Fact`]s; whoever advances them replays violations and decides
//! what the facts are worth.

use std::fmt;
use std::sync::Arc;

use base::{Budget, Span, Statistics, StopReason};
use program::{
    Analyses, Bounds, EngineId, Program, Property, PropertySet, Schedule, UnknownReason, VerdictArgument,
    VerdictProvenance, Visibility,
};
use proof::ProofFile;

use crate::query_text::QueryText;

/// A way of checking programs.
pub trait Engine: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// One sentence for `--help`.
    fn summary(&self) -> &'static str;

    /// What its answers rest on.
    fn argument(&self) -> VerdictArgument;

    /// The properties about which it can say something.
    fn properties(&self) -> PropertySet;

    fn provenance(&self) -> VerdictProvenance {
        VerdictProvenance { by: EngineId(self.name()), argument: self.argument() }
    }

    /// Begins with the job; nothing is done before the run is advanced.
    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a>;
}

impl<E: Engine + ?Sized> Engine for &E {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn summary(&self) -> &'static str {
        (**self).summary()
    }

    fn argument(&self) -> VerdictArgument {
        (**self).argument()
    }

    fn properties(&self) -> PropertySet {
        (**self).properties()
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        (**self).start(job)
    }
}

/// An engine at work.
pub trait Run {
    /// Goes on with the properties of the job that are still open, until something is learned or the budget is used up. A run
    /// that was stopped may be advanced again.
    fn advance(&mut self, open: PropertySet, budget: &Budget) -> Result<Advance, EngineBug>;

    /// Whether a run that was stopped goes on where it was; else it begins again.
    fn goes_on(&self) -> bool {
        false
    }

    /// Of all that was done so far.
    fn statistics(&self) -> Statistics;
}

/// Where a run has come to.
#[derive(Clone, PartialEq, Debug)]
pub enum Advance {
    Learned(Fact),
    /// All that can be said within the present bounds has been said. A good moment for others.
    BoundDone,
    /// The budget ended first.
    Stopped(StopReason),
    /// There is nothing more to say.
    Done,
}

/// What an engine says about one property.
#[derive(Clone, PartialEq, Debug)]
pub enum Fact {
    /// This schedule leads to a violation, which has not been replayed.
    Violation(Property, Schedule),
    /// No execution violates the property.
    Proved(Property),
    /// No execution within these bounds does. The same engine may say more later.
    Bounded(Property, Bounds),
    /// Why nothing is known so far. The same engine may say more later.
    Unknown(Property, UnknownReason),
}

/// What to check and how far.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The program and what is known about it.
    pub analyses: &'a Analyses<'a>,
    pub properties: PropertySet,
    pub unwind: UnwindLimits,
    pub observer: &'a dyn Observer,
}

impl<'a> Job<'a> {
    pub fn program(&self) -> &'a Program {
        self.analyses.program
    }

    pub fn visibility(&self) -> Arc<Visibility> {
        self.analyses.get()
    }
}

/// How far loops and recursion are unwound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct UnwindLimits {
    /// Exactly so many iterations of every loop; `None` deepens until there is an answer or the budget ends.
    pub exactly: Option<u32>,
    /// Deepening stops here.
    pub at_most: Option<u32>,
}

impl UnwindLimits {
    /// Where to begin, unless the user says otherwise.
    pub fn first(&self, default: u32) -> u32 {
        self.exactly.unwrap_or(default.min(self.at_most.unwrap_or(u32::MAX)))
    }

    /// Where deepening ends in any case.
    pub fn last(&self) -> u32 {
        self.at_most.unwrap_or(1 << 20)
    }
}

/// We are wrong, not the user's program: exit code 4.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineBug(pub String);

impl fmt::Display for EngineBug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a long check is doing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Executions are tried at random.
    Falsifying,
    /// Unfolding begins, with at least so many iterations of every loop; the bounds of the loops (and other cuts) at these
    /// places have grown since the last time.
    Unfolding { unwind: u32, deepened: Vec<Span> },
    /// A query is being solved.
    Solving { property: Property, unwind: u32, events: usize },
    /// The query goes on with another counterexample of the abstraction ruled out.
    Refined { refinements: u64 },
}

/// A counterexample of the abstraction of `scar` as an event order graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EogDrawing {
    /// Counted from 1 in each unfolding.
    pub round: u64,
    /// For Graphviz.
    pub dot: String,
    pub text: String,
}

/// Sees how a check is going.
pub trait Observer: Sync {
    fn progress(&self, progress: &Progress);

    /// Whether to call [`query`](Self::query), which needs a copy of all clauses.
    fn wants_queries(&self) -> bool {
        false
    }

    /// What is about to be asked for the first time about a property within a bound.
    fn query(&self, _query: &QueryText<'_>) {}

    /// Whether to call [`event_order_graph`](Self::event_order_graph); drawing takes time.
    fn wants_event_order_graphs(&self) -> bool {
        false
    }

    fn event_order_graph(&self, _drawing: &EogDrawing) {}

    /// Whether to call [`proof`](Self::proof).
    fn wants_proofs(&self) -> bool {
        false
    }

    /// What a proof rests on, before it is told, for somebody else to check; or why that cannot be said.
    fn proof(&self, _proof: &Result<ProofFile, String>) {}
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullObserver;

impl Observer for NullObserver {
    fn progress(&self, _: &Progress) {}
}

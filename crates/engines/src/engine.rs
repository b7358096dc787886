//! What every engine is: one function from a job to a report.

use std::fmt;
use std::sync::Arc;

use base::{Budget, Span, Statistics, StopReason};
use order::eog::RefinementKind;
use program::{
    Analyses, Argument, EngineId, Outcome, Program, Property, PropertySet, Provenance, Provenances, Visibility,
};
use unfold::Optimisations;

use crate::context_bounded::ContextOptions;
use crate::query::Query;

/// A strategy for checking programs.
pub trait Engine: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// One sentence for `--help`.
    fn summary(&self) -> &'static str;

    /// What its answers rest on.
    fn argument(&self) -> Argument;

    fn provenance(&self) -> Provenance {
        Provenance { by: EngineId(self.name()), argument: self.argument() }
    }

    /// Answers for every property of the job, in their order.
    fn check(&self, job: &Job<'_>) -> Result<Report, EngineBug>;
}

/// What to check, how far, and whom to tell about it.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// The program and what is known about it.
    pub analyses: &'a Analyses<'a>,
    pub properties: PropertySet,
    pub options: &'a CheckOptions,
    pub budget: &'a Budget,
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

#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// Exactly so many rounds of every loop; `None` deepens until there is an answer or the budget ends.
    pub unwind: Option<u32>,
    /// Deepening stops here.
    pub max_unwind: Option<u32>,
    /// Stop at the first violation; what is open then stays unknown.
    pub first: bool,
    /// The engine answers alone: no random testing, no static proof, no other engine. What it cannot decide is unknown.
    pub only: bool,
    /// What the unfolding may leave out. Default: all that does not change the answer.
    pub optimisations: Optimisations,
    /// How the engine `scar` refutes counterexamples of its abstraction. Default: by graph.
    pub scar_refinement: RefinementKind,
    /// The static analysis has been asked about races and could not tell. Default: not yet.
    pub races_surveyed: bool,
    /// How the engines over the reachability tree walk it.
    pub contexts: ContextOptions,
}

/// The verdicts of one engine.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub outcomes: Vec<(Property, Outcome)>,
    /// Who gave each of them.
    pub provenance: Provenances,
    pub statistics: Statistics,
    /// What ended the check, if not all answers are final.
    pub stopped: Option<StopReason>,
}

impl Report {
    /// Adds a final answer, which the observer of the job learns.
    pub fn settle(&mut self, job: &Job<'_>, property: Property, outcome: Outcome, provenance: Provenance) {
        job.observer.learned(property, &outcome, provenance, &self.statistics);
        self.add(property, outcome, provenance);
    }

    /// Adds a final answer that the observer knows already.
    pub fn add(&mut self, property: Property, outcome: Outcome, provenance: Provenance) {
        self.outcomes.push((property, outcome));
        self.provenance.insert(property, provenance);
    }

    pub fn has_violation(&self) -> bool {
        self.outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Violated(_)))
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
    /// Unfolding begins, with at least so many rounds of every loop; the bounds of the loops (and other cuts) at these
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

/// Somebody who wants to know how a check is going.
pub trait Observer: Sync {
    fn progress(&self, progress: &Progress);

    /// An answer that stands from now on, until a better one replaces it: whoever ends the check from outside can still
    /// say it. `statistics` are those of the check so far.
    fn learned(&self, _property: Property, _outcome: &Outcome, _provenance: Provenance, _statistics: &Statistics) {}

    /// Whether to call [`query`](Self::query), which needs a copy of all clauses.
    fn wants_queries(&self) -> bool {
        false
    }

    /// What is about to be asked for the first time about a property within a bound.
    fn query(&self, _query: &Query<'_>) {}

    /// Whether to call [`event_order_graph`](Self::event_order_graph); drawing takes time.
    fn wants_event_order_graphs(&self) -> bool {
        false
    }

    fn event_order_graph(&self, _drawing: &EogDrawing) {}
}

/// Wants to know nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: &Progress) {}
}

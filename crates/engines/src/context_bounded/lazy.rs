//! The engine `lazy` (section 3.2 of the paper): the tree depth first, one interleaving after the other. Prefixes are
//! shared and never executed again; a guard is decided where it is met, so that infeasible prefixes have no children;
//! constants decide without a solver.

use std::ops::ControlFlow;

use base::statistics::stage;
use base::{Statistics, StopReason};
use execute::Code;
use program::{Property, PropertySet, Schedule};
use terms::{Assignment, TermId};
use tree::{Found, Judge, Model, Symbols, Trail, TreeOptions, Verdict};

use super::query::PathQueries;
use super::{Strategy, Walked, check, count_walk};
use crate::engine::{Engine, EngineBug, Job, Report};

#[derive(Clone, Copy, Debug)]
pub struct Lazy;

impl Engine for Lazy {
    fn name(&self) -> &'static str {
        "lazy"
    }

    fn summary(&self) -> &'static str {
        "one interleaving after the other, with symbolic data, up to a context bound if one is given"
    }

    fn check(&self, job: &Job<'_>) -> Result<Report, EngineBug> {
        check(job, self)
    }
}

impl Strategy for Lazy {
    fn walk(&self, code: &Code<'_>, properties: PropertySet, options: &TreeOptions, job: &Job<'_>) -> Walked {
        let mut statistics = Statistics::new();
        let all = job.options.contexts.all_violations;
        let mut judge = LeafByLeaf { queries: PathQueries::new(job.budget), violations: Vec::new(), all };
        let (exploration, symbols) = tree::explore(code, properties, options, &mut judge, job.budget);
        count_walk(&mut statistics, &exploration);
        statistics.count("queries", judge.queries.queries);
        statistics.count("terms", symbols.terms.len() as u64);
        statistics.time(stage::SOLVING, judge.queries.time);
        Walked { violations: judge.violations, exploration, statistics }
    }
}

struct LeafByLeaf<'b> {
    queries: PathQueries<'b>,
    /// The first of each property.
    violations: Vec<(Property, Schedule)>,
    /// Go on after a violation.
    all: bool,
}

impl Judge for LeafByLeaf<'_> {
    fn decide(&mut self, symbols: &mut Symbols, trail: &Trail, model: &Model) -> Verdict {
        self.queries.decide(symbols, trail, model)
    }

    fn example(
        &mut self,
        symbols: &mut Symbols,
        trail: &Trail,
        model: &Model,
        term: TermId,
    ) -> Result<Option<u64>, StopReason> {
        self.queries.example(symbols, trail, model, term)
    }

    fn found(&mut self, symbols: &mut Symbols, found: &Found<'_>) -> ControlFlow<()> {
        let property = found.violation.property;
        if !self.violations.iter().any(|(known, _)| *known == property) {
            let nothing = Assignment::new();
            let inputs = found.model.as_deref().unwrap_or(&nothing);
            self.violations.push((property, found.trail.schedule(&symbols.terms, inputs)));
        }
        if self.all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

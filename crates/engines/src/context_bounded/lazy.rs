//! The engine `lazy` (section 3.2 of the paper): the tree depth first, one interleaving after the other. Prefixes are
//! shared and never executed again; a guard is decided where it is met, so that infeasible prefixes have no children;
//! constants decide without a solver.

use std::ops::ControlFlow;

use base::statistics::stage;
use base::{Budget, Statistics};
use execute::Code;
use program::{Property, PropertySet, Schedule};
use terms::Assignment;
use tree::{FoundViolation, Symbols, TreeOptions, Visitor};

use super::query::PathQueries;
use super::{Walked, count_walk};

pub(super) fn walk(
    code: &Code<'_>,
    properties: PropertySet,
    options: &TreeOptions,
    all_violations: bool,
    budget: &Budget,
) -> Walked {
    let mut queries = PathQueries::new(budget);
    let mut leaves = LeafByLeaf { violations: Vec::new(), all: all_violations };
    let (exploration, symbols) = tree::explore(code, properties, options, &mut queries, &mut leaves, budget);
    let mut statistics = Statistics::new();
    count_walk(&mut statistics, &exploration, &symbols);
    statistics.count("queries", queries.queries);
    statistics.time(stage::SOLVING, queries.time);
    Walked { violations: leaves.violations, exploration, statistics }
}

struct LeafByLeaf {
    /// The first of each property.
    violations: Vec<(Property, Schedule)>,
    /// Go on after a violation.
    all: bool,
}

impl Visitor for LeafByLeaf {
    fn found(&mut self, symbols: &mut Symbols, found: &FoundViolation<'_>) -> ControlFlow<()> {
        let property = found.violation.property;
        if !self.violations.iter().any(|(known, _)| *known == property) {
            let nothing = Assignment::new();
            let inputs = found.model.as_deref().unwrap_or(&nothing);
            self.violations.push((property, found.trail.schedule(&symbols.terms, inputs)));
        }
        if self.all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

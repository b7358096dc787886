//! The engine `record` (section 3.3 of the paper): all interleavings in one formula, with schedule guards on effective
//! statements, and one question to the solver. Tests on inputs are not decided on the way: both outcomes are in the
//! formula.

use std::ops::ControlFlow;

use base::statistics::stage;
use base::{Budget, Statistics, StopReason};
use execute::Code;
use program::PropertySet;
use solve::{CadicalSolver, ClauseSink, Lit, SolveResult, Solver, at_most_one};
use terms::{Blaster, TermId};
use tree::{Exploration, Feasibility, FeasibilityOracle, FoundViolation, Model, Symbols, Trail, TreeOptions, Visitor};

use super::guards::{ScheduleGuards, ViolatingPath};
use super::query::PathQueries;
use super::{Walked, count_walk};

pub(super) fn walk(code: &Code<'_>, properties: PropertySet, options: &TreeOptions, budget: &Budget) -> Walked {
    let mut statistics = Statistics::new();
    let mut tree = RecordedTree::walk(code, properties, options, budget, &mut statistics);
    let mut formula = statistics.timed(stage::ENCODING, || tree.formula());
    let goal = formula.goal;
    let answer = statistics.timed(stage::SOLVING, || formula.solver.solve(&[goal], budget));
    statistics.count("queries", 1);
    tree.finish(answer, &formula, statistics)
}

/// The tree after a walk that decided nothing.
pub struct RecordedTree {
    pub guards: ScheduleGuards,
    pub paths: Vec<ViolatingPath>,
    exploration: Exploration,
    symbols: Symbols,
}

impl RecordedTree {
    pub fn walk(
        code: &Code<'_>,
        properties: PropertySet,
        options: &TreeOptions,
        budget: &Budget,
        statistics: &mut Statistics,
    ) -> Self {
        let mut judge = Undecided { queries: PathQueries::new(budget), budget };
        let mut recorder = PathRecorder::default();
        let (exploration, symbols) = tree::explore(code, properties, options, &mut judge, &mut recorder, budget);
        count_walk(statistics, &exploration, &symbols);
        Self { guards: recorder.guards, paths: recorder.paths, exploration, symbols }
    }

    /// The clauses of the formula. At each effective step at most one thread is scheduled.
    pub fn formula(&mut self) -> Formula {
        let mut solver = CadicalSolver::new();
        let mut blaster = Blaster::new();
        let formulas: Vec<TermId> = self.paths.iter().map(|path| path.formula).collect();
        let some_path = self.symbols.terms.or_all(&formulas);
        let goal = blaster.literal(&self.symbols.terms, some_path, &mut solver);
        let mut selections = Vec::new();
        for step in &self.guards.by_step {
            let lit = |&(_, term): &(_, TermId)| blaster.literal(&self.symbols.terms, term, &mut solver);
            let lits: Vec<Lit> = step.iter().map(lit).collect();
            at_most_one(&mut solver as &mut dyn ClauseSink, &lits);
            selections.push(lits);
        }
        Formula { solver, blaster, goal, selections }
    }

    /// The violation that the model shows, if there is a model.
    pub(crate) fn finish(mut self, answer: SolveResult, formula: &Formula, statistics: Statistics) -> Walked {
        let mut violations = Vec::new();
        match answer {
            SolveResult::Satisfiable => {
                let assignment = formula.blaster.assignment(&self.symbols.terms, &formula.solver);
                let holds = |path: &&ViolatingPath| terms::holds(&self.symbols.terms, path.formula, &assignment);
                let shown = self.paths.iter().find(holds);
                let shown = shown.expect("a model of the tree should satisfy one of its paths");
                violations.push((shown.property, shown.schedule(&self.symbols, &assignment)));
            }
            SolveResult::Unsatisfiable => {}
            SolveResult::Interrupted(reason) => self.exploration.stopped = Some(reason),
        }
        Walked { violations, exploration: self.exploration, statistics }
    }
}

pub struct Formula {
    pub solver: CadicalSolver,
    pub blaster: Blaster,
    /// Some violating path is taken.
    pub goal: Lit,
    /// By effective step, as in [`ScheduleGuards::by_step`].
    pub selections: Vec<Vec<Lit>>,
}

/// Leaves all tests to the formula; only where a value is needed, one is asked for.
struct Undecided<'b> {
    queries: PathQueries<'b>,
    budget: &'b Budget,
}

impl FeasibilityOracle for Undecided<'_> {
    fn decide(&mut self, symbols: &mut Symbols, trail: &Trail, _: &Model) -> Feasibility {
        if let Err(reason) = self.budget.check() {
            return Feasibility::Stopped(reason);
        }
        let last = trail.facts().last().map(|fact| fact.conjunction);
        let is_false = last.is_some_and(|facts| symbols.terms.as_boolean(facts) == Some(false));
        if is_false { Feasibility::Infeasible } else { Feasibility::Feasible(None) }
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
}

#[derive(Default)]
struct PathRecorder {
    guards: ScheduleGuards,
    paths: Vec<ViolatingPath>,
}

impl Visitor for PathRecorder {
    fn found(&mut self, symbols: &mut Symbols, found: &FoundViolation<'_>) -> ControlFlow<()> {
        self.paths.push(ViolatingPath::new(&mut self.guards, symbols, found));
        ControlFlow::Continue(())
    }

    fn begins_again(&mut self) {
        self.paths.clear();
    }
}

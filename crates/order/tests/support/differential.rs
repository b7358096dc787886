//! One random graph through solver, theory and clock encoding, against the reference.

use std::cell::RefCell;
use std::rc::Rc;

use base::Budget;
use order::reference::{Feasible, check_linearisation};
use order::{ClockEncoding, NodeId, OrderGraph, TheoryOptions};
use solve::{CadicalSolver, ClauseSink, Lit, SolveResult, Solver};

use super::checked::Checked;
use super::rng::Rng;
use super::small_graphs::random_graph;

/// What was done over many graphs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub graphs: u64,
    pub satisfiable: u64,
    pub unsatisfiable: u64,
    /// Models enumerated and found complete.
    pub models: u64,
    pub clauses: u64,
    pub restarts_compared: u64,
    pub propagations: u64,
    pub conflicts: u64,
    pub pair_literals: u64,
    pub stuck: u64,
}

/// Runs one case; `Err` describes the first difference.
pub fn run_case(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let (graph, variables) = random_graph(&mut rng);
    let options = random_options(&mut rng);
    let feasible = Feasible::enumerate(&graph).ok_or("the reference should handle generated graphs")?;
    let case = Case { graph, variables, seed };
    case.check_text_form()?;
    case.check_theory(&mut rng, options, feasible, tally)
}

/// All on in one half of the cases, each switched off at random in the other.
fn random_options(rng: &mut Rng) -> TheoryOptions {
    if rng.chance(50) {
        return TheoryOptions::default();
    }
    TheoryOptions {
        after_read: rng.chance(60),
        overwritten: rng.chance(60),
        interval: rng.chance(60),
        exclusive: rng.chance(60),
        guards: rng.chance(60),
        pair_direction: rng.chance(60),
        decide: rng.chance(50),
        commitment: rng.chance(60),
    }
}

struct Case {
    graph: OrderGraph,
    variables: u32,
    seed: u64,
}

impl Case {
    fn check_text_form(&self) -> Result<(), String> {
        match self.graph.to_string().parse::<OrderGraph>() {
            Ok(parsed) if parsed == self.graph => Ok(()),
            _ => Err(self.describe("the text form should read back")),
        }
    }

    fn check_theory(
        &self,
        rng: &mut Rng,
        options: TheoryOptions,
        feasible: Feasible,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let mut with_theory = self.new_solver();
        let theory = Rc::new(RefCell::new(Checked::new(&self.graph, options, feasible)));
        with_theory.attach_theory(theory.clone());
        let mut with_clocks = self.new_solver();
        let clocks =
            ClockEncoding::encode(&self.graph, &mut with_clocks).map_err(|_| self.describe("invalid graph"))?;

        let mut constraints: Vec<Vec<Lit>> = Vec::new();
        for _ in 0..1 + rng.below(3) {
            for _ in 0..rng.below(3) {
                let clause = self.random_literals(rng, 3);
                with_theory.add_clause(&clause);
                with_clocks.add_clause(&clause);
                constraints.push(clause);
            }
            let assumptions = if rng.chance(60) { self.random_literals(rng, 3) } else { Vec::new() };
            let expected = self.expected(theory.borrow().feasible(), &constraints, &assumptions);
            let answer = with_theory.solve(&assumptions, &Budget::unlimited());
            self.compare("theory", expected, answer)?;
            self.compare("clocks", expected, with_clocks.solve(&assumptions, &Budget::unlimited()))?;
            if expected {
                tally.satisfiable += 1;
                let order = theory.borrow().inner.linearisation().to_vec();
                self.check_order("theory", |lit| in_model(&with_theory, lit), &order)?;
                let order = clocks.linearisation(&self.graph, |lit| in_model(&with_clocks, lit));
                self.check_order("clocks", |lit| in_model(&with_clocks, lit), &order)?;
            } else {
                tally.unsatisfiable += 1;
            }
        }
        if rng.chance(30) {
            self.check_number_of_models(&mut with_theory, &theory, &constraints, tally)?;
        }
        self.collect(&theory.borrow(), tally)
    }

    /// Blocks model after model; each must be feasible, and none may be missing.
    fn check_number_of_models(
        &self,
        solver: &mut CadicalSolver,
        theory: &RefCell<Checked>,
        constraints: &[Vec<Lit>],
        tally: &mut Tally,
    ) -> Result<(), String> {
        let expected =
            theory.borrow().feasible().masks.iter().filter(|&&mask| self.admits(theory, constraints, mask)).count();
        if expected > 60 {
            return Ok(());
        }
        let variables = self.graph.variables();
        for _ in 0..expected {
            self.compare("theory (counting models)", true, solver.solve(&[], &Budget::unlimited()))?;
            let model: Vec<Lit> = variables.iter().map(|var| var.lit(in_model(solver, var.positive()))).collect();
            let order = theory.borrow().inner.linearisation().to_vec();
            self.check_order("theory", |lit| in_model(solver, lit), &order)?;
            let blocking: Vec<Lit> = model.iter().map(|&lit| !lit).collect();
            solver.add_clause(&blocking);
            tally.models += 1;
        }
        self.compare("theory (counting models)", false, solver.solve(&[], &Budget::unlimited()))
    }

    fn admits(&self, theory: &RefCell<Checked>, constraints: &[Vec<Lit>], mask: u64) -> bool {
        let theory = theory.borrow();
        let holds = |lit: Lit| theory.feasible().holds(mask, lit).unwrap_or(lit == self.graph.true_lit());
        constraints.iter().all(|clause| clause.iter().any(|&lit| holds(lit)))
    }

    fn new_solver(&self) -> CadicalSolver {
        let mut solver = CadicalSolver::new();
        for _ in 0..self.variables {
            solver.new_var();
        }
        self.graph.encode_read_from(&mut solver);
        solver
    }

    fn random_literals(&self, rng: &mut Rng, most: usize) -> Vec<Lit> {
        let variables = self.graph.variables();
        if variables.is_empty() {
            return vec![self.graph.true_lit()];
        }
        let count = 1 + rng.below(most);
        (0..count).map(|_| variables[rng.below(variables.len())].lit(rng.chance(50))).collect()
    }

    fn expected(&self, feasible: &Feasible, constraints: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
        let holds = |mask: u64, lit: Lit| feasible.holds(mask, lit).unwrap_or(lit == self.graph.true_lit());
        feasible.masks.iter().any(|&mask| {
            constraints.iter().all(|clause| clause.iter().any(|&lit| holds(mask, lit)))
                && assumptions.iter().all(|&lit| holds(mask, lit))
        })
    }

    fn compare(&self, who: &str, expected: bool, answer: SolveResult) -> Result<(), String> {
        match (expected, answer) {
            (true, SolveResult::Satisfiable) | (false, SolveResult::Unsatisfiable) => Ok(()),
            _ => Err(self.describe(&format!("{who} answers {answer:?}, the reference says feasible = {expected}"))),
        }
    }

    fn check_order(&self, who: &str, truth: impl Fn(Lit) -> bool, order: &[NodeId]) -> Result<(), String> {
        let model: Vec<Lit> = self.graph.variables().into_iter().map(|var| var.lit(truth(var.positive()))).collect();
        check_linearisation(&self.graph, truth, order)
            .map_err(|error| self.describe(&format!("{who} gives {order:?} for {model:?}: {error}")))
    }

    fn collect(&self, theory: &Checked, tally: &mut Tally) -> Result<(), String> {
        if let Some(failure) = theory.failures.first() {
            return Err(self.describe(failure));
        }
        let counters = theory.inner.counters();
        tally.graphs += 1;
        tally.clauses += theory.clauses;
        tally.restarts_compared += theory.restarts_compared;
        tally.propagations += counters.after_read
            + counters.overwritten
            + counters.interval
            + counters.exclusive
            + counters.guards
            + counters.pair_directions;
        tally.conflicts += counters.conflicts;
        tally.pair_literals += counters.pair_literals;
        tally.stuck += counters.stuck;
        Ok(())
    }

    fn describe(&self, problem: &str) -> String {
        format!("seed {}: {problem}\n{}", self.seed, self.graph)
    }
}

fn in_model(solver: &CadicalSolver, lit: Lit) -> bool {
    solver.value(lit.var().positive()) == lit.is_positive()
}

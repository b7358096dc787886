//! Questions about the facts of one path, asked of one incremental solver: each fact is a literal that is assumed.
//!
//! Most questions never reach the solver: the conjunction of the facts is one hash-consed term, so that a question that
//! was asked on another path has its answer already, and the inputs that satisfied the facts so far often satisfy the
//! new one too.

use std::rc::Rc;
use std::time::{Duration, Instant};

use base::{Budget, StopReason};
use rustc_hash::FxHashMap;
use solve::{CadicalSolver, Lit, SolveResult, Solver};
use terms::{Assignment, Blaster, TermId, evaluate, holds};
use tree::{Feasibility, FeasibilityOracle, Model, Symbols, Trail};

pub struct PathQueries<'b> {
    solver: CadicalSolver,
    blaster: Blaster,
    /// By conjunction of facts: inputs that satisfy it, if any do.
    known: FxHashMap<TermId, Option<Rc<Assignment>>>,
    budget: &'b Budget,
    pub queries: u64,
    pub time: Duration,
}

impl<'b> PathQueries<'b> {
    pub fn new(budget: &'b Budget) -> Self {
        Self {
            solver: CadicalSolver::new(),
            blaster: Blaster::new(),
            known: FxHashMap::default(),
            budget,
            queries: 0,
            time: Duration::ZERO,
        }
    }

    fn answer(&mut self, symbols: &Symbols, trail: &Trail, model: &Model) -> Feasibility {
        let Some(last) = trail.facts().last() else { return Feasibility::Feasible(model.clone()) };
        if let Some(truth) = symbols.terms.as_boolean(last.conjunction) {
            return if truth { Feasibility::Feasible(model.clone()) } else { Feasibility::Infeasible };
        }
        if let Some(known) = self.known.get(&last.conjunction) {
            return known.clone().map_or(Feasibility::Infeasible, |model| Feasibility::Feasible(Some(model)));
        }
        let fits = |model: &Rc<Assignment>| holds(&symbols.terms, last.term, model) == last.truth;
        let answer = match model.as_ref().filter(|model| fits(model)) {
            Some(model) => Some(model.clone()),
            None => match self.solve(symbols, trail) {
                Ok(answer) => answer,
                Err(reason) => return Feasibility::Stopped(reason),
            },
        };
        self.known.insert(last.conjunction, answer.clone());
        answer.map_or(Feasibility::Infeasible, |model| Feasibility::Feasible(Some(model)))
    }

    /// Inputs that satisfy all facts.
    fn solve(&mut self, symbols: &Symbols, trail: &Trail) -> Result<Option<Rc<Assignment>>, StopReason> {
        self.queries += 1;
        let literal = |(blaster, solver): &mut (&mut Blaster, &mut CadicalSolver), fact: &tree::PathFact| {
            let lit = blaster.literal(&symbols.terms, fact.term, *solver);
            if fact.truth { lit } else { !lit }
        };
        let mut pair = (&mut self.blaster, &mut self.solver);
        let assumptions: Vec<Lit> = trail.facts().iter().map(|fact| literal(&mut pair, fact)).collect();
        let began = Instant::now();
        let answer = self.solver.solve(&assumptions, self.budget);
        self.time += began.elapsed();
        match answer {
            SolveResult::Satisfiable => Ok(Some(Rc::new(self.blaster.assignment(&symbols.terms, &self.solver)))),
            SolveResult::Unsatisfiable => Ok(None),
            SolveResult::Interrupted(reason) => Err(reason),
        }
    }
}

impl FeasibilityOracle for PathQueries<'_> {
    fn decide(&mut self, symbols: &mut Symbols, trail: &Trail, model: &Model) -> Feasibility {
        self.answer(symbols, trail, model)
    }

    fn example(
        &mut self,
        symbols: &mut Symbols,
        trail: &Trail,
        model: &Model,
        term: TermId,
    ) -> Result<Option<u64>, StopReason> {
        let model = match model {
            Some(model) => Some(model.clone()),
            None => self.solve(symbols, trail)?,
        };
        Ok(model.map(|model| evaluate(&symbols.terms, term, &model)))
    }
}

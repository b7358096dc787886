//! One attempt: explore, look at the error path, learn predicates, begin again.

use base::{Budget, Statistics, StopReason};
use program::{Analyses, Property, PropertySet, Schedule};
use proof::ProofFile;

use crate::abstraction::PredicateAbstraction;
use crate::commutation;
use crate::edge::EdgeEnd;
use crate::farkas;
use crate::interpolate;
use crate::machine::ProductMachine;
use crate::order::PreferenceOrder;
use crate::path::{self, PathFeasibility};
use crate::proof_tree;
use crate::propose;
use crate::search::{AbstractPath, Exploration, Tree};
use crate::text;

/// How far an attempt goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttemptLimits {
    pub rounds: u32,
    pub nodes: usize,
    pub predicates: usize,
    pub path: usize,
}

impl Default for AttemptLimits {
    fn default() -> Self {
        Self { rounds: 120, nodes: 30_000, predicates: 240, path: 200 }
    }
}

/// What an attempt came to.
#[derive(Clone, Debug)]
pub enum Conclusion {
    /// No execution violates any of the properties.
    Proved,
    /// This schedule should lead to a violation.
    Violated(Property, Schedule),
    /// An execution reaches something that is not representable: no order helps.
    Unsupported(String),
    /// Why this attempt has no answer.
    Unknown(String),
}

/// An order, and how far it has been followed.
pub struct Pursuit {
    pub order: PreferenceOrder,
    /// What is known of paths in this order, by the numbers that the attempt gave.
    predicates: Vec<u32>,
    rounds: u32,
}

impl Pursuit {
    pub fn new(order: PreferenceOrder) -> Self {
        Self { order, predicates: Vec::new(), rounds: 0 }
    }
}

pub struct Attempt<'p> {
    abstraction: PredicateAbstraction<'p>,
    pub statistics: Statistics,
    /// For people who want to see what is going on.
    pub log: Option<Vec<String>>,
    /// Whether to keep the tree of a proof.
    pub keeps_proof: bool,
    /// The tree of the proof, or why it cannot be told.
    pub proof: Option<Result<ProofFile, String>>,
}

impl<'p> Attempt<'p> {
    pub fn new(analyses: &Analyses<'p>, properties: PropertySet) -> Self {
        let machine = ProductMachine::new(analyses, properties);
        Self {
            abstraction: PredicateAbstraction::new(machine),
            statistics: Statistics::new(),
            log: None,
            keeps_proof: false,
            proof: None,
        }
    }

    /// Whether the obligations of a changed proof of the last attempt hold, as the engine sees them.
    pub fn recheck(&mut self, file: &ProofFile, budget: &Budget) -> Result<bool, StopReason> {
        proof_tree::holds(&mut self.abstraction, file, budget)
    }

    /// An attempt from the beginning in this order. What is known of the program is kept from the attempts before.
    pub fn run(
        &mut self,
        order: &PreferenceOrder,
        limits: AttemptLimits,
        budget: &Budget,
    ) -> Result<Conclusion, StopReason> {
        self.go_on(&mut Pursuit::new(order.clone()), limits, budget)
    }

    /// Goes on in an order where the budget ended the last time.
    pub fn go_on(
        &mut self,
        pursuit: &mut Pursuit,
        limits: AttemptLimits,
        budget: &Budget,
    ) -> Result<Conclusion, StopReason> {
        let questions = self.abstraction.oracle.questions;
        self.abstraction.follow(std::mem::take(&mut pursuit.predicates));
        self.abstraction.machine.divides = !self.keeps_proof;
        self.abstraction.machine.stores = !self.keeps_proof;
        self.statistics.count("interp: attempts", 1);
        let result = self.rounds(pursuit, limits, budget);
        pursuit.predicates = self.abstraction.followed().to_vec();
        self.statistics.count("interp: questions", self.abstraction.oracle.questions - questions);
        self.statistics.count("interp: predicates", self.abstraction.followed().len() as u64);
        result
    }

    /// Orders that the program suggests, as far as it has been looked at.
    pub fn suggested_orders(&self) -> Vec<PreferenceOrder> {
        propose::orders(&self.abstraction.machine)
    }

    fn note(&mut self, text: impl FnOnce(&PredicateAbstraction<'p>) -> String) {
        if let Some(log) = &mut self.log {
            log.push(text(&self.abstraction));
        }
    }

    fn note_new(&mut self, before: usize, how: &str) {
        self.note(|abstraction| {
            let new = &abstraction.followed()[before..];
            let texts: Vec<String> = new.iter().map(|&index| format!("    {}", abstraction.text(index))).collect();
            format!("  {how}\n{}", texts.join("\n"))
        });
    }

    fn rounds(
        &mut self,
        pursuit: &mut Pursuit,
        limits: AttemptLimits,
        budget: &Budget,
    ) -> Result<Conclusion, StopReason> {
        let order = pursuit.order.clone();
        loop {
            let tree = Tree::new(order.clone(), true);
            let mut tree = if self.keeps_proof { tree.following_all() } else { tree };
            let explored = tree.explore(&mut self.abstraction, limits.nodes, budget)?;
            self.statistics.count("interp: states", tree.nodes.len() as u64);
            let path = match explored {
                Exploration::Safe => {
                    self.note(|_| format!("proved with {} states", tree.nodes.len()));
                    self.statistics.count("interp: states of the proof", tree.nodes.len() as u64);
                    self.proof = self.keeps_proof.then(|| proof_tree::proof(&mut self.abstraction, &tree));
                    return Ok(Conclusion::Proved);
                }
                Exploration::TooManyNodes => return Ok(Conclusion::Unknown("too many states".to_owned())),
                Exploration::Outdated => {
                    self.abstraction.machine.forget_moves();
                    self.abstraction.forget_controls();
                    continue;
                }
                Exploration::Error(path) => path,
            };
            self.note(|abstraction| describe(abstraction, &path, tree.nodes.len()));
            if pursuit.rounds == 0 {
                let before = self.abstraction.followed().len();
                for predicate in propose::predicates(&mut self.abstraction.machine) {
                    self.abstraction.add(predicate);
                }
                self.note_new(before, "suggested");
            }
            if let Some(conclusion) = self.refine(&order, &path, limits, budget)? {
                return Ok(conclusion);
            }
            pursuit.rounds += 1;
            self.statistics.count("interp: refinements", 1);
            if pursuit.rounds >= limits.rounds || self.abstraction.followed().len() > limits.predicates {
                return Ok(Conclusion::Unknown("too many refinements".to_owned()));
            }
        }
    }

    /// Excludes a path, or says why that cannot be done.
    fn refine(
        &mut self,
        order: &PreferenceOrder,
        path: &AbstractPath,
        limits: AttemptLimits,
        budget: &Budget,
    ) -> Result<Option<Conclusion>, StopReason> {
        if path.edges.len() > limits.path {
            return Ok(Some(Conclusion::Unknown("a long path".to_owned())));
        }
        let abstraction = &mut self.abstraction;
        let unrolled = path::unroll(abstraction, &path.edges);
        let last = path.edges[path.edges.len() - 1];
        let end = abstraction.machine.edge(last).end.clone();
        match (path::feasibility(abstraction, &path.edges, &unrolled, budget)?, end) {
            (PathFeasibility::Infeasible, _) => {}
            (_, EdgeEnd::Limit(what)) => return Ok(Some(Conclusion::Unsupported(what.to_string()))),
            (PathFeasibility::Feasible(schedule), EdgeEnd::Error(property)) => {
                return Ok(Some(Conclusion::Violated(property, schedule)));
            }
            (PathFeasibility::Feasible(_) | PathFeasibility::FeasibleSummary, _) => {
                return Ok(Some(Conclusion::Unsupported("an error behind a loop that was summarised".to_owned())));
            }
        }
        let before = abstraction.followed().len();
        if order.reduces() && commutation::learn(abstraction, order, path, &unrolled, budget)? {
            self.statistics.count("interp: conditions of commutation", 1);
            self.note_new(before, "conditions of commutation");
            return Ok(None);
        }
        interpolate::add_guards(&mut self.abstraction, path);
        for with_lemmas in [true, false] {
            let found = farkas::interpolants(&mut self.abstraction, path, &unrolled, with_lemmas, budget)?;
            for predicates in [found.first, found.second] {
                let known = self.abstraction.followed().len();
                for predicate in predicates {
                    self.abstraction.add(predicate);
                }
                let is_new = self.abstraction.followed().len() > known.min(before);
                if is_new && interpolate::excludes(&mut self.abstraction, path, budget)? {
                    self.statistics.count("interp: Farkas interpolants", 1);
                    self.note_new(before, "Farkas");
                    return Ok(None);
                }
            }
            self.note_new(before, "Farkas, which does not exclude the path");
        }
        if interpolate::add_residues(&mut self.abstraction, path)
            && interpolate::excludes(&mut self.abstraction, path, budget)?
        {
            self.statistics.count("interp: residues", 1);
            self.note_new(before, "residues");
            return Ok(None);
        }
        let abstraction = &mut self.abstraction;
        let core = interpolate::minimal_core(abstraction, &unrolled, budget)?;
        for condition in interpolate::weakest_preconditions(abstraction, &path.edges, &unrolled, &core) {
            abstraction.add(condition);
        }
        self.statistics.count("interp: weakest preconditions", 1);
        let abstraction = &mut self.abstraction;
        let excluded = interpolate::excludes(abstraction, path, budget)?;
        self.note_new(before, "weakest preconditions");
        if excluded { Ok(None) } else { Ok(Some(Conclusion::Unknown("a path that no predicate excludes".to_owned()))) }
    }
}

fn describe(abstraction: &PredicateAbstraction<'_>, path: &AbstractPath, nodes: usize) -> String {
    let step = |(index, &edge): (usize, &_)| {
        let edge = abstraction.machine.edge(edge);
        let held: Vec<String> = path.held[index].iter().map(|&index| abstraction.text(index)).collect();
        let sleeping = path.sleep[index].iter().map(|&id| {
            let edge = abstraction.machine.edge(id);
            format!("T{} at {} if {}", edge.thread, edge.from, text::term(&abstraction.machine.vocabulary, edge.guard))
        });
        let sleeping: Vec<String> = sleeping.collect();
        format!(
            "  [{}]\n  T{} at {} (turn {}; asleep: {})",
            held.join("; "),
            edge.thread,
            edge.from,
            path.turns[index],
            sleeping.join(", ")
        )
    };
    let steps: Vec<String> = path.edges.iter().enumerate().map(step).collect();
    format!("error after {nodes} states:\n{}", steps.join("\n"))
}

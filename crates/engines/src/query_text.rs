//! A query as text for other solvers: what is asked of ours about one property within one bound.

use std::io::{self, Write};

use events::EventGraph;
use program::Property;
use solve::{ClauseSink, Dimacs, Lit};
use terms::{TermId, write_smtlib};

/// The first question within a bound: is there a violation inside all cuts?
pub struct QueryText<'a> {
    pub property: Property,
    /// The largest number of rounds in force.
    pub unwind: u32,
    pub graph: &'a EventGraph,
    /// Everything that was given to the solver.
    pub clauses: &'a Dimacs,
    /// What is assumed: the goal, and that no cut is passed.
    pub assumptions: &'a [Lit],
    /// Whether the clauses say everything, order included.
    pub is_complete: bool,
}

impl QueryText<'_> {
    /// DIMACS, the assumptions as unit clauses.
    pub fn write_cnf(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "c {} up to {} iterations of each loop", self.property, self.unwind)?;
        if !self.is_complete {
            writeln!(out, "c the order of events is decided by a theory and is not part of this file:")?;
            writeln!(
                out,
                "c no model means that the property holds within the bound; a model need not be an execution"
            )?;
        }
        let mut all = self.clauses.clone();
        self.assumptions.iter().for_each(|&lit| all.add_clause(&[lit]));
        all.write_to(out)
    }

    /// SMT-LIB 2 in QF_BV, from the terms that the clauses were made of.
    pub fn write_smt2(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "; {} up to {} iterations of each loop", self.property, self.unwind)?;
        writeln!(out, "; values, control and read-from; the order of events is not part of this file:")?;
        writeln!(out, "; unsat means that the property holds within the bound; a model need not be an execution")?;
        let cuts: Vec<TermId> = self.graph.cuts.iter().map(|cut| cut.literal).collect();
        let (terms, assertions) = events::query_terms(self.graph, self.property, &cuts);
        write_smtlib(&terms, &assertions, out)
    }
}

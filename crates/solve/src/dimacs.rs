//! Sinks that do not solve: one counts, one keeps the clauses and writes them as DIMACS.

use std::io::{self, Write};

use crate::{ClauseSink, Lit, Var};

/// Counts what a solver would get.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClauseCounter {
    pub variables: u32,
    pub clauses: u64,
    pub literals: u64,
}

impl ClauseSink for ClauseCounter {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var::new(self.variables)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.clauses += 1;
        self.literals += clause.len() as u64;
    }
}

/// Keeps clauses in one flat array; [`Dimacs::write_to`] prints them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Dimacs {
    variables: u32,
    literals: Vec<Lit>,
    /// End of each clause in `literals`.
    ends: Vec<usize>,
}

impl Dimacs {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn variables(&self) -> u32 {
        self.variables
    }

    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        (0..self.ends.len()).map(|index| {
            let start = if index == 0 { 0 } else { self.ends[index - 1] };
            &self.literals[start..self.ends[index]]
        })
    }

    /// The DIMACS CNF text: header, then one clause per line.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "p cnf {} {}", self.variables, self.ends.len())?;
        for clause in self.clauses() {
            for literal in clause {
                write!(out, "{literal} ")?;
            }
            writeln!(out, "0")?;
        }
        Ok(())
    }
}

impl ClauseSink for Dimacs {
    fn new_var(&mut self) -> Var {
        self.variables += 1;
        Var::new(self.variables)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        let greatest = clause.iter().map(|literal| literal.var().number()).max();
        self.variables = self.variables.max(greatest.unwrap_or(0));
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimacs_text() {
        let mut cnf = Dimacs::new();
        let (a, b) = (cnf.new_var(), cnf.new_var());
        cnf.add_clause(&[a.positive(), b.negative()]);
        cnf.add_clause(&[]);
        let mut text = Vec::new();
        cnf.write_to(&mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "p cnf 2 2\n1 -2 0\n0\n");
    }
}

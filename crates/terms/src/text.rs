//! The text form of the terms that something else refers to. A term that is used once is spelled out where it is used; one that
//! is used more often, or that nests deeply, has a definition and is referred to by name. [`TermReader`](crate::TermReader)
//! reads it back.
//!
//! ```text
//! variable main.x#0 32
//! %0 = (bvadd main.x#0 1:32)
//! ```

use std::fmt;

use base::Id;
use rustc_hash::FxHashMap;

use crate::arena::Terms;
use crate::operator_names::{BINARY, RELATIONS, UNARY, name_of};
use crate::term::{Sort, Term, TermId, VariableId};

/// Terms that nest more deeply than this are divided by a name.
const MAX_NESTING: u32 = 5;

/// Names for terms and variables in one text.
pub struct TermText<'a> {
    terms: &'a Terms,
    /// The terms that have a definition, in the order of their ids, and their numbers.
    defined: Vec<TermId>,
    numbers: FxHashMap<TermId, usize>,
    variables: FxHashMap<VariableId, usize>,
}

impl<'a> TermText<'a> {
    /// Text for all that is under `uses`, which has a term as often as it will be referred to.
    pub fn new(terms: &'a Terms, uses: impl IntoIterator<Item = TermId>) -> Self {
        let counts = count_uses(terms, uses);
        let mut text =
            Self { terms, defined: Vec::new(), numbers: FxHashMap::default(), variables: FxHashMap::default() };
        // How deep each term nests if it is spelled out. Operands have smaller ids.
        let mut nesting = vec![0; counts.len()];
        for (index, &count) in counts.iter().enumerate().filter(|&(_, &count)| count > 0) {
            let (id, term) = (TermId::new(index), terms.get(TermId::new(index)));
            match term {
                Term::Boolean(_) | Term::Constant { .. } => continue,
                Term::Variable(variable) => {
                    let number = text.variables.len();
                    text.variables.insert(variable, number);
                    continue;
                }
                _ => nesting[index] = 1 + term.operands().map(|operand| nesting[operand.index()]).max().unwrap_or(0),
            }
            if count > 1 || nesting[index] > MAX_NESTING {
                text.numbers.insert(id, text.defined.len());
                text.defined.push(id);
                nesting[index] = 0;
            }
        }
        text
    }

    /// Declarations of variables and definitions of terms, one per line, operands first.
    pub fn write_definitions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut variables: Vec<(usize, VariableId)> =
            self.variables.iter().map(|(&id, &number)| (number, id)).collect();
        variables.sort_unstable();
        for (_, variable) in variables {
            let term = self.terms.variable_term(variable);
            match self.terms.sort(term) {
                Sort::Bool => writeln!(f, "variable {} Bool", self.show(term))?,
                Sort::BitVec(width) => writeln!(f, "variable {} {width}", self.show(term))?,
                Sort::Array(_) => unreachable!("arrays should be read element by element"),
            }
        }
        for (number, &term) in self.defined.iter().enumerate() {
            write!(f, "%{number} = ")?;
            self.write_node(f, term)?;
            writeln!(f)?;
        }
        Ok(())
    }

    /// How others refer to a term.
    pub fn show(&self, term: TermId) -> Shown<'_> {
        Shown { text: self, term }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, term: TermId) -> fmt::Result {
        match self.numbers.get(&term) {
            Some(number) => write!(f, "%{number}"),
            None => self.write_node(f, term),
        }
    }

    fn write_node(&self, f: &mut fmt::Formatter<'_>, id: TermId) -> fmt::Result {
        let term = self.terms.get(id);
        match term {
            Term::Boolean(value) => return write!(f, "{value}"),
            Term::Constant { width, value } => return write!(f, "{value}:{width}"),
            Term::Variable(variable) => {
                let name = plain_name(self.terms.variable_name(variable));
                return write!(f, "{name}#{}", self.variables[&variable]);
            }
            Term::Not(_) => write!(f, "(not")?,
            Term::And(..) => write!(f, "(and")?,
            Term::Xor(..) => write!(f, "(xor")?,
            Term::Ite(..) => write!(f, "(ite")?,
            Term::Unary(op, _) => write!(f, "({}", name_of(&UNARY, op))?,
            Term::Binary(op, ..) => write!(f, "({}", name_of(&BINARY, op))?,
            Term::Compare(relation, ..) => write!(f, "({}", name_of(&RELATIONS, relation))?,
            Term::Concat(..) => write!(f, "(concat")?,
            Term::Extract { high, low, .. } => write!(f, "(extract {high} {low}")?,
            Term::SignExtend { width, .. } => write!(f, "(sign_extend {width}")?,
            Term::Filled(_) | Term::Store(..) => unreachable!("arrays should be read element by element"),
        }
        for operand in term.operands() {
            f.write_str(" ")?;
            self.write(f, operand)?;
        }
        f.write_str(")")
    }
}

/// A term as the text has it.
pub struct Shown<'a> {
    text: &'a TermText<'a>,
    term: TermId,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.write(f, self.term)
    }
}

/// How often each term is used, by id.
fn count_uses(terms: &Terms, uses: impl IntoIterator<Item = TermId>) -> Vec<u32> {
    let mut counts = vec![0; terms.len()];
    for term in uses {
        counts[term.index()] += 1;
    }
    for index in (0..counts.len()).rev() {
        if counts[index] > 0 {
            for operand in terms.get(TermId::new(index)).operands() {
                counts[operand.index()] += 1;
            }
        }
    }
    counts
}

/// The name with all characters replaced that mean something in the text.
fn plain_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_.$-".contains(c) { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') { name } else { format!("_{name}") }
}

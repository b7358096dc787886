//! SMT-LIB 2 text of a set of assertions, in QF_BV. Every inner node is one `define-fun`, so that the text is as long as
//! the graph, not as long as the tree.

use std::io::{self, Write};

use base::Id;

use crate::arena::Terms;
use crate::operator_names::{BINARY, UNARY, name_of};
use crate::term::{Relation, Term, TermId, VariableId};

/// Writes declarations, definitions, one `assert` per term of `assertions`, and `check-sat`.
pub fn write_smtlib(terms: &Terms, assertions: &[TermId], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "(set-logic QF_BV)")?;
    for term in cone(terms, assertions) {
        write_definition(terms, term, out)?;
    }
    for &assertion in assertions {
        writeln!(out, "(assert {})", name(terms, assertion))?;
    }
    writeln!(out, "(check-sat)")
}

/// All terms under `roots`, operands first.
fn cone(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut reached = vec![false; terms.len()];
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if !std::mem::replace(&mut reached[term.index()], true) {
            stack.extend(terms.get(term).operands());
        }
    }
    // Operands have smaller ids, so the order of ids will do.
    (0..terms.len()).filter(|&index| reached[index]).map(TermId::new).collect()
}

fn write_definition(terms: &Terms, term: TermId, out: &mut dyn Write) -> io::Result<()> {
    let (own, sort) = (name(terms, term), terms.sort(term));
    match terms.get(term) {
        Term::Boolean(_) | Term::Constant { .. } => Ok(()),
        Term::Variable(_) => writeln!(out, "(declare-const {own} {sort})"),
        node => writeln!(out, "(define-fun {own} () {sort} {})", expression(terms, node)),
    }
}

/// How other terms refer to a term.
fn name(terms: &Terms, term: TermId) -> String {
    match terms.get(term) {
        Term::Boolean(value) => value.to_string(),
        Term::Constant { width, value } => format!("(_ bv{value} {width})"),
        Term::Variable(variable) => variable_symbol(terms, variable),
        _ => term.to_string(),
    }
}

/// A simple symbol that no other variable has: the name with strange characters replaced, and the variable's number.
fn variable_symbol(terms: &Terms, variable: VariableId) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() || "_.$".contains(c) { c } else { '_' };
    let symbol: String = terms.variable_name(variable).chars().map(allowed).collect();
    let prefix = if symbol.starts_with(|c: char| !c.is_ascii_digit() && c != '.') { "" } else { "_" };
    format!("{prefix}{symbol}!{}", variable.index())
}

fn expression(terms: &Terms, node: Term) -> String {
    let name = |term: TermId| name(terms, term);
    match node {
        Term::Boolean(_) | Term::Constant { .. } | Term::Variable(_) => {
            unreachable!("leaves should have no definition")
        }
        Term::Not(a) => format!("(not {})", name(a)),
        Term::And(a, b) => format!("(and {} {})", name(a), name(b)),
        Term::Xor(a, b) => format!("(xor {} {})", name(a), name(b)),
        Term::Ite(c, a, b) => format!("(ite {} {} {})", name(c), name(a), name(b)),
        Term::Unary(op, a) => format!("({} {})", name_of(&UNARY, op), name(a)),
        Term::Binary(op, a, b) => format!("({} {} {})", name_of(&BINARY, op), name(a), name(b)),
        Term::Compare(relation, a, b) => comparison(relation, &name(a), &name(b), terms.width(a)),
        Term::Concat(a, b) => format!("(concat {} {})", name(a), name(b)),
        Term::Extract { arg, high, low } => format!("((_ extract {high} {low}) {})", name(arg)),
        Term::SignExtend { arg, width } => {
            format!("((_ sign_extend {}) {})", u32::from(width) - terms.width(arg), name(arg))
        }
        Term::Filled(_) | Term::Store(..) => unreachable!("arrays should be read element by element"),
    }
}

/// Overflow is written out with the double width: not every solver knows the newer predicates.
fn comparison(relation: Relation, a: &str, b: &str, width: u32) -> String {
    let product = |extension: &str| format!("(bvmul ((_ {extension} {width}) {a}) ((_ {extension} {width}) {b}))");
    let (top, sign) = (2 * width - 1, width - 1);
    match relation {
        Relation::Eq => format!("(= {a} {b})"),
        Relation::Ult => format!("(bvult {a} {b})"),
        Relation::Slt => format!("(bvslt {a} {b})"),
        Relation::UmulOverflow => {
            format!("(not (= ((_ extract {top} {width}) {}) (_ bv0 {width})))", product("zero_extend"))
        }
        Relation::SmulOverflow => format!(
            "(let ((p {})) (not (= p ((_ sign_extend {width}) ((_ extract {sign} 0) p)))))",
            product("sign_extend")
        ),
    }
}

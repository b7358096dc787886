//! Proofs as text: a line for each entry of each table, in the order of the tables.

use std::fmt::{self, Display, Formatter, Write};

use base::Id;
use program::Location;
use terms::{BinaryOp, Relation, UnaryOp};

use crate::file::{ProofClaim, ProofFile, ProofNode, ProofObjectKey, ProofStep, ProofTerm, ProofVariable};
use crate::header::{NAME, VERSION, checksum};

pub const UNARY: [(UnaryOp, &str); 2] = [(UnaryOp::Not, "bvnot"), (UnaryOp::Neg, "bvneg")];

pub const BINARY: [(BinaryOp, &str); 13] = [
    (BinaryOp::Add, "bvadd"),
    (BinaryOp::Sub, "bvsub"),
    (BinaryOp::Mul, "bvmul"),
    (BinaryOp::Udiv, "bvudiv"),
    (BinaryOp::Urem, "bvurem"),
    (BinaryOp::Sdiv, "bvsdiv"),
    (BinaryOp::Srem, "bvsrem"),
    (BinaryOp::Shl, "bvshl"),
    (BinaryOp::Lshr, "bvlshr"),
    (BinaryOp::Ashr, "bvashr"),
    (BinaryOp::And, "bvand"),
    (BinaryOp::Or, "bvor"),
    (BinaryOp::Xor, "bvxor"),
];

pub const RELATIONS: [(Relation, &str); 5] = [
    (Relation::Eq, "="),
    (Relation::Ult, "bvult"),
    (Relation::Slt, "bvslt"),
    (Relation::UmulOverflow, "bvumulo"),
    (Relation::SmulOverflow, "bvsmulo"),
];

fn name_of<T: Copy + PartialEq>(table: &[(T, &'static str)], operator: T) -> &'static str {
    table.iter().find(|(known, _)| *known == operator).map_or("", |(_, name)| name)
}

impl Display for ProofFile {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = self.body()?;
        writeln!(f, "{text}end {}", checksum(&text))
    }
}

impl ProofFile {
    /// All but the last line.
    fn body(&self) -> Result<String, fmt::Error> {
        let mut f = String::new();
        writeln!(f, "{NAME} {VERSION}")?;
        writeln!(f, "program {} {}", self.model, self.program)?;
        let properties: Vec<&str> = self.properties.iter().map(|property| property.name()).collect();
        writeln!(f, "properties {}", properties.join(" "))?;
        for object in &self.objects {
            writeln!(f, "object {}{}", if object.is_array { "array " } else { "" }, ObjectText(object.key))?;
        }
        for (object, offset, bytes) in &self.cells {
            writeln!(f, "cell {object} {offset} {bytes}")?;
        }
        for (object, offset, bytes) in &self.sync_objects {
            writeln!(f, "sync-object {object} {offset} {bytes}")?;
        }
        for term in &self.terms {
            writeln!(f, "term {}", TermWords(term))?;
        }
        for term in &self.predicates {
            writeln!(f, "predicate {term}")?;
        }
        for claims in &self.claims {
            f.write_str("claims")?;
            for (variable, claim) in claims {
                write!(f, " {} {}", VariableText(variable), ClaimText(claim))?;
            }
            f.write_str("\n")?;
        }
        for step in &self.steps {
            writeln!(f, "{}", StepText(step))?;
        }
        for node in &self.nodes {
            writeln!(f, "{}", NodeText(node))?;
        }
        Ok(f)
    }
}

struct ObjectText(ProofObjectKey);

impl Display for ObjectText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            ProofObjectKey::Function(function) => write!(f, "function {}", function.index()),
            ProofObjectKey::Global(global) => write!(f, "global {}", global.index()),
            ProofObjectKey::ThreadLocal(global, thread) => write!(f, "thread-local {} {thread}", global.index()),
            ProofObjectKey::Local { thread, depth, function, local } => {
                write!(f, "local {thread} {depth} {} {}", function.index(), local.index())
            }
            ProofObjectKey::Allocated { thread, location, ordinal } => {
                write!(f, "allocated {thread} {} {ordinal}", LocationText(location))
            }
        }
    }
}

struct LocationText(Location);

impl Display for LocationText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.0.function.index(), self.0.block.index(), self.0.index)
    }
}

struct VariableText<'a>(&'a ProofVariable);

impl Display for VariableText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            ProofVariable::Register { thread, depth, function, register } => {
                write!(f, "register {thread} {depth} {} {}", function.index(), register.index())
            }
            ProofVariable::Cell { object, offset, bytes } => write!(f, "cell {object} {offset} {bytes}"),
            ProofVariable::Result { thread } => write!(f, "result {thread}"),
        }
    }
}

struct ClaimText<'a>(&'a ProofClaim);

impl Display for ClaimText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            ProofClaim::Pointer(object, Some(offset)) => write!(f, "at {object} {offset}"),
            ProofClaim::Pointer(object, None) => write!(f, "in {object}"),
            ProofClaim::Number(number) => write!(f, "is {number}"),
            ProofClaim::Lost => f.write_str("lost"),
        }
    }
}

struct TermWords<'a>(&'a ProofTerm);

impl Display for TermWords<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self.0 {
            ProofTerm::Boolean(value) => write!(f, "{value}"),
            ProofTerm::Constant { width, value } => write!(f, "constant {width} {value}"),
            ProofTerm::Variable(ref variable, bits) => write!(f, "variable {bits} {}", VariableText(variable)),
            ProofTerm::Element { array, bytes, place } => write!(f, "element {array} {bytes} {place}"),
            ProofTerm::Not(a) => write!(f, "not {a}"),
            ProofTerm::And(a, b) => write!(f, "and {a} {b}"),
            ProofTerm::Xor(a, b) => write!(f, "xor {a} {b}"),
            ProofTerm::Ite(condition, a, b) => write!(f, "ite {condition} {a} {b}"),
            ProofTerm::Unary(op, a) => write!(f, "{} {a}", name_of(&UNARY, op)),
            ProofTerm::Binary(op, a, b) => write!(f, "{} {a} {b}", name_of(&BINARY, op)),
            ProofTerm::Compare(relation, a, b) => write!(f, "{} {a} {b}", name_of(&RELATIONS, relation)),
            ProofTerm::Concat(a, b) => write!(f, "concat {a} {b}"),
            ProofTerm::Extract { arg, high, low } => write!(f, "extract {arg} {high} {low}"),
            ProofTerm::SignExtend { arg, width } => write!(f, "sign-extend {arg} {width}"),
        }
    }
}

struct StepText<'a>(&'a ProofStep);

impl Display for StepText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ProofStep { thread, trail, end, choices } = self.0;
        write!(f, "step {thread}")?;
        let mut rest = trail.as_slice();
        while let Some(&first) = rest.first() {
            // Instructions behind each other are one word: function, block, first and last.
            let follows = |&(index, at): &(usize, &Location)| {
                at.function == first.function && at.block == first.block && at.index == first.index + index as u32
            };
            let length = rest.iter().enumerate().take_while(follows).count();
            let last = first.index + length as u32 - 1;
            write!(f, " {}.{}.{}-{last}", first.function.index(), first.block.index(), first.index)?;
            rest = &rest[length..];
        }
        match end {
            Some(end) => write!(f, " to {}", LocationText(*end))?,
            None => f.write_str(" ends")?,
        }
        choices.iter().try_for_each(|choice| write!(f, " {choice}"))
    }
}

struct NodeText<'a>(&'a ProofNode);

impl Display for NodeText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ProofNode { claims, held, sleep, moves, covered_by } = self.0;
        write!(f, "node {claims}")?;
        for (name, numbers) in [("held", held), ("sleep", sleep)] {
            if !numbers.is_empty() {
                write!(f, " {name}")?;
            }
            numbers.iter().try_for_each(|number| write!(f, " {number}"))?;
        }
        if !moves.is_empty() {
            f.write_str(" moves")?;
        }
        moves.iter().try_for_each(|(step, to)| write!(f, " {step} {to}"))?;
        covered_by.map_or(Ok(()), |other| write!(f, " covered {other}"))
    }
}

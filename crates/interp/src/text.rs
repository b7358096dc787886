//! Terms for people.

use terms::{BinaryOp, Relation, Term, TermId, UnaryOp};

use crate::vocabulary::Vocabulary;

/// Deeper parts are left out.
const MAX_DEPTH: u32 = 12;

pub fn term(vocabulary: &Vocabulary<'_>, id: TermId) -> String {
    write(vocabulary, id, 0)
}

fn write(vocabulary: &Vocabulary<'_>, id: TermId, depth: u32) -> String {
    if depth > MAX_DEPTH {
        return "…".to_owned();
    }
    let of = |id: TermId| write(vocabulary, id, depth + 1);
    match vocabulary.terms.get(id) {
        Term::Boolean(value) => value.to_string(),
        Term::Constant { width, value } => signed(width, value).to_string(),
        Term::Variable(variable) => match vocabulary.meaning(variable) {
            crate::vocabulary::Meaning::Read { place, .. } => {
                let name = vocabulary.name(variable);
                format!("{}[{}]", name.split('[').next().unwrap_or_default(), of(place))
            }
            _ => vocabulary.name(variable),
        },
        Term::Not(a) => match vocabulary.terms.get(a) {
            Term::Compare(Relation::Eq, a, b) => format!("{} != {}", of(a), of(b)),
            Term::Compare(Relation::Slt, a, b) => format!("{} <= {}", of(b), of(a)),
            Term::Compare(Relation::Ult, a, b) => format!("{} <=u {}", of(b), of(a)),
            _ => format!("!({})", of(a)),
        },
        Term::And(a, b) => format!("({} && {})", of(a), of(b)),
        Term::Xor(a, b) => format!("({} xor {})", of(a), of(b)),
        Term::Ite(c, a, b) => format!("({} ? {} : {})", of(c), of(a), of(b)),
        Term::Unary(UnaryOp::Not, a) => format!("~{}", of(a)),
        Term::Unary(UnaryOp::Neg, a) => format!("-{}", of(a)),
        Term::Binary(op, a, b) => format!("({} {} {})", of(a), operator(op), of(b)),
        Term::Compare(relation, a, b) => {
            let sign = match relation {
                Relation::Eq => "==",
                Relation::Ult => "<u",
                Relation::Slt => "<",
                Relation::UmulOverflow => "umul-overflows",
                Relation::SmulOverflow => "smul-overflows",
            };
            format!("{} {sign} {}", of(a), of(b))
        }
        Term::Concat(a, b) => format!("({} . {})", of(a), of(b)),
        Term::Extract { arg, high, low } => format!("{}[{high}:{low}]", of(arg)),
        Term::SignExtend { arg, .. } => of(arg),
        Term::Filled(element) => format!("[{}, …]", of(element)),
        Term::Store(array, index, element) => format!("{}[{} := {}]", of(array), of(index), of(element)),
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Udiv | BinaryOp::Sdiv => "/",
        BinaryOp::Urem | BinaryOp::Srem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Lshr | BinaryOp::Ashr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
    }
}

pub fn signed(width: u8, value: u64) -> i64 {
    let shift = 64 - u32::from(width);
    ((value << shift) as i64) >> shift
}

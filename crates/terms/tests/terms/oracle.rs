//! The operators once more, written as slowly and differently as possible: over unbounded integers, from the text of
//! the SMT-LIB standard.

use terms::{BinaryOp, Relation, Term, TermId, Terms, UnaryOp};

fn modulo(width: u32, value: i128) -> u64 {
    value.rem_euclid(1i128 << width) as u64
}

pub fn signed(width: u32, value: u64) -> i128 {
    let value = i128::from(value);
    if value >= 1i128 << (width - 1) { value - (1i128 << width) } else { value }
}

pub fn unary(op: UnaryOp, width: u32, a: u64) -> u64 {
    match op {
        UnaryOp::Not => modulo(width, -1 - i128::from(a)),
        UnaryOp::Neg => modulo(width, -i128::from(a)),
    }
}

pub fn binary(op: BinaryOp, width: u32, a: u64, b: u64) -> u64 {
    let (x, y) = (i128::from(a), i128::from(b));
    let (sx, sy) = (signed(width, a), signed(width, b));
    let distance = y.min(i128::from(width)) as u32;
    match op {
        BinaryOp::Add => modulo(width, x + y),
        BinaryOp::Sub => modulo(width, x - y),
        BinaryOp::Mul => (u128::from(a) * u128::from(b) % (1u128 << width)) as u64,
        BinaryOp::Udiv => modulo(width, if y == 0 { -1 } else { x / y }),
        BinaryOp::Urem => modulo(width, if y == 0 { x } else { x % y }),
        BinaryOp::Sdiv => modulo(
            width,
            if sy != 0 {
                sx / sy
            } else if sx < 0 {
                1
            } else {
                -1
            },
        ),
        BinaryOp::Srem => modulo(width, if sy == 0 { sx } else { sx % sy }),
        BinaryOp::Shl => ((u128::from(a) << distance) % (1u128 << width)) as u64,
        BinaryOp::Lshr => (u128::from(a) >> distance) as u64,
        BinaryOp::Ashr => modulo(width, sx >> distance),
        BinaryOp::And => from_bits(width, |i| bit(a, i) && bit(b, i)),
        BinaryOp::Or => from_bits(width, |i| bit(a, i) || bit(b, i)),
        BinaryOp::Xor => from_bits(width, |i| bit(a, i) != bit(b, i)),
    }
}

pub fn compare(relation: Relation, width: u32, a: u64, b: u64) -> bool {
    let (sx, sy) = (signed(width, a), signed(width, b));
    match relation {
        Relation::Eq => (0..width).all(|i| bit(a, i) == bit(b, i)),
        Relation::Ult => a < b,
        Relation::Slt => sx < sy,
        Relation::UmulOverflow => u128::from(a) * u128::from(b) >= 1u128 << width,
        Relation::SmulOverflow => signed_overflow(width, sx * sy),
    }
}

pub fn signed_overflow(width: u32, result: i128) -> bool {
    result < -(1i128 << (width - 1)) || result >= 1i128 << (width - 1)
}

pub fn bit(value: u64, index: u32) -> bool {
    value >> index & 1 == 1
}

pub fn from_bits(width: u32, bit: impl Fn(u32) -> bool) -> u64 {
    (0..width).map(|i| u64::from(bit(i)) << i).sum()
}

/// One node, given the values of its operands; `variable` is its value if it is one.
pub fn node(terms: &Terms, node: Term, variable: u64, value: impl Fn(TermId) -> u64) -> u64 {
    match node {
        Term::Boolean(truth) => u64::from(truth),
        Term::Constant { value, .. } => value,
        Term::Variable(_) => variable,
        Term::Not(a) => 1 - value(a),
        Term::And(a, b) => value(a) * value(b),
        Term::Xor(a, b) => (value(a) + value(b)) % 2,
        Term::Ite(c, a, b) => value(if value(c) == 1 { a } else { b }),
        Term::Unary(op, a) => unary(op, terms.width(a), value(a)),
        Term::Binary(op, a, b) => binary(op, terms.width(a), value(a), value(b)),
        Term::Compare(relation, a, b) => u64::from(compare(relation, terms.width(a), value(a), value(b))),
        Term::Concat(a, b) => {
            let low = terms.width(b);
            from_bits(terms.width(a) + low, |i| if i < low { bit(value(b), i) } else { bit(value(a), i - low) })
        }
        Term::Extract { arg, high, low } => {
            from_bits(u32::from(high - low) + 1, |i| bit(value(arg), i + u32::from(low)))
        }
        Term::SignExtend { arg, width } => {
            let sign = terms.width(arg) - 1;
            from_bits(u32::from(width), |i| bit(value(arg), i.min(sign)))
        }
        Term::Filled(_) | Term::Store(..) => unreachable!("only elements of arrays should be evaluated"),
    }
}

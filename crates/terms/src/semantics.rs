//! The meaning of the operators on values. A bit-vector value is the low bits of a `u64`, all others zero.

use crate::term::{BinaryOp, Relation, UnaryOp};

/// All ones in `width` bits.
pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The value read as two's complement.
pub(crate) fn to_signed(width: u32, value: u64) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

/// The least signed value of the width, as bits.
pub(crate) fn signed_min(width: u32) -> u64 {
    1 << (width - 1)
}

pub(crate) fn unary(op: UnaryOp, width: u32, a: u64) -> u64 {
    let wide = match op {
        UnaryOp::Not => !a,
        UnaryOp::Neg => a.wrapping_neg(),
    };
    wide & mask(width)
}

pub(crate) fn binary(op: BinaryOp, width: u32, a: u64, b: u64) -> u64 {
    let (sa, sb) = (to_signed(width, a), to_signed(width, b));
    let in_range = b < u64::from(width);
    let wide = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Udiv => a.checked_div(b).unwrap_or(u64::MAX),
        BinaryOp::Urem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::Sdiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                u64::MAX
            }
        }
        BinaryOp::Sdiv => sa.wrapping_div(sb) as u64,
        BinaryOp::Srem if b == 0 => a,
        BinaryOp::Srem => sa.wrapping_rem(sb) as u64,
        BinaryOp::Shl => {
            if in_range {
                a << b
            } else {
                0
            }
        }
        BinaryOp::Lshr => {
            if in_range {
                a >> b
            } else {
                0
            }
        }
        BinaryOp::Ashr => (sa >> b.min(u64::from(width) - 1)) as u64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
    };
    wide & mask(width)
}

pub(crate) fn compare(relation: Relation, width: u32, a: u64, b: u64) -> bool {
    match relation {
        Relation::Eq => a == b,
        Relation::Ult => a < b,
        Relation::Slt => to_signed(width, a) < to_signed(width, b),
        Relation::UmulOverflow => u128::from(a) * u128::from(b) > u128::from(mask(width)),
        Relation::SmulOverflow => {
            let product = i128::from(to_signed(width, a)) * i128::from(to_signed(width, b));
            let limit = 1i128 << (width - 1);
            !(-limit..limit).contains(&product)
        }
    }
}

pub(crate) fn concat(low_width: u32, high: u64, low: u64) -> u64 {
    high << low_width | low
}

pub(crate) fn extract(high: u32, low: u32, value: u64) -> u64 {
    value >> low & mask(high - low + 1)
}

pub(crate) fn sign_extend(from: u32, to: u32, value: u64) -> u64 {
    to_signed(from, value) as u64 & mask(to)
}

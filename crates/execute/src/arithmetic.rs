//! The operators of the IR on bits: pure functions that also say when C calls the operation wrong.
//!
//! Every operation has a result even then (signed overflow wraps); the machine decides from the selected properties
//! whether the fault is a violation, ends the execution, or is passed over:
//! - division by zero and a shift count not below the width have no result worth going on with (zero here);
//! - a left shift of a negative value is a bad shift only; a left shift whose value does not fit is an overflow.

use program::{BinaryOp, CastOp, Type, UnaryOp};

use crate::value::{mask, sign_extend};

/// What C says is wrong with an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The exact result does not fit the signed type.
    Overflow,
    DivisionByZero,
    /// The count is negative or not below the width.
    ShiftCount,
    /// A negative value is shifted to the left.
    ShiftOfNegative,
}

pub type Computed = (u64, Option<Fault>);

pub fn unary(op: UnaryOp, ty: Type, bits: u8, operand: u64, signed: bool) -> Computed {
    match op {
        UnaryOp::Neg => {
            let fault = (signed && operand == 1 << (bits - 1)).then_some(Fault::Overflow);
            (operand.wrapping_neg() & mask(bits), fault)
        }
        UnaryOp::Not => (!operand & mask(bits), None),
        UnaryOp::FloatNeg => match ty {
            Type::Float => (operand ^ (1 << 31), None),
            _ => (operand ^ (1 << 63), None),
        },
    }
}

#[inline]
pub fn binary(op: BinaryOp, ty: Type, bits: u8, left: u64, right: u64, signed: bool) -> Computed {
    let all = mask(bits);
    match op {
        BinaryOp::Add => wrapped(left.wrapping_add(right), signed, bits, || {
            i128::from(sign_extend(left, bits)) + i128::from(sign_extend(right, bits))
        }),
        BinaryOp::Sub => wrapped(left.wrapping_sub(right), signed, bits, || {
            i128::from(sign_extend(left, bits)) - i128::from(sign_extend(right, bits))
        }),
        BinaryOp::Mul => wrapped(left.wrapping_mul(right), signed, bits, || {
            i128::from(sign_extend(left, bits)) * i128::from(sign_extend(right, bits))
        }),
        BinaryOp::Scale => (BinaryOp::scaled(bits, left, right), None),
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => divide(op, bits, left, right),
        BinaryOp::And => (left & right, None),
        BinaryOp::Or => (left | right, None),
        BinaryOp::Xor => (left ^ right, None),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => shift(op, bits, left, right, signed),
        BinaryOp::Eq => truth(left == right),
        BinaryOp::Ne => truth(left != right),
        BinaryOp::Ult => truth(left < right),
        BinaryOp::Ule => truth(left <= right),
        BinaryOp::Slt => truth(sign_extend(left, bits) < sign_extend(right, bits)),
        BinaryOp::Sle => truth(sign_extend(left, bits) <= sign_extend(right, bits)),
        _ => (float_binary(op, ty, left, right) & all.max(1), None),
    }
}

#[inline]
fn truth(value: bool) -> Computed {
    (u64::from(value), None)
}

#[inline]
fn wrapped(result: u64, signed: bool, bits: u8, exact: impl FnOnce() -> i128) -> Computed {
    let result = result & mask(bits);
    let overflows = signed && exact() != i128::from(sign_extend(result, bits));
    (result, overflows.then_some(Fault::Overflow))
}

fn divide(op: BinaryOp, bits: u8, left: u64, right: u64) -> Computed {
    if right == 0 {
        return (0, Some(Fault::DivisionByZero));
    }
    let (a, b) = (sign_extend(left, bits), sign_extend(right, bits));
    let overflow = (left == 1 << (bits - 1) && b == -1).then_some(Fault::Overflow);
    match op {
        BinaryOp::UDiv => (left / right, None),
        BinaryOp::URem => (left % right, None),
        BinaryOp::SDiv => (a.wrapping_div(b) as u64 & mask(bits), overflow),
        _ => (a.wrapping_rem(b) as u64 & mask(bits), overflow),
    }
}

fn shift(op: BinaryOp, bits: u8, left: u64, count: u64, signed: bool) -> Computed {
    if count >= u64::from(bits) {
        return (0, Some(Fault::ShiftCount));
    }
    match op {
        BinaryOp::LShr => (left >> count, None),
        BinaryOp::AShr => ((sign_extend(left, bits) >> count) as u64 & mask(bits), None),
        _ => {
            let result = (left << count) & mask(bits);
            let value = sign_extend(left, bits);
            let fault = match () {
                () if !signed => None,
                () if value < 0 => Some(Fault::ShiftOfNegative),
                () if i128::from(value) << count != i128::from(sign_extend(result, bits)) => Some(Fault::Overflow),
                () => None,
            };
            (result, fault)
        }
    }
}

fn float_binary(op: BinaryOp, ty: Type, left: u64, right: u64) -> u64 {
    if !op.is_comparison()
        && let Some(nan) = nan_operand(ty, left).or_else(|| nan_operand(ty, right))
    {
        return nan;
    }
    match ty {
        Type::Float => {
            let (a, b) = (f32::from_bits(left as u32), f32::from_bits(right as u32));
            match op {
                BinaryOp::FloatAdd => single(a + b),
                BinaryOp::FloatSub => single(a - b),
                BinaryOp::FloatMul => single(a * b),
                BinaryOp::FloatDiv => single(a / b),
                _ => u64::from(float_compare(op, f64::from(a), f64::from(b))),
            }
        }
        _ => {
            let (a, b) = (f64::from_bits(left), f64::from_bits(right));
            match op {
                BinaryOp::FloatAdd => double(a + b),
                BinaryOp::FloatSub => double(a - b),
                BinaryOp::FloatMul => double(a * b),
                BinaryOp::FloatDiv => double(a / b),
                _ => u64::from(float_compare(op, a, b)),
            }
        }
    }
}

/// What an operation with this operand gives if it is not a number: the operand, made quiet, as on x86. Rust leaves that
/// open.
fn nan_operand(ty: Type, bits: u64) -> Option<u64> {
    match ty {
        Type::Float => f32::from_bits(bits as u32).is_nan().then_some(bits | 1 << 22),
        _ => f64::from_bits(bits).is_nan().then_some(bits | 1 << 51),
    }
}

/// The result of an operation, where what is not a number has the bits that x86 gives it.
fn single(result: f32) -> u64 {
    u64::from(if result.is_nan() { 0xffc0_0000 } else { result.to_bits() })
}

fn double(result: f64) -> u64 {
    if result.is_nan() { 0xfff8_0000_0000_0000 } else { result.to_bits() }
}

fn float_compare(op: BinaryOp, left: f64, right: f64) -> bool {
    match op {
        BinaryOp::FloatEq => left == right,
        BinaryOp::FloatNe => left != right,
        BinaryOp::FloatLt => left < right,
        BinaryOp::FloatLe => left <= right,
        other => unreachable!("{other:?} should be a comparison of floating-point numbers"),
    }
}

/// Casts that change bits; `from` and `to` are widths. Pointers keep theirs, so the machine does not ask here.
pub fn cast(op: CastOp, from: (Type, u8), to: (Type, u8), operand: u64) -> u64 {
    let ((from, from_bits), (to, to_bits)) = (from, to);
    match op {
        CastOp::ZeroExtend | CastOp::Truncate | CastOp::PointerToInt | CastOp::IntToPointer => operand & mask(to_bits),
        CastOp::SignExtend => sign_extend(operand, from_bits) as u64 & mask(to_bits),
        CastOp::SignedToFloat => {
            let value = sign_extend(operand, from_bits);
            if to == Type::Float { u64::from((value as f32).to_bits()) } else { (value as f64).to_bits() }
        }
        CastOp::UnsignedToFloat => {
            if to == Type::Float {
                u64::from((operand as f32).to_bits())
            } else {
                (operand as f64).to_bits()
            }
        }
        CastOp::FloatToSigned => float_to_signed(float_value(from, operand), to_bits),
        CastOp::FloatToUnsigned => float_to_unsigned(float_value(from, operand), to_bits),
        CastOp::FloatToFloat => match (from, to) {
            (Type::Float, Type::Double) => widened(operand as u32),
            (Type::Double, Type::Float) => u64::from(narrowed(operand)),
            _ => operand,
        },
    }
}

/// What is not a number keeps its sign and the upper bits of its fraction, and is quiet.
fn widened(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        let (sign, fraction) = (u64::from(bits >> 31), u64::from(bits & 0x7f_ffff));
        return sign << 63 | 0x7ff8 << 48 | fraction << 29;
    }
    f64::from(value).to_bits()
}

fn narrowed(bits: u64) -> u32 {
    let value = f64::from_bits(bits);
    if value.is_nan() {
        let (sign, fraction) = ((bits >> 63) as u32, (bits >> 29) as u32 & 0x7f_ffff);
        return sign << 31 | 0x7fc0_0000 | fraction;
    }
    (value as f32).to_bits()
}

fn float_value(ty: Type, bits: u64) -> f64 {
    if ty == Type::Float { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

/// x86's `cvttsd2si`: what does not fit becomes the smallest number.
fn float_to_signed(value: f64, bits: u8) -> u64 {
    let value = value.trunc();
    let converted = if bits <= 32 {
        let fits = value >= f64::from(i32::MIN) && value <= f64::from(i32::MAX);
        if fits { value as i64 } else { i64::from(i32::MIN) }
    } else {
        let fits = value >= i64::MIN as f64 && value < -(i64::MIN as f64);
        if fits { value as i64 } else { i64::MIN }
    };
    converted as u64 & mask(bits)
}

/// As compilers do it for x86-64: narrow results by way of a 64-bit signed conversion.
fn float_to_unsigned(value: f64, bits: u8) -> u64 {
    let value = value.trunc();
    let limit = -(i64::MIN as f64);
    if value >= limit && value < 2.0 * limit {
        return value as u64 & mask(bits);
    }
    let fits = value >= i64::MIN as f64 && value < limit;
    (if fits { value as i64 } else { i64::MIN }) as u64 & mask(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Type = Type::Int(32);

    fn int(op: BinaryOp, left: i32, right: i32) -> (i32, Option<Fault>) {
        let (bits, fault) = binary(op, INT, 32, u64::from(left as u32), u64::from(right as u32), true);
        (bits as u32 as i32, fault)
    }

    #[test]
    fn signed_overflow_is_seen_and_wraps() {
        assert_eq!(int(BinaryOp::Add, i32::MAX, 1), (i32::MIN, Some(Fault::Overflow)));
        assert_eq!(int(BinaryOp::Add, -1, 1), (0, None));
        assert_eq!(int(BinaryOp::Sub, i32::MIN, 1), (i32::MAX, Some(Fault::Overflow)));
        assert_eq!(int(BinaryOp::Mul, 1 << 16, 1 << 16), (0, Some(Fault::Overflow)));
        assert_eq!(int(BinaryOp::SDiv, i32::MIN, -1), (i32::MIN, Some(Fault::Overflow)));
        assert_eq!(int(BinaryOp::SRem, i32::MIN, -1), (0, Some(Fault::Overflow)));
        assert_eq!(unary(UnaryOp::Neg, INT, 32, 1 << 31, true), (1 << 31, Some(Fault::Overflow)));
        assert_eq!(unary(UnaryOp::Neg, INT, 32, 1, true), (0xffff_ffff, None));
    }

    #[test]
    fn sixty_four_bits_overflow_too() {
        let (bits, fault) = binary(BinaryOp::Mul, Type::Int(64), 64, i64::MAX as u64, 2, true);
        assert_eq!((bits as i64, fault), (-2, Some(Fault::Overflow)));
        let (bits, fault) = binary(BinaryOp::Add, Type::Int(64), 64, u64::MAX, 1, false);
        assert_eq!((bits, fault), (0, None));
    }

    #[test]
    fn division_follows_c() {
        assert_eq!(int(BinaryOp::SDiv, -7, 2), (-3, None));
        assert_eq!(int(BinaryOp::SRem, -7, 2), (-1, None));
        assert_eq!(int(BinaryOp::SDiv, 1, 0).1, Some(Fault::DivisionByZero));
        assert_eq!(binary(BinaryOp::URem, INT, 32, 7, 0, false).1, Some(Fault::DivisionByZero));
    }

    #[test]
    fn shifts() {
        assert_eq!(int(BinaryOp::Shl, 1, 31), (i32::MIN, Some(Fault::Overflow)));
        assert_eq!(int(BinaryOp::Shl, 1, 30), (1 << 30, None));
        assert_eq!(int(BinaryOp::Shl, -1, 1), (-2, Some(Fault::ShiftOfNegative)));
        assert_eq!(int(BinaryOp::Shl, 1, 32).1, Some(Fault::ShiftCount));
        assert_eq!(int(BinaryOp::AShr, -8, 1), (-4, None));
        assert_eq!(int(BinaryOp::LShr, 8, -1).1, Some(Fault::ShiftCount));
    }

    #[test]
    fn comparisons_know_signs() {
        assert_eq!(int(BinaryOp::Slt, -1, 0).0, 1);
        assert_eq!(int(BinaryOp::Ult, -1, 0).0, 0);
        assert_eq!(binary(BinaryOp::FloatLt, Type::Double, 64, 1f64.to_bits(), 2f64.to_bits(), false).0, 1);
        assert_eq!(binary(BinaryOp::FloatEq, Type::Float, 32, 0x7fc0_0000, 0x7fc0_0000, false).0, 0);
    }

    #[test]
    fn conversions() {
        let double = (Type::Double, 64);
        assert_eq!(cast(CastOp::FloatToSigned, double, (INT, 32), (-2.9f64).to_bits()), 0xffff_fffe);
        assert_eq!(cast(CastOp::FloatToSigned, double, (INT, 32), 5e9f64.to_bits()), 0x8000_0000);
        assert_eq!(cast(CastOp::FloatToUnsigned, double, (INT, 32), 4e9f64.to_bits()), 4_000_000_000);
        assert_eq!(
            cast(CastOp::FloatToUnsigned, double, (Type::Int(64), 64), 1e19f64.to_bits()),
            10_000_000_000_000_000_000
        );
        assert_eq!(cast(CastOp::SignExtend, (Type::Int(8), 8), (INT, 32), 0x80), 0xffff_ff80);
        assert_eq!(cast(CastOp::SignedToFloat, (INT, 32), double, 0xffff_ffff), (-1f64).to_bits());
        assert_eq!(
            cast(CastOp::FloatToFloat, (Type::Float, 32), double, u64::from(1.5f32.to_bits())),
            1.5f64.to_bits()
        );
    }
}

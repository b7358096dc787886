//! Folding of operators whose operands are constants, so that constant expressions cost no instruction.
//!
//! What could violate a property (signed overflow, division by zero, a bad shift) is left for execution to find, except
//! where the caller needs a constant and asks for `wrap`.

use program::{BinaryOp, CastOp, DataModel, Operand, Rvalue, Type, UnaryOp};

/// The operand that equals `value`, if there is one.
pub fn fold(value: &Rvalue, model: DataModel, wrap: bool) -> Option<Operand> {
    match *value {
        Rvalue::Use(operand) => Some(operand),
        Rvalue::Unary { op, operand, signed, .. } => fold_unary(op, operand, signed && !wrap),
        Rvalue::Binary { op, ty, left, right, signed } => fold_binary(op, ty, left, right, signed && !wrap),
        Rvalue::Cast { op, from, to, operand } => fold_cast(op, from, to, operand, model),
        Rvalue::PointerAdd { pointer, offset } => fold_pointer_add(pointer, offset, model),
        Rvalue::PointerDifference { left, right } => fold_difference(left, right, model),
        Rvalue::Select { condition, then, otherwise, .. } => match condition {
            Operand::Int { value, .. } => Some(if value != 0 { then } else { otherwise }),
            _ if then == otherwise => Some(then),
            _ => None,
        },
    }
}

/// The value of `bits` low bits as a signed number.
pub fn sign_extend(value: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits);
    ((value << shift) as i64) >> shift
}

fn fold_unary(op: UnaryOp, operand: Operand, checked: bool) -> Option<Operand> {
    match (op, operand) {
        (UnaryOp::Neg, Operand::Int { bits, value }) => {
            let overflows = value == 1 << (bits - 1);
            (!(checked && overflows)).then(|| Operand::int(bits, value.wrapping_neg()))
        }
        (UnaryOp::Not, Operand::Int { bits, value }) => Some(Operand::int(bits, !value)),
        (UnaryOp::FloatNeg, Operand::Float(bits)) => Some(Operand::Float((-f32::from_bits(bits)).to_bits())),
        (UnaryOp::FloatNeg, Operand::Double(bits)) => Some(Operand::Double((-f64::from_bits(bits)).to_bits())),
        _ => None,
    }
}

fn fold_binary(op: BinaryOp, ty: Type, left: Operand, right: Operand, checked: bool) -> Option<Operand> {
    match (left, right) {
        (Operand::Int { bits, value: l }, Operand::Int { value: r, .. }) => fold_integers(op, bits, l, r, checked),
        (Operand::Float(l), Operand::Float(r)) => {
            let (l, r) = (f32::from_bits(l), f32::from_bits(r));
            fold_floats(op, f64::from(l), f64::from(r)).or_else(|| {
                let value = match op {
                    BinaryOp::FloatAdd => l + r,
                    BinaryOp::FloatSub => l - r,
                    BinaryOp::FloatMul => l * r,
                    BinaryOp::FloatDiv => l / r,
                    _ => return None,
                };
                Some(Operand::Float(value.to_bits()))
            })
        }
        (Operand::Double(l), Operand::Double(r)) => {
            let (l, r) = (f64::from_bits(l), f64::from_bits(r));
            fold_floats(op, l, r).or_else(|| {
                let value = match op {
                    BinaryOp::FloatAdd => l + r,
                    BinaryOp::FloatSub => l - r,
                    BinaryOp::FloatMul => l * r,
                    BinaryOp::FloatDiv => l / r,
                    _ => return None,
                };
                Some(Operand::Double(value.to_bits()))
            })
        }
        _ if ty == Type::Pointer => fold_pointer_comparison(op, left, right),
        // A negative number must not be shifted, not even by nothing.
        (_, Operand::Int { .. }) if op == BinaryOp::Shl && checked => None,
        (_, Operand::Int { value, .. }) => neutral_right(op, left, value),
        (Operand::Int { value: 0, .. }, _) if matches!(op, BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor) => Some(right),
        _ => None,
    }
}

/// `x op value` where the constant changes nothing.
fn neutral_right(op: BinaryOp, left: Operand, value: u64) -> Option<Operand> {
    use BinaryOp::*;
    let neutral = match op {
        Add | Sub | Or | Xor | Shl | LShr | AShr => value == 0,
        Mul | Scale | UDiv | SDiv => value == 1,
        _ => false,
    };
    neutral.then_some(left)
}

fn fold_integers(op: BinaryOp, bits: u8, l: u64, r: u64, checked: bool) -> Option<Operand> {
    use BinaryOp::*;
    let (sl, sr) = (i128::from(sign_extend(l, bits)), i128::from(sign_extend(r, bits)));
    let truth = |value: bool| Some(Operand::int(1, u64::from(value)));
    let in_range = |exact: i128| {
        let limit = 1i128 << (bits - 1);
        let fits = (-limit..limit).contains(&exact);
        (fits || !checked).then(|| Operand::int(bits, exact as u64))
    };
    let unsigned = |value: u64| Some(Operand::int(bits, value));
    match op {
        Add => in_range(sl + sr),
        Sub => in_range(sl - sr),
        Mul => in_range(sl * sr),
        Scale => unsigned(BinaryOp::scaled(bits, l, r)),
        SDiv | SRem | UDiv | URem if r == 0 => None,
        SDiv => in_range(sl / sr),
        SRem => {
            in_range(sl / sr)?;
            in_range(sl % sr)
        }
        UDiv => unsigned(l / r),
        URem => unsigned(l % r),
        And => unsigned(l & r),
        Or => unsigned(l | r),
        Xor => unsigned(l ^ r),
        Shl | LShr | AShr if r >= u64::from(bits) => None,
        Shl if checked => {
            let exact = sl << r;
            (sl >= 0).then(|| in_range(exact)).flatten()
        }
        Shl => unsigned(l << r),
        LShr => unsigned(l >> r),
        AShr => unsigned((sl >> r) as u64),
        Eq => truth(l == r),
        Ne => truth(l != r),
        Ult => truth(l < r),
        Ule => truth(l <= r),
        Slt => truth(sl < sr),
        Sle => truth(sl <= sr),
        _ => None,
    }
}

/// Comparisons; exact for `float` too, since widening keeps the value.
fn fold_floats(op: BinaryOp, l: f64, r: f64) -> Option<Operand> {
    let value = match op {
        BinaryOp::FloatEq => l == r,
        BinaryOp::FloatNe => l != r,
        BinaryOp::FloatLt => l < r,
        BinaryOp::FloatLe => l <= r,
        _ => return None,
    };
    Some(Operand::int(1, u64::from(value)))
}

fn fold_pointer_comparison(op: BinaryOp, left: Operand, right: Operand) -> Option<Operand> {
    if matches!(op, BinaryOp::Ult | BinaryOp::Ule) {
        return fold_pointer_order(op, left, right);
    }
    let equal = match (left, right) {
        (Operand::Null, Operand::Null) => true,
        (Operand::Function(l), Operand::Function(r)) => l == r,
        (Operand::Null, other) | (other, Operand::Null) if is_address(other) => false,
        (Operand::Global { global: l, offset: m }, Operand::Global { global: r, offset: n }) if l == r => m == n,
        (Operand::Local { local: l, offset: m }, Operand::Local { local: r, offset: n }) if l == r => m == n,
        _ => return None,
    };
    match op {
        BinaryOp::Eq => Some(Operand::int(1, u64::from(equal))),
        BinaryOp::Ne => Some(Operand::int(1, u64::from(!equal))),
        _ => None,
    }
}

/// Inside one object, addresses are ordered as their offsets are.
fn fold_pointer_order(op: BinaryOp, left: Operand, right: Operand) -> Option<Operand> {
    let (m, n) = match (left, right) {
        (Operand::Global { global: l, offset: m }, Operand::Global { global: r, offset: n }) if l == r => (m, n),
        (Operand::Local { local: l, offset: m }, Operand::Local { local: r, offset: n }) if l == r => (m, n),
        _ => return None,
    };
    // Beyond the beginning of an object, there may be the end of the address space.
    let is_ordered = if op == BinaryOp::Ult { m < n } else { m <= n };
    (m >= 0 && n >= 0).then(|| Operand::int(1, u64::from(is_ordered)))
}

/// The address of an object or a function: never null.
fn is_address(operand: Operand) -> bool {
    matches!(operand, Operand::Global { .. } | Operand::Local { .. } | Operand::Function(_))
}

fn fold_cast(op: CastOp, from: Type, to: Type, operand: Operand, model: DataModel) -> Option<Operand> {
    if from == to {
        return Some(operand);
    }
    let bits = to.bits(model);
    match (op, operand) {
        (CastOp::ZeroExtend | CastOp::Truncate, Operand::Int { value, .. }) => Some(Operand::int(bits, value)),
        (CastOp::SignExtend, Operand::Int { bits: from, value }) => {
            Some(Operand::int(bits, sign_extend(value, from) as u64))
        }
        (CastOp::PointerToInt, Operand::Null) => Some(Operand::int(bits, 0)),
        (CastOp::IntToPointer, Operand::Int { value: 0, .. }) => Some(Operand::Null),
        (CastOp::SignedToFloat, Operand::Int { bits, value }) => {
            let value = sign_extend(value, bits);
            Some(float_operand(to, value as f32, value as f64))
        }
        (CastOp::UnsignedToFloat, Operand::Int { value, .. }) => Some(float_operand(to, value as f32, value as f64)),
        (CastOp::FloatToFloat, Operand::Float(value)) => {
            Some(Operand::Double(f64::from(f32::from_bits(value)).to_bits()))
        }
        (CastOp::FloatToFloat, Operand::Double(value)) => {
            Some(Operand::Float((f64::from_bits(value) as f32).to_bits()))
        }
        (CastOp::FloatToSigned | CastOp::FloatToUnsigned, Operand::Float(value)) => {
            float_to_int(op, bits, f64::from(f32::from_bits(value)))
        }
        (CastOp::FloatToSigned | CastOp::FloatToUnsigned, Operand::Double(value)) => {
            float_to_int(op, bits, f64::from_bits(value))
        }
        _ => None,
    }
}

fn float_operand(to: Type, single: f32, double: f64) -> Operand {
    if to == Type::Float { Operand::Float(single.to_bits()) } else { Operand::Double(double.to_bits()) }
}

/// Only values in range: what the others become is the machine's business.
fn float_to_int(op: CastOp, bits: u8, value: f64) -> Option<Operand> {
    let whole = value.trunc();
    let power = |n: u8| 2f64.powi(i32::from(n));
    match op {
        CastOp::FloatToSigned if whole >= -power(bits - 1) && whole < power(bits - 1) => {
            Some(Operand::int(bits, whole as i64 as u64))
        }
        CastOp::FloatToUnsigned if whole >= 0.0 && whole < power(bits) => Some(Operand::int(bits, whole as u64)),
        _ => None,
    }
}

fn fold_pointer_add(pointer: Operand, offset: Operand, model: DataModel) -> Option<Operand> {
    let Operand::Int { value, .. } = offset else { return None };
    let distance = Rvalue::distance(model.pointer_bits(), value);
    match pointer {
        _ if distance == 0 => Some(pointer),
        Operand::Global { global, offset } => Some(Operand::Global { global, offset: offset.checked_add(distance)? }),
        Operand::Local { local, offset } => Some(Operand::Local { local, offset: offset.checked_add(distance)? }),
        _ => None,
    }
}

fn fold_difference(left: Operand, right: Operand, model: DataModel) -> Option<Operand> {
    let distance = match (left, right) {
        (Operand::Global { global: l, offset: m }, Operand::Global { global: r, offset: n }) if l == r => m - n,
        (Operand::Local { local: l, offset: m }, Operand::Local { local: r, offset: n }) if l == r => m - n,
        _ => return None,
    };
    Some(Operand::int(model.pointer_bits(), distance as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(op: BinaryOp, left: Operand, right: Operand, wrap: bool) -> Option<Operand> {
        let value = Rvalue::Binary { op, ty: Type::Int(32), left, right, signed: true };
        fold(&value, DataModel::Lp64, wrap)
    }

    #[test]
    fn overflow_and_division_by_zero_are_left_to_execution() {
        let max = Operand::int(32, i32::MAX as u64);
        let one = Operand::int(32, 1);
        assert_eq!(binary(BinaryOp::Add, max, one, false), None);
        assert_eq!(binary(BinaryOp::Add, max, one, true), Some(Operand::int(32, 0x8000_0000)));
        assert_eq!(binary(BinaryOp::SDiv, one, Operand::int(32, 0), true), None);
        assert_eq!(binary(BinaryOp::Shl, one, Operand::int(32, 32), true), None);
    }

    #[test]
    fn signed_operators_see_the_sign() {
        let minus = Operand::int(32, -7i64 as u64);
        let two = Operand::int(32, 2);
        assert_eq!(binary(BinaryOp::SDiv, minus, two, false), Some(Operand::int(32, -3i64 as u64)));
        assert_eq!(binary(BinaryOp::SRem, minus, two, false), Some(Operand::int(32, -1i64 as u64)));
        assert_eq!(binary(BinaryOp::Slt, minus, two, false), Some(Operand::TRUE));
        assert_eq!(binary(BinaryOp::Ult, minus, two, false), Some(Operand::FALSE));
    }

    #[test]
    fn addresses_move() {
        let global = Operand::Global { global: program::GlobalId(1), offset: 4 };
        let value = Rvalue::PointerAdd { pointer: global, offset: Operand::offset(-4) };
        let expected = Operand::Global { global: program::GlobalId(1), offset: 0 };
        assert_eq!(fold(&value, DataModel::Ilp32, false), Some(expected));
    }

    #[test]
    fn addresses_do_not_move_around_the_address_space() {
        let global = Operand::Global { global: program::GlobalId(1), offset: 4 };
        let value = Rvalue::PointerAdd { pointer: global, offset: Operand::offset((1 << 32) - 4) };
        let Some(Operand::Global { offset, .. }) = fold(&value, DataModel::Ilp32, false) else {
            panic!("the address of a global should stay one");
        };
        assert_eq!(offset as u32, 4 + BinaryOp::out_of_reach(32) as u32);
    }
}

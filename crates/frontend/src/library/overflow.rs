//! `__builtin_add_overflow` and its relatives: the exact result for integers of any types, and whether it fits.

use program::{BinaryOp, CastOp, Operand, Rvalue, Type};

use super::call::CallLowering;
use crate::ctype::{IntKind, TypeTable};
use crate::emit::value::{CValue, LValue, Lowered};

const WIDE: Type = Type::Int(64);
/// What is above the lower 64 bits of a sum: a small number.
const TOP: Type = Type::Int(8);

/// What one of these builtins does.
#[derive(Clone, Copy)]
struct OverflowCheck {
    op: BinaryOp,
    /// The type of operands and result, if the name tells it.
    kind: Option<IntKind>,
    /// Whether the result is stored, and not only asked for.
    stores: bool,
}

/// Whether the builtin, without `__builtin_`, stores its result through its third argument.
pub fn stores_checked_result(name: &str) -> bool {
    check_of(name).is_some_and(|check| check.stores)
}

fn check_of(name: &str) -> Option<OverflowCheck> {
    let operation = |name: &str| match name {
        "add" => Some(BinaryOp::Add),
        "sub" => Some(BinaryOp::Sub),
        "mul" => Some(BinaryOp::Mul),
        _ => None,
    };
    if let Some(op) = name.strip_suffix("_overflow_p").and_then(operation) {
        return Some(OverflowCheck { op, kind: None, stores: false });
    }
    let name = name.strip_suffix("_overflow")?;
    if let Some(op) = operation(name) {
        return Some(OverflowCheck { op, kind: None, stores: true });
    }
    // `saddl`: signed, add, long.
    let (sign, rest) = name.split_at_checked(1)?;
    let (op, width) = rest.split_at_checked(3)?;
    let signed = match width {
        "" => IntKind::Int,
        "l" => IntKind::Long,
        "ll" => IntKind::LongLong,
        _ => return None,
    };
    let kind = match sign {
        "s" => signed,
        "u" => signed.to_unsigned(),
        _ => return None,
    };
    Some(OverflowCheck { op: operation(op)?, kind: Some(kind), stores: true })
}

/// An operand in 64 bits, and whether it is negative.
struct Wide {
    bits: Operand,
    negative: Operand,
    kind: IntKind,
}

/// `None` if the builtin, without `__builtin_`, is none of these.
pub fn overflow_call(call: &mut CallLowering, name: &str) -> Lowered<Option<CValue>> {
    let Some(check) = check_of(name) else { return Ok(None) };
    let Some(&third) = call.site.arguments.get(2) else {
        return call.error("arguments", format!("`{}` needs three arguments", call.site.name));
    };
    let left = operand(call, 0, check.kind)?;
    let right = operand(call, 1, check.kind)?;
    let (place, ty) = if check.stores {
        let place = match call.register_argument(third) {
            Some(place) => place,
            None => {
                let pointer = call.argument(2)?;
                let place = call.dereference(pointer)?;
                call.fixed(place)
            }
        };
        (Some(place), place.ty.ty)
    } else {
        let ty = call.value_shape(third)?.ty;
        call.discard(third)?;
        (None, ty)
    };
    let Some(target) = call.types().integer_kind(ty) else { return call.error("type", "integers are needed here") };
    let (result, overflows) = exact(call, check.op, left, right, target);
    if let Some(place) = place {
        store(call, place, result)?;
    }
    Ok(Some(CValue::truth(overflows)))
}

fn operand(call: &mut CallLowering, index: usize, kind: Option<IntKind>) -> Lowered<Wide> {
    let value = call.argument(index)?;
    let value = match kind {
        Some(kind) => {
            let ty = call.link_mut().types.int(kind);
            call.convert(value, ty)?
        }
        None => value,
    };
    let Some(kind) = call.types().integer_kind(value.ty) else { return call.error("type", "integers are needed here") };
    let bits = call.convert(value, TypeTable::LONG_LONG)?.operand;
    let negative = match kind.is_signed() {
        true => binary(call, BinaryOp::Slt, WIDE, bits, Operand::int(64, 0)),
        false => Operand::FALSE,
    };
    Ok(Wide { bits: call.pin(bits), negative, kind })
}

fn store(call: &mut CallLowering, place: LValue, result: Operand) -> Lowered<()> {
    let ty = place.ty.ty;
    call.store(place, CValue::scalar(result, ty))
}

/// The result cut to the target's type, and whether that changes it.
fn exact(call: &mut CallLowering, op: BinaryOp, left: Wide, right: Wide, target: IntKind) -> (Operand, Operand) {
    let model = call.types().model;
    let lower = binary(call, op, WIDE, left.bits, right.bits);
    let narrow = Type::Int(target.bits(model));
    let result = cast(call, CastOp::Truncate, WIDE, narrow, lower);
    let widen = if target.is_signed() { CastOp::SignExtend } else { CastOp::ZeroExtend };
    let back = cast(call, widen, narrow, WIDE, result);
    let differs = binary(call, BinaryOp::Ne, WIDE, back, lower);
    let is_short = |wide: &Wide| wide.kind.bits(model) <= 32;
    let is_signed = left.kind.is_signed() || right.kind.is_signed();
    let fits_in_64_bits = is_short(&left) && is_short(&right) && (op != BinaryOp::Mul || is_signed);
    if fits_in_64_bits && target.bits(model) <= 32 {
        return (result, differs);
    }
    let overflows = match op {
        BinaryOp::Mul => product_overflows(call, left, right, lower, target),
        _ => {
            let top = top_of_sum(call, op, left, right, lower);
            let expected = match target.is_signed() {
                true => {
                    let negative = binary(call, BinaryOp::Slt, WIDE, back, Operand::int(64, 0));
                    let one = cast(call, CastOp::ZeroExtend, Type::BOOL, TOP, negative);
                    binary(call, BinaryOp::Sub, TOP, Operand::int(8, 0), one)
                }
                false => Operand::int(8, 0),
            };
            let is_beyond = binary(call, BinaryOp::Ne, TOP, top, expected);
            binary(call, BinaryOp::Or, Type::BOOL, differs, is_beyond)
        }
    };
    (result, overflows)
}

/// What a sum or difference has above its lower 64 bits. A negative operand is its bits less 2^64.
fn top_of_sum(call: &mut CallLowering, op: BinaryOp, left: Wide, right: Wide, lower: Operand) -> Operand {
    let carry = match op {
        BinaryOp::Add => binary(call, BinaryOp::Ult, WIDE, lower, left.bits),
        _ => binary(call, BinaryOp::Ult, WIDE, left.bits, right.bits),
    };
    let [carry, left, right] =
        [carry, left.negative, right.negative].map(|bit| cast(call, CastOp::ZeroExtend, Type::BOOL, TOP, bit));
    let (more, less) = if op == BinaryOp::Add { (carry, right) } else { (right, carry) };
    let difference = binary(call, BinaryOp::Sub, TOP, more, less);
    binary(call, BinaryOp::Sub, TOP, difference, left)
}

/// Whether a product is beyond the target, by its absolute value in 128 bits.
fn product_overflows(call: &mut CallLowering, left: Wide, right: Wide, lower: Operand, target: IntKind) -> Operand {
    let negative = binary(call, BinaryOp::Ne, Type::BOOL, left.negative, right.negative);
    let (left, right) = (absolute(call, left.bits, left.negative), absolute(call, right.bits, right.negative));
    let low = absolute(call, lower, negative);
    let high = high_product(call, left, right);
    let bits = target.bits(call.types().model);
    let all = u64::MAX >> (64 - bits);
    let (most, least) = if target.is_signed() { (all >> 1, (all >> 1) + 1) } else { (all, 0) };
    let limit = call.choose(negative, WIDE, Operand::int(64, least), Operand::int(64, most));
    call.pin(limit);
    let is_beyond = binary(call, BinaryOp::Ult, WIDE, limit, low);
    let is_long = binary(call, BinaryOp::Ne, WIDE, high, Operand::int(64, 0));
    binary(call, BinaryOp::Or, Type::BOOL, is_beyond, is_long)
}

fn absolute(call: &mut CallLowering, bits: Operand, negative: Operand) -> Operand {
    let opposite = binary(call, BinaryOp::Sub, WIDE, Operand::int(64, 0), bits);
    let chosen = call.choose(negative, WIDE, opposite, bits);
    call.pin(chosen)
}

/// The upper 64 bits of a product, by halves.
fn high_product(call: &mut CallLowering, left: Operand, right: Operand) -> Operand {
    let (half, mask) = (Operand::int(64, 32), Operand::int(64, u64::from(u32::MAX)));
    let mut wide = |op, left, right| binary(call, op, WIDE, left, right);
    let (left_low, left_high) = (wide(BinaryOp::And, left, mask), wide(BinaryOp::LShr, left, half));
    let (right_low, right_high) = (wide(BinaryOp::And, right, mask), wide(BinaryOp::LShr, right, half));
    let low = wide(BinaryOp::Mul, left_low, right_low);
    let carried = wide(BinaryOp::LShr, low, half);
    let one = wide(BinaryOp::Mul, left_high, right_low);
    let one = wide(BinaryOp::Add, one, carried);
    let other = wide(BinaryOp::Mul, left_low, right_high);
    let one_low = wide(BinaryOp::And, one, mask);
    let other = wide(BinaryOp::Add, other, one_low);
    let (one, other) = (wide(BinaryOp::LShr, one, half), wide(BinaryOp::LShr, other, half));
    let high = wide(BinaryOp::Mul, left_high, right_high);
    let high = wide(BinaryOp::Add, high, one);
    wide(BinaryOp::Add, high, other)
}

/// An operation whose result is used more than once.
fn binary(call: &mut CallLowering, op: BinaryOp, ty: Type, left: Operand, right: Operand) -> Operand {
    let result = if op.is_comparison() { Type::BOOL } else { ty };
    let value = call.compute(Rvalue::Binary { op, ty, left, right, signed: false }, result);
    call.pin(value)
}

fn cast(call: &mut CallLowering, op: CastOp, from: Type, to: Type, operand: Operand) -> Operand {
    let value = call.emit_with(|emit, span| emit.builder.cast(op, from, to, operand, span));
    call.pin(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_operation_and_type() {
        let of = |name| check_of(name).map(|check| (check.op, check.kind, check.stores));
        assert_eq!(of("sub_overflow"), Some((BinaryOp::Sub, None, true)));
        assert_eq!(of("ssub_overflow"), Some((BinaryOp::Sub, Some(IntKind::Int), true)));
        assert_eq!(of("umulll_overflow"), Some((BinaryOp::Mul, Some(IntKind::UnsignedLongLong), true)));
        assert_eq!(of("mul_overflow_p"), Some((BinaryOp::Mul, None, false)));
        assert_eq!(of("saddl_overflow_p"), None);
        assert_eq!(of("div_overflow"), None);
        assert_eq!(of("overflow"), None);
    }
}

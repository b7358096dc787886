//! The pure operators of instructions as terms. What is not understood is said, never guessed.

use program::{BinaryOp, CastOp, DataModel, Rvalue, Type, UnaryOp};
use terms::{TermId, Terms};

use crate::machine::Unclear;
use crate::state::CheckedValue;

/// The value of a right-hand side over values of its operands, in the order of [`Rvalue::operands`].
pub fn rvalue(
    terms: &mut Terms,
    model: DataModel,
    value: &Rvalue,
    operands: &[CheckedValue],
) -> Result<CheckedValue, Unclear> {
    match (*value, operands) {
        (Rvalue::Use(_), &[source]) => used(source),
        (Rvalue::Unary { op, .. }, &[source]) => unary(terms, op, used(source)?),
        (Rvalue::Binary { ty: Type::Float | Type::Double, .. }, _) => Err("floating-point arithmetic".to_owned()),
        (Rvalue::Binary { op, .. }, &[left, right]) => binary(terms, op, used(left)?, used(right)?),
        (Rvalue::Cast { op, to, .. }, &[source]) => cast(terms, model, op, to, used(source)?),
        (Rvalue::PointerAdd { .. }, &[pointer, offset]) => moved(terms, used(pointer)?, used(offset)?),
        (Rvalue::PointerDifference { .. }, &[left, right]) => match (used(left)?, used(right)?) {
            (CheckedValue::Address(one, a), CheckedValue::Address(other, b)) if one == other => {
                Ok(CheckedValue::Number(terms.sub(a, b)))
            }
            (CheckedValue::Number(a), CheckedValue::Number(b)) => Ok(CheckedValue::Number(terms.sub(a, b))),
            _ => Err("a difference of pointers into different objects".to_owned()),
        },
        (Rvalue::Select { .. }, &[condition, then, otherwise]) => {
            let condition = truth_of(condition)?;
            Ok(chosen(terms, condition, then, otherwise))
        }
        _ => Err("an operator with other operands".to_owned()),
    }
}

/// A value that something is done with.
fn used(value: CheckedValue) -> Result<CheckedValue, Unclear> {
    match value {
        CheckedValue::Lost => Err("a pointer that is not followed".to_owned()),
        known => Ok(known),
    }
}

pub fn truth_of(value: CheckedValue) -> Result<TermId, Unclear> {
    match value {
        CheckedValue::Truth(term) => Ok(term),
        _ => Err("a condition that is no truth value".to_owned()),
    }
}

fn number_of(value: CheckedValue) -> Result<TermId, Unclear> {
    match value {
        CheckedValue::Number(term) => Ok(term),
        _ => Err("arithmetic on what is no number".to_owned()),
    }
}

/// One of two values.
pub fn chosen(terms: &mut Terms, condition: TermId, then: CheckedValue, otherwise: CheckedValue) -> CheckedValue {
    use CheckedValue::{Address, Number, Truth};
    match (terms.as_boolean(condition), then, otherwise) {
        (Some(true), ..) => then,
        (Some(false), ..) => otherwise,
        (None, Truth(a), Truth(b)) => Truth(terms.ite(condition, a, b)),
        (None, Number(a), Number(b)) if terms.width(a) == terms.width(b) => Number(terms.ite(condition, a, b)),
        (None, Address(one, a), Address(other, b)) if one == other => Address(one, terms.ite(condition, a, b)),
        _ => CheckedValue::Lost,
    }
}

fn unary(terms: &mut Terms, op: UnaryOp, source: CheckedValue) -> Result<CheckedValue, Unclear> {
    Ok(match (op, source) {
        (UnaryOp::Not, CheckedValue::Truth(term)) => CheckedValue::Truth(terms.not(term)),
        (UnaryOp::Not, value) => CheckedValue::Number({
            let term = number_of(value)?;
            terms.bit_not(term)
        }),
        (UnaryOp::Neg, value) => CheckedValue::Number({
            let term = number_of(value)?;
            terms.neg(term)
        }),
        (UnaryOp::FloatNeg, _) => return Err("floating-point arithmetic".to_owned()),
    })
}

/// Whether two values are equal.
pub fn equal(terms: &mut Terms, left: CheckedValue, right: CheckedValue) -> Result<TermId, Unclear> {
    use CheckedValue::{Address, Number, Truth};
    match (left, right) {
        (Truth(a), Truth(b)) => Ok(terms.iff(a, b)),
        (Number(a), Number(b)) if terms.width(a) == terms.width(b) => Ok(terms.eq(a, b)),
        (Address(one, a), Address(other, b)) if one == other => Ok(terms.eq(a, b)),
        // Pointers are equal if object and offset are, and a number names no object.
        (Address(..), Address(..) | Number(_)) | (Number(_), Address(..)) => Ok(terms.boolean(false)),
        _ => Err("a comparison of values of two kinds".to_owned()),
    }
}

/// The places of two pointers into one object, if they are compared by order.
fn ordered_places(op: BinaryOp, left: CheckedValue, right: CheckedValue) -> Option<(TermId, TermId)> {
    match (op, left, right) {
        (
            BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle,
            CheckedValue::Address(one, a),
            CheckedValue::Address(other, b),
        ) if one == other => Some((a, b)),
        _ => None,
    }
}

/// When the order of two pointers into one object depends on where it lies: one may be below the beginning of memory, or
/// addresses may become negative inside.
pub fn doubtful_order(terms: &mut Terms, value: &Rvalue, operands: &[CheckedValue]) -> Option<TermId> {
    let (&Rvalue::Binary { op, .. }, &[left, right]) = (value, operands) else { return None };
    let (a, b) = ordered_places(op, left, right)?;
    if matches!(op, BinaryOp::Slt | BinaryOp::Sle) && terms.width(a) < 64 {
        return Some(terms.boolean(true));
    }
    let page = terms.constant(terms.width(a), 4096u64.wrapping_neg());
    let below = (terms.slt(a, page), terms.slt(b, page));
    Some(terms.or(below.0, below.1))
}

fn binary(terms: &mut Terms, op: BinaryOp, left: CheckedValue, right: CheckedValue) -> Result<CheckedValue, Unclear> {
    if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
        let same = equal(terms, left, right)?;
        return Ok(CheckedValue::Truth(if op == BinaryOp::Eq { same } else { terms.not(same) }));
    }
    if let (CheckedValue::Truth(a), CheckedValue::Truth(b)) = (left, right) {
        return match op {
            BinaryOp::And => Ok(CheckedValue::Truth(terms.and(a, b))),
            BinaryOp::Or => Ok(CheckedValue::Truth(terms.or(a, b))),
            BinaryOp::Xor => Ok(CheckedValue::Truth(terms.xor(a, b))),
            _ => Err("arithmetic on truth values".to_owned()),
        };
    }
    if let Some((a, b)) = ordered_places(op, left, right) {
        let is_strict = matches!(op, BinaryOp::Ult | BinaryOp::Slt);
        return Ok(CheckedValue::Truth(if is_strict { terms.slt(a, b) } else { terms.sle(a, b) }));
    }
    let (a, b) = (number_of(left)?, number_of(right)?);
    if terms.width(a) != terms.width(b) {
        return Err("arithmetic on numbers of two widths".to_owned());
    }
    let number = match op {
        BinaryOp::Ult => return Ok(CheckedValue::Truth(terms.ult(a, b))),
        BinaryOp::Ule => return Ok(CheckedValue::Truth(terms.ule(a, b))),
        BinaryOp::Slt => return Ok(CheckedValue::Truth(terms.slt(a, b))),
        BinaryOp::Sle => return Ok(CheckedValue::Truth(terms.sle(a, b))),
        BinaryOp::Add => terms.add(a, b),
        BinaryOp::Sub => terms.sub(a, b),
        BinaryOp::Mul => terms.mul(a, b),
        BinaryOp::Scale => {
            let width = terms.width(a);
            let out_of_reach = terms.constant(width, BinaryOp::out_of_reach(width as u8));
            let (product, too_large) = (terms.mul(a, b), terms.smul_overflow(a, b));
            terms.ite(too_large, out_of_reach, product)
        }
        BinaryOp::UDiv => terms.udiv(a, b),
        BinaryOp::SDiv => terms.sdiv(a, b),
        BinaryOp::URem => terms.urem(a, b),
        BinaryOp::SRem => terms.srem(a, b),
        BinaryOp::And => terms.bit_and(a, b),
        BinaryOp::Or => terms.bit_or(a, b),
        BinaryOp::Xor => terms.bit_xor(a, b),
        BinaryOp::Shl => terms.shl(a, b),
        BinaryOp::LShr => terms.lshr(a, b),
        BinaryOp::AShr => terms.ashr(a, b),
        _ => return Err("an operator that is not for integers".to_owned()),
    };
    Ok(CheckedValue::Number(number))
}

fn cast(
    terms: &mut Terms,
    model: DataModel,
    op: CastOp,
    to: Type,
    source: CheckedValue,
) -> Result<CheckedValue, Unclear> {
    let to = u32::from(to.bits(model));
    let is_signed = match op {
        CastOp::SignExtend => true,
        CastOp::ZeroExtend | CastOp::Truncate | CastOp::PointerToInt | CastOp::IntToPointer => false,
        _ => return Err("floating-point arithmetic".to_owned()),
    };
    match source {
        CheckedValue::Truth(term) if to == 1 => Ok(CheckedValue::Truth(term)),
        CheckedValue::Truth(term) => {
            let one = terms.constant(to, if is_signed { u64::MAX >> (64 - to) } else { 1 });
            let zero = terms.constant(to, 0);
            Ok(CheckedValue::Number(terms.ite(term, one, zero)))
        }
        CheckedValue::Number(term) if to == 1 => {
            let (low, one) = (terms.extract(term, 0, 0), terms.constant(1, 1));
            Ok(CheckedValue::Truth(terms.eq(low, one)))
        }
        CheckedValue::Number(term) => Ok(CheckedValue::Number(terms.resize(term, to, is_signed))),
        address @ CheckedValue::Address(_, offset) if terms.width(offset) == to => Ok(address),
        _ => Err("a pointer as a number of another width".to_owned()),
    }
}

/// A pointer that is moved by a number of bytes, of 64 bits, as [`Rvalue::distance`] says.
fn moved(terms: &mut Terms, pointer: CheckedValue, offset: CheckedValue) -> Result<CheckedValue, Unclear> {
    let offset = number_of(offset)?;
    let place = match pointer {
        CheckedValue::Number(place) | CheckedValue::Address(_, place) => place,
        _ => return Err("a truth value as a pointer".to_owned()),
    };
    let (width, wide) = (terms.width(place), terms.width(offset));
    let distance = if wide <= width {
        terms.resize(offset, width, true)
    } else {
        let near = terms.extract(offset, width - 1, 0);
        let back = terms.sign_extend(near, wide);
        let fits = terms.eq(back, offset);
        let out_of_reach = terms.constant(width, BinaryOp::out_of_reach(width as u8));
        terms.ite(fits, near, out_of_reach)
    };
    let place = terms.add(place, distance);
    Ok(match pointer {
        CheckedValue::Address(object, _) => CheckedValue::Address(object, place),
        _ => CheckedValue::Number(place),
    })
}

//! The pure operators of the IR on symbolic values, and what must hold for each to be defined in C.

use program::{BinaryOp, CastOp, DataModel, Operand, Property, RegisterId, Rvalue, Type, UnaryOp};
use terms::{TermId, Terms};

use crate::float;
use crate::moved::{moved, moved_in_huge_object};
use crate::object::ObjectId;
use crate::pointer_order::pointer_order;
use crate::scale::scaled;
use crate::value::{OBJECT_BITS, SymValue};

/// An operator that has no symbolic meaning here, named for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotSupported(pub String);

/// Something that must hold for an operation to be defined; otherwise `property` is violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Obligation {
    pub property: Property,
    pub holds: TermId,
    /// The operation has a result all the same, with which an execution goes on where `property` is not asked about.
    pub harmless: bool,
}

/// What evaluation needs to know about the place where it happens.
pub trait Evaluator {
    fn terms(&mut self) -> &mut Terms;
    fn data_model(&self) -> DataModel;
    fn register(&self, register: RegisterId) -> Option<SymValue>;
    /// The address of a global, a local or a function, without its offset.
    fn address(&mut self, operand: Operand) -> Result<SymValue, NotSupported>;
    /// Whether the object may be larger than any that is [executed](program::limits::OBJECT_BYTES).
    fn may_be_huge(&self, _: ObjectId) -> bool {
        false
    }
}

/// The value of an operand.
pub fn operand<E: Evaluator + ?Sized>(context: &mut E, operand: Operand) -> Result<SymValue, NotSupported> {
    let pointer_bits = u32::from(context.data_model().pointer_bits());
    match operand {
        Operand::Register(register) => {
            context.register(register).ok_or_else(|| NotSupported("a value that is never assigned".to_owned()))
        }
        Operand::Int { bits: 1, value } => Ok(SymValue::Bool(context.terms().boolean(value != 0))),
        Operand::Int { bits, value } => Ok(SymValue::Int(context.terms().constant(u32::from(bits), value))),
        // Floating-point numbers are their bits.
        Operand::Float(bits) => Ok(SymValue::Int(context.terms().constant(32, u64::from(bits)))),
        Operand::Double(bits) => Ok(SymValue::Int(context.terms().constant(64, bits))),
        Operand::Null => {
            let zero = context.terms().constant(pointer_bits, 0);
            Ok(SymValue::raw(context.terms(), zero))
        }
        Operand::Global { offset, .. } | Operand::Local { offset, .. } => {
            let address = context.address(operand)?;
            let SymValue::Pointer { object, offset: start, targets } = address else { return Ok(address) };
            let terms = context.terms();
            let distance = terms.constant(pointer_bits, offset as u64);
            Ok(SymValue::Pointer { object, offset: terms.add(start, distance), targets })
        }
        Operand::Function(_) => context.address(operand),
    }
}

/// The truth value of an operand of type `i1`.
pub fn condition<E: Evaluator + ?Sized>(context: &mut E, operand_: Operand) -> Result<TermId, NotSupported> {
    match operand(context, operand_)? {
        SymValue::Bool(term) => Ok(term),
        _ => Err(NotSupported("a condition that is not Boolean".to_owned())),
    }
}

/// The value of a right-hand side, and what must hold for it to be defined. Whether the order of pointers is
/// [doubtful](crate::pointer_order::PointerOrder), and what is equal all the same, is for others to ask.
pub fn rvalue<E: Evaluator + ?Sized>(
    context: &mut E,
    value: &Rvalue,
    obligations: &mut Vec<Obligation>,
) -> Result<SymValue, NotSupported> {
    match *value {
        Rvalue::Use(source) => operand(context, source),
        Rvalue::Unary { op, operand: source, signed, .. } => {
            let source = operand(context, source)?;
            unary(context.terms(), op, &source, signed, obligations)
        }
        Rvalue::Binary { op, ty, left, right, signed } => {
            let (left, right) = (operand(context, left)?, operand(context, right)?);
            if matches!(ty, Type::Float | Type::Double) {
                return float_binary(context.terms(), op, ty, &left, &right);
            }
            binary(context.terms(), op, &left, &right, signed, obligations)
        }
        Rvalue::Cast { op, from, to, operand: source } => {
            let source = operand(context, source)?;
            let bits = |ty: Type| u32::from(ty.bits(context.data_model()));
            let (from_bits, to_bits) = (bits(from), bits(to));
            if is_float_cast(op) {
                return float_cast(context.terms(), op, from, (to, to_bits), &source);
            }
            cast(context.terms(), op, from_bits, to_bits, &source)
        }
        Rvalue::PointerAdd { pointer, offset } => {
            let (pointer, distance) = (operand(context, pointer)?, operand(context, offset)?);
            pointer_add(context, &pointer, &distance)
        }
        Rvalue::PointerDifference { left, right } => {
            let (left, right) = (operand(context, left)?, operand(context, right)?);
            pointer_difference(context.terms(), &left, &right)
        }
        Rvalue::Select { condition: test, then, otherwise, .. } => {
            let test = condition(context, test)?;
            let (then, otherwise) = (operand(context, then)?, operand(context, otherwise)?);
            SymValue::select(context.terms(), test, &then, &otherwise)
                .ok_or_else(|| NotSupported("a choice between a pointer and an integer".to_owned()))
        }
    }
}

fn unary(
    terms: &mut Terms,
    op: UnaryOp,
    source: &SymValue,
    signed: bool,
    obligations: &mut Vec<Obligation>,
) -> Result<SymValue, NotSupported> {
    match (op, source) {
        (UnaryOp::Not, SymValue::Bool(term)) => Ok(SymValue::Bool(terms.not(*term))),
        (UnaryOp::Neg, SymValue::Bool(term)) => Ok(SymValue::Bool(*term)),
        (UnaryOp::FloatNeg, value) => {
            let term = integer(value)?;
            Ok(SymValue::Int(float::negated(terms, term)))
        }
        (UnaryOp::Not | UnaryOp::Neg, value) => {
            let term = integer(value)?;
            if op == UnaryOp::Not {
                return Ok(SymValue::Int(terms.bit_not(term)));
            }
            if signed {
                let minimum = signed_minimum(terms, term);
                let overflows = terms.eq(term, minimum);
                let holds = terms.not(overflows);
                obligations.push(Obligation { property: Property::NoOverflow, holds, harmless: true });
            }
            Ok(SymValue::Int(terms.neg(term)))
        }
    }
}

fn binary(
    terms: &mut Terms,
    op: BinaryOp,
    left: &SymValue,
    right: &SymValue,
    signed: bool,
    obligations: &mut Vec<Obligation>,
) -> Result<SymValue, NotSupported> {
    if let (SymValue::Bool(a), SymValue::Bool(b)) = (left, right) {
        return truth(terms, op, *a, *b);
    }
    if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
        let equal = equal(terms, left, right)?;
        let result = if op == BinaryOp::Eq { equal } else { terms.not(equal) };
        return Ok(SymValue::Bool(result));
    }
    if let Some(order) = pointer_order(terms, op, left, right) {
        return Ok(SymValue::Bool(order.holds));
    }
    let (a, b) = (integer(left)?, integer(right)?);
    arithmetic_obligations(terms, op, a, b, signed, obligations);
    let result = match op {
        BinaryOp::Add => terms.add(a, b),
        BinaryOp::Sub => terms.sub(a, b),
        BinaryOp::Mul => terms.mul(a, b),
        BinaryOp::Scale => scaled(terms, a, b),
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
        BinaryOp::Ult => return Ok(SymValue::Bool(terms.ult(a, b))),
        BinaryOp::Ule => return Ok(SymValue::Bool(terms.ule(a, b))),
        BinaryOp::Slt => return Ok(SymValue::Bool(terms.slt(a, b))),
        BinaryOp::Sle => return Ok(SymValue::Bool(terms.sle(a, b))),
        BinaryOp::Eq | BinaryOp::Ne => unreachable!("equality should have been handled above"),
        BinaryOp::FloatAdd
        | BinaryOp::FloatSub
        | BinaryOp::FloatMul
        | BinaryOp::FloatDiv
        | BinaryOp::FloatEq
        | BinaryOp::FloatNe
        | BinaryOp::FloatLt
        | BinaryOp::FloatLe => return Err(NotSupported(format!("the operator {op:?} on integers"))),
    };
    Ok(SymValue::Int(result))
}

fn truth(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Result<SymValue, NotSupported> {
    let result = match op {
        BinaryOp::And | BinaryOp::Mul => terms.and(a, b),
        BinaryOp::Or => terms.or(a, b),
        BinaryOp::Xor | BinaryOp::Ne | BinaryOp::Add | BinaryOp::Sub => terms.xor(a, b),
        BinaryOp::Eq => terms.iff(a, b),
        _ => return Err(NotSupported(format!("the operator {op:?} on Boolean operands"))),
    };
    Ok(SymValue::Bool(result))
}

/// What C demands of the operands.
fn arithmetic_obligations(
    terms: &mut Terms,
    op: BinaryOp,
    a: TermId,
    b: TermId,
    signed: bool,
    obligations: &mut Vec<Obligation>,
) {
    let mut demand = |property, holds, harmless| obligations.push(Obligation { property, holds, harmless });
    let overflows = match op {
        BinaryOp::Add if signed => terms.sadd_overflow(a, b),
        BinaryOp::Sub if signed => terms.ssub_overflow(a, b),
        BinaryOp::Mul if signed => terms.smul_overflow(a, b),
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
            let zero = terms.constant(terms.width(b), 0);
            let by_zero = terms.eq(b, zero);
            demand(Property::NoDivByZero, terms.not(by_zero), false);
            if matches!(op, BinaryOp::UDiv | BinaryOp::URem) {
                return;
            }
            terms.sdiv_overflow(a, b)
        }
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            let width = terms.constant(terms.width(b), u64::from(terms.width(a)));
            let in_range = terms.ult(b, width);
            demand(Property::NoBadShift, in_range, false);
            if op != BinaryOp::Shl || !signed {
                return;
            }
            let negative = terms.is_negative(a);
            let bad = terms.and(in_range, negative);
            demand(Property::NoBadShift, terms.not(bad), true);
            // A value that is not negative fits if shifting it back, with its sign, gives it again.
            let result = terms.shl(a, b);
            let back = terms.ashr(result, b);
            let (same, positive) = (terms.eq(back, a), terms.not(negative));
            let (lost, defined) = (terms.not(same), terms.and(in_range, positive));
            terms.and(defined, lost)
        }
        _ => return,
    };
    demand(Property::NoOverflow, terms.not(overflows), true);
}

fn signed_minimum(terms: &mut Terms, like: TermId) -> TermId {
    let width = terms.width(like);
    terms.constant(width, 1 << (width - 1))
}

/// Equality of integers and pointers: same object and same offset.
pub fn equal(terms: &mut Terms, left: &SymValue, right: &SymValue) -> Result<TermId, NotSupported> {
    if let (Some(a), Some(b)) = (left.as_int(), right.as_int()) {
        return Ok(terms.eq(a, b));
    }
    let mixed = || NotSupported("comparison of a Boolean operand with an integer".to_owned());
    let (left, right) = (left.to_pointer(terms).ok_or_else(mixed)?, right.to_pointer(terms).ok_or_else(mixed)?);
    let (left, right) = (left.components().0, right.components().0);
    let (objects, offsets) = (terms.eq(left[0], right[0]), terms.eq(left[1], right[1]));
    Ok(terms.and(objects, offsets))
}

fn cast(terms: &mut Terms, op: CastOp, from: u32, to: u32, source: &SymValue) -> Result<SymValue, NotSupported> {
    match op {
        CastOp::PointerToInt | CastOp::IntToPointer if from == to => match op {
            CastOp::IntToPointer => {
                source.to_pointer(terms).ok_or_else(|| NotSupported("a Boolean operand cast to a pointer".to_owned()))
            }
            _ => Ok(source.as_int().map_or_else(|| source.clone(), SymValue::Int)),
        },
        CastOp::ZeroExtend | CastOp::SignExtend | CastOp::Truncate | CastOp::PointerToInt | CastOp::IntToPointer => {
            let resized = resize(terms, op == CastOp::SignExtend, to, source)?;
            if op == CastOp::IntToPointer { Ok(resized.to_pointer(terms).unwrap_or(resized)) } else { Ok(resized) }
        }
        CastOp::SignedToFloat
        | CastOp::UnsignedToFloat
        | CastOp::FloatToSigned
        | CastOp::FloatToUnsigned
        | CastOp::FloatToFloat => unreachable!("a conversion of a floating-point number should not come here"),
    }
}

fn is_float_cast(op: CastOp) -> bool {
    use CastOp::{FloatToFloat, FloatToSigned, FloatToUnsigned, SignedToFloat, UnsignedToFloat};
    matches!(op, SignedToFloat | UnsignedToFloat | FloatToSigned | FloatToUnsigned | FloatToFloat)
}

fn float_binary(
    terms: &mut Terms,
    op: BinaryOp,
    ty: Type,
    left: &SymValue,
    right: &SymValue,
) -> Result<SymValue, NotSupported> {
    let (a, b) = (integer(left)?, integer(right)?);
    let result = float::binary(terms, op, ty, a, b);
    let result = result.ok_or_else(|| NotSupported(format!("the operator {op:?} on floating-point numbers")))?;
    Ok(if op.is_comparison() { SymValue::Bool(result) } else { SymValue::Int(result) })
}

fn float_cast(
    terms: &mut Terms,
    op: CastOp,
    from: Type,
    (to, to_bits): (Type, u32),
    source: &SymValue,
) -> Result<SymValue, NotSupported> {
    let source = match source {
        SymValue::Bool(term) => terms.bool_to_bv(*term, 1),
        value => integer(value)?,
    };
    let result = float::cast(terms, op, from, to, to_bits, source);
    let result = result.ok_or_else(|| NotSupported(format!("the conversion {op:?}")))?;
    Ok(if to == Type::Int(1) { SymValue::Bool(terms.bv_to_bool(result)) } else { SymValue::Int(result) })
}

fn resize(terms: &mut Terms, sign: bool, to: u32, source: &SymValue) -> Result<SymValue, NotSupported> {
    if let SymValue::Bool(term) = source {
        if to == 1 {
            return Ok(SymValue::Bool(*term));
        }
        let one = terms.constant(to, if sign { u64::MAX } else { 1 });
        let zero = terms.constant(to, 0);
        return Ok(SymValue::Int(terms.ite(*term, one, zero)));
    }
    let term = integer(source)?;
    let from = terms.width(term);
    if to == 1 {
        let low = terms.extract(term, 0, 0);
        let one = terms.constant(1, 1);
        return Ok(SymValue::Bool(terms.eq(low, one)));
    }
    let resized = match to.cmp(&from) {
        std::cmp::Ordering::Less => terms.extract(term, to - 1, 0),
        std::cmp::Ordering::Equal => term,
        std::cmp::Ordering::Greater if sign => terms.sign_extend(term, to),
        std::cmp::Ordering::Greater => terms.zero_extend(term, to),
    };
    Ok(SymValue::Int(resized))
}

fn pointer_add<E: Evaluator + ?Sized>(
    context: &mut E,
    pointer: &SymValue,
    distance: &SymValue,
) -> Result<SymValue, NotSupported> {
    let distance = integer(distance)?;
    let Some(SymValue::Pointer { object, offset, targets }) = pointer.to_pointer(context.terms()) else {
        return Err(NotSupported("pointer arithmetic on a Boolean operand".to_owned()));
    };
    let huge: Vec<ObjectId> = targets.iter().copied().filter(|&target| context.may_be_huge(target)).collect();
    let terms = context.terms();
    let offset = match huge.len() {
        0 => moved(terms, offset, distance),
        all if all == targets.len() => moved_in_huge_object(terms, offset, distance),
        _ => {
            let is_huge: Vec<TermId> = huge.iter().map(|&one| is_object(terms, object, one)).collect();
            let is_huge = terms.or_all(&is_huge);
            let exact = moved_in_huge_object(terms, offset, distance);
            let usual = moved(terms, offset, distance);
            terms.ite(is_huge, exact, usual)
        }
    };
    Ok(SymValue::Pointer { object, offset, targets })
}

fn is_object(terms: &mut Terms, object: TermId, id: ObjectId) -> TermId {
    let id = terms.constant(OBJECT_BITS, u64::from(id.0));
    terms.eq(object, id)
}

fn pointer_difference(terms: &mut Terms, left: &SymValue, right: &SymValue) -> Result<SymValue, NotSupported> {
    let (Some(left), Some(right)) = (left.to_pointer(terms), right.to_pointer(terms)) else {
        return Err(NotSupported("pointer arithmetic on a Boolean operand".to_owned()));
    };
    let (
        SymValue::Pointer { object: o1, offset: a, targets: t1 },
        SymValue::Pointer { object: o2, offset: b, targets: t2 },
    ) = (&left, &right)
    else {
        return Err(NotSupported("pointer arithmetic on a Boolean operand".to_owned()));
    };
    if o1 != o2 && (t1.len() != 1 || t1 != t2) {
        return Err(NotSupported("subtraction of pointers into different objects".to_owned()));
    }
    Ok(SymValue::Int(terms.sub(*a, *b)))
}

fn integer(value: &SymValue) -> Result<TermId, NotSupported> {
    value.as_int().ok_or_else(|| NotSupported("integer arithmetic on a pointer value".to_owned()))
}

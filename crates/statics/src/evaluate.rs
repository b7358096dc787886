//! Operands and the pure operators on abstract values.

use std::rc::Rc;

use program::{BinaryOp, CastOp, Operand, Rvalue, Type, UnaryOp};

use crate::analysis::AbstractInterpreter;
use crate::arithmetic;
use crate::identity::{ContextId, Object, ObjectId};
use crate::name::{Name, NameKind, Operator};
use crate::range::Range;
use crate::state::AbsState;
use crate::value::AbsValue;

impl AbstractInterpreter<'_> {
    pub(crate) fn operand(&mut self, state: &mut AbsState, context: ContextId, operand: Operand) -> AbsValue {
        match operand {
            Operand::Register(register) => {
                let frame = self.identities.frame(context);
                let value =
                    state.registers.get(register).map_or_else(AbsValue::anything, |value| AbsValue::clone(value));
                if value.name().is_some() {
                    return value;
                }
                let value = value.named(Some(self.names.name(NameKind::Register(frame, register))));
                state.registers.insert(register, Rc::new(value.clone()));
                value
            }
            Operand::Int { bits, value } => {
                let range = Range::constant(value as i64);
                let range = if bits == 1 { range.unsigned(1) } else { range.signed(bits) };
                let name = range.as_offset().map(|value| self.names.constant(value));
                AbsValue::number(range).named(name)
            }
            Operand::Float(_) | Operand::Double(_) => AbsValue::anything(),
            Operand::Null => AbsValue::number(Range::ZERO).named(Some(self.names.constant(0))),
            Operand::Global { global, offset } => {
                let object = self.global_object(context, global);
                let name = Name { base: self.names.base(NameKind::Global(object)), plus: offset };
                AbsValue::address(object, Range::constant(offset)).named(Some(name))
            }
            Operand::Local { local, offset } => {
                let frame = self.identities.frame(context);
                let object = self.identities.make_object(Object::Local(frame, local));
                let name = Name { base: self.names.base(NameKind::Local(frame, local)), plus: offset };
                AbsValue::address(object, Range::constant(offset)).named(Some(name))
            }
            Operand::Function(function) => {
                AbsValue::function(function).named(Some(self.names.name(NameKind::Function(function))))
            }
        }
    }

    fn global_object(&mut self, context: ContextId, global: program::GlobalId) -> ObjectId {
        let thread = self.identities.context(context).thread;
        self.identities.make_object(match self.program.globals[global].thread_local {
            true => Object::ThreadLocal(global, thread),
            false => Object::Global(global),
        })
    }

    pub(crate) fn evaluate(&mut self, state: &mut AbsState, context: ContextId, rvalue: &Rvalue) -> AbsValue {
        match *rvalue {
            Rvalue::Use(operand) => self.operand(state, context, operand),
            Rvalue::Unary { op, ty, operand, .. } => {
                let operand = self.operand(state, context, operand);
                self.unary(op, ty, &operand)
            }
            Rvalue::Binary { op, ty, left, right, .. } => {
                let (left, right) = (self.operand(state, context, left), self.operand(state, context, right));
                self.binary(op, ty, &left, &right)
            }
            Rvalue::Cast { op, from, to, operand } => {
                let operand = self.operand(state, context, operand);
                self.cast(op, from, to, &operand)
            }
            Rvalue::PointerAdd { pointer, offset } => {
                let (pointer, offset) = (self.operand(state, context, pointer), self.operand(state, context, offset));
                self.pointer_add(&pointer, &offset)
            }
            Rvalue::PointerDifference { left, right } => {
                let (left, right) = (self.operand(state, context, left), self.operand(state, context, right));
                let inside_one = left.numbers().is_none() && left.objects().keys().eq(right.objects().keys());
                if !inside_one || right.numbers().is_some() {
                    self.forget(&left);
                    self.forget(&right);
                }
                let name = self.names.expression(Operator::PointerDifference, [left.name(), right.name()]);
                AbsValue::anything().named(name.filter(|_| left.name().is_some() && right.name().is_some()))
            }
            Rvalue::Select { condition, then, otherwise, .. } => {
                let condition = self.operand(state, context, condition);
                let (then, otherwise) = (self.operand(state, context, then), self.operand(state, context, otherwise));
                match condition.as_truth() {
                    Some(true) => then,
                    Some(false) => otherwise,
                    None => then.join(&otherwise),
                }
            }
        }
    }

    fn bits(&self, ty: Type) -> u8 {
        ty.bits(self.program.data_model)
    }

    fn pointer_bits(&self) -> u8 {
        self.program.data_model.pointer_bits()
    }

    fn unary(&mut self, op: UnaryOp, ty: Type, operand: &AbsValue) -> AbsValue {
        let bits = self.bits(ty);
        let result = arithmetic::unary(op, bits, self.number_of(operand));
        let name = self.names.expression(Operator::Unary(op, bits), [operand.name(), None]);
        AbsValue::number(result).named(name.filter(|_| operand.name().is_some()))
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, ty: Type, left: &AbsValue, right: &AbsValue) -> AbsValue {
        let bits = self.bits(ty);
        let name = self.binary_name(op, bits, left, right);
        if op.is_comparison() {
            let result = compare(op, bits, left, right);
            return AbsValue::number(result.map_or(Range::TRUTH, |truth| Range::constant(i64::from(truth))))
                .named(name);
        }
        let numbers = arithmetic::binary(op, bits, self.number_of(left), self.number_of(right));
        // Numbers computed from addresses may be addresses again.
        let addresses =
            [left, right].into_iter().filter(|operand| !operand.objects().is_empty()).map(AbsValue::anywhere);
        let result = addresses.fold(AbsValue::number(numbers), |all, address| all.join(&address));
        result.named(name)
    }

    fn binary_name(&mut self, op: BinaryOp, bits: u8, left: &AbsValue, right: &AbsValue) -> Option<Name> {
        let (first, second) = (left.name()?, right.name()?);
        let shifted = |name: Name, by: Option<i64>| Some(Name { base: name.base, plus: name.plus.checked_add(by?)? });
        match op {
            BinaryOp::Add if right.as_constant().is_some() => shifted(first, right.as_constant()),
            BinaryOp::Sub if right.as_constant().is_some() => {
                shifted(first, right.as_constant().and_then(i64::checked_neg))
            }
            _ => self.names.expression(Operator::Binary(op, bits), [Some(first), Some(second)]),
        }
    }

    fn cast(&mut self, op: CastOp, from: Type, to: Type, operand: &AbsValue) -> AbsValue {
        let (from_bits, to_bits) = (self.bits(from), self.bits(to));
        if op == CastOp::PointerToInt {
            self.world.expose(operand);
        }
        if matches!(op, CastOp::PointerToInt | CastOp::IntToPointer) && from_bits == to_bits {
            return operand.clone();
        }
        let result = arithmetic::cast(op, from_bits, to_bits, self.number_of(operand));
        let name = self.names.expression(Operator::Cast(op, from_bits, to_bits), [operand.name(), None]);
        AbsValue::number(result).named(name.filter(|_| operand.name().is_some()))
    }

    fn pointer_add(&mut self, pointer: &AbsValue, offset: &AbsValue) -> AbsValue {
        let distance = arithmetic::distance(self.pointer_bits(), self.number_of(offset));
        let moved = pointer.moved(distance, self.pointer_bits());
        let name = match (pointer.name(), distance.as_offset()) {
            (Some(name), Some(by)) => name.plus.checked_add(by).map(|plus| Name { base: name.base, plus }),
            (Some(name), None) if offset.name().is_some() => {
                let origin = Name { base: name.base, plus: 0 };
                let sum = self.names.expression(Operator::PointerAdd, [Some(origin), offset.name()]);
                sum.map(|sum| Name { base: sum.base, plus: name.plus })
            }
            _ => None,
        };
        moved.named(name)
    }
}

fn compare(op: BinaryOp, bits: u8, left: &AbsValue, right: &AbsValue) -> Option<bool> {
    if let (BinaryOp::Eq | BinaryOp::Ne, Some(equal)) = (op, equality(left, right)) {
        return Some(equal == (op == BinaryOp::Eq));
    }
    arithmetic::compare(op, bits, left.plain_number()?, right.plain_number()?)
}

/// Whether two values are equal, if that is certain for another reason than the numbers they are.
fn equality(left: &AbsValue, right: &AbsValue) -> Option<bool> {
    if left.name().is_some() && left.name() == right.name() {
        return Some(true);
    }
    let is_null = |value: &AbsValue| value.as_constant() == Some(0);
    let differ = (is_null(left) && right.is_certainly_address()) || (is_null(right) && left.is_certainly_address());
    differ.then_some(false)
}

//! Operands and the pure operators on abstract values.

use std::rc::Rc;

use program::{BinaryOp, CastOp, Operand, Rvalue, Type, UnaryOp};

use crate::analysis::Analysis;
use crate::identity::{ContextId, Object, ObjectId};
use crate::name::{Name, NameKind, Operator};
use crate::range::Range;
use crate::state::State;
use crate::value::Value;

impl Analysis<'_> {
    pub(crate) fn operand(&mut self, state: &mut State, context: ContextId, operand: Operand) -> Value {
        match operand {
            Operand::Register(register) => {
                let frame = self.identities.frame(context);
                let value = state.registers.entry(register).or_insert_with(|| Rc::new(Value::anything()));
                if value.name.is_none() {
                    let name = self.names.name(NameKind::Register(frame, register));
                    Rc::make_mut(value).name = Some(name);
                }
                Value::clone(value)
            }
            Operand::Int { bits, value } => {
                let range = Range::constant(value as i64);
                let range = if bits == 1 { range.unsigned(1) } else { range.signed(bits) };
                let name = range.as_constant().map(|value| self.names.constant(value));
                Value::number(range).named(name)
            }
            Operand::Float(_) | Operand::Double(_) => Value::anything(),
            Operand::Null => Value::number(Range::ZERO).named(Some(self.names.constant(0))),
            Operand::Global { global, offset } => {
                let object = self.global_object(context, global);
                let name = Name { base: self.names.base(NameKind::Global(object)), plus: offset };
                Value::address(object, Range::constant(offset)).named(Some(name))
            }
            Operand::Local { local, offset } => {
                let frame = self.identities.frame(context);
                let object = self.identities.make_object(Object::Local(frame, local));
                let name = Name { base: self.names.base(NameKind::Local(frame, local)), plus: offset };
                Value::address(object, Range::constant(offset)).named(Some(name))
            }
            Operand::Function(function) => {
                Value::function(function).named(Some(self.names.name(NameKind::Function(function))))
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

    pub(crate) fn evaluate(&mut self, state: &mut State, context: ContextId, rvalue: &Rvalue) -> Value {
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
                let name = self.names.expression(Operator::PointerDifference, [left.name, right.name]);
                Value::anything().named(name)
            }
            Rvalue::Select { condition, then, otherwise, .. } => {
                let condition = self.operand(state, context, condition);
                let (then, otherwise) = (self.operand(state, context, then), self.operand(state, context, otherwise));
                match condition.as_constant() {
                    Some(0) => otherwise,
                    Some(_) => then,
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

    fn unary(&mut self, op: UnaryOp, ty: Type, operand: &Value) -> Value {
        let bits = self.bits(ty);
        let number = operand.as_number();
        let result = match op {
            UnaryOp::Neg => number.negate(),
            UnaryOp::Not if bits == 1 => number.unsigned(1).negate().add(Range::constant(1)),
            UnaryOp::Not => number.negate().add(Range::constant(-1)),
            UnaryOp::FloatNeg => Range::ALL,
        };
        let name = self.names.expression(Operator::Unary(op, bits), [operand.name, None]);
        Value::number(result).named(name.filter(|_| operand.name.is_some()))
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, left: &Value, right: &Value) -> Value {
        let bits = self.bits(ty);
        let name = self.binary_name(op, bits, left, right);
        if op.is_comparison() {
            let result = compare(op, bits, left, right);
            return Value::number(result.map_or(Range::TRUTH, |truth| Range::constant(i64::from(truth)))).named(name);
        }
        // Numbers computed from addresses may be addresses again.
        let mut result = Value::number(arithmetic(op, bits, left.as_number(), right.as_number())).named(name);
        for operand in [left, right] {
            self.world.expose(operand);
            result.objects.extend(operand.objects.keys().map(|&object| (object, Range::ALL)));
        }
        result
    }

    fn binary_name(&mut self, op: BinaryOp, bits: u8, left: &Value, right: &Value) -> Option<Name> {
        let (first, second) = (left.name?, right.name?);
        let shifted = |name: Name, by: Option<i64>| Some(Name { base: name.base, plus: name.plus.checked_add(by?)? });
        match op {
            BinaryOp::Add if right.as_constant().is_some() => shifted(first, right.as_constant()),
            BinaryOp::Sub if right.as_constant().is_some() => {
                shifted(first, right.as_constant().and_then(i64::checked_neg))
            }
            _ => self.names.expression(Operator::Binary(op, bits), [Some(first), Some(second)]),
        }
    }

    fn cast(&mut self, op: CastOp, from: Type, to: Type, operand: &Value) -> Value {
        let (from_bits, to_bits) = (self.bits(from), self.bits(to));
        if op == CastOp::PointerToInt {
            self.world.expose(operand);
        }
        if matches!(op, CastOp::PointerToInt | CastOp::IntToPointer) && from_bits == to_bits {
            return operand.clone();
        }
        let number = operand.as_number();
        let result = match op {
            CastOp::ZeroExtend => number.unsigned(from_bits),
            CastOp::SignExtend => number.signed(from_bits),
            CastOp::IntToPointer if from_bits < to_bits => number.unsigned(from_bits),
            CastOp::Truncate | CastOp::PointerToInt | CastOp::IntToPointer => number,
            _ => Range::ALL,
        };
        if op == CastOp::Truncate {
            self.world.expose(operand);
        }
        let name = self.names.expression(Operator::Cast(op, from_bits, to_bits), [operand.name, None]);
        Value::number(result).named(name.filter(|_| operand.name.is_some()))
    }

    fn pointer_add(&mut self, pointer: &Value, offset: &Value) -> Value {
        let moved = pointer.moved(offset.as_number(), self.pointer_bits());
        let name = match (pointer.name, offset.as_constant()) {
            (Some(name), Some(by)) => name.plus.checked_add(by).map(|plus| Name { base: name.base, plus }),
            (Some(name), None) if offset.name.is_some() => {
                let origin = Name { base: name.base, plus: 0 };
                let sum = self.names.expression(Operator::PointerAdd, [Some(origin), offset.name]);
                sum.map(|sum| Name { base: sum.base, plus: name.plus })
            }
            _ => None,
        };
        moved.named(name)
    }
}

fn compare(op: BinaryOp, bits: u8, left: &Value, right: &Value) -> Option<bool> {
    if let (BinaryOp::Eq | BinaryOp::Ne, Some(equal)) = (op, equality(bits, left, right)) {
        return Some(equal == (op == BinaryOp::Eq));
    }
    if !left.carries_nothing() || !right.carries_nothing() {
        return None;
    }
    let (first, second) = (left.number?, right.number?);
    let less = |first: Range, second: Range| match () {
        () if first.high() < second.low() => Some(true),
        () if first.low() >= second.high() => Some(false),
        () => None,
    };
    match op {
        BinaryOp::Slt => less(first.signed(bits), second.signed(bits)),
        BinaryOp::Sle => less(second.signed(bits), first.signed(bits)).map(|less| !less),
        BinaryOp::Ult => less(first.unsigned(bits), second.unsigned(bits)),
        BinaryOp::Ule => less(second.unsigned(bits), first.unsigned(bits)).map(|less| !less),
        _ => None,
    }
}

fn equality(bits: u8, left: &Value, right: &Value) -> Option<bool> {
    if left.name.is_some() && left.name == right.name {
        return Some(true);
    }
    if left.carries_nothing() && right.carries_nothing() {
        let (first, second) = (left.number?.unsigned(bits), right.number?.unsigned(bits));
        return match (first.as_constant(), second.as_constant()) {
            (Some(first), Some(second)) => Some(first == second),
            _ if first.is_disjoint(second) => Some(false),
            _ => None,
        };
    }
    let is_null = |value: &Value| value.as_constant() == Some(0);
    let is_address = |value: &Value| value.number.is_none() && value.threads.is_empty() && !value.carries_nothing();
    ((is_null(left) && is_address(right)) || (is_null(right) && is_address(left))).then_some(false)
}

fn arithmetic(op: BinaryOp, bits: u8, left: Range, right: Range) -> Range {
    use BinaryOp::*;
    let constant = right.as_constant();
    let shift = constant.filter(|&count| (0..i64::from(bits).min(62)).contains(&count));
    match op {
        Add => left.add(right),
        Sub => left.add(right.negate()),
        Mul => left.multiply(right),
        Shl => shift.map_or(Range::ALL, |count| left.multiply(Range::constant(1 << count))),
        And => masked(bits, left, right),
        URem => match right.unsigned(bits).as_constant() {
            Some(divisor) if divisor > 0 => remainder(left.unsigned(bits), divisor),
            _ => Range::ALL,
        },
        SRem => match right.signed(bits).as_constant() {
            Some(divisor) if divisor > 0 => remainder(left.signed(bits), divisor),
            _ => Range::ALL,
        },
        UDiv => quotient(left.unsigned(bits), right.unsigned(bits)),
        SDiv => quotient(left.signed(bits), right.signed(bits)),
        LShr => shift.map_or(Range::ALL, |count| quotient(left.unsigned(bits), Range::constant(1 << count))),
        Or | Xor => match (left.unsigned(bits).as_constant(), right.unsigned(bits).as_constant()) {
            (Some(left), Some(right)) => Range::constant(if op == Or { left | right } else { left ^ right }),
            _ => Range::ALL,
        },
        _ => Range::ALL,
    }
}

fn masked(bits: u8, left: Range, right: Range) -> Range {
    match (left.unsigned(bits).as_constant(), right.unsigned(bits).as_constant()) {
        (Some(left), Some(right)) => Range::constant(left & right),
        (Some(mask), None) | (None, Some(mask)) if mask >= 0 => between(0, mask),
        _ => Range::ALL,
    }
}

fn remainder(left: Range, divisor: i64) -> Range {
    match left.as_constant() {
        Some(value) => Range::constant(value % divisor),
        None if left.low() >= 0 => between(0, (divisor - 1).min(left.high())),
        None => between(1 - divisor, divisor - 1),
    }
}

fn quotient(left: Range, right: Range) -> Range {
    match (left.as_constant(), right.as_constant()) {
        (Some(left), Some(right)) if right != 0 => left.checked_div(right).map_or(Range::ALL, Range::constant),
        (None, Some(right)) if right > 0 && left.low() >= 0 => {
            let high = if left.high() == i64::MAX { i64::MAX } else { left.high() / right };
            between(left.low() / right, high)
        }
        _ => Range::ALL,
    }
}

fn between(low: i64, high: i64) -> Range {
    Range::ALL.clip(low, high).unwrap_or(Range::ALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_of_unbounded_numbers_stay_unbounded() {
        let any = Range::ALL.unsigned(64);
        assert_eq!(arithmetic(BinaryOp::UDiv, 64, any, Range::constant(4)).high(), i64::MAX);
        assert_eq!(arithmetic(BinaryOp::LShr, 64, any, Range::constant(2)).high(), i64::MAX);
        let byte = Range::ALL.unsigned(8);
        assert_eq!(arithmetic(BinaryOp::UDiv, 8, byte, Range::constant(4)).high(), 63);
    }

    #[test]
    fn comparisons_are_decided_only_where_they_must_be() {
        let number = |low, high| Value::number(between(low, high));
        assert_eq!(compare(BinaryOp::Slt, 32, &number(0, 3), &number(4, 9)), Some(true));
        assert_eq!(compare(BinaryOp::Slt, 32, &number(0, 4), &number(4, 9)), None);
        assert_eq!(compare(BinaryOp::Ult, 32, &number(-1, -1), &number(4, 9)), Some(false));
        assert_eq!(compare(BinaryOp::Eq, 8, &number(256, 256), &number(0, 0)), Some(true));
    }
}

//! Values of `&&`, `||` and `?:` once their operands have been evaluated: without a branch, or joined behind one.

use base::Span;
use program::{BinaryOp as Op, BlockId, Operand, Rvalue, Type};

use super::Emitter;
use super::value::{CValue, Form};
use crate::ctype::TypeId;

impl Emitter<'_, '_> {
    pub fn combine(&mut self, and: bool, left: Operand, right: Operand, span: Span) -> Operand {
        let op = if and { Op::And } else { Op::Or };
        let identity = if and { Operand::TRUE } else { Operand::FALSE };
        if right == identity {
            return left;
        }
        if matches!(right, Operand::Int { .. }) {
            return right;
        }
        let value = Rvalue::Binary { op, ty: Type::BOOL, left, right, signed: false };
        self.builder.compute(value, Type::BOOL, span)
    }

    pub fn select(
        &mut self,
        test: Operand,
        ty: TypeId,
        first: (CValue, BlockId, BlockId),
        second: (CValue, BlockId, BlockId),
        home: BlockId,
        span: Span,
    ) -> Option<CValue> {
        let empty = |emitter: &Self, (_, start, end): (CValue, BlockId, BlockId)| {
            start == end && emitter.builder.blocks[start].instructions.is_empty()
        };
        if first.0.form == Form::Void || !empty(self, first) || !empty(self, second) {
            return None;
        }
        self.builder.switch_to(home);
        let register = if first.0.form == Form::Aggregate { Type::Pointer } else { self.register_type(ty) };
        let (then, otherwise) = (first.0.operand, second.0.operand);
        let select = Rvalue::Select { condition: test, ty: register, then, otherwise };
        let operand = self.builder.compute(select, register, span);
        Some(CValue { operand, ty, form: first.0.form })
    }

    pub fn join_values(
        &mut self,
        ty: TypeId,
        first: (CValue, BlockId),
        second: (CValue, BlockId),
        join: BlockId,
        span: Span,
    ) -> CValue {
        let form = first.0.form;
        let register = match form {
            Form::Void => None,
            Form::Aggregate => Some(Type::Pointer),
            _ => Some(self.register_type(ty)),
        };
        let result = register.map(|register| self.builder.pinned(register));
        for (value, end) in [first, second] {
            self.builder.switch_to(end);
            if let Some(result) = result {
                self.builder.assign(result, value.operand, span);
            }
            self.builder.goto(join, span);
        }
        match result {
            Some(result) => CValue { operand: Operand::Register(result), ty, form },
            None => CValue::void(),
        }
    }
}

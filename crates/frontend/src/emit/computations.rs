//! Small computations of one or two instructions.

use base::Span;
use library::NumberRange;
use program::{BinaryOp, CastOp, InstructionKind, MemoryOrder, NondetKind, Operand, Rvalue, Type, UnaryOp};

use super::builder::FunctionBuilder;

impl FunctionBuilder {
    /// A value of which nothing is known.
    pub fn unknown_operand(&mut self, ty: Type, span: Span) -> Operand {
        let target = self.temporary(ty);
        self.emit(InstructionKind::Nondet { target, ty, kind: NondetKind::Indeterminate }, span);
        Operand::Register(target)
    }

    /// The integers as wide as a pointer.
    pub fn pointer_int(&self) -> Type {
        Type::Int(self.model.pointer_bits())
    }

    /// An integer constant of pointer width.
    pub fn size_operand(&self, size: u64) -> Operand {
        Operand::int(self.model.pointer_bits(), size)
    }

    pub fn multiply_sizes(&mut self, left: Operand, right: Operand, span: Span) -> Operand {
        let ty = self.pointer_int();
        let product = Rvalue::Binary { op: BinaryOp::Mul, ty, left, right, signed: false };
        self.compute(product, ty, span)
    }

    /// The low `to` bits of an integer operand.
    pub fn narrow(&mut self, operand: Operand, from: Type, to: Type, span: Span) -> Operand {
        self.cast(CastOp::Truncate, from, to, operand, span)
    }

    /// A plain load of a scalar.
    pub fn load_plain(&mut self, address: Operand, ty: Type, span: Span) -> Operand {
        let target = self.temporary(ty);
        self.emit(InstructionKind::Load { target, address, ty, order: MemoryOrder::NonAtomic }, span);
        Operand::Register(target)
    }

    /// A plain store of an `int`.
    pub fn store_int(&mut self, address: Operand, value: Operand, span: Span) {
        let (ty, order) = (Type::Int(32), MemoryOrder::NonAtomic);
        self.emit(InstructionKind::Store { address, value, ty, order }, span);
    }

    pub fn choose(&mut self, condition: Operand, ty: Type, then: Operand, otherwise: Operand, span: Span) -> Operand {
        self.compute(Rvalue::Select { condition, ty, then, otherwise }, ty, span)
    }

    pub fn either(&mut self, left: Operand, right: Operand, span: Span) -> Operand {
        let ty = Type::BOOL;
        self.compute(Rvalue::Binary { op: BinaryOp::Or, ty, left, right, signed: false }, ty, span)
    }

    pub fn is_between(&mut self, value: Operand, bits: u8, range: NumberRange, span: Span) -> Operand {
        let ty = Type::Int(bits);
        let left = match range.low {
            0 => value,
            low => {
                let right = Operand::int(bits, low as u64);
                self.compute(Rvalue::Binary { op: BinaryOp::Sub, ty, left: value, right, signed: false }, ty, span)
            }
        };
        let right = Operand::int(bits, range.high.wrapping_sub(range.low) as u64);
        self.compute(Rvalue::Binary { op: BinaryOp::Ule, ty, left, right, signed: false }, Type::BOOL, span)
    }

    pub fn not(&mut self, truth: Operand, span: Span) -> Operand {
        let value = Rvalue::Unary { op: UnaryOp::Not, ty: Type::BOOL, operand: truth, signed: false };
        self.compute(value, Type::BOOL, span)
    }

    pub fn resize(&mut self, operand: Operand, from: Type, to: Type, signed: bool, span: Span) -> Operand {
        let model = self.model;
        let op = match from.bits(model).cmp(&to.bits(model)) {
            std::cmp::Ordering::Equal => return operand,
            std::cmp::Ordering::Greater => CastOp::Truncate,
            std::cmp::Ordering::Less if signed => CastOp::SignExtend,
            std::cmp::Ordering::Less => CastOp::ZeroExtend,
        };
        self.cast(op, from, to, operand, span)
    }

    pub fn cast(&mut self, op: CastOp, from: Type, to: Type, operand: Operand, span: Span) -> Operand {
        self.compute(Rvalue::Cast { op, from, to, operand }, to, span)
    }

    /// An operation on integers whose overflow is defined.
    pub fn bits(&mut self, op: BinaryOp, ty: Type, left: Operand, right: Operand, span: Span) -> Operand {
        self.compute(Rvalue::Binary { op, ty, left, right, signed: false }, ty, span)
    }
}

//! Calls that succeed unless the user wants to see them fail: allocation (`--malloc-may-fail`) and the creation of threads
//! (`--create-may-fail`). Whether one fails is an input.

use base::Span;
use program::{BinaryOp, CastOp, Operand, Rvalue, Type};

use super::Lowerer;
use super::value::{Lowered, Place, Value};
use crate::ctype::TypeTable;

/// The number that stands for what was there before, one that the explorer tries.
const KEPT: u64 = 1;

/// What is left of a call that fails.
pub struct Failing {
    /// Whether it may fail at all.
    pub enabled: bool,
    pub ty: Type,
    /// The result.
    pub result: Operand,
    /// The error number that it leaves behind.
    pub errno: Option<u32>,
    /// The place whose contents are then undefined.
    pub lost: Option<Place>,
}

impl Lowerer<'_, '_> {
    /// The result of `work`, or that of a failure, where `work` is not done.
    pub fn or_fails(
        &mut self,
        failing: &Failing,
        span: Span,
        work: impl FnOnce(&mut Self) -> Lowered<Operand>,
    ) -> Lowered<Operand> {
        if !failing.enabled {
            return work(self);
        }
        let result = self.f.builder.pinned(failing.ty);
        let choice = self.input(TypeTable::INT, span);
        let fails = self.truth(choice, span)?;
        let [failed, done, join] = std::array::from_fn(|_| self.f.builder.new_block());
        self.f.builder.branch(fails, failed, done, span);
        self.f.builder.switch_to(failed);
        if let Some(number) = failing.errno {
            let address = Operand::Global { global: self.link.errno(), offset: 0 };
            self.store_attribute(address, Operand::int(32, u64::from(number)), span);
        }
        if let Some(place) = failing.lost {
            self.lose(place, span)?;
        }
        self.f.builder.assign(result, failing.result, span);
        self.f.builder.goto(join, span);
        self.f.builder.switch_to(done);
        let succeeded = work(self)?;
        self.f.builder.assign(result, succeeded, span);
        self.f.builder.goto(join, span);
        self.f.builder.switch_to(join);
        Ok(Operand::Register(result))
    }

    /// What is left in a place whose contents are undefined: what was there before, or some number, which is not the handle
    /// of a thread.
    fn lose(&mut self, place: Place, span: Span) -> Lowered<()> {
        let Some(ty) = self.link.types.register_type(place.ty.ty) else {
            let anything = self.unknown_value(place.ty.ty, span);
            return self.store(place, anything, span);
        };
        let byte = Type::Int(8);
        let operand = self.unknown_operand(byte, span);
        self.f.builder.pin(operand);
        let right = Operand::int(8, KEPT);
        let is_kept = Rvalue::Binary { op: BinaryOp::Eq, ty: byte, left: operand, right, signed: false };
        let is_kept = self.compute(is_kept, Type::BOOL, span);
        self.f.builder.pin(is_kept);
        let number = Rvalue::Cast { op: CastOp::SignExtend, from: byte, to: Type::Int(32), operand };
        let number = Value::scalar(self.compute(number, Type::Int(32), span), TypeTable::INT);
        let number = self.convert(number, place.ty.ty, span)?;
        self.f.builder.pin(number.operand);
        let before = self.load(place, span)?;
        let operand = self.choose(is_kept, ty, before.operand, number.operand, span);
        self.store(place, Value::scalar(operand, place.ty.ty), span)
    }
}

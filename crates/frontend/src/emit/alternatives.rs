//! Code of which the execution chooses one alternative, and values that all alternatives leave in one place.

use base::Span;
use program::{BlockId, Operand, RegisterId};

use super::Emitter;
use super::value::{Address, CValue, Form, Lowered};
use crate::ctype::{QualType, TypeId, TypeTable};

/// Where the value of an operand is that was evaluated in one of several orders.
#[derive(Clone, Copy)]
pub enum Destination {
    Scalar(RegisterId, TypeId),
    Aggregate(Operand, TypeId),
    None,
}

impl Emitter<'_, '_> {
    /// Goes on in a block that the execution may choose; the other one is returned.
    pub fn choose_alternative(&mut self, span: Span) -> Lowered<BlockId> {
        let choice = self.input(TypeTable::BOOL, span);
        let choice = self.truth(choice, span)?;
        let (one, other) = (self.builder.new_block(), self.builder.new_block());
        self.builder.branch(choice, other, one, span);
        self.builder.switch_to(one);
        Ok(other)
    }

    pub fn destination(&mut self, shape: CValue, span: Span) -> Lowered<Destination> {
        Ok(match shape.form {
            Form::Void => Destination::None,
            Form::Aggregate => Destination::Aggregate(self.temporary_object(shape.ty, "(value)", span)?, shape.ty),
            Form::Scalar | Form::Truth => {
                let register = self.register_type(shape.ty);
                Destination::Scalar(self.builder.pinned(register), shape.ty)
            }
        })
    }

    /// Moves a value to where it is for all orders.
    pub fn keep(&mut self, value: CValue, destination: Destination, span: Span) -> Lowered<CValue> {
        let value = self.materialise(value, span)?;
        match destination {
            Destination::Scalar(register, ty) => {
                let value = self.convert(value, ty, span)?;
                self.builder.assign(register, value.operand, span);
                Ok(CValue::scalar(Operand::Register(register), ty))
            }
            Destination::Aggregate(address, ty) => {
                let (to, from) = (Address::at(address), Address::at(value.operand));
                self.copy_aggregate(to, from, QualType::plain(ty), span)?;
                Ok(CValue::aggregate(address, ty))
            }
            Destination::None => Ok(CValue::void()),
        }
    }
}

//! Arithmetic on a number that lies where addresses may lie, too: a field of a structure, say, that some pointer with an
//! unknown offset might have written an address into. Mostly it is a number, and is taken as one; executions in which it is
//! the address of an object are cut.

use program::{Operand, Rvalue, Type};
use symbolic::{OBJECT_BITS, ObjectId, SymValue};

use crate::memory::Memory;
use crate::open_step::OpenStep;
use crate::state::SymState;
use crate::unfolder::Activation;

impl Memory<'_> {
    /// Makes numbers of those operands that may be numbers as well as addresses. Whether there are any.
    pub fn take_as_numbers(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        value: &Rvalue,
        step: &mut OpenStep,
    ) -> bool {
        if !is_about_numbers(value) {
            return false;
        }
        let mut any = false;
        for operand in value.operands() {
            let Operand::Register(register) = operand else { continue };
            let Ok(SymValue::Pointer { object, offset, targets }) = self.operand(state, activation, operand) else {
                continue;
            };
            if !targets.contains(&ObjectId::NONE) || symbolic::names_nothing(&targets) {
                continue;
            }
            let none = self.terms().constant(OBJECT_BITS, u64::from(ObjectId::NONE.0));
            let is_number = self.terms().eq(object, none);
            let is_address = self.terms().not(is_number);
            self.cut_where(state, is_address, "integer arithmetic on a pointer value", step);
            state.set_register(register, SymValue::Int(offset));
            any = true;
        }
        any
    }
}

fn is_about_numbers(value: &Rvalue) -> bool {
    match value {
        Rvalue::Unary { ty, .. } | Rvalue::Binary { ty, .. } | Rvalue::Cast { from: ty, .. } => {
            matches!(ty, Type::Int(_))
        }
        Rvalue::Use(_) | Rvalue::PointerAdd { .. } | Rvalue::PointerDifference { .. } | Rvalue::Select { .. } => false,
    }
}

//! Output: what it prints matters to nobody here, what it reads must be there.

use events::Access;
use program::printed;
use program::{LibraryFunction, Operand, Property};
use symbolic::{OBJECT_BITS, ObjectKey, SymValue};

use crate::memory::CellExtent;
use crate::memory::Memory;
use crate::open_step::OpenStep;
use crate::state::SymState;
use crate::unfolder::{Activation, UnfoldFailure};

impl Memory<'_> {
    /// Checks that the arguments of an output function can be read. What `vprintf` reads is followed by nobody: where
    /// invalid accesses are asked for, it is not supported, nor is a format that makes it write.
    pub fn check_printed(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        function: LibraryFunction,
        arguments: &[Operand],
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let slots = match (function, arguments) {
            (LibraryFunction::Putchar | LibraryFunction::Puts, _) => Some(0),
            (LibraryFunction::Printf, &[format, _]) => printed::argument_slots(self.program, format),
            _ => None,
        };
        match (slots, arguments) {
            (Some(0), _) => Ok(()),
            (Some(slots), &[_, area]) => {
                let area = self.operand(state, activation, area)?;
                let extent = CellExtent::of(slots * printed::SLOT_BYTES);
                self.resolve(state, &area, extent, Access::Read, step)?;
                self.graph.attach_open_node(step);
                Ok(())
            }
            _ if self.looks_for(Property::ValidDeref) => Err(UnfoldFailure::NotSupported(
                "printing with a format that is not a literal, or a va_list".to_owned(),
            )),
            (_, &[format, ..]) if !self.only_prints(state, activation, format)? => {
                Err(UnfoldFailure::NotSupported("printing with a format that may have a `%n`".to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Whether all texts that the format may be have conversions that print, and none that stores.
    fn only_prints(
        &mut self,
        state: &SymState,
        activation: &Activation,
        format: Operand,
    ) -> Result<bool, UnfoldFailure> {
        let format = self.operand(state, activation, format)?;
        let Some(SymValue::Pointer { object, targets, .. }) = format.to_pointer(self.terms()) else {
            return Ok(false);
        };
        for &target in targets.iter() {
            let number = self.terms().constant(OBJECT_BITS, u64::from(target.0));
            let here = self.terms().eq(object, number);
            if self.graph.is_false(here) {
                continue;
            }
            let prints = match self.survey.objects.get(target).key {
                // Nothing is printed with a null pointer.
                ObjectKey::None => true,
                ObjectKey::Global(global) => printed::only_prints(self.program, global),
                _ => false,
            };
            if !prints {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

//! Output: what it prints matters to nobody here, what it reads must be there.

use program::printed;
use program::{LibraryFunction, Operand, Property};

use crate::event_graph::Access;
use crate::memory::Extent;
use crate::state::State;
use crate::unfolder::{Activation, Failure, Site, Unfolder};

impl Unfolder<'_> {
    /// Checks that the arguments of an output function can be read. What `vprintf` reads is followed by nobody: where
    /// invalid accesses are asked for, it is not supported.
    pub fn check_printed(
        &mut self,
        state: &mut State,
        activation: &Activation,
        function: LibraryFunction,
        arguments: &[Operand],
        site: &Site,
    ) -> Result<(), Failure> {
        let slots = match (function, arguments) {
            (LibraryFunction::Putchar | LibraryFunction::Puts, _) => Some(0),
            (LibraryFunction::Printf, &[format, _]) => printed::argument_slots(self.program, format),
            _ => None,
        };
        match (slots, arguments) {
            (Some(0), _) => Ok(()),
            (Some(slots), &[_, area]) => {
                let area = self.operand(state, activation, area)?;
                let extent = Extent::of(slots * printed::SLOT_BYTES);
                self.resolve(state, &area, extent, Access::Read, site)?;
                self.attach_open_node();
                Ok(())
            }
            _ if !self.options.properties.contains(Property::ValidDeref) => Ok(()),
            _ => Err(Failure::NotSupported("printing with a format that is not a literal, or a va_list".to_owned())),
        }
    }
}

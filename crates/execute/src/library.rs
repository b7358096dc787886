//! Library functions with an effect of their own: output, and formatting into memory.
//!
//! Variadic arguments lie in slots of eight bytes, in order, each at the beginning of its slot.

use program::{LibraryFunction, Type};

use crate::access_log::LoggedKind;
use crate::choice::ChoiceSource;
use crate::code::{AccessCode, Arg};
use crate::format_arguments::{FormatError, Given, Wanted, format_text};
use crate::machine::{End, Halt, Machine};
use crate::memory::Place;
use crate::race::RaceAccessKind;
use crate::value::{Value, mask};

/// The distance of variadic arguments.
const SLOT: u64 = 8;

impl Machine<'_> {
    pub(crate) fn library_call(
        &mut self,
        target: Option<u32>,
        function: LibraryFunction,
        arguments: &[Arg],
        choices: &mut dyn ChoiceSource,
    ) -> Result<(), Halt> {
        let argument = |machine: &Self, index: usize| arguments.get(index).map_or(Value::ZERO, |&a| machine.value(a));
        let first = argument(self, 0);
        let (text, result) = match function {
            LibraryFunction::Putchar => (vec![first.bits as u8], first.bits & 0xff),
            LibraryFunction::Puts => {
                let mut text = self.read_string(first, None, false, choices)?;
                text.push(b'\n');
                (text, 1)
            }
            LibraryFunction::Printf | LibraryFunction::Vprintf => {
                let is_access = function == LibraryFunction::Vprintf;
                let text = self.formatted(first, argument(self, 1), is_access, choices)?;
                let length = text.len() as u64;
                (text, length)
            }
            LibraryFunction::ReadPrinted => {
                let text = self.formatted(first, argument(self, 1), true, choices)?;
                (Vec::new(), text.len() as u64)
            }
            LibraryFunction::Snprintf => {
                let text = self.formatted(argument(self, 2), argument(self, 3), true, choices)?;
                self.write_string(first, argument(self, 1).bits, &text)?;
                (Vec::new(), text.len() as u64)
            }
        };
        self.changes += 1;
        std::rc::Rc::make_mut(&mut self.state.output).extend(text);
        match target {
            Some(target) => self.assign(target, Value::int(result & mask(32))),
            None => self.next(),
        }
        Ok(())
    }

    /// Writes as much of the text with a terminating zero as `size` bytes take, in one step.
    fn write_string(&mut self, buffer: Value, size: u64, text: &[u8]) -> Result<(), Halt> {
        let Some(most) = size.checked_sub(1) else { return Ok(()) };
        let kept = &text[..text.len().min(usize::try_from(most).unwrap_or(usize::MAX))];
        let length = kept.len() as u64 + 1;
        let place = self.place(buffer, length, true)?;
        self.check_race(place, length, RaceAccessKind::Write)?;
        self.log_string(place, kept);
        for (offset, &byte) in (place.offset..).zip(kept.iter().chain(&[0])) {
            self.state.memory.store(Place { offset, ..place }, 1, Value::int(u64::from(byte)));
        }
        Ok(())
    }

    /// The strings are accessed here, or have been before.
    fn formatted(
        &mut self,
        format: Value,
        slots: Value,
        is_access: bool,
        choices: &mut dyn ChoiceSource,
    ) -> Result<Vec<u8>, Halt> {
        let format = self.read_string(format, None, is_access, choices)?;
        let (pointer_bits, pointer_bytes) = (self.code.pointer_bits, self.code.pointer_bytes);
        let mut slot = slots;
        let text = format_text(&format, pointer_bits, |wanted| match wanted {
            Wanted::Number { bytes } => {
                // An address that is printed is exposed.
                self.next_slot(&mut slot, bytes, Type::Int(8), choices).map(|value| Given::Number(value.bits))
            }
            Wanted::Text { limit } => {
                let string = self.next_slot(&mut slot, pointer_bytes, Type::Pointer, choices)?;
                self.read_string(string, limit, is_access, choices).map(Given::Text)
            }
        });
        text.map_err(|error| match error {
            FormatError::Argument(halt) => halt,
            FormatError::Unsupported(what) => End::Unsupported { what, span: self.span() }.into(),
        })
    }

    /// Reads a variadic argument and moves on to the next.
    fn next_slot(
        &mut self,
        slot: &mut Value,
        length: u64,
        ty: Type,
        choices: &mut dyn ChoiceSource,
    ) -> Result<Value, Halt> {
        let place = self.place(*slot, length, false)?;
        self.check_race(place, length, RaceAccessKind::Read)?;
        let value = self.load(place, AccessCode::plain(ty, length as u8), choices)?;
        *slot = slot.with_bits(slot.bits + SLOT);
        Ok(value)
    }

    /// The bytes up to the terminating zero, or up to `limit` of them.
    fn read_string(
        &mut self,
        start: Value,
        limit: Option<usize>,
        is_access: bool,
        choices: &mut dyn ChoiceSource,
    ) -> Result<Vec<u8>, Halt> {
        let mut text = Vec::new();
        while limit.is_none_or(|limit| text.len() < limit) {
            let address = start.with_bits(start.bits.wrapping_add(text.len() as u64));
            let place = self.place(address, Type::Int(8).bytes(self.code.program.data_model), false)?;
            match is_access {
                true => self.check_race(place, 1, RaceAccessKind::Read)?,
                false => self.note_access(place, 1, LoggedKind::Repeat),
            }
            match self.load(place, AccessCode::plain(Type::Int(8), 1), choices)?.bits as u8 {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }
}

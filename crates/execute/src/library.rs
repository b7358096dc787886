//! Library functions with an effect of their own: output, and formatting into memory.
//!
//! Variadic arguments lie in slots of eight bytes, in order, each at the beginning of its slot.

use program::{LibraryFunction, Type};

use crate::choice::ChoiceSource;
use crate::code::Arg;
use crate::format::{Argument, Conversion, Piece, pieces};
use crate::machine::{End, Halt, Machine};
use crate::memory::Place;
use crate::race::AccessKind;
use crate::value::{Value, mask, sign_extend};

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
                let mut text = self.read_string(first, None, choices)?;
                text.push(b'\n');
                (text, 1)
            }
            LibraryFunction::Printf => {
                let text = self.formatted(first, argument(self, 1), choices)?;
                let length = text.len() as u64;
                (text, length)
            }
            LibraryFunction::Snprintf => {
                let text = self.formatted(argument(self, 2), argument(self, 3), choices)?;
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
        self.check_race(place, length, AccessKind::Write)?;
        self.log_string(place, kept);
        for (offset, &byte) in (place.offset..).zip(kept.iter().chain(&[0])) {
            self.state.memory.store(Place { offset, ..place }, 1, Value::int(u64::from(byte)));
        }
        Ok(())
    }

    fn formatted(&mut self, format: Value, slots: Value, choices: &mut dyn ChoiceSource) -> Result<Vec<u8>, Halt> {
        let format = self.read_string(format, None, choices)?;
        let mut output = Vec::new();
        let mut slot = slots;
        for piece in pieces(&format) {
            let mut conversion = match piece {
                Piece::Text(text) => {
                    output.extend_from_slice(text);
                    continue;
                }
                Piece::Conversion(conversion) => conversion,
                Piece::Unknown(text) => {
                    return Err(self.unsupported(format!("printf conversion `{}`", String::from_utf8_lossy(text))));
                }
            };
            if conversion.width_from_argument {
                let width = sign_extend(self.next_slot(&mut slot, 4, choices)?.bits, 32);
                let is_set = conversion.set_width(width);
                is_set.ok_or_else(|| self.unsupported(format!("printf width {width}")))?;
            }
            if conversion.precision_from_argument {
                let precision = sign_extend(self.next_slot(&mut slot, 4, choices)?.bits, 32);
                let is_set = conversion.set_precision(precision);
                is_set.ok_or_else(|| self.unsupported(format!("printf precision {precision}")))?;
            }
            let argument = self.argument(&conversion, &mut slot, choices)?;
            conversion.format(argument, &mut output);
        }
        Ok(output)
    }

    fn unsupported(&self, what: String) -> Halt {
        End::Unsupported { what, span: self.span() }.into()
    }

    fn argument(
        &mut self,
        conversion: &Conversion,
        slot: &mut Value,
        choices: &mut dyn ChoiceSource,
    ) -> Result<Argument, Halt> {
        Ok(match conversion.kind {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' => {
                let bits = conversion.length.bits(self.code.pointer_bits);
                let width = u64::from(bits.max(32)) / 8;
                let value = self.next_slot(slot, width, choices)?.bits & mask(bits);
                match conversion.kind {
                    b'd' | b'i' => Argument::Signed(sign_extend(value, bits)),
                    _ => Argument::Unsigned(value),
                }
            }
            b'p' => Argument::Unsigned(self.next_slot(slot, self.code.pointer_bytes, choices)?.bits),
            b's' => {
                let string = self.next_slot(slot, self.code.pointer_bytes, choices)?;
                Argument::Text(self.read_string(string, conversion.precision, choices)?)
            }
            _ => Argument::Float(f64::from_bits(self.next_slot(slot, 8, choices)?.bits)),
        })
    }

    /// Reads a variadic argument and moves on to the next.
    fn next_slot(&mut self, slot: &mut Value, length: u64, choices: &mut dyn ChoiceSource) -> Result<Value, Halt> {
        let place = self.place(*slot, length, false)?;
        self.check_race(place, length, AccessKind::Read)?;
        let value = self.load(place, length, choices);
        *slot = slot.with_bits(slot.bits + SLOT);
        Ok(value)
    }

    /// The bytes up to the terminating zero, or up to `limit` of them.
    fn read_string(
        &mut self,
        start: Value,
        limit: Option<usize>,
        choices: &mut dyn ChoiceSource,
    ) -> Result<Vec<u8>, Halt> {
        let mut text = Vec::new();
        while limit.is_none_or(|limit| text.len() < limit) {
            let address = start.with_bits(start.bits.wrapping_add(text.len() as u64));
            let place = self.place(address, Type::Int(8).bytes(self.code.program.data_model), false)?;
            self.check_race(place, 1, AccessKind::Read)?;
            match self.load(place, 1, choices).bits as u8 {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }
}

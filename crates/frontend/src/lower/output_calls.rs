//! Output. What is printed to the standard output is an observation of a run; what goes elsewhere is not, and only native
//! runs write it: see `prelude/output.c`.

use program::{InstructionKind, LibraryFunction, Operand, Type};

use super::Lowerer;
use super::call::CallSite;
use super::text_calls::{Printed, PrintedString, without_positions};
use super::value::{Lowered, Value};
use crate::ast::ExprKind;
use crate::ctype::TypeTable;

/// Where output goes: who remembers a failure.
#[derive(Clone, Copy)]
enum Written {
    StandardOutput,
    /// The stream at this address.
    Stream(Operand),
    Elsewhere,
}

impl Lowerer<'_, '_> {
    fn library(&mut self, function: LibraryFunction, arguments: Vec<Operand>, site: &CallSite<'_>) -> Lowered<Value> {
        if self.link.uses_locale {
            self.call_prelude("__gordian_need_c_locale", Vec::new(), site);
        }
        let target = self.f.builder.temporary(Type::Int(32));
        self.emit(InstructionKind::Library { target: Some(target), function, arguments }, site.span);
        let value = Value::scalar(Operand::Register(target), TypeTable::INT);
        self.convert(value, site.result, site.span)
    }

    /// `format` is the index of the format argument.
    pub fn printf(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<Value> {
        let text = self.pointer_argument(site, format)?;
        self.f.builder.pin(text);
        self.read_printed(text, format, None, site);
        let (arguments, function) = self.printed_arguments(site, format)?;
        let text = self.format_without_positions(text, site, format)?;
        self.print(function, vec![text, arguments], site);
        self.printed_length(site, format, Written::StandardOutput)
    }

    /// The format, without the conversions that store something: that has been done.
    fn format_without_positions(&mut self, text: Operand, site: &CallSite<'_>, format: usize) -> Lowered<Operand> {
        let literal = site.arguments.get(format).and_then(|&argument| self.literal_bytes(argument));
        let Some(mut bytes) = literal.and_then(without_positions) else { return Ok(text) };
        bytes.push(0);
        let place = self.bytes_place(bytes, site.span);
        Ok(self.address_of(place, site.span)?.operand)
    }

    /// `printk`, `syslog`: what they write is not observed.
    pub fn printk(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<Value> {
        for index in 0..format {
            self.argument(site, index)?;
        }
        let text = self.pointer_argument(site, format)?;
        self.f.builder.pin(text);
        self.read_printed(text, format, None, site);
        let (arguments, rest) = self.printed_arguments(site, format)?;
        self.read_rest(rest, text, arguments, site);
        self.printed_length(site, format, Written::Elsewhere)
    }

    /// Reads what the arguments lead to, unless that was done before.
    fn read_rest(&mut self, rest: LibraryFunction, text: Operand, arguments: Operand, site: &CallSite<'_>) {
        if rest == LibraryFunction::Vprintf {
            self.print(LibraryFunction::ReadPrinted, vec![text, arguments], site);
        }
    }

    fn print(&mut self, function: LibraryFunction, arguments: Vec<Operand>, site: &CallSite<'_>) {
        self.emit(InstructionKind::Library { target: None, function, arguments }, site.span);
    }

    /// What a function that prints returns: the number of characters, where the format alone tells it, or a negative
    /// number.
    fn printed_length(&mut self, site: &CallSite<'_>, format: usize, to: Written) -> Lowered<Value> {
        if !self.outcome_matters(site) {
            return Ok(self.constant_result(site, 0));
        }
        let text = site.arguments.get(format).and_then(|&argument| self.literal_bytes(argument));
        let exact = text.and_then(literal_length);
        let least = text.map_or(0, least_length);
        let length = Operand::int(32, u64::from(exact.unwrap_or(least)));
        self.written_result(length, exact.is_some(), to, site)
    }

    /// What a function that writes one thing returns: `success`, or `EOF`.
    fn written(&mut self, success: Operand, to: Written, site: &CallSite<'_>) -> Lowered<Value> {
        if !self.outcome_matters(site) {
            return Ok(self.constant_result(site, 0));
        }
        self.written_result(success, true, to, site)
    }

    /// A failure may be seen in the result, in `errno` or in the state of the stream.
    fn outcome_matters(&self, site: &CallSite<'_>) -> bool {
        site.used || self.link.uses_errno || self.link.uses_stream_state
    }

    fn written_result(&mut self, length: Operand, exact: bool, to: Written, site: &CallSite<'_>) -> Lowered<Value> {
        let exact = Operand::int(32, u64::from(exact));
        let result = match to {
            Written::StandardOutput => self.prelude_value("__gordian_printed_out", vec![length, exact], site),
            Written::Stream(stream) => self.prelude_value("__gordian_printed_to", vec![stream, length, exact], site),
            Written::Elsewhere => self.prelude_value("__gordian_printed", vec![length, exact], site),
        };
        self.convert(Value::scalar(result, TypeTable::INT), site.result, site.span)
    }

    /// The arguments after the format, stored for the call. Strings among them are read first, and what remains to be
    /// done then.
    fn printed_arguments(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<(Operand, LibraryFunction)> {
        let Some(strings) = self.printed_strings(site, format) else {
            return Ok((self.variadic_from(site, format + 1)?, LibraryFunction::Vprintf));
        };
        let mut values = Vec::new();
        for &argument in site.arguments.iter().skip(format + 1) {
            let value = self.rvalue(argument)?;
            let value = self.promoted_argument(value, site.span)?;
            self.f.builder.pin(value.operand);
            values.push(value);
        }
        for &PrintedString { argument, what } in &strings {
            let Some(&value) = values.get(argument) else { continue };
            match what {
                Printed::Text { limit } => self.read_printed(value.operand, format + 1 + argument, limit, site),
                Printed::TextUpTo { precision } => {
                    let Some(&limit) = values.get(precision) else { continue };
                    let limit = self.convert(limit, TypeTable::LONG, site.span)?.operand;
                    self.call_prelude("__gordian_read_string", vec![value.operand, limit], site);
                }
                Printed::Position { least, exact } => self.store_position(value, least, exact, site)?,
            }
        }
        let is_stored = |argument: usize| {
            let stored = |string: &PrintedString| string.argument == argument && string.what.is_position();
            strings.iter().any(stored)
        };
        let printed: Vec<Value> =
            values.iter().enumerate().filter(|&(index, _)| !is_stored(index)).map(|(_, &value)| value).collect();
        Ok((self.variadic_object(&printed, site.span)?, LibraryFunction::Printf))
    }

    /// `%n`: how many characters stand before it.
    fn store_position(&mut self, pointer: Value, least: u32, exact: bool, site: &CallSite<'_>) -> Lowered<()> {
        let place = self.dereference(pointer, site.span)?;
        let value = match exact {
            true => self.integer(u64::from(least), TypeTable::INT),
            false => {
                let range = library::Range { low: i64::from(least), high: i64::from(i32::MAX) };
                self.input_between(TypeTable::INT, range, site.span)
            }
        };
        let value = self.convert(value, place.ty.ty, site.span)?;
        self.store(place, value, site.span)
    }

    /// Reads the string that is the n-th argument up to its end, or so many characters of it. Literals are there anyway.
    fn read_printed(&mut self, text: Operand, argument: usize, limit: Option<u32>, site: &CallSite<'_>) {
        if site.arguments.get(argument).is_some_and(|&expr| self.literal_text(expr).is_some()) {
            return;
        }
        let limit = Operand::int(self.link.types.model.pointer_bits(), limit.map_or(u64::MAX, u64::from));
        self.call_prelude("__gordian_read_string", vec![text, limit], site);
    }

    pub fn vprintf(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<Value> {
        let text = self.pointer_argument(site, format)?;
        self.f.builder.pin(text);
        self.read_printed(text, format, None, site);
        let arguments = self.va_list_argument(site, format + 1)?;
        self.print(LibraryFunction::Vprintf, vec![text, arguments], site);
        self.printed_length(site, format, Written::StandardOutput)
    }

    /// A buffer that is not limited has this many bytes: more than any text.
    const UNLIMITED: Operand = Operand::Int { bits: 64, value: u32::MAX as u64 };

    pub fn sprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if let Some(value) = self.simple_text(site, 1, false)? {
            return Ok(value);
        }
        let buffer = self.pointer_argument(site, 0)?;
        let text = self.pointer_argument(site, 1)?;
        let arguments = self.variadic_from(site, 2)?;
        self.library(LibraryFunction::Snprintf, vec![buffer, Self::UNLIMITED, text, arguments], site)
    }

    pub fn vsprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let buffer = self.pointer_argument(site, 0)?;
        let text = self.pointer_argument(site, 1)?;
        let arguments = self.va_list_argument(site, 2)?;
        self.library(LibraryFunction::Snprintf, vec![buffer, Self::UNLIMITED, text, arguments], site)
    }

    pub fn snprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if let Some(value) = self.simple_text(site, 2, true)? {
            return Ok(value);
        }
        let (buffer, size, text) = self.limited_buffer(site)?;
        let arguments = self.variadic_from(site, 3)?;
        self.library(LibraryFunction::Snprintf, vec![buffer, size, text, arguments], site)
    }

    pub fn vsnprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let (buffer, size, text) = self.limited_buffer(site)?;
        let arguments = self.va_list_argument(site, 3)?;
        self.library(LibraryFunction::Snprintf, vec![buffer, size, text, arguments], site)
    }

    /// The buffer, its size as 64 bits, and the format.
    fn limited_buffer(&mut self, site: &CallSite<'_>) -> Lowered<(Operand, Operand, Operand)> {
        let buffer = self.pointer_argument(site, 0)?;
        let size = self.size_argument(site, 1)?;
        let size = Value::scalar(size, self.link.types.size_type());
        let size = self.convert(size, TypeTable::UNSIGNED_LONG_LONG, site.span)?;
        let text = self.pointer_argument(site, 2)?;
        Ok((buffer, size.operand, text))
    }

    /// What goes to the standard output is printed. Other streams are not observed, and written to in native runs only.
    pub fn fprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if self.is_standard_output(site, 0) {
            return self.printf(site, 1);
        }
        let (stream, to) = self.stream_argument(site, 0)?;
        let text = self.pointer_argument(site, 1)?;
        self.f.builder.pin(text);
        self.read_printed(text, 1, None, site);
        let (arguments, rest) = self.printed_arguments(site, 1)?;
        self.read_rest(rest, text, arguments, site);
        self.told_format(stream, text, arguments, site);
        self.printed_length(site, 1, to)
    }

    pub fn vfprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if self.is_standard_output(site, 0) {
            return self.vprintf(site, 1);
        }
        let (stream, to) = self.stream_argument(site, 0)?;
        let text = self.pointer_argument(site, 1)?;
        self.f.builder.pin(text);
        self.read_printed(text, 1, None, site);
        let arguments = self.va_list_argument(site, 2)?;
        self.read_rest(LibraryFunction::Vprintf, text, arguments, site);
        self.told_format(stream, text, arguments, site);
        self.printed_length(site, 1, to)
    }

    /// The number of a stream, or of a file descriptor, and what it is.
    fn stream_argument(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<(Operand, Written)> {
        if site.name == "dprintf" {
            let descriptor = self.argument_as(site, index, TypeTable::INT)?;
            return Ok((self.f.builder.pin(descriptor), Written::Elsewhere));
        }
        let stream = self.pointer_argument(site, index)?;
        self.f.builder.pin(stream);
        Ok((self.stream_number(stream, site.span), Written::Stream(stream)))
    }

    fn told_format(&mut self, stream: Operand, text: Operand, arguments: Operand, site: &CallSite<'_>) {
        let tell = match site.name {
            "dprintf" => "__gordian_tell_dprintf",
            _ => "__gordian_tell_fprintf",
        };
        self.call_prelude(tell, vec![stream, text, arguments], site);
    }

    fn is_standard_output(&self, site: &CallSite<'_>, index: usize) -> bool {
        let Some(&argument) = site.arguments.get(index) else { return false };
        match self.ast[argument].kind {
            ExprKind::Name(name) => self.name(name) == "stdout",
            ExprKind::Integer(constant) => constant.value == 1,
            _ => false,
        }
    }

    pub fn puts(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let text = self.pointer_argument(site, 0)?;
        self.f.builder.pin(text);
        self.read_printed(text, 0, None, site);
        self.print(LibraryFunction::Puts, vec![text], site);
        self.printed_length(site, usize::MAX, Written::StandardOutput)
    }

    pub fn putchar(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let character = self.argument_as(site, 0, TypeTable::INT)?;
        self.f.builder.pin(character);
        self.print(LibraryFunction::Putchar, vec![character], site);
        self.character_result(character, Written::StandardOutput, site)
    }

    /// The character as an `unsigned char`, or `EOF`.
    fn character_result(&mut self, character: Operand, to: Written, site: &CallSite<'_>) -> Lowered<Value> {
        let value = Value::scalar(character, TypeTable::INT);
        let byte = self.convert(value, TypeTable::UNSIGNED_CHAR, site.span)?;
        let byte = self.convert(byte, TypeTable::INT, site.span)?;
        self.written(byte.operand, to, site)
    }

    pub fn fputs(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let text = self.argument(site, 0)?;
        self.f.builder.pin(text.operand);
        if !self.is_standard_output(site, 1) {
            let (stream, to) = self.stream_argument(site, 1)?;
            self.read_printed(text.operand, 0, None, site);
            self.call_prelude("__gordian_tell_fputs", vec![text.operand, stream], site);
            return self.printed_length(site, usize::MAX, to);
        }
        self.read_printed(text.operand, 0, None, site);
        let format = self.bytes_place(b"%s\0".to_vec(), site.span);
        let format = self.address_of(format, site.span)?;
        let arguments = self.variadic_object(&[text], site.span)?;
        self.print(LibraryFunction::Printf, vec![format.operand, arguments], site);
        self.printed_length(site, usize::MAX, Written::StandardOutput)
    }

    pub fn fputc(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if self.is_standard_output(site, 1) {
            return self.putchar(site);
        }
        let character = self.argument_as(site, 0, TypeTable::INT)?;
        self.f.builder.pin(character);
        let (stream, to) = self.stream_argument(site, 1)?;
        self.call_prelude("__gordian_tell_fputc", vec![character, stream], site);
        self.character_result(character, to, site)
    }

    /// Nothing that waits to be written is observed.
    pub fn fflush(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let stream = self.pointer_argument(site, 0)?;
        self.f.builder.pin(stream);
        let number = self.prelude_value("__gordian_optional_stream", vec![stream], site);
        self.call_prelude("__gordian_tell_fflush", vec![number], site);
        self.written(Operand::int(32, 0), Written::Elsewhere, site)
    }
}

/// The length of what a format without conversions prints.
fn literal_length(format: &[u8]) -> Option<u32> {
    let mut length = 0;
    let mut bytes = format.iter();
    while let Some(&byte) = bytes.next() {
        if byte == b'%' && bytes.next() != Some(&b'%') {
            return None;
        }
        length += 1;
    }
    Some(length)
}

/// As many characters as stand before the first conversion are printed in any case.
fn least_length(format: &[u8]) -> u32 {
    format.iter().position(|&byte| byte == b'%').unwrap_or(format.len()) as u32
}

//! Output. What is printed to the standard output is an observation of a run; what goes elsewhere is not, and only native
//! runs write it: see `prelude/output.c`.

use program::{InstructionKind, LibraryFunction, Operand, Type};

use super::Lowerer;
use super::call::CallSite;
use super::text_calls::PrintedString;
use super::value::{Lowered, Value};
use crate::ast::ExprKind;
use crate::ctype::TypeTable;

impl Lowerer<'_, '_> {
    fn library(&mut self, function: LibraryFunction, arguments: Vec<Operand>, site: &CallSite<'_>) -> Lowered<Value> {
        let target = self.f.builder.temporary(Type::Int(32));
        self.emit(InstructionKind::Library { target: Some(target), function, arguments }, site.span);
        let value = Value::scalar(Operand::Register(target), TypeTable::INT);
        self.convert(value, site.result, site.span)
    }

    /// `format` is the index of the format argument.
    pub fn printf(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<Value> {
        let text = self.pointer_argument(site, format)?;
        let (arguments, function) = self.printed_arguments(site, format)?;
        self.library(function, vec![text, arguments], site)
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
        for PrintedString { argument, limit } in strings {
            if let Some(value) = values.get(argument) {
                self.read_printed(value.operand, format + 1 + argument, limit, site);
            }
        }
        Ok((self.variadic_object(&values, site.span)?, LibraryFunction::Printf))
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
        let arguments = self.va_list_argument(site, format + 1)?;
        self.library(LibraryFunction::Vprintf, vec![text, arguments], site)
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
        let stream = self.stream_argument(site, 0)?;
        let text = self.pointer_argument(site, 1)?;
        self.f.builder.pin(text);
        let (arguments, _) = self.printed_arguments(site, 1)?;
        Ok(self.told_format(stream, text, arguments, site))
    }

    pub fn vfprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if self.is_standard_output(site, 0) {
            return self.vprintf(site, 1);
        }
        let stream = self.stream_argument(site, 0)?;
        let text = self.pointer_argument(site, 1)?;
        self.f.builder.pin(text);
        let arguments = self.va_list_argument(site, 2)?;
        Ok(self.told_format(stream, text, arguments, site))
    }

    /// A stream, or a file descriptor as a number.
    fn stream_argument(&mut self, site: &CallSite<'_>, index: usize) -> Lowered<Operand> {
        let stream = match site.name {
            "dprintf" => self.argument_as(site, index, TypeTable::INT)?,
            _ => self.pointer_argument(site, index)?,
        };
        self.f.builder.pin(stream);
        Ok(stream)
    }

    fn told_format(&mut self, stream: Operand, text: Operand, arguments: Operand, site: &CallSite<'_>) -> Value {
        let tell = match site.name {
            "dprintf" => "__gordian_tell_dprintf",
            _ => "__gordian_tell_fprintf",
        };
        self.call_prelude(tell, vec![stream, text, arguments], site);
        self.constant_result(site, 0)
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
        self.library(LibraryFunction::Puts, vec![text], site)
    }

    pub fn putchar(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let character = self.argument_as(site, 0, TypeTable::INT)?;
        self.library(LibraryFunction::Putchar, vec![character], site)
    }

    pub fn fputs(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let text = self.argument(site, 0)?;
        self.f.builder.pin(text.operand);
        self.read_printed(text.operand, 0, None, site);
        if !self.is_standard_output(site, 1) {
            let stream = self.pointer_argument(site, 1)?;
            self.call_prelude("__gordian_tell_fputs", vec![text.operand, stream], site);
            return Ok(self.constant_result(site, 0));
        }
        let format = self.bytes_place(b"%s\0".to_vec(), site.span);
        let format = self.address_of(format, site.span)?;
        let arguments = self.variadic_object(&[text], site.span)?;
        self.library(LibraryFunction::Printf, vec![format.operand, arguments], site)
    }

    pub fn fputc(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if self.is_standard_output(site, 1) {
            return self.putchar(site);
        }
        let character = self.argument_as(site, 0, TypeTable::INT)?;
        self.f.builder.pin(character);
        let stream = self.pointer_argument(site, 1)?;
        self.call_prelude("__gordian_tell_fputc", vec![character, stream], site);
        Ok(self.constant_result(site, 0))
    }
}

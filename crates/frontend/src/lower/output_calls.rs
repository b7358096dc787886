//! Output. What is printed to the standard output is an observation of a run; what goes elsewhere is not, and only native
//! runs write it: see `prelude/output.c`.

use program::print_format::Field;
use program::{InstructionKind, LibraryFunction, Operand, Type};

use super::Lowerer;
use super::call::CallSite;
use super::entity::Entity;
use super::print_plan::{Plan, Print, Source, Step};
use super::text_calls::PrintValues;
use super::value::{Lowered, Value};
use crate::ast::ExprKind;
use crate::ctype::{QualType, TypeTable};

/// Where output goes: who remembers a failure.
#[derive(Clone, Copy)]
enum Written {
    StandardOutput,
    /// The stream at this address.
    Stream(Operand),
    Elsewhere,
}

/// What a call prints.
struct PrintedCall {
    /// `Printf` if the format is known and all that it leads to has been read, otherwise `Vprintf`.
    function: LibraryFunction,
    format: Operand,
    slots: Operand,
    length: PrintedLength,
}

/// How many characters are printed, if all of them are.
#[derive(Clone, Copy)]
enum PrintedLength {
    Exactly(Operand),
    /// At least so many.
    AtLeast(u32),
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
        let printed = self.printed_call(site, format)?;
        self.print(printed.function, vec![printed.format, printed.slots], site);
        self.printed_length(printed.length, Written::StandardOutput, site)
    }

    /// `syslog` prints the name that `openlog` was given as well, wherever that lies by now.
    pub fn syslog(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let value = self.printk(site, 1)?;
        self.call_prelude("__gordian_read_log_name", Vec::new(), site);
        Ok(value)
    }

    /// `printk`, `syslog`: what they write is not observed.
    pub fn printk(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<Value> {
        for index in 0..format {
            self.argument(site, index)?;
        }
        let printed = self.printed_call(site, format)?;
        self.read_rest(&printed, site);
        self.printed_length(printed.length, Written::Elsewhere, site)
    }

    /// Reads what the arguments lead to, unless that was done before.
    fn read_rest(&mut self, printed: &PrintedCall, site: &CallSite<'_>) {
        if printed.function == LibraryFunction::Vprintf {
            self.print(LibraryFunction::ReadPrinted, vec![printed.format, printed.slots], site);
        }
    }

    fn print(&mut self, function: LibraryFunction, arguments: Vec<Operand>, site: &CallSite<'_>) {
        self.emit(InstructionKind::Library { target: None, function, arguments }, site.span);
    }

    /// What a function that prints returns: the number of characters, or a negative number.
    fn printed_length(&mut self, length: PrintedLength, to: Written, site: &CallSite<'_>) -> Lowered<Value> {
        if !self.outcome_matters(site) {
            return Ok(self.constant_result(site, 0));
        }
        match length {
            PrintedLength::Exactly(length) => self.written_result(length, true, to, site),
            PrintedLength::AtLeast(least) => self.written_result(Operand::int(32, u64::from(least)), false, to, site),
        }
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

    /// Reads the format, the argument number `format`, and what the arguments behind it lead to if it tells what that is.
    fn printed_call(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<PrintedCall> {
        let text = self.pointer_argument(site, format)?;
        self.f.builder.pin(text);
        self.read_printed(text, Some(format), None, site);
        let Some(plan) = self.print_plan(site, format) else {
            let slots = self.variadic_from(site, format + 1)?;
            let length = self.unknown_length(0, site);
            return Ok(PrintedCall { function: LibraryFunction::Vprintf, format: text, slots, length });
        };
        let values = self.print_values(&plan, site, format)?;
        if plan.needed > values.arguments.len() {
            let what = "a format with more conversions than arguments".to_owned();
            self.emit(InstructionKind::Unsupported { what }, site.span);
            let slots = self.variadic_object(&values.arguments, site.span)?;
            let length = PrintedLength::AtLeast(0);
            return Ok(PrintedCall { function: LibraryFunction::Vprintf, format: text, slots, length });
        }
        let length = self.follow_plan(&plan, &values, site, format)?;
        let printed = plan.steps.iter().filter_map(|step| match step {
            Step::Print(print) => Some(print.sources()),
            _ => None,
        });
        let printed: Vec<Value> = printed.flatten().map(|source| values.of(source)).collect();
        let slots = self.variadic_object(&printed, site.span)?;
        let format = self.planned_format(&plan, text, site, format)?;
        Ok(PrintedCall { function: LibraryFunction::Printf, format, slots, length })
    }

    /// Reads the strings that are printed and stores what `%n` tells. The text is measured as far as somebody wants to know.
    fn follow_plan(
        &mut self,
        plan: &Plan,
        values: &PrintValues,
        site: &CallSite<'_>,
        format: usize,
    ) -> Lowered<PrintedLength> {
        let is_store = |step: &Step| matches!(step, Step::Store { .. });
        let stores = plan.steps.iter().rposition(is_store).map_or(0, |last| last + 1);
        let measured = if site.wants_value() { plan.steps.len() } else { stores };
        let mut position = Some(self.word(0));
        for (index, step) in plan.steps.iter().enumerate() {
            let before = position.filter(|_| index < measured);
            position = match before {
                Some(before) => self.put_step(step, values, before, None, site)?,
                None => None,
            };
            match *step {
                _ if position.is_some() => {}
                Step::Store { argument, length } => {
                    self.store_position(values.arguments[argument], length, None, site)?;
                }
                Step::Print(print) if print.conversion.kind == b's' => {
                    self.read_string_of(&print, values, site, format)?;
                }
                Step::Text { .. } | Step::Print(_) => {}
            }
        }
        let all = plan.steps.len();
        match position.filter(|_| measured == all) {
            Some(position) => {
                let position = Value::scalar(position, TypeTable::UNSIGNED_LONG);
                let length = self.convert(position, TypeTable::INT, site.span)?.operand;
                Ok(PrintedLength::Exactly(self.f.builder.pin(length)))
            }
            None => Ok(self.unknown_length(plan.least_before(all), site)),
        }
    }

    /// A length that is not computed: whether there was a failure can be told, what it is decides nothing.
    fn unknown_length(&mut self, least: u32, site: &CallSite<'_>) -> PrintedLength {
        if site.wants_value() {
            self.unsupported("the number of characters that are printed here", TypeTable::INT, site.span);
        }
        PrintedLength::AtLeast(least)
    }

    /// Reads the string of a `%s`.
    fn read_string_of(
        &mut self,
        print: &Print,
        values: &PrintValues,
        site: &CallSite<'_>,
        format: usize,
    ) -> Lowered<()> {
        let Source::Argument(argument) = print.value else { return Ok(()) };
        let text = self.convert(values.of(print.value), TypeTable::VOID_POINTER, site.span)?.operand;
        let limit = match print.conversion.precision {
            None => None,
            Some(Field::Number(limit)) => Some(self.word(u64::from(limit))),
            Some(Field::Argument(_)) => match print.precision {
                Some(limit) => Some(self.convert(values.arguments[limit], TypeTable::LONG, site.span)?.operand),
                None => None,
            },
        };
        self.read_printed(text, Some(format + 1 + argument), limit, site);
        Ok(())
    }

    /// Reads a string up to its end, or so many characters of it. An argument that is a literal is there anyway.
    fn read_printed(&mut self, text: Operand, argument: Option<usize>, limit: Option<Operand>, site: &CallSite<'_>) {
        let argument = argument.and_then(|argument| site.arguments.get(argument));
        if argument.is_some_and(|&expr| self.literal_bytes(expr).is_some()) {
            return;
        }
        let limit = limit.unwrap_or_else(|| self.word(u64::MAX));
        self.call_prelude("__gordian_read_string", vec![text, limit], site);
    }

    /// A text that nobody measures.
    const ANY_LENGTH: PrintedLength = PrintedLength::AtLeast(0);

    pub fn vprintf(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<Value> {
        let text = self.pointer_argument(site, format)?;
        self.f.builder.pin(text);
        self.read_printed(text, Some(format), None, site);
        let arguments = self.va_list_argument(site, format + 1)?;
        self.print(LibraryFunction::Vprintf, vec![text, arguments], site);
        self.printed_length(Self::ANY_LENGTH, Written::StandardOutput, site)
    }

    /// A buffer that is not limited has this many bytes: more than any text.
    const UNLIMITED: Operand = Operand::Int { bits: 64, value: u32::MAX as u64 };

    pub fn sprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if let Some(value) = self.simple_text(site, 1, false)? {
            return Ok(value);
        }
        let buffer = self.pointer_argument(site, 0)?;
        let (text, arguments) = self.formatted_arguments(site, 1)?;
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
        let (buffer, size) = self.limited_buffer(site)?;
        let (text, arguments) = self.formatted_arguments(site, 2)?;
        self.library(LibraryFunction::Snprintf, vec![buffer, size, text, arguments], site)
    }

    pub fn vsnprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let (buffer, size) = self.limited_buffer(site)?;
        let text = self.pointer_argument(site, 2)?;
        let arguments = self.va_list_argument(site, 3)?;
        self.library(LibraryFunction::Snprintf, vec![buffer, size, text, arguments], site)
    }

    /// The format, the argument number `format`, and what stands behind it, where the machine makes the text.
    fn formatted_arguments(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<(Operand, Operand)> {
        let text = self.pointer_argument(site, format)?;
        let Some(plan) = self.print_plan(site, format) else {
            return Ok((text, self.variadic_from(site, format + 1)?));
        };
        self.f.builder.pin(text);
        let values = self.print_values(&plan, site, format)?;
        let is_stored = plan.steps.iter().any(|step| matches!(step, Step::Store { .. }));
        if is_stored || plan.needed > values.arguments.len() {
            let what = format!("`{}` with this format", site.name);
            self.emit(InstructionKind::Unsupported { what }, site.span);
        }
        let printed = plan.steps.iter().filter_map(|step| match step {
            Step::Print(print) => Some(print.sources()),
            _ => None,
        });
        let given = |source: &Source| !matches!(*source, Source::Argument(n) if n >= values.arguments.len());
        let printed: Vec<Value> = printed.flatten().filter(given).map(|source| values.of(source)).collect();
        let slots = self.variadic_object(&printed, site.span)?;
        Ok((self.planned_format(&plan, text, site, format)?, slots))
    }

    /// The buffer, and its size as 64 bits.
    fn limited_buffer(&mut self, site: &CallSite<'_>) -> Lowered<(Operand, Operand)> {
        let buffer = self.pointer_argument(site, 0)?;
        let size = self.size_argument(site, 1)?;
        let size = Value::scalar(size, self.link.types.size_type());
        let size = self.convert(size, TypeTable::UNSIGNED_LONG_LONG, site.span)?;
        Ok((buffer, size.operand))
    }

    /// What goes to the standard output is printed. Other streams are not observed, and written to in native runs only.
    pub fn fprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if self.is_standard_output(site, 0) {
            return self.printf(site, 1);
        }
        let (stream, to) = self.stream_argument(site, 0)?;
        let printed = self.printed_call(site, 1)?;
        self.read_rest(&printed, site);
        self.told_format(stream, printed.format, printed.slots, site);
        self.printed_length(printed.length, to, site)
    }

    pub fn vfprintf(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        if self.is_standard_output(site, 0) {
            return self.vprintf(site, 1);
        }
        let (stream, to) = self.stream_argument(site, 0)?;
        let text = self.pointer_argument(site, 1)?;
        self.f.builder.pin(text);
        self.read_printed(text, Some(1), None, site);
        let arguments = self.va_list_argument(site, 2)?;
        self.print(LibraryFunction::ReadPrinted, vec![text, arguments], site);
        self.told_format(stream, text, arguments, site);
        self.printed_length(Self::ANY_LENGTH, to, site)
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
            ExprKind::Name(name) if self.name(name) == "stdout" && !self.link.replaces_streams => {
                let entity = self.scopes.lookup(name);
                matches!(entity, Some(Entity::Global(global)) if !self.link.globals[global].defined)
            }
            ExprKind::Integer(constant) => constant.value == 1,
            _ => false,
        }
    }

    /// Where the program puts other streams in the place of the standard ones, functions that name none use what stands there.
    pub fn need_standard_stream(&mut self, site: &CallSite<'_>) {
        if !self.link.replaces_streams || self.built_in {
            return;
        }
        let (number, name) = match site.name {
            "getchar" | "getchar_unlocked" | "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => (0, "stdin"),
            "printf" | "vprintf" | "puts" | "putchar" | "putchar_unlocked" => (1, "stdout"),
            "perror" => (2, "stderr"),
            _ => return,
        };
        let ty = QualType::plain(TypeTable::VOID_POINTER);
        let global = self.link.external_global(name, ty, site.span);
        let stream = self.load_plain(Operand::Global { global, offset: 0 }, Type::Pointer, site.span);
        self.call_prelude("__gordian_need_stream", vec![stream, Operand::int(32, number)], site);
    }

    pub fn puts(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let text = self.pointer_argument(site, 0)?;
        self.f.builder.pin(text);
        self.read_printed(text, Some(0), None, site);
        self.print(LibraryFunction::Puts, vec![text], site);
        self.printed_length(Self::ANY_LENGTH, Written::StandardOutput, site)
    }

    pub fn putchar(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let character = self.argument_as(site, 0, TypeTable::INT)?;
        self.f.builder.pin(character);
        self.print(LibraryFunction::Putchar, vec![character], site);
        self.character_result(character, Written::StandardOutput, site)
    }

    /// Output without the lock of the stream.
    pub fn putchar_unlocked(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        self.call_prelude("__gordian_use_unlocked_output", Vec::new(), site);
        self.putchar(site)
    }

    pub fn fputc_unlocked(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let character = self.argument_as(site, 0, TypeTable::INT)?;
        self.f.builder.pin(character);
        let (stream, to) = self.stream_argument(site, 1)?;
        if let Written::Stream(stream) = to {
            self.call_prelude("__gordian_use_unlocked", vec![stream], site);
        }
        self.call_prelude("__gordian_tell_fputc", vec![character, stream], site);
        self.character_result(character, to, site)
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
            self.read_printed(text.operand, Some(0), None, site);
            self.call_prelude("__gordian_tell_fputs", vec![text.operand, stream], site);
            return self.printed_length(Self::ANY_LENGTH, to, site);
        }
        self.read_printed(text.operand, Some(0), None, site);
        let format = self.bytes_place(b"%s\0".to_vec(), site.span);
        let format = self.address_of(format, site.span)?;
        let arguments = self.variadic_object(&[text], site.span)?;
        self.print(LibraryFunction::Printf, vec![format.operand, arguments], site);
        self.printed_length(Self::ANY_LENGTH, Written::StandardOutput, site)
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

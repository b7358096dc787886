//! Output. What is printed to the standard output is an observation of a run; what goes elsewhere is not, and only native
//! runs write it: see `prelude/output.c`.

use program::print_format::WidthOrPrecision;
use program::{InstructionKind, LibraryFunction, Operand, Type};

use super::call::CallLowering;
use super::print_plan::{Print, PrintPlan, PrintSource, PrintStep};
use super::text::{PrintValues, planned_format, print_plan, print_values, put_step, simple_text, store_position};
use super::varargs::{va_list_argument, variadic_from};
use crate::ctype::{QualType, TypeTable};
use crate::emit::value::{CValue, Lowered};

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

fn library(call: &mut CallLowering, function: LibraryFunction, arguments: Vec<Operand>) -> Lowered<CValue> {
    if call.link().uses_locale {
        call.call_prelude("__gordian_need_c_locale", Vec::new());
    }
    let target = call.temporary(Type::Int(32));
    call.instruction(InstructionKind::Library { target: Some(target), function, arguments });
    let value = CValue::scalar(Operand::Register(target), TypeTable::INT);
    call.convert(value, call.site.result)
}

/// `format` is the index of the format argument.
pub fn printf(call: &mut CallLowering, format: usize) -> Lowered<CValue> {
    let printed = printed_call(call, format)?;
    print(call, printed.function, vec![printed.format, printed.slots]);
    printed_length(call, printed.length, Written::StandardOutput)
}

/// `syslog` prints the name that `openlog` was given as well, wherever that lies by now.
pub fn syslog(call: &mut CallLowering) -> Lowered<CValue> {
    let value = printk(call, 1)?;
    call.call_prelude("__gordian_read_log_name", Vec::new());
    Ok(value)
}

/// `printk`, `syslog`: what they write is not observed.
pub fn printk(call: &mut CallLowering, format: usize) -> Lowered<CValue> {
    for index in 0..format {
        call.argument(index)?;
    }
    let printed = printed_call(call, format)?;
    read_rest(call, &printed);
    printed_length(call, printed.length, Written::Elsewhere)
}

/// Reads what the arguments lead to, unless that was done before.
fn read_rest(call: &mut CallLowering, printed: &PrintedCall) {
    if printed.function == LibraryFunction::Vprintf {
        print(call, LibraryFunction::ReadPrinted, vec![printed.format, printed.slots]);
    }
}

fn print(call: &mut CallLowering, function: LibraryFunction, arguments: Vec<Operand>) {
    call.instruction(InstructionKind::Library { target: None, function, arguments });
}

/// What a function that prints returns: the number of characters, or a negative number.
fn printed_length(call: &mut CallLowering, length: PrintedLength, to: Written) -> Lowered<CValue> {
    take_lock(call, to);
    if !outcome_matters(call) {
        return Ok(call.constant_result(0));
    }
    match length {
        PrintedLength::Exactly(length) => written_result(call, length, true, to),
        PrintedLength::AtLeast(least) => written_result(call, Operand::int(32, u64::from(least)), false, to),
    }
}

/// What a function that writes one thing returns: `success`, or `EOF`.
fn written(call: &mut CallLowering, success: Operand, to: Written) -> Lowered<CValue> {
    take_lock(call, to);
    if !outcome_matters(call) {
        return Ok(call.constant_result(0));
    }
    written_result(call, success, true, to)
}

/// Where others use streams without their locks, it matters who uses them with the lock.
fn take_lock(call: &mut CallLowering, to: Written) {
    if !call.link().uses_unlocked_streams {
        return;
    }
    match to {
        Written::StandardOutput => call.call_prelude("__gordian_use_locked_output", Vec::new()),
        Written::Stream(stream) => call.call_prelude("__gordian_use_locked", vec![stream]),
        Written::Elsewhere => {}
    }
}

/// A failure may be seen in the result, in `errno` or in the state of the stream.
fn outcome_matters(call: &CallLowering) -> bool {
    call.site.is_used() || call.link().uses_errno || call.link().uses_stream_state
}

fn written_result(call: &mut CallLowering, length: Operand, exact: bool, to: Written) -> Lowered<CValue> {
    let exact = Operand::int(32, u64::from(exact));
    let result = match to {
        Written::StandardOutput => call.prelude_value("__gordian_printed_out", vec![length, exact]),
        Written::Stream(stream) => call.prelude_value("__gordian_printed_to", vec![stream, length, exact]),
        Written::Elsewhere => call.prelude_value("__gordian_printed", vec![length, exact]),
    };
    call.convert(CValue::scalar(result, TypeTable::INT), call.site.result)
}

/// Reads the format, the argument number `format`, and what the arguments behind it lead to if it tells what that is.
fn printed_call(call: &mut CallLowering, format: usize) -> Lowered<PrintedCall> {
    let text = call.pointer_argument(format)?;
    call.pin(text);
    read_printed(call, text, Some(format), None);
    let Some(plan) = print_plan(call, format) else {
        let slots = variadic_from(call, format + 1)?;
        let length = unknown_length(call, 0);
        return Ok(PrintedCall { function: LibraryFunction::Vprintf, format: text, slots, length });
    };
    let values = print_values(call, &plan, format)?;
    if plan.needed > values.arguments.len() {
        let what = "a format with more conversions than arguments".to_owned();
        call.instruction(InstructionKind::Unsupported { what });
        let slots = call.variadic_object(&values.arguments)?;
        let length = PrintedLength::AtLeast(0);
        return Ok(PrintedCall { function: LibraryFunction::Vprintf, format: text, slots, length });
    }
    let length = follow_plan(call, &plan, &values, format)?;
    let printed = plan.steps.iter().filter_map(|step| match step {
        PrintStep::Print(print) => Some(print.sources()),
        _ => None,
    });
    let printed: Vec<CValue> = printed.flatten().map(|source| values.of(source)).collect();
    let slots = call.variadic_object(&printed)?;
    let format = planned_format(call, &plan, text, format)?;
    Ok(PrintedCall { function: LibraryFunction::Printf, format, slots, length })
}

/// Reads the strings that are printed and stores what `%n` tells. The text is measured as far as somebody wants to know.
fn follow_plan(
    call: &mut CallLowering,
    plan: &PrintPlan,
    values: &PrintValues,
    format: usize,
) -> Lowered<PrintedLength> {
    let is_store = |step: &PrintStep| matches!(step, PrintStep::Store { .. });
    let stores = plan.steps.iter().rposition(is_store).map_or(0, |last| last + 1);
    let measured = if call.site.wants_value() { plan.steps.len() } else { stores };
    let mut position = Some(call.size_operand(0));
    for (index, step) in plan.steps.iter().enumerate() {
        let before = position.filter(|_| index < measured);
        position = match before {
            Some(before) => put_step(call, step, values, before, None)?,
            None => None,
        };
        match *step {
            _ if position.is_some() => {}
            PrintStep::Store { argument, length } => {
                store_position(call, values.arguments[argument], length, None)?;
            }
            PrintStep::Print(print) if print.conversion.kind == b's' => {
                read_string_of(call, &print, values, format)?;
            }
            PrintStep::Text { .. } | PrintStep::Print(_) => {}
        }
    }
    let all = plan.steps.len();
    match position.filter(|_| measured == all) {
        Some(position) => {
            let position = CValue::scalar(position, TypeTable::UNSIGNED_LONG);
            let length = call.convert(position, TypeTable::INT)?.operand;
            Ok(PrintedLength::Exactly(call.pin(length)))
        }
        None => Ok(unknown_length(call, plan.least_before(all))),
    }
}

/// A length that is not computed: whether there was a failure can be told, what it is decides nothing.
fn unknown_length(call: &mut CallLowering, least: u32) -> PrintedLength {
    if call.site.wants_value() {
        call.unsupported("the number of characters that are printed here", TypeTable::INT);
    }
    PrintedLength::AtLeast(least)
}

/// Reads the string of a `%s`.
fn read_string_of(call: &mut CallLowering, print: &Print, values: &PrintValues, format: usize) -> Lowered<()> {
    let PrintSource::Argument(argument) = print.value else { return Ok(()) };
    let text = call.convert(values.of(print.value), TypeTable::VOID_POINTER)?.operand;
    let limit = match print.conversion.precision {
        None => None,
        Some(WidthOrPrecision::Number(limit)) => Some(call.size_operand(u64::from(limit))),
        Some(WidthOrPrecision::Argument(_)) => match print.precision {
            Some(limit) => Some(call.convert(values.arguments[limit], TypeTable::LONG)?.operand),
            None => None,
        },
    };
    read_printed(call, text, Some(format + 1 + argument), limit);
    Ok(())
}

/// Reads a string up to its end, or so many characters of it. An argument that is a literal is there anyway.
fn read_printed(call: &mut CallLowering, text: Operand, argument: Option<usize>, limit: Option<Operand>) {
    let argument = argument.and_then(|argument| call.site.arguments.get(argument));
    if argument.is_some_and(|&expr| call.literal_bytes(expr).is_some()) {
        return;
    }
    let limit = limit.unwrap_or_else(|| call.size_operand(u64::MAX));
    call.call_prelude("__gordian_read_string", vec![text, limit]);
}

/// A text that nobody measures.
const ANY_LENGTH: PrintedLength = PrintedLength::AtLeast(0);

pub fn vprintf(call: &mut CallLowering, format: usize) -> Lowered<CValue> {
    let text = call.pointer_argument(format)?;
    call.pin(text);
    read_printed(call, text, Some(format), None);
    let arguments = va_list_argument(call, format + 1)?;
    print(call, LibraryFunction::Vprintf, vec![text, arguments]);
    printed_length(call, ANY_LENGTH, Written::StandardOutput)
}

/// A buffer that is not limited has this many bytes: more than any text.
const UNLIMITED: Operand = Operand::Int { bits: 64, value: u32::MAX as u64 };

pub fn sprintf(call: &mut CallLowering) -> Lowered<CValue> {
    if let Some(value) = simple_text(call, 1, false)? {
        return Ok(value);
    }
    let buffer = call.pointer_argument(0)?;
    let (text, arguments) = formatted_arguments(call, 1)?;
    library(call, LibraryFunction::Snprintf, vec![buffer, UNLIMITED, text, arguments])
}

pub fn vsprintf(call: &mut CallLowering) -> Lowered<CValue> {
    let buffer = call.pointer_argument(0)?;
    let text = call.pointer_argument(1)?;
    let arguments = va_list_argument(call, 2)?;
    library(call, LibraryFunction::Snprintf, vec![buffer, UNLIMITED, text, arguments])
}

pub fn snprintf(call: &mut CallLowering) -> Lowered<CValue> {
    if let Some(value) = simple_text(call, 2, true)? {
        return Ok(value);
    }
    let (buffer, size) = limited_buffer(call)?;
    let (text, arguments) = formatted_arguments(call, 2)?;
    library(call, LibraryFunction::Snprintf, vec![buffer, size, text, arguments])
}

pub fn vsnprintf(call: &mut CallLowering) -> Lowered<CValue> {
    let (buffer, size) = limited_buffer(call)?;
    let text = call.pointer_argument(2)?;
    let arguments = va_list_argument(call, 3)?;
    library(call, LibraryFunction::Snprintf, vec![buffer, size, text, arguments])
}

/// The format, the argument number `format`, and what stands behind it, where the machine makes the text.
fn formatted_arguments(call: &mut CallLowering, format: usize) -> Lowered<(Operand, Operand)> {
    let text = call.pointer_argument(format)?;
    let Some(plan) = print_plan(call, format) else {
        return Ok((text, variadic_from(call, format + 1)?));
    };
    call.pin(text);
    let values = print_values(call, &plan, format)?;
    let is_stored = plan.steps.iter().any(|step| matches!(step, PrintStep::Store { .. }));
    if is_stored || plan.needed > values.arguments.len() {
        let what = format!("`{}` with this format", call.site.name);
        call.instruction(InstructionKind::Unsupported { what });
    }
    let printed = plan.steps.iter().filter_map(|step| match step {
        PrintStep::Print(print) => Some(print.sources()),
        _ => None,
    });
    let given = |source: &PrintSource| !matches!(*source, PrintSource::Argument(n) if n >= values.arguments.len());
    let printed: Vec<CValue> = printed.flatten().filter(given).map(|source| values.of(source)).collect();
    let slots = call.variadic_object(&printed)?;
    Ok((planned_format(call, &plan, text, format)?, slots))
}

/// The buffer, and its size as 64 bits.
fn limited_buffer(call: &mut CallLowering) -> Lowered<(Operand, Operand)> {
    let buffer = call.pointer_argument(0)?;
    let size = call.size_argument(1)?;
    let size = CValue::scalar(size, call.types().size_type());
    let size = call.convert(size, TypeTable::UNSIGNED_LONG_LONG)?;
    Ok((buffer, size.operand))
}

/// What goes to the standard output is printed. Other streams are not observed, and written to in native runs only.
pub fn fprintf(call: &mut CallLowering) -> Lowered<CValue> {
    if is_standard_output(call, 0) {
        return printf(call, 1);
    }
    let (stream, to) = stream_argument(call, 0)?;
    let printed = printed_call(call, 1)?;
    read_rest(call, &printed);
    told_format(call, stream, printed.format, printed.slots);
    printed_length(call, printed.length, to)
}

pub fn vfprintf(call: &mut CallLowering) -> Lowered<CValue> {
    if is_standard_output(call, 0) {
        return vprintf(call, 1);
    }
    let (stream, to) = stream_argument(call, 0)?;
    let text = call.pointer_argument(1)?;
    call.pin(text);
    read_printed(call, text, Some(1), None);
    let arguments = va_list_argument(call, 2)?;
    print(call, LibraryFunction::ReadPrinted, vec![text, arguments]);
    told_format(call, stream, text, arguments);
    printed_length(call, ANY_LENGTH, to)
}

/// The number of a stream, or of a file descriptor, and what it is.
fn stream_argument(call: &mut CallLowering, index: usize) -> Lowered<(Operand, Written)> {
    if call.site.name == "dprintf" {
        let descriptor = call.argument_as(index, TypeTable::INT)?;
        return Ok((call.pin(descriptor), Written::Elsewhere));
    }
    let stream = call.pointer_argument(index)?;
    call.pin(stream);
    Ok((call.emit_with(|emit, span| emit.stream_number(stream, span)), Written::Stream(stream)))
}

fn told_format(call: &mut CallLowering, stream: Operand, text: Operand, arguments: Operand) {
    let tell = match call.site.name {
        "dprintf" => "__gordian_tell_dprintf",
        _ => "__gordian_tell_fprintf",
    };
    call.call_prelude(tell, vec![stream, text, arguments]);
}

fn is_standard_output(call: &CallLowering, index: usize) -> bool {
    call.site.arguments.get(index).is_some_and(|&argument| call.inspect().is_standard_output(argument))
}

/// Where the program puts other streams in the place of the standard ones, functions that name none use what stands there.
pub fn need_standard_stream(call: &mut CallLowering) {
    if !call.link().replaces_streams || call.is_in_model() {
        return;
    }
    let (number, name) = match call.site.name {
        "getchar" | "getchar_unlocked" | "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => (0, "stdin"),
        "printf" | "vprintf" | "puts" | "putchar" | "putchar_unlocked" => (1, "stdout"),
        "perror" => (2, "stderr"),
        _ => return,
    };
    let ty = QualType::plain(TypeTable::VOID_POINTER);
    let span = call.site.span;
    let global = call.link_mut().external_global(name, ty, span);
    let stream = call.load_plain(Operand::Global { global, offset: 0 }, Type::Pointer);
    call.call_prelude("__gordian_need_stream", vec![stream, Operand::int(32, number)]);
}

pub fn puts(call: &mut CallLowering) -> Lowered<CValue> {
    let text = call.pointer_argument(0)?;
    call.pin(text);
    read_printed(call, text, Some(0), None);
    print(call, LibraryFunction::Puts, vec![text]);
    printed_length(call, ANY_LENGTH, Written::StandardOutput)
}

pub fn putchar(call: &mut CallLowering) -> Lowered<CValue> {
    let character = call.argument_as(0, TypeTable::INT)?;
    call.pin(character);
    print(call, LibraryFunction::Putchar, vec![character]);
    character_result(call, character, Written::StandardOutput)
}

/// Output without the lock of the stream.
pub fn putchar_unlocked(call: &mut CallLowering) -> Lowered<CValue> {
    call.call_prelude("__gordian_use_unlocked_output", Vec::new());
    putchar(call)
}

pub fn fputc_unlocked(call: &mut CallLowering) -> Lowered<CValue> {
    let character = call.argument_as(0, TypeTable::INT)?;
    call.pin(character);
    let (stream, to) = stream_argument(call, 1)?;
    if let Written::Stream(stream) = to {
        call.call_prelude("__gordian_use_unlocked", vec![stream]);
    }
    call.call_prelude("__gordian_tell_fputc", vec![character, stream]);
    character_result(call, character, to)
}

/// The character as an `unsigned char`, or `EOF`.
fn character_result(call: &mut CallLowering, character: Operand, to: Written) -> Lowered<CValue> {
    let value = CValue::scalar(character, TypeTable::INT);
    let byte = call.convert(value, TypeTable::UNSIGNED_CHAR)?;
    let byte = call.convert(byte, TypeTable::INT)?;
    written(call, byte.operand, to)
}

pub fn fputs(call: &mut CallLowering) -> Lowered<CValue> {
    let text = call.argument(0)?;
    call.pin(text.operand);
    if !is_standard_output(call, 1) {
        let (stream, to) = stream_argument(call, 1)?;
        read_printed(call, text.operand, Some(0), None);
        call.call_prelude("__gordian_tell_fputs", vec![text.operand, stream]);
        return printed_length(call, ANY_LENGTH, to);
    }
    read_printed(call, text.operand, Some(0), None);
    let format = call.emit_with(|emit, span| emit.bytes_place(b"%s\0".to_vec(), span));
    let format = call.address_of(format)?;
    let arguments = call.variadic_object(&[text])?;
    print(call, LibraryFunction::Printf, vec![format.operand, arguments]);
    printed_length(call, ANY_LENGTH, Written::StandardOutput)
}

pub fn fputc(call: &mut CallLowering) -> Lowered<CValue> {
    if is_standard_output(call, 1) {
        return putchar(call);
    }
    let character = call.argument_as(0, TypeTable::INT)?;
    call.pin(character);
    let (stream, to) = stream_argument(call, 1)?;
    call.call_prelude("__gordian_tell_fputc", vec![character, stream]);
    character_result(call, character, to)
}

/// Nothing that waits to be written is observed.
pub fn fflush(call: &mut CallLowering) -> Lowered<CValue> {
    let stream = call.pointer_argument(0)?;
    call.pin(stream);
    let number = call.prelude_value("__gordian_optional_stream", vec![stream]);
    call.call_prelude("__gordian_tell_fflush", vec![number]);
    take_lock(call, Written::Stream(stream));
    if !outcome_matters(call) {
        return Ok(call.constant_result(0));
    }
    let result = call.prelude_value("__gordian_flushed", vec![stream]);
    call.convert(CValue::scalar(result, TypeTable::INT), call.site.result)
}

//! `sprintf` and `snprintf` whose format is a literal with simple conversions: one call of the prelude for each piece, so
//! that every part of the tool knows what they write. Other formats are left to the interpreter's own formatting. How long
//! a text is, without it being written, is found in the same way.

use program::print_format::{Flags, Length, WidthOrPrecision};
use program::{BinaryOp, Callee, InstructionKind, Operand, Rvalue, Type};

use super::call::CallLowering;
use super::print_plan::{Print, PrintPlan, PrintSource, PrintStep};
use crate::ctype::{IntKind, TypeId, TypeTable};
use crate::emit::value::{CValue, Lowered};

/// A conversion that the prelude can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Simple {
    kind: u8,
    length: Length,
    /// Negative: padded on the right.
    width: i32,
    zeros: bool,
    /// Of strings only.
    precision: Option<u32>,
}

/// Wider fields are left to others.
const WIDEST: u32 = 999;

impl Simple {
    fn new(print: &Print) -> Option<Self> {
        let conversion = print.conversion;
        let Flags { left, plus, space, alternate, zero } = conversion.flags;
        let number = |field: Option<WidthOrPrecision>| match field {
            None => Some(None),
            Some(WidthOrPrecision::Number(number)) if number <= WIDEST => Some(Some(number)),
            Some(_) => None,
        };
        let (width, precision) = (number(conversion.width)?, number(conversion.precision)?);
        let is_known = match conversion.kind {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => precision.is_none(),
            b'c' => conversion.length == Length::Int && precision.is_none() && width.is_none(),
            b's' => conversion.length == Length::Int && !zero,
            _ => false,
        };
        if !is_known || plus || space || alternate {
            return None;
        }
        let width = width.unwrap_or(0) as i32;
        let width = if left { -width } else { width };
        Some(Self { kind: conversion.kind, length: conversion.length, width, zeros: zero && !left, precision })
    }
}

/// Where a text is put together: nowhere, if only its length is asked for.
#[derive(Clone, Copy)]
pub struct TextTarget {
    buffer: Operand,
    size: Operand,
    /// The address of the format, as it is in the plan.
    format: Operand,
}

/// What a call that prints is given.
pub struct PrintValues {
    /// What stands behind the format.
    pub arguments: Vec<CValue>,
    /// The text of the number in `errno`, if it is printed.
    pub error_text: Option<CValue>,
}

impl PrintValues {
    pub fn of(&self, source: PrintSource) -> CValue {
        match source {
            PrintSource::Argument(index) => self.arguments[index],
            PrintSource::ErrorText => self.error_text.expect("a text that is printed should be there"),
        }
    }
}

/// The plan of the call, if its format, the argument number `format`, is a literal that tells.
pub fn print_plan(call: &CallLowering, format: usize) -> Option<PrintPlan> {
    PrintPlan::new(call.literal_bytes(*call.site.arguments.get(format)?)?)
}

/// The arguments behind the format, and the text of `errno` if the plan needs it.
pub fn print_values(call: &mut CallLowering, plan: &PrintPlan, format: usize) -> Lowered<PrintValues> {
    let mut arguments = Vec::new();
    for &argument in call.site.arguments.iter().skip(format + 1) {
        let value = call.value_of(argument)?;
        let value = call.emit_with(|emit, span| emit.promoted_argument(value, span))?;
        call.pin(value.operand);
        arguments.push(value);
    }
    let prints_error = |step: &PrintStep| matches!(step, PrintStep::Print(Print { value: PrintSource::ErrorText, .. }));
    let error_text = plan.steps.iter().any(prints_error).then(|| {
        let text = text_call(call, "__gordian_error_message", Vec::new(), TypeTable::CHAR_POINTER);
        call.pin(text);
        CValue::scalar(text, TypeTable::CHAR_POINTER)
    });
    Ok(PrintValues { arguments, error_text })
}

/// The address of the format as it is in the plan: the user's own where that is the same.
pub fn planned_format(call: &mut CallLowering, plan: &PrintPlan, text: Operand, format: usize) -> Lowered<Operand> {
    let own = call.site.arguments.get(format).and_then(|&argument| call.literal_bytes(argument));
    if own == Some(&plan.format[..]) {
        return Ok(text);
    }
    let bytes = plan.format.iter().copied().chain([0]).collect();
    let place = call.emit_with(|emit, span| emit.bytes_place(bytes, span));
    Ok(call.address_of(place)?.operand)
}

/// Writes the text if the format, the argument number `format`, allows; `None` if it is not simple. `size` of pointer
/// width.
pub fn simple_text(call: &mut CallLowering, format: usize, limited: bool) -> Lowered<Option<CValue>> {
    let Some(plan) = print_plan(call, format) else { return Ok(None) };
    if !is_simple(call, &plan, format)? {
        return Ok(None);
    }
    let buffer = call.pointer_argument(0)?;
    let size = if limited { call.size_argument(1)? } else { call.size_operand(u64::from(i32::MAX as u32)) };
    let text = call.pointer_argument(format)?;
    let format_text = planned_format(call, &plan, text, format)?;
    for operand in [buffer, size, format_text] {
        call.pin(operand);
    }
    let values = print_values(call, &plan, format)?;
    let target = TextTarget { buffer, size, format: format_text };
    let mut position = call.size_operand(0);
    for step in &plan.steps {
        match put_step(call, step, &values, position, Some(target))? {
            Some(next) => position = next,
            None => unreachable!("every step of a simple text should be simple"),
        }
    }
    let result = text_call(call, "__gordian_end_text", vec![buffer, size, position], TypeTable::INT);
    call.pin(result);
    for argument in printed_strings(&plan) {
        if call.literal_bytes(call.site.arguments[format + 1 + argument]).is_none() {
            let string = values.arguments[argument].operand;
            call.call_prelude("__gordian_keep_apart", vec![buffer, size, position, string]);
        }
    }
    let result = CValue::scalar(result, TypeTable::INT);
    call.convert(result, call.site.result).map(Some)
}

/// Whether the prelude can do everything in the plan with arguments of these types.
fn is_simple(call: &mut CallLowering, plan: &PrintPlan, format: usize) -> Lowered<bool> {
    if plan.needed > call.site.arguments.len().saturating_sub(format + 1) {
        return Ok(false);
    }
    for step in &plan.steps {
        let PrintStep::Print(print) = step else { continue };
        if Simple::new(print).is_none() {
            return Ok(false);
        }
        let PrintSource::Argument(argument) = print.value else { continue };
        let ty = call.value_shape(call.site.arguments[format + 1 + argument])?.ty;
        if !fits(call, print, ty) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn fits(call: &CallLowering, print: &Print, ty: TypeId) -> bool {
    match print.conversion.kind {
        b's' => call.types().pointee(ty).is_some(),
        _ => call.types().is_integer(ty),
    }
}

/// The position after a step, of a text that is written or only counted; `None` if it is not known.
pub fn put_step(
    call: &mut CallLowering,
    step: &PrintStep,
    values: &PrintValues,
    position: Operand,
    target: Option<TextTarget>,
) -> Lowered<Option<Operand>> {
    let (name, own) = match *step {
        PrintStep::Text { start, length } => match target {
            None => return Ok(Some(plus(call, position, length as u64))),
            Some(target) => {
                let limit = call.size_operand(length as u64);
                ("__gordian_put_string", vec![offset_by(target.format, start), limit, Operand::int(32, 0)])
            }
        },
        PrintStep::Store { argument, length } => {
            store_position(call, values.arguments[argument], length, Some(position))?;
            return Ok(Some(position));
        }
        PrintStep::Print(print) => {
            let value = values.of(print.value);
            let Some(simple) = Simple::new(&print).filter(|_| fits(call, &print, value.ty)) else { return Ok(None) };
            let value = converted_argument(call, value, &simple)?;
            call_of(call, &simple, value)
        }
    };
    let (buffer, size) = target.map_or((Operand::Null, call.size_operand(0)), |target| (target.buffer, target.size));
    let arguments = [buffer, size, position].into_iter().chain(own).collect();
    let next = text_call(call, name, arguments, TypeTable::UNSIGNED_LONG);
    Ok(Some(call.pin(next)))
}

fn plus(call: &mut CallLowering, position: Operand, length: u64) -> Operand {
    if let Operand::Int { value, .. } = position {
        return call.size_operand(value + length);
    }
    let ty = call.pointer_int();
    let right = call.size_operand(length);
    let sum = Rvalue::Binary { op: BinaryOp::Add, ty, left: position, right, signed: false };
    let sum = call.compute(sum, ty);
    call.pin(sum)
}

/// `%n`: stores how many characters stand before it, if that is known, as a number of the conversion's length.
pub fn store_position(
    call: &mut CallLowering,
    pointer: CValue,
    length: Length,
    position: Option<Operand>,
) -> Lowered<()> {
    let ty = counted_type(call, length);
    let value = match position {
        Some(position) => CValue::scalar(position, TypeTable::UNSIGNED_LONG),
        None => call.unsupported("the number of characters before this `%n`", TypeTable::INT),
    };
    let place = call.place_of_type(pointer, ty)?;
    let value = call.convert(value, ty)?;
    call.store(place, value)
}

/// The signed integer of this length.
pub fn counted_type(call: &mut CallLowering, length: Length) -> TypeId {
    match length {
        Length::Char => call.link_mut().types.int(IntKind::SignedChar),
        Length::Short => call.link_mut().types.int(IntKind::Short),
        Length::Int => TypeTable::INT,
        Length::Long | Length::Size => TypeTable::LONG,
        Length::LongLong => TypeTable::LONG_LONG,
    }
}

/// The argument as the prelude takes it: of the conversion's type, longer ones as wide as can be.
fn converted_argument(call: &mut CallLowering, value: CValue, conversion: &Simple) -> Lowered<Operand> {
    let is_signed = matches!(conversion.kind, b'd' | b'i');
    let narrow = match (conversion.kind, conversion.length) {
        (b's', _) => TypeTable::VOID_POINTER,
        (b'c', _) => TypeTable::INT,
        (_, length) if is_signed => counted_type(call, length),
        (_, Length::Char) => TypeTable::UNSIGNED_CHAR,
        (_, Length::Short) => call.link_mut().types.int(IntKind::UnsignedShort),
        (_, Length::Int) => TypeTable::UNSIGNED,
        (_, Length::Long | Length::Size) => TypeTable::UNSIGNED_LONG,
        (_, Length::LongLong) => TypeTable::UNSIGNED_LONG_LONG,
    };
    let wide = match (conversion.kind, is_narrow(conversion.length)) {
        (b's' | b'c', _) => narrow,
        (_, true) if is_signed => TypeTable::INT,
        (_, true) => TypeTable::UNSIGNED,
        (_, false) if is_signed => TypeTable::LONG_LONG,
        (_, false) => TypeTable::UNSIGNED_LONG_LONG,
    };
    let value = call.convert(value, narrow)?;
    Ok(call.convert(value, wide)?.operand)
}

fn call_of(call: &mut CallLowering, conversion: &Simple, value: Operand) -> (&'static str, Vec<Operand>) {
    let width = Operand::int(32, conversion.width as u32 as u64);
    let zeros = Operand::int(32, u64::from(conversion.zeros));
    let is_narrow = is_narrow(conversion.length);
    let (base, letter) = match conversion.kind {
        b'o' => (8, b'a'),
        b'x' => (16, b'a'),
        b'X' => (16, b'A'),
        _ => (10, b'a'),
    };
    match conversion.kind {
        b'c' => ("__gordian_put_char", vec![value]),
        b's' => {
            let limit = conversion.precision.map_or(u64::MAX, u64::from);
            ("__gordian_put_string", vec![value, call.size_operand(limit), width])
        }
        b'd' | b'i' if is_narrow => ("__gordian_put_int", vec![value, width, zeros]),
        b'd' | b'i' => ("__gordian_put_long", vec![value, width, zeros]),
        _ => {
            let name = if is_narrow { "__gordian_put_narrow" } else { "__gordian_put_wide" };
            let (positive, base) = (Operand::int(32, 0), Operand::int(32, base));
            (name, vec![value, positive, base, Operand::int(32, letter.into()), width, zeros])
        }
    }
}

fn text_call(call: &mut CallLowering, name: &str, arguments: Vec<Operand>, result: TypeId) -> Operand {
    let function = call.link_mut().prelude_function(name);
    call.link_mut().needs_prelude(function);
    let ty = match result {
        TypeTable::INT => Type::Int(32),
        TypeTable::UNSIGNED_LONG => call.pointer_int(),
        _ => Type::Pointer,
    };
    let target = call.temporary(ty);
    let callee = Callee::Direct(function);
    call.instruction(InstructionKind::Call { target: Some(target), callee, arguments });
    Operand::Register(target)
}

/// The arguments that are strings.
fn printed_strings(plan: &PrintPlan) -> impl Iterator<Item = usize> {
    plan.steps.iter().filter_map(|step| match step {
        PrintStep::Print(Print { conversion, value: PrintSource::Argument(argument), .. })
            if conversion.kind == b's' =>
        {
            Some(*argument)
        }
        _ => None,
    })
}

fn is_narrow(length: Length) -> bool {
    matches!(length, Length::Char | Length::Short | Length::Int)
}

/// A place inside of a literal.
fn offset_by(text: Operand, distance: usize) -> Operand {
    match text {
        Operand::Global { global, offset } => Operand::Global { global, offset: offset + distance as i64 },
        other => unreachable!("{other:?} should be the address of a literal"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simple(format: &str) -> Option<Simple> {
        match PrintPlan::new(format.as_bytes())?.steps[..] {
            [PrintStep::Print(print)] => Simple::new(&print),
            _ => None,
        }
    }

    #[test]
    fn simple_conversions_are_known() {
        let number = Simple { kind: b'd', length: Length::Int, width: 0, zeros: false, precision: None };
        assert_eq!(simple("%d"), Some(number));
        assert_eq!(simple("%hd"), Some(Simple { length: Length::Short, ..number }));
        let padded = Simple { kind: b'x', length: Length::Long, width: 8, zeros: true, precision: None };
        assert_eq!(simple("%08lx"), Some(padded));
        let left = Simple { kind: b's', length: Length::Int, width: -5, zeros: false, precision: Some(3) };
        assert_eq!(simple("%-5.3s"), Some(left));
        assert_eq!(simple("%m"), Some(Simple { width: 0, precision: None, ..left }));
    }

    #[test]
    fn others_are_not() {
        for format in ["%f", "%p", "%*d", "%+d", "%#x", "%5c", "%.3d", "%99999d", "%", "%l", "%ls", "% d", "%n"] {
            assert_eq!(simple(format), None, "{format}");
        }
    }
}

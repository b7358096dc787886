//! `sprintf` and `snprintf` whose format is a literal with simple conversions: one call of the prelude for each piece, so
//! that every part of the tool knows what they write. Other formats are left to the interpreter's own formatting. How long
//! a text is, without it being written, is found in the same way.

use program::print_format::{Field, Flags, Length};
use program::{BinaryOp, Callee, InstructionKind, Operand, Rvalue, Type};

use super::Lowerer;
use super::call::CallSite;
use super::print_plan::{Plan, Print, Source, Step};
use super::value::{Lowered, Value};
use crate::ast::{ExprId, ExprKind, StringUnits, TypeExprId, TypeExprKind};
use crate::ctype::{IntKind, TypeId, TypeTable};

use super::entity::Entity;

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
        let number = |field: Option<Field>| match field {
            None => Some(None),
            Some(Field::Number(number)) if number <= WIDEST => Some(Some(number)),
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
pub struct Target {
    buffer: Operand,
    size: Operand,
    /// The address of the format, as it is in the plan.
    format: Operand,
}

/// What a call that prints is given.
pub struct PrintValues {
    /// What stands behind the format.
    pub arguments: Vec<Value>,
    /// The text of the number in `errno`, if it is printed.
    pub error_text: Option<Value>,
}

impl PrintValues {
    pub fn of(&self, source: Source) -> Value {
        match source {
            Source::Argument(index) => self.arguments[index],
            Source::ErrorText => self.error_text.expect("a text that is printed should be there"),
        }
    }
}

impl Lowerer<'_, '_> {
    /// The plan of the call, if its format, the argument number `format`, is a literal that tells.
    pub fn print_plan(&self, site: &CallSite<'_>, format: usize) -> Option<Plan> {
        Plan::new(self.literal_bytes(*site.arguments.get(format)?)?)
    }

    /// A literal up to its first zero.
    pub fn literal_bytes(&self, mut expr: ExprId) -> Option<&[u8]> {
        while let ExprKind::Cast { ty, operand } = self.ast[expr].kind {
            if !self.is_pointer_type(ty) {
                return None;
            }
            expr = operand;
        }
        let ExprKind::String(literal) = &self.ast[expr].kind else { return None };
        let StringUnits::Bytes(bytes) = &literal.units else { return None };
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        Some(&bytes[..end])
    }

    fn is_pointer_type(&self, ty: TypeExprId) -> bool {
        match self.ast[ty].kind {
            TypeExprKind::Pointer(_) => true,
            TypeExprKind::Typedef(name) => match self.scopes.lookup(name) {
                Some(Entity::Typedef { ty, .. }) => self.link.types.pointee(ty.ty).is_some(),
                _ => false,
            },
            _ => false,
        }
    }

    /// The arguments behind the format, and the text of `errno` if the plan needs it.
    pub fn print_values(&mut self, plan: &Plan, site: &CallSite<'_>, format: usize) -> Lowered<PrintValues> {
        let mut arguments = Vec::new();
        for &argument in site.arguments.iter().skip(format + 1) {
            let value = self.rvalue(argument)?;
            let value = self.promoted_argument(value, site.span)?;
            self.f.builder.pin(value.operand);
            arguments.push(value);
        }
        let prints_error = |step: &Step| matches!(step, Step::Print(Print { value: Source::ErrorText, .. }));
        let error_text = plan.steps.iter().any(prints_error).then(|| {
            let text = self.text_call("__gordian_error_message", Vec::new(), TypeTable::CHAR_POINTER, site);
            self.f.builder.pin(text);
            Value::scalar(text, TypeTable::CHAR_POINTER)
        });
        Ok(PrintValues { arguments, error_text })
    }

    /// The address of the format as it is in the plan: the user's own where that is the same.
    pub fn planned_format(
        &mut self,
        plan: &Plan,
        text: Operand,
        site: &CallSite<'_>,
        format: usize,
    ) -> Lowered<Operand> {
        let own = site.arguments.get(format).and_then(|&argument| self.literal_bytes(argument));
        if own == Some(&plan.format[..]) {
            return Ok(text);
        }
        let bytes = plan.format.iter().copied().chain([0]).collect();
        let place = self.bytes_place(bytes, site.span);
        Ok(self.address_of(place, site.span)?.operand)
    }

    /// Writes the text if the format, the argument number `format`, allows; `None` if it is not simple. `size` of pointer
    /// width.
    pub fn simple_text(&mut self, site: &CallSite<'_>, format: usize, limited: bool) -> Lowered<Option<Value>> {
        let Some(plan) = self.print_plan(site, format) else { return Ok(None) };
        if !self.is_simple(&plan, site, format)? {
            return Ok(None);
        }
        let buffer = self.pointer_argument(site, 0)?;
        let size = if limited { self.size_argument(site, 1)? } else { self.word(u64::from(i32::MAX as u32)) };
        let text = self.pointer_argument(site, format)?;
        let format_text = self.planned_format(&plan, text, site, format)?;
        for operand in [buffer, size, format_text] {
            self.f.builder.pin(operand);
        }
        let values = self.print_values(&plan, site, format)?;
        let target = Target { buffer, size, format: format_text };
        let mut position = self.word(0);
        for step in &plan.steps {
            match self.put_step(step, &values, position, Some(target), site)? {
                Some(next) => position = next,
                None => unreachable!("every step of a simple text should be simple"),
            }
        }
        let result = self.text_call("__gordian_end_text", vec![buffer, size, position], TypeTable::INT, site);
        self.f.builder.pin(result);
        for argument in printed_strings(&plan) {
            if self.literal_bytes(site.arguments[format + 1 + argument]).is_none() {
                let string = values.arguments[argument].operand;
                self.call_prelude("__gordian_keep_apart", vec![buffer, size, position, string], site);
            }
        }
        let result = Value::scalar(result, TypeTable::INT);
        self.convert(result, site.result, site.span).map(Some)
    }

    /// Whether the prelude can do everything in the plan with arguments of these types.
    fn is_simple(&mut self, plan: &Plan, site: &CallSite<'_>, format: usize) -> Lowered<bool> {
        if plan.needed > site.arguments.len().saturating_sub(format + 1) {
            return Ok(false);
        }
        for step in &plan.steps {
            let Step::Print(print) = step else { continue };
            if Simple::new(print).is_none() {
                return Ok(false);
            }
            let Source::Argument(argument) = print.value else { continue };
            let ty = self.value_shape(site.arguments[format + 1 + argument])?.ty;
            if !self.fits(print, ty) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn fits(&self, print: &Print, ty: TypeId) -> bool {
        match print.conversion.kind {
            b's' => self.link.types.pointee(ty).is_some(),
            _ => self.link.types.is_integer(ty),
        }
    }

    /// The position after a step, of a text that is written or only counted; `None` if it is not known.
    pub fn put_step(
        &mut self,
        step: &Step,
        values: &PrintValues,
        position: Operand,
        target: Option<Target>,
        site: &CallSite<'_>,
    ) -> Lowered<Option<Operand>> {
        let (name, own) = match *step {
            Step::Text { start, length } => match target {
                None => return Ok(Some(self.plus(position, length as u64, site))),
                Some(target) => {
                    let limit = self.word(length as u64);
                    ("__gordian_put_string", vec![offset_by(target.format, start), limit, Operand::int(32, 0)])
                }
            },
            Step::Store { argument, length } => {
                self.store_position(values.arguments[argument], length, Some(position), site)?;
                return Ok(Some(position));
            }
            Step::Print(print) => {
                let value = values.of(print.value);
                let Some(simple) = Simple::new(&print).filter(|_| self.fits(&print, value.ty)) else { return Ok(None) };
                let value = self.converted_argument(value, &simple, site)?;
                self.call_of(&simple, value)
            }
        };
        let (buffer, size) = target.map_or((Operand::Null, self.word(0)), |target| (target.buffer, target.size));
        let arguments = [buffer, size, position].into_iter().chain(own).collect();
        let next = self.text_call(name, arguments, TypeTable::UNSIGNED_LONG, site);
        Ok(Some(self.f.builder.pin(next)))
    }

    fn plus(&mut self, position: Operand, length: u64, site: &CallSite<'_>) -> Operand {
        if let Operand::Int { value, .. } = position {
            return self.word(value + length);
        }
        let ty = self.pointer_int();
        let right = self.word(length);
        let sum = Rvalue::Binary { op: BinaryOp::Add, ty, left: position, right, signed: false };
        let sum = self.compute(sum, ty, site.span);
        self.f.builder.pin(sum)
    }

    /// `%n`: stores how many characters stand before it, if that is known, as a number of the conversion's length.
    pub fn store_position(
        &mut self,
        pointer: Value,
        length: Length,
        position: Option<Operand>,
        site: &CallSite<'_>,
    ) -> Lowered<()> {
        let ty = self.counted_type(length);
        let value = match position {
            Some(position) => Value::scalar(position, TypeTable::UNSIGNED_LONG),
            None => self.unsupported("the number of characters before this `%n`", TypeTable::INT, site.span),
        };
        let place = self.place_of_type(pointer, ty, site.span)?;
        let value = self.convert(value, ty, site.span)?;
        self.store(place, value, site.span)
    }

    /// The signed integer of this length.
    pub fn counted_type(&mut self, length: Length) -> TypeId {
        match length {
            Length::Char => self.link.types.int(IntKind::SignedChar),
            Length::Short => self.link.types.int(IntKind::Short),
            Length::Int => TypeTable::INT,
            Length::Long | Length::Size => TypeTable::LONG,
            Length::LongLong => TypeTable::LONG_LONG,
        }
    }

    /// The argument as the prelude takes it: of the conversion's type, longer ones as wide as can be.
    fn converted_argument(&mut self, value: Value, conversion: &Simple, site: &CallSite<'_>) -> Lowered<Operand> {
        let is_signed = matches!(conversion.kind, b'd' | b'i');
        let narrow = match (conversion.kind, conversion.length) {
            (b's', _) => TypeTable::VOID_POINTER,
            (b'c', _) => TypeTable::INT,
            (_, length) if is_signed => self.counted_type(length),
            (_, Length::Char) => TypeTable::UNSIGNED_CHAR,
            (_, Length::Short) => self.link.types.int(IntKind::UnsignedShort),
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
        let value = self.convert(value, narrow, site.span)?;
        Ok(self.convert(value, wide, site.span)?.operand)
    }

    fn call_of(&mut self, conversion: &Simple, value: Operand) -> (&'static str, Vec<Operand>) {
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
                ("__gordian_put_string", vec![value, self.word(limit), width])
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

    fn text_call(&mut self, name: &str, arguments: Vec<Operand>, result: TypeId, site: &CallSite<'_>) -> Operand {
        let function = self.link.prelude_function(name);
        self.needs_prelude(function);
        let ty = match result {
            TypeTable::INT => Type::Int(32),
            TypeTable::UNSIGNED_LONG => self.pointer_int(),
            _ => Type::Pointer,
        };
        let target = self.f.builder.temporary(ty);
        let callee = Callee::Direct(function);
        self.emit(InstructionKind::Call { target: Some(target), callee, arguments }, site.span);
        Operand::Register(target)
    }

    /// An `unsigned long`, which is as wide as a pointer.
    pub fn word(&self, value: u64) -> Operand {
        Operand::int(self.link.types.model.pointer_bits(), value)
    }
}

/// The arguments that are strings.
fn printed_strings(plan: &Plan) -> impl Iterator<Item = usize> {
    plan.steps.iter().filter_map(|step| match step {
        Step::Print(Print { conversion, value: Source::Argument(argument), .. }) if conversion.kind == b's' => {
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
        match Plan::new(format.as_bytes())?.steps[..] {
            [Step::Print(print)] => Simple::new(&print),
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

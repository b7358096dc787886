//! `sprintf` and `snprintf` whose format is a literal with simple conversions: one call of the prelude for each piece, so
//! that every part of the tool knows what they write. Other formats are left to the interpreter's own formatting.

use program::{Callee, InstructionKind, Operand, Type};

use super::Lowerer;
use super::call::CallSite;
use super::value::{Lowered, Value};
use crate::ast::{ExprId, ExprKind, StringUnits};
use crate::ctype::{TypeId, TypeTable};

/// A stretch of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece {
    Text { start: usize, length: usize },
    Conversion(Conversion),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Conversion {
    kind: u8,
    length: Length,
    /// Negative: padded on the right.
    width: i32,
    zeros: bool,
    /// Of strings only.
    precision: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Length {
    Int,
    Long,
    LongLong,
    Size,
}

/// The format in pieces, if all of its conversions are simple.
fn pieces(format: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < format.len() {
        let length = format[at..].iter().position(|&byte| byte == b'%').unwrap_or(format.len() - at);
        if length > 0 {
            pieces.push(Piece::Text { start: at, length });
            at += length;
        } else if format.get(at + 1) == Some(&b'%') {
            pieces.push(Piece::Text { start: at, length: 1 });
            at += 2;
        } else {
            let (conversion, used) = conversion(&format[at + 1..])?;
            pieces.push(Piece::Conversion(conversion));
            at += 1 + used;
        }
    }
    Some(pieces)
}

/// The conversion after a `%`, and how many bytes it takes.
fn conversion(text: &[u8]) -> Option<(Conversion, usize)> {
    let mut at = 0;
    let (mut left, mut zeros) = (false, false);
    while let Some(flag @ (b'-' | b'0')) = text.get(at) {
        left |= *flag == b'-';
        zeros |= *flag == b'0';
        at += 1;
    }
    let width = number(text, &mut at)?.unwrap_or(0);
    let mut precision = None;
    if text.get(at) == Some(&b'.') {
        at += 1;
        precision = Some(number(text, &mut at)?.unwrap_or(0));
    }
    let (length, letters) = match text.get(at..)? {
        [b'l', b'l', ..] => (Length::LongLong, 2),
        [b'l', ..] => (Length::Long, 1),
        [b'q' | b'j', ..] => (Length::LongLong, 1),
        [b'z' | b't', ..] => (Length::Size, 1),
        _ => (Length::Int, 0),
    };
    at += letters;
    let kind = *text.get(at)?;
    let is_known = match kind {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => precision.is_none(),
        b'c' => length == Length::Int && precision.is_none() && width == 0,
        b's' => length == Length::Int && !zeros,
        _ => false,
    };
    let width = i32::try_from(width).ok()?;
    let width = if left { -width } else { width };
    is_known.then_some((Conversion { kind, length, width, zeros: zeros && !left, precision }, at + 1))
}

/// The digits at `at`, if any; too large a number is none of ours.
fn number(text: &[u8], at: &mut usize) -> Option<Option<u32>> {
    let digits = text[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = match digits {
        0 => None,
        1..=3 => Some(text[*at..*at + digits].iter().fold(0, |value, &digit| value * 10 + u32::from(digit - b'0'))),
        _ => return None,
    };
    *at += digits;
    Some(value)
}

/// An argument of `printf` that is a pointer which is followed, by its number after the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintedString {
    pub argument: usize,
    pub what: Printed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Printed {
    /// A string, of which at most so many characters are read.
    Text { limit: Option<u32> },
    /// A string, of which at most as many characters are read as this argument says.
    TextUpTo { precision: usize },
    /// Where the number of characters so far is stored: at least, or exactly, so many.
    Position { least: u32, exact: bool },
}

impl Printed {
    pub fn is_position(self) -> bool {
        matches!(self, Printed::Position { .. })
    }
}

/// The format without `%n`, if it has any.
pub fn without_positions(format: &[u8]) -> Option<Vec<u8>> {
    let (mut kept, mut at, mut found) = (Vec::new(), 0, false);
    while at < format.len() {
        let start = at;
        at += 1;
        if format[start] == b'%' {
            while format.get(at).is_some_and(|byte| !byte.is_ascii_alphabetic() && *byte != b'%')
                || matches!(format.get(at), Some(b'h' | b'l' | b'L' | b'q' | b'j' | b'z' | b't'))
            {
                at += 1;
            }
            at = format.len().min(at + 1);
            if format[at - 1] == b'n' && at > start + 1 {
                found = true;
                continue;
            }
        }
        kept.extend_from_slice(&format[start..at]);
    }
    found.then_some(kept)
}

/// The strings that a format prints, if all of its conversions are known.
fn printed_strings(format: &[u8]) -> Option<Vec<PrintedString>> {
    let mut strings = Vec::new();
    let (mut at, mut argument) = (0, 0);
    let (mut printed, mut exact) = (0, true);
    while at < format.len() {
        at += 1;
        if format[at - 1] != b'%' {
            printed += 1;
            continue;
        }
        let (mut limit, mut has_precision, mut precision) = (None, false, None);
        loop {
            let letter = *format.get(at)?;
            at += 1;
            match letter {
                b'%' => {
                    printed += 1;
                    break;
                }
                b'*' if has_precision => {
                    precision = Some(argument);
                    argument += 1;
                }
                b'*' => argument += 1,
                b'.' => {
                    has_precision = true;
                    limit = match format.get(at) {
                        Some(b'*') => None,
                        _ => Some(number(format, &mut at)?.unwrap_or(0)),
                    };
                }
                b's' => {
                    let what = match precision {
                        Some(precision) => Printed::TextUpTo { precision },
                        None => Printed::Text { limit },
                    };
                    strings.push(PrintedString { argument, what });
                    exact = false;
                    argument += 1;
                    break;
                }
                b'n' => {
                    strings.push(PrintedString { argument, what: Printed::Position { least: printed, exact } });
                    argument += 1;
                    break;
                }
                b'S' | b'C' => return None,
                b'l' if matches!(format.get(at), Some(b's' | b'c')) => return None,
                b'h' | b'l' | b'L' | b'q' | b'j' | b'z' | b't' => {}
                _ if letter.is_ascii_alphabetic() => {
                    exact = false;
                    argument += 1;
                    break;
                }
                _ => {}
            }
        }
    }
    Some(strings)
}

impl Lowerer<'_, '_> {
    /// The strings that the call prints, if its format, the argument number `format`, is a literal that tells.
    pub fn printed_strings(&self, site: &CallSite<'_>, format: usize) -> Option<Vec<PrintedString>> {
        printed_strings(self.literal_bytes(*site.arguments.get(format)?)?)
    }

    /// A literal up to its first zero.
    pub fn literal_bytes(&self, mut expr: ExprId) -> Option<&[u8]> {
        while let ExprKind::Cast { operand, .. } = self.ast[expr].kind {
            expr = operand;
        }
        let ExprKind::String(literal) = &self.ast[expr].kind else { return None };
        let StringUnits::Bytes(bytes) = &literal.units else { return None };
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        Some(&bytes[..end])
    }

    /// Writes the text if the format, the argument number `format`, allows; `None` if it is not simple. `size` of pointer
    /// width.
    pub fn simple_text(&mut self, site: &CallSite<'_>, format: usize, limited: bool) -> Lowered<Option<Value>> {
        let Some(plan) = self.text_plan(site, format)? else { return Ok(None) };
        let buffer = self.pointer_argument(site, 0)?;
        let size = if limited { self.size_argument(site, 1)? } else { self.word(u64::from(i32::MAX as u32)) };
        let text = self.pointer_argument(site, format)?;
        let mut arguments = site.arguments.iter().skip(format + 1);
        let mut values = Vec::new();
        for piece in &plan {
            if let Piece::Conversion(conversion) = piece {
                let &argument = arguments.next().expect("a plan should have an argument for each conversion");
                let value = self.rvalue(argument)?;
                let value = self.materialise(value, site.span)?;
                values.push(self.converted_argument(value, conversion, site)?);
            }
        }
        for &argument in arguments {
            self.rvalue(argument)?;
        }
        for &operand in [buffer, size, text].iter().chain(&values) {
            self.f.builder.pin(operand);
        }
        let mut values = values.into_iter();
        let mut position = self.word(0);
        for piece in plan {
            let (name, own) = match piece {
                Piece::Text { start, length } => {
                    let limit = self.word(length as u64);
                    ("__gordian_put_string", vec![offset_by(text, start), limit, Operand::int(32, 0)])
                }
                Piece::Conversion(conversion) => {
                    let value = values.next().expect("every conversion should have its value");
                    self.call_of(&conversion, value)
                }
            };
            let arguments = [buffer, size, position].into_iter().chain(own).collect();
            position = self.text_call(name, arguments, TypeTable::UNSIGNED_LONG, site);
            self.f.builder.pin(position);
        }
        let result = self.text_call("__gordian_end_text", vec![buffer, size, position], TypeTable::INT, site);
        let result = Value::scalar(result, TypeTable::INT);
        self.convert(result, site.result, site.span).map(Some)
    }

    /// The pieces of the format, if it is a literal that is simple and has fitting arguments.
    fn text_plan(&mut self, site: &CallSite<'_>, format: usize) -> Lowered<Option<Vec<Piece>>> {
        let Some(&argument) = site.arguments.get(format) else { return Ok(None) };
        let Some(plan) = self.literal_bytes(argument).and_then(pieces) else { return Ok(None) };
        let mut arguments = site.arguments.iter().skip(format + 1);
        for piece in &plan {
            let Piece::Conversion(conversion) = piece else { continue };
            let Some(&argument) = arguments.next() else { return Ok(None) };
            let ty = self.value_shape(argument)?.ty;
            let fits = match conversion.kind {
                b's' => self.link.types.pointee(ty).is_some(),
                _ => self.link.types.is_integer(ty),
            };
            if !fits {
                return Ok(None);
            }
        }
        Ok(Some(plan))
    }

    /// The argument as the prelude takes it: of the conversion's type, longer ones as wide as can be.
    fn converted_argument(&mut self, value: Value, conversion: &Conversion, site: &CallSite<'_>) -> Lowered<Operand> {
        let (narrow, wide) = match (conversion.kind, conversion.length) {
            (b's', _) => (TypeTable::VOID_POINTER, TypeTable::VOID_POINTER),
            (b'c', _) => (TypeTable::INT, TypeTable::INT),
            (b'd' | b'i', Length::Int) => (TypeTable::INT, TypeTable::INT),
            (_, Length::Int) => (TypeTable::UNSIGNED, TypeTable::UNSIGNED),
            (b'd' | b'i', Length::LongLong) => (TypeTable::LONG_LONG, TypeTable::LONG_LONG),
            (b'd' | b'i', _) => (TypeTable::LONG, TypeTable::LONG_LONG),
            (_, Length::LongLong) => (TypeTable::UNSIGNED_LONG_LONG, TypeTable::UNSIGNED_LONG_LONG),
            (_, _) => (TypeTable::UNSIGNED_LONG, TypeTable::UNSIGNED_LONG_LONG),
        };
        let value = self.convert(value, narrow, site.span)?;
        Ok(self.convert(value, wide, site.span)?.operand)
    }

    fn call_of(&mut self, conversion: &Conversion, value: Operand) -> (&'static str, Vec<Operand>) {
        let width = Operand::int(32, conversion.width as u32 as u64);
        let zeros = Operand::int(32, u64::from(conversion.zeros));
        let is_narrow = conversion.length == Length::Int;
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
        let bits = if result == TypeTable::INT { 32 } else { self.link.types.model.pointer_bits() };
        let target = self.f.builder.temporary(Type::Int(bits));
        let callee = Callee::Direct(function);
        self.emit(InstructionKind::Call { target: Some(target), callee, arguments }, site.span);
        Operand::Register(target)
    }

    /// An `unsigned long`, which is as wide as a pointer.
    fn word(&self, value: u64) -> Operand {
        Operand::int(self.link.types.model.pointer_bits(), value)
    }
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

    #[test]
    fn simple_formats_have_pieces() {
        let number = Conversion { kind: b'd', length: Length::Int, width: 0, zeros: false, precision: None };
        assert_eq!(pieces(b"worker-%d"), Some(vec![Piece::Text { start: 0, length: 7 }, Piece::Conversion(number)]));
        let padded = Conversion { kind: b'x', length: Length::Long, width: 8, zeros: true, precision: None };
        assert_eq!(pieces(b"%08lx%%"), Some(vec![Piece::Conversion(padded), Piece::Text { start: 5, length: 1 }]));
        let left = Conversion { kind: b's', length: Length::Int, width: -5, zeros: false, precision: Some(3) };
        assert_eq!(pieces(b"%-5.3s"), Some(vec![Piece::Conversion(left)]));
    }

    #[test]
    fn strings_are_found_by_their_arguments() {
        let strings = |format: &str| {
            let found = printed_strings(format.as_bytes())?;
            let limit = |what| match what {
                Printed::Text { limit } => limit,
                other => panic!("{other:?} should be a string"),
            };
            Some(found.into_iter().map(|string| (string.argument, limit(string.what))).collect::<Vec<_>>())
        };
        assert_eq!(strings("%d %s %-*.3s %% %lu %s\n"), Some(vec![(1, None), (3, Some(3)), (5, None)]));
        assert_eq!(strings("%p %+5.2f"), Some(vec![]));
        for format in ["%ls", "%", "%l"] {
            assert_eq!(strings(format), None, "{format}");
        }
    }

    #[test]
    fn positions_are_taken_out() {
        assert_eq!(without_positions(b"ab%n%d%hhn %%n"), Some(b"ab%d %%n".to_vec()));
        assert_eq!(without_positions(b"ab%%n%s"), None);
        assert_eq!(without_positions(b"%"), None);
    }

    #[test]
    fn other_formats_have_none() {
        for format in ["%f", "%p", "%*d", "%+d", "%#x", "%hd", "%5c", "%.3d", "%99999d", "%", "%l", "%ls", "% d", "%n"]
        {
            assert_eq!(pieces(format.as_bytes()), None, "{format}");
        }
    }
}

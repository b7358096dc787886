//! Decoding of constants: numbers, characters and strings, from their spelling to their value (C11 6.4.4, 6.4.5).

use std::borrow::Cow;

use crate::ast::{
    BasicType, CharConstant, FloatConstant, FloatSuffix, IntegerConstant, IntegerLength, LiteralEncoding, Radix,
    StringLiteral, StringUnits,
};
use crate::hex_float;

/// A number: integer or floating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NumericConstant {
    Integer(IntegerConstant),
    Float(FloatConstant),
}

/// What is wrong with a constant, as a sentence for the user.
pub type LiteralError = String;

// ---------------------------------------------------------------------------------------------------------------------
// Numbers

/// Decodes a preprocessing number.
pub fn decode_number(spelling: &[u8]) -> Result<NumericConstant, LiteralError> {
    let text = std::str::from_utf8(spelling).map_err(|_| "invalid number".to_owned())?;
    // C23: digits may be separated.
    let joined = text.replace('\'', "");
    let (radix, digits) = split_radix(&joined);
    let is_float = match radix {
        Radix::Hexadecimal => digits.contains(['.', 'p', 'P']),
        Radix::Binary => false,
        // `08.5` and `09e1` are decimal floating constants.
        Radix::Octal | Radix::Decimal => {
            let number_end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            digits[number_end..].starts_with(['.', 'e', 'E'])
        }
    };
    if is_float {
        decode_float(text, radix == Radix::Hexadecimal).map(NumericConstant::Float)
    } else {
        decode_integer(radix, digits).map(NumericConstant::Integer)
    }
}

fn split_radix(text: &str) -> (Radix, &str) {
    match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (Radix::Hexadecimal, &text[2..]),
        [b'0', b'b' | b'B', ..] => (Radix::Binary, &text[2..]),
        [b'0', ..] => (Radix::Octal, text),
        _ => (Radix::Decimal, text),
    }
}

fn decode_integer(radix: Radix, text: &str) -> Result<IntegerConstant, LiteralError> {
    let base = match radix {
        Radix::Binary => 2,
        Radix::Octal => 8,
        Radix::Decimal => 10,
        Radix::Hexadecimal => 16,
    };
    let is_digit = |c: char| if base == 16 { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let (digits, suffix) = text.split_at(text.find(|c| !is_digit(c)).unwrap_or(text.len()));
    if digits.is_empty() {
        return Err("a number without digits".to_owned());
    }
    let mut value: u128 = 0;
    for digit in digits.chars() {
        let Some(digit_value) = digit.to_digit(base) else {
            return Err(format!("invalid digit `{digit}` in {} constant", radix_name(radix)));
        };
        let next = value.checked_mul(base.into()).and_then(|value| value.checked_add(digit_value.into()));
        value = next.ok_or_else(|| "integer constant is too large for any type".to_owned())?;
    }
    let (unsigned, length, imaginary) =
        integer_suffix(suffix).ok_or_else(|| format!("invalid suffix `{suffix}` on integer constant"))?;
    Ok(IntegerConstant { value, radix, unsigned, length, imaginary })
}

fn radix_name(radix: Radix) -> &'static str {
    match radix {
        Radix::Binary => "binary",
        Radix::Octal => "octal",
        Radix::Decimal => "decimal",
        Radix::Hexadecimal => "hexadecimal",
    }
}

fn integer_suffix(suffix: &str) -> Option<(bool, IntegerLength, bool)> {
    let mut rest = suffix;
    let (mut unsigned, mut length, mut imaginary) = (false, IntegerLength::Int, false);
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            'u' | 'U' if !unsigned => {
                unsigned = true;
                1
            }
            'l' | 'L' if length == IntegerLength::Int => {
                let is_double = rest.starts_with("ll") || rest.starts_with("LL");
                length = if is_double { IntegerLength::LongLong } else { IntegerLength::Long };
                if is_double { 2 } else { 1 }
            }
            'i' | 'I' | 'j' | 'J' if !imaginary => {
                imaginary = true;
                1
            }
            _ => return None,
        };
        rest = &rest[taken..];
    }
    Some((unsigned, length, imaginary))
}

fn decode_float(text: &str, is_hexadecimal: bool) -> Result<FloatConstant, LiteralError> {
    let (number, suffix) = text.split_at(float_number_end(text, is_hexadecimal));
    let malformed = || format!("`{text}` is not a valid floating constant");
    let (value, single) = if is_hexadecimal {
        hex_float::parse(&number[2..]).ok_or_else(malformed)?
    } else {
        (number.parse().map_err(|_| malformed())?, number.parse().map_err(|_| malformed())?)
    };
    let (suffix, imaginary) =
        float_suffix(suffix).ok_or_else(|| format!("invalid suffix `{suffix}` on floating constant"))?;
    Ok(FloatConstant { value, single, suffix, imaginary })
}

/// Where digits, point and exponent end and the suffix begins.
fn float_number_end(text: &str, is_hexadecimal: bool) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |byte: u8| if is_hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let exponent: &[u8] = if is_hexadecimal { b"pP" } else { b"eE" };
    let mut end = if is_hexadecimal { 2 } else { 0 };
    while end < bytes.len() && (is_digit(bytes[end]) || bytes[end] == b'.') {
        end += 1;
    }
    if end < bytes.len() && exponent.contains(&bytes[end]) {
        end += 1;
        if end < bytes.len() && matches!(bytes[end], b'+' | b'-') {
            end += 1;
        }
        while end < bytes.len() && bytes[end].is_ascii_digit() {
            end += 1;
        }
    }
    end
}

fn float_suffix(suffix: &str) -> Option<(FloatSuffix, bool)> {
    let lower = suffix.to_ascii_lowercase();
    let imaginary = lower.contains(['i', 'j']);
    let suffix = match lower.replace(['i', 'j'], "").as_str() {
        "" => FloatSuffix::None,
        "f" => FloatSuffix::Float,
        "l" => FloatSuffix::Long,
        "f16" => FloatSuffix::Extended(BasicType::Float16),
        "f32" => FloatSuffix::Extended(BasicType::Float32),
        "f64" => FloatSuffix::Extended(BasicType::Float64),
        "f32x" => FloatSuffix::Extended(BasicType::Float32x),
        "f64x" => FloatSuffix::Extended(BasicType::Float64x),
        "f128" | "q" => FloatSuffix::Extended(BasicType::Float128),
        "df" => FloatSuffix::Extended(BasicType::Decimal32),
        "dd" => FloatSuffix::Extended(BasicType::Decimal64),
        "dl" => FloatSuffix::Extended(BasicType::Decimal128),
        "w" => FloatSuffix::Extended(BasicType::LongDouble),
        _ => return None,
    };
    Some((suffix, imaginary))
}

// ---------------------------------------------------------------------------------------------------------------------
// Characters and strings

/// Decodes a character constant with its quotes and prefix.
pub fn decode_char(spelling: &[u8]) -> Result<CharConstant, LiteralError> {
    let (encoding, body) = split_encoding(spelling);
    let mut units = Vec::new();
    decode_body(body, encoding, &mut units)?;
    let value = match encoding {
        LiteralEncoding::Narrow | LiteralEncoding::Utf8 => narrow_char_value(&units),
        LiteralEncoding::Wide => units.last().map(|&unit| i64::from(unit as i32)),
        LiteralEncoding::Utf16 | LiteralEncoding::Utf32 => units.last().map(|&unit| i64::from(unit)),
    };
    let value = value.ok_or_else(|| "empty character constant".to_owned())?;
    Ok(CharConstant { value, encoding })
}

/// One character is a signed `char` converted to `int`; several are shifted together, as GCC does.
fn narrow_char_value(units: &[u32]) -> Option<i64> {
    match units {
        [] => None,
        [single] => Some(i64::from(*single as u8 as i8)),
        several => Some(i64::from(several.iter().fold(0_u32, |value, unit| value << 8 | unit & 0xff) as i32)),
    }
}

/// Decodes adjacent string literals, each with quotes and prefix, into one.
pub fn decode_strings<'a>(spellings: impl Iterator<Item = &'a [u8]> + Clone) -> Result<StringLiteral, LiteralError> {
    let encoding = joint_encoding(spellings.clone().map(|spelling| split_encoding(spelling).0))?;
    if matches!(encoding, LiteralEncoding::Narrow | LiteralEncoding::Utf8) {
        return decode_narrow(encoding, spellings);
    }
    let mut units = Vec::new();
    for spelling in spellings {
        decode_body(split_encoding(spelling).1, encoding, &mut units)?;
    }
    Ok(StringLiteral { encoding, units: StringUnits::Wide(units.into()) })
}

fn decode_narrow<'a>(
    encoding: LiteralEncoding,
    spellings: impl Iterator<Item = &'a [u8]>,
) -> Result<StringLiteral, LiteralError> {
    let mut bytes = Vec::new();
    for spelling in spellings {
        let body = split_encoding(spelling).1;
        if body.contains(&b'\\') {
            let mut units = Vec::new();
            decode_body(body, encoding, &mut units)?;
            bytes.extend(units.iter().map(|&unit| unit as u8));
        } else {
            bytes.extend_from_slice(body);
        }
    }
    Ok(StringLiteral { encoding, units: StringUnits::Bytes(bytes.into()) })
}

/// An unprefixed literal takes the encoding of its neighbours (C11 6.4.5p5).
fn joint_encoding(encodings: impl Iterator<Item = LiteralEncoding>) -> Result<LiteralEncoding, LiteralError> {
    let mut joint = LiteralEncoding::Narrow;
    for encoding in encodings {
        if joint == LiteralEncoding::Narrow {
            joint = encoding;
        } else if encoding != LiteralEncoding::Narrow && encoding != joint {
            return Err("string literals of different encodings cannot be joined".to_owned());
        }
    }
    Ok(joint)
}

/// The prefix, and what stands between the quotes.
fn split_encoding(spelling: &[u8]) -> (LiteralEncoding, &[u8]) {
    let prefix = spelling.iter().position(|&byte| matches!(byte, b'"' | b'\'')).unwrap_or(0);
    let encoding = match &spelling[..prefix] {
        b"L" => LiteralEncoding::Wide,
        b"u8" => LiteralEncoding::Utf8,
        b"u" => LiteralEncoding::Utf16,
        b"U" => LiteralEncoding::Utf32,
        _ => LiteralEncoding::Narrow,
    };
    let body = spelling.get(prefix + 1..spelling.len().saturating_sub(1)).unwrap_or_default();
    (encoding, body)
}

/// Appends the code units of `body`: bytes, UTF-16 units or code points.
fn decode_body(body: &[u8], encoding: LiteralEncoding, units: &mut Vec<u32>) -> Result<(), LiteralError> {
    let mut rest = body;
    while let [first, tail @ ..] = rest {
        if *first == b'\\' {
            rest = decode_escape(tail, encoding, units)?;
        } else if matches!(encoding, LiteralEncoding::Narrow | LiteralEncoding::Utf8) || first.is_ascii() {
            units.push(u32::from(*first));
            rest = tail;
        } else {
            let (character, length) = first_character(rest);
            push_character(character, encoding, units);
            rest = &rest[length..];
        }
    }
    Ok(())
}

/// The first UTF-8 character and its length; a byte that begins none stands for itself.
fn first_character(text: &[u8]) -> (u32, usize) {
    for length in 2..=text.len().min(4) {
        if let Ok(character) = std::str::from_utf8(&text[..length]) {
            return (character.chars().next().map_or(0, u32::from), length);
        }
    }
    (u32::from(text[0]), 1)
}

fn push_character(code: u32, encoding: LiteralEncoding, units: &mut Vec<u32>) {
    match (encoding, char::from_u32(code)) {
        (LiteralEncoding::Narrow | LiteralEncoding::Utf8, Some(character)) => {
            units.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        (LiteralEncoding::Utf16, Some(character)) => {
            units.extend(character.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit)));
        }
        _ => units.push(code),
    }
}

/// Decodes what follows a backslash; returns what comes after it.
fn decode_escape<'a>(
    text: &'a [u8],
    encoding: LiteralEncoding,
    units: &mut Vec<u32>,
) -> Result<&'a [u8], LiteralError> {
    let [first, tail @ ..] = text else { return Err("a backslash without a character to escape".to_owned()) };
    let simple = match first {
        b'n' => 0x0a,
        b't' => 0x09,
        b'r' => 0x0d,
        b'a' => 0x07,
        b'b' => 0x08,
        b'f' => 0x0c,
        b'v' => 0x0b,
        b'e' | b'E' => 0x1b,
        b'\n' => return Ok(tail),
        b'\r' if tail.first() == Some(&b'\n') => return Ok(&tail[1..]),
        b'x' => return decode_hexadecimal_escape(tail, encoding, units),
        b'0'..=b'7' => return decode_octal_escape(text, encoding, units),
        b'u' => return decode_universal_escape(tail, 4, encoding, units),
        b'U' => return decode_universal_escape(tail, 8, encoding, units),
        other => u32::from(*other),
    };
    units.push(simple);
    Ok(tail)
}

fn unit_limit(encoding: LiteralEncoding) -> u64 {
    match encoding {
        LiteralEncoding::Narrow | LiteralEncoding::Utf8 => 0xff,
        LiteralEncoding::Utf16 => 0xffff,
        LiteralEncoding::Wide | LiteralEncoding::Utf32 => 0xffff_ffff,
    }
}

fn push_unit(value: u64, encoding: LiteralEncoding, units: &mut Vec<u32>) -> Result<(), LiteralError> {
    if value > unit_limit(encoding) {
        return Err("escape sequence out of range".to_owned());
    }
    units.push(value as u32);
    Ok(())
}

fn decode_hexadecimal_escape<'a>(
    text: &'a [u8],
    encoding: LiteralEncoding,
    units: &mut Vec<u32>,
) -> Result<&'a [u8], LiteralError> {
    let length = text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    if length == 0 {
        return Err("`\\x` without hexadecimal digits".to_owned());
    }
    let value = text[..length].iter().fold(0_u64, |value, &digit| {
        // Saturates far above every limit.
        (value << 4 | u64::from((digit as char).to_digit(16).unwrap_or(0))).min(1 << 40)
    });
    push_unit(value, encoding, units)?;
    Ok(&text[length..])
}

fn decode_octal_escape<'a>(
    text: &'a [u8],
    encoding: LiteralEncoding,
    units: &mut Vec<u32>,
) -> Result<&'a [u8], LiteralError> {
    let length = text.iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    let value = text[..length].iter().fold(0_u64, |value, digit| value << 3 | u64::from(digit - b'0'));
    push_unit(value, encoding, units)?;
    Ok(&text[length..])
}

fn decode_universal_escape<'a>(
    text: &'a [u8],
    length: usize,
    encoding: LiteralEncoding,
    units: &mut Vec<u32>,
) -> Result<&'a [u8], LiteralError> {
    let digits = text.get(..length).and_then(|digits| std::str::from_utf8(digits).ok());
    let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let character = code.and_then(char::from_u32).ok_or_else(|| "invalid universal character name".to_owned())?;
    push_character(u32::from(character), encoding, units);
    Ok(&text[length..])
}

/// Replaces `\u00e9` by the character it names; an identifier that names none stays as it is.
pub fn decode_universal_names(identifier: &str) -> Cow<'_, str> {
    let mut units = Vec::new();
    let decoded = decode_body(identifier.as_bytes(), LiteralEncoding::Utf32, &mut units);
    match decoded.ok().and_then(|()| units.into_iter().map(char::from_u32).collect::<Option<String>>()) {
        Some(decoded) => Cow::Owned(decoded),
        None => Cow::Borrowed(identifier),
    }
}

/// The file name in a line marker, which is quoted like a string.
pub fn unescape_path(quoted: &[u8]) -> Cow<'_, [u8]> {
    if !quoted.contains(&b'\\') {
        return Cow::Borrowed(quoted);
    }
    let mut units = Vec::new();
    match decode_body(quoted, LiteralEncoding::Narrow, &mut units) {
        Ok(()) => Cow::Owned(units.into_iter().map(|unit| unit as u8).collect()),
        Err(_) => Cow::Borrowed(quoted),
    }
}

//! The directives of a format of `scanf`.

use program::print_format::Length;

/// A stretch of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Directive<'f> {
    /// Any number of spaces.
    Space,
    /// A character that must be there.
    Literal,
    /// At least one character whose value is not stored.
    Skipped,
    Stored(ScanConversion<'f>),
}

/// What one conversion stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScanConversion<'f> {
    /// A whole number, of so few digits that it lies in a range.
    Integer {
        length: Length,
        signed: bool,
        range: Option<(i64, i64)>,
    },
    Float,
    Double,
    /// One character.
    Character,
    /// A string of at most so many characters, and a zero.
    Text {
        longest: u64,
    },
    /// As `Text`, of characters in a set: what stands between the brackets.
    Set {
        longest: u64,
        set: &'f [u8],
    },
    /// Exactly so many characters.
    Characters {
        count: u64,
    },
    /// How much was read so far; not counted.
    Position {
        length: Length,
    },
}

/// No string is longer.
const LONGEST: u64 = i32::MAX as u64;

/// The directives of a format; `None` for a format that is not understood.
pub fn directives(format: &[u8]) -> Option<Vec<Directive<'_>>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some((&first, after)) = rest.split_first() {
        let is_space = |byte: u8| byte == b' ' || (b'\t'..=b'\r').contains(&byte);
        rest = after;
        found.push(match first {
            b'%' => {
                let directive;
                (directive, rest) = conversion(after)?;
                directive
            }
            byte if is_space(byte) => Directive::Space,
            _ => Directive::Literal,
        });
    }
    Some(found)
}

/// The conversion whose `%` has been read, and what follows it.
fn conversion(text: &[u8]) -> Option<(Directive<'_>, &[u8])> {
    if let Some(after) = text.strip_prefix(b"%") {
        return Some((Directive::Skipped, after));
    }
    let (suppressed, text) = match text.strip_prefix(b"*") {
        Some(text) => (true, text),
        None => (false, text),
    };
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let width: Option<u64> = match digits {
        0 => None,
        _ => {
            let width = std::str::from_utf8(&text[..digits]).ok()?.parse().ok();
            Some(width.filter(|width| (1..=LONGEST).contains(width))?)
        }
    };
    let (length, text) = length(&text[digits..]);
    let (&kind, mut after) = text.split_first()?;
    let is_plain = length == Length::Int;
    let longest = width.unwrap_or(LONGEST);
    let conversion = match kind {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
            let range = width.and_then(|width| range(kind, u32::try_from(width).ok()?));
            ScanConversion::Integer { length, signed: matches!(kind, b'd' | b'i'), range }
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if width.is_none() => match length {
            Length::Int => ScanConversion::Float,
            Length::Long => ScanConversion::Double,
            _ => return None,
        },
        b'c' if is_plain && (longest == 1 || width.is_none()) => ScanConversion::Character,
        b'c' if is_plain => ScanConversion::Characters { count: longest },
        b's' if is_plain => ScanConversion::Text { longest },
        b'[' if is_plain => {
            let start = after;
            after = after_set(start)?;
            ScanConversion::Set { longest, set: &start[..start.len() - after.len() - 1] }
        }
        b'n' if !suppressed && width.is_none() => ScanConversion::Position { length },
        _ => return None,
    };
    let directive = if suppressed { Directive::Skipped } else { Directive::Stored(conversion) };
    Some((directive, after))
}

fn length(text: &[u8]) -> (Length, &[u8]) {
    let (length, letters) = match text {
        [b'h', b'h', ..] => (Length::Char, 2),
        [b'h', ..] => (Length::Short, 1),
        [b'l', b'l', ..] => (Length::LongLong, 2),
        [b'l', ..] => (Length::Long, 1),
        [b'q' | b'j', ..] => (Length::LongLong, 1),
        [b'z' | b't', ..] => (Length::Size, 1),
        _ => (Length::Int, 0),
    };
    (length, &text[letters..])
}

/// The numbers that so many characters can be, the first of which may be a sign; `None` if there is no limit to speak of.
fn range(kind: u8, width: u32) -> Option<(i64, i64)> {
    let largest = |width: u32| -> Option<i64> {
        let power = |base: i64, digits: u32| base.checked_pow(digits).map(|power| power - 1);
        match kind {
            b'x' | b'X' => power(16, width),
            b'o' => power(8, width),
            // `0x` comes before hexadecimal digits.
            b'i' => Some(power(10, width)?.max(power(16, width.saturating_sub(2))?)),
            _ => power(10, width),
        }
    };
    Some((-largest(width - 1)?, largest(width)?))
}

/// What follows a set of characters whose `[` has been read. A `]` that comes first belongs to the set.
fn after_set(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_prefix(b"^").unwrap_or(text);
    let first = usize::from(text.first() == Some(&b']'));
    let end = text[first..].iter().position(|&byte| byte == b']')?;
    Some(&text[first + end + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored() {
        use Directive::{Literal, Skipped, Space, Stored};
        use ScanConversion::*;
        let integer = |range| Stored(Integer { length: Length::Int, signed: true, range });
        let cases: [(&str, Option<Vec<Directive>>); 11] = [
            ("%d", Some(vec![integer(None)])),
            (" %5d,%*s%c", Some(vec![Space, integer(Some((-9999, 99999))), Literal, Skipped, Stored(Character)])),
            ("%31s", Some(vec![Stored(Text { longest: 31 })])),
            (
                "%[^]%]x%n",
                Some(vec![
                    Stored(Set { longest: LONGEST, set: b"^]%" }),
                    Literal,
                    Stored(Position { length: Length::Int }),
                ]),
            ),
            ("%4c%%", Some(vec![Stored(Characters { count: 4 }), Skipped])),
            ("%lf", Some(vec![Stored(Double)])),
            ("%p", None),
            ("%", None),
            ("%[abc", None),
            ("%ls", None),
            ("%Lf", None),
        ];
        for (format, expected) in cases {
            assert_eq!(directives(format.as_bytes()), expected, "{format}");
        }
    }

    #[test]
    fn few_characters_are_small_numbers() {
        assert_eq!(range(b'u', 1), Some((0, 9)));
        assert_eq!(range(b'x', 2), Some((-15, 255)));
        assert_eq!(range(b'o', 3), Some((-63, 511)));
        assert_eq!(range(b'i', 3), Some((-99, 999)));
        assert_eq!(range(b'i', 13), Some((-0xff_ffff_ffff, 0xfff_ffff_ffff)));
        assert_eq!(range(b'd', 40), None);
    }
}

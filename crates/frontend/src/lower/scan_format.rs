//! The conversions in a format of `scanf`.

/// What one conversion stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion<'f> {
    /// One number or character.
    Number,
    /// A number of few digits.
    Digits { low: i64, high: i64 },
    /// A string of at most so many characters, and a zero.
    Text { longest: u64 },
    /// As `Text`, of characters in a set: what stands between the brackets.
    Set { longest: u64, set: &'f str },
    /// Exactly so many characters.
    Characters { count: u64 },
    /// How much was read so far; not counted.
    Position,
}

/// No string is longer.
const LONGEST: u64 = i32::MAX as u64;

/// The conversions that store something; `None` for a format that is not understood.
pub fn conversions(format: &str) -> Option<Vec<Conversion<'_>>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let (conversion, after) = conversion(&rest[at + 1..])?;
        found.extend(conversion);
        rest = after;
    }
    Some(found)
}

/// The conversion whose `%` has been read, if it stores something, and what follows it.
fn conversion(text: &str) -> Option<(Option<Conversion<'_>>, &str)> {
    if let Some(after) = text.strip_prefix('%') {
        return Some((None, after));
    }
    let (suppressed, text) = match text.strip_prefix('*') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let width: Option<u64> = match digits {
        0 => None,
        _ => Some(text[..digits].parse().ok().filter(|width| (1..=LONGEST).contains(width))?),
    };
    let text = text[digits..].trim_start_matches(['h', 'l', 'j', 'z', 't', 'q']);
    let kind = text.chars().next()?;
    let mut after = &text[kind.len_utf8()..];
    let conversion = match kind {
        'd' if let Some(width @ 1..=9) = width => {
            // One of the characters may be a sign.
            let high = 10_i64.pow(width as u32) - 1;
            Conversion::Digits { low: -(high / 10), high }
        }
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => Conversion::Number,
        'c' if width.unwrap_or(1) == 1 => Conversion::Number,
        'c' => Conversion::Characters { count: width.unwrap_or(1) },
        's' => Conversion::Text { longest: width.unwrap_or(LONGEST) },
        '[' => {
            let start = after;
            after = after_set(start)?;
            let set = &start[..start.len() - after.len() - 1];
            Conversion::Set { longest: width.unwrap_or(LONGEST), set }
        }
        'n' => Conversion::Position,
        _ => return None,
    };
    Some(((!suppressed).then_some(conversion), after))
}

/// What follows a set of characters whose `[` has been read. A `]` that comes first belongs to the set.
fn after_set(text: &str) -> Option<&str> {
    let text = text.strip_prefix('^').unwrap_or(text);
    let text = text.strip_prefix(']').unwrap_or(text);
    text.find(']').map(|end| &text[end + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored() {
        use Conversion::*;
        let cases: [(&str, Option<&[Conversion]>); 9] = [
            ("%d", Some(&[Number])),
            (" %5ld,%*s%c", Some(&[Digits { low: -9999, high: 99999 }, Number])),
            ("%31s", Some(&[Text { longest: 31 }])),
            ("%[^]%]x%n", Some(&[Set { longest: LONGEST, set: "^]%" }, Position])),
            ("%4c%%", Some(&[Characters { count: 4 }])),
            ("%lf", Some(&[Number])),
            ("%p", None),
            ("%", None),
            ("%[abc", None),
        ];
        for (format, expected) in cases {
            assert_eq!(conversions(format).as_deref(), expected, "{format}");
        }
    }
}

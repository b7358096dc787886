//! Formats of `printf`: the one place that reads them. What is made of the conversions is the business of others.

/// A stretch of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece<'f> {
    Text(&'f [u8]),
    Conversion(Conversion),
    /// A conversion of which it is not known what it takes: wide characters, `long double`, letters that C does not have.
    Unknown(&'f [u8]),
}

/// What stands between a `%` and its letter, and the letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    pub flags: Flags,
    pub width: Option<WidthOrPrecision>,
    pub precision: Option<WidthOrPrecision>,
    pub length: Length,
    /// The letter.
    pub kind: u8,
    /// The argument, counted from 0, if the format names it (`%2$d`).
    pub position: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Flags {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
}

/// A width or precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WidthOrPrecision {
    Number(u32),
    /// An argument, counted from 0 if the format names it (`*1$`).
    Argument(Option<usize>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    Size,
}

impl Length {
    pub fn bits(self, pointer_bits: u8) -> u8 {
        match self {
            Length::Char => 8,
            Length::Short => 16,
            Length::Int => 32,
            Length::Long | Length::Size => pointer_bits,
            Length::LongLong => 64,
        }
    }
}

impl Conversion {
    /// Whether it has an argument of its own: `%m` prints the text of `errno`.
    pub fn takes_argument(&self) -> bool {
        self.kind != b'm'
    }

    /// Whether it stores how much has been printed instead of printing something.
    pub fn stores(&self) -> bool {
        self.kind == b'n'
    }

    /// The widths and precisions that are arguments.
    pub fn argument_fields(&self) -> impl Iterator<Item = Option<usize>> {
        [self.width, self.precision].into_iter().flatten().filter_map(|field| match field {
            WidthOrPrecision::Argument(position) => Some(position),
            WidthOrPrecision::Number(_) => None,
        })
    }

    /// Appends the conversion as it stands in a format.
    pub fn write(&self, text: &mut Vec<u8>) {
        text.push(b'%');
        if let Some(position) = self.position {
            text.extend(format!("{}$", position + 1).bytes());
        }
        let Flags { left, plus, space, alternate, zero } = self.flags;
        let flags = [(left, b'-'), (plus, b'+'), (space, b' '), (alternate, b'#'), (zero, b'0')];
        text.extend(flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag));
        if let Some(width) = self.width {
            width.write(text);
        }
        if let Some(precision) = self.precision {
            text.push(b'.');
            precision.write(text);
        }
        let length: &[u8] = match self.length {
            Length::Char => b"hh",
            Length::Short => b"h",
            Length::Int => b"",
            Length::Long => b"l",
            Length::LongLong => b"ll",
            Length::Size => b"z",
        };
        text.extend_from_slice(length);
        text.push(self.kind);
    }
}

impl WidthOrPrecision {
    fn write(self, text: &mut Vec<u8>) {
        match self {
            WidthOrPrecision::Number(number) => text.extend(number.to_string().bytes()),
            WidthOrPrecision::Argument(None) => text.push(b'*'),
            WidthOrPrecision::Argument(Some(position)) => text.extend(format!("*{}$", position + 1).bytes()),
        }
    }
}

/// Splits a format.
pub fn pieces(format: &[u8]) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = format;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, length) = match rest.iter().position(|&byte| byte == b'%') {
            Some(0) => conversion(rest),
            Some(percent) => (Piece::Text(&rest[..percent]), percent),
            None => (Piece::Text(rest), rest.len()),
        };
        rest = &rest[length..];
        Some(piece)
    })
}

/// Whether a stretch of text, from wherever it is read, may have a conversion that stores.
pub fn may_store(text: &[u8]) -> bool {
    let between = |byte: &u8| byte.is_ascii_digit() || b"-+ #'I$*.hlLqjzt".contains(byte);
    let stores = |at: usize| text[at + 1..].iter().find(|byte| !between(byte)) == Some(&b'n');
    text.iter().enumerate().any(|(at, &byte)| byte == b'%' && stores(at))
}

/// The conversion at the beginning of `text`, and how long it is.
fn conversion(text: &[u8]) -> (Piece<'_>, usize) {
    let mut cursor = Cursor { text, at: 1 };
    let piece = cursor.conversion();
    let length = cursor.at.min(text.len());
    (piece.unwrap_or(Piece::Unknown(&text[..length])), length)
}

struct Cursor<'f> {
    text: &'f [u8],
    at: usize,
}

impl<'f> Cursor<'f> {
    fn next(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Whether the next byte is this one, which is read then.
    fn skip(&mut self, byte: u8) -> bool {
        let is_next = self.next() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn conversion(&mut self) -> Option<Piece<'f>> {
        let position = self.position();
        let flags = self.flags();
        let width = self.field();
        let precision = match self.skip(b'.') {
            true => Some(self.field().unwrap_or(WidthOrPrecision::Number(0))),
            false => None,
        };
        let length = self.length();
        let kind = self.next();
        self.at += 1;
        let is_known = match kind? {
            b'%' => return Some(Piece::Text(b"%")),
            b'c' | b's' => length == Length::Int,
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' | b'n' | b'm' => true,
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => true,
            _ => false,
        };
        let kind = kind.filter(|_| is_known)?;
        Some(Piece::Conversion(Conversion { flags, width, precision, length, kind, position }))
    }

    /// `2$`.
    fn position(&mut self) -> Option<usize> {
        let start = self.at;
        let position = self.number().filter(|_| self.skip(b'$')).and_then(|number| number.checked_sub(1));
        if position.is_none() {
            self.at = start;
        }
        position.map(|position| position as usize)
    }

    fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        loop {
            match self.next() {
                Some(b'-') => flags.left = true,
                Some(b'+') => flags.plus = true,
                Some(b' ') => flags.space = true,
                Some(b'#') => flags.alternate = true,
                Some(b'0') => flags.zero = true,
                _ => return flags,
            }
            self.at += 1;
        }
    }

    fn field(&mut self) -> Option<WidthOrPrecision> {
        match self.skip(b'*') {
            true => Some(WidthOrPrecision::Argument(self.position())),
            false => self.number().map(WidthOrPrecision::Number),
        }
    }

    /// Digits, if there are any; too large a number is the largest.
    fn number(&mut self) -> Option<u32> {
        let mut value = None;
        while let Some(digit @ b'0'..=b'9') = self.next() {
            let before: u32 = value.unwrap_or(0);
            value = Some(before.saturating_mul(10).saturating_add(u32::from(digit - b'0')));
            self.at += 1;
        }
        value
    }

    fn length(&mut self) -> Length {
        let (length, bytes) = match self.text.get(self.at..).unwrap_or(&[]) {
            [b'h', b'h', ..] => (Length::Char, 2),
            [b'h', ..] => (Length::Short, 1),
            [b'l', b'l', ..] => (Length::LongLong, 2),
            [b'l', ..] => (Length::Long, 1),
            [b'q' | b'j', ..] => (Length::LongLong, 1),
            [b'z' | b't', ..] => (Length::Size, 1),
            _ => (Length::Int, 0),
        };
        self.at += bytes;
        length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(format: &str) -> Piece<'_> {
        let mut pieces = pieces(format.as_bytes());
        let piece = pieces.next().expect("a piece");
        assert_eq!(pieces.next(), None, "{format}");
        piece
    }

    #[test]
    fn conversions_are_written_as_they_were_read() {
        for format in ["%d", "%-+ #05.3hhd", "%2$s", "%*.*f", "%3$*1$.*2$llx", "%n", "%20m", "%zu", "%.0s"] {
            let Piece::Conversion(conversion) = only(format) else { panic!("{format} should be known") };
            let mut written = Vec::new();
            conversion.write(&mut written);
            assert_eq!(String::from_utf8_lossy(&written), format);
        }
    }

    #[test]
    fn what_is_not_known() {
        for format in ["%", "%5", "%ls", "%lc", "%S", "%C", "%L", "%y", "%'", "%l"] {
            assert_eq!(only(format), Piece::Unknown(format.as_bytes()), "{format}");
        }
        assert_eq!(only("%%"), Piece::Text(b"%"));
    }

    #[test]
    fn stores_are_found_wherever_the_text_is_read_from() {
        for text in ["%n", "a%dx%5hhn", "%%n", "%1$n", "%*.*ln"] {
            assert!(may_store(text.as_bytes()), "{text}");
        }
        for text in ["", "%", "%d n", "100% nice%", "%m\n", "%dn"] {
            assert_eq!(may_store(text.as_bytes()), text == "100% nice%", "{text}");
        }
    }
}

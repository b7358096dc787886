//! The conversions of `printf`, on values that are already at hand.

use program::print_format::{self, Flags, Length, WidthOrPrecision};

/// A stretch of a format string.
pub enum FormatPiece<'a> {
    Text(&'a [u8]),
    Conversion(FormatConversion),
    /// A conversion that is not supported.
    Unknown(String),
}

#[derive(Clone, Debug)]
pub struct FormatConversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    pub width_from_argument: bool,
    pub precision: Option<usize>,
    pub precision_from_argument: bool,
    pub length: Length,
    pub kind: u8,
}

/// A value to be converted.
pub enum FormatArgument {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(Vec<u8>),
}

/// The widest field that is supported; C promises 4095 characters.
const MAX_FIELD: usize = 1 << 15;

/// Splits a format string.
pub fn pieces(format: &[u8]) -> impl Iterator<Item = FormatPiece<'_>> {
    print_format::pieces(format).map(|piece| match piece {
        print_format::Piece::Text(text) => FormatPiece::Text(text),
        print_format::Piece::Unknown(text) => FormatPiece::Unknown(String::from_utf8_lossy(text).into_owned()),
        print_format::Piece::Conversion(conversion) => match FormatConversion::supported(&conversion) {
            Some(conversion) => FormatPiece::Conversion(conversion),
            None => FormatPiece::Unknown(shown(&conversion)),
        },
    })
}

fn shown(conversion: &print_format::Conversion) -> String {
    let mut text = Vec::new();
    conversion.write(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

impl FormatConversion {
    /// Arguments are taken one after the other, nothing is stored, and no field is too wide.
    fn supported(conversion: &print_format::Conversion) -> Option<Self> {
        let print_format::Conversion { flags, width, precision, length, kind, position } = *conversion;
        let is_known = !matches!(kind, b'a' | b'A' | b'n' | b'm');
        let is_plain = position.is_none() && conversion.argument_fields().all(|field| field.is_none());
        let number = |field: Option<WidthOrPrecision>| match field {
            Some(WidthOrPrecision::Number(number)) => Some(number as usize),
            _ => None,
        };
        let fits = [width, precision].into_iter().all(|field| number(field).unwrap_or(0) <= MAX_FIELD);
        let Flags { left, plus, space, alternate, zero } = flags;
        (is_known && is_plain && fits).then(|| Self {
            left,
            plus,
            space,
            alternate,
            zero,
            width: number(width).unwrap_or(0),
            width_from_argument: matches!(width, Some(WidthOrPrecision::Argument(_))),
            precision: number(precision),
            precision_from_argument: matches!(precision, Some(WidthOrPrecision::Argument(_))),
            length,
            kind,
        })
    }

    /// A width from an argument: a negative one means left-adjusted. `None` if it is too wide.
    pub fn set_width(&mut self, width: i64) -> Option<()> {
        self.left |= width < 0;
        self.width = usize::try_from(width.unsigned_abs()).ok().filter(|&width| width <= MAX_FIELD)?;
        Some(())
    }

    /// A precision from an argument: a negative one means none. `None` if there are too many digits.
    pub fn set_precision(&mut self, precision: i64) -> Option<()> {
        self.precision = usize::try_from(precision).ok();
        self.precision.is_none_or(|precision| precision <= MAX_FIELD).then_some(())
    }

    pub fn format(&self, argument: FormatArgument, output: &mut Vec<u8>) {
        let (sign, body, numeric) = match argument {
            FormatArgument::Text(text) => (String::new(), text, false),
            FormatArgument::Unsigned(value) if self.kind == b'c' => (String::new(), vec![value as u8], false),
            FormatArgument::Unsigned(0) if self.kind == b'p' => (String::new(), b"(nil)".to_vec(), false),
            FormatArgument::Unsigned(value) => (self.prefix(value), self.digits(value), self.precision.is_none()),
            FormatArgument::Signed(value) => {
                (self.sign(value < 0).to_owned(), self.digits(value.unsigned_abs()), self.precision.is_none())
            }
            FormatArgument::Float(value) => {
                let body = if value.is_finite() { self.float_body(value.abs()) } else { self.odd_float(value) };
                (self.sign(value.is_sign_negative()).to_owned(), body.into_bytes(), value.is_finite())
            }
        };
        let padding = self.width.saturating_sub(sign.len() + body.len());
        let (before, zeros, after) = match () {
            () if self.left => (0, 0, padding),
            () if self.zero && numeric => (0, padding, 0),
            () => (padding, 0, 0),
        };
        output.extend(std::iter::repeat_n(b' ', before));
        output.extend_from_slice(sign.as_bytes());
        output.extend(std::iter::repeat_n(b'0', zeros));
        output.extend_from_slice(&body);
        output.extend(std::iter::repeat_n(b' ', after));
    }

    fn sign(&self, negative: bool) -> &'static str {
        match () {
            () if negative => "-",
            () if self.plus => "+",
            () if self.space => " ",
            () => "",
        }
    }

    fn prefix(&self, value: u64) -> String {
        match self.kind {
            b'p' => "0x".to_owned(),
            b'x' if self.alternate && value != 0 => "0x".to_owned(),
            b'X' if self.alternate && value != 0 => "0X".to_owned(),
            _ => String::new(),
        }
    }

    fn digits(&self, value: u64) -> Vec<u8> {
        let mut digits = match self.kind {
            b'x' | b'p' => format!("{value:x}"),
            b'X' => format!("{value:X}"),
            b'o' => format!("{value:o}"),
            _ => value.to_string(),
        };
        if self.precision == Some(0) && value == 0 {
            digits.clear();
        }
        let mut least = self.precision.unwrap_or(1);
        if self.kind == b'o' && self.alternate && !digits.starts_with('0') {
            least = least.max(digits.len() + 1);
        }
        let zeros = least.saturating_sub(digits.len());
        let mut all = vec![b'0'; zeros];
        all.extend(digits.into_bytes());
        all
    }

    fn odd_float(&self, value: f64) -> String {
        let text = if value.is_nan() { "nan" } else { "inf" };
        if self.kind.is_ascii_uppercase() { text.to_uppercase() } else { text.to_owned() }
    }

    fn float_body(&self, value: f64) -> String {
        let precision = self.precision.unwrap_or(6);
        let text = match self.kind {
            b'f' | b'F' => self.with_point(format!("{value:.precision$}"), precision),
            b'e' | b'E' => self.exponential(value, precision),
            _ => self.general(value, precision.max(1)),
        };
        if self.kind.is_ascii_uppercase() { text.to_uppercase() } else { text }
    }

    fn with_point(&self, text: String, precision: usize) -> String {
        if self.alternate && precision == 0 { text + "." } else { text }
    }

    fn exponential(&self, value: f64, precision: usize) -> String {
        let text = format!("{value:.precision$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", self.with_point(mantissa.to_owned(), precision), exponent.abs())
    }

    fn general(&self, value: f64, precision: usize) -> String {
        let rounded = format!("{value:.*e}", precision - 1);
        let exponent: i32 = rounded.split_once('e').and_then(|(_, text)| text.parse().ok()).unwrap_or(0);
        let mut text = if exponent < -4 || exponent >= precision as i32 {
            self.exponential(value, precision - 1)
        } else {
            format!("{value:.*}", (precision as i32 - 1 - exponent) as usize)
        };
        if !self.alternate && text.contains('.') {
            let (mantissa, exponent) = text.split_once('e').map_or((text.as_str(), None), |(m, e)| (m, Some(e)));
            let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
            text = exponent.map_or_else(|| mantissa.to_owned(), |exponent| format!("{mantissa}e{exponent}"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(format: &str, argument: FormatArgument) -> String {
        let mut output = Vec::new();
        let mut argument = Some(argument);
        for piece in pieces(format.as_bytes()) {
            match piece {
                FormatPiece::Text(text) => output.extend_from_slice(text),
                FormatPiece::Conversion(conversion) => {
                    conversion.format(argument.take().expect("one conversion"), &mut output);
                }
                FormatPiece::Unknown(_) => output.extend_from_slice(b"?"),
            }
        }
        String::from_utf8(output).expect("text")
    }

    #[test]
    fn integers() {
        assert_eq!(print("<%d>", FormatArgument::Signed(-5)), "<-5>");
        assert_eq!(print("%05d|", FormatArgument::Signed(-5)), "-0005|");
        assert_eq!(print("%-5d|", FormatArgument::Signed(5)), "5    |");
        assert_eq!(print("%+.3d", FormatArgument::Signed(5)), "+005");
        assert_eq!(print("%#x", FormatArgument::Unsigned(255)), "0xff");
        assert_eq!(print("%#o 100%%", FormatArgument::Unsigned(8)), "010 100%");
        assert_eq!(print("%08X", FormatArgument::Unsigned(0xbeef)), "0000BEEF");
        assert_eq!(print("%c%y", FormatArgument::Unsigned(65)), "A?");
        assert_eq!(print("%p", FormatArgument::Unsigned(4096)), "0x1000");
        assert_eq!(print("%8p|", FormatArgument::Unsigned(0)), "   (nil)|");
        assert_eq!(print("%99999999d%d", FormatArgument::Signed(5)), "?5");
    }

    #[test]
    fn floats() {
        assert_eq!(print("%f", FormatArgument::Float(1.5)), "1.500000");
        assert_eq!(print("%8.2f|", FormatArgument::Float(-2.71999)), "   -2.72|");
        assert_eq!(print("%e", FormatArgument::Float(12345.678)), "1.234568e+04");
        assert_eq!(print("%g", FormatArgument::Float(0.0001)), "0.0001");
        assert_eq!(print("%g", FormatArgument::Float(1e10)), "1e+10");
        assert_eq!(print("%G", FormatArgument::Float(f64::INFINITY)), "INF");
        assert_eq!(print("%.70000f%.0f", FormatArgument::Float(2.0)), "?2");
        assert_eq!(print("%.32768f", FormatArgument::Float(2.0)).len(), 32_770);
    }

    #[test]
    fn text() {
        assert_eq!(print("[%5s]", FormatArgument::Text(b"ab".to_vec())), "[   ab]");
        assert_eq!(print("[%-5s]", FormatArgument::Text(b"ab".to_vec())), "[ab   ]");
    }
}

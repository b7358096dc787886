//! Hexadecimal floating constants (`0x1.8p-3`), rounded to nearest, ties to even.

/// Parses what follows `0x`: the value as `double` and as `float`. `None` if it is malformed; the exponent is required.
pub fn parse(text: &str) -> Option<(f64, f32)> {
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let exponent = parse_exponent(exponent)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let exact = Significand::read(whole, fraction)?;
    let exponent = exact.exponent.saturating_add(exponent);
    let double = f64::from_bits(round(exact.bits, exact.sticky, exponent, 52, 1023));
    let single = f32::from_bits(round(exact.bits, exact.sticky, exponent, 23, 127) as u32);
    Some((double, single))
}

/// An exponent beyond the range of `i64` is as good as the limit.
fn parse_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.parse::<i64>().unwrap_or(i64::MAX).min(1 << 40);
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

/// `bits * 2^exponent`, plus something smaller than one unit of `bits` if `sticky`.
struct Significand {
    bits: u64,
    exponent: i64,
    sticky: bool,
}

impl Significand {
    fn read(whole: &str, fraction: &str) -> Option<Self> {
        let mut result = Self { bits: 0, exponent: 0, sticky: false };
        for digit in whole.chars() {
            if !result.push(digit.to_digit(16)?) {
                result.exponent += 4;
            }
        }
        for digit in fraction.chars() {
            if result.push(digit.to_digit(16)?) {
                result.exponent -= 4;
            }
        }
        Some(result)
    }

    /// Appends a digit; once there is no room it only counts as a remainder, and the answer is false.
    fn push(&mut self, digit: u32) -> bool {
        let has_room = self.bits >> 60 == 0;
        if has_room {
            self.bits = self.bits << 4 | u64::from(digit);
        } else {
            self.sticky |= digit != 0;
        }
        has_room
    }
}

/// The bit pattern of the nearest number of a binary format with `fraction_bits` and exponent bias `bias`.
fn round(bits: u64, sticky: bool, exponent: i64, fraction_bits: u32, bias: i64) -> u64 {
    let infinity = ((2 * bias + 1) as u64) << fraction_bits;
    if bits == 0 {
        return 0;
    }
    // With the leading one at bit 63 the value is `top * 2^(scale - 63)`.
    let shift = bits.leading_zeros();
    let top = bits << shift;
    let scale = exponent.saturating_add(63 - i64::from(shift));
    if scale > bias {
        return infinity;
    }
    // Subnormal numbers keep fewer bits.
    let lost = i64::from(63 - fraction_bits) + (1 - bias - scale).max(0);
    if lost > 64 {
        return 0;
    }
    let wide = u128::from(top);
    let kept = (wide >> lost) as u64;
    let remainder = wide & ((1_u128 << lost) - 1);
    let half = 1_u128 << (lost - 1);
    let rounds_up = remainder > half || remainder == half && (sticky || kept & 1 == 1);
    let rounded = kept + u64::from(rounds_up);
    // A normal number's leading one adds one to the exponent field, and so does a carry out of the fraction.
    let field = if scale < 1 - bias { 0 } else { (scale + bias - 1) as u64 };
    (field << fraction_bits) + rounded
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn exact_values() {
        assert_eq!(parse("1p0"), Some((1.0, 1.0)));
        assert_eq!(parse("1.8p-3"), Some((0.1875, 0.1875)));
        assert_eq!(parse(".8P+1"), Some((1.0, 1.0)));
        assert_eq!(parse("0.0p9999999999999999999"), Some((0.0, 0.0)));
        assert_eq!(parse("1.fffffffffffffp1023"), Some((f64::MAX, f32::INFINITY)));
        assert_eq!(parse("1.fffffep127").map(|both| both.1), Some(f32::MAX));
    }

    #[test]
    fn rounding_to_even_and_subnormal_numbers() {
        assert_eq!(parse("1.00000000000008p0").map(|both| both.0), Some(1.0));
        assert_eq!(parse("1.00000000000018p0").map(|both| both.0), Some(1.0 + 2.0 * f64::EPSILON));
        assert_eq!(parse("1.000000000000080000000001p0").map(|both| both.0), Some(1.0 + f64::EPSILON));
        assert_eq!(parse("1p-1074").map(|both| both.0), Some(f64::from_bits(1)));
        assert_eq!(parse("1p-1075").map(|both| both.0), Some(0.0));
        assert_eq!(parse("1.8p-1075").map(|both| both.0), Some(f64::from_bits(1)));
        assert_eq!(parse("1p-149").map(|both| both.1), Some(f32::from_bits(1)));
        assert_eq!(parse("1p-9999").map(|both| both.0), Some(0.0));
        assert_eq!(parse("1p1024").map(|both| both.0), Some(f64::INFINITY));
        assert_eq!(parse("1.fffffffffffff8p1023").map(|both| both.0), Some(f64::INFINITY));
    }

    #[test]
    fn malformed() {
        for text in ["", "p1", ".p1", "1", "1p", "1p+", "1.2.3p1", "gp1"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

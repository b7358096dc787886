//! IEEE 754 arithmetic on bits: `float` and `double` are bit-vectors, and every operation is a circuit of terms that rounds
//! to nearest, ties to even, the way every common machine does by default (design of such circuits: Brain, Schanda and
//! Sun, "Building Better Bit-Blasting for Floating-Point Problems", TACAS 2019).
//!
//! Guarantee: bit for bit what the interpreter computes, also for zeros with signs, subnormal numbers, infinities, numbers
//! that do not fit an integer, and NaN (the first operand that is NaN, made quiet, and else the machine's own).
//!
//! A number is *unpacked* into a sign, an exponent and a significand whose highest bit is one, and *packed* again by
//! rounding. Terms have at most 64 bits, so a product of two `double`s is put together from four parts.

use program::{BinaryOp, CastOp, Type};
use terms::{TermId, Terms};

/// The layout of a number: one bit of sign, the exponent, the fraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Format {
    exponent: u32,
    fraction: u32,
}

impl Format {
    fn of(ty: Type) -> Option<Format> {
        match ty {
            Type::Float => Some(Format { exponent: 8, fraction: 23 }),
            Type::Double => Some(Format { exponent: 11, fraction: 52 }),
            _ => None,
        }
    }

    fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// Bits of a significand, with the one in front.
    fn precision(self) -> u32 {
        self.fraction + 1
    }

    fn bias(self) -> u64 {
        (1 << (self.exponent - 1)) - 1
    }
}

/// Exponents are computed with as many bits as the sums and differences of any format's exponents need.
const EXPONENT_BITS: u32 = 16;

/// A number taken apart. Where it is finite and not zero, its value is `significand * 2^(exponent - precision + 1)`.
struct Unpacked {
    sign: TermId,
    is_nan: TermId,
    is_infinite: TermId,
    is_zero: TermId,
    exponent: TermId,
    /// Its highest bit is one, unless the number is zero.
    significand: TermId,
}

/// A finite result before rounding: the highest bit of `significand` has the weight `2^exponent`; the lowest bit also
/// stands for everything below it.
struct Exact {
    sign: TermId,
    exponent: TermId,
    significand: TermId,
}

/// `a op b`, an arithmetic operation or a comparison (then a Boolean term).
pub fn binary(terms: &mut Terms, op: BinaryOp, ty: Type, a: TermId, b: TermId) -> Option<TermId> {
    let format = Format::of(ty)?;
    Some(match op {
        BinaryOp::FloatAdd => add(terms, format, a, b),
        BinaryOp::FloatSub => {
            // A NaN keeps its sign.
            let negative = negated(terms, b);
            let is_nan = unpack(terms, format, b).is_nan;
            let b = terms.ite(is_nan, b, negative);
            add(terms, format, a, b)
        }
        BinaryOp::FloatMul => multiply(terms, format, a, b),
        BinaryOp::FloatDiv => divide(terms, format, a, b),
        BinaryOp::FloatEq => equal(terms, format, a, b),
        BinaryOp::FloatNe => {
            let equal = equal(terms, format, a, b);
            terms.not(equal)
        }
        BinaryOp::FloatLt => less(terms, format, a, b),
        BinaryOp::FloatLe => {
            let (less, equal) = (less(terms, format, a, b), equal(terms, format, a, b));
            terms.or(less, equal)
        }
        _ => return None,
    })
}

/// `-a`, also of NaN.
pub fn negated(terms: &mut Terms, a: TermId) -> TermId {
    let width = terms.width(a);
    let sign = terms.constant(width, 1 << (width - 1));
    terms.bit_xor(a, sign)
}

/// Conversions between integers and numbers, and between formats.
pub fn cast(terms: &mut Terms, op: CastOp, from: Type, to: Type, to_bits: u32, source: TermId) -> Option<TermId> {
    Some(match op {
        CastOp::SignedToFloat | CastOp::UnsignedToFloat => {
            from_integer(terms, Format::of(to)?, source, op == CastOp::SignedToFloat)
        }
        CastOp::FloatToSigned => to_signed(terms, Format::of(from)?, source, to_bits),
        CastOp::FloatToUnsigned => to_unsigned(terms, Format::of(from)?, source, to_bits),
        CastOp::FloatToFloat => between_formats(terms, Format::of(from)?, Format::of(to)?, source),
        _ => return None,
    })
}

fn add(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    // The larger magnitude first: then the other one is shifted, and the difference is not negative.
    let (magnitude_a, magnitude_b) = (magnitude(terms, format, a), magnitude(terms, format, b));
    let swap = terms.ult(magnitude_a, magnitude_b);
    let (large, small) = (terms.ite(swap, b, a), terms.ite(swap, a, b));
    let (large, small) = (unpack(terms, format, large), unpack(terms, format, small));

    // Two bits more to round with and one for what is lost; one in front for the carry.
    let width = format.precision() + 4;
    let widen = |terms: &mut Terms, significand| {
        let zeros = terms.constant(3, 0);
        let longer = terms.concat(significand, zeros);
        terms.zero_extend(longer, width)
    };
    let (kept, shifted) = (widen(terms, large.significand), widen(terms, small.significand));
    let distance = terms.sub(large.exponent, small.exponent);
    let shifted = shift_right_sticky(terms, shifted, distance);
    let differ = terms.xor(large.sign, small.sign);
    let (sum, difference) = (terms.add(kept, shifted), terms.sub(kept, shifted));
    let result = terms.ite(differ, difference, sum);

    let zero = terms.constant(width, 0);
    let vanishes = terms.eq(result, zero);
    let one = exponent_constant(terms, 1);
    let exponent = terms.add(large.exponent, one);
    let exact = Exact { sign: large.sign, exponent, significand: result };
    let number = round(terms, format, exact);

    let both_negative = terms.and(large.sign, small.sign);
    let zero = signed_zero(terms, format, both_negative);
    let number = terms.ite(vanishes, zero, number);
    let infinite = infinity(terms, format, large.sign);
    let number = terms.ite(large.is_infinite, infinite, number);
    let opposed = terms.and_all(&[large.is_infinite, small.is_infinite, differ]);
    with_nan(terms, format, a, b, opposed, number)
}

fn multiply(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (unpack(terms, format, a), unpack(terms, format, b));
    let sign = terms.xor(x.sign, y.sign);
    let sum = terms.add(x.exponent, y.exponent);
    let one = exponent_constant(terms, 1);
    let exponent = terms.add(sum, one);
    let significand = product(terms, format, x.significand, y.significand);
    let number = round(terms, format, Exact { sign, exponent, significand });

    let is_zero = terms.or(x.is_zero, y.is_zero);
    let is_infinite = terms.or(x.is_infinite, y.is_infinite);
    finish(terms, format, (a, b), sign, is_zero, is_infinite, number)
}

fn divide(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (unpack(terms, format, a), unpack(terms, format, b));
    let sign = terms.xor(x.sign, y.sign);
    let exponent = terms.sub(x.exponent, y.exponent);
    let significand = quotient(terms, format, x.significand, y.significand);
    let number = round(terms, format, Exact { sign, exponent, significand });

    let is_zero = terms.or(x.is_zero, y.is_infinite);
    let is_infinite = terms.or(x.is_infinite, y.is_zero);
    finish(terms, format, (a, b), sign, is_zero, is_infinite, number)
}

/// A product or quotient with its special cases: what would be both zero and infinite is not a number.
fn finish(
    terms: &mut Terms,
    format: Format,
    (a, b): (TermId, TermId),
    sign: TermId,
    is_zero: TermId,
    is_infinite: TermId,
    number: TermId,
) -> TermId {
    let (zero, infinite) = (signed_zero(terms, format, sign), infinity(terms, format, sign));
    let number = terms.ite(is_zero, zero, number);
    let number = terms.ite(is_infinite, infinite, number);
    let undefined = terms.and(is_zero, is_infinite);
    with_nan(terms, format, a, b, undefined, number)
}

/// The product of two significands; its highest bit has the weight two if those of the factors have one.
fn product(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let precision = format.precision();
    if 2 * precision <= terms::MAX_WIDTH {
        let (a, b) = (terms.zero_extend(a, 2 * precision), terms.zero_extend(b, 2 * precision));
        return terms.mul(a, b);
    }
    let half = precision.div_ceil(2);
    let width = terms::MAX_WIDTH;
    let split = |terms: &mut Terms, factor| {
        let (high, low) = (terms.extract(factor, precision - 1, half), terms.extract(factor, half - 1, 0));
        (terms.zero_extend(high, width), terms.zero_extend(low, width))
    };
    let ((a_high, a_low), (b_high, b_low)) = (split(terms, a), split(terms, b));
    let low = terms.mul(a_low, b_low);
    let (cross, other) = (terms.mul(a_high, b_low), terms.mul(a_low, b_high));
    let high = terms.mul(a_high, b_high);
    let shift = terms.constant(width, u64::from(half));
    let carried = terms.lshr(low, shift);
    let middle = terms.add(cross, other);
    let middle = terms.add(middle, carried);
    let carried = terms.lshr(middle, shift);
    let high = terms.add(high, carried);
    // The upper part, as much of the middle as there is room for, and whether anything is left below.
    let upper = terms.extract(high, 2 * precision - 2 * half - 1, 0);
    let room = width - terms.width(upper);
    let kept = terms.extract(middle, half - 1, half - room);
    let significand = terms.concat(upper, kept);
    let (rest, lowest) = (terms.extract(middle, half - room - 1, 0), terms.extract(low, half - 1, 0));
    let (rest, lowest) = (is_not_zero(terms, rest), is_not_zero(terms, lowest));
    let lost = terms.or(rest, lowest);
    with_lowest_bit(terms, significand, lost)
}

/// The quotient of two significands by long division, as many bits as rounding needs; its highest bit has weight one.
fn quotient(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let width = format.precision() + 1;
    let (mut rest, divisor) = (terms.zero_extend(a, width), terms.zero_extend(b, width));
    let one = terms.constant(width, 1);
    let mut digits: Option<TermId> = None;
    for _ in 0..format.precision() + 2 {
        let fits = terms.ule(divisor, rest);
        let reduced = terms.sub(rest, divisor);
        rest = terms.ite(fits, reduced, rest);
        rest = terms.shl(rest, one);
        let digit = terms.bool_to_bv(fits, 1);
        digits = Some(digits.map_or(digit, |digits| terms.concat(digits, digit)));
    }
    let digits = digits.expect("a precision should be positive");
    let lost = is_not_zero(terms, rest);
    let lost = terms.bool_to_bv(lost, 1);
    terms.concat(digits, lost)
}

fn equal(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (unpack(terms, format, a), unpack(terms, format, b));
    let same = terms.eq(a, b);
    let zeros = terms.and(x.is_zero, y.is_zero);
    let equal = terms.or(same, zeros);
    let unordered = terms.or(x.is_nan, y.is_nan);
    let ordered = terms.not(unordered);
    terms.and(ordered, equal)
}

fn less(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (x, y) = (unpack(terms, format, a), unpack(terms, format, b));
    let (below, above) = (terms.ult(a, b), terms.ult(b, a));
    let positive = terms.not(y.sign);
    let across = terms.and(x.sign, positive);
    let same_sign = terms.iff(x.sign, y.sign);
    let by_magnitude = terms.ite(x.sign, above, below);
    let by_magnitude = terms.and(same_sign, by_magnitude);
    let less = terms.or(across, by_magnitude);
    let zeros = terms.and(x.is_zero, y.is_zero);
    let neither = terms.or_all(&[x.is_nan, y.is_nan, zeros]);
    let sensible = terms.not(neither);
    terms.and(sensible, less)
}

fn from_integer(terms: &mut Terms, format: Format, source: TermId, signed: bool) -> TermId {
    let width = terms.width(source);
    let sign = if signed { terms.is_negative(source) } else { terms.boolean(false) };
    let negative = terms.neg(source);
    let significand = terms.ite(sign, negative, source);
    let exponent = exponent_constant(terms, u64::from(width) - 1);
    let number = round(terms, format, Exact { sign, exponent, significand });
    let zero = signed_zero(terms, format, terms.boolean(false));
    let is_number = is_not_zero(terms, source);
    terms.ite(is_number, number, zero)
}

/// x86's `cvttsd2si`: what does not fit becomes the smallest number.
fn to_signed(terms: &mut Terms, format: Format, source: TermId, bits: u32) -> TermId {
    let through = bits.max(32);
    let (number, fits) = truncated(terms, format, source, through);
    let least = terms.constant(through, 1 << (through - 1));
    let number = terms.ite(fits, number, least);
    terms.extract(number, bits - 1, 0)
}

/// As compilers do it for x86-64: narrow results by way of a 64-bit signed conversion.
fn to_unsigned(terms: &mut Terms, format: Format, source: TermId, bits: u32) -> TermId {
    let (number, fits) = truncated(terms, format, source, 64);
    let parts = unpack(terms, format, source);
    let top = exponent_constant(terms, 63);
    let at_top = terms.eq(parts.exponent, top);
    let (finite, positive) = (is_nonzero_finite(terms, &parts), terms.not(parts.sign));
    let in_upper_half = terms.and_all(&[at_top, finite, positive]);
    let fits = terms.or(fits, in_upper_half);
    let least = terms.constant(64, 1 << 63);
    let number = terms.ite(fits, number, least);
    terms.extract(number, bits - 1, 0)
}

/// The number without its fraction as a two's complement of so many bits, and whether it fits there.
fn truncated(terms: &mut Terms, format: Format, source: TermId, bits: u32) -> (TermId, TermId) {
    let parts = unpack(terms, format, source);
    let padding = terms.constant(64 - format.precision(), 0);
    let significand = terms.concat(parts.significand, padding);
    let top = exponent_constant(terms, 63);
    let distance = terms.sub(top, parts.exponent);
    let distance = terms.sign_extend(distance, 64);
    let magnitude = terms.lshr(significand, distance);
    let negative = terms.neg(magnitude);
    let number = terms.ite(parts.sign, negative, magnitude);
    let number = terms.extract(number, bits - 1, 0);

    let limit = exponent_constant(terms, u64::from(bits) - 1);
    let below = terms.slt(parts.exponent, limit);
    let least = terms.constant(64, 1 << (bits - 1));
    let is_least = terms.eq(magnitude, least);
    let is_least = terms.and(parts.sign, is_least);
    let in_range = terms.or(below, is_least);
    let finite = is_nonzero_finite(terms, &parts);
    let in_range = terms.and(in_range, finite);
    (number, terms.or(in_range, parts.is_zero))
}

fn between_formats(terms: &mut Terms, from: Format, to: Format, source: TermId) -> TermId {
    if from == to {
        return source;
    }
    let parts = unpack(terms, from, source);
    let Unpacked { sign, exponent, significand, .. } = parts;
    let number = round(terms, to, Exact { sign, exponent, significand });
    let (zero, infinite) = (signed_zero(terms, to, sign), infinity(terms, to, sign));
    let number = terms.ite(parts.is_zero, zero, number);
    let number = terms.ite(parts.is_infinite, infinite, number);
    // Of what is not a number, the upper bits of the fraction.
    let fraction = terms.extract(source, from.fraction - 1, 0);
    let payload = if from.fraction > to.fraction {
        terms.extract(fraction, from.fraction - 1, from.fraction - to.fraction)
    } else {
        let padding = terms.constant(to.fraction - from.fraction, 0);
        terms.concat(fraction, padding)
    };
    let nan = infinity(terms, to, sign);
    let payload = terms.zero_extend(payload, to.width());
    let nan = terms.bit_or(nan, payload);
    let nan = quiet(terms, to, nan);
    terms.ite(parts.is_nan, nan, number)
}

fn unpack(terms: &mut Terms, format: Format, bits: TermId) -> Unpacked {
    let Format { exponent: exponent_bits, fraction: fraction_bits } = format;
    let sign = terms.is_negative(bits);
    let exponent = terms.extract(bits, format.width() - 2, fraction_bits);
    let fraction = terms.extract(bits, fraction_bits - 1, 0);
    let (lowest, highest) = (terms.constant(exponent_bits, 0), terms.constant(exponent_bits, u64::MAX));
    let (is_lowest, is_highest) = (terms.eq(exponent, lowest), terms.eq(exponent, highest));
    let has_fraction = is_not_zero(terms, fraction);
    let no_fraction = terms.not(has_fraction);

    let one = terms.constant(1, 1);
    let normal = terms.concat(one, fraction);
    let bias = exponent_constant(terms, format.bias());
    let field = terms.zero_extend(exponent, EXPONENT_BITS);
    let normal_exponent = terms.sub(field, bias);
    // A subnormal number is brought into the shape of the others.
    let zero = terms.constant(1, 0);
    let subnormal = terms.concat(zero, fraction);
    let (subnormal, distance) = normalise(terms, subnormal);
    let least = exponent_constant(terms, 1u64.wrapping_sub(format.bias()));
    let subnormal_exponent = terms.sub(least, distance);
    Unpacked {
        sign,
        is_nan: terms.and(is_highest, has_fraction),
        is_infinite: terms.and(is_highest, no_fraction),
        is_zero: terms.and(is_lowest, no_fraction),
        exponent: terms.ite(is_lowest, subnormal_exponent, normal_exponent),
        significand: terms.ite(is_lowest, subnormal, normal),
    }
}

/// The nearest number of the format, infinite where it is too large. The significand is not zero.
fn round(terms: &mut Terms, format: Format, exact: Exact) -> TermId {
    let precision = format.precision();
    let mut significand = exact.significand;
    // One bit to round by and one for what is lost.
    let missing = (precision + 2).saturating_sub(terms.width(significand));
    if missing > 0 {
        let zeros = terms.constant(missing, 0);
        significand = terms.concat(significand, zeros);
    }
    let (significand, distance) = normalise(terms, significand);
    let exponent = terms.sub(exact.exponent, distance);

    // Below the least exponent, digits are lost at the end.
    let least = exponent_constant(terms, 1u64.wrapping_sub(format.bias()));
    let is_small = terms.slt(exponent, least);
    let gap = terms.sub(least, exponent);
    let nothing = exponent_constant(terms, 0);
    let gap = terms.ite(is_small, gap, nothing);
    let significand = shift_right_sticky(terms, significand, gap);
    let exponent = terms.ite(is_small, least, exponent);

    let width = terms.width(significand);
    let kept = terms.extract(significand, width - 1, width - precision);
    let half = terms.extract(significand, width - precision - 1, width - precision - 1);
    let rest = terms.extract(significand, width - precision - 2, 0);
    let (half, more) = (terms.bv_to_bool(half), is_not_zero(terms, rest));
    let odd = terms.extract(kept, 0, 0);
    let odd = terms.bv_to_bool(odd);
    let above_or_odd = terms.or(more, odd);
    let up = terms.and(half, above_or_odd);

    // A carry out of the fraction goes into the exponent, which is right, up to infinity.
    let bias = exponent_constant(terms, format.bias());
    let field = terms.add(exponent, bias);
    let leading = terms.extract(kept, precision - 1, precision - 1);
    let leading = terms.bv_to_bool(leading);
    let field = terms.ite(leading, field, nothing);
    let highest = exponent_constant(terms, (1 << format.exponent) - 1);
    let too_large = terms.sle(highest, field);
    let field = terms.extract(field, format.exponent - 1, 0);
    let fraction = terms.extract(kept, format.fraction - 1, 0);
    let magnitude = terms.concat(field, fraction);
    let up = terms.bool_to_bv(up, format.width() - 1);
    let magnitude = terms.add(magnitude, up);
    let sign = terms.bool_to_bv(exact.sign, 1);
    let number = terms.concat(sign, magnitude);
    let infinite = infinity(terms, format, exact.sign);
    terms.ite(too_large, infinite, number)
}

/// Shifted to the left until the highest bit is one, and by how much; zero stays zero.
fn normalise(terms: &mut Terms, value: TermId) -> (TermId, TermId) {
    let width = terms.width(value);
    let (mut value, mut distance) = (value, exponent_constant(terms, 0));
    for step in (0..width.next_power_of_two().ilog2()).rev().map(|power| 1u32 << power) {
        let upper = terms.extract(value, width - 1, width - step);
        let empty = is_not_zero(terms, upper);
        let empty = terms.not(empty);
        let by = terms.constant(width, u64::from(step));
        let shifted = terms.shl(value, by);
        value = terms.ite(empty, shifted, value);
        let by = exponent_constant(terms, u64::from(step));
        let farther = terms.add(distance, by);
        distance = terms.ite(empty, farther, distance);
    }
    (value, distance)
}

/// Shifted to the right by a distance that is not negative; the lowest bit says whether any bit was lost.
fn shift_right_sticky(terms: &mut Terms, value: TermId, distance: TermId) -> TermId {
    let width = terms.width(value);
    let most = exponent_constant(terms, u64::from(width));
    let is_far = terms.ult(most, distance);
    let distance = terms.ite(is_far, most, distance);
    let distance = terms.resize(distance, width, false);
    let shifted = terms.lshr(value, distance);
    let back = terms.shl(shifted, distance);
    let lost = terms.distinct(back, value);
    with_lowest_bit(terms, shifted, lost)
}

fn with_lowest_bit(terms: &mut Terms, value: TermId, bit: TermId) -> TermId {
    let bit = terms.bool_to_bv(bit, terms.width(value));
    terms.bit_or(value, bit)
}

/// The result `number`, unless an operand is not a number or the operation is `undefined`.
fn with_nan(terms: &mut Terms, format: Format, a: TermId, b: TermId, undefined: TermId, number: TermId) -> TermId {
    let negative = terms.boolean(true);
    let fresh = infinity(terms, format, negative);
    let fresh = quiet(terms, format, fresh);
    let number = terms.ite(undefined, fresh, number);
    let (quiet_a, quiet_b) = (quiet(terms, format, a), quiet(terms, format, b));
    let (nan_a, nan_b) = (unpack(terms, format, a).is_nan, unpack(terms, format, b).is_nan);
    let number = terms.ite(nan_b, quiet_b, number);
    terms.ite(nan_a, quiet_a, number)
}

fn quiet(terms: &mut Terms, format: Format, nan: TermId) -> TermId {
    let bit = terms.constant(format.width(), 1 << (format.fraction - 1));
    terms.bit_or(nan, bit)
}

fn infinity(terms: &mut Terms, format: Format, sign: TermId) -> TermId {
    let exponent = terms.constant(format.exponent, u64::MAX);
    let fraction = terms.constant(format.fraction, 0);
    let magnitude = terms.concat(exponent, fraction);
    let sign = terms.bool_to_bv(sign, 1);
    terms.concat(sign, magnitude)
}

fn signed_zero(terms: &mut Terms, format: Format, sign: TermId) -> TermId {
    let magnitude = terms.constant(format.width() - 1, 0);
    let sign = terms.bool_to_bv(sign, 1);
    terms.concat(sign, magnitude)
}

fn magnitude(terms: &mut Terms, format: Format, bits: TermId) -> TermId {
    terms.extract(bits, format.width() - 2, 0)
}

fn is_nonzero_finite(terms: &mut Terms, parts: &Unpacked) -> TermId {
    let odd = terms.or_all(&[parts.is_nan, parts.is_infinite, parts.is_zero]);
    terms.not(odd)
}

fn is_not_zero(terms: &mut Terms, value: TermId) -> TermId {
    let zero = terms.constant(terms.width(value), 0);
    terms.distinct(value, zero)
}

fn exponent_constant(terms: &mut Terms, value: u64) -> TermId {
    terms.constant(EXPONENT_BITS, value)
}

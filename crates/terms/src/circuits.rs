//! Circuits of the bit-vector operators over an and-inverter graph. Bit 0 of a word is its lowest bit.

use crate::aig::{Aig, AigEdge};

pub(crate) type Word = Vec<AigEdge>;

/// Sum and carry out of a ripple-carry adder.
fn add_with_carry(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge], mut carry: AigEdge) -> (Word, AigEdge) {
    let mut sum = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let differ = aig.xor(x, y);
        sum.push(aig.xor(differ, carry));
        carry = aig.mux(differ, carry, x);
    }
    (sum, carry)
}

pub(crate) fn complement(a: &[AigEdge]) -> Word {
    a.iter().map(|&bit| !bit).collect()
}

pub(crate) fn add(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> Word {
    add_with_carry(aig, a, b, AigEdge::FALSE).0
}

pub(crate) fn sub(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> Word {
    add_with_carry(aig, a, &complement(b), AigEdge::TRUE).0
}

pub(crate) fn neg(aig: &mut Aig, a: &[AigEdge]) -> Word {
    let zero = vec![AigEdge::FALSE; a.len()];
    sub(aig, &zero, a)
}

/// Shift-and-add, driven by the operand with more constant bits, whose zeros cost nothing.
pub(crate) fn mul(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> Word {
    let constants = |word: &[AigEdge]| word.iter().filter(|bit| bit.is_constant()).count();
    let (multiplicand, multiplier) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
    let width = a.len();
    let mut product = vec![AigEdge::FALSE; width];
    for (shift, &bit) in multiplier.iter().enumerate() {
        if bit == AigEdge::FALSE {
            continue;
        }
        let row: Word = multiplicand[..width - shift].iter().map(|&x| aig.and(x, bit)).collect();
        let upper = add(aig, &product[shift..], &row);
        product.splice(shift.., upper);
    }
    product
}

/// Quotient and remainder by a constant as what they must satisfy: new inputs and the condition that they are right,
/// `quotient * divisor + remainder = a` with `remainder < divisor`. That is two adders for ten where trial subtractions
/// take one for each bit. For every `a` there is exactly one solution, so whoever asserts the condition loses nothing.
pub(crate) fn udivrem_by_constant(aig: &mut Aig, a: &[AigEdge], divisor: u64) -> (Word, Word, AigEdge) {
    let (width, log) = (a.len(), divisor.ilog2() as usize);
    debug_assert!(divisor > 1 && log < width, "a divisor should be neither trivial nor wider than the dividend");
    let mut inputs = |count: usize, length: usize| {
        let mut word: Word = (0..count).map(|_| aig.input()).collect();
        word.resize(length, AigEdge::FALSE);
        word
    };
    // With so few bits, the sum cannot leave the one bit more that it gets.
    let (quotient, remainder) = (inputs(width - log, width + 1), inputs(log + 1, width + 1));
    let constant =
        |value: u64| (0..=width).map(|bit| AigEdge::constant(bit < 64 && value >> bit & 1 == 1)).collect::<Word>();
    let divisor = constant(divisor);
    let product = mul(aig, &quotient, &divisor);
    let sum = add(aig, &product, &remainder);
    let mut dividend = a.to_vec();
    dividend.push(AigEdge::FALSE);
    let (adds_up, is_reduced) = (eq(aig, &sum, &dividend), ult(aig, &remainder, &divisor));
    let is_right = aig.and(adds_up, is_reduced);
    (quotient[..width].to_vec(), remainder[..width].to_vec(), is_right)
}

/// Quotient and remainder by restoring division. The partial remainder after n steps has n bits, so each trial
/// subtracts n bits and asks that the divisor's others are zero. For a zero divisor every trial succeeds, which gives
/// all ones and the dividend, as SMT-LIB wants.
pub(crate) fn udivrem(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> (Word, Word) {
    let width = a.len();
    let fits_in = zero_from(aig, b);
    let mut quotient = vec![AigEdge::FALSE; width];
    let mut remainder = Vec::with_capacity(width);
    for index in (0..width).rev() {
        remainder.insert(0, a[index]);
        let steps = remainder.len();
        let (difference, no_borrow) = add_with_carry(aig, &remainder, &complement(&b[..steps]), AigEdge::TRUE);
        quotient[index] = aig.and(no_borrow, fits_in[steps]);
        remainder = select(aig, quotient[index], &difference, &remainder);
    }
    (quotient, remainder)
}

/// For each position, whether all bits from there up are zero.
fn zero_from(aig: &mut Aig, word: &[AigEdge]) -> Word {
    let mut result = vec![AigEdge::TRUE; word.len() + 1];
    for index in (0..word.len()).rev() {
        result[index] = aig.and(result[index + 1], !word[index]);
    }
    result
}

/// Signed division through magnitudes; the remainder has the dividend's sign.
pub(crate) fn sdivrem(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> (Word, Word) {
    let ((sign_a, magnitude_a), (sign_b, magnitude_b)) = (magnitude(aig, a), magnitude(aig, b));
    let (quotient, remainder) = udivrem(aig, &magnitude_a, &magnitude_b);
    let signs_differ = aig.xor(sign_a, sign_b);
    (neg_if(aig, signs_differ, &quotient), neg_if(aig, sign_a, &remainder))
}

/// The sign, and the absolute value as an unsigned number.
pub(crate) fn magnitude(aig: &mut Aig, a: &[AigEdge]) -> (AigEdge, Word) {
    let sign = a[a.len() - 1];
    (sign, neg_if(aig, sign, a))
}

/// `-a` if the condition holds, else `a`: complement and carry depend on the condition.
pub(crate) fn neg_if(aig: &mut Aig, condition: AigEdge, a: &[AigEdge]) -> Word {
    let flipped: Word = a.iter().map(|&bit| aig.xor(bit, condition)).collect();
    let zero = vec![AigEdge::FALSE; a.len()];
    add_with_carry(aig, &flipped, &zero, condition).0
}

pub(crate) fn select(aig: &mut Aig, condition: AigEdge, a: &[AigEdge], b: &[AigEdge]) -> Word {
    a.iter().zip(b).map(|(&x, &y)| aig.mux(condition, x, y)).collect()
}

pub(crate) fn bitwise(
    aig: &mut Aig,
    a: &[AigEdge],
    b: &[AigEdge],
    gate: fn(&mut Aig, AigEdge, AigEdge) -> AigEdge,
) -> Word {
    a.iter().zip(b).map(|(&x, &y)| gate(aig, x, y)).collect()
}

/// A barrel shifter towards the low bits, filling with `fill`.
pub(crate) fn shift_right(aig: &mut Aig, a: &[AigEdge], amount: &[AigEdge], fill: AigEdge) -> Word {
    let width = a.len();
    let mut word = a.to_vec();
    let mut too_far = AigEdge::FALSE;
    for (stage, &bit) in amount.iter().enumerate() {
        match 1usize.checked_shl(stage as u32).filter(|&distance| distance < width) {
            Some(distance) => {
                let shifted: Word = (0..width).map(|i| word.get(i + distance).copied().unwrap_or(fill)).collect();
                word = select(aig, bit, &shifted, &word);
            }
            None => too_far = aig.or(too_far, bit),
        }
    }
    let filled = vec![fill; width];
    select(aig, too_far, &filled, &word)
}

/// Towards the high bits, by reflection.
pub(crate) fn shift_left(aig: &mut Aig, a: &[AigEdge], amount: &[AigEdge]) -> Word {
    let reflected: Word = a.iter().rev().copied().collect();
    let mut word = shift_right(aig, &reflected, amount, AigEdge::FALSE);
    word.reverse();
    word
}

pub(crate) fn eq(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    let same: Word = a.iter().zip(b).map(|(&x, &y)| aig.iff(x, y)).collect();
    all(aig, same)
}

/// A balanced conjunction.
fn all(aig: &mut Aig, mut layer: Word) -> AigEdge {
    while layer.len() > 1 {
        layer = layer.chunks(2).map(|pair| if let [a, b] = *pair { aig.and(a, b) } else { pair[0] }).collect();
    }
    layer.first().copied().unwrap_or(AigEdge::TRUE)
}

/// From the lowest bit up: a higher bit that differs overrules the lower ones.
pub(crate) fn ult(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    let mut less = AigEdge::FALSE;
    for (&x, &y) in a.iter().zip(b) {
        let differ = aig.xor(x, y);
        less = aig.mux(differ, y, less);
    }
    less
}

/// As unsigned, with the sign bits exchanged.
pub(crate) fn slt(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    let sign = a.len() - 1;
    std::mem::swap(&mut a[sign], &mut b[sign]);
    ult(aig, &a, &b)
}

/// The product of two words has a bit at or above `width`, after Schulte et al. (Combined unsigned and two's complement
/// saturating multipliers, 2000): either two set bits meet at or above `width`, or the product in one bit more has its
/// top bit set.
pub(crate) fn umul_overflow(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    let width = a.len();
    let far = bits_meet_beyond(aig, a, b, width);
    let extend = |word: &[AigEdge]| -> Word { word.iter().copied().chain([AigEdge::FALSE]).collect() };
    let product = mul(aig, &extend(a), &extend(b));
    aig.or(far, product[width])
}

/// The same for magnitudes, one bit lower: beyond that, the product in one bit more has two different top bits.
pub(crate) fn smul_overflow(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge]) -> AigEdge {
    let width = a.len();
    let (sign_a, sign_b) = (a[width - 1], b[width - 1]);
    let without_sign = |aig: &mut Aig, word: &[AigEdge], sign: AigEdge| -> Word {
        word[..width - 1].iter().map(|&bit| aig.xor(bit, sign)).collect()
    };
    let (flat_a, flat_b) = (without_sign(aig, a, sign_a), without_sign(aig, b, sign_b));
    let far = bits_meet_beyond(aig, &flat_a, &flat_b, width - 1);
    let extend = |word: &[AigEdge], sign: AigEdge| -> Word { word.iter().copied().chain([sign]).collect() };
    let product = mul(aig, &extend(a, sign_a), &extend(b, sign_b));
    let differ = aig.xor(product[width], product[width - 1]);
    aig.or(far, differ)
}

/// Whether some `a[i]` and `b[j]` with `i + j >= bound` are both set.
fn bits_meet_beyond(aig: &mut Aig, a: &[AigEdge], b: &[AigEdge], bound: usize) -> AigEdge {
    let mut meet = AigEdge::FALSE;
    let mut any_high_a = AigEdge::FALSE;
    for (j, &bit) in b.iter().enumerate() {
        if let Some(i) = bound.checked_sub(j).filter(|&i| i < a.len()) {
            any_high_a = aig.or(any_high_a, a[i]);
        }
        let both = aig.and(any_high_a, bit);
        meet = aig.or(meet, both);
    }
    meet
}

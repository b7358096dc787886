//! A pointer moved by an offset: `Rvalue::PointerAdd` on terms. The offset has 64 bits and the pointer may have fewer; most
//! offsets are so narrow that nothing needs to be tested.

use program::BinaryOp;
use terms::{TermId, Terms};

use crate::scale::signed_bits;

/// The place, or address, `place` moved by `offset`, as the interpreter has it
/// ([`Rvalue::distance`](program::Rvalue::distance)).
pub fn moved(terms: &mut Terms, place: TermId, offset: TermId) -> TermId {
    let (width, bits) = (terms.width(place), signed_bits(terms, offset));
    let near = terms.resize(offset, width, true);
    if bits <= width {
        return terms.add(place, near);
    }
    let (forwards, backwards) = (is_zero(terms, offset, bits, width - 1), is_ones(terms, offset, bits, width - 1));
    let fits = terms.or(forwards, backwards);
    let out_of_reach = terms.constant(width, BinaryOp::out_of_reach(width as u8));
    let distance = terms.ite(fits, near, out_of_reach);
    terms.add(place, distance)
}

/// As [`moved`], but in an object that may be larger than any that is executed, so that every place up to the width of a
/// pointer may lie inside of it. The sum is that of the numbers: beyond that width it is the last place of all, which lies
/// in no object. Places shortly before an object are the last ones as well; who moves on from there leaves them for good.
pub fn moved_in_huge_object(terms: &mut Terms, place: TermId, offset: TermId) -> TermId {
    let (width, bits) = (terms.width(place), signed_bits(terms, offset));
    let near = terms.resize(offset, width, true);
    let sum = terms.add(place, near);
    if width == terms.width(offset) {
        return sum;
    }
    let wide = (bits.max(width + 1) + 1).min(terms.width(offset));
    let (far_place, far_offset) = (terms.zero_extend(place, wide), terms.resize(offset, wide, true));
    let far = terms.add(far_place, far_offset);
    let (inside, before) = (is_zero(terms, far, wide, width), is_ones(terms, far, wide, width - 1));
    let stays = terms.or(inside, before);
    let lost = terms.constant(width, u64::MAX);
    terms.ite(stays, sum, lost)
}

/// Whether the bits from `from` on, up to the first `bits`, are all 0.
fn is_zero(terms: &mut Terms, term: TermId, bits: u32, from: u32) -> TermId {
    let top = terms.extract(term, bits - 1, from);
    let zero = terms.constant(bits - from, 0);
    terms.eq(top, zero)
}

/// Whether they are all 1.
fn is_ones(terms: &mut Terms, term: TermId, bits: u32, from: u32) -> TermId {
    let top = terms.extract(term, bits - 1, from);
    let ones = terms.constant(bits - from, u64::MAX);
    terms.eq(top, ones)
}

#[cfg(test)]
mod tests {
    use program::Rvalue;

    use super::*;

    /// Every place of eight bits and offsets of all sizes, as a variable of so many bits (`None`: as a constant).
    fn for_all(bits: Option<u32>, build: fn(&mut Terms, TermId, TermId) -> TermId, expected: impl Fn(u64, i64) -> u64) {
        let offsets = match bits {
            Some(bits) => (-(1i64 << (bits - 1))..1 << (bits - 1)).collect(),
            None => vec![i64::MIN, i64::MIN + 255, -1000, -129, -128, -3, 0, 5, 127, 128, 255, 256, i64::MAX],
        };
        let mut terms = Terms::new();
        let place = terms.bv_variable("place", 8);
        let variable = bits.map(|bits| terms.bv_variable("offset", bits));
        let variables: Vec<_> = terms.variables().collect();
        for &offset in &offsets {
            let wide = match variable {
                Some(variable) => terms.sign_extend(variable, 64),
                None => terms.constant(64, offset as u64),
            };
            let sum = build(&mut terms, place, wide);
            for at in 0..256 {
                let mut assignment = terms::Assignment::new();
                variables.iter().zip([at, offset as u64]).for_each(|(&variable, value)| {
                    let bits = if variable == variables[0] { 8 } else { bits.unwrap_or(64) };
                    assignment.set(variable, value & (u64::MAX >> (64 - bits)));
                });
                let found = terms::evaluate(&terms, sum, &assignment);
                assert_eq!(found, expected(at, offset), "{at} moved by {offset} of {bits:?} bits");
            }
        }
    }

    #[test]
    fn places_are_those_of_the_interpreter() {
        for bits in [Some(4), Some(8), Some(9), Some(11), None] {
            for_all(bits, moved, |place, offset| place.wrapping_add_signed(Rvalue::distance(8, offset as u64)) & 0xff);
        }
    }

    #[test]
    fn places_in_huge_objects_are_exact() {
        for bits in [Some(4), Some(8), Some(9), Some(11), None] {
            for_all(bits, moved_in_huge_object, |place, offset| match i128::from(place) + i128::from(offset) {
                exact @ -128..256 => exact as u64 & 0xff,
                _ => 0xff,
            });
        }
    }

    #[test]
    fn narrow_offsets_need_no_test() {
        let mut terms = Terms::new();
        let (place, index) = (terms.bv_variable("place", 32), terms.bv_variable("index", 16));
        let wide = terms.sign_extend(index, 64);
        let size = terms.constant(64, 12);
        let offset = crate::scale::scaled(&mut terms, wide, size);
        let near = terms.extract(offset, 31, 0);
        let sum = terms.add(place, near);
        assert_eq!(moved(&mut terms, place, offset), sum);
        let index = terms.bv_variable("long index", 64);
        let sum = terms.add(index, size);
        assert_eq!(moved(&mut terms, index, size), sum);
    }
}

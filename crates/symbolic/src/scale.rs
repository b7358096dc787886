//! An index times the size of an element: `BinaryOp::Scale` on terms. Most indices are so narrow that no product of theirs
//! can leave the width of a pointer; only the others are tested.

use program::BinaryOp;
use terms::{Term, TermId, Terms};

/// How deep into a term its width is looked for.
const MAX_DEPTH: u32 = 8;

pub fn scaled(terms: &mut Terms, index: TermId, size: TermId) -> TermId {
    let width = terms.width(index);
    let product = terms.mul(index, size);
    let bits = signed_bits(terms, index) + signed_bits(terms, size);
    if bits <= width {
        return if is_product(terms, product) { narrow_product(terms, index, size, bits) } else { product };
    }
    let overflows = overflows(terms, index, size);
    let out_of_reach = terms.constant(width, BinaryOp::out_of_reach(width as u8));
    terms.ite(overflows, out_of_reach, product)
}

/// Whether this is still to be multiplied: a power of two only shifts.
fn is_product(terms: &Terms, term: TermId) -> bool {
    matches!(terms.get(term), Term::Binary(terms::BinaryOp::Mul, ..))
}

/// The product of numbers for which so many bits are enough.
fn narrow_product(terms: &mut Terms, index: TermId, size: TermId, bits: u32) -> TermId {
    let width = terms.width(index);
    let (index, size) = (terms.extract(index, bits - 1, 0), terms.extract(size, bits - 1, 0));
    let product = terms.mul(index, size);
    terms.sign_extend(product, width)
}

fn overflows(terms: &mut Terms, index: TermId, size: TermId) -> TermId {
    let width = terms.width(index);
    let Some(shift) = terms.as_constant(size).filter(|size| size.is_power_of_two()).map(u64::trailing_zeros) else {
        return terms.smul_overflow(index, size);
    };
    if shift + 1 >= width {
        return terms.smul_overflow(index, size);
    }
    // The bits that are shifted out and the new sign must be equal.
    let top = terms.extract(index, width - 1, width - 1 - shift);
    let (none, all) = (terms.constant(shift + 1, 0), terms.constant(shift + 1, u64::MAX >> (63 - shift)));
    let (none, all) = (terms.eq(top, none), terms.eq(top, all));
    let fits = terms.or(none, all);
    terms.not(fits)
}

/// A number of bits in which the term certainly fits as a signed number.
pub fn signed_bits(terms: &Terms, term: TermId) -> u32 {
    signed_bits_within(terms, term, MAX_DEPTH)
}

fn signed_bits_within(terms: &Terms, term: TermId, depth: u32) -> u32 {
    let width = terms.width(term);
    let Some(depth) = depth.checked_sub(1) else { return width };
    let bits = |term| signed_bits_within(terms, term, depth);
    let found = match terms.get(term) {
        Term::Constant { value, .. } => {
            let sign_bits = width - 1;
            let magnitude = if value >> sign_bits == 0 { value } else { !value & (u64::MAX >> (64 - width)) };
            64 - magnitude.leading_zeros() + 1
        }
        Term::SignExtend { arg, .. } => bits(arg),
        Term::Concat(high, low) => bits(high) + terms.width(low),
        Term::Ite(_, a, b) => bits(a).max(bits(b)),
        Term::Binary(terms::BinaryOp::Add | terms::BinaryOp::Sub, a, b) => bits(a).max(bits(b)) + 1,
        Term::Binary(terms::BinaryOp::Mul, a, b) => bits(a) + bits(b),
        Term::Unary(terms::UnaryOp::Neg, a) => bits(a) + 1,
        _ => width,
    };
    found.min(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the interpreter has it, for every index of eight bits and several sizes.
    #[test]
    fn products_are_those_of_the_interpreter() {
        for size in [0, 1, 2, 3, 4, 12, 16, 64, 100, 127] {
            let mut terms = Terms::new();
            let (index, constant) = (terms.bv_variable("index", 8), terms.constant(8, size));
            let product = scaled(&mut terms, index, constant);
            let variable = terms.variables().next().expect("there should be a variable");
            for value in 0..256 {
                let mut assignment = terms::Assignment::new();
                assignment.set(variable, value);
                let found = terms::evaluate(&terms, product, &assignment);
                assert_eq!(found, BinaryOp::scaled(8, value, size), "{value} times {size}");
            }
        }
    }

    #[test]
    fn narrow_indices_need_no_test() {
        let mut terms = Terms::new();
        let (narrow, size) = (terms.bv_variable("narrow", 32), terms.constant(64, 24));
        let wide = terms.sign_extend(narrow, 64);
        // 24 is a signed number of six bits.
        let (index, factor) = (terms.sign_extend(narrow, 38), terms.constant(38, 24));
        let product = terms.mul(index, factor);
        let product = terms.sign_extend(product, 64);
        assert_eq!(scaled(&mut terms, wide, size), product);
        let free = terms.bv_variable("free", 64);
        let product = terms.mul(free, size);
        assert_ne!(scaled(&mut terms, free, size), product);
    }
}

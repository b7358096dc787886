//! Laws proved by refuting their negation, without rewriting, so that the circuits have to do it.

use base::Budget;
use solve::{CadicalSolver, SolveResult, Solver};
use terms::{Blaster, TermId, Terms};

fn is_valid(terms: &mut Terms, law: TermId) -> bool {
    let mut solver = CadicalSolver::new();
    let mut blaster = Blaster::new();
    let broken = terms.not(law);
    blaster.assert(terms, broken, &mut solver);
    solver.solve(&[], &Budget::unlimited()) == SolveResult::Unsatisfiable
}

fn two_variables(width: u32) -> (Terms, TermId, TermId) {
    let mut terms = Terms::without_rewriting();
    let (x, y) = (terms.bv_variable("x", width), terms.bv_variable("y", width));
    (terms, x, y)
}

#[test]
fn multiplication_commutes() {
    let (mut t, x, y) = two_variables(6);
    let (xy, yx) = (t.concat(x, y), t.concat(y, x));
    // Ordered operands would make x · y and y · x one term; products of extracts are not.
    let (a, b) = (t.extract(xy, 11, 6), t.extract(xy, 5, 0));
    let (c, d) = (t.extract(yx, 11, 6), t.extract(yx, 5, 0));
    let (first, second) = (t.mul(a, b), t.mul(c, d));
    assert_ne!(first, second);
    let law = t.eq(first, second);
    assert!(is_valid(&mut t, law));
}

#[test]
fn multiplication_distributes_over_addition() {
    let (mut t, x, y) = two_variables(5);
    let z = t.bv_variable("z", 5);
    let (sum, xz, yz) = (t.add(x, y), t.mul(x, z), t.mul(y, z));
    let (left, right) = (t.mul(sum, z), t.add(xz, yz));
    let law = t.eq(left, right);
    assert!(is_valid(&mut t, law));
}

#[test]
fn division_identity() {
    for signed in [false, true] {
        let (mut t, x, y) = two_variables(6);
        let (quotient, remainder) = if signed { (t.sdiv(x, y), t.srem(x, y)) } else { (t.udiv(x, y), t.urem(x, y)) };
        let product = t.mul(y, quotient);
        let sum = t.add(product, remainder);
        // Also for a zero divisor: 0 · q + x = x.
        let law = t.eq(x, sum);
        assert!(is_valid(&mut t, law));
    }
}

#[test]
fn a_remainder_is_less_than_its_divisor() {
    let (mut t, x, y) = two_variables(8);
    let zero = t.constant(8, 0);
    let remainder = t.urem(x, y);
    let (less, by_zero) = (t.ult(remainder, y), t.eq(y, zero));
    assert!(!is_valid(&mut t, less), "division by zero should break the bound");
    let law = t.or(less, by_zero);
    assert!(is_valid(&mut t, law));
}

#[test]
fn product_overflow_is_that_of_the_double_width() {
    for width in 1..=6 {
        for signed in [false, true] {
            let (mut t, x, y) = two_variables(width);
            let overflow = if signed { t.smul_overflow(x, y) } else { t.umul_overflow(x, y) };
            let (wide_x, wide_y) = (t.resize(x, 2 * width, signed), t.resize(y, 2 * width, signed));
            let product = t.mul(wide_x, wide_y);
            let narrow = t.extract(product, width - 1, 0);
            let back = t.resize(narrow, 2 * width, signed);
            let lost = t.distinct(product, back);
            let law = t.iff(overflow, lost);
            assert!(is_valid(&mut t, law), "width {width}, signed {signed}");
        }
    }
}

#[test]
fn a_wrong_law_is_refuted() {
    let (mut t, x, y) = two_variables(8);
    let (sum, difference) = (t.add(x, y), t.sub(x, y));
    let law = t.eq(sum, difference);
    assert!(!is_valid(&mut t, law));
}

//! The SMT-LIB text.

use std::collections::HashMap;

use terms::{Sort, TermId, Terms, evaluate, write_smtlib};

use crate::random::{self, Random, random_assignment};
use crate::smtlib_reader;

fn text(terms: &Terms, assertions: &[TermId]) -> String {
    let mut out = Vec::new();
    write_smtlib(terms, assertions, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_small_script() {
    let mut t = Terms::new();
    let x = t.bv_variable("x", 8);
    let odd = t.bv_variable("1 odd|name", 8);
    let p = t.bool_variable("p");
    let three = t.constant(8, 3);
    let sum = t.add(x, three);
    let choice = t.ite(p, sum, odd);
    let less = t.ult(choice, three);
    let overflow = t.smul_overflow(x, odd);
    let expected = "\
(set-logic QF_BV)
(declare-const x!0 (_ BitVec 8))
(declare-const _1_odd_name!1 (_ BitVec 8))
(declare-const p!2 Bool)
(define-fun t6 () (_ BitVec 8) (bvadd x!0 (_ bv3 8)))
(define-fun t7 () (_ BitVec 8) (ite p!2 t6 _1_odd_name!1))
(define-fun t8 () Bool (bvult t7 (_ bv3 8)))
(define-fun t9 () Bool (let ((p (bvmul ((_ sign_extend 8) x!0) ((_ sign_extend 8) _1_odd_name!1)))) \
(not (= p ((_ sign_extend 8) ((_ extract 7 0) p))))))
(assert t8)
(assert t9)
(assert true)
(check-sat)
";
    assert_eq!(text(&t, &[less, overflow, t.boolean(true)]), expected);
}

#[test]
fn only_the_cone_is_printed_and_sharing_is_kept() {
    let mut t = Terms::new();
    let (x, unused) = (t.bv_variable("x", 16), t.bv_variable("unused", 16));
    t.mul(x, unused);
    let mut term = x;
    for _ in 0..60 {
        // As a tree this would have 2⁶⁰ leaves.
        term = t.mul(term, term);
    }
    let law = t.eq(term, x);
    let text = text(&t, &[law]);
    assert!(!text.contains("unused"));
    assert_eq!(text.lines().count(), 1 + 1 + 60 + 1 + 1 + 1);
}

/// Random terms mean the same as text: read back, they evaluate to what the term evaluates to.
#[test]
fn the_text_means_what_the_term_means() {
    let mut random = Random::new(31);
    for round in 0..3000 {
        let (width, steps) = (1 + random.below(64) as u32, 1 + random.below(12));
        let mut terms = if round % 2 == 0 { Terms::new() } else { Terms::without_rewriting() };
        let term = random::term(&mut terms, &mut random, width, steps);
        let inputs = random_assignment(&terms, &mut random);
        // An assertion is Boolean: the term equals the value it should have.
        let value = evaluate(&terms, term, &inputs);
        let law = match terms.sort(term) {
            Sort::Bool => {
                let value = terms.boolean(value == 1);
                terms.iff(term, value)
            }
            Sort::BitVec(width) => {
                let value = terms.constant(width, value);
                terms.eq(term, value)
            }
            Sort::Array(_) => unreachable!("no operator here should make arrays"),
        };
        let broken = terms.not(law);
        let names = ["x!0", "y!1", "p!2"].map(str::to_owned);
        let widths = [width, width, 0];
        let values = terms.variables().map(|variable| u128::from(inputs.get(variable).unwrap()));
        let constants: HashMap<_, _> = names.into_iter().zip(widths.into_iter().zip(values)).collect();
        assert_eq!(smtlib_reader::assertions(&text(&terms, &[law, broken]), &constants), [(0, 1), (0, 0)]);
    }
}

//! The shortest conditional interpolation formula chain: Definitions 4 to 6 and Algorithm 2 of Su, Tian and Duan, "Conditional
//! Interpolation" (ESEC/FSE 2021). Which formulas of a path decide a test is a question about the variables that they read and
//! assign, so that nothing here knows terms: [`crate::craig`] does.
//!
//! Two things differ from the text. Line 17 takes an atomic formula out of F_d only when φ_i enters it: to the letter
//! ⟨y0 = 0, x0 = 0, x1 = x0 + 1, x1 ≤ 1, y1 = y0 + 1, x1 + y1 > 4⟩ loses x1 ≤ 1, against Definition 6. And the atomic formulas of one
//! variable in one region are one formula, since ω has one place for each region.

use std::collections::BTreeSet;

use terms::VariableId;

/// A variable after so many assignments to it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SsaVariable {
    pub variable: VariableId,
    pub version: u32,
}

pub type Variables = BTreeSet<SsaVariable>;

/// Where a formula comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FormulaKind {
    /// Of an assignment: a member of Asg.
    Assignment,
    /// Of a test: a member of Asu.
    Assumption,
    /// Of a region, with a single variable: a member of F_p.
    Atomic,
}

/// A simple formula: what it says of which variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SimpleFormula {
    pub kind: FormulaKind,
    pub pair: AffectionPair,
}

/// Definition 4: the variables that the formula assigns or tests, and those that affect them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AffectionPair {
    pub left: Variables,
    pub right: Variables,
}

impl AffectionPair {
    fn is_empty(&self) -> bool {
        self.left.is_empty() && self.right.is_empty()
    }
}

impl SimpleFormula {
    pub fn assignment(target: SsaVariable, reads: Variables) -> Self {
        let pair = AffectionPair { left: Variables::from([target]), right: reads };
        Self { kind: FormulaKind::Assignment, pair }
    }

    pub fn assumption(tested: Variables) -> Self {
        Self { kind: FormulaKind::Assumption, pair: AffectionPair { left: tested, right: Variables::new() } }
    }

    pub fn atomic(variable: SsaVariable) -> Self {
        let pair = AffectionPair { left: Variables::from([variable]), right: Variables::new() };
        Self { kind: FormulaKind::Atomic, pair }
    }
}

/// Definition 5, the affection transitive function I: what φ and ψ behind it depend on together, and whether φ affects ψ.
pub fn affection_transitive(
    first: &AffectionPair,
    second: &AffectionPair,
    second_assigns: bool,
) -> (AffectionPair, bool) {
    // Rules 1 and 2 look at what ψ tests, 3 and 4 at what it reads.
    let wanted = if second_assigns { &second.right } else { &second.left };
    let affects = !wanted.is_disjoint(&first.left);
    let mut left = wanted.clone();
    if affects {
        left.retain(|variable| !first.left.contains(variable));
        left.extend(&first.right);
    }
    (AffectionPair { left, right: Variables::new() }, affects)
}

/// Algorithm 2: the places, in ω, of the formulas before its last one that the shortest chain keeps, in ascending order. `None` is
/// the chain ⟨true⟩: something that decides the test is not known.
pub fn simplify_interpolation_path(formulas: &[SimpleFormula], test: &AffectionPair) -> Option<Vec<usize>> {
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    let mut open = test.clone();
    for (index, formula) in formulas.iter().enumerate().rev() {
        if open.is_empty() {
            break;
        }
        if formula.kind == FormulaKind::Assumption {
            continue;
        }
        let (next, affects) = affection_transitive(&formula.pair, &open, false);
        if affects {
            kept.retain(|&other| {
                let other = &formulas[other];
                other.kind != FormulaKind::Atomic || other.pair.left.is_disjoint(&formula.pair.left)
            });
            kept.insert(index);
            open = next;
        }
    }
    open.is_empty().then(|| kept.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use base::Id;

    use super::*;

    fn variable(text: &str) -> SsaVariable {
        let (name, version) = text.split_at(1);
        let id = VariableId::new(usize::from(name.as_bytes()[0]));
        SsaVariable { variable: id, version: version.parse().expect("a version should follow the name") }
    }

    fn variables(text: &str) -> Variables {
        text.split_whitespace().map(variable).collect()
    }

    /// `x1 := x0` assigns, `? x1` tests, `~ x1` is an atomic formula.
    fn formula(text: &str) -> SimpleFormula {
        if let Some(tested) = text.strip_prefix("? ") {
            SimpleFormula::assumption(variables(tested))
        } else if let Some(one) = text.strip_prefix("~ ") {
            SimpleFormula::atomic(variable(one))
        } else {
            let (target, reads) = text.split_once(":=").expect("an assignment should have a sign");
            SimpleFormula::assignment(variable(target.trim()), variables(reads))
        }
    }

    fn chain(formulas: &[&str], test: &str) -> Option<Vec<usize>> {
        let formulas: Vec<SimpleFormula> = formulas.iter().map(|text| formula(text)).collect();
        simplify_interpolation_path(&formulas, &formula(test).pair)
    }

    #[test]
    fn the_affection_transitive_function_has_four_rules() {
        let (first, unrelated) = (formula("x1 := x0 y0").pair, formula("z1 := z0").pair);
        let tested = formula("? x1 v0").pair;
        let assigned = formula("w1 := x1 v0").pair;
        for (second, assigns) in [(&tested, false), (&assigned, true)] {
            let (pair, affects) = affection_transitive(&first, second, assigns);
            assert!(affects);
            assert_eq!(pair, AffectionPair { left: variables("v0 x0 y0"), right: Variables::new() });
            let (pair, affects) = affection_transitive(&unrelated, second, assigns);
            assert!(!affects);
            assert_eq!(pair.left, variables("v0 x1"));
        }
    }

    /// Section 3.3: x0 = 0, x1 = x0 + 1, x1 ≤ 1, x1 < 3, x2 = x1 + 2, m0 = x2 − 1, x2 > 4.
    #[test]
    fn the_example_of_the_paper_keeps_two_formulas_of_six() {
        let path = ["x0 :=", "x1 := x0", "~ x1", "? x1", "x2 := x1", "m0 := x2"];
        assert_eq!(chain(&path, "? x2"), Some(vec![2, 4]));
    }

    /// To the letter, line 17 would take x1 ≤ 1 out again when it passes x1 = x0 + 1.
    #[test]
    fn an_atomic_formula_stays_while_nothing_else_says_what_it_says() {
        let path = ["y0 :=", "x0 :=", "x1 := x0", "~ x1", "y1 := y0"];
        assert_eq!(chain(&path, "? x1 y1"), Some(vec![0, 3, 4]));
    }

    /// What is needed again in full is not told twice.
    #[test]
    fn a_variable_has_one_atomic_formula_at_most() {
        let path = ["x0 :=", "~ x0", "y1 := x0", "~ x0", "z1 := x0"];
        assert_eq!(chain(&path, "? y1 z1"), Some(vec![1, 2, 4]));
    }

    #[test]
    fn what_is_not_known_makes_the_chain_true() {
        assert_eq!(chain(&["y0 :=", "x1 := x0 y0"], "? x1"), None);
        assert_eq!(chain(&["x1 := x0", "~ x1"], "? x1"), Some(vec![1]));
        assert_eq!(chain(&["? x0"], "? x0"), None);
    }

    #[test]
    fn a_test_of_nothing_needs_nothing() {
        assert_eq!(chain(&["x0 :="], "? "), Some(vec![]));
    }
}

//! What a branch tells: bounds of the numbers that were compared, and whether an attempt to lock succeeded.

use std::rc::Rc;

use program::{BinaryOp, CastOp, UnaryOp};

use crate::analysis::Analysis;
use crate::name::{Name, NameKind, Operator};
use crate::range::Range;
use crate::state::State;

impl Analysis<'_> {
    /// Makes the state know that the named truth value is `truth`; `false` if it cannot be.
    pub(crate) fn assume(&self, state: &mut State, condition: Name, truth: bool) -> bool {
        let (mut condition, mut truth) = (condition, truth);
        loop {
            let NameKind::Expression(operator, operands) = self.names.kind(condition.base) else { return true };
            if condition.plus != 0 {
                return true;
            }
            match (*operator, *operands) {
                (Operator::Unary(UnaryOp::Not, 1), [Some(inner), _]) => (condition, truth) = (inner, !truth),
                (Operator::Cast(CastOp::ZeroExtend, 1, _), [Some(inner), _]) => condition = inner,
                (Operator::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), _), [Some(left), Some(right)])
                    if self.is_zero(right) && self.is_truth(left) =>
                {
                    (condition, truth) = (left, truth == (op == BinaryOp::Ne));
                }
                (Operator::Binary(op, bits), [Some(left), Some(right)]) if op.is_comparison() => {
                    return self.assume_comparison(state, (op, bits), left, right, truth);
                }
                _ => return true,
            }
        }
    }

    fn is_zero(&self, name: Name) -> bool {
        *self.names.kind(name.base) == NameKind::Zero && name.plus == 0
    }

    fn is_truth(&self, name: Name) -> bool {
        let NameKind::Expression(operator, _) = self.names.kind(name.base) else { return false };
        name.plus == 0
            && match operator {
                Operator::Unary(UnaryOp::Not, 1) | Operator::Cast(CastOp::ZeroExtend, 1, _) => true,
                Operator::Binary(op, _) => op.is_comparison(),
                _ => false,
            }
    }

    fn assume_comparison(
        &self,
        state: &mut State,
        (op, bits): (BinaryOp, u8),
        left: Name,
        right: Name,
        truth: bool,
    ) -> bool {
        let (Some(first), Some(second)) = (self.range_of(state, left), self.range_of(state, right)) else {
            return true;
        };
        let signed = matches!(op, BinaryOp::Slt | BinaryOp::Sle);
        let view = |range: Range| if signed { range.signed(bits) } else { range.unsigned(bits) };
        let (first, second) = (view(first), view(second));
        let (ours, theirs) = match (op, truth) {
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                if second.contains_zero_only() && left.plus == 0 {
                    self.settle_attempt(state, left, true);
                }
                ((second.low(), second.high()), (first.low(), first.high()))
            }
            (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => {
                if second.contains_zero_only() && left.plus == 0 {
                    self.settle_attempt(state, left, false);
                }
                return !(first.as_constant().is_some() && first == second);
            }
            (BinaryOp::Slt | BinaryOp::Ult, true) => ((i64::MIN, below(second.high())), (above(first.low()), i64::MAX)),
            (BinaryOp::Sle | BinaryOp::Ule, true) => ((i64::MIN, second.high()), (first.low(), i64::MAX)),
            (BinaryOp::Slt | BinaryOp::Ult, false) => ((second.low(), i64::MAX), (i64::MIN, first.high())),
            (BinaryOp::Sle | BinaryOp::Ule, false) => {
                ((above(second.low()), i64::MAX), (i64::MIN, below(first.high())))
            }
            _ => return true,
        };
        clip(state, left, view, ours) && clip(state, right, view, theirs)
    }

    /// The plain number behind a name, if that is what it is.
    fn range_of(&self, state: &State, name: Name) -> Option<Range> {
        if *self.names.kind(name.base) == NameKind::Zero {
            return Some(Range::constant(name.plus));
        }
        let mut values = state.registers.values().chain(state.cells.values());
        let value = values.find(|value| value.name == Some(name))?;
        value.number.filter(|_| value.carries_nothing())
    }

    fn settle_attempt(&self, state: &mut State, mut name: Name, succeeded: bool) {
        while let NameKind::Expression(Operator::Cast(CastOp::SignExtend | CastOp::ZeroExtend, ..), [Some(inner), _]) =
            self.names.kind(name.base)
        {
            name = *inner;
        }
        match state.attempts.remove(&name.base) {
            Some((place, held)) if succeeded => drop(state.locks.insert(place, held)),
            Some((place, _)) => state.holding.drop_all_kinds(place),
            None => {}
        }
    }
}

/// Restricts every number with this name; `false` if none is left.
fn clip(state: &mut State, name: Name, view: impl Fn(Range) -> Range, (low, high): (i64, i64)) -> bool {
    for value in state.registers.values_mut().chain(state.cells.values_mut()) {
        if value.name != Some(name) || !value.carries_nothing() {
            continue;
        }
        let Some(number) = value.number else { continue };
        match view(number).clip(low, high) {
            Some(range) => Rc::make_mut(value).number = Some(range),
            None => return false,
        }
    }
    true
}

/// The greatest number below a bound; no bound stays none.
fn below(bound: i64) -> i64 {
    if bound == i64::MAX { bound } else { bound.saturating_sub(1) }
}

/// The least number above a bound; no bound stays none.
fn above(bound: i64) -> i64 {
    if bound == i64::MIN { bound } else { bound.saturating_add(1) }
}

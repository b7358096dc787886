//! What a branch tells: bounds of the numbers that were compared, and whether an attempt to lock succeeded.

use std::rc::Rc;

use program::{BinaryOp, CastOp, UnaryOp};

use crate::analysis::AbstractInterpreter;
use crate::name::{Name, NameKind, Operator};
use crate::range::Range;
use crate::state::AbsState;

impl AbstractInterpreter<'_> {
    /// Makes the state know that the named truth value is `truth`; `false` if it cannot be.
    pub(crate) fn assume(&self, state: &mut AbsState, condition: Name, truth: bool) -> bool {
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
        state: &mut AbsState,
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
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let equal = truth == (op == BinaryOp::Eq);
            self.settle_attempt(state, bits, left, second, equal);
            self.settle_attempt(state, bits, right, first, equal);
            if !equal {
                return !(first.as_constant().is_some() && first == second);
            }
        }
        let (ours, theirs) = match (op, truth) {
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                ((second.low(), second.high()), (first.low(), first.high()))
            }
            (BinaryOp::Slt | BinaryOp::Ult, true) => ((i128::MIN, second.high() - 1), (first.low() + 1, i128::MAX)),
            (BinaryOp::Sle | BinaryOp::Ule, true) => ((i128::MIN, second.high()), (first.low(), i128::MAX)),
            (BinaryOp::Slt | BinaryOp::Ult, false) => ((second.low(), i128::MAX), (i128::MIN, first.high())),
            (BinaryOp::Sle | BinaryOp::Ule, false) => ((second.low() + 1, i128::MAX), (i128::MIN, first.high() - 1)),
            _ => return true,
        };
        // A number says nothing new, and numbers of other widths have the same name.
        let is_number = |name: Name| *self.names.kind(name.base) == NameKind::Zero;
        (is_number(left) || clip(state, left, view, ours)) && (is_number(right) || clip(state, right, view, theirs))
    }

    /// Makes the state know that the value named so is the case of a switch, or none of them; `false` if it cannot be.
    pub(crate) fn assume_case(&self, state: &mut AbsState, bits: u8, name: Name, cases: &[u64], equal: bool) -> bool {
        let Some(range) = self.range_of(state, name) else { return true };
        let range = range.unsigned(bits);
        cases.iter().all(|&case| {
            let case = Range::between(case.into(), case.into());
            self.settle_attempt(state, bits, name, case, equal);
            match equal {
                true if *self.names.kind(name.base) == NameKind::Zero => range == case,
                true => clip(state, name, |range| range.unsigned(bits), (case.low(), case.high())),
                false => range != case,
            }
        })
    }

    /// The plain number behind a name, if that is what it is.
    fn range_of(&self, state: &AbsState, name: Name) -> Option<Range> {
        if *self.names.kind(name.base) == NameKind::Zero {
            return Some(Range::constant(name.plus));
        }
        let mut values = state.registers.values().chain(state.cells.values());
        let value = values.find(|value| value.name() == Some(name))?;
        value.plain_number()
    }

    /// The value named so, of `bits` bits, is or is not `other`: if it stands for the result of an attempt to lock, which
    /// is zero if and only if that succeeded, the attempt is settled.
    fn settle_attempt(&self, state: &mut AbsState, mut bits: u8, mut name: Name, other: Range, equal: bool) {
        let Some(mut other) = other.as_constant() else { return };
        loop {
            other = Range::between(other, other).add(Range::constant(name.plus).negate()).signed(bits).low();
            let NameKind::Expression(Operator::Cast(cast, from, to), [Some(inner), _]) = self.names.kind(name.base)
            else {
                break;
            };
            let source = match cast {
                CastOp::SignExtend => Range::between(other, other).signed(*from),
                CastOp::ZeroExtend => Range::between(other, other).unsigned(*from),
                _ => return,
            };
            let is_possible = match cast {
                CastOp::SignExtend => source.low() == other,
                _ => source.low() == Range::between(other, other).unsigned(*to).low(),
            };
            if !is_possible {
                return;
            }
            (bits, name, other) = (*from, *inner, source.low());
        }
        let succeeded = match (other == 0, equal) {
            (true, equal) => equal,
            (false, true) => false,
            (false, false) => return,
        };
        match state.attempts.remove(&name.base) {
            Some((place, held)) if succeeded => drop(state.locks.insert(place, held)),
            Some((place, _)) => state.holding.drop_where(|taken| *taken == place),
            None => {}
        }
    }
}

/// Restricts every number with this name; `false` if none is left.
fn clip(state: &mut AbsState, name: Name, view: impl Fn(Range) -> Range, (low, high): (i128, i128)) -> bool {
    let mut is_possible = true;
    state.change_values(
        |value| value.name() == Some(name) && value.plain_number().is_some(),
        |value| {
            let clipped = value.plain_number().and_then(|number| view(number).clip(low, high));
            match clipped {
                Some(range) => Rc::make_mut(value).restrict(range),
                None => is_possible = false,
            }
        },
    );
    is_possible
}

//! A number that is compared with an address, or used as one. Here objects have names and no addresses, so no number equals
//! the address of an object; in a run one may: an input can be any number. Executions in which that could happen are cut.
//!
//! What lies in the first or the last page of memory is taken not to be the address of an object: null, small numbers and
//! error codes, which programs keep in pointers on purpose. The same holds for constants beyond what a process can have.

use events::CutKind;
use program::{BinaryOp, Rvalue};
use symbolic::{ObjectId, SymValue, evaluate};
use terms::{TermId, Terms};

use crate::memory::Memory;
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::{SymState, ThreadPosition};
use crate::unfolder::{Activation, UnfoldFailure};

pub(crate) const PAGE: u64 = 4096;

/// Processes have no addresses from here on.
pub(crate) const LAST_ADDRESS: u64 = 1 << 47;

impl Memory<'_> {
    /// The result of a comparison for equality of an address and a number that may be the same, where objects have bases.
    pub fn equality_of_numbers(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        value: &Rvalue,
        step: &mut OpenStep,
    ) -> Result<Option<SymValue>, UnfoldFailure> {
        let Rvalue::Binary { op: op @ (BinaryOp::Eq | BinaryOp::Ne), left, right, .. } = *value else {
            return Ok(None);
        };
        let (left, right) = (self.operand(state, activation, left)?, self.operand(state, activation, right)?);
        let doubtful = [(&left, &right), (&right, &left)].map(|(address, number)| doubt(self.terms(), address, number));
        let doubtful = self.terms().or_all(&doubtful);
        if !self.has_bases() || self.graph.is_false(doubtful) {
            return Ok(None);
        }
        let (Some(number), Some(other)) = (self.number_of(&left), self.number_of(&right)) else { return Ok(None) };
        self.cut_doubtful_equality(state, &left, &right, step)?;
        self.note_layout(state, doubtful);
        let same = evaluate::equal(self.terms(), &left, &right)?;
        let same_number = self.terms().eq(number, other);
        let met = self.terms().and(doubtful, same_number);
        let equal = self.terms().or(same, met);
        Ok(Some(SymValue::Bool(if op == BinaryOp::Eq { equal } else { self.terms().not(equal) })))
    }

    /// Cuts executions in which the operands of this comparison, if it is one for equality, may be an address and a
    /// number that happens to be the same.
    pub fn cut_stray_comparison(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        value: &Rvalue,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let Rvalue::Binary { op: BinaryOp::Eq | BinaryOp::Ne, left, right, .. } = *value else { return Ok(()) };
        let (left, right) = (self.operand(state, activation, left)?, self.operand(state, activation, right)?);
        self.cut_stray_numbers(state, &left, &right, step);
        self.cut_doubtful_equality(state, &left, &right, step)
    }
}

impl Pass<'_> {
    /// Cuts executions in which one value may be an address and the other a number that happens to be the same.
    pub fn cut_stray_numbers(&mut self, state: &mut SymState, left: &SymValue, right: &SymValue, step: &mut OpenStep) {
        let doubtful = [(left, right), (right, left)].map(|(address, number)| doubt(self.terms(), address, number));
        let doubtful = self.terms().or_all(&doubtful);
        if self.graph.is_false(doubtful) {
            return;
        }
        let standing = ThreadPosition { guard: self.and_guard(state.guard, doubtful), ..state.standing() };
        let what = "comparison of a pointer with an integer of unknown provenance".to_owned();
        self.cut(standing, CutKind::Unsupported { what }, step.site.span);
        let certain = self.terms().not(doubtful);
        self.restrict(state, certain);
    }

    /// Cuts executions in which this instruction uses a number as an address, and an object may lie there.
    pub fn cut_found_address(&mut self, state: &mut SymState, address: &SymValue, step: &mut OpenStep) {
        if !self.visibility.may_use_found_address(step.site.location) {
            return;
        }
        let found = may_be_address(self.terms(), address);
        if !self.graph.is_false(found) {
            self.cut_where(state, found, "an integer of unknown provenance used as a pointer", step);
        }
    }
}

/// When `address` is that of an object and `number` is none, but could be the same number.
fn doubt(terms: &mut Terms, address: &SymValue, number: &SymValue) -> TermId {
    let never = terms.boolean(false);
    let SymValue::Pointer { object, targets, .. } = address else { return never };
    if symbolic::names_nothing(targets) {
        return never;
    }
    let none = names_no_object(terms, *object);
    let is_address = terms.not(none);
    let may_be = may_be_address(terms, number);
    terms.and(is_address, may_be)
}

/// When `number` names no object, but could be the address of one.
fn may_be_address(terms: &mut Terms, number: &SymValue) -> TermId {
    let never = terms.boolean(false);
    let (bare, value) = match number {
        SymValue::Bool(_) => return never,
        SymValue::Int(value) => (terms.boolean(true), *value),
        SymValue::Pointer { targets, .. } if !targets.contains(&ObjectId::NONE) => return never,
        SymValue::Pointer { object, offset, .. } => (names_no_object(terms, *object), *offset),
    };
    if terms.as_constant(value).is_some_and(|value| value >= LAST_ADDRESS) {
        return never;
    }
    let width = terms.width(value);
    let (first, last) = (terms.constant(width, PAGE), terms.constant(width, PAGE.wrapping_neg()));
    let (above, below) = (terms.ule(first, value), terms.ult(value, last));
    terms.and_all(&[bare, above, below])
}

fn names_no_object(terms: &mut Terms, object: TermId) -> TermId {
    let none = terms.constant(terms.width(object), u64::from(ObjectId::NONE.0));
    terms.eq(object, none)
}

//! Numbers that are made of addresses and still say where they belong: tags in the low bits, rounding, distances, and the order
//! of addresses.
//!
//! Objects have names here and no addresses, but each lies at a multiple of its alignment in every run. So the low bits of an
//! address are those of its offset, and changing them changes the offset. A number that is no longer in the object or
//! just behind it could be the address of another one in some run: such executions are cut. What is beyond that is about where
//! objects lie (`addresses`).

use program::{BinaryOp, Operand, Rvalue, Type};
use symbolic::{OBJECT_BITS, ObjectId, PointerOrder, SymValue, Targets};
use terms::{TermId, Terms};

use crate::memory::Memory;
use crate::open_step::OpenStep;
use crate::state::SymState;
use crate::unfolder::{Activation, UnfoldFailure};

/// A pointer that may name objects.
struct PossiblePointer {
    object: TermId,
    offset: TermId,
    targets: Targets,
}

/// Two pointers, as numbers that are in the same order and at the same distance.
struct TwoPlaces {
    /// The object if both name the same one, and whether it may be none.
    object: (TermId, bool),
    /// Where they are in it.
    offsets: (TermId, TermId),
    /// Where they may name different objects: when they name the same, and their addresses.
    apart: Option<(TermId, (TermId, TermId))>,
}

impl Memory<'_> {
    /// The result of an operator on addresses; `None` if it is none, or one that is not understood here.
    pub fn address_arithmetic(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        value: &Rvalue,
        step: &mut OpenStep,
    ) -> Result<Option<SymValue>, UnfoldFailure> {
        match *value {
            Rvalue::Binary { op, left, right, .. } if is_order(op) => {
                let Some(places) = self.two_places(state, activation, (left, right), step)? else { return Ok(None) };
                let order = symbolic::offset_order(self.terms(), op, places.object, places.offsets);
                let Some(PointerOrder { mut holds, mut doubtful }) = order else { return Ok(None) };
                if let Some((same, addresses)) = places.apart {
                    let terms = self.terms();
                    let by_address = order_of_numbers(terms, op, addresses);
                    (holds, doubtful) = (terms.ite(same, holds, by_address), terms.and(same, doubtful));
                }
                if !self.graph.is_false(doubtful) {
                    self.cut_where(state, doubtful, "order of pointers far before the beginning of an object", step);
                }
                Ok(Some(SymValue::Bool(holds)))
            }
            Rvalue::PointerDifference { left, right } => {
                let Some(places) = self.two_places(state, activation, (left, right), step)? else { return Ok(None) };
                let terms = self.terms();
                let inside = terms.sub(places.offsets.0, places.offsets.1);
                let Some((same, (a, b))) = places.apart else { return Ok(Some(SymValue::Int(inside))) };
                let apart = terms.sub(a, b);
                Ok(Some(SymValue::Int(terms.ite(same, inside, apart))))
            }
            Rvalue::Binary { op, ty: Type::Int(_), left, right, signed: false } => {
                let left = self.operand(state, activation, left)?;
                let right = self.operand(state, activation, right)?;
                match (address(&left), address(&right)) {
                    (Some(address), None) => self.with_number(state, op, address, &right, step),
                    (None, Some(address)) if is_symmetric(op) => self.with_number(state, op, address, &left, step),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// Two pointers of which at least one may name objects. Where objects have no bases, executions in which they name different ones
    /// are cut.
    fn two_places(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        (left, right): (Operand, Operand),
        step: &mut OpenStep,
    ) -> Result<Option<TwoPlaces>, UnfoldFailure> {
        let left = self.operand(state, activation, left)?;
        let right = self.operand(state, activation, right)?;
        if address(&left).is_none() && address(&right).is_none() {
            return Ok(None);
        }
        let (Some(left), Some(right)) = (left.to_pointer(self.terms()), right.to_pointer(self.terms())) else {
            return Ok(None);
        };
        let ([first, a], [second, b]) = (left.components().0, right.components().0);
        let may_be_none = [&left, &right].into_iter().all(may_be_number);
        let same = self.terms().eq(first, second);
        if self.has_bases() && !self.graph.is_true(same) {
            let (Some(number), Some(other)) = (self.number_of(&left), self.number_of(&right)) else { return Ok(None) };
            let differ = self.terms().not(same);
            self.note_layout(state, differ);
            let apart = Some((same, (number, other)));
            return Ok(Some(TwoPlaces { object: (first, may_be_none), offsets: (a, b), apart }));
        }
        if self.graph.is_false(same) {
            return Ok(None);
        }
        let differ = self.terms().not(same);
        if !self.graph.is_false(differ) {
            self.cut_where(state, differ, "comparison of pointers into different objects", step);
        }
        Ok(Some(TwoPlaces { object: (first, may_be_none), offsets: (a, b), apart: None }))
    }

    fn with_number(
        &mut self,
        state: &mut SymState,
        op: BinaryOp,
        address: PossiblePointer,
        number: &SymValue,
        step: &mut OpenStep,
    ) -> Result<Option<SymValue>, UnfoldFailure> {
        let Some(number) = number.as_int() else { return Ok(None) };
        let width = self.graph.terms.width(address.offset);
        if self.graph.terms.width(number) != width {
            return Ok(None);
        }
        if matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            // What may be a number as well mostly is one: see `doubtful_number`.
            if address.targets.contains(&ObjectId::NONE) {
                return Ok(None);
            }
            let terms = self.terms();
            let offset = match op {
                BinaryOp::Add => terms.add(address.offset, number),
                _ => terms.sub(address.offset, number),
            };
            return self.moved_inside(state, address, offset, step);
        }
        let Some(constant) = self.graph.terms.as_constant(number) else { return Ok(None) };
        let aligned = address.targets.iter().map(|&target| self.alignment(target)).min().unwrap_or(1);
        let mask = u64::MAX >> (64 - width);
        let terms = self.terms();
        let offset = match op {
            BinaryOp::And if constant < aligned => {
                return Ok(Some(SymValue::Int(terms.bit_and(address.offset, number))));
            }
            BinaryOp::URem if constant.is_power_of_two() && constant <= aligned => {
                let low = terms.constant(width, constant - 1);
                return Ok(Some(SymValue::Int(terms.bit_and(address.offset, low))));
            }
            BinaryOp::And if !constant & mask < aligned => terms.bit_and(address.offset, number),
            BinaryOp::Or if constant < aligned => terms.bit_or(address.offset, number),
            BinaryOp::Xor if constant < aligned => terms.bit_xor(address.offset, number),
            _ => return Ok(None),
        };
        self.moved_inside(state, address, offset, step)
    }

    /// The address with another offset in its object, where it lies inside.
    fn moved_inside(
        &mut self,
        state: &mut SymState,
        address: PossiblePointer,
        offset: TermId,
        step: &mut OpenStep,
    ) -> Result<Option<SymValue>, UnfoldFailure> {
        let width = self.graph.terms.width(offset);
        let mut outside = Vec::new();
        for &target in address.targets.iter().filter(|&&target| target != ObjectId::NONE) {
            let size = match self.survey.objects.get(target).size {
                Some(size) if !self.survey.has_unknown_size(target) => size,
                _ => return Ok(None),
            };
            let (number, size) =
                (self.terms().constant(OBJECT_BITS, u64::from(target.0)), self.terms().constant(width, size));
            let here = self.terms().eq(address.object, number);
            let inside = self.terms().ule(offset, size);
            let beyond = self.terms().not(inside);
            outside.push(self.terms().and(here, beyond));
        }
        let outside = self.terms().or_all(&outside);
        if !self.graph.is_false(outside) {
            self.cut_where(state, outside, "integer arithmetic on a pointer value that leaves its object", step);
        }
        Ok(Some(SymValue::Pointer { object: address.object, offset, targets: address.targets }))
    }
}

/// The value as an address, if it may be one.
fn address(value: &SymValue) -> Option<PossiblePointer> {
    match value {
        SymValue::Pointer { object, offset, targets } if !symbolic::names_nothing(targets) => {
            Some(PossiblePointer { object: *object, offset: *offset, targets: targets.clone() })
        }
        _ => None,
    }
}

fn may_be_number(value: &SymValue) -> bool {
    !matches!(value, SymValue::Pointer { targets, .. } if !targets.contains(&ObjectId::NONE))
}

fn order_of_numbers(terms: &mut Terms, op: BinaryOp, (a, b): (TermId, TermId)) -> TermId {
    match op {
        BinaryOp::Ult => terms.ult(a, b),
        BinaryOp::Ule => terms.ule(a, b),
        BinaryOp::Slt => terms.slt(a, b),
        _ => terms.sle(a, b),
    }
}

fn is_order(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle)
}

fn is_symmetric(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
}

//! Objects whose size is not constant.
//!
//! A bounded unfolding follows the first bytes of such an object and cuts the executions in which it is larger; its size is
//! one term, since the object is made once. A thread-modular unfolding follows it whole, and its size is a cell that is
//! written where the object is made: what a thread knows of it is what it knows of any other cell. (The term itself
//! would mean the wrong thing to others: a loop that has created a thread in one of its rounds has other values when it
//! is left, and both are the same variables.)

use events::{CellKey, CellPart, CutKind};
use program::Location;
use rustc_hash::FxHashMap;
use symbolic::{Life, ObjectId, SymValue};
use terms::{TermId, Terms};

use crate::abstraction::FollowedSize;
use crate::allocator::Allocator;
use crate::open_step::OpenStep;
use crate::state::SymState;
use crate::unfolder::{UnfoldFailure, UnfoldOptions};

/// The width of a cell that holds a size.
pub(crate) const SIZE_BITS: u32 = 64;

/// An object of unknown size gets so many bytes for each round of a loop: room for one number or pointer.
const BYTES_PER_ROUND: u64 = 8;

/// Sizes in bytes of objects whose size is not constant.
#[derive(Default)]
pub(crate) struct Sizes {
    known: FxHashMap<ObjectId, TermId>,
}

impl UnfoldOptions {
    /// Bytes up to which an object of unknown size is followed.
    pub fn allocation_limit(&self, location: Location) -> u64 {
        u64::from(self.bound(&CutKind::Allocation { location })) * BYTES_PER_ROUND
    }
}

impl Allocator<'_> {
    /// A new object of `size` bytes.
    pub fn object_of_unknown_size(
        &mut self,
        state: &mut SymState,
        size: TermId,
        life: Life,
        step: &mut OpenStep,
    ) -> Result<ObjectId, UnfoldFailure> {
        let largest = u64::MAX >> (64 - u32::from(self.program.data_model.pointer_bits()));
        let kind = CutKind::Allocation { location: step.site.location };
        let limit = self.options.allocation_limit(step.site.location);
        let limit = match self.abstraction().followed_size(limit, largest) {
            FollowedSize::Whole { largest } => return self.whole_object(state, size, largest, life, step),
            FollowedSize::Limited { .. } if self.options.summarised.contains(&kind) => largest,
            FollowedSize::Limited { limit } => limit,
        };
        let width = self.graph.terms.width(size);
        let most = self.terms().constant(width, limit);
        let fits = self.terms().ule(size, most);
        let mut missed = state.standing();
        let too_large = self.terms().not(fits);
        missed.guard = self.and_guard(missed.guard, too_large);
        self.cut(missed, kind, step.site.span);
        self.restrict(state, fits);
        let object = self.new_object(step, limit, None, life);
        self.survey.note_unknown_size(object);
        match self.sizes.known.get(&object) {
            Some(&known) => {
                let same = self.terms().eq(known, size);
                let guard = self.guard_term(state);
                let constraint = self.terms().implies(guard, same);
                self.graph.constrain(constraint);
            }
            None => {
                self.sizes.known.insert(object, size);
            }
        }
        Ok(object)
    }

    fn whole_object(
        &mut self,
        state: &mut SymState,
        size: TermId,
        largest: u64,
        life: Life,
        step: &mut OpenStep,
    ) -> Result<ObjectId, UnfoldFailure> {
        let object = self.new_object(step, largest, None, life);
        self.survey.note_blended(object);
        self.survey.note_unknown_size(object);
        let truth = self.graph.terms.boolean(true);
        let size = SymValue::Int(self.terms().resize(size, SIZE_BITS, false));
        self.write_cell(state, size_cell(object), truth, &size, step)?;
        Ok(object)
    }

    /// How many bytes the object has, asked where `condition` holds; `None` if that is a constant.
    pub fn actual_size(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<Option<TermId>, UnfoldFailure> {
        if !self.survey.has_unknown_size(object) {
            return Ok(None);
        }
        let bits = u32::from(self.program.data_model.pointer_bits());
        if !self.survey.is_blended(object) {
            if let Some(&known) = self.sizes.known.get(&object) {
                return Ok(Some(known));
            }
            let size = self.terms().bv_variable("size", bits);
            self.sizes.known.insert(object, size);
            return Ok(Some(size));
        }
        let size = self.read_cell(state, size_cell(object), condition, step)?;
        let size = size.as_int().expect("the size of an object should be a number");
        Ok(Some(self.terms().resize(size, bits, false)))
    }
}

fn size_cell(object: ObjectId) -> CellKey {
    CellKey { object, offset: 0, part: CellPart::Size }
}

/// Where `here` holds and an access of `length` bytes lies inside an object of `size` bytes.
pub(crate) fn within_size(terms: &mut Terms, size: TermId, here: TermId, offset: TermId, length: u64) -> TermId {
    let length = terms.constant(terms.width(size), length);
    let fits = terms.ule(length, size);
    let room = terms.sub(size, length);
    let inside = terms.ule(offset, room);
    let within = terms.and(fits, inside);
    terms.and(here, within)
}

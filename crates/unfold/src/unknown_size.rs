//! Objects whose size is not constant.
//!
//! A bounded unfolding follows the first bytes of such an object and cuts the executions in which it is larger; its size is
//! one term, since the object is made once. A thread-modular unfolding follows it whole, and its size is a cell that is
//! written where the object is made: what a thread knows of it is what it knows of any other cell. (The term itself
//! would mean the wrong thing to others: a loop that has created a thread in one of its rounds has other values when it
//! is left, and both are the same variables.)

use events::{CellKey, CellPart, CutKind};
use program::Location;
use symbolic::{Life, ObjectId, SymValue};
use terms::{TermId, Terms};

use crate::state::State;
use crate::unfolder::{Failure, Site, UnfoldOptions, Unfolder};

/// The width of a cell that holds a size.
pub(crate) const SIZE_BITS: u32 = 64;

/// An object of unknown size gets so many bytes for each round of a loop: room for one number or pointer.
const BYTES_PER_ROUND: u64 = 8;

impl UnfoldOptions {
    /// Bytes up to which an object of unknown size is followed.
    pub fn allocation_limit(&self, location: Location) -> u64 {
        u64::from(self.bound(&CutKind::Allocation { location })) * BYTES_PER_ROUND
    }
}

impl Unfolder<'_> {
    /// A new object of `size` bytes.
    pub fn object_of_unknown_size(
        &mut self,
        state: &mut State,
        size: TermId,
        life: Life,
        site: &Site,
    ) -> Result<ObjectId, Failure> {
        if self.is_modular() {
            return self.whole_object(state, size, life, site);
        }
        let limit = self.options.allocation_limit(site.location);
        let width = self.graph.terms.width(size);
        let most = self.terms().constant(width, limit);
        let fits = self.terms().ule(size, most);
        let mut missed = state.standing();
        let too_large = self.terms().not(fits);
        missed.guard = self.and_guard(missed.guard, too_large);
        self.cut(missed, CutKind::Allocation { location: site.location }, site.span);
        self.restrict(state, fits);
        let object = self.new_object(site.location, limit, None, life);
        self.survey.note_unknown_size(object);
        match self.sizes.get(&object) {
            Some(&known) => {
                let same = self.terms().eq(known, size);
                let guard = self.guard_term(state);
                let constraint = self.terms().implies(guard, same);
                self.graph.constraints.push(constraint);
            }
            None => {
                self.sizes.insert(object, size);
            }
        }
        Ok(object)
    }

    fn whole_object(&mut self, state: &mut State, size: TermId, life: Life, site: &Site) -> Result<ObjectId, Failure> {
        let largest = u64::MAX >> (64 - u32::from(self.program.data_model.pointer_bits()));
        let object = self.new_object(site.location, largest, None, life);
        self.blend(object);
        self.survey.note_unknown_size(object);
        let truth = self.graph.terms.boolean(true);
        let size = SymValue::Int(self.terms().resize(size, SIZE_BITS, false));
        self.write_cell(state, size_cell(object), truth, &size, site)?;
        Ok(object)
    }

    /// How many bytes the object has, asked where `condition` holds; `None` if that is a constant.
    pub fn actual_size(
        &mut self,
        state: &mut State,
        object: ObjectId,
        condition: TermId,
        site: &Site,
    ) -> Result<Option<TermId>, Failure> {
        if !self.survey.has_unknown_size(object) {
            return Ok(None);
        }
        let bits = u32::from(self.program.data_model.pointer_bits());
        if !self.is_modular() {
            let graph = &mut self.graph;
            return Ok(Some(*self.sizes.entry(object).or_insert_with(|| graph.terms.bv_variable("size", bits))));
        }
        let size = self.read_cell(state, size_cell(object), condition, site)?;
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

//! Objects of which less is known than what they hold: *blended* ones, all of whose places of one size are one, and those that
//! stand for many, so that two addresses that look alike may belong to different objects. Only an abstraction that gives up
//! telling them apart makes any, see `summaries`.

use program::{BinaryOp, Rvalue};
use symbolic::{ObjectId, SymValue};
use terms::TermId;

use crate::cells::Cells;
use crate::memory::CellRef;
use crate::pass::Pass;
use crate::shaped_places::has_scalars;
use crate::state::SymState;
use crate::unfolder::{Activation, UnfoldFailure};

/// Places of blended objects lie beyond all others.
pub const BLENDED: u64 = 1 << 40;

impl Pass<'_> {
    /// Where an access to a blended object goes, when it lies inside. Sizes that are not constant are in `here` already.
    pub fn blended_place(
        &mut self,
        object: ObjectId,
        object_size: u64,
        here: TermId,
        offset: TermId,
        size: u64,
    ) -> Option<CellRef> {
        let last = object_size.checked_sub(size)?;
        let width = self.graph.terms.width(offset);
        let last = self.terms().constant(width, last);
        let inside = self.terms().ule(offset, last);
        let condition = self.terms().and(here, inside);
        Some(CellRef { condition, object, offset: blended_offset(size), element: None })
    }

    /// Whether what is read in this size from a blended object may be a part of an address: it holds addresses, and by
    /// its shape nothing of this size.
    pub fn may_be_part_of_address(&self, object: ObjectId, size: u64) -> bool {
        if size >= self.program.data_model.pointer_bytes() || !self.survey.is_blended(object) {
            return false;
        }
        let holds_addresses = || self.survey.cells_of(object).any(|cell| self.survey.targets(cell).next().is_some());
        let is_expected = match self.survey.objects.get(object).shape {
            Some(shape) => has_scalars(self.program, shape, size),
            None => size > 1,
        };
        !is_expected && holds_addresses()
    }

    /// Whether two addresses that look alike may belong to different objects.
    pub fn may_be_twins(&self, left: &SymValue, right: &SymValue) -> bool {
        let (SymValue::Pointer { targets: first, .. }, SymValue::Pointer { targets: second, .. }) = (left, right)
        else {
            return false;
        };
        first.iter().any(|&object| second.contains(&object) && self.survey.is_plural(object))
    }
}

impl Cells<'_> {
    /// A comparison of addresses, or their distance, where one object may stand for several: the result, if it cannot be
    /// computed.
    pub fn blurred(
        &mut self,
        state: &SymState,
        activation: &Activation,
        value: &Rvalue,
    ) -> Result<Option<SymValue>, UnfoldFailure> {
        let (left, right) = match *value {
            Rvalue::Binary { left, right, .. } | Rvalue::PointerDifference { left, right } => (left, right),
            _ => return Ok(None),
        };
        if !self.survey.has_summaries() {
            return Ok(None);
        }
        let (left, right) = (self.operand(state, activation, left)?, self.operand(state, activation, right)?);
        if !self.may_be_twins(&left, &right) {
            return Ok(None);
        }
        Ok(Some(match value {
            Rvalue::Binary { op, .. } if is_comparison(*op) => SymValue::Bool(self.terms().bool_variable("any")),
            _ => {
                return Err(UnfoldFailure::NotSupported(
                    "subtraction of pointers to objects allocated in a loop".to_owned(),
                ));
            }
        }))
    }
}

/// All places of one size in a blended object; sizes do not overlap.
fn blended_offset(size: u64) -> u64 {
    BLENDED + size * 16
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle)
}

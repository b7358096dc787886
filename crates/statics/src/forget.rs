//! Forgetting what a value carries. Whatever computes with the bits of an address, or keeps only a part of them, comes
//! through here: the object may from now on be reached by a number ([`World::expose`](crate::world::World::expose)).
//!
//! The handle of a thread that is forgotten is any number; whoever joins or detaches any number may do so to any thread
//! ([`World::may_join`](crate::world::World::may_join)), so that nothing needs to be noted here.

use crate::analysis::AbstractInterpreter;
use crate::range::Range;
use crate::value::AbsValue;

impl AbstractInterpreter<'_> {
    /// What is known of a value of which only a part, or something computed from it, is kept.
    pub(crate) fn forget(&mut self, value: &AbsValue) -> AbsValue {
        self.world.expose(value);
        AbsValue::anything()
    }

    /// The number that the bits of a value are; those of an address are any.
    pub(crate) fn number_of(&mut self, value: &AbsValue) -> Range {
        match value.plain_number() {
            Some(range) => range,
            None => self.forget(value).plain_number().unwrap_or(Range::ALL),
        }
    }
}

//! Room for large objects. What the interpreter has no room for, no counterexample may contain: executions that allocate
//! more are not followed. Small objects are not counted, so that the interpreter may still be the first to notice; a
//! thread-modular unfolding, which has no counterexamples, is about any amount of memory.

use symbolic::{Life, Object, ObjectId, ObjectKey};

use crate::allocator::Allocator;
use crate::lifetimes::life_cell;
use crate::state::SymState;
use crate::unfolder::UnfoldFailure;

/// Objects below this size are not counted.
const LARGE: u64 = 1 << 24;

/// The objects made so far that count for the room that memory takes.
#[derive(Default)]
pub(crate) struct Room {
    large: Vec<ObjectId>,
}

impl Allocator<'_> {
    /// Another object of `size` bytes is about to be made.
    pub fn find_room(&mut self, state: &SymState, size: u64) -> Result<(), UnfoldFailure> {
        if size < LARGE {
            return Ok(());
        }
        let live = self.room.large.iter().filter(|&&object| self.may_live(state, object));
        let sizes = live.map(|&object| self.survey.objects.get(object).size.unwrap_or(0));
        let live = sizes.fold(0, u64::saturating_add);
        match self.abstraction().lack_of_room(size, live) {
            Some(what) => Err(UnfoldFailure::NotSupported(what)),
            None => Ok(()),
        }
    }

    /// An object has been made.
    pub fn note_room(&mut self, object: ObjectId, size: u64) {
        if size >= LARGE {
            self.room.large.push(object);
        }
    }

    fn may_live(&self, state: &SymState, object: ObjectId) -> bool {
        let Object { key, life, .. } = self.survey.objects.get(object);
        let is_own = matches!(key, ObjectKey::Allocated { instance, .. } if *instance == state.instance.0);
        match life {
            Life::Scope | Life::Activation if is_own => state.living.contains(&object),
            _ => {
                let known = state.memory.get(&life_cell(object)).and_then(|value| value.as_int());
                known.and_then(|value| self.graph.terms.as_constant(value)).is_none_or(|fate| !is_dead(fate))
            }
        }
    }
}

/// Whether a cell that says what has become of an object says that it is dead.
fn is_dead(fate: u64) -> bool {
    fate & 1 << crate::lifetimes::DEAD_BIT != 0
}

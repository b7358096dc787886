//! Room for large objects. What the interpreter has no room for, no counterexample may contain: executions that allocate
//! more are not followed. Small objects are not counted, so that the interpreter may still be the first to notice; a
//! thread-modular unfolding, which has no counterexamples, is about any amount of memory.

use program::limits;
use symbolic::{Life, Object, ObjectId, ObjectKey};

use crate::lifetimes::life_cell;
use crate::state::State;
use crate::unfolder::{Failure, Unfolder};

/// Objects below this size are not counted.
const LARGE: u64 = 1 << 24;

impl Unfolder<'_> {
    /// Another object of `size` bytes is about to be made.
    pub fn find_room(&mut self, state: &State, size: u64) -> Result<(), Failure> {
        if size < LARGE || self.is_modular() {
            return Ok(());
        }
        let live = self.large_objects.iter().filter(|&&object| self.may_live(state, object));
        let live: u64 = live.map(|&object| self.survey.objects.get(object).size.unwrap_or(0)).sum();
        match limits::too_large(size).or_else(|| limits::too_much(live.saturating_add(size))) {
            Some(what) => Err(Failure::NotSupported(what)),
            None => Ok(()),
        }
    }

    /// An object has been made.
    pub fn note_room(&mut self, object: ObjectId, size: u64) {
        if size >= LARGE {
            self.large_objects.push(object);
        }
    }

    fn may_live(&self, state: &State, object: ObjectId) -> bool {
        let Object { key, life, .. } = self.survey.objects.get(object);
        let is_own = matches!(key, ObjectKey::Allocated { instance, .. } if *instance == self.instance.0);
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

//! Loops with a constant number of iterations are unrolled to their end at once, beyond the bound, where that is affordable.
//!
//! A loop counts if nothing could leave it in the iteration that has just ended: its conditions were constants there. That is
//! seen while it is unrolled, not guessed before. To go further than the bound is always right; how far is a matter of cost.

use program::{BlockId, FunctionId};
use rustc_hash::FxHashSet;

use crate::unroll_order::{Rounds, UnrollOrder};

/// What the execution of a thread counts for; the thread itself is unfolded later.
const INSTRUCTIONS_PER_THREAD: u64 = 200;

/// What the passes of an unfolding know of loops that count.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountedLoops {
    /// Instructions that each pass may execute beyond the bounds.
    allowance: u64,
    /// What is left of them in this pass.
    left: u64,
    /// Whether a loop around the present block, or around a call that led to it, has gone beyond its bound.
    beyond: bool,
    /// Loops that would have needed more.
    too_long: FxHashSet<(FunctionId, BlockId)>,
    found_too_long: bool,
}

impl CountedLoops {
    pub fn new(allowance: u64) -> Self {
        Self { allowance, left: allowance, ..Self::default() }
    }

    /// For the next pass. Whether a loop was found to be too long since the last: then what that pass has learned is not
    /// worth keeping.
    pub fn renew(&mut self) -> bool {
        self.left = self.allowance;
        std::mem::take(&mut self.found_too_long)
    }

    /// Whether the loop may do another iteration beyond its bound.
    fn may_go_on(&mut self, function: FunctionId, head: BlockId) -> bool {
        if self.allowance == 0 || self.too_long.contains(&(function, head)) {
            return false;
        }
        if self.left == 0 {
            self.found_too_long = true;
            self.too_long.insert((function, head));
        }
        self.left > 0
    }

    pub fn begin_block(&mut self, beyond: bool) {
        self.beyond = beyond;
    }

    pub fn is_beyond_bounds(&self) -> bool {
        self.beyond
    }

    pub fn spend(&mut self, instructions: u64) {
        if self.beyond {
            self.left = self.left.saturating_sub(instructions);
        }
    }

    /// The present block has created threads.
    pub fn note_threads(&mut self, created: usize) {
        self.spend(INSTRUCTIONS_PER_THREAD * created as u64);
    }
}

/// The iterations that something has left, in one activation of a function.
#[derive(Debug, Default)]
pub(crate) struct Exits {
    /// The head of the loop, and the number of the iteration behind those of the loops around it.
    taken: FxHashSet<(BlockId, Rounds)>,
}

impl Exits {
    /// A state goes from this visit to `target`.
    pub fn note_edge(&mut self, order: &UnrollOrder, block: BlockId, rounds: &Rounds, target: BlockId) {
        let kept = order.shared_loops(block, target);
        for (level, head) in order.heads(block).iter().enumerate().skip(kept) {
            self.taken.insert((*head, rounds[..=level].into()));
        }
    }

    /// Whether the loop, whose head is visited, goes on beyond its bound.
    pub fn goes_on(&self, counted: &mut CountedLoops, function: FunctionId, head: BlockId, rounds: &Rounds) -> bool {
        let mut rounds = rounds.clone();
        let Some(last) = rounds.last_mut() else { return false };
        let Some(previous) = last.checked_sub(1) else { return false };
        if self.taken.contains(&(head, rounds.clone())) {
            return false;
        }
        *rounds.last_mut().expect("the head is in its own loop") = previous;
        !self.taken.contains(&(head, rounds)) && counted.may_go_on(function, head)
    }
}

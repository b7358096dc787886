//! Rounds of a loop that leave no trace. A thread that waits (`while (!flag) ;`) goes round and round without changing
//! anything; an execution in which it does so is also one in which it got to the loop later. So a round that comes
//! back to the head of its loop with the same registers that matter and with nothing written is not followed, and needs
//! no cut: whatever happens after it also happens without it. That holds of any loop, round by round, under a
//! condition: a failed compare-exchange is idle, a successful one is not.
//!
//! Not to be used where executions are counted.

use base::Id;
use program::{BlockId, Function, RegisterId};
use smallvec::SmallVec;
use terms::{TermId, Terms};

use crate::liveness::Liveness;
use crate::state::State;
use crate::unroll_order::UnrollOrder;

/// For every loop around a place, innermost last, and across calls: whether the current round has done anything.
pub type Activity = SmallVec<[TermId; 4]>;

/// The heads of loops that carry no register from one round to the next: what they read there was computed outside.
pub fn forgetful_heads(function: &Function, order: &UnrollOrder, liveness: &Liveness) -> Vec<BlockId> {
    let heads =
        function.blocks.ids().filter(|&block| order.is_reachable(block) && order.heads(block).last() == Some(&block));
    heads.filter(|&head| !carries_register(function, order, liveness, head)).collect()
}

fn carries_register(function: &Function, order: &UnrollOrder, liveness: &Liveness, head: BlockId) -> bool {
    let inside = function.blocks.iter_enumerated().filter(|(block, _)| order.heads(*block).contains(&head));
    let mut assigned = inside.flat_map(|(_, body)| &body.instructions).flat_map(|one| one.kind.targets());
    assigned.any(|register: RegisterId| liveness.is_live(head, register))
}

impl State {
    /// Something happened, when `condition` holds, that a round cannot have done in vain.
    pub fn note_activity(&mut self, terms: &mut Terms, condition: TermId) {
        for active in &mut self.activity {
            *active = terms.or(*active, condition);
        }
    }

    /// Adjusts to a place with `loops` loops around it, of which the outer `shared` go on in their round.
    pub fn enter_loops(&mut self, terms: &Terms, shared: usize, loops: usize) {
        self.activity.truncate(shared);
        self.activity.resize(loops, terms.boolean(false));
    }
}

/// The level of the loop that an edge goes back in, if it does.
pub fn level_of(order: &UnrollOrder, from: BlockId, to: BlockId) -> Option<usize> {
    order.goes_back(from, to).then(|| order.heads(to).len() - 1)
}

/// How many loops go on in their round along an edge.
pub fn shared_loops(order: &UnrollOrder, from: BlockId, to: BlockId) -> usize {
    let shared = order.heads(from).iter().zip(order.heads(to)).take_while(|(a, b)| a.index() == b.index()).count();
    level_of(order, from, to).map_or(shared, |level| level.min(shared))
}

//! Loops that a bounded unfolding does not unroll. Where only bounds keep an answer from being a proof, an engine may ask for
//! loops to be *summarised* (`UnfoldOptions::summarised`): they are entered once, in any of their rounds, as in a
//! thread-modular unfolding (`any_round`). What a round can violate is checked in that round, and the loop is left from it in
//! every way that it can be left, with the negated guard or otherwise. So every execution is covered, and some
//! that do not exist: what is found to be violated means nothing, and has to be looked for without summaries.
//!
//! The rest of the unfolding is exact, and its events must not stand for several. So a loop is summarised only while a single
//! thread exists, and only if it does nothing but compute: it neither makes nor ends objects, nor synchronises, nor creates
//! threads, nor calls what is not known. A loop that is also entered elsewhere than at its head is unrolled: what comes from
//! there to the head is no round of those that entered at the head.

use std::collections::BTreeSet;

use events::CutKind;
use program::{BlockId, Callee, Function, FunctionId, InstructionKind, Program, TerminatorKind};

use crate::abstraction::{LoopEdge, LoopHead, LoopPolicy};
use crate::any_round::AnyRound;
use crate::cells::Cells;
use crate::state::SymState;
use crate::unfolder::UnfoldFailure;
use crate::unroll_order::UnrollOrder;

/// Whether what a cut leaves out can be summarised: a loop that does nothing but compute, or the size of an object.
pub fn can_be_summarised(program: &Program, kind: &CutKind) -> bool {
    match *kind {
        CutKind::Allocation { .. } => true,
        CutKind::Loop { function, head } => {
            let body = &program.functions[function];
            let order = UnrollOrder::new(body);
            let mut blocks = body.blocks.iter_enumerated().filter(|(block, _)| order.heads(*block).contains(&head));
            let mut open = BTreeSet::from([function]);
            is_entered_at_head(body, &order, head)
                && blocks.all(|(block, _)| only_computes(program, body, block, &mut open))
        }
        CutKind::Recursion { .. } | CutKind::Threads | CutKind::RaceGap { .. } | CutKind::Unsupported { .. } => false,
    }
}

/// Whether every edge into a loop leads to its head.
fn is_entered_at_head(body: &Function, order: &UnrollOrder, head: BlockId) -> bool {
    let is_inside = |block: BlockId| order.heads(block).contains(&head);
    let outside = body.blocks.iter_enumerated().filter(|&(block, _)| order.is_reachable(block) && !is_inside(block));
    outside.flat_map(|(_, block)| block.terminator.kind.successors()).all(|target| target == head || !is_inside(target))
}

/// Whether a block does nothing that cannot be done any number of times at once. Functions in `open` are being looked at.
fn only_computes(program: &Program, body: &Function, block: BlockId, open: &mut BTreeSet<FunctionId>) -> bool {
    let block = &body.blocks[block];
    let computes = !matches!(block.terminator.kind, TerminatorKind::ThreadExit(_));
    computes
        && block.instructions.iter().all(|instruction| match &instruction.kind {
            InstructionKind::Assign { .. }
            | InstructionKind::Load { .. }
            | InstructionKind::Store { .. }
            | InstructionKind::Nondet { .. }
            | InstructionKind::Assume { .. }
            | InstructionKind::Assert { .. } => true,
            InstructionKind::Call { callee: Callee::Direct(function), .. } => {
                let callee = &program.functions[*function];
                let is_new = open.insert(*function);
                let computes = is_new
                    && callee.blocks.iter_enumerated().all(|(block, _)| only_computes(program, callee, block, open));
                if is_new {
                    open.remove(function);
                }
                computes
            }
            _ => false,
        })
}

/// The loops of one activation: summarised where that was asked for, unrolled elsewhere.
#[derive(Default)]
pub(crate) struct SummarisedLoops {
    any_round: AnyRound,
    /// Those that were summarised when they were entered last. In a later round of a loop around it, when there are threads,
    /// the same loop is unrolled.
    summarised: BTreeSet<BlockId>,
}

impl LoopPolicy for SummarisedLoops {
    fn enter(
        &mut self,
        cells: &mut Cells<'_>,
        mut states: Vec<SymState>,
        head: &LoopHead<'_>,
    ) -> Result<Vec<SymState>, UnfoldFailure> {
        let kind = CutKind::Loop { function: head.key.function, head: head.key.head };
        let is_alone = states.iter().all(|state| state.single && state.atomic.is_none());
        if !is_alone || !cells.options.summarised.contains(&kind) {
            self.summarised.remove(&head.key.head);
            return Ok(states);
        }
        self.summarised.insert(head.key.head);
        // The rounds around the loop have done what its rounds do.
        for state in &mut states {
            let truth = cells.graph.terms.boolean(true);
            state.note_activity(cells.terms(), truth);
        }
        self.any_round.enter(cells, states, head)
    }

    fn follow(
        &mut self,
        cells: &mut Cells<'_>,
        state: SymState,
        edge: &LoopEdge<'_>,
    ) -> Result<Option<SymState>, UnfoldFailure> {
        let goes_back = edge.order.goes_back(edge.from, edge.key.head);
        match goes_back && self.summarised.contains(&edge.key.head) {
            true => self.any_round.follow(cells, state, edge),
            false => Ok(Some(state)),
        }
    }
}

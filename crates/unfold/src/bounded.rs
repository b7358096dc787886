//! The bounded abstraction: every execution within the bounds, exactly. Loops are unrolled, each thread and each object is
//! one, and what threads share is decided by the order of events. Loops are summarised where that was asked for.

use base::Span;
use events::{Access, CellKey, CellPart, CutKind, InstanceId, Join};
use program::{BlockId, FunctionId, Program, limits};
use symbolic::SymValue;
use terms::TermId;

use crate::abstraction::{Abstraction, FollowedSize, LoopPolicy};
use crate::cells::bits_of;
use crate::modular_facts::{LoopKey, learn_of_loop};
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::{SymState, ThreadPosition};
use crate::summarised_loops::SummarisedLoops;
use crate::survey::PassFacts;

pub(crate) struct Bounded {
    /// Whether any loop is summarised.
    summarises: bool,
    /// The loops around the place where the unfolding is, across calls, where any is summarised.
    open_loops: Vec<LoopKey>,
}

impl Bounded {
    pub fn new(summarises: bool) -> Self {
        Self { summarises, open_loops: Vec::new() }
    }
}

impl Abstraction for Bounded {
    fn forgets_accesses(&self, has_locks: bool) -> bool {
        has_locks
    }

    fn follows_order(&self) -> bool {
        true
    }

    fn leaves_out_wake_ups(&self) -> bool {
        true
    }

    fn loops(&self) -> Box<dyn LoopPolicy> {
        Box::new(SummarisedLoops::default())
    }

    fn enter_block(&mut self, outer: usize, heads: &[BlockId], function: FunctionId, instance: InstanceId) {
        if self.summarises {
            self.open_loops.truncate(outer);
            self.open_loops.extend(heads.iter().map(|&head| LoopKey { instance, function, head }));
        }
    }

    fn note_change(&self, survey: &mut PassFacts, cell: CellKey) {
        for &key in &self.open_loops {
            learn_of_loop(survey, key, |facts| facts.cells.insert(cell));
        }
    }

    fn any_contents(&self, pass: &mut Pass<'_>, cell: CellKey) -> SymValue {
        if let CellPart::Array(_) = cell.part {
            return pass.any_array(cell);
        }
        let bits = bits_of(cell);
        let pointer = pass.survey.any_pointer(pass.graph.terms(), cell, bits);
        if let Some(SymValue::Pointer { object, targets, .. }) = &pointer {
            pass.pointees.borrow_mut().insert(*object, targets.clone());
        }
        pointer.unwrap_or_else(|| SymValue::Int(pass.terms().bv_variable("value", bits)))
    }

    /// Which value that is, read-from decides.
    fn read_shared(
        &mut self,
        pass: &mut Pass<'_>,
        _state: &mut SymState,
        cell: CellKey,
        _condition: TermId,
    ) -> SymValue {
        self.any_contents(pass, cell)
    }

    fn add_event(
        &self,
        pass: &mut Pass<'_>,
        state: &SymState,
        (access, cell, condition): (Access, CellKey, TermId),
        value: SymValue,
        step: &mut OpenStep,
    ) {
        let node = pass.graph.node_of_access(state, step);
        let guard = pass.guard_of_event(state, access, condition);
        pass.graph.add_event(node, access, cell, guard, value);
    }

    fn is_made_repeatedly(&self, _survey: &PassFacts, _maker: InstanceId) -> bool {
        false
    }

    fn blends(&self, _pass: &Pass<'_>, _candidates: Option<&[u64]>, _offset: TermId, _last: u64) -> bool {
        false
    }

    fn missed(&self, pass: &mut Pass<'_>, offset: TermId, last: u64, covered: TermId) -> TermId {
        let width = pass.graph.terms.width(offset);
        let last = pass.terms().constant(width, last);
        let inside = pass.terms().ule(offset, last);
        let elsewhere = pass.terms().not(covered);
        pass.terms().and(inside, elsewhere)
    }

    fn followed_size(&self, limit: u64, _largest: u64) -> FollowedSize {
        FollowedSize::Limited { limit }
    }

    fn may_be_huge(&self, size: Option<u64>) -> bool {
        self.summarises && size.is_none_or(|size| size > limits::OBJECT_BYTES)
    }

    fn lack_of_room(&self, size: u64, live: u64) -> Option<String> {
        limits::too_large(size).or_else(|| limits::too_much(live.saturating_add(size)))
    }

    fn lack_of_room_for_globals(&self, program: &Program) -> Option<String> {
        let most = limits::GLOBAL_BYTES;
        (limits::global_bytes(program) > most).then(|| format!("more than {most} bytes of global variables"))
    }

    fn wait_for_end(&self, pass: &mut Pass<'_>, state: &SymState, target: InstanceId, waits: TermId) {
        let ended =
            if target == state.instance { pass.graph.terms.boolean(false) } else { pass.graph.finished(target) };
        let waited = pass.terms().implies(waits, ended);
        pass.require(state, waited);
    }

    fn add_join(&self, pass: &mut Pass<'_>, join: Join) {
        pass.graph.add_join(join);
    }

    /// Mostly such a block has been divided before (see `program::block_pieces`); where it was not, nothing is proved.
    fn cut_block_in_one_step(&self, pass: &mut Pass<'_>, standing: ThreadPosition, span: Span) {
        let what = "a copy of a block of shared memory".to_owned();
        pass.cut(standing, CutKind::Unsupported { what }, span);
    }
}

//! What an unfolding follows, and what it gives up: either every execution within bounds exactly (`bounded`), or every
//! execution at all and some that do not exist (`modular`). The rest of the unfolding does not know which.

use base::Span;
use events::{Access, CellKey, InstanceId, Join};
use program::{BlockId, FunctionId, GlobalId, Location, Program, RegisterId};
use symbolic::{ObjectId, SymValue};
use terms::TermId;

use crate::bounded::Bounded;
use crate::cells::Cells;
use crate::modular::ThreadModular;
use crate::modular_facts::LoopKey;
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::shared_words::KeptLock;
use crate::state::{SymState, ThreadPosition};
use crate::survey::PassFacts;
use crate::unfolder::{Site, UnfoldFailure};
use crate::unroll_order::UnrollOrder;

/// Which executions an unfolding covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbstractionKind {
    /// Those within the bounds.
    Bounded,
    /// All of them, and some that do not exist: no event is made, and loops have no bounds.
    ThreadModular,
    /// As `ThreadModular`, and what shared words hold at different moments is related.
    RelatedMoments,
}

impl AbstractionKind {
    pub(crate) fn abstraction(self, program: &Program, summarises: bool) -> Box<dyn Abstraction> {
        match self {
            AbstractionKind::Bounded => Box::new(Bounded::new(summarises)),
            AbstractionKind::ThreadModular => Box::new(ThreadModular::new(program, false)),
            AbstractionKind::RelatedMoments => Box::new(ThreadModular::new(program, true)),
        }
    }
}

/// How much of an object is followed whose size depends on the execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FollowedSize {
    /// So many bytes; larger ones are cut.
    Limited { limit: u64 },
    /// All of it, at most this many bytes, without telling its places apart.
    Whole { largest: u64 },
}

/// The head of a loop that is entered.
pub(crate) struct LoopHead<'a> {
    pub key: LoopKey,
    pub order: &'a UnrollOrder,
    /// What the loop carries from one round to the next.
    pub carried: &'a [RegisterId],
    pub location: Location,
}

/// An edge between blocks of one function; the key is that of its target.
pub(crate) struct LoopEdge<'a> {
    pub key: LoopKey,
    pub order: &'a UnrollOrder,
    pub from: BlockId,
    /// What the target carries from one round to the next, if it is the head of a loop.
    pub carried: &'a [RegisterId],
    pub site: Site,
}

/// What becomes of the loops of one activation.
pub(crate) trait LoopPolicy {
    /// The states in which rounds begin, of those that come to the head.
    fn enter(
        &mut self,
        cells: &mut Cells<'_>,
        states: Vec<SymState>,
        head: &LoopHead<'_>,
    ) -> Result<Vec<SymState>, UnfoldFailure>;

    /// The state that goes along an edge, if it is followed.
    fn follow(
        &mut self,
        cells: &mut Cells<'_>,
        state: SymState,
        edge: &LoopEdge<'_>,
    ) -> Result<Option<SymState>, UnfoldFailure>;
}

pub(crate) trait Abstraction {
    /// Before anything else.
    fn begin_pass(&self, _survey: &mut PassFacts) {}

    /// Whether a pass that did not know all cells is not believed about who touches them.
    fn forgets_accesses(&self, has_locks: bool) -> bool;

    /// Whether there are events that an order could be about.
    fn follows_order(&self) -> bool;

    /// Whether spurious wake-ups that come to nothing can be left out.
    fn leaves_out_wake_ups(&self) -> bool;

    /// For a new activation.
    fn loops(&self) -> Box<dyn LoopPolicy>;

    /// The unfolding comes to a block with `outer` loops around its function, and these heads of loops around it.
    fn enter_block(&mut self, _outer: usize, _heads: &[BlockId], _function: FunctionId, _instance: InstanceId) {}

    /// A new unknown value that the cell may hold at some time.
    fn any_contents(&self, pass: &mut Pass<'_>, cell: CellKey) -> SymValue;

    /// A new unknown value that another thread may have left in a cell.
    fn read_shared(&mut self, pass: &mut Pass<'_>, state: &mut SymState, cell: CellKey, condition: TermId) -> SymValue;

    /// An instruction accesses a shared cell where a condition holds, and finds or leaves this value.
    fn add_event(
        &self,
        pass: &mut Pass<'_>,
        state: &SymState,
        access: (Access, CellKey, TermId),
        value: SymValue,
        step: &mut OpenStep,
    );

    /// Something is written to a cell, by whomever.
    fn note_contents(&self, _pass: &mut Pass<'_>, _cell: CellKey, _value: &SymValue) {}

    /// Others may find this in a cell from now on, when `condition` holds.
    fn note_visible(
        &mut self,
        _: &mut Pass<'_>,
        _: &mut SymState,
        _cell: CellKey,
        _condition: TermId,
        _value: &SymValue,
    ) {
    }

    /// Other threads are about to exist, and all that is shared has been noted.
    fn begin_sharing(&mut self, _pass: &mut Pass<'_>, _state: &mut SymState) {}

    /// Accesses up to [`end_one_step`](Self::end_one_step) happen at the same time. It may be looked at once more what was there.
    fn begin_one_step(&mut self, _pass: &mut Pass<'_>, _state: &mut SymState, _looks: bool) {}

    /// `None` if no path goes on.
    fn end_one_step(&mut self, _pass: &mut Pass<'_>, _state: Option<&mut SymState>) {}

    /// What an atomic section has done so far counts as one step, or it has not begun yet.
    fn divide_steps(&mut self, _pass: &mut Pass<'_>, _state: &mut SymState) {}

    /// A loop is entered in any of its rounds. Of the words that it writes, those that the thread keeps as locks, should that be so.
    fn begin_round(&mut self, _pass: &mut Pass<'_>, _state: &mut SymState, _key: LoopKey) -> Vec<KeptLock> {
        Vec::new()
    }

    /// A round is over, and the loop was entered with these.
    fn end_round(&self, _pass: &mut Pass<'_>, _state: &SymState, _kept: &[KeptLock]) {}

    /// A cell whose value a thread may know gets another one.
    fn note_change(&self, _survey: &mut PassFacts, _cell: CellKey) {}

    /// What a critical section knew of a cell is no longer known.
    fn note_forgotten(&self, _survey: &mut PassFacts, _cell: CellKey) {}

    /// Addresses of these objects are kept somewhere.
    fn note_kept(&self, _survey: &mut PassFacts, _targets: &[ObjectId]) {}

    /// An object is made here.
    fn note_made(&self, _survey: &mut PassFacts, _object: ObjectId) {}

    /// Whether a thread or an object made here is one of many.
    fn is_made_repeatedly(&self, survey: &PassFacts, maker: InstanceId) -> bool;

    /// A thread is created here, and `argument` given to it.
    fn note_creation(
        &self,
        _survey: &mut PassFacts,
        _creator: InstanceId,
        _instance: InstanceId,
        _argument: &SymValue,
    ) {
    }

    /// What a blended global holds at the start.
    fn note_blended_contents(&self, _pass: &mut Pass<'_>, _global: GlobalId, _cells: &[CellKey]) {}

    /// Whether an object is blended that is accessed at an offset, which lies at most at `last`: these are the offsets at
    /// which something of the size lies, unless there are too many.
    fn blends(&self, pass: &Pass<'_>, candidates: Option<&[u64]>, offset: TermId, last: u64) -> bool;

    /// Of the offsets at which something of the accessed size lies, those that are worth telling apart where the access is at one that lies
    /// at most at `last`.
    fn likely_places(&self, _pass: &Pass<'_>, candidates: Vec<u64>, _offset: TermId, _last: u64) -> Vec<u64> {
        candidates
    }

    /// When an access lies inside of an object, at most at `last`, but at none of the places that are `covered`.
    fn missed(&self, pass: &mut Pass<'_>, offset: TermId, last: u64, covered: TermId) -> TermId;

    /// Of an object that is followed within the bounds up to a limit, and may have as many bytes as `largest`.
    fn followed_size(&self, limit: u64, largest: u64) -> FollowedSize;

    /// Whether an object may be larger than what is executed.
    fn may_be_huge(&self, size: Option<u64>) -> bool;

    /// Why there is no room for another object beside those that may live.
    fn lack_of_room(&self, size: u64, live: u64) -> Option<String>;

    /// Why there is no room for the global variables.
    fn lack_of_room_for_globals(&self, program: &Program) -> Option<String>;

    /// Where `waits` holds, the thread gets here only after the end of `target`; nobody outlives their own end.
    fn wait_for_end(&self, pass: &mut Pass<'_>, state: &SymState, target: InstanceId, waits: TermId);

    fn add_join(&self, pass: &mut Pass<'_>, join: Join);

    /// A block of memory that others change or look at meanwhile is read or written in one step, which it is not in a run.
    fn cut_block_in_one_step(&self, pass: &mut Pass<'_>, standing: ThreadPosition, span: Span);
}

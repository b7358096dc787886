//! Thread-modular unfolding: one unfolding that covers every execution, however many rounds its loops do and however many
//! threads it creates, at the price of covering executions that do not exist. If nothing bad can happen in it, nothing
//! bad can happen.
//!
//! - A loop is entered once, in *any* of its rounds: registers that it carries along and memory that it writes have
//!   unknown values. Edges back to its head lead nowhere.
//! - A thread created in a loop stands for any number of threads of its kind.
//! - What several threads share has an unknown value whenever it is read, unless the reader is in an atomic section or
//!   holds the lock that protects it and knows the value from before. Nothing else is known of the order of events.
//! - An object made in a loop lives again in each round, as long as nobody knows its address from an earlier round. If
//!   somebody does, or if it is made by one of many threads and known to others, it stands for many objects: its
//!   contents and what has become of it are always unknown, and two addresses of it may be equal or not.
//!
//! Unknown values are not quite unknown: a value is one of those that any pass has seen written there, as long as these
//! are few constants, and a pointer points to what was seen stored there. As everything in a
//! [`PassFacts`](crate::survey::Survey), such facts are used only when a whole pass has confirmed them.

use base::Span;
use events::{Access, CellKey, CellPart, InstanceId, Join};
use program::{BlockId, FunctionId, GlobalId, Operand, Program};
use symbolic::{ObjectId, SymValue};
use terms::{Term, TermId, Terms};

use crate::abstraction::{Abstraction, FollowedSize, LoopPolicy};
use crate::any_round::AnyRound;
use crate::invariants::SharedCandidates;
use crate::modular_facts::{self, LoopFacts, LoopKey, learn_of_loop, note_initial_contents};
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::shared_words::{KeptLock, SharedWords};
use crate::state::{SymState, ThreadPosition};
use crate::stored_offsets::StoredOffsets;
use crate::survey::PassFacts;

/// More places than this are blended into one.
const MOST_PLACES: u64 = 64;

pub(crate) struct ThreadModular {
    /// The loops around the place where the unfolding is, across calls.
    open_loops: Vec<LoopKey>,
    shared: SharedCandidates,
    words: SharedWords,
}

impl ThreadModular {
    pub fn new(program: &Program, relates_moments: bool) -> Self {
        Self {
            open_loops: Vec::new(),
            shared: SharedCandidates::new(program),
            words: SharedWords::new(relates_moments),
        }
    }

    /// Others see what the thread has written.
    fn end_step(&mut self, pass: &mut Pass<'_>, state: &mut SymState) {
        for cell in self.words.end_step(pass, state) {
            self.learn_of_open_loops(&mut pass.survey, |facts| facts.words.insert(cell));
        }
    }

    fn learn_of_open_loops(&self, survey: &mut PassFacts, change: impl Fn(&mut LoopFacts) -> bool) {
        for &key in &self.open_loops {
            learn_of_loop(survey, key, &change);
        }
    }
}

impl Abstraction for ThreadModular {
    fn begin_pass(&self, survey: &mut PassFacts) {
        survey.find_escaped();
    }

    fn forgets_accesses(&self, _has_locks: bool) -> bool {
        true
    }

    fn follows_order(&self) -> bool {
        false
    }

    fn leaves_out_wake_ups(&self) -> bool {
        false
    }

    fn loops(&self) -> Box<dyn LoopPolicy> {
        Box::new(AnyRound::default())
    }

    fn enter_block(&mut self, outer: usize, heads: &[BlockId], function: FunctionId, instance: InstanceId) {
        self.open_loops.truncate(outer);
        self.open_loops.extend(heads.iter().map(|&head| LoopKey { instance, function, head }));
    }

    fn any_contents(&self, pass: &mut Pass<'_>, cell: CellKey) -> SymValue {
        modular_facts::any_contents(pass, cell)
    }

    fn read_shared(&mut self, pass: &mut Pass<'_>, state: &mut SymState, cell: CellKey, condition: TermId) -> SymValue {
        if let Some(value) = self.words.read(pass, state, &mut self.shared, cell) {
            return value;
        }
        let value = modular_facts::any_visible_contents(pass, cell);
        self.shared.assume(pass, state, cell, condition, &value);
        value
    }

    /// Nothing is known of the order of events: there are none.
    fn add_event(
        &self,
        _pass: &mut Pass<'_>,
        _state: &SymState,
        _access: (Access, CellKey, TermId),
        _value: SymValue,
        _step: &mut OpenStep,
    ) {
    }

    fn note_contents(&self, pass: &mut Pass<'_>, cell: CellKey, value: &SymValue) {
        modular_facts::note_contents(pass, cell, value);
    }

    fn note_visible(
        &mut self,
        pass: &mut Pass<'_>,
        state: &mut SymState,
        cell: CellKey,
        condition: TermId,
        value: &SymValue,
    ) {
        self.shared.check(pass, state, cell, condition, value);
        self.words.write(pass, state, &mut self.shared, (cell, condition), value);
        if self.words.is_complete(state) {
            self.end_step(pass, state);
        }
        modular_facts::note_visible(pass, cell, value);
        if !state.single {
            modular_facts::note_written(pass, cell, value);
        }
    }

    fn begin_sharing(&mut self, pass: &mut Pass<'_>, state: &mut SymState) {
        self.words.begin(pass, state);
    }

    fn begin_one_step(&mut self, pass: &mut Pass<'_>, state: &mut SymState, looks: bool) {
        self.words.begin_one_step(pass, state, looks.then_some(&mut self.shared));
    }

    fn end_one_step(&mut self, pass: &mut Pass<'_>, state: Option<&mut SymState>) {
        self.words.leave_one_step();
        if let Some(state) = state
            && self.words.is_complete(state)
        {
            self.end_step(pass, state);
        }
    }

    fn divide_steps(&mut self, pass: &mut Pass<'_>, state: &mut SymState) {
        self.end_step(pass, state);
        self.words.move_on(state);
    }

    fn begin_round(&mut self, pass: &mut Pass<'_>, state: &mut SymState, key: LoopKey) -> Vec<KeptLock> {
        let written = pass.survey.modular.of_loop(key).map(|facts| facts.words.clone()).unwrap_or_default();
        self.words.begin_round(pass, state, &written)
    }

    fn end_round(&self, pass: &mut Pass<'_>, state: &SymState, kept: &[KeptLock]) {
        self.words.end_round(pass, state, kept);
    }

    fn note_change(&self, survey: &mut PassFacts, cell: CellKey) {
        self.learn_of_open_loops(survey, |facts| facts.cells.insert(cell));
    }

    fn note_forgotten(&self, survey: &mut PassFacts, cell: CellKey) {
        self.learn_of_open_loops(survey, |facts| facts.forgotten.insert(cell));
    }

    fn note_kept(&self, survey: &mut PassFacts, targets: &[ObjectId]) {
        survey.note_outliving(targets);
    }

    fn note_made(&self, survey: &mut PassFacts, object: ObjectId) {
        if !self.open_loops.is_empty() {
            survey.note_reborn(object);
        }
    }

    fn is_made_repeatedly(&self, survey: &PassFacts, maker: InstanceId) -> bool {
        !self.open_loops.is_empty() || survey.stands_for_many(maker)
    }

    fn note_creation(&self, survey: &mut PassFacts, creator: InstanceId, instance: InstanceId, argument: &SymValue) {
        if self.is_made_repeatedly(survey, creator) {
            survey.note_many(instance);
        }
        if let SymValue::Pointer { targets, .. } = argument {
            survey.note_outliving(targets);
            survey.note_handed_over(targets);
        }
        self.learn_of_open_loops(survey, |facts| !std::mem::replace(&mut facts.creates_threads, true));
    }

    fn note_blended_contents(&self, pass: &mut Pass<'_>, global: GlobalId, cells: &[CellKey]) {
        let initial = &pass.program.globals[global].initial;
        let is_zero =
            !initial.indeterminate && initial.relocations.is_empty() && initial.bytes.iter().all(|&byte| byte == 0);
        let addresses: Vec<Operand> = initial.relocations.iter().map(|relocation| relocation.value).collect();
        for &cell in cells {
            note_initial_contents(&mut pass.survey, cell, is_zero);
            for &address in &addresses {
                let (object, _) = pass.constant_address(address);
                if cell.part == CellPart::Bytes(pass.program.data_model.pointer_bytes() as u8) {
                    pass.survey.note_target(cell, object, &StoredOffsets::Any);
                }
            }
        }
    }

    fn blends(&self, pass: &Pass<'_>, candidates: Option<&[u64]>, offset: TermId, last: u64) -> bool {
        let has_records = || SteppingOffset::of(&pass.graph.terms, offset, 8).is_of_records();
        let few = |all: &[u64]| (1..=MOST_PLACES).contains(&(all.len() as u64));
        !candidates.is_some_and(|all| is_covered(pass, all, offset, last) || (few(all) && has_records()))
    }

    /// Of the same member in each record of an array, if it is not certain that the offset is one of them all.
    fn likely_places(&self, pass: &Pass<'_>, mut candidates: Vec<u64>, offset: TermId, last: u64) -> Vec<u64> {
        let progression = SteppingOffset::of(&pass.graph.terms, offset, 8);
        if progression.is_of_records() && !is_covered(pass, &candidates, offset, last) {
            candidates.retain(|&candidate| progression.contains(candidate));
        }
        candidates
    }

    /// An offset that the places do not cover has made one of them, unless it seems to be that of a record.
    fn missed(&self, pass: &mut Pass<'_>, offset: TermId, last: u64, covered: TermId) -> TermId {
        if !SteppingOffset::of(&pass.graph.terms, offset, 8).is_of_records() {
            return pass.graph.terms.boolean(false);
        }
        let width = pass.graph.terms.width(offset);
        let last = pass.terms().constant(width, last);
        let inside = pass.terms().ule(offset, last);
        let elsewhere = pass.terms().not(covered);
        pass.terms().and(inside, elsewhere)
    }

    fn followed_size(&self, _limit: u64, largest: u64) -> FollowedSize {
        FollowedSize::Whole { largest }
    }

    /// A proof for objects of every size is one for those that nobody executes, too.
    fn may_be_huge(&self, size: Option<u64>) -> bool {
        size.is_none_or(|size| size > program::limits::OBJECT_BYTES)
    }

    fn lack_of_room(&self, _size: u64, _live: u64) -> Option<String> {
        None
    }

    fn lack_of_room_for_globals(&self, _program: &Program) -> Option<String> {
        None
    }

    fn wait_for_end(&self, _pass: &mut Pass<'_>, _state: &SymState, _target: InstanceId, _waits: TermId) {}

    fn add_join(&self, _pass: &mut Pass<'_>, _join: Join) {}

    /// What others do in between is not known anyway.
    fn cut_block_in_one_step(&self, _pass: &mut Pass<'_>, _standing: ThreadPosition, _span: Span) {}
}

/// Whether an offset, which lies at most at `last`, is one of the candidates whatever its value.
fn is_covered(pass: &Pass<'_>, candidates: &[u64], offset: TermId, last: u64) -> bool {
    let step = 1u64.checked_shl(trailing_zeros(&pass.graph.terms, offset, 8)).unwrap_or(u64::MAX);
    last / step < MOST_PLACES && (0..=last).step_by(step as usize).all(|at| candidates.binary_search(&at).is_ok())
}

/// The numbers among which an offset seems to be: `first` and all that differ from it by a multiple of `stride`. What it is in fact is for
/// a solver to say: multiples may wrap around.
#[derive(Clone, Copy)]
struct SteppingOffset {
    first: u64,
    stride: u64,
}

impl SteppingOffset {
    const ANY: SteppingOffset = SteppingOffset { first: 0, stride: 1 };

    /// Looks only so many levels deep.
    fn of(terms: &Terms, term: TermId, depth: u32) -> Self {
        let Some(depth) = depth.checked_sub(1) else { return Self::ANY };
        let of = |term| Self::of(terms, term, depth);
        match terms.get(term) {
            Term::Constant { value, .. } => SteppingOffset { first: value, stride: 0 },
            Term::Ite(_, a, b) => of(a).or(of(b)),
            Term::Binary(terms::BinaryOp::Add, a, b) => of(a).plus(of(b)),
            Term::Binary(terms::BinaryOp::Mul, a, b) => match (terms.as_constant(a), terms.as_constant(b)) {
                (Some(factor), _) => of(b).times(factor),
                (_, Some(factor)) => of(a).times(factor),
                _ => Self::ANY,
            },
            Term::Binary(terms::BinaryOp::Shl, a, b) => match terms.as_constant(b) {
                Some(by) if by < 32 => of(a).times(1 << by),
                _ => Self::ANY,
            },
            Term::SignExtend { arg, .. } | Term::Extract { arg, low: 0, .. } => of(arg),
            Term::Concat(high, low) if terms.as_constant(high) == Some(0) => of(low),
            _ => Self::ANY,
        }
    }

    fn or(self, other: Self) -> Self {
        let apart = self.first.abs_diff(other.first);
        let stride = greatest_common_divisor(greatest_common_divisor(self.stride, other.stride), apart);
        SteppingOffset { stride, ..self }
    }

    fn plus(self, other: Self) -> Self {
        let stride = greatest_common_divisor(self.stride, other.stride);
        SteppingOffset { first: self.first.wrapping_add(other.first), stride }
    }

    fn times(self, factor: u64) -> Self {
        SteppingOffset { first: self.first.wrapping_mul(factor), stride: self.stride.saturating_mul(factor) }
    }

    /// Whether it seems to go from record to record.
    fn is_of_records(self) -> bool {
        self.stride > 8 || (self.stride > 2 && !self.stride.is_power_of_two())
    }

    fn contains(self, number: u64) -> bool {
        number.abs_diff(self.first).is_multiple_of(self.stride.max(1))
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// How many of the lowest bits of a term are certainly zero. Looks only so many levels deep.
fn trailing_zeros(terms: &Terms, term: TermId, depth: u32) -> u32 {
    let width = terms.width(term);
    let Some(depth) = depth.checked_sub(1) else { return 0 };
    let zeros = |term| trailing_zeros(terms, term, depth);
    let count = match terms.get(term) {
        Term::Constant { value: 0, .. } => width,
        Term::Constant { value, .. } => value.trailing_zeros(),
        Term::Ite(_, a, b) | Term::Binary(terms::BinaryOp::Add | terms::BinaryOp::Sub | terms::BinaryOp::Or, a, b) => {
            zeros(a).min(zeros(b))
        }
        Term::Binary(terms::BinaryOp::And, a, b) => zeros(a).max(zeros(b)),
        Term::Binary(terms::BinaryOp::Mul, a, b) => zeros(a) + zeros(b),
        Term::Binary(terms::BinaryOp::Shl, a, b) => {
            zeros(a) + terms.as_constant(b).map_or(0, |by| by.min(u64::from(width)) as u32)
        }
        Term::Unary(terms::UnaryOp::Neg, a) => zeros(a),
        Term::Concat(high, low) if zeros(low) == terms.width(low) => terms.width(low) + zeros(high),
        Term::Concat(_, low) => zeros(low),
        Term::SignExtend { arg, .. } => zeros(arg),
        Term::Extract { arg, low, .. } => zeros(arg).saturating_sub(u32::from(low)),
        _ => 0,
    };
    count.min(width)
}

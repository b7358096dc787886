//! What a thread of a thread-modular unfolding knows of the words that threads share: what each held when the thread last
//! looked, and, by relations that every step of every thread keeps, what each may hold since (rely and guarantee; Jones 1983).
//!
//! - A *moment* is a new look at all words at once. Whatever the thread knew of them is related to what it finds by all
//!   candidates for relations (`word_relations`) together; they are preorders, so it does not matter how many steps others have done.
//! - A step that writes is checked as a whole: what the words held before it, and what they hold after it. Sections of a
//!   lock that protects a word write it when they end; atomic sections are one step.
//! - Two kinds of candidates let a thread know that nobody else writes a word: a mutex that is held whenever the word is written;
//!   and a word that is used as a lock, see [`Candidates::check_word_lock`].

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use events::{CellKey, CellPart};
use symbolic::{ObjectKey, SymValue};
use sync::{FieldSort, ObjectKind};
use terms::{TermId, Terms};

use crate::blended::BLENDED;
use crate::cells::bits_of;
use crate::critical_section::Lock;
use crate::invariants::{SharedCandidates, check_candidate};
use crate::modular_facts;
use crate::pass::Pass;
use crate::state::SymState;
use crate::word_relations::{self, MOST_WORDS, WordIndex, WordInvariant, WordKinds, WordRelation, is_set};

/// What a thread knows of the shared words; each vector has one entry for each of them.
#[derive(Clone, Debug)]
pub struct KnownWords {
    /// What they held when the thread last looked, and what it has written there since.
    now: Vec<TermId>,
    /// What there was before the step that is under way, if it has written any.
    before: Option<Before>,
    /// When the thread has set the word, which was zero before, and nobody else can have changed it, if it is used as a lock.
    owned: Vec<TermId>,
    /// Locks held since the thread last looked.
    locks: Vec<Lock>,
    /// The thread itself has written nothing since it last looked but what is in `now`.
    continuous: bool,
    /// Nobody else has done a step since the thread last looked, if it stands inside an atomic section or an atomic instruction.
    still: bool,
}

#[derive(Clone, Debug)]
struct Before {
    /// What the words held.
    values: Vec<TermId>,
    /// The locks that the thread held.
    locks: Vec<Lock>,
}

impl KnownWords {
    /// What is known where paths meet that exclude each other; `condition` holds on the first.
    pub fn merge(terms: &mut Terms, condition: TermId, a: &Rc<Self>, b: &Rc<Self>) -> Rc<Self> {
        if Rc::ptr_eq(a, b) {
            return a.clone();
        }
        let mut select = |a: &[TermId], b: &[TermId]| -> Vec<TermId> {
            a.iter().zip(b).map(|(&x, &y)| terms.ite(condition, x, y)).collect()
        };
        let before = match (&a.before, &b.before) {
            (None, None) => None,
            (Some(one), None) => Some(Before { values: select(&one.values, &b.now), locks: one.locks.clone() }),
            (None, Some(one)) => Some(Before { values: select(&a.now, &one.values), locks: one.locks.clone() }),
            (Some(x), Some(y)) => {
                let locks = x.locks.iter().copied().filter(|lock| y.locks.contains(lock)).collect();
                Some(Before { values: select(&x.values, &y.values), locks })
            }
        };
        Rc::new(KnownWords {
            now: select(&a.now, &b.now),
            before,
            owned: select(&a.owned, &b.owned),
            locks: a.locks.iter().copied().filter(|lock| b.locks.contains(lock)).collect(),
            continuous: a.continuous && b.continuous,
            still: a.still && b.still,
        })
    }

    /// What a thread knows that is created by one who knows this.
    pub fn for_created(&self, terms: &Terms) -> Self {
        let never = terms.boolean(false);
        let owned = vec![never; self.now.len()];
        // It owns nothing that could have changed.
        Self { before: None, owned, locks: Vec::new(), continuous: true, still: false, ..self.clone() }
    }

    /// Only these locks are still held.
    pub fn keep_locks(&mut self, is_held: impl Fn(Lock) -> bool) {
        self.locks.retain(|&lock| is_held(lock));
    }
}

/// A candidate: the thread owns a word in every round of a loop if it owned it `at_first`.
#[derive(Clone, Copy, Debug)]
pub struct KeptLock {
    word: WordIndex,
    at_first: TermId,
    /// Its number in the event graph.
    index: usize,
}

/// The words and the candidates of one pass.
struct Candidates {
    words: Vec<CellKey>,
    relations: Vec<(WordRelation, usize)>,
    invariants: Vec<(WordInvariant, usize)>,
    /// Nobody writes the second word but who has set the first.
    word_locks: Vec<([WordIndex; 2], usize)>,
    /// The word is written only while the lock is held.
    mutexes: BTreeMap<(Lock, WordIndex), usize>,
    /// All steps that write words, for mutexes that are met later.
    steps: Vec<WritingStep>,
}

struct WritingStep {
    when: TermId,
    before: Vec<TermId>,
    after: Vec<TermId>,
    locks: Vec<Lock>,
}

impl WritingStep {
    /// When the step changes the word without holding the lock.
    fn changes_without(&self, terms: &mut Terms, lock: Lock, word: WordIndex) -> Option<TermId> {
        if self.locks.contains(&lock) || self.before[word] == self.after[word] {
            return None;
        }
        let changes = terms.distinct(self.before[word], self.after[word]);
        Some(terms.and(self.when, changes))
    }
}

/// What the abstraction keeps of shared words.
pub(crate) struct SharedWords {
    /// Otherwise there are no words.
    is_wanted: bool,
    candidates: Option<Candidates>,
    /// How deep the innermost of the steps lies within which several accesses happen at the same time.
    depth: u32,
    /// How many candidates have been assumed or checked, each time counted.
    effort: usize,
}

/// A program for which candidates are looked at more often than this is too large.
const MOST_EFFORT: usize = 60_000;

impl SharedWords {
    pub fn new(is_wanted: bool) -> Self {
        Self { is_wanted, candidates: None, depth: 0, effort: 0 }
    }

    /// Other threads are about to exist.
    pub fn begin(&mut self, pass: &mut Pass<'_>, state: &mut SymState) {
        if !self.is_wanted {
            return;
        }
        let candidates = self.candidates.get_or_insert_with(|| Candidates::new(pass));
        if candidates.words.is_empty() {
            return;
        }
        let words = candidates.words.clone();
        let now: Vec<TermId> = words
            .into_iter()
            .map(|cell| {
                let known = state.memory.get(&cell).cloned();
                known.and_then(|value| number(pass, cell, &value)).unwrap_or_else(|| anything(pass, cell))
            })
            .collect();
        for &(invariant, index) in &candidates.invariants {
            let holds = invariant.holds(pass.terms(), &now);
            check_candidate(pass, index, state, holds);
        }
        // There is nobody else yet.
        let owned = now.iter().map(|&value| is_set(pass.terms(), value)).collect();
        state.words =
            Some(Rc::new(KnownWords { now, before: None, owned, locks: Vec::new(), continuous: true, still: false }));
    }

    fn index(&self, cell: CellKey) -> Option<WordIndex> {
        self.candidates.as_ref()?.words.iter().position(|&word| word == cell)
    }

    /// What the thread finds in a word, if the cell is one.
    pub fn read(
        &mut self,
        pass: &mut Pass<'_>,
        state: &mut SymState,
        shared: &mut SharedCandidates,
        cell: CellKey,
    ) -> Option<SymValue> {
        let word = self.index(cell)?;
        self.look(pass, state, shared)?;
        Some(SymValue::Int(state.words.as_ref()?.now[word]))
    }

    /// The thread writes a word when `condition` holds. Unless more belongs to the same step, it is to be ended then.
    pub fn write(
        &mut self,
        pass: &mut Pass<'_>,
        state: &mut SymState,
        shared: &mut SharedCandidates,
        (cell, condition): (CellKey, TermId),
        value: &SymValue,
    ) {
        let Some(word) = self.index(cell) else { return };
        let has_begun = state.words.as_ref().is_some_and(|words| words.before.is_some());
        if !has_begun && self.look(pass, state, shared).is_none() {
            return;
        }
        let value = number(pass, cell, value).unwrap_or_else(|| anything(pass, cell));
        let Some(words) = &mut state.words else { return };
        let words = Rc::make_mut(words);
        let locks = || state.locks.iter().map(|(lock, _)| *lock).collect();
        words.before.get_or_insert_with(|| Before { values: words.now.clone(), locks: locks() });
        words.now[word] = pass.terms().ite(condition, value, words.now[word]);
    }

    /// Accesses happen at the same time from here on, until that is ended. With `looks`, at this moment.
    pub fn begin_one_step(&mut self, pass: &mut Pass<'_>, state: &mut SymState, looks: Option<&mut SharedCandidates>) {
        if self.depth == 0 {
            self.move_on(state);
        }
        self.depth += 1;
        if let Some(shared) = looks {
            self.look(pass, state, shared);
        }
    }

    pub fn leave_one_step(&mut self) {
        self.depth -= 1;
    }

    /// Whether what is written is a step, now that it is written.
    pub fn is_complete(&self, state: &SymState) -> bool {
        self.depth == 0 && state.atomic.is_none()
    }

    /// Others may do steps from here on, unless the thread is inside an atomic section.
    pub fn move_on(&self, state: &mut SymState) {
        if state.atomic.is_none()
            && let Some(words) = &mut state.words
            && words.still
        {
            Rc::make_mut(words).still = false;
        }
    }

    /// Any round of a loop may begin. What the words held before is still related to what they hold, since the thread's own
    /// steps keep the relations like all others. Those that the loop has `written` the thread may still own in every round:
    /// that is one more candidate for each.
    pub fn begin_round(&self, pass: &mut Pass<'_>, state: &mut SymState, written: &BTreeSet<CellKey>) -> Vec<KeptLock> {
        let mut kept = Vec::new();
        let (Some(candidates), Some(words)) = (&self.candidates, &mut state.words) else { return kept };
        let words = Rc::make_mut(words);
        words.still = false;
        words.continuous = false;
        words.locks.clear();
        for (word, (cell, owned)) in candidates.words.iter().zip(&mut words.owned).enumerate() {
            if written.contains(cell) && !pass.graph.is_false(*owned) {
                let (at_first, index) = (*owned, pass.graph.add_candidate());
                let assumed = pass.graph.candidates[index].assumed;
                *owned = pass.terms().and(at_first, assumed);
                kept.push(KeptLock { word, at_first, index });
            }
        }
        kept
    }

    /// A round is over: the thread must own what it owned when the loop was entered.
    pub fn end_round(&self, pass: &mut Pass<'_>, state: &SymState, kept: &[KeptLock]) {
        for &KeptLock { word, at_first, index } in kept {
            let never = pass.graph.terms.boolean(false);
            let owned = state.words.as_ref().map_or(never, |words| words.owned[word]);
            let holds = pass.terms().implies(at_first, owned);
            check_candidate(pass, index, state, holds);
        }
    }

    /// Looks at all words, unless nobody can have changed them since. `None` if there are none.
    fn look(&mut self, pass: &mut Pass<'_>, state: &mut SymState, shared: &mut SharedCandidates) -> Option<()> {
        let mut words = state.words.clone()?;
        if words.still && (state.atomic.is_some() || self.depth > 0) {
            return Some(());
        }
        let candidates = self.candidates.as_mut()?;
        if candidates.words.is_empty() {
            return None;
        }
        self.effort += candidates.count();
        if self.effort > MOST_EFFORT {
            candidates.give_up(pass);
            return None;
        }
        let mut found = Vec::new();
        let mut assumed = Vec::new();
        for &cell in &candidates.words {
            let certain = certain_value(pass, state, cell).and_then(|value| number(pass, cell, &value));
            let value = certain.unwrap_or_else(|| anything(pass, cell));
            shared.assumptions(pass, cell, &SymValue::Int(value), &mut assumed);
            found.push(value);
        }
        for &(relation, index) in &candidates.relations {
            let holds = relation.holds(pass.terms(), &words.now, &found);
            add_assumption(pass, index, holds, &mut assumed);
        }
        for &(invariant, index) in &candidates.invariants {
            let holds = invariant.holds(pass.terms(), &found);
            add_assumption(pass, index, holds, &mut assumed);
        }
        for &([lock, word], index) in &candidates.word_locks {
            let owned = words.owned[lock];
            let mut holds = is_set(pass.terms(), found[lock]);
            if words.continuous {
                for kept in [lock, word] {
                    let same = pass.terms().eq(words.now[kept], found[kept]);
                    holds = pass.terms().and(holds, same);
                }
            }
            let holds = pass.terms().implies(owned, holds);
            add_assumption(pass, index, holds, &mut assumed);
        }
        if words.continuous {
            let locks: Vec<Lock> = words.locks.iter().copied().filter(|&lock| pass.survey.is_reliable(lock)).collect();
            for lock in locks {
                for (word, &value) in found.iter().enumerate() {
                    if is_owner(candidates.words[word]) {
                        continue;
                    }
                    let index = candidates.mutex(pass, lock, word);
                    let same = pass.terms().eq(words.now[word], value);
                    add_assumption(pass, index, same, &mut assumed);
                }
            }
        }
        let goes_on = pass.terms().and_all(&assumed);
        pass.restrict(state, goes_on);
        let known = Rc::make_mut(&mut words);
        known.now = found;
        known.locks = state.locks.iter().map(|(lock, _)| *lock).collect();
        known.continuous = true;
        known.still = true;
        state.words = Some(words);
        Some(())
    }

    /// A step is over: it must keep the candidates. The words that it has written.
    pub fn end_step(&mut self, pass: &mut Pass<'_>, state: &mut SymState) -> Vec<CellKey> {
        let (Some(candidates), Some(words)) = (&mut self.candidates, &mut state.words) else { return Vec::new() };
        let words = Rc::make_mut(words);
        let Some(Before { values: before, locks }) = words.before.take() else { return Vec::new() };
        if candidates.words.is_empty() {
            return Vec::new();
        }
        self.effort += candidates.count();
        let after = words.now.clone();
        let was_owned = words.owned.clone();
        for (word, owned) in words.owned.iter_mut().enumerate() {
            let (was_set, is_set) = (is_set(pass.terms(), before[word]), is_set(pass.terms(), after[word]));
            let terms = pass.terms();
            let takes = terms.not(was_set);
            let takes = terms.or(takes, *owned);
            *owned = terms.and(is_set, takes);
        }
        let when = pass.guard_term(state);
        let step = WritingStep { when, before, after, locks };
        candidates.check(pass, state, step, &was_owned)
    }
}

impl Candidates {
    fn new(pass: &mut Pass<'_>) -> Self {
        let shared: Vec<CellKey> = pass.survey.shared_cells().collect();
        let mut words: Vec<CellKey> = shared.into_iter().filter(|&cell| is_word(pass, cell)).collect();
        words.truncate(MOST_WORDS);
        let (owners, data): (Vec<WordIndex>, Vec<WordIndex>) =
            (0..words.len()).partition(|&word| is_owner(words[word]));
        let constants =
            data.iter().filter_map(|&word| Some((word, pass.survey.modular.written_constants(words[word])?)));
        let constants = constants.collect();
        let flags = data.iter().copied().filter(|&word| pass.survey.modular.is_flag(words[word])).collect();
        let kinds = WordKinds { widths: words.iter().map(|&cell| bits_of(cell)).collect(), owners, flags, constants };
        let relations = word_relations::relations(&kinds);
        let relations = relations.into_iter().map(|relation| (relation, pass.graph.add_candidate())).collect();
        let invariants = word_relations::invariants(&kinds);
        let invariants = invariants.into_iter().map(|invariant| (invariant, pass.graph.add_candidate())).collect();
        let word_locks = word_relations::locks(&kinds);
        let word_locks = word_locks.into_iter().map(|pair| (pair, pass.graph.add_candidate())).collect();
        Self { words, relations, invariants, word_locks, mutexes: BTreeMap::default(), steps: Vec::new() }
    }

    fn count(&self) -> usize {
        self.relations.len() + self.invariants.len() + self.word_locks.len() + self.mutexes.len()
    }

    /// From here on nothing is assumed or checked any more. So nothing counts that was assumed so far.
    fn give_up(&mut self, pass: &mut Pass<'_>) {
        let always = pass.graph.terms.boolean(true);
        let relations = self.relations.drain(..).map(|(_, index)| index);
        let invariants = self.invariants.drain(..).map(|(_, index)| index);
        let word_locks = self.word_locks.drain(..).map(|(_, index)| index);
        let mutexes = std::mem::take(&mut self.mutexes).into_values();
        for index in relations.chain(invariants).chain(word_locks).chain(mutexes) {
            pass.graph.add_failure(index, always);
        }
        self.words.clear();
        self.steps.clear();
    }

    /// The candidate that a word is written only under a lock. Steps before it was made count, too.
    fn mutex(&mut self, pass: &mut Pass<'_>, lock: Lock, word: WordIndex) -> usize {
        if let Some(&index) = self.mutexes.get(&(lock, word)) {
            return index;
        }
        let index = pass.graph.add_candidate();
        self.mutexes.insert((lock, word), index);
        for step in &self.steps {
            if let Some(failure) = step.changes_without(pass.terms(), lock, word) {
                pass.graph.add_failure(index, failure);
            }
        }
        index
    }

    fn check(
        &mut self,
        pass: &mut Pass<'_>,
        state: &SymState,
        step: WritingStep,
        was_owned: &[TermId],
    ) -> Vec<CellKey> {
        let (before, after) = (&step.before[..], &step.after[..]);
        let changed: Vec<WordIndex> = (0..after.len()).filter(|&word| before[word] != after[word]).collect();
        for (relation, index) in &self.relations {
            if changed.iter().any(|&word| relation.mentions(word)) {
                let holds = relation.holds(pass.terms(), before, after);
                check_candidate(pass, *index, state, holds);
            }
        }
        for (invariant, index) in &self.invariants {
            if changed.iter().any(|&word| invariant.mentions(word)) {
                let holds = invariant.holds(pass.terms(), after);
                check_candidate(pass, *index, state, holds);
            }
        }
        for &([lock, word], index) in &self.word_locks {
            if changed.contains(&lock) || changed.contains(&word) {
                let holds = Self::check_word_lock(pass.terms(), [lock, word], (before, after), was_owned);
                check_candidate(pass, index, state, holds);
            }
        }
        for (&(lock, word), &index) in &self.mutexes {
            if let Some(failure) = step.changes_without(pass.terms(), lock, word) {
                pass.graph.add_failure(index, failure);
            }
        }
        self.steps.push(step);
        changed.into_iter().map(|word| self.words[word]).collect()
    }

    /// A word is used as a lock for another if neither changes in a step before which the lock is set, unless by the thread that
    /// has set it. Then there is at most one such thread: it found the lock clear in the very step that set it.
    fn check_word_lock(
        terms: &mut Terms,
        [lock, word]: [WordIndex; 2],
        (before, after): (&[TermId], &[TermId]),
        was_owned: &[TermId],
    ) -> TermId {
        let was_set = is_set(terms, before[lock]);
        let is_free = terms.not(was_set);
        let may_write = terms.or(is_free, was_owned[lock]);
        let same = [lock, word].map(|word| terms.eq(before[word], after[word]));
        let neither = terms.and_all(&same);
        terms.or(may_write, neither)
    }
}

/// Whether a cell is a number in a global that is always accessed as a whole, or tells who holds a mutex there.
fn is_word(pass: &Pass<'_>, cell: CellKey) -> bool {
    let survey = &pass.survey;
    let is_whole = match cell.part {
        CellPart::Bytes(bytes) => {
            let overlapping = survey.byte_cells_within(cell.object, cell.offset, u64::from(bytes));
            overlapping.iter().all(|&one| one == (cell.offset, bytes))
        }
        CellPart::Field(ObjectKind::Mutex | ObjectKind::Spin, field) => field.sort() == FieldSort::Owner,
        _ => false,
    };
    let object = cell.object;
    is_whole
        && matches!(survey.objects.get(object).key, ObjectKey::Global(global) if !pass.program.globals[global].thread_local)
        && cell.offset < BLENDED
        && !survey.is_blended(object)
        && !survey.is_unknowable_cell(cell)
        && survey.array_unit(object).is_none()
        && survey.targets(cell).next().is_none()
        && !survey.holds_address_bytes(cell)
}

/// Whether the cell tells who holds a mutex.
fn is_owner(cell: CellKey) -> bool {
    matches!(cell.part, CellPart::Field(..))
}

/// What a cell certainly holds, as far as others can see: what a critical section found in it, whatever it has written there, or what an
/// atomic section has seen or written.
fn certain_value(pass: &Pass<'_>, state: &SymState, cell: CellKey) -> Option<SymValue> {
    if let Some(held) = state.held.get(&cell) {
        return held.certainly_found(&pass.graph.terms).cloned();
    }
    state.atomic.and_then(|_| state.memory.get(&cell).cloned())
}

fn number(pass: &mut Pass<'_>, cell: CellKey, value: &SymValue) -> Option<TermId> {
    match pass.as_contents(cell, value) {
        SymValue::Int(term) if pass.graph.terms.width(term) == bits_of(cell) => Some(term),
        _ => None,
    }
}

fn anything(pass: &mut Pass<'_>, cell: CellKey) -> TermId {
    match modular_facts::any_visible_contents(pass, cell) {
        SymValue::Int(term) => term,
        _ => pass.terms().bv_variable("any", bits_of(cell)),
    }
}

/// That the candidate holds if it is assumed.
fn add_assumption(pass: &mut Pass<'_>, index: usize, holds: TermId, assumed: &mut Vec<TermId>) {
    if !pass.graph.is_true(holds) {
        let candidate = pass.graph.candidates[index].assumed;
        assumed.push(pass.terms().implies(candidate, holds));
    }
}

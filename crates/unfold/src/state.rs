//! The state of one thread instance at one place of the unfolded program, and how states that meet are merged.

use std::rc::Rc;

use events::{CellKey, CellPart, GuardId, Guards, InstanceId, NodeId};
use program::Location;
use rustc_hash::FxHashMap;
use symbolic::{ObjectId, SymValue};
use terms::{TermId, Terms};

use crate::contact::ByteRange;
use crate::critical_section::{HeldCells, Locks, merge_held};
use crate::idle_rounds::{Activity, Round};
use crate::idle_wake_ups::WakeUp;
use crate::lifetimes::no_life_yet;
use crate::shared_words::KnownWords;
use crate::survey::{CellClass, PassFacts};

#[derive(Clone, Debug)]
pub struct SymState {
    /// Whose state it is.
    pub instance: InstanceId,
    /// The thread gets here: path condition and every assumption on the way.
    pub guard: GuardId,
    /// Registers of the current activation; `None` where nothing was assigned, or where it no longer matters.
    pub registers: Rc<Vec<Option<SymValue>>>,
    /// The addresses of the current activation's memory locals; `None` before their first life.
    pub locals: Rc<Vec<Option<SymValue>>>,
    /// Of the objects that the thread's activations have made on its stack, those that may live, the oldest first.
    pub living: Rc<Vec<ObjectId>>,
    /// What is known to be in memory: every cell that is folded, every cell at all while only one thread exists, and
    /// what an atomic section has seen or written so far.
    pub memory: Rc<FxHashMap<CellKey, SymValue>>,
    /// What is known of the cells that the locks in `locks` protect; not in `memory`.
    pub held: HeldCells,
    /// The locks that the thread certainly holds.
    pub locks: Locks,
    /// The threads that have certainly been joined.
    pub joined: Rc<Vec<InstanceId>>,
    /// What is known of shared words; only where there are no events.
    pub words: Option<Rc<KnownWords>>,
    /// No other thread has been created on any path to here.
    pub single: bool,
    pub atomic: Option<AtomicSection>,
    /// What the current rounds of the loops around this place have done.
    pub activity: Activity,
    pub last_wake_up: Option<WakeUp>,
    /// The parts that the thread has overwritten of synchronisation objects that nobody can use before all of their bytes
    /// are overwritten.
    pub overwritten: Vec<ByteRange>,
}

/// Where a thread stands, without what it knows: enough to say that it stops there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreadPosition {
    pub guard: GuardId,
    pub atomic: Option<AtomicSection>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AtomicSection {
    pub node: NodeId,
    /// Where the section begins.
    pub begin: Location,
    /// The step that it is, among those of its instance.
    pub step: Option<usize>,
    pub depth: u32,
    /// See `abandoned_section`; `None` if the section is always finished.
    pub abandoned: Option<TermId>,
    /// The section has synchronised with others already.
    pub synchronised: bool,
}

impl SymState {
    pub fn standing(&self) -> ThreadPosition {
        ThreadPosition { guard: self.guard, atomic: self.atomic }
    }

    pub fn set_register(&mut self, register: program::RegisterId, value: SymValue) {
        Rc::make_mut(&mut self.registers)[register.0 as usize] = Some(value);
    }

    pub fn set_cell(&mut self, cell: CellKey, value: SymValue) {
        Rc::make_mut(&mut self.memory).insert(cell, value);
    }

    /// Forgets what other threads may change.
    pub fn forget_shared(&mut self, survey: &PassFacts) {
        if self.memory.keys().any(|&cell| survey.class(cell) != CellClass::Folded) {
            Rc::make_mut(&mut self.memory).retain(|&cell, _| survey.class(cell) == CellClass::Folded);
        }
    }
}

/// Two states of one activation that disagree in a way no term can express.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CannotMerge;

/// Merges two states at the same place; the guards exclude each other. Both are single-threaded or neither is, and both
/// hold the same locks.
pub fn merge(
    terms: &mut Terms,
    guards: &mut Guards,
    survey: &PassFacts,
    a: SymState,
    b: SymState,
) -> Result<SymState, CannotMerge> {
    debug_assert_eq!(a.atomic, b.atomic, "states should agree on atomic sections before they are merged");
    debug_assert_eq!(a.single, b.single, "states should agree on being single-threaded before they are merged");
    debug_assert_eq!(a.locks, b.locks, "states should agree on locks before they are merged");
    let (guard, condition) = guards.join(terms, a.guard, b.guard);
    let registers = merge_registers(terms, condition, &a.registers, &b.registers)?;
    let locals = merge_locals(terms, condition, &a.locals, &b.locals)?;
    let living = merge_living(&a.living, &b.living);
    let keep = |cell: CellKey| a.single || survey.class(cell) == CellClass::Folded;
    let memory = merge_memory(terms, condition, &a.memory, &b.memory, keep)?;
    let activity = a.activity.iter().zip(&b.activity).map(|(x, y)| Round::merge(terms, condition, x, y)).collect();
    let last_wake_up = WakeUp::merge(terms, condition, a.last_wake_up.as_ref(), b.last_wake_up.as_ref());
    let held = merge_held(terms, condition, &a.held, &b.held)?;
    let joined = merge_joined(&a.joined, &b.joined);
    let words = match (&a.words, &b.words) {
        (Some(x), Some(y)) => Some(KnownWords::merge(terms, condition, x, y)),
        _ => None,
    };
    let SymState { instance, locks, single, atomic, mut overwritten, .. } = a;
    overwritten.retain(|stretch| b.overwritten.contains(stretch));
    Ok(SymState {
        instance,
        guard,
        registers,
        locals,
        living,
        memory,
        held,
        locks,
        joined,
        words,
        single,
        atomic,
        activity,
        last_wake_up,
        overwritten,
    })
}

/// A local that lives on one path only has no address on the other.
fn merge_locals(terms: &mut Terms, condition: TermId, a: &Registers, b: &Registers) -> Result<Registers, CannotMerge> {
    if Rc::ptr_eq(a, b) {
        return Ok(a.clone());
    }
    let mut merged = Vec::with_capacity(a.len());
    for (x, y) in a.iter().zip(b.iter()) {
        let Some(SymValue::Pointer { offset, .. }) = x.as_ref().or(y.as_ref()) else {
            merged.push(None);
            continue;
        };
        let zero = terms.constant(terms.width(*offset), 0);
        let nowhere = SymValue::raw(terms, zero);
        let (x, y) = (x.as_ref().unwrap_or(&nowhere), y.as_ref().unwrap_or(&nowhere));
        merged.push(Some(SymValue::select(terms, condition, x, y).ok_or(CannotMerge)?));
    }
    Ok(Rc::new(merged))
}

/// What an object made on one path only has been through does not matter on the other.
fn merge_living(a: &Rc<Vec<ObjectId>>, b: &Rc<Vec<ObjectId>>) -> Rc<Vec<ObjectId>> {
    if a == b {
        return a.clone();
    }
    let mut all = (**a).clone();
    all.extend(b.iter().filter(|object| !a.contains(object)));
    Rc::new(all)
}

fn merge_joined(a: &Rc<Vec<InstanceId>>, b: &Rc<Vec<InstanceId>>) -> Rc<Vec<InstanceId>> {
    if a == b {
        return a.clone();
    }
    Rc::new(a.iter().copied().filter(|instance| b.contains(instance)).collect())
}

type Registers = Rc<Vec<Option<SymValue>>>;

fn merge_registers(
    terms: &mut Terms,
    condition: TermId,
    a: &Registers,
    b: &Registers,
) -> Result<Registers, CannotMerge> {
    if Rc::ptr_eq(a, b) {
        return Ok(a.clone());
    }
    let merged: Result<Vec<_>, _> = a
        .iter()
        .zip(b.iter())
        .map(|pair| match pair {
            (Some(x), Some(y)) => SymValue::select(terms, condition, x, y).map(Some).ok_or(CannotMerge),
            (Some(value), None) | (None, Some(value)) => Ok(Some(value.clone())),
            (None, None) => Ok(None),
        })
        .collect();
    Ok(Rc::new(merged?))
}

type Memory = Rc<FxHashMap<CellKey, SymValue>>;

/// A cell that only one side knows belongs to an object that only this side has made, if `keep` says so.
fn merge_memory(
    terms: &mut Terms,
    condition: TermId,
    a: &Memory,
    b: &Memory,
    keep: impl Fn(CellKey) -> bool,
) -> Result<Memory, CannotMerge> {
    if Rc::ptr_eq(a, b) {
        return Ok(a.clone());
    }
    let mut merged = FxHashMap::with_capacity_and_hasher(a.len().max(b.len()), Default::default());
    // Sorted, so that terms are numbered the same way in every run.
    let mut cells: Vec<CellKey> = a.keys().copied().collect();
    cells.extend(b.keys().filter(|cell| !a.contains_key(cell)));
    cells.sort_unstable();
    for cell in cells {
        match (a.get(&cell), b.get(&cell)) {
            (Some(x), Some(y)) => {
                merged.insert(cell, SymValue::select(terms, condition, x, y).ok_or(CannotMerge)?);
            }
            (x, y) if keep(cell) && cell.part == CellPart::Life => {
                let untouched = no_life_yet(terms);
                let (x, y) = (x.unwrap_or(&untouched), y.unwrap_or(&untouched));
                merged.insert(cell, SymValue::select(terms, condition, x, y).ok_or(CannotMerge)?);
            }
            (Some(value), None) | (None, Some(value)) if keep(cell) => {
                merged.insert(cell, value.clone());
            }
            _ => {}
        }
    }
    Ok(Rc::new(merged))
}

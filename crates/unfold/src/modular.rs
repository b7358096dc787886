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
//! [`Survey`](crate::survey::Survey), such facts are used only when a whole pass has confirmed them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use base::Span;
use events::{CellKey, CellPart, CutKind, InstanceId};
use program::{BinaryOp, BlockId, FunctionId, GlobalId, Location, Operand, RegisterId, Rvalue};
use symbolic::value::names_nothing;
use symbolic::{OBJECT_BITS, ObjectId, ObjectKey, SymValue, Targets};
use sync::FieldSort;
use terms::{Term, TermId, Terms};

use crate::critical_section::{Lock, Locks};
use crate::invariants::{LoopCandidate, Variable};
use crate::memory::{Place, bits_of};
use crate::shaped_places::has_scalars;
use crate::state::{AtomicSection, Standing, State};
use crate::survey::CellClass;
use crate::unfolder::{Activation, Failure, Site, Unfolder};
use crate::unroll_order::UnrollOrder;

/// Another thread of the same kind as the one at work.
pub const ANOTHER: InstanceId = InstanceId(u32::MAX);

/// Places of blended objects lie beyond all others.
const BLENDED: u64 = 1 << 40;

/// More places than this are blended into one.
const MOST_PLACES: u64 = 64;

/// A loop of one thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LoopKey {
    pub instance: InstanceId,
    pub function: FunctionId,
    pub head: BlockId,
}

/// What earlier passes have learned, beside what every unfolding wants to know.
#[derive(Clone, Debug, Default)]
pub struct ModularFacts {
    loops: BTreeMap<LoopKey, LoopFacts>,
    /// Instances that stand for any number of threads.
    many: BTreeSet<InstanceId>,
    /// Objects that are made again and again while somebody knows older ones.
    plural: BTreeSet<ObjectId>,
    /// Objects that are made again and again.
    reborn: BTreeSet<ObjectId>,
    /// Objects whose address is given to a new thread.
    handed_over: BTreeSet<ObjectId>,
    /// Objects that are accessed at places which are not known: all places of one size are one.
    blended: BTreeSet<ObjectId>,
    /// What is ever written to a cell.
    contents: BTreeMap<CellKey, Constants>,
    /// What others may find in it: not what is overwritten while nobody can look.
    visible: BTreeMap<CellKey, Constants>,
}

#[derive(Clone, Debug, Default)]
struct LoopFacts {
    /// What it may write of what a thread can know.
    cells: BTreeSet<CellKey>,
    /// What the registers that it carries along may hold at its head.
    registers: BTreeMap<RegisterId, Form>,
    /// What a thread may no longer know in a later round, because it has left the critical section.
    forgotten: BTreeSet<CellKey>,
    /// Locks that are held where it is entered and may not be held in a later round.
    lost: BTreeSet<Lock>,
    creates_threads: bool,
}

impl ModularFacts {
    /// Forgets what follows from the values of memory, after a pass that did not know all of it.
    pub fn forget_values(&mut self) {
        self.loops.clear();
        self.contents.clear();
        self.visible.clear();
    }
}

/// A few constants, or anything.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Constants {
    Few(BTreeSet<u64>),
    Any,
}

impl Default for Constants {
    fn default() -> Self {
        Constants::Few(BTreeSet::new())
    }
}

impl Constants {
    const MOST: usize = 8;

    /// Adds a value; whether that changed anything.
    fn add(&mut self, value: Option<u64>) -> bool {
        let Constants::Few(known) = self else { return false };
        match value {
            Some(value) => {
                let is_new = known.insert(value);
                if known.len() > Self::MOST {
                    *self = Constants::Any;
                }
                is_new
            }
            None => {
                *self = Constants::Any;
                true
            }
        }
    }

    fn include(&mut self, other: &Constants) -> bool {
        match other {
            Constants::Few(values) => values.iter().fold(false, |grew, &value| self.add(Some(value)) | grew),
            Constants::Any => self.add(None),
        }
    }

    /// The constants among which conditions choose in a term.
    fn of(terms: &Terms, term: TermId) -> Self {
        let mut constants = Constants::default();
        let mut open = vec![term];
        for _ in 0..4 * Self::MOST {
            let Some(term) = open.pop() else { return constants };
            match terms.get(term) {
                Term::Ite(_, then, otherwise) => open.extend([then, otherwise]),
                Term::Constant { value, .. } => _ = constants.add(Some(value)),
                Term::Boolean(value) => _ = constants.add(Some(u64::from(value))),
                _ => return Constants::Any,
            }
        }
        Constants::Any
    }
}

/// What a value may be.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Form {
    kind: Kind,
    /// Of a pointer.
    targets: BTreeSet<ObjectId>,
    /// The number, the truth value or the offset of a pointer.
    constants: Constants,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Truth,
    Number { bits: u32 },
    Pointer { bits: u32 },
}

impl Form {
    fn of(terms: &Terms, value: &SymValue) -> Form {
        let (kind, targets, number) = match value {
            SymValue::Bool(term) => (Kind::Truth, BTreeSet::new(), *term),
            SymValue::Int(term) => (Kind::Number { bits: terms.width(*term) }, BTreeSet::new(), *term),
            SymValue::Pointer { offset, targets, .. } => {
                (Kind::Pointer { bits: terms.width(*offset) }, targets.iter().copied().collect(), *offset)
            }
        };
        Form { kind, targets, constants: Constants::of(terms, number) }
    }

    /// Makes room for what `other` may be; whether that changed anything.
    fn include(&mut self, other: &Form) -> bool {
        let before = self.clone();
        if self.kind != other.kind {
            // A number where there are pointers, too, is a pointer to nothing.
            if let (Kind::Number { bits }, _) | (_, Kind::Number { bits }) = (self.kind, other.kind) {
                self.kind = Kind::Pointer { bits };
                self.targets.insert(ObjectId::NONE);
            }
        }
        self.targets.extend(&other.targets);
        self.constants.include(&other.constants);
        *self != before
    }

    /// Any value of this form. `constraints` gets what restricts it.
    fn any_value(&self, terms: &mut Terms, constraints: &mut Vec<TermId>) -> SymValue {
        match self.kind {
            Kind::Truth => match &self.constants {
                Constants::Few(values) if values.len() == 1 => SymValue::Bool(terms.boolean(values.contains(&1))),
                _ => SymValue::Bool(terms.bool_variable("any")),
            },
            Kind::Number { bits } => SymValue::Int(any_number(terms, bits, &self.constants, constraints)),
            Kind::Pointer { bits } => {
                let numbers = Constants::Few(self.targets.iter().map(|target| u64::from(target.0)).collect());
                let object = any_number(terms, OBJECT_BITS, &numbers, constraints);
                let offset = any_number(terms, bits, &self.constants, constraints);
                let targets: Vec<ObjectId> = self.targets.iter().copied().collect();
                SymValue::Pointer { object, offset, targets: Targets::from(targets) }
            }
        }
    }
}

fn any_number(terms: &mut Terms, bits: u32, constants: &Constants, constraints: &mut Vec<TermId>) -> TermId {
    let Constants::Few(values) = constants else { return terms.bv_variable("any", bits) };
    if let (1, Some(&value)) = (values.len(), values.first()) {
        return terms.constant(bits, value);
    }
    let number = terms.bv_variable("any", bits);
    let choices: Vec<TermId> = values
        .iter()
        .map(|&value| {
            let constant = terms.constant(bits, value);
            terms.eq(number, constant)
        })
        .collect();
    if !choices.is_empty() {
        constraints.push(terms.or_all(&choices));
    }
    number
}

/// How the head of a loop was entered.
#[derive(Clone, Debug)]
pub struct Entered {
    head: BlockId,
    locks: Locks,
    atomic: Option<AtomicSection>,
    living: Rc<Vec<ObjectId>>,
    /// What may hold in every round.
    candidates: Vec<LoopCandidate>,
}

impl Unfolder<'_> {
    pub fn is_modular(&self) -> bool {
        self.options.modular
    }

    fn facts(&self) -> &ModularFacts {
        &self.survey.modular
    }

    fn learn(&mut self, change: impl FnOnce(&mut ModularFacts) -> bool) {
        let grew = change(&mut self.survey.modular);
        self.survey.note_growth(grew);
    }

    fn learn_of_loop(&mut self, key: LoopKey, change: impl FnOnce(&mut LoopFacts) -> bool) {
        self.learn(|facts| change(facts.loops.entry(key).or_default()));
    }

    /// The one state in which a loop is entered. A second entry would have path conditions of its own, and a round that began
    /// from one and ends in the atomic section of the other would seem to be among the rounds of the other.
    pub fn merge_into_one_entry(&mut self, mut states: Vec<State>, location: Location) -> Vec<State> {
        let synchronised = states.iter().flat_map(|state| state.atomic).any(|section| section.synchronised);
        if states.len() > 1 {
            for section in states.iter_mut().flat_map(|state| &mut state.atomic) {
                section.synchronised = synchronised;
            }
            states = self.merge_all(states, location);
        }
        let span = self.program.span(location);
        for other in states.drain(1.min(states.len())..) {
            let what = "a loop that is entered in different atomic sections".to_owned();
            self.cut(other.standing(), CutKind::Unsupported { what }, span);
        }
        states
    }

    /// Turns a state that enters a loop into one in which any of its rounds begins; `None` if the path ends here.
    pub fn enter_any_round(
        &mut self,
        state: State,
        key: LoopKey,
        carried: &[RegisterId],
        compared: &[(RegisterId, Operand)],
        site: &Site,
    ) -> Result<Option<(State, Entered)>, Failure> {
        let before = state.clone();
        let mut any = match self.any_round(state, key, carried, site) {
            Ok(any) => any,
            Err(failure) => return self.cut_failed(failure, before.standing(), site).map(|()| None),
        };
        let mut variables: Vec<Variable> = carried.iter().copied().map(Variable::Register).collect();
        let cells = self.facts().loops.get(&key).into_iter().flat_map(|facts| &facts.cells);
        variables.extend(cells.filter(|cell| before.memory.contains_key(cell)).map(|&cell| Variable::Cell(cell)));
        let candidates = self.loop_candidates(&before, &mut any, &variables, compared);
        let (locks, atomic, living) = (any.locks.clone(), any.atomic, any.living.clone());
        let entered = Entered { head: key.head, locks, atomic, living, candidates };
        Ok(Some((any, entered)))
    }

    /// What cannot be followed is a cut.
    fn cut_failed(&mut self, failure: Failure, standing: Standing, site: &Site) -> Result<(), Failure> {
        match failure {
            Failure::NotSupported(what) => {
                self.cut(standing, CutKind::Unsupported { what }, site.span);
                Ok(())
            }
            stopped => Err(stopped),
        }
    }

    fn any_round(
        &mut self,
        mut state: State,
        key: LoopKey,
        carried: &[RegisterId],
        site: &Site,
    ) -> Result<State, Failure> {
        self.note_carried(&state, key, carried);
        let facts = self.facts().loops.get(&key).cloned().unwrap_or_default();
        self.open_node = None;
        if facts.creates_threads && state.single {
            self.publish(&mut state, None, site.span);
        }
        let kept: Locks = state.locks.iter().copied().filter(|(lock, _)| !facts.lost.contains(lock)).collect();
        if kept != state.locks {
            self.leave_sections(&mut state, &kept, site)?;
        }
        self.forget_sections(&mut state, &facts.forgotten, site)?;
        for register in carried {
            if let Some(form) = facts.registers.get(register) {
                let value = form.any_value(&mut self.graph.terms, &mut self.graph.constraints);
                state.set_register(*register, value);
            }
        }
        for &cell in &facts.cells {
            if self.is_in_section(&state, cell) {
                let value = self.any_contents(cell);
                self.hold_changed(&mut state, cell, value);
            } else if self.is_known(&state, cell) {
                let value = self.any_contents(cell);
                state.set_cell(cell, value);
            }
        }
        self.open_node = None;
        Ok(state)
    }

    /// Whether the state may hold a value for the cell.
    fn is_known(&self, state: &State, cell: CellKey) -> bool {
        state.single || self.survey.class(cell) == CellClass::Folded || state.memory.contains_key(&cell)
    }

    /// A round comes back to the head of its loop: what it leaves must be among what rounds begin with.
    pub fn close_round(
        &mut self,
        mut state: State,
        key: LoopKey,
        carried: &[RegisterId],
        entered: &[Entered],
        site: &Site,
    ) -> Result<(), Failure> {
        let standing = state.standing();
        let entered = entered.iter().rfind(|one| one.head == key.head).filter(|one| one.atomic == state.atomic);
        let Some(entered) = entered else {
            let what = "an atomic section that begins or ends with a round of a loop".to_owned();
            return self.cut_failed(Failure::NotSupported(what), standing, site);
        };
        self.note_carried(&state, key, carried);
        self.note_left_living(&state, &entered.living);
        self.check_loop_candidates(&entered.candidates, &state);
        let kept: Locks = entered.locks.iter().copied().filter(|lock| state.locks.contains(lock)).collect();
        for (lock, _) in entered.locks.iter().filter(|lock| !kept.contains(lock)) {
            self.learn_of_loop(key, |facts| facts.lost.insert(*lock));
        }
        self.open_node = None;
        let left = self.leave_sections(&mut state, &kept, site);
        self.open_node = None;
        left.or_else(|failure| self.cut_failed(failure, standing, site))
    }

    fn note_carried(&mut self, state: &State, key: LoopKey, carried: &[RegisterId]) {
        for &register in carried {
            let Some(value) = &state.registers[register.0 as usize] else { continue };
            let form = Form::of(&self.graph.terms, value);
            self.note_outliving(&form.targets);
            self.learn_of_loop(key, |facts| match facts.registers.get_mut(&register) {
                Some(known) => known.include(&form),
                None => facts.registers.insert(register, form).is_none(),
            });
        }
    }

    /// What a round leaves on the stack dies at a time that no later round knows.
    fn note_left_living(&mut self, state: &State, entered: &[ObjectId]) {
        let left: Vec<ObjectId> = state.living.iter().copied().filter(|object| !entered.contains(object)).collect();
        for object in left {
            self.note_death_some_time(object);
            self.learn(|facts| facts.plural.insert(object));
        }
    }

    /// A pointer to an object outlives the round of the loop in which the object was born.
    fn note_outliving(&mut self, targets: &BTreeSet<ObjectId>) {
        let reborn: Vec<ObjectId> = targets.intersection(&self.facts().reborn).copied().collect();
        for object in reborn {
            self.learn(|facts| facts.plural.insert(object));
        }
    }

    /// As [`note_outliving`](Self::note_outliving).
    pub fn note_outliving_all(&mut self, targets: &[ObjectId]) {
        if self.is_modular() {
            self.note_outliving(&targets.iter().copied().collect());
        }
    }

    /// A cell whose value a thread may know gets another one.
    pub fn note_change(&mut self, cell: CellKey) {
        self.learn_of_open_loops(|facts| facts.cells.insert(cell));
    }

    /// What a critical section knew of a cell is no longer known.
    pub fn note_forgotten(&mut self, cell: CellKey) {
        self.learn_of_open_loops(|facts| facts.forgotten.insert(cell));
    }

    fn learn_of_open_loops(&mut self, change: impl Fn(&mut LoopFacts) -> bool) {
        if self.is_modular() {
            for index in 0..self.open_loops.len() {
                self.learn_of_loop(self.open_loops[index], &change);
            }
        }
    }

    /// Something is written to a cell, by whomever.
    pub fn note_contents(&mut self, cell: CellKey, value: &SymValue) {
        let form = Form::of(&self.graph.terms, value);
        if let SymValue::Pointer { targets, .. } = value
            && !names_nothing(targets)
        {
            self.survey.note_targets(cell, targets);
            self.note_outliving(&form.targets);
        }
        self.learn(|facts| facts.contents.entry(cell).or_default().include(&form.constants));
    }

    /// Others may find this in a cell from now on.
    pub fn note_visible(&mut self, state: &State, cell: CellKey, condition: TermId, value: &SymValue) {
        if self.is_modular() {
            self.check_shared_candidates(state, cell, condition, value);
            let form = Form::of(&self.graph.terms, value);
            self.learn(|facts| facts.visible.entry(cell).or_default().include(&form.constants));
        }
    }

    /// An unknown value that the cell may hold at some time.
    pub fn any_contents(&mut self, cell: CellKey) -> SymValue {
        let constants = self.facts().contents.get(&cell).cloned();
        self.any_of(cell, constants)
    }

    /// An unknown value that another thread may have left in the cell.
    pub fn any_visible_contents(&mut self, cell: CellKey) -> SymValue {
        let constants = self.facts().visible.get(&cell).cloned();
        self.any_of(cell, constants)
    }

    fn any_of(&mut self, cell: CellKey, constants: Option<Constants>) -> SymValue {
        let bits = bits_of(cell);
        let mut targets: BTreeSet<ObjectId> = self.survey.targets(cell).collect();
        let kind = if targets.is_empty() { Kind::Number { bits } } else { Kind::Pointer { bits } };
        targets.insert(ObjectId::NONE);
        let constants = match constants {
            None if cell.part == CellPart::Life => Constants::Few(BTreeSet::from([0])),
            // Bytes that nobody has written as such.
            None => Constants::Any,
            // An object lives until its death is written down.
            Some(Constants::Few(mut deaths)) if cell.part == CellPart::Life => {
                deaths.insert(0);
                Constants::Few(deaths)
            }
            Some(_) if self.is_mixed(cell) => Constants::Any,
            Some(_) if self.names_threads(cell) && !self.facts().many.is_empty() => Constants::Any,
            Some(constants) => constants,
        };
        let form = Form { kind, targets, constants };
        form.any_value(&mut self.graph.terms, &mut self.graph.constraints)
    }

    /// Threads of one kind have one number: another one may stand where another thread of that kind is meant.
    fn names_threads(&self, cell: CellKey) -> bool {
        match cell.part {
            CellPart::Bytes(_) => false,
            CellPart::Member(..) => true,
            CellPart::Life | CellPart::Size => false,
            CellPart::Field(_, field) => matches!(field.sort(), FieldSort::Owner | FieldSort::Threads),
        }
    }

    /// Whether a thread or an object made here is one of many.
    pub fn is_made_repeatedly(&self) -> bool {
        self.is_modular() && (!self.open_loops.is_empty() || self.stands_for_many(self.instance))
    }

    pub fn stands_for_many(&self, instance: InstanceId) -> bool {
        self.is_modular() && self.facts().many.contains(&instance)
    }

    /// A thread is created here, and `argument` given to it.
    pub fn note_creation(&mut self, instance: InstanceId, argument: &SymValue) {
        if !self.is_modular() {
            return;
        }
        if self.is_made_repeatedly() {
            self.learn(|facts| facts.many.insert(instance));
        }
        if let SymValue::Pointer { targets, .. } = argument {
            self.note_outliving(&targets.iter().copied().collect());
            self.learn(|facts| {
                let known = facts.handed_over.len();
                facts.handed_over.extend(targets.iter());
                facts.handed_over.len() > known
            });
        }
        self.learn_of_open_loops(|facts| !std::mem::replace(&mut facts.creates_threads, true));
    }

    /// An object is made here.
    pub fn note_made(&mut self, object: ObjectId) {
        if self.is_modular() && !self.open_loops.is_empty() {
            self.learn(|facts| facts.reborn.insert(object));
        }
    }

    /// Whether the object has lived before, in an earlier round, and nobody knows it from there.
    pub fn lives_again(&self, object: ObjectId) -> bool {
        self.is_modular() && self.facts().reborn.contains(&object) && !self.is_plural(object)
    }

    /// Whether an object stands for many, so that nothing can be known of its contents.
    pub fn is_plural(&self, object: ObjectId) -> bool {
        if !self.is_modular() {
            return false;
        }
        let is_one_of_many = match self.survey.objects.get(object).key {
            ObjectKey::Result { instance } => self.stands_for_many(InstanceId(instance)),
            ObjectKey::ThreadLocal { instance, .. } | ObjectKey::Allocated { instance, .. } => {
                self.stands_for_many(InstanceId(instance)) && self.escaped.contains(&object)
            }
            ObjectKey::None | ObjectKey::Function(_) | ObjectKey::Global(_) => false,
        };
        is_one_of_many || self.facts().plural.contains(&object)
    }

    /// Whether nothing is known of the contents of an object but what is ever written to it.
    pub fn is_unknowable(&self, object: ObjectId) -> bool {
        self.is_blended(object) || self.is_plural(object)
    }

    /// As [`is_unknowable`](Self::is_unknowable): what has become of an object does not lie at any of its places.
    pub fn is_unknowable_cell(&self, cell: CellKey) -> bool {
        match cell.part {
            CellPart::Bytes(_) | CellPart::Field(..) | CellPart::Member(..) => self.is_unknowable(cell.object),
            CellPart::Life | CellPart::Size => self.is_plural(cell.object),
        }
    }

    pub fn is_blended(&self, object: ObjectId) -> bool {
        self.is_modular() && self.facts().blended.contains(&object)
    }

    pub fn blend(&mut self, object: ObjectId) {
        self.learn(|facts| facts.blended.insert(object));
    }

    /// Whether an offset, which lies at most at `last`, is one of the candidates whatever its value.
    pub fn is_covered(&self, candidates: &[u64], offset: TermId, last: u64) -> bool {
        let step = 1u64.checked_shl(trailing_zeros(&self.graph.terms, offset, 8)).unwrap_or(u64::MAX);
        last / step < MOST_PLACES && (0..=last).step_by(step as usize).all(|at| candidates.binary_search(&at).is_ok())
    }

    /// Where an access to a blended object goes, when it lies inside. Sizes that are not constant are in `here` already.
    pub fn blended_place(
        &mut self,
        object: ObjectId,
        object_size: u64,
        here: TermId,
        offset: TermId,
        size: u64,
    ) -> Option<Place> {
        let last = object_size.checked_sub(size)?;
        let width = self.graph.terms.width(offset);
        let last = self.terms().constant(width, last);
        let inside = self.terms().ule(offset, last);
        let condition = self.terms().and(here, inside);
        Some(Place { condition, object, offset: blended_offset(size) })
    }

    /// What a blended global holds at the start.
    pub fn note_blended_contents(&mut self, global: GlobalId, cells: &[CellKey]) {
        let initial = &self.program.globals[global].initial;
        let is_zero =
            !initial.indeterminate && initial.relocations.is_empty() && initial.bytes.iter().all(|&byte| byte == 0);
        let addresses: Vec<Operand> = initial.relocations.iter().map(|relocation| relocation.value).collect();
        for &cell in cells {
            let initial = if is_zero { Constants::Few(BTreeSet::from([0])) } else { Constants::Any };
            self.learn(|facts| facts.contents.entry(cell).or_default().include(&initial));
            for &address in &addresses {
                let (object, _) = self.constant_address(address);
                if cell.part == CellPart::Bytes(self.program.data_model.pointer_bytes() as u8) {
                    self.survey.note_targets(cell, &[object]);
                }
            }
        }
    }

    /// Whether accesses of different sizes make what is written in one size unknown in the other.
    fn is_mixed(&self, cell: CellKey) -> bool {
        let is_other = |other: CellKey| other != cell && other.offset >= BLENDED;
        self.is_blended(cell.object) && self.survey.cells_of(cell.object).any(is_other)
    }

    /// Whether what is read in this size from a blended object may be a part of an address: it holds addresses, and by
    /// its shape nothing of this size.
    pub fn may_be_part_of_address(&self, object: ObjectId, size: u64) -> bool {
        if size >= self.program.data_model.pointer_bytes() || !self.is_blended(object) {
            return false;
        }
        let holds_addresses = || self.survey.cells_of(object).any(|cell| self.survey.targets(cell).next().is_some());
        let is_expected = match self.survey.objects.get(object).shape {
            Some(shape) => has_scalars(self.program, shape, size),
            None => size > 1,
        };
        !is_expected && holds_addresses()
    }

    /// Whether other threads of the same kind as this one may touch the cell, too.
    pub fn is_crowded(&self, cell: CellKey) -> bool {
        self.stands_for_many(self.instance) && !self.is_own(cell.object)
    }

    fn is_own(&self, object: ObjectId) -> bool {
        match self.survey.objects.get(object).key {
            ObjectKey::ThreadLocal { instance, .. } | ObjectKey::Allocated { instance, .. } => {
                instance == self.instance.0 && !self.escaped.contains(&object)
            }
            _ => false,
        }
    }

    /// The objects that others than the thread that made them may know: given to a thread, or stored where others look.
    pub fn find_escaped(&self) -> BTreeSet<ObjectId> {
        let mut escaped = self.facts().handed_over.clone();
        let maker = |object: ObjectId| match self.survey.objects.get(object).key {
            ObjectKey::ThreadLocal { instance, .. } | ObjectKey::Allocated { instance, .. } => Some(instance),
            _ => None,
        };
        loop {
            let known = escaped.len();
            for (cell, target) in self.survey.all_targets() {
                let is_hidden = maker(cell.object).is_some()
                    && maker(cell.object) == maker(target)
                    && !escaped.contains(&cell.object);
                if !is_hidden {
                    escaped.insert(target);
                }
            }
            if escaped.len() == known {
                return escaped;
            }
        }
    }

    /// A comparison of addresses, or their distance, where one object may stand for several: the result, if it cannot be
    /// computed.
    pub fn blurred(
        &mut self,
        state: &State,
        activation: &Activation,
        value: &Rvalue,
    ) -> Result<Option<SymValue>, Failure> {
        let (left, right) = match *value {
            Rvalue::Binary { left, right, .. } | Rvalue::PointerDifference { left, right } => (left, right),
            _ => return Ok(None),
        };
        if !self.is_modular() {
            return Ok(None);
        }
        let (left, right) = (self.operand(state, activation, left)?, self.operand(state, activation, right)?);
        if !self.may_be_twins(&left, &right) {
            return Ok(None);
        }
        Ok(Some(match value {
            Rvalue::Binary { op, .. } if is_comparison(*op) => SymValue::Bool(self.terms().bool_variable("any")),
            _ => return Err(Failure::NotSupported("the distance of addresses of objects made in a loop".to_owned())),
        }))
    }

    /// Whether two addresses that look alike may belong to different objects.
    pub fn may_be_twins(&self, left: &SymValue, right: &SymValue) -> bool {
        let (SymValue::Pointer { targets: first, .. }, SymValue::Pointer { targets: second, .. }) = (left, right)
        else {
            return false;
        };
        first.iter().any(|&object| second.contains(&object) && self.is_plural(object))
    }

    /// A jump into the middle of a loop, which this kind of unfolding does not follow.
    pub fn cut_sideways_entry(
        &mut self,
        order: &UnrollOrder,
        from: BlockId,
        to: BlockId,
        state: &State,
        span: Span,
    ) -> bool {
        let entered = order.heads(to).iter().filter(|head| !order.heads(from).contains(head));
        let is_sideways = entered.into_iter().any(|&head| head != to);
        if is_sideways {
            let what = "a jump into a loop".to_owned();
            self.cut(state.standing(), CutKind::Unsupported { what }, span);
        }
        is_sideways
    }
}

/// All places of one size in a blended object; sizes do not overlap.
fn blended_offset(size: u64) -> u64 {
    BLENDED + size * 16
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

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ult | BinaryOp::Ule | BinaryOp::Slt | BinaryOp::Sle)
}

//! What the passes of a thread-modular unfolding learn: what memory and the registers that loops carry along may hold, and
//! what becomes of locks and threads in a loop. An unknown value is any one of this form.

use std::collections::{BTreeMap, BTreeSet};

use events::{CellKey, CellPart, InstanceId};
use program::{BlockId, FunctionId, RegisterId};
use symbolic::value::names_nothing;
use symbolic::{OBJECT_BITS, ObjectId, SymValue, Targets};
use sync::FieldSort;
use terms::{Term, TermId, Terms};

use crate::blended::BLENDED;
use crate::cells::bits_of;
use crate::critical_section::Lock;
use crate::known_offsets::PathKnowledge;
use crate::pass::Pass;
use crate::state::SymState;
use crate::survey::PassFacts;

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
    /// What is ever written to a cell.
    contents: BTreeMap<CellKey, Constants>,
    /// What others may find in it: not what is overwritten while nobody can look.
    visible: BTreeMap<CellKey, Constants>,
    /// What others may find in it that was written while there were several threads.
    written: BTreeMap<CellKey, Constants>,
}

#[derive(Clone, Debug, Default)]
pub struct LoopFacts {
    /// What it may write of what a thread can know.
    pub cells: BTreeSet<CellKey>,
    /// What the registers that it carries along may hold at its head.
    pub registers: BTreeMap<RegisterId, PossibleValue>,
    /// What a thread may no longer know in a later round, because it has left the critical section.
    pub forgotten: BTreeSet<CellKey>,
    /// Locks that are held where it is entered and may not be held in a later round.
    pub lost: BTreeSet<Lock>,
    pub creates_threads: bool,
    /// The shared words that it writes where others see it.
    pub words: BTreeSet<CellKey>,
}

impl ModularFacts {
    pub fn of_loop(&self, key: LoopKey) -> Option<&LoopFacts> {
        self.loops.get(&key)
    }

    /// Whether others find only a few constants in a cell, and zero among them.
    pub fn is_flag(&self, cell: CellKey) -> bool {
        matches!(self.visible.get(&cell), Some(Constants::Few(values)) if values.contains(&0))
    }

    /// The constants that are written to a cell while there are several threads, if there are but two, or the same twice.
    pub fn written_constants(&self, cell: CellKey) -> Option<[u64; 2]> {
        let Some(Constants::Few(values)) = self.written.get(&cell) else { return None };
        let (first, last) = (values.first()?, values.last()?);
        (values.len() <= 2).then_some([*first, *last])
    }

    /// Forgets what follows from the values of memory, after a pass that did not know all of it.
    pub fn forget_values(&mut self) {
        self.loops.clear();
        self.contents.clear();
        self.visible.clear();
        self.written.clear();
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
pub struct PossibleValue {
    kind: FactKind,
    /// Of a pointer.
    targets: BTreeSet<ObjectId>,
    /// The number, the truth value or the offset of a pointer.
    constants: Constants,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum FactKind {
    Truth,
    Number { bits: u32 },
    Pointer { bits: u32 },
}

impl PossibleValue {
    fn of(terms: &Terms, value: &SymValue) -> PossibleValue {
        let (kind, targets, number) = match value {
            SymValue::Bool(term) => (FactKind::Truth, BTreeSet::new(), *term),
            SymValue::Int(term) => (FactKind::Number { bits: terms.width(*term) }, BTreeSet::new(), *term),
            SymValue::Pointer { offset, targets, .. } => {
                (FactKind::Pointer { bits: terms.width(*offset) }, targets.iter().copied().collect(), *offset)
            }
        };
        PossibleValue { kind, targets, constants: Constants::of(terms, number) }
    }

    /// Makes room for what `other` may be; whether that changed anything.
    fn include(&mut self, other: &PossibleValue) -> bool {
        let before = self.clone();
        if self.kind != other.kind {
            // A number where there are pointers, too, is a pointer to nothing.
            if let (FactKind::Number { bits }, _) | (_, FactKind::Number { bits }) = (self.kind, other.kind) {
                self.kind = FactKind::Pointer { bits };
                self.targets.insert(ObjectId::NONE);
            }
        }
        self.targets.extend(&other.targets);
        self.constants.include(&other.constants);
        *self != before
    }

    /// Any value of this form. `constraints` gets what restricts it.
    pub fn any_value(&self, (terms, constraints): (&mut Terms, &mut Vec<TermId>)) -> SymValue {
        match self.kind {
            FactKind::Truth => match &self.constants {
                Constants::Few(values) if values.len() == 1 => SymValue::Bool(terms.boolean(values.contains(&1))),
                _ => SymValue::Bool(terms.bool_variable("any")),
            },
            FactKind::Number { bits } => SymValue::Int(any_number(terms, bits, &self.constants, constraints)),
            FactKind::Pointer { bits } => {
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

/// Changes the facts; whether they have grown then is for the survey to know.
pub fn learn(survey: &mut PassFacts, change: impl FnOnce(&mut ModularFacts) -> bool) {
    let grew = change(&mut survey.modular);
    survey.note_growth(grew);
}

pub fn learn_of_loop(survey: &mut PassFacts, key: LoopKey, change: impl FnOnce(&mut LoopFacts) -> bool) {
    learn(survey, |facts| change(facts.loops.entry(key).or_default()));
}

/// Others may find this in a cell from now on.
pub fn note_visible(pass: &mut Pass<'_>, cell: CellKey, value: &SymValue) {
    let form = PossibleValue::of(&pass.graph.terms, value);
    learn(&mut pass.survey, |facts| facts.visible.entry(cell).or_default().include(&form.constants));
}

/// A thread that is not alone writes this to a cell.
pub fn note_written(pass: &mut Pass<'_>, cell: CellKey, value: &SymValue) {
    let form = PossibleValue::of(&pass.graph.terms, value);
    learn(&mut pass.survey, |facts| facts.written.entry(cell).or_default().include(&form.constants));
}

/// A cell may hold this at the start: zeros, or anything.
pub fn note_initial_contents(survey: &mut PassFacts, cell: CellKey, is_zero: bool) {
    let initial = if is_zero { Constants::Few(BTreeSet::from([0])) } else { Constants::Any };
    learn(survey, |facts| facts.contents.entry(cell).or_default().include(&initial));
}

/// Something is written to a cell, by whomever.
pub fn note_contents(pass: &mut Pass<'_>, cell: CellKey, value: &SymValue) {
    let form = PossibleValue::of(&pass.graph.terms, value);
    if let SymValue::Pointer { targets, .. } = value
        && !names_nothing(targets)
    {
        pass.survey.note_targets(&pass.graph.terms, &PathKnowledge::default(), cell, value);
        pass.survey.note_outliving(targets);
    }
    learn(&mut pass.survey, |facts| facts.contents.entry(cell).or_default().include(&form.constants));
}

/// An unknown value that the cell may hold at some time.
pub fn any_contents(pass: &mut Pass<'_>, cell: CellKey) -> SymValue {
    let constants = pass.survey.modular.contents.get(&cell).cloned();
    any_of(pass, cell, constants)
}

/// An unknown value that another thread may have left in the cell.
pub fn any_visible_contents(pass: &mut Pass<'_>, cell: CellKey) -> SymValue {
    let constants = pass.survey.modular.visible.get(&cell).cloned();
    any_of(pass, cell, constants)
}

fn any_of(pass: &mut Pass<'_>, cell: CellKey, constants: Option<Constants>) -> SymValue {
    let bits = bits_of(cell);
    let mut targets: BTreeSet<ObjectId> = pass.survey.targets(cell).collect();
    let kind = if targets.is_empty() { FactKind::Number { bits } } else { FactKind::Pointer { bits } };
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
        Some(_) if is_mixed(pass, cell) => Constants::Any,
        Some(_) if names_threads(cell) && pass.survey.has_summary_threads() => Constants::Any,
        Some(constants) => constants,
    };
    let form = PossibleValue { kind, targets, constants };
    form.any_value(pass.graph.terms_and_constraints())
}

/// Threads of one kind have one number: another one may stand where another thread of that kind is meant.
fn names_threads(cell: CellKey) -> bool {
    match cell.part {
        CellPart::Bytes(_) | CellPart::Array(_) | CellPart::View(_) => false,
        CellPart::Member(..) => true,
        CellPart::Life | CellPart::Size => false,
        CellPart::Field(_, field) => matches!(field.sort(), FieldSort::Owner | FieldSort::Threads),
    }
}

/// Whether accesses of different sizes make what is written in one size unknown in the other.
fn is_mixed(pass: &Pass<'_>, cell: CellKey) -> bool {
    let is_other = |other: CellKey| other != cell && other.offset >= BLENDED;
    pass.survey.is_blended(cell.object) && pass.survey.cells_of(cell.object).any(is_other)
}

/// What a loop carries along, where its head is entered.
pub fn note_carried(pass: &mut Pass<'_>, state: &SymState, key: LoopKey, carried: &[RegisterId]) {
    for &register in carried {
        let Some(value) = &state.registers[register.0 as usize] else { continue };
        let form = PossibleValue::of(&pass.graph.terms, value);
        pass.survey.note_outliving(&form.targets.iter().copied().collect::<Vec<_>>());
        learn_of_loop(&mut pass.survey, key, |facts| match facts.registers.get_mut(&register) {
            Some(known) => known.include(&form),
            None => facts.registers.insert(register, form).is_none(),
        });
    }
}

//! Where objects lie, as terms. Objects have names here and no addresses; where a program computes with the number of one, the
//! object gets a *base*: any number that is a multiple of its alignment, in the part of memory that processes have. What is
//! said of all bases is said of all implementations, so a proof may rest on them. A violation may not, since the
//! interpreter has numbers of its own: executions that use bases can be left out of a question by a Boolean
//! variable, and one that is found nevertheless has to be tried.
//!
//! A number that is used as an address finds the living object that it lies in, or just behind, as in the interpreter
//! (PNVI-ae-udi, decision 0019). Of objects that never had a base nothing is found; such executions are cut.

use program::{At, InstructionKind, Operand, Rvalue};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::evaluate::Obligation;
use symbolic::value::union;
use symbolic::{Life, OBJECT_BITS, ObjectId, ObjectKey, SymValue, Targets, evaluate};
use terms::{BinaryOp, Term, TermId, Terms};

use crate::abstraction::AbstractionKind;
use crate::allocator::Allocator;
use crate::memory::Memory;
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::SymState;
use crate::stray_number::{LAST_ADDRESS, PAGE};
use crate::unfolder::{Activation, UnfoldFailure};

/// A number is looked for in so many objects.
const MOST_CANDIDATES: usize = 32;

/// How deeply a number is looked into for the pointer that it was made of.
const MAX_DEPTH: u32 = 16;

#[derive(Debug, Default)]
pub(crate) struct Addresses {
    bases: FxHashMap<ObjectId, TermId>,
    /// What the numbers that were made of pointers were made of.
    made_of: FxHashMap<TermId, SymValue>,
    /// Objects that lie apart whenever both of them live.
    apart: FxHashSet<(ObjectId, ObjectId)>,
}

/// An object that a number may lie in.
struct CandidateObject {
    object: ObjectId,
    /// From the base of the object.
    distance: TermId,
    lives: TermId,
    inside: TermId,
    behind: TermId,
}

impl Pass<'_> {
    /// Whether objects have bases. Where one object stands for many they have none, and where a run has its own.
    pub fn has_bases(&self) -> bool {
        self.options.coverage == AbstractionKind::Bounded
            && self.options.summarised.is_empty()
            && !self.options.every_access
    }

    /// The number of the object's first byte; zero for no object.
    pub fn base(&mut self, object: ObjectId) -> TermId {
        if object == ObjectId::NONE {
            return self.pointer_constant(0);
        }
        if let Some(&base) = self.addresses.bases.get(&object) {
            return base;
        }
        self.survey.note_with_base(object);
        let bits = u32::from(self.program.data_model.pointer_bits());
        let low = self.alignment(object).next_power_of_two().trailing_zeros().min(bits - 1);
        let multiple = self.terms().bv_variable("base", bits - low);
        let base = match low {
            0 => multiple,
            _ => {
                let zeros = self.terms().constant(low, 0);
                self.terms().concat(multiple, zeros)
            }
        };
        let end = LAST_ADDRESS.min(u64::MAX >> (64 - bits)) - PAGE;
        let last = end.saturating_sub(self.extent(object).unwrap_or(1)).max(PAGE);
        let (first, last) = (self.pointer_constant(PAGE), self.pointer_constant(last));
        let (above, below) = (self.terms().ule(first, base), self.terms().ule(base, last));
        self.graph.constrain(above);
        self.graph.constrain(below);
        let others: Vec<ObjectId> = self.addresses.bases.keys().copied().collect();
        self.addresses.bases.insert(object, base);
        for other in others {
            if (self.always_lives(object) || self.always_lives(other) || self.live_to_the_end(object, other))
                && let Some(apart) = self.apart(object, other)
            {
                self.addresses.apart.insert((object.min(other), object.max(other)));
                self.graph.constrain(apart);
            }
        }
        base
    }

    fn always_lives(&self, object: ObjectId) -> bool {
        self.survey.objects.get(object).life == Life::Process
    }

    /// Whether both are on the heap, and no execution that is followed ends one of them.
    fn live_to_the_end(&self, one: ObjectId, other: ObjectId) -> bool {
        [one, other]
            .iter()
            .all(|&object| self.survey.objects.get(object).life == Life::Heap && !self.survey.may_end(object))
    }

    /// The bytes of an object, if that is a constant; functions are at different places, too.
    fn extent(&self, object: ObjectId) -> Option<u64> {
        let size = self.survey.objects.get(object).size.filter(|_| !self.survey.has_unknown_size(object))?;
        Some(size.max(1))
    }

    /// When two objects do not overlap; `None` if that is not known of them.
    fn apart(&mut self, one: ObjectId, other: ObjectId) -> Option<TermId> {
        let (size, other_size) = (self.extent(one)?, self.extent(other)?);
        let may_share = |object: ObjectId| match self.survey.objects.get(object).key {
            ObjectKey::Global(global) => {
                let global = &self.program.globals[global];
                global.is_string_literal() || global.is_constant_literal() || global.size == 0
            }
            ObjectKey::Function(_) => false,
            _ => self.survey.objects.get(object).size == Some(0),
        };
        if may_share(one) || may_share(other) {
            return None;
        }
        let (base, other_base) = (self.addresses.bases[&one], self.addresses.bases[&other]);
        let (size, other_size) = (self.pointer_constant(size), self.pointer_constant(other_size));
        let (end, other_end) = (self.terms().add(base, size), self.terms().add(other_base, other_size));
        let (before, behind) = (self.terms().ule(end, other_base), self.terms().ule(other_end, base));
        Some(self.terms().or(before, behind))
    }

    /// Every address of the object is a multiple of this, in every run.
    pub fn alignment(&self, object: ObjectId) -> u64 {
        match self.survey.objects.get(object).key {
            // A number is what it is.
            ObjectKey::None => u64::MAX,
            ObjectKey::Function(_) => 1,
            ObjectKey::Global(global) | ObjectKey::ThreadLocal { global, .. } => {
                self.program.globals[global].align.max(1)
            }
            ObjectKey::Allocated { location, .. } => match self.program.at(location) {
                At::Instruction(instruction) => match instruction.kind {
                    InstructionKind::Allocate { align, .. } => align.max(1),
                    InstructionKind::Begin { local } => {
                        self.program.functions[location.function].locals[local].align.max(1)
                    }
                    _ => 1,
                },
                _ => 1,
            },
            ObjectKey::Result { .. } => 1,
        }
    }

    /// The number that a value is, where there are bases.
    pub fn number_of(&mut self, value: &SymValue) -> Option<TermId> {
        if let Some(number) = value.as_int() {
            return Some(number);
        }
        let SymValue::Pointer { object, offset, targets } = value else { return None };
        if self.graph.terms.as_constant(*object) == Some(u64::from(ObjectId::NONE.0)) {
            return Some(*offset);
        }
        let mut base = self.pointer_constant(0);
        for &target in targets.iter() {
            let here = self.base(target);
            let name = self.terms().constant(OBJECT_BITS, u64::from(target.0));
            let named = self.terms().eq(*object, name);
            base = self.terms().ite(named, here, base);
        }
        let number = self.terms().add(base, *offset);
        if self.graph.terms.as_constant(number).is_none() {
            self.addresses.made_of.insert(number, value.clone());
            let zero = self.pointer_constant(0);
            let start = SymValue::Pointer { object: *object, offset: zero, targets: targets.clone() };
            self.addresses.made_of.entry(base).or_insert(start);
        }
        Some(number)
    }

    /// The pointer that a number was made of, wherever it leads in its object.
    fn made_of(&mut self, number: TermId, depth: u32) -> Option<SymValue> {
        if let Some(pointer) = self.addresses.made_of.get(&number) {
            return Some(pointer.clone());
        }
        let depth = depth.checked_sub(1)?;
        match self.graph.terms.get(number) {
            Term::Ite(condition, then, otherwise) => {
                let (a, b) = (self.made_of(then, depth), self.made_of(otherwise, depth));
                let (a, b) = match (a, b) {
                    (None, None) => return None,
                    (Some(a), None) if self.graph.terms.as_constant(otherwise).is_some() => {
                        (a, SymValue::raw(self.terms(), otherwise))
                    }
                    (None, Some(b)) if self.graph.terms.as_constant(then).is_some() => {
                        (SymValue::raw(self.terms(), then), b)
                    }
                    (Some(a), Some(b)) => (a, b),
                    _ => return None,
                };
                SymValue::select(self.terms(), condition, &a, &b)
            }
            Term::Binary(BinaryOp::Add, a, b) => match self.made_of(a, depth) {
                Some(pointer) => Some(moved(self.terms(), &pointer, b)),
                None => self.made_of(b, depth).map(|pointer| moved(self.terms(), &pointer, a)),
            },
            Term::Binary(BinaryOp::Sub, a, b) => {
                let pointer = self.made_of(a, depth)?;
                let back = self.terms().neg(b);
                Some(moved(self.terms(), &pointer, back))
            }
            _ => None,
        }
    }

    /// Where memory lies matters to an execution in which `condition` holds here.
    pub fn note_layout(&mut self, state: &SymState, condition: TermId) {
        if self.graph.is_false(condition) {
            return;
        }
        let guard = self.guard_term(state);
        let layout = self.graph.layout();
        let both = self.terms().and_all(&[guard, condition, layout]);
        let left_out = self.terms().not(both);
        self.graph.constrain(left_out);
    }
}

impl Memory<'_> {
    /// What an operator makes of the numbers that its operands are, where some are addresses, and what must hold for that.
    pub fn computed_with_numbers(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        value: &Rvalue,
    ) -> Result<Option<(SymValue, Vec<Obligation>)>, UnfoldFailure> {
        if !self.has_bases() || !matches!(value, Rvalue::Unary { .. } | Rvalue::Binary { .. } | Rvalue::Cast { .. }) {
            return Ok(None);
        }
        let mut before = Vec::new();
        for operand in value.operands() {
            let Operand::Register(register) = operand else { continue };
            let Ok(address) = self.operand(state, activation, operand) else { continue };
            let (SymValue::Pointer { object, .. }, None) = (&address, address.as_int()) else { continue };
            let object = *object;
            let Some(number) = self.number_of(&address) else { continue };
            let none = self.terms().constant(OBJECT_BITS, u64::from(ObjectId::NONE.0));
            let is_address = self.terms().distinct(object, none);
            self.note_layout(state, is_address);
            state.set_register(register, SymValue::Int(number));
            before.push((register, address));
        }
        if before.is_empty() {
            return Ok(None);
        }
        let mut obligations = Vec::new();
        let result = evaluate::rvalue(&mut self.evaluator(state, activation), value, &mut obligations);
        for (register, address) in before {
            state.set_register(register, address);
        }
        Ok(Some((result?, obligations)))
    }
}

fn moved(terms: &mut Terms, pointer: &SymValue, distance: TermId) -> SymValue {
    let SymValue::Pointer { object, offset, targets } = pointer else { return pointer.clone() };
    SymValue::Pointer { object: *object, offset: terms.add(*offset, distance), targets: targets.clone() }
}

impl Allocator<'_> {
    /// The address that this instruction uses, which may be a number: then that of the object which lies there. Executions in
    /// which none is known, and there may be one all the same, are cut.
    pub fn found(
        &mut self,
        state: &mut SymState,
        address: &SymValue,
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        let mut address = address.clone();
        if self.has_bases() && self.visibility.may_use_found_address(step.site.location) {
            address = self.with_found_object(state, address, step)?;
        }
        self.cut_found_address(state, &address, step);
        Ok(address)
    }

    fn with_found_object(
        &mut self,
        state: &mut SymState,
        address: SymValue,
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        let Some(SymValue::Pointer { object, offset: number, targets }) = address.to_pointer(self.terms()) else {
            return Ok(address);
        };
        if !targets.contains(&ObjectId::NONE) || self.graph.terms.as_constant(number).is_some() {
            return Ok(address);
        }
        let none = self.terms().constant(OBJECT_BITS, u64::from(ObjectId::NONE.0));
        let is_bare = self.terms().eq(object, none);
        if self.graph.is_false(is_bare) {
            return Ok(address);
        }
        match self.made_of(number, MAX_DEPTH) {
            Some(pointer) => self.checked(state, &address, (pointer, is_bare), step),
            None => self.looked_up(state, (object, number, &targets), is_bare, step),
        }
    }

    /// The pointer that a number was made of, as long as it leads to a living object.
    fn checked(
        &mut self,
        state: &mut SymState,
        address: &SymValue,
        (pointer, is_bare): (SymValue, TermId),
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        let SymValue::Pointer { object, offset, targets } = &pointer else { return Ok(address.clone()) };
        let mut doubtful = Vec::new();
        for &target in targets.iter().filter(|&&target| target != ObjectId::NONE) {
            let name = self.terms().constant(OBJECT_BITS, u64::from(target.0));
            let named = self.terms().eq(*object, name);
            let here = self.terms().and(is_bare, named);
            if self.graph.is_false(here) {
                continue;
            }
            let dead = self.fate(state, target, here, step)?.dead;
            let size = self.size_of(state, target, here, step)?;
            let inside = self.terms().ule(*offset, size);
            let outside = self.terms().not(inside);
            let lost = self.terms().or(dead, outside);
            doubtful.push(self.terms().and(here, lost));
        }
        self.graph.attach_open_node(step);
        let doubtful = self.terms().or_all(&doubtful);
        if !self.graph.is_false(doubtful) {
            self.cut_where(state, doubtful, "integer arithmetic on a pointer value that leaves its object", step);
        }
        self.select(is_bare, &pointer, address)
    }

    fn size_of(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<TermId, UnfoldFailure> {
        if let Some(size) = self.actual_size(state, object, condition, step)? {
            return Ok(size);
        }
        let size = self.survey.objects.get(object).size.unwrap_or(0);
        Ok(self.pointer_constant(size))
    }

    /// The living object that a number lies in, or else just behind.
    fn looked_up(
        &mut self,
        state: &mut SymState,
        (mut object, mut offset, targets): (TermId, TermId, &Targets),
        is_bare: TermId,
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        let number = offset;
        let known: Vec<ObjectId> = self.survey.with_bases().collect();
        let mut candidates = Vec::new();
        for &target in known.iter().take(MOST_CANDIDATES) {
            let base = self.base(target);
            let dead = self.fate(state, target, is_bare, step)?.dead;
            let lives = self.terms().not(dead);
            let size = self.size_of(state, target, is_bare, step)?;
            let terms = self.terms();
            let distance = terms.sub(number, base);
            let (within, at_end) = (terms.ult(distance, size), terms.eq(distance, size));
            let inside = terms.and_all(&[is_bare, lives, within]);
            let behind = terms.and_all(&[is_bare, lives, at_end]);
            candidates.push(CandidateObject { object: target, distance, lives, inside, behind });
        }
        self.graph.attach_open_node(step);
        self.cut_ambiguous(state, &candidates, step);
        let is_found: Vec<TermId> = candidates.iter().flat_map(|one| [one.inside, one.behind]).collect();
        let is_found = self.terms().or_all(&is_found);
        self.note_layout(state, is_found);
        let behind = candidates.iter().map(|one| (one, one.behind));
        for (candidate, here) in behind.chain(candidates.iter().map(|one| (one, one.inside))) {
            let name = self.terms().constant(OBJECT_BITS, u64::from(candidate.object.0));
            object = self.terms().ite(here, name, object);
            offset = self.terms().ite(here, candidate.distance, offset);
        }
        let mut found: Vec<ObjectId> = candidates.iter().map(|candidate| candidate.object).collect();
        found.sort_unstable();
        Ok(SymValue::Pointer { object, offset, targets: union(targets, &Targets::from(found)) })
    }

    /// Executions in which a number may lie in several objects are cut, unless these certainly lie apart.
    fn cut_ambiguous(&mut self, state: &mut SymState, candidates: &[CandidateObject], step: &mut OpenStep) {
        let mut ambiguous = Vec::new();
        for (index, one) in candidates.iter().enumerate() {
            for other in &candidates[..index] {
                let pair = (one.object.min(other.object), one.object.max(other.object));
                if self.addresses.apart.contains(&pair) {
                    continue;
                }
                let are_own = [one, other].iter().all(|candidate| state.living.contains(&candidate.object));
                if are_own && let Some(apart) = self.apart(one.object, other.object) {
                    let guard = self.guard_term(state);
                    let both = self.terms().and_all(&[guard, one.lives, other.lives]);
                    let apart = self.terms().implies(both, apart);
                    self.graph.constrain(apart);
                    continue;
                }
                let terms = self.terms();
                let (in_one, in_other) = (terms.or(one.inside, one.behind), terms.or(other.inside, other.behind));
                ambiguous.push(terms.and(in_one, in_other));
            }
        }
        let ambiguous = self.terms().or_all(&ambiguous);
        if !self.graph.is_false(ambiguous) {
            self.cut_where(state, ambiguous, "an integer that may be the address of one of several objects", step);
        }
    }
}

//! Pointers to different objects that may be equal all the same: a new object may lie where one has been whose life is over,
//! the end of an object may be the beginning of another, literals may be one object, and objects without size lie
//! anywhere. Here objects have names and no addresses, so executions in
//! which that could decide something are cut.

use program::{At, InstructionKind};
use symbolic::{Life, OBJECT_BITS, ObjectId, ObjectKey, SymValue};
use terms::TermId;

use crate::memory::Memory;
use crate::open_step::OpenStep;
use crate::state::SymState;
use crate::unfolder::UnfoldFailure;

impl Memory<'_> {
    /// Cuts executions in which the values point to different objects and it is not certain that they differ.
    pub fn cut_doubtful_equality(
        &mut self,
        state: &mut SymState,
        left: &SymValue,
        right: &SymValue,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let (
            SymValue::Pointer { object: first, offset: first_offset, targets: first_targets },
            SymValue::Pointer { object: second, offset: second_offset, targets: second_targets },
        ) = (left, right)
        else {
            return Ok(());
        };
        let sides = [
            (*first, *first_offset, first_targets.clone(), *second, *second_offset, second_targets.clone()),
            (*second, *second_offset, second_targets.clone(), *first, *first_offset, first_targets.clone()),
        ];
        let (mut dangling, mut touching, mut shared, mut empty) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (object, offset, targets, other, other_offset, others) in sides {
            for &target in targets.iter() {
                if !self.is_memory(target) {
                    continue;
                }
                let rivals: Vec<ObjectId> =
                    others.iter().copied().filter(|&rival| rival != target && self.is_memory(rival)).collect();
                let here = self.names(object, target);
                let elsewhere: Vec<TermId> = rivals.iter().map(|&rival| self.names(other, rival)).collect();
                let elsewhere = self.terms().or_all(&elsewhere);
                let differ = self.terms().and(here, elsewhere);
                if self.graph.is_false(differ) {
                    continue;
                }
                let dead = self.fate(state, target, differ, step)?.dead;
                dangling.push(self.terms().and(differ, dead));
                for &rival in &rivals {
                    let there = self.names(other, rival);
                    let both = self.terms().and(here, there);
                    if self.may_be_one_literal(target, rival) {
                        shared.push(both);
                    } else if let Some(distance) = self.distance_of_literals(target, rival) {
                        let distance = self.pointer_constant(distance);
                        let moved = self.terms().add(other_offset, distance);
                        let meet = self.terms().eq(offset, moved);
                        shared.push(self.terms().and(both, meet));
                    }
                }
                let actual_size = self.actual_size(state, target, differ, step)?;
                let is_empty = self.may_share_its_place(target, actual_size);
                empty.push(self.terms().and(differ, is_empty));
                let at_end = self.is_at_end(target, actual_size, offset);
                let start = self.pointer_constant(0);
                let at_start = self.terms().eq(other_offset, start);
                touching.push(self.terms().and_all(&[differ, at_end, at_start]));
            }
        }
        self.graph.attach_open_node(step);
        let dangling = self.terms().or_all(&dangling);
        self.cut_doubtful(state, dangling, "comparison of a dangling pointer", step);
        let touching = self.terms().or_all(&touching);
        self.cut_doubtful(
            state,
            touching,
            "comparison of a one-past-the-end pointer with the start of another object",
            step,
        );
        let shared = self.terms().or_all(&shared);
        self.cut_doubtful(state, shared, "comparison of string literals that may share storage", step);
        let empty = self.terms().or_all(&empty);
        self.cut_doubtful(state, empty, "comparison of the address of a zero-sized object", step);
        Ok(())
    }

    /// How far behind the beginning of one string literal the other may begin, if one may be the end of the other.
    fn distance_of_literals(&self, one: ObjectId, other: ObjectId) -> Option<u64> {
        let literal = |object: ObjectId| match self.survey.objects.get(object).key {
            ObjectKey::Global(global) => {
                let global = &self.program.globals[global];
                global.is_string_literal().then_some(&global.initial.bytes)
            }
            _ => None,
        };
        let (one, other) = (literal(one)?, literal(other)?);
        let overlap = one.ends_with(other) || other.ends_with(one);
        overlap.then(|| (one.len() as u64).wrapping_sub(other.len() as u64))
    }

    /// Whether both are literals, one of them a compound literal, of whose contents nothing is known here.
    fn may_be_one_literal(&self, one: ObjectId, other: ObjectId) -> bool {
        let [one, other] = [one, other].map(|object| self.literal(object));
        let is_compound = |literal| literal == Some(Literal::Compound);
        one.is_some() && other.is_some() && (is_compound(one) || is_compound(other))
    }

    fn literal(&self, object: ObjectId) -> Option<Literal> {
        match self.survey.objects.get(object).key {
            ObjectKey::Global(global) => {
                let global = &self.program.globals[global];
                let compound = global.is_constant_literal().then_some(Literal::Compound);
                compound.or(global.is_string_literal().then_some(Literal::String))
            }
            ObjectKey::Allocated { location, .. } => {
                let At::Instruction(instruction) = self.program.at(location) else { return None };
                let InstructionKind::Begin { local } = instruction.kind else { return None };
                let local = &self.program.functions[location.function].locals[local];
                local.is_constant_literal().then_some(Literal::Compound)
            }
            _ => None,
        }
    }

    fn cut_doubtful(&mut self, state: &mut SymState, doubtful: TermId, what: &str, step: &mut OpenStep) {
        if !self.graph.is_false(doubtful) {
            self.cut_where(state, doubtful, what, step);
        }
    }

    fn is_memory(&self, object: ObjectId) -> bool {
        !matches!(self.survey.objects.get(object).key, ObjectKey::None | ObjectKey::Function(_))
    }

    fn names(&mut self, object: TermId, target: ObjectId) -> TermId {
        let number = self.terms().constant(OBJECT_BITS, u64::from(target.0));
        self.terms().eq(object, number)
    }

    /// When the object has no size, and so needs no place of its own. Only what `malloc` returns must be unlike any other
    /// pointer.
    fn may_share_its_place(&mut self, target: ObjectId, actual_size: Option<TermId>) -> TermId {
        let object = self.survey.objects.get(target);
        let is_allocated = matches!(object.life, Life::Heap | Life::Library);
        match (actual_size, object.size) {
            _ if is_allocated => self.graph.terms.boolean(false),
            (Some(actual), _) => self.is_zero(actual),
            (None, size) => self.graph.terms.boolean(size == Some(0)),
        }
    }

    /// When the offset is just behind the object; objects of no size have no end of their own.
    fn is_at_end(&mut self, target: ObjectId, actual_size: Option<TermId>, offset: TermId) -> TermId {
        if let Some(actual) = actual_size {
            let (at_end, is_empty) = (self.terms().eq(offset, actual), self.is_zero(actual));
            let has_end = self.terms().not(is_empty);
            return self.terms().and(at_end, has_end);
        }
        match self.survey.objects.get(target).size {
            Some(0) => self.graph.terms.boolean(false),
            Some(size) => {
                let end = self.pointer_constant(size);
                self.terms().eq(offset, end)
            }
            None => {
                let inside = self.is_zero(offset);
                self.terms().not(inside)
            }
        }
    }

    fn is_zero(&mut self, number: TermId) -> TermId {
        let width = self.graph.terms.width(number);
        let zero = self.terms().constant(width, 0);
        self.terms().eq(number, zero)
    }
}

/// Objects of which several may be one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Literal {
    String,
    Compound,
}

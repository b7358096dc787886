//! Comparisons for equality that depend on where memory lies. Objects have names here and no addresses, so that what such a
//! comparison decides is not understood: a number may be the address of something, the end of an object may be the beginning of
//! another, literals may be one object, and where something has ended, something else may lie.

use program::{AllocationKind, At, InstructionKind};
use proof::ProofObjectKey;
use terms::TermId;

use crate::machine::CheckMachine;
use crate::state::{CheckedValue, ThreadCourse};

/// Numbers in the first and the last page of memory, and from here on, are not the address of anything.
const PAGE: u64 = 4096;
const LAST_ADDRESS: u64 = 1 << 47;

impl CheckMachine<'_> {
    /// When it is not certain whether two values are equal.
    pub fn doubtful_equality(&mut self, course: &ThreadCourse, left: CheckedValue, right: CheckedValue) -> TermId {
        use CheckedValue::{Address, Number};
        match (left, right) {
            (Number(number), Address(..)) | (Address(..), Number(number)) => self.may_be_address(number),
            (Address(one, _), Address(other, _)) if one == other => {
                let has_ended = self.has_ended(course, one);
                self.terms.boolean(has_ended)
            }
            (Address(one, a), Address(other, b)) => {
                let are_functions = [one, other].map(|object| self.is_function(object));
                if are_functions.contains(&true) {
                    return self.terms.boolean(false);
                }
                let (are_literals, are_placed) = (
                    self.is_literal(one) && self.is_literal(other),
                    self.has_place(course, one) && self.has_place(course, other),
                );
                if are_literals || !are_placed {
                    return self.terms.boolean(true);
                }
                let (meet, meet_back) = (self.touch(one, a, b), self.touch(other, b, a));
                self.terms.or(meet, meet_back)
            }
            _ => self.terms.boolean(false),
        }
    }

    fn may_be_address(&mut self, number: TermId) -> TermId {
        if self.terms.as_constant(number).is_some_and(|number| number >= LAST_ADDRESS) {
            return self.terms.boolean(false);
        }
        let width = self.terms.width(number);
        let (first, last) = (self.terms.constant(width, PAGE), self.terms.constant(width, PAGE.wrapping_neg()));
        let (above, below) = (self.terms.ule(first, number), self.terms.ult(number, last));
        self.terms.and(above, below)
    }

    fn is_function(&self, object: u32) -> bool {
        matches!(self.objects[object as usize].key, ProofObjectKey::Function(_))
    }

    fn is_literal(&self, object: u32) -> bool {
        match self.objects[object as usize].key {
            ProofObjectKey::Global(global) => {
                let global = &self.program.globals[global];
                global.is_string_literal() || global.is_constant_literal()
            }
            ProofObjectKey::Local { function, local, .. } => {
                self.program.functions[function].locals[local].is_constant_literal()
            }
            _ => false,
        }
    }

    /// Whether the activation or the thread is over that the object belongs to.
    fn has_ended(&self, course: &ThreadCourse, object: u32) -> bool {
        let threads = &course.state.threads;
        match self.objects[object as usize].key {
            ProofObjectKey::Local { thread, depth, function, .. } => {
                let frames = threads.get(thread as usize).map(|own| &own.frames);
                frames.and_then(|frames| frames.get(depth as usize)).is_none_or(|frame| frame.function != function)
            }
            ProofObjectKey::ThreadLocal(_, thread) => threads.get(thread as usize).is_none_or(|own| !own.is_live()),
            _ => false,
        }
    }

    /// Whether nothing else can lie where the object lies.
    fn has_place(&self, course: &ThreadCourse, object: u32) -> bool {
        let known = &self.objects[object as usize];
        match known.key {
            ProofObjectKey::Allocated { location, .. } => match self.program.at(location) {
                At::Instruction(instruction) => {
                    !matches!(instruction.kind, InstructionKind::Allocate { kind: AllocationKind::Stack, .. })
                }
                At::Terminator(_) => false,
            },
            _ => known.size != Some(0) && !self.has_ended(course, object),
        }
    }

    /// When a pointer is just behind its object and the other one at the beginning of its own.
    fn touch(&mut self, object: u32, offset: TermId, other_offset: TermId) -> TermId {
        let width = self.terms.width(offset);
        let start = self.terms.constant(width, 0);
        let at_end = match self.objects[object as usize].size {
            Some(size) => {
                let end = self.terms.constant(width, size);
                self.terms.eq(offset, end)
            }
            None => self.terms.distinct(offset, start),
        };
        let at_start = self.terms.eq(other_offset, start);
        self.terms.and(at_end, at_start)
    }
}

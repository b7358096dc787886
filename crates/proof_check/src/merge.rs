//! Which instructions may be done in one go with those before them: those that no other thread can notice or have a part in.

use std::rc::Rc;

use program::effects::{AccessAddress, AccessKind, effects};
use program::handles::handle_number;
use program::points_to::{MemoryObject, ObjectId as Abstract};
use program::{At, InstructionKind, PropertySet, RegisterId, TerminatorKind};
use proof::{ProofClaim, ProofObjectKey, ProofVariable};

use crate::execute::Consequences;
use crate::machine::CheckMachine;
use crate::reach::{Prospect, SharedObject, start_of};
use crate::state::{CheckedValue, ThreadCourse};

/// What an access may be to.
enum Touched {
    Nothing,
    Anything,
    Objects(Vec<Abstract>),
}

impl CheckMachine<'_> {
    /// Whether the next instruction may follow in the same step.
    pub fn may_go_on(&mut self, course: &ThreadCourse) -> bool {
        let Some(here) = course.place() else { return false };
        if course.own().sections > 0 {
            return true;
        }
        let instruction = match self.program.at(here) {
            At::Terminator(terminator) => {
                let stops = matches!(terminator.kind, TerminatorKind::ProcessExit { .. } | TerminatorKind::Unreachable);
                return !(stops && course.has_effect);
            }
            At::Instruction(instruction) => instruction,
        };
        let others = self.prospects(course);
        match &instruction.kind {
            InstructionKind::Assume { .. } => !course.has_effect,
            _ if others.is_empty() => true,
            InstructionKind::AtomicBegin => false,
            InstructionKind::Join { .. } | InstructionKind::Detach { .. } => !others.iter().any(|other| other.joins),
            InstructionKind::Spawn { .. } if others.iter().any(|other| other.spawns) => false,
            kind => !self.touches(course, kind, &others),
        }
    }

    /// Executes the next instruction, and notes whether others may notice it.
    pub fn advance(&mut self, course: ThreadCourse, properties: PropertySet) -> Consequences {
        let is_noticed = self.is_noticed(&course);
        let mut consequences = self.execute(course, properties);
        for next in &mut consequences.next {
            next.has_effect |= is_noticed;
        }
        consequences
    }

    fn is_noticed(&mut self, course: &ThreadCourse) -> bool {
        let Some(here) = course.place() else { return false };
        let At::Instruction(instruction) = self.program.at(here) else { return false };
        let others = self.prospects(course);
        if others.is_empty() {
            return false;
        }
        effects(self.program, &instruction.kind).accesses.iter().any(|access| {
            let is_part = |object: Abstract| {
                others.iter().any(|other| other.reads.contains(object) || other.writes.contains(object))
            };
            access.kind.writes()
                && match self.touched(course, access.address) {
                    Touched::Nothing => false,
                    Touched::Anything => true,
                    Touched::Objects(objects) => objects.into_iter().any(is_part),
                }
        })
    }

    /// Whether others may notice the accesses of an instruction, or change what they find.
    fn touches(&mut self, course: &ThreadCourse, kind: &InstructionKind, others: &[Rc<Prospect>]) -> bool {
        effects(self.program, kind).accesses.iter().any(|access| {
            let only_reads = matches!(access.kind, AccessKind::Read | AccessKind::Repeat);
            let conflicts = |object: Abstract| {
                others.iter().any(|other| other.writes.contains(object) || !only_reads && other.reads.contains(object))
            };
            match self.touched(course, access.address) {
                Touched::Nothing => false,
                Touched::Anything => true,
                Touched::Objects(objects) => objects.into_iter().any(conflicts),
            }
        })
    }

    fn touched(&mut self, course: &ThreadCourse, address: AccessAddress) -> Touched {
        let (AccessAddress::Operand(base), Some(here)) = (address, course.place()) else { return Touched::Anything };
        if let Ok((object, _)) = self.address(course, base) {
            let object = match self.objects[object as usize].key {
                ProofObjectKey::Function(_) => return Touched::Nothing,
                ProofObjectKey::Global(global) | ProofObjectKey::ThreadLocal(global, _) => MemoryObject::Global(global),
                ProofObjectKey::Local { function, local, .. } => MemoryObject::Local(function, local),
                ProofObjectKey::Allocated { location, .. } => MemoryObject::Allocation(location),
            };
            return match self.reach.shared(object) {
                SharedObject::OfOneThread => Touched::Nothing,
                SharedObject::Shared(object) => Touched::Objects(vec![object]),
                SharedObject::NotKnown => Touched::Anything,
            };
        }
        let objects: Vec<Abstract> = self.reach.points_to.operand(here.function, base).iter().collect();
        if objects.is_empty() { Touched::Anything } else { Touched::Objects(objects) }
    }

    /// What each of the other threads may still do, before it has waited for the end of this one.
    fn prospects(&mut self, course: &ThreadCourse) -> Vec<Rc<Prospect>> {
        let mut found = Vec::new();
        for other in 0..course.state.threads.len() as u32 {
            let own = &course.state.threads[other as usize];
            if other == course.thread || own.joined_by == Some(course.thread) {
                continue;
            }
            let frames = match course.is_off && other != 0 {
                true => vec![start_of(own.start)],
                false => own.frames.clone(),
            };
            if frames.is_empty() {
                continue;
            }
            let handles = self.handles(course, other);
            let mut all = Prospect::default();
            for (depth, &frame) in frames.iter().enumerate() {
                let own: Vec<RegisterId> =
                    handles.iter().filter(|&&(at, _)| at as usize == depth).map(|&(_, register)| register).collect();
                all.add(&self.reach.prospect(frame, depth + 1 < frames.len(), &own));
            }
            found.push(Rc::new(all));
        }
        found
    }

    /// The registers in which another thread holds the handle of this one, by their activation.
    fn handles(&mut self, course: &ThreadCourse, other: u32) -> Vec<(u32, RegisterId)> {
        if course.own().detached || self.reach.detaches {
            return Vec::new();
        }
        let handle = handle_number(u64::from(course.thread));
        let mut found = Vec::new();
        let of_other = |variable: &ProofVariable| match *variable {
            ProofVariable::Register { thread, depth, register, .. } if thread == other => Some((depth, register)),
            _ => None,
        };
        for (variable, claim) in &course.knowledge.claims {
            if *claim == ProofClaim::Number(handle) && !course.values.contains_key(variable) {
                found.extend(of_other(variable));
            }
        }
        for (variable, value) in &course.values {
            if let CheckedValue::Number(term) = value
                && self.terms.as_constant(*term) == Some(handle)
            {
                found.extend(of_other(variable));
            }
        }
        found.sort_unstable();
        found
    }
}

//! Loops that only fill memory while there is no other thread: nobody can stop in them, so that it is enough to know what holds
//! once their guard is false. What they assign may then be anything.

use program::cfg::Cfg;
use program::loops::Loops;
use program::points_to::MemoryObject;
use program::{BlockId, InstructionKind, Location, Operand, PropertySet, RegisterId, TerminatorKind, Type};
use proof::ProofObjectKey;

use crate::evaluate::truth_of;
use crate::execute::{Consequences, jump};
use crate::machine::{CheckMachine, Unclear};
use crate::state::{CheckedValue, ThreadCourse};

/// A loop that can be left only where its head says so.
#[derive(Clone, Debug)]
pub struct FillingLoop {
    assigned: Vec<RegisterId>,
    /// Addresses and values of its stores.
    stores: Vec<(Operand, Operand)>,
    condition: Operand,
    exit: BlockId,
    stays_if: bool,
}

impl CheckMachine<'_> {
    /// The loop that begins at the place of the course, if it is one that may be summed up there.
    pub fn filling_loop(&mut self, course: &ThreadCourse) -> Option<FillingLoop> {
        let here = course.place().filter(|here| here.index == 0)?;
        let is_gone = |(index, other): (usize, &crate::state::ThreadStack)| {
            let index = index as u32;
            index == course.thread || other.joined_by == Some(course.thread) || (index == 0 && !other.is_live())
        };
        if !course.state.threads.iter().enumerate().all(is_gone) {
            return None;
        }
        if let Some(known) = self.filling_loops.get(&here) {
            return known.clone();
        }
        let found = self.find_filling_loop(here);
        self.filling_loops.insert(here, found.clone());
        found
    }

    fn find_filling_loop(&self, here: Location) -> Option<FillingLoop> {
        let function = &self.program.functions[here.function];
        let loops = Loops::new(&Cfg::new(function));
        let (_, own) = loops.iter().find(|(_, one)| one.header == here.block && !one.is_irreducible())?;
        let (mut assigned, mut stores, mut exits) = (Vec::new(), Vec::new(), Vec::new());
        for &block in &own.body {
            let body = &function.blocks[block];
            for instruction in &body.instructions {
                match instruction.kind {
                    InstructionKind::Assign { .. } | InstructionKind::Nondet { .. } => {}
                    InstructionKind::Store { address, value, .. } if block != own.header => {
                        stores.push((address, value))
                    }
                    _ => return None,
                }
                assigned.extend(instruction.kind.targets());
            }
            let next = body.terminator.kind.successors();
            if next.is_empty() {
                return None;
            }
            exits.extend(next.into_iter().filter(|to| !own.body.contains(to)).map(|to| (block, to)));
        }
        let [(from, exit)] = exits[..] else { return None };
        let TerminatorKind::Branch { condition, then, otherwise } = function.blocks[own.header].terminator.kind else {
            return None;
        };
        assigned.sort_unstable();
        assigned.dedup();
        let leaves_at_head = from == own.header && then != otherwise;
        leaves_at_head.then_some(FillingLoop { assigned, stores, condition, exit, stays_if: otherwise == exit })
    }

    /// What holds behind the loop.
    pub fn behind_loop(
        &mut self,
        mut course: ThreadCourse,
        own: &FillingLoop,
        properties: PropertySet,
        consequences: &mut Consequences,
    ) -> Result<(), Unclear> {
        let head = course.place().ok_or_else(|| "a thread that has ended".to_owned())?;
        let function = &self.program.functions[head.function];
        for &(address, value) in &own.stores {
            if !self.reach.points_to.operand(head.function, value).is_empty() {
                return Err("a loop that stores pointers".to_owned());
            }
            let targets: Vec<_> = self.reach.points_to.operand(head.function, address).iter().collect();
            if targets.is_empty() {
                return Err("a loop that stores to an address that is not known".to_owned());
            }
            for target in targets {
                let target = self.reach.points_to.object(target);
                self.forget_contents(&mut course, target)?;
            }
        }
        for &register in &own.assigned {
            let value = match function.registers[register].ty {
                Type::Pointer => CheckedValue::Lost,
                ty => self.unknown(&mut course, ty),
            };
            self.set(&mut course, register, value)?;
        }
        for index in 0..function.blocks[head.block].instructions.len() {
            let here = Location { index: index as u32, ..head };
            let kind = &function.blocks[head.block].instructions[index].kind;
            let mut own = Consequences::default();
            self.instruction(course, here, kind, properties, &mut own)?;
            course = own.next.pop().ok_or_else(|| "a loop that is not understood".to_owned())?;
        }
        let condition = truth_of(self.operand(&course, own.condition)?)?;
        course.guard.push(if own.stays_if { self.terms.not(condition) } else { condition });
        jump(&mut course, own.exit);
        consequences.next.push(course);
        Ok(())
    }

    /// Every object that an abstract object stands for may hold anything.
    fn forget_contents(&mut self, course: &mut ThreadCourse, target: MemoryObject) -> Result<(), Unclear> {
        let is_meant = |key: ProofObjectKey| match (key, target) {
            (ProofObjectKey::Global(own) | ProofObjectKey::ThreadLocal(own, _), MemoryObject::Global(global)) => {
                own == global
            }
            (ProofObjectKey::Local { function, local, .. }, MemoryObject::Local(other, own)) => {
                (function, local) == (other, own)
            }
            (ProofObjectKey::Allocated { location, .. }, MemoryObject::Allocation(place)) => location == place,
            _ => false,
        };
        for object in 0..self.objects.len() as u32 {
            let (key, is_array) = (self.objects[object as usize].key, self.objects[object as usize].is_array);
            if !is_meant(key) {
                continue;
            }
            if self.has_sync(object) {
                return Err("a loop that fills an object with synchronisation objects".to_owned());
            }
            if !is_array {
                self.fill(course, object, None)?;
            } else if course.state.sealed.contains(&object) {
                return Err("an array that changes after it was read".to_owned());
            }
        }
        Ok(())
    }
}

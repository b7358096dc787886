//! The variables, objects and cells of a check, and how values of variables are read.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::{Budget, StopReason};
use program::{Analyses, DataModel, Location, Operand, Program, Type};
use proof::{ProofClaim, ProofFile, ProofObjectKey, ProofVariable};
use rustc_hash::FxHashMap;
use terms::{Sort, TermId, Terms};

use crate::decide::ObligationSolver;
use crate::reach::ReachTable;
use crate::state::{CheckedValue, ExactState, NodeKnowledge, ThreadCourse};
use crate::summary::FillingLoop;

/// Why something is not understood.
pub type Unclear = String;

/// An object, with what instructions have said of it.
pub struct CheckedObject {
    pub key: ProofObjectKey,
    pub is_array: bool,
    pub size: Option<u64>,
    /// Whether the size is settled.
    pub is_sized: bool,
    /// Bytes that are zero when the object is made.
    pub zeroed: bool,
}

pub struct CheckMachine<'p> {
    pub program: &'p Program,
    pub terms: Terms,
    pub reach: ReachTable<'p>,
    pub decider: ObligationSolver,
    pub objects: Vec<CheckedObject>,
    object_ids: FxHashMap<ProofObjectKey, u32>,
    /// Where cells and synchronisation objects begin, with their bytes.
    layout: BTreeMap<(u32, u64), (u64, bool)>,
    /// Whether cells were found of which the file says nothing: then all has to be checked again.
    pub grew: bool,
    variables: FxHashMap<ProofVariable, TermId>,
    unknowns: FxHashMap<(u32, u32, u8), TermId>,
    lost: FxHashMap<ProofVariable, TermId>,
    pub filling_loops: FxHashMap<Location, Option<FillingLoop>>,
}

impl<'p> CheckMachine<'p> {
    /// The tables of the file; `Err` if they contradict each other.
    pub fn new(analyses: &Analyses<'p>, file: &ProofFile, budget: &Budget) -> Result<Self, String> {
        let mut machine = Self {
            program: analyses.program,
            terms: Terms::new(),
            reach: ReachTable::new(analyses),
            decider: ObligationSolver::new(budget.clone()),
            objects: Vec::new(),
            object_ids: FxHashMap::default(),
            layout: BTreeMap::new(),
            grew: false,
            variables: FxHashMap::default(),
            unknowns: FxHashMap::default(),
            lost: FxHashMap::default(),
            filling_loops: FxHashMap::default(),
        };
        for object in &file.objects {
            if machine.object_ids.contains_key(&object.key) {
                return Err("an object is named twice".to_owned());
            }
            let id = machine.object(object.key);
            machine.objects[id as usize].is_array = object.is_array;
        }
        let cells = file.cells.iter().map(|cell| (cell, false));
        for (&(object, offset, bytes), is_sync) in cells.chain(file.sync_objects.iter().map(|cell| (cell, true))) {
            machine.lay_out(object, offset, bytes, is_sync)?;
        }
        machine.grew = false;
        Ok(machine)
    }

    pub fn model(&self) -> DataModel {
        self.program.data_model
    }

    pub fn pointer_bits(&self) -> u32 {
        u32::from(self.model().pointer_bits())
    }

    pub fn object(&mut self, key: ProofObjectKey) -> u32 {
        if let Some(&known) = self.object_ids.get(&key) {
            return known;
        }
        let size = match key {
            ProofObjectKey::Function(_) => Some(1),
            ProofObjectKey::Global(global) | ProofObjectKey::ThreadLocal(global, _) => {
                Some(self.program.globals[global].size)
            }
            ProofObjectKey::Local { function, local, .. } => Some(self.program.functions[function].locals[local].size),
            ProofObjectKey::Allocated { .. } => None,
        };
        let zeroed = matches!(key, ProofObjectKey::Global(_) | ProofObjectKey::ThreadLocal(..));
        let id = self.objects.len() as u32;
        let is_sized = size.is_some();
        self.objects.push(CheckedObject { key, is_array: false, size, is_sized, zeroed });
        self.object_ids.insert(key, id);
        id
    }

    /// Settles the size of an object that is allocated now. Objects of one name that differ in size have none.
    pub fn set_size(&mut self, object: u32, size: Option<u64>, zeroed: bool) {
        let known = &mut self.objects[object as usize];
        if known.is_sized && known.size != size && known.size.is_some() {
            known.size = None;
            self.grew = true;
        } else if !known.is_sized {
            (known.size, known.is_sized) = (size, true);
        }
        known.zeroed = zeroed;
    }

    pub fn lay_out(&mut self, object: u32, offset: u64, bytes: u64, is_sync: bool) -> Result<(), Unclear> {
        let differ = || "memory that is accessed in pieces of different sizes".to_owned();
        if let Some(&known) = self.layout.get(&(object, offset)) {
            return if known == (bytes, is_sync) { Ok(()) } else { Err(differ()) };
        }
        let end = offset.checked_add(bytes).ok_or_else(differ)?;
        let before = self.layout.range((object, 0)..(object, offset)).next_back();
        let overlaps_before = before.is_some_and(|(&(_, start), &(length, _))| start + length > offset);
        let overlaps_after = self.layout.range((object, offset)..(object, end)).next().is_some();
        if overlaps_before || overlaps_after {
            return Err(differ());
        }
        self.layout.insert((object, offset), (bytes, is_sync));
        self.grew = true;
        Ok(())
    }

    /// The cells of an object in a range; `Err` if something lies there only in part, or a synchronisation object does.
    pub fn cells_in(&self, object: u32, from: u64, to: u64) -> Result<Vec<(u64, u64)>, Unclear> {
        let mut found = Vec::new();
        for (&(_, start), &(bytes, is_sync)) in self.layout.range((object, 0)..(object, to)) {
            if start + bytes <= from {
                continue;
            }
            if is_sync || start < from || start + bytes > to {
                return Err("memory that is set or copied in part".to_owned());
            }
            found.push((start, bytes));
        }
        Ok(found)
    }

    /// Whether a synchronisation object is known to be inside.
    pub fn has_sync(&self, object: u32) -> bool {
        self.layout.range((object, 0)..=(object, u64::MAX)).any(|(_, &(_, is_sync))| is_sync)
    }

    /// All cells of an object.
    pub fn cells(&self, object: u32) -> Vec<(u64, u64)> {
        let all = self.layout.range((object, 0)..=(object, u64::MAX));
        all.filter(|(_, (_, is_sync))| !is_sync).map(|(&(_, start), &(bytes, _))| (start, bytes)).collect()
    }

    /// Every cell of a global, as variables.
    pub fn cells_of_globals(&self) -> Vec<ProofVariable> {
        let is_global = |object: u32| {
            matches!(self.objects[object as usize].key, ProofObjectKey::Global(_) | ProofObjectKey::ThreadLocal(..))
        };
        let cells = self.layout.iter().filter(|((object, _), (_, is_sync))| !is_sync && is_global(*object));
        cells
            .map(|(&(object, offset), &(bytes, _))| ProofVariable::Cell { object, offset, bytes: bytes as u8 })
            .collect()
    }

    /// A cell as a variable.
    pub fn cell(&mut self, object: u32, offset: u64, bytes: u64) -> Result<ProofVariable, Unclear> {
        self.lay_out(object, offset, bytes, false)?;
        Ok(ProofVariable::Cell { object, offset, bytes: bytes as u8 })
    }

    fn bits(&self, variable: ProofVariable) -> u32 {
        match variable {
            ProofVariable::Register { function, register, .. } => {
                u32::from(self.program.functions[function].registers[register].ty.bits(self.model()))
            }
            ProofVariable::Cell { bytes, .. } => u32::from(bytes) * 8,
            ProofVariable::Result { .. } => self.pointer_bits(),
        }
    }

    fn new_term(&mut self, bits: u32) -> TermId {
        match bits {
            1 => self.terms.bool_variable(String::new()),
            bits => self.terms.bv_variable(String::new(), bits),
        }
    }

    /// The term that stands for a variable of the state.
    pub fn variable(&mut self, variable: ProofVariable) -> TermId {
        if let Some(&known) = self.variables.get(&variable) {
            return known;
        }
        let term = self.new_term(self.bits(variable));
        self.variables.insert(variable, term);
        term
    }

    /// What stands for a value that is not followed: it may be anything.
    pub fn lost(&mut self, variable: ProofVariable) -> TermId {
        if let Some(&known) = self.lost.get(&variable) {
            return known;
        }
        let term = self.new_term(self.bits(variable));
        self.lost.insert(variable, term);
        term
    }

    /// A value of which nothing is known.
    pub fn unknown(&mut self, course: &mut ThreadCourse, ty: Type) -> CheckedValue {
        let bits = ty.bits(self.model());
        let key = (course.thread, course.unknowns, bits);
        course.unknowns += 1;
        let term = match self.unknowns.get(&key) {
            Some(&known) => known,
            None => {
                let term = self.new_term(u32::from(bits));
                self.unknowns.insert(key, term);
                term
            }
        };
        if bits == 1 { CheckedValue::Truth(term) } else { CheckedValue::Number(term) }
    }

    pub fn number(&mut self, bits: u32, value: u64) -> CheckedValue {
        match bits {
            1 => CheckedValue::Truth(self.terms.boolean(value & 1 != 0)),
            bits => {
                let mask = u64::MAX >> (64 - bits);
                CheckedValue::Number(self.terms.constant(bits, value & mask))
            }
        }
    }

    /// What a variable holds now.
    pub fn value(&mut self, course: &ThreadCourse, variable: ProofVariable) -> CheckedValue {
        if let Some(&value) = course.values.get(&variable) {
            return value;
        }
        self.value_before(&course.knowledge, variable)
    }

    /// What a variable holds in a node.
    pub fn value_before(&mut self, knowledge: &NodeKnowledge, variable: ProofVariable) -> CheckedValue {
        let bits = self.bits(variable);
        if knowledge.lost.contains(&variable) {
            return CheckedValue::Lost;
        }
        match knowledge.claims.get(&variable) {
            Some(&ProofClaim::Pointer(object, Some(offset))) => {
                CheckedValue::Address(object, self.terms.constant(bits.max(8), offset))
            }
            Some(&ProofClaim::Pointer(object, None)) => CheckedValue::Address(object, self.variable(variable)),
            Some(&ProofClaim::Number(number)) => self.number(bits, number),
            Some(ProofClaim::Lost) => CheckedValue::Lost,
            None if bits == 1 => CheckedValue::Truth(self.variable(variable)),
            None => CheckedValue::Number(self.variable(variable)),
        }
    }

    /// The bits of what a variable holds now, as predicates speak of them: of a pointer into an object the offset.
    pub fn bits_of(&mut self, course: &ThreadCourse, variable: ProofVariable) -> TermId {
        let own = self.variable(variable);
        let value = match course.values.get(&variable) {
            Some(&value) => value,
            // What is claimed of the state before is told apart, as premises.
            None => return own,
        };
        let term = match value {
            CheckedValue::Truth(term) | CheckedValue::Number(term) | CheckedValue::Address(_, term) => term,
            CheckedValue::Lost => return self.lost(variable),
        };
        // A value of another sort would be one that the program's types do not allow.
        if self.terms.sort(term) == self.terms.sort(own) { term } else { self.lost(variable) }
    }

    /// What claims say, as conditions on the state.
    pub fn claimed(&mut self, knowledge: &Rc<NodeKnowledge>) -> Vec<TermId> {
        let mut all = Vec::new();
        for (&variable, &claim) in &knowledge.claims {
            let number = match claim {
                ProofClaim::Number(number) | ProofClaim::Pointer(_, Some(number)) => number,
                ProofClaim::Pointer(_, None) | ProofClaim::Lost => continue,
            };
            let term = self.variable(variable);
            all.push(match self.terms.sort(term) {
                Sort::BitVec(width) => {
                    let constant = self.terms.constant(width, number & (u64::MAX >> (64 - width)));
                    self.terms.eq(term, constant)
                }
                _ if number != 0 => term,
                _ => self.terms.not(term),
            });
        }
        all
    }

    /// What a cell of a global holds at the beginning: `None` if that may be anything.
    pub fn initial(&mut self, variable: ProofVariable) -> Option<CheckedValue> {
        let ProofVariable::Cell { object, offset, bytes } = variable else { return None };
        let (ProofObjectKey::Global(global) | ProofObjectKey::ThreadLocal(global, _)) =
            self.objects[object as usize].key
        else {
            return None;
        };
        let initial = &self.program.globals[global].initial;
        if initial.indeterminate || self.objects[object as usize].is_array {
            return None;
        }
        let end = offset.saturating_add(u64::from(bytes));
        let pointer_bytes = self.model().pointer_bytes();
        let overlaps = |at: u64| at < end && offset < at.saturating_add(pointer_bytes);
        if let Some(address) = initial.relocations.iter().find(|one| overlaps(one.offset)) {
            if address.offset != offset || u64::from(bytes) != pointer_bytes {
                return Some(CheckedValue::Lost);
            }
            let (key, start) = match address.value {
                Operand::Global { global, offset } if !self.program.globals[global].thread_local => {
                    (ProofObjectKey::Global(global), offset as u64)
                }
                Operand::Function(function) => (ProofObjectKey::Function(function), 0),
                _ => return Some(CheckedValue::Lost),
            };
            let (target, bits) = (self.object(key), self.pointer_bits());
            let start = self.terms.constant(bits, start & (u64::MAX >> (64 - bits)));
            return Some(CheckedValue::Address(target, start));
        }
        let byte = |index: u64| u64::from(initial.bytes.get(index as usize).copied().unwrap_or(0));
        let value = (offset..end).rev().fold(0, |value, index| value << 8 | byte(index));
        Some(CheckedValue::Number(self.terms.constant(u32::from(bytes) * 8, value)))
    }

    /// The first bytes of an object, for its synchronisation objects.
    pub fn initial_bytes(&self, object: u32, offset: u64, bytes: u64) -> Option<Vec<u8>> {
        let known = &self.objects[object as usize];
        let (ProofObjectKey::Global(global) | ProofObjectKey::ThreadLocal(global, _)) = known.key else {
            return known.zeroed.then(|| vec![0; bytes as usize]);
        };
        let initial = &self.program.globals[global].initial;
        let byte = |index: u64| initial.bytes.get(index as usize).copied().unwrap_or(0);
        (!initial.indeterminate).then(|| (offset..offset + bytes).map(byte).collect())
    }

    /// Whether nobody can use what a variable holds in a state.
    pub fn is_dead(&self, state: &ExactState, variable: ProofVariable) -> bool {
        let ProofVariable::Register { thread, depth, function, register } = variable else { return false };
        let Some(own) = state.threads.get(thread as usize) else { return true };
        let Some(&at) = own.frames.get(depth as usize) else { return true };
        let is_below = depth as usize + 1 < own.frames.len();
        at.function != function || !self.reach.is_live(at, is_below, register)
    }

    pub fn infeasible(&mut self, conjuncts: &[TermId]) -> Result<bool, StopReason> {
        self.decider.infeasible(&mut self.terms, conjuncts)
    }
}

//! What pointers may point to, as in [`PointsTo`] but with the fields of objects told apart: what is read from one place of an
//! object was stored at a place that overlaps it, by the remainders of offsets.
//!
//! Only whole pointers are followed this way. Numbers that carry addresses, objects in which pointers are put together from
//! pieces and results of threads are as coarse as in [`PointsTo`].

use base::{Id, IdVec};

use super::{MemoryObject, ObjectId, ObjectSet, Offsets, PiecePlace, PointsTo};
use crate::instruction::{InstructionKind, Operand, Rvalue, TerminatorKind};
use crate::program_::{At, FunctionId, Location, Program, RegisterId};
use crate::types::Type;

/// Objects with more places than this are not told apart any further.
const MANY_PLACES: usize = 64;

pub(crate) struct Targets<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    offsets: &'a Offsets<'a>,
    registers: IdVec<FunctionId, Vec<ObjectSet>>,
    results: IdVec<FunctionId, ObjectSet>,
    memory: IdVec<ObjectId, Vec<(PiecePlace, ObjectSet)>>,
    changed: bool,
}

impl<'a> Targets<'a> {
    pub fn new(program: &'a Program, points_to: &'a PointsTo, offsets: &'a Offsets<'a>) -> Self {
        let mut targets = Self {
            program,
            points_to,
            offsets,
            registers: program.functions.iter().map(|body| vec![ObjectSet::EMPTY; body.registers.len()]).collect(),
            results: program.functions.iter().map(|_| ObjectSet::EMPTY).collect(),
            memory: points_to.objects().map(|_| Vec::new()).collect(),
            changed: false,
        };
        targets.initial_contents();
        targets.solve();
        targets
    }

    /// What a value of this operand may point to.
    pub fn operand(&self, function: FunctionId, operand: Operand) -> &ObjectSet {
        match operand {
            Operand::Register(register) if self.is_pointer(function, register) => {
                &self.registers[function][register.index()]
            }
            _ => self.points_to.operand(function, operand),
        }
    }

    fn is_pointer(&self, function: FunctionId, register: RegisterId) -> bool {
        self.program.functions[function].registers[register].ty == Type::Pointer
    }

    fn initial_contents(&mut self) {
        for (id, global) in self.program.globals.iter_enumerated() {
            let Some(object) = self.points_to.id(MemoryObject::Global(id)) else { continue };
            for relocation in &global.initial.relocations {
                let start = Operand::Global { global: id, offset: relocation.offset as i64 };
                let place = self.place(FunctionId(0), start, Type::Pointer);
                let value = self.points_to.operand(FunctionId(0), relocation.value);
                self.put(object, place, value);
            }
        }
    }

    fn solve(&mut self) {
        loop {
            self.changed = false;
            for (location, at) in self.offsets.reached() {
                match at {
                    At::Instruction(instruction) => self.instruction(location, &instruction.kind),
                    At::Terminator(terminator) => {
                        if let TerminatorKind::Return(Some(value)) = terminator.kind {
                            let value = self.operand(location.function, value).clone();
                            self.changed |= self.results[location.function].extend(&value);
                        }
                    }
                }
            }
            if !self.changed {
                return;
            }
        }
    }

    fn place(&self, function: FunctionId, address: Operand, ty: Type) -> PiecePlace {
        self.offsets.place(function, address, ty.bytes(self.program.data_model))
    }

    fn set(&mut self, function: FunctionId, register: RegisterId, value: &ObjectSet) {
        self.changed |= self.registers[function][register.index()].extend(value);
    }

    fn put(&mut self, object: ObjectId, place: PiecePlace, value: &ObjectSet) {
        if value.is_empty() {
            return;
        }
        let memory = &mut self.memory[object];
        let known = match memory.iter().position(|(known, _)| *known == place) {
            None if memory.len() >= MANY_PLACES => {
                memory.iter().position(|(known, _)| *known == PiecePlace::EVERYWHERE)
            }
            known => known,
        };
        self.changed |= match known {
            Some(index) => memory[index].1.extend(value),
            None if memory.len() >= MANY_PLACES => {
                memory.push((PiecePlace::EVERYWHERE, value.clone()));
                true
            }
            None => {
                memory.push((place, value.clone()));
                true
            }
        };
    }

    fn load(&self, function: FunctionId, address: Operand) -> ObjectSet {
        let place = self.place(function, address, Type::Pointer);
        let mut all = ObjectSet::EMPTY;
        for object in self.operand(function, address).iter() {
            if self.offsets.is_assembled(object) {
                all.extend(self.points_to.contents(object));
            }
            for (_, value) in self.memory[object].iter().filter(|(known, _)| known.overlaps(place)) {
                all.extend(value);
            }
        }
        all
    }

    fn store(&mut self, function: FunctionId, address: Operand, value: Operand, ty: Type) {
        let place = self.place(function, address, ty);
        let (to, value) = (self.operand(function, address).clone(), self.operand(function, value).clone());
        to.iter().for_each(|object| self.put(object, place, &value));
    }

    fn instruction(&mut self, location: Location, kind: &InstructionKind) {
        let function = location.function;
        let mut followed = None;
        match kind {
            InstructionKind::Assign { target, value } => {
                if let Some(value) = self.assigned(function, value) {
                    self.set(function, *target, &value);
                    followed = Some(*target);
                }
            }
            InstructionKind::Load { target, address, ty: Type::Pointer, .. } => {
                let value = self.load(function, *address);
                self.set(function, *target, &value);
                followed = Some(*target);
            }
            InstructionKind::Store { address, value, ty, .. }
            | InstructionKind::ReadModifyWrite { address, value, ty, .. }
            | InstructionKind::CompareExchange { address, desired: value, ty, .. } => {
                self.store(function, *address, *value, *ty);
            }
            InstructionKind::Reallocate { address, .. } => {
                let made = self.points_to.id(MemoryObject::Allocation(location)).into_iter().collect();
                self.copy(function, *address, &made, None);
            }
            InstructionKind::CopyMemory { target, source, .. } => {
                let to = self.operand(function, *target).clone();
                self.copy(function, *source, &to, Some(*target));
            }
            InstructionKind::Call { target, arguments, .. } => {
                self.call(location, arguments);
                if let Some(target) = target.filter(|_| self.returns_pointers(location)) {
                    for &callee in self.points_to.callees(location) {
                        let result = self.results[callee].clone();
                        self.set(function, target, &result);
                    }
                    followed = Some(target);
                }
            }
            InstructionKind::Spawn { argument, .. } => self.call(location, std::slice::from_ref(argument)),
            _ => {}
        }
        for &target in kind.targets().iter().filter(|&&target| Some(target) != followed) {
            let value = self.points_to.operand(function, Operand::Register(target));
            self.set(function, target, value);
        }
    }

    /// What a pointer is made of, where that is a pointer itself.
    fn assigned(&self, function: FunctionId, value: &Rvalue) -> Option<ObjectSet> {
        let of = |operand: Operand| self.operand(function, operand);
        match *value {
            Rvalue::Use(operand) => Some(of(operand).clone()),
            Rvalue::PointerAdd { pointer, .. } => Some(of(pointer).clone()),
            Rvalue::Select { then, otherwise, .. } => {
                let mut both = of(then).clone();
                both.extend(of(otherwise));
                Some(both)
            }
            _ => None,
        }
    }

    fn returns_pointers(&self, location: Location) -> bool {
        let callees = self.points_to.callees(location).iter();
        callees.map(|&callee| &self.program.functions[callee]).all(|callee| callee.result == Some(Type::Pointer))
    }

    fn call(&mut self, location: Location, arguments: &[Operand]) {
        let points_to = self.points_to;
        for &callee in points_to.callees(location) {
            for (&argument, &parameter) in arguments.iter().zip(&self.program.functions[callee].parameters) {
                let is_pointer = match argument {
                    Operand::Register(register) => self.is_pointer(location.function, register),
                    _ => true,
                };
                let value = match is_pointer {
                    true => self.operand(location.function, argument).clone(),
                    false => points_to.operand(callee, Operand::Register(parameter)).clone(),
                };
                self.set(callee, parameter, &value);
            }
        }
    }

    fn copy(&mut self, function: FunctionId, source: Operand, to: &ObjectSet, target: Option<Operand>) {
        let from = self.operand(function, source);
        let mut moved: Vec<(PiecePlace, ObjectSet)> = Vec::new();
        for object in from.iter() {
            for &(place, ref value) in &self.memory[object] {
                let place = target.map_or(place, |target| self.offsets.moved(place, function, source, target));
                moved.push((place, value.clone()));
            }
            if self.offsets.is_assembled(object) {
                moved.push((PiecePlace::EVERYWHERE, self.points_to.contents(object).clone()));
            }
        }
        for object in to.iter() {
            moved.iter().for_each(|(place, value)| self.put(object, *place, value));
        }
    }
}

//! What the instructions of a program say about where addresses flow.

use base::IdVec;
use rustc_hash::FxHashMap;

use super::solver::{Node, PointsToSolver, Use};
use super::{EXPOSED, FOUND, MemoryObject, Nodes, ObjectId, ObjectSet, ObjectTable, PointsTo, THREAD_RESULTS};
use crate::instruction::{Callee, CastOp, InstructionKind, Operand, Rvalue, TerminatorKind};
use crate::program_::{At, FunctionId, Location, Program, RegisterId};
use crate::types::Type;

/// Collects constraints from the functions that are reached, and follows calls as they are resolved.
pub(super) struct Collector<'a> {
    program: &'a Program,
    objects: ObjectTable,
    nodes: Nodes,
    solver: PointsToSolver,
    callees: FxHashMap<Location, Vec<FunctionId>>,
    reached: IdVec<FunctionId, bool>,
    /// Functions that are reached and whose instructions have not been looked at.
    fresh: Vec<FunctionId>,
}

impl<'a> Collector<'a> {
    pub fn new(program: &'a Program, objects: ObjectTable, nodes: Nodes) -> Self {
        let contents = objects.list.ids().map(|object| nodes.contents(object)).collect();
        Self {
            program,
            solver: PointsToSolver::new(nodes.end, contents),
            objects,
            nodes,
            callees: FxHashMap::default(),
            reached: program.functions.iter().map(|_| false).collect(),
            fresh: Vec::new(),
        }
    }

    /// In the objects of `assembled`, pointers may be put together from pieces.
    pub fn run(mut self, assembled: &ObjectSet) -> PointsTo {
        for object in self.objects.list.ids() {
            self.solver.insert(self.nodes.address(object), object);
        }
        self.initial_contents();
        assembled.iter().for_each(|object| self.find(self.nodes.contents(object)));
        self.reach(self.program.entry);
        loop {
            while let Some(function) = self.fresh.pop() {
                self.function(function);
            }
            let grown = self.solver.wave();
            let runs = self.solver.take_runs();
            if !grown && runs.is_empty() {
                break;
            }
            for (location, object) in runs {
                if let MemoryObject::Function(function) = self.objects.list[object] {
                    self.link(location, function);
                }
            }
        }
        self.finish()
    }

    fn finish(mut self) -> PointsTo {
        self.callees.values_mut().for_each(|callees| callees.sort_unstable());
        let Collector { objects, nodes, solver, callees, reached, .. } = self;
        let assembled = ObjectSet::default();
        PointsTo { objects, nodes, solution: solver.finish(), callees, reached, assembled }
    }

    fn flow(&mut self, from: Option<Node>, to: Node) {
        if let Some(from) = from {
            self.solver.flow(from, to);
        }
    }

    fn use_of(&mut self, pointer: Option<Node>, one: Use) {
        if let Some(pointer) = pointer {
            self.solver.use_of(pointer, one);
        }
    }

    fn initial_contents(&mut self) {
        for (id, global) in self.program.globals.iter_enumerated() {
            for relocation in &global.initial.relocations {
                let value = self.nodes.operand(&self.objects, FunctionId(0), relocation.value);
                self.flow(value, self.nodes.contents(self.objects.index[&MemoryObject::Global(id)]));
            }
        }
    }

    fn reach(&mut self, function: FunctionId) {
        if !std::mem::replace(&mut self.reached[function], true) {
            self.fresh.push(function);
        }
    }

    fn function(&mut self, id: FunctionId) {
        let program = self.program;
        for location in program.functions[id].locations(id) {
            match program.at(location) {
                At::Instruction(instruction) => self.instruction(location, &instruction.kind),
                At::Terminator(terminator) => match terminator.kind {
                    TerminatorKind::Return(Some(value)) => self.flow(self.node(id, value), self.nodes.result(id)),
                    TerminatorKind::ThreadExit(value) => self.flow(self.node(id, value), THREAD_RESULTS),
                    _ => {}
                },
            }
        }
    }

    fn node(&self, function: FunctionId, operand: Operand) -> Option<Node> {
        self.nodes.operand(&self.objects, function, operand)
    }

    fn instruction(&mut self, location: Location, kind: &InstructionKind) {
        let function = location.function;
        let node = |this: &Self, operand: Operand| this.node(function, operand);
        let register = |this: &Self, register: RegisterId| this.nodes.register(function, register);
        match kind {
            InstructionKind::Assign { target, value } => self.assign(function, *target, value),
            InstructionKind::Load { target, address, ty, .. } => {
                self.load(node(self, *address), Some(register(self, *target)), *ty);
            }
            InstructionKind::Store { address, value, .. } => self.store(node(self, *address), node(self, *value)),
            InstructionKind::ReadModifyWrite { target, address, value, ty, .. } => {
                self.load(node(self, *address), target.map(|target| register(self, target)), *ty);
                self.store(node(self, *address), node(self, *value));
            }
            InstructionKind::CompareExchange { old, address, desired, ty, .. } => {
                self.load(node(self, *address), Some(register(self, *old)), *ty);
                self.store(node(self, *address), node(self, *desired));
            }
            InstructionKind::Nondet { target, ty: Type::Pointer, .. } => self.find(register(self, *target)),
            InstructionKind::Allocate { target, .. } => {
                self.allocate(location, register(self, *target));
            }
            InstructionKind::Reallocate { target, address, .. } => {
                let made = self.allocate(location, register(self, *target));
                self.use_of(node(self, *address), Use::Load(self.nodes.contents(made)));
            }
            InstructionKind::CopyMemory { target, source, .. } => {
                let between = self.solver.intermediate();
                self.use_of(node(self, *source), Use::Load(between));
                self.use_of(node(self, *target), Use::Store(between));
            }
            InstructionKind::Call { callee, .. } | InstructionKind::Spawn { function: callee, .. } => match callee {
                Callee::Direct(callee) => self.link(location, *callee),
                Callee::Indirect(pointer) => self.use_of(node(self, *pointer), Use::Run(location)),
            },
            InstructionKind::Join { target: Some(target), .. } => {
                self.flow(Some(THREAD_RESULTS), register(self, *target));
            }
            _ => {}
        }
    }

    fn assign(&mut self, function: FunctionId, target: RegisterId, value: &Rvalue) {
        let carries = self.carries(self.program.functions[function].registers[target].ty);
        let target = self.nodes.register(function, target);
        match *value {
            Rvalue::Cast { op: CastOp::PointerToInt, operand, .. } => {
                self.flow(self.node(function, operand), EXPOSED);
                self.flow(self.node(function, operand), target);
            }
            Rvalue::Cast { op: CastOp::IntToPointer, operand, .. } => {
                self.find(target);
                self.flow(self.node(function, operand), target);
            }
            // The offset and the condition are only numbers, the difference and the result of a comparison as well.
            Rvalue::PointerAdd { pointer, .. } => self.flow(self.node(function, pointer), target),
            Rvalue::Select { then, otherwise, .. } => {
                self.flow(self.node(function, then), target);
                self.flow(self.node(function, otherwise), target);
            }
            Rvalue::PointerDifference { .. } => {}
            Rvalue::Binary { op, .. } if op.is_comparison() => {}
            Rvalue::Use(_) | Rvalue::Unary { .. } | Rvalue::Binary { .. } | Rvalue::Cast { .. } if carries => {
                for operand in value.operands() {
                    self.flow(self.node(function, operand), target);
                }
            }
            Rvalue::Use(_) | Rvalue::Unary { .. } | Rvalue::Binary { .. } | Rvalue::Cast { .. } => {}
        }
    }

    /// What the node holds may be found by its address.
    fn find(&mut self, node: Node) {
        self.flow(Some(EXPOSED), FOUND);
        self.flow(Some(FOUND), node);
    }

    /// Whether a value of this type can be a whole address.
    fn carries(&self, ty: Type) -> bool {
        ty.bytes(self.program.data_model) == self.program.data_model.pointer_bytes()
    }

    fn load(&mut self, address: Option<Node>, target: Option<Node>, ty: Type) {
        if let Some(target) = target.filter(|_| self.carries(ty)) {
            self.use_of(address, Use::Load(target));
        }
        if ty != Type::Pointer {
            self.use_of(address, Use::Load(EXPOSED));
        }
    }

    fn store(&mut self, address: Option<Node>, value: Option<Node>) {
        if let Some(value) = value {
            self.use_of(address, Use::Store(value));
        }
    }

    fn allocate(&mut self, location: Location, target: Node) -> ObjectId {
        let made = self.objects.index[&MemoryObject::Allocation(location)];
        self.flow(Some(self.nodes.address(made)), target);
        made
    }

    /// Passes arguments and results between a call or spawn and a function that it may run.
    fn link(&mut self, location: Location, callee: FunctionId) {
        let known = self.callees.entry(location).or_default();
        if known.contains(&callee) {
            return;
        }
        known.push(callee);
        self.reach(callee);
        let program = self.program;
        let At::Instruction(instruction) = program.at(location) else { return };
        let (arguments, target) = match &instruction.kind {
            InstructionKind::Call { target, arguments, .. } => (arguments.as_slice(), *target),
            InstructionKind::Spawn { argument, .. } => {
                self.flow(Some(self.nodes.result(callee)), THREAD_RESULTS);
                (std::slice::from_ref(argument), None)
            }
            _ => return,
        };
        for (&argument, &parameter) in arguments.iter().zip(&program.functions[callee].parameters) {
            let parameter_node = self.nodes.register(callee, parameter);
            self.flow(self.node(location.function, argument), parameter_node);
            if self.is_number(location.function, argument) && !self.is_number(callee, Operand::Register(parameter)) {
                self.find(parameter_node);
            }
        }
        if let Some(target) = target {
            let target_node = self.nodes.register(location.function, target);
            self.flow(Some(self.nodes.result(callee)), target_node);
            let returns_numbers = program.functions[callee].result.is_some_and(|ty| ty != Type::Pointer);
            if returns_numbers && !self.is_number(location.function, Operand::Register(target)) {
                self.find(target_node);
            }
        }
    }

    /// Whether the operand is computed as a number, which may be an address all the same.
    fn is_number(&self, function: FunctionId, operand: Operand) -> bool {
        match operand {
            Operand::Register(register) => self.program.functions[function].registers[register].ty != Type::Pointer,
            _ => false,
        }
    }
}

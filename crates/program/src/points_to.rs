//! What pointers may point to: inclusion-based (Andersen, *Program analysis and specialization for the C programming
//! language*, chapter 4), insensitive to flow, context and fields, for the functions that the entry may reach. Calls
//! through pointers are resolved along the way.
//!
//! Memory is abstracted to [`MemoryObject`]s: each stands for all objects that its declaration or allocation makes in
//! any activation and any thread.
//!
//! Guarantee: if in some execution a value carries the address of (a part of) an object, the set of its register, or
//! the contents of the object it is stored in, contains the abstraction of that object. Integers as wide as a pointer
//! carry addresses, too. A pointer made from an integer that carries none, or put together in memory from pieces, may point
//! to any *exposed* object: one whose address was turned into an integer, or read otherwise than as a pointer.

mod constraints;
mod pieces;
mod progression;
mod solver;
mod targets;

use std::fmt;

use base::{Id, IdVec, define_id};
use rustc_hash::FxHashMap;

use self::constraints::Collector;
pub(crate) use self::pieces::{Offsets, PiecePlace};
use self::solver::{Node, Solution};
pub(crate) use self::targets::Targets;
use crate::instruction::{Instruction, InstructionKind, Operand};
pub use crate::object_set::ObjectSet;
use crate::program_::{At, FunctionId, GlobalId, LocalId, Location, Program, RegisterId};
use crate::shape::ShapeId;

define_id!(
    /// An abstract object of one program.
    ObjectId,
    "o"
);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryObject {
    Global(GlobalId),
    Function(FunctionId),
    Local(FunctionId, LocalId),
    /// What the `Allocate` or `Reallocate` there makes.
    Allocation(Location),
}

/// After so many iterations, pointers are taken to be put together anywhere.
const MANY_ITERATIONS: usize = 16;

#[derive(Clone, Debug)]
pub struct PointsTo {
    objects: ObjectTable,
    nodes: Nodes,
    solution: Solution,
    /// Where calls and spawns may go, in ascending order.
    callees: FxHashMap<Location, Vec<FunctionId>>,
    reached: IdVec<FunctionId, bool>,
    /// Objects in which pointers may be put together from pieces.
    assembled: ObjectSet,
}

impl PointsTo {
    /// Of a well-formed program.
    pub fn new(program: &Program) -> Self {
        let objects = ObjectTable::new(program);
        let nodes = Nodes::new(program, &objects);
        let mut assembled = ObjectSet::default();
        for iteration in 0.. {
            let mut solution = Collector::new(program, objects.clone(), nodes.clone()).run(&assembled);
            let more = match solution.solution.of(EXPOSED).is_empty() {
                true => ObjectSet::EMPTY,
                false if iteration >= MANY_ITERATIONS => objects.list.ids().collect(),
                false => pieces::assembled(program, &solution, &assembled),
            };
            if !assembled.extend(&more) {
                solution.assembled = assembled;
                return solution;
            }
        }
        unreachable!("the set of all objects should not grow")
    }

    pub fn objects(&self) -> impl ExactSizeIterator<Item = ObjectId> + use<> {
        self.objects.list.ids()
    }

    pub fn object(&self, id: ObjectId) -> MemoryObject {
        self.objects.list[id]
    }

    pub fn id(&self, object: MemoryObject) -> Option<ObjectId> {
        self.objects.index.get(&object).copied()
    }

    /// What a value of this operand may point to.
    pub fn operand(&self, function: FunctionId, operand: Operand) -> &ObjectSet {
        static NOTHING: ObjectSet = ObjectSet::EMPTY;
        self.nodes.operand(&self.objects, function, operand).map_or(&NOTHING, |node| self.solution.of(node))
    }

    /// What may be pointed to from inside the object.
    pub fn contents(&self, object: ObjectId) -> &ObjectSet {
        self.solution.of(self.nodes.contents(object))
    }

    /// What threads may leave as their result.
    pub fn thread_results(&self) -> &ObjectSet {
        self.solution.of(THREAD_RESULTS)
    }

    /// What a pointer made from a bare integer may point to; empty if the program makes none.
    pub fn found_by_integers(&self) -> &ObjectSet {
        self.solution.of(FOUND)
    }

    /// The functions that the `Call` or `Spawn` there may run.
    pub fn callees(&self, location: Location) -> &[FunctionId] {
        self.callees.get(&location).map_or(&[], Vec::as_slice)
    }

    /// Whether some thread may execute the function.
    pub fn is_reached(&self, function: FunctionId) -> bool {
        self.reached[function]
    }

    /// What the object looks like inside, as far as the program says.
    pub(crate) fn shape(&self, program: &Program, object: ObjectId) -> Option<ShapeId> {
        match self.object(object) {
            MemoryObject::Global(global) => Some(program.globals[global].shape),
            MemoryObject::Local(function, local) => Some(program.functions[function].locals[local].shape),
            MemoryObject::Allocation(location) => match program.at(location) {
                At::Instruction(Instruction { kind: InstructionKind::Allocate { shape, .. }, .. }) => *shape,
                _ => None,
            },
            MemoryObject::Function(_) => None,
        }
    }

    /// The object as a user would name it.
    pub fn describe<'a>(&self, program: &'a Program, id: ObjectId) -> impl fmt::Display + use<'a> {
        Described { program, object: self.object(id) }
    }
}

struct Described<'a> {
    program: &'a Program,
    object: MemoryObject,
}

impl fmt::Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let functions = &self.program.functions;
        match self.object {
            MemoryObject::Global(global) => write!(f, "global {}", self.program.globals[global].name),
            MemoryObject::Function(function) => write!(f, "function {}", functions[function].name),
            MemoryObject::Local(function, local) => {
                write!(f, "local {} of {}", functions[function].locals[local].name, functions[function].name)
            }
            MemoryObject::Allocation(location) => {
                let place = self.program.files.describe(self.program.span(location));
                write!(f, "allocation in {} at {place}", functions[location.function].name)
            }
        }
    }
}

#[derive(Clone, Debug)]
struct ObjectTable {
    list: IdVec<ObjectId, MemoryObject>,
    index: FxHashMap<MemoryObject, ObjectId>,
}

impl ObjectTable {
    fn new(program: &Program) -> Self {
        let globals = program.globals.ids().map(MemoryObject::Global);
        let functions = program.functions.ids().map(MemoryObject::Function);
        let mut list: IdVec<ObjectId, MemoryObject> = globals.chain(functions).collect();
        for (id, function) in program.functions.iter_enumerated() {
            for local in function.locals.ids() {
                list.push(MemoryObject::Local(id, local));
            }
            for location in function.locations(id).filter(|&location| allocates(program, location)) {
                list.push(MemoryObject::Allocation(location));
            }
        }
        let index = list.iter_enumerated().map(|(id, &object)| (object, id)).collect();
        Self { list, index }
    }
}

fn allocates(program: &Program, location: Location) -> bool {
    let At::Instruction(instruction) = program.at(location) else { return false };
    matches!(instruction.kind, InstructionKind::Allocate { .. } | InstructionKind::Reallocate { .. })
}

/// Objects whose address was turned into, or read as, an integer.
const EXPOSED: Node = Node(0);
/// Exposed objects, if an integer is turned into a pointer anywhere.
const FOUND: Node = Node(1);
const THREAD_RESULTS: Node = Node(2);
const FIRST_REGISTER: usize = 3;

/// The numbering of nodes: the special ones, all registers, the results of functions, the contents of objects, the
/// addresses of objects (nodes that always hold just that), and intermediate nodes.
#[derive(Clone, Debug)]
struct Nodes {
    registers: IdVec<FunctionId, usize>,
    results: usize,
    contents: usize,
    addresses: usize,
    end: usize,
}

impl Nodes {
    fn new(program: &Program, objects: &ObjectTable) -> Self {
        let mut next = FIRST_REGISTER;
        let registers = program.functions.iter().map(|function| {
            let first = next;
            next += function.registers.len();
            first
        });
        let registers = registers.collect();
        let results = next;
        let contents = results + program.functions.len();
        let addresses = contents + objects.list.len();
        Self { registers, results, contents, addresses, end: addresses + objects.list.len() }
    }

    fn register(&self, function: FunctionId, register: RegisterId) -> Node {
        Node::new(self.registers[function] + register.index())
    }

    fn result(&self, function: FunctionId) -> Node {
        Node::new(self.results + function.index())
    }

    fn contents(&self, object: ObjectId) -> Node {
        Node::new(self.contents + object.index())
    }

    fn address(&self, object: ObjectId) -> Node {
        Node::new(self.addresses + object.index())
    }

    fn operand(&self, objects: &ObjectTable, function: FunctionId, operand: Operand) -> Option<Node> {
        let object = match operand {
            Operand::Register(register) => return Some(self.register(function, register)),
            Operand::Global { global, .. } => MemoryObject::Global(global),
            Operand::Local { local, .. } => MemoryObject::Local(function, local),
            Operand::Function(target) => MemoryObject::Function(target),
            Operand::Int { .. } | Operand::Float(_) | Operand::Double(_) | Operand::Null => return None,
        };
        objects.index.get(&object).map(|&object| self.address(object))
    }
}

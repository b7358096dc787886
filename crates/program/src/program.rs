//! A whole program: globals, functions, registers, memory objects, basic blocks.

use std::fmt;

use base::{Files, Id, IdVec, Span, define_id};

use crate::constant_parts::ConstantParts;
use crate::instruction::{Block, Instruction, InstructionKind, SyncOp, Terminator};
use crate::shape::{Shape, ShapeId};
use crate::sync_layouts::{OwnSizes, SyncLayouts};
use crate::types::{DataModel, Type};

define_id!(
    /// A function with a body.
    FunctionId,
    "f"
);
define_id!(
    /// A global object: a variable with static or thread storage duration, or a string literal.
    GlobalId,
    "g"
);
define_id!(
    /// A register of one function. Registers are private to an activation of the function.
    RegisterId,
    "r"
);
define_id!(
    /// A memory object that belongs to an activation of a function (a local whose address is taken, or an aggregate).
    LocalId,
    "m"
);
define_id!(
    /// A basic block of one function. Block 0 is the entry.
    BlockId,
    "b"
);

/// A complete program. `verify` lists what else must hold of it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Program {
    pub data_model: DataModel,
    /// The user's files, for spans.
    pub files: Files,
    pub shapes: IdVec<ShapeId, Shape>,
    pub globals: IdVec<GlobalId, Global>,
    pub functions: IdVec<FunctionId, Function>,
    /// Where execution begins: a function without parameters, made by the front end, that calls `main` (or the
    /// chosen entry points) and then ends the process.
    pub entry: FunctionId,
    /// Up to where the program considers its inputs, in words, such as "arguments of at most 7 characters". Executions beyond are not
    /// in it, so that nothing about it is proved without these bounds.
    pub input_bounds: Vec<String>,
    /// Where the program's declarations of synchronisation objects are not those of glibc.
    pub own_sizes: OwnSizes,
}

impl Program {
    pub fn sync_layouts(&self) -> SyncLayouts {
        SyncLayouts { model: self.data_model, own: self.own_sizes }
    }
}

/// An object that lives as long as the process (or, if `thread_local`, as long as a thread).
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    pub name: String,
    pub size: u64,
    pub align: u64,
    pub shape: ShapeId,
    pub initial: Initialiser,
    pub thread_local: bool,
    /// String literals and the like: a store is an invalid access.
    pub read_only: bool,
    /// Members that are constant although the object is not.
    pub constant_parts: ConstantParts,
    /// Whether the object is C11 `_Atomic`, so that even its plain-looking accesses are atomic, is said by the order
    /// of each access. This is only where it was declared.
    pub span: Span,
}

/// Initial contents: bytes (shorter than the object: the rest is zero) with addresses written over them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Initialiser {
    pub bytes: Vec<u8>,
    pub relocations: Vec<Relocation>,
    /// Contents are indeterminate instead (an `extern` object that nobody defines).
    pub indeterminate: bool,
}

/// A pointer-sized address inside an initialiser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation {
    pub offset: u64,
    /// An address operand without registers: `Global` or `Function`.
    pub value: crate::instruction::Operand,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<RegisterId>,
    pub result: Option<Type>,
    /// Extra arguments of a variadic call are stored by the caller into one memory object; its address is the last
    /// parameter of the callee.
    pub variadic: bool,
    pub registers: IdVec<RegisterId, Register>,
    pub locals: IdVec<LocalId, Local>,
    pub blocks: IdVec<BlockId, Block>,
    /// Not written by the user (entry function, models of library functions): never shown in traces.
    pub built_in: bool,
    pub span: Span,
}

impl Function {
    pub const ENTRY: BlockId = BlockId(0);

    /// All locations of the function in order: each block's instructions, then its terminator.
    pub fn locations(&self, function: FunctionId) -> impl Iterator<Item = Location> + '_ {
        self.blocks.iter_enumerated().flat_map(move |(block, body)| {
            (0..=body.instructions.len()).map(move |index| Location { function, block, index: index as u32 })
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    pub ty: Type,
    /// The C variable that the register holds, if it holds one.
    pub name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    pub name: String,
    pub size: u64,
    pub align: u64,
    pub shape: ShapeId,
    /// Constant once it is initialised. An instruction that writes straight to the object (its target is an
    /// `Operand::Local`) initialises it; a store by any other way is an invalid access.
    pub read_only: bool,
    /// Members that are constant once they are initialised, in the same way.
    pub constant_parts: ConstantParts,
    pub span: Span,
}

/// A place in a program: an instruction, or the terminator where `index` is the number of instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    pub function: FunctionId,
    pub block: BlockId,
    pub index: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.function, self.block, self.index)
    }
}

/// What stands at a location.
#[derive(Clone, Copy, Debug)]
pub enum At<'a> {
    Instruction(&'a Instruction),
    Terminator(&'a Terminator),
}

impl Program {
    /// From now on waits on condition variables only end by a signal.
    pub fn exclude_spurious_wake_ups(&mut self) {
        let blocks = self.functions.iter_mut().flat_map(|function| function.blocks.iter_mut());
        for instruction in blocks.flat_map(|block| &mut block.instructions) {
            if let InstructionKind::Sync { op: op @ SyncOp::CondWaitEnd, .. } = &mut instruction.kind {
                *op = SyncOp::CondSignalledWaitEnd;
            }
        }
    }

    pub fn at(&self, location: Location) -> At<'_> {
        let block = &self.functions[location.function].blocks[location.block];
        match block.instructions.get(location.index as usize) {
            Some(instruction) => At::Instruction(instruction),
            None => At::Terminator(&block.terminator),
        }
    }

    pub fn span(&self, location: Location) -> Span {
        match self.at(location) {
            At::Instruction(instruction) => instruction.span,
            At::Terminator(terminator) => terminator.span,
        }
    }

    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions.ids().find(|&id| self.functions[id].name == name)
    }

    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        self.globals.ids().find(|&id| self.globals[id].name == name)
    }
}

impl Default for FunctionId {
    fn default() -> Self {
        Id::new(0)
    }
}

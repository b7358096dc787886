//! A program decoded for execution: all instructions of all functions in one array, operands resolved, jump targets
//! as positions. Decoding keeps a table back to the program's locations; nothing else changes.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use base::{Id, IdVec, Span, define_id};
use program::instruction::TerminatorKind;
use program::{
    AllocationKind, Analyses, Analysis, BinaryOp, BlockId, Callee, CastOp, DataModel, Function, FunctionId,
    InstructionKind, LibraryFunction, Location, MemoryOrder, Operand, Program, Property, RmwOp, Rvalue, ShapeId,
    SyncOp, Type, UnaryOp, Visibility,
};
use rustc_hash::FxHashMap;

use crate::address_space::AddressSpace;
use crate::liveness::Liveness;
use crate::value::{Provenance, Value};

define_id!(
    /// An instruction or terminator: its position in the decoded program.
    Site,
    "@"
);

/// A resolved operand, small so that instructions are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// Counted from the base of the activation.
    Register(u32),
    /// An entry of [`Code::constants`].
    Constant(u32),
    /// An entry of [`Code::addresses`]: a local or a thread-local global, plus an offset.
    Address(u32),
}

/// An address that depends on the activation or the thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Relative {
    Local { local: u32, offset: i64 },
    ThreadLocal { index: u32, offset: i64 },
}

/// The type of a register value with its width at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Typed {
    pub ty: Type,
    pub bits: u8,
}

/// The type of a memory access with its width at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccessCode {
    pub ty: Type,
    pub bytes: u8,
    pub order: MemoryOrder,
    /// The order of a compare-exchange that fails.
    pub failure: MemoryOrder,
}

impl AccessCode {
    pub fn plain(ty: Type, bytes: u8) -> Self {
        Self { ty, bytes, order: MemoryOrder::NonAtomic, failure: MemoryOrder::NonAtomic }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    Use {
        target: u32,
        value: Arg,
    },
    Unary {
        target: u32,
        op: UnaryOp,
        ty: Typed,
        operand: Arg,
        signed: bool,
    },
    Binary {
        target: u32,
        op: BinaryOp,
        ty: Typed,
        left: Arg,
        right: Arg,
        signed: bool,
    },
    Cast {
        target: u32,
        op: CastOp,
        from: Typed,
        to: Typed,
        operand: Arg,
    },
    PointerAdd {
        target: u32,
        pointer: Arg,
        offset: Arg,
    },
    PointerDifference {
        target: u32,
        left: Arg,
        right: Arg,
    },
    Select {
        target: u32,
        condition: Arg,
        then: Arg,
        otherwise: Arg,
    },
    Load {
        target: u32,
        address: Arg,
        access: AccessCode,
    },
    Store {
        address: Arg,
        value: Arg,
        access: AccessCode,
    },
    ReadModifyWrite {
        target: Option<u32>,
        op: RmwOp,
        address: Arg,
        value: Arg,
        access: AccessCode,
    },
    CompareExchange {
        registers: (u32, u32),
        address: Arg,
        expected: Arg,
        desired: Arg,
        access: AccessCode,
        weak: bool,
    },
    Fence {
        acquires: bool,
        releases: bool,
    },
    Nondet {
        target: u32,
        ty: Type,
    },
    Assume {
        condition: Arg,
    },
    Assert {
        condition: Arg,
        property: Property,
    },
    Allocate {
        target: u32,
        size: Arg,
        zeroed: bool,
        align: u64,
        kind: AllocationKind,
        shape: Option<ShapeId>,
    },
    Free {
        address: Arg,
        kind: AllocationKind,
    },
    Reallocate {
        target: u32,
        address: Arg,
        size: Arg,
    },
    Begin {
        local: u32,
    },
    End {
        local: u32,
    },
    CopyMemory {
        target: Arg,
        source: Arg,
        size: Arg,
        overlap: bool,
    },
    SetMemory {
        target: Arg,
        byte: Arg,
        size: Arg,
    },
    Call {
        target: Option<u32>,
        callee: BranchTarget,
        arguments: Box<[Arg]>,
    },
    Spawn {
        target: u32,
        store: Option<(Arg, AccessCode)>,
        function: BranchTarget,
        argument: Arg,
        detached: Arg,
    },
    Join {
        target: Option<u32>,
        error: Option<u32>,
        thread: Arg,
    },
    Detach {
        error: Option<u32>,
        thread: Arg,
    },
    CurrentThread {
        target: u32,
    },
    LeaveProcess,
    AtomicBegin,
    AtomicEnd,
    Sync {
        target: Option<u32>,
        op: SyncOp,
        operands: Box<[Arg]>,
    },
    /// A fence or a scheduling hint.
    Nothing,
    Library {
        target: Option<u32>,
        function: LibraryFunction,
        arguments: Box<[Arg]>,
    },
    Unsupported,
    Goto(u32),
    Branch {
        condition: Arg,
        then: u32,
        otherwise: u32,
    },
    Switch {
        value: Arg,
        cases: Box<FxHashMap<u64, u32>>,
        default: u32,
    },
    Return(Option<Arg>),
    ThreadExit(Arg),
    ProcessExit {
        status: Arg,
        abnormal: bool,
    },
    Unreachable,
}

/// What a call goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchTarget {
    Direct(FunctionId),
    Indirect(Arg),
}

#[derive(Clone, Debug)]
pub struct FunctionCode {
    pub entry: u32,
    pub registers: u32,
    pub locals: u32,
    pub parameters: Box<[u32]>,
}

/// A program with what the interpreter made of it, which others may share.
#[derive(Clone, Debug)]
pub struct Code<'p> {
    pub program: &'p Program,
    decoded: Arc<DecodedProgram>,
}

/// The instructions of a program as the interpreter wants them.
#[derive(Clone, Debug)]
pub struct DecodedProgram {
    pub ops: Vec<Op>,
    pub visible: Vec<bool>,
    pub locations: Vec<Location>,
    pub functions: IdVec<FunctionId, FunctionCode>,
    pub constants: Vec<Value>,
    pub addresses: Vec<Relative>,
    pub space: AddressSpace,
    pub pointer_bits: u8,
    pub pointer_bytes: u64,
    /// Whether the program can see that memory lies where freed memory has been, so that where it lies is a choice.
    pub chooses_addresses: bool,
    /// The globals of which every thread has its own instance, in order.
    pub thread_locals: Vec<program::GlobalId>,
    /// Whether any fence acquires what relaxed reads before it have seen.
    pub has_acquire_fences: bool,
    /// Computed when it is first asked for.
    liveness: OnceLock<Liveness>,
}

impl Deref for Code<'_> {
    type Target = DecodedProgram;

    #[inline]
    fn deref(&self) -> &DecodedProgram {
        &self.decoded
    }
}

/// The interpreter's code as an analysis.
struct SharedCode(Result<Arc<DecodedProgram>, TooLarge>);

impl Analysis for SharedCode {
    const NAME: &'static str = "decoded programs";

    fn run(analyses: &Analyses<'_>) -> Self {
        let code = Code::new(analyses.program, &analyses.get::<Visibility>());
        Self(code.map(|code| code.decoded))
    }
}

/// The globals do not fit the address space of the data model, or are more than the interpreter can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl<'p> Code<'p> {
    /// Whether the operand is the address of a local of the current activation.
    pub fn is_local(&self, arg: Arg) -> bool {
        matches!(arg, Arg::Address(index) if matches!(self.addresses[index as usize], Relative::Local { .. }))
    }

    /// Decodes the program with its own scheduling points, unless that has been done.
    pub fn of(analyses: &Analyses<'p>) -> Result<Self, TooLarge> {
        let decoded = analyses.get::<SharedCode>().0.clone()?;
        Ok(Self { program: analyses.program, decoded })
    }

    pub fn new(program: &'p Program, visibility: &Visibility) -> Result<Self, TooLarge> {
        let space = AddressSpace::new(program).ok_or(TooLarge)?;
        let thread_locals = program.globals.ids().filter(|&id| program.globals[id].thread_local).collect();
        let code = DecodedProgram {
            ops: Vec::new(),
            visible: Vec::new(),
            locations: Vec::new(),
            functions: IdVec::new(),
            constants: Vec::new(),
            addresses: Vec::new(),
            space,
            pointer_bits: program.data_model.pointer_bits(),
            pointer_bytes: program.data_model.pointer_bytes(),
            chooses_addresses: visibility.observes_addresses(),
            thread_locals,
            has_acquire_fences: false,
            liveness: OnceLock::new(),
        };
        let decoder = ProgramDecoder { program, code, visibility, starts: Vec::new(), constants: FxHashMap::default() };
        Ok(Self { program, decoded: Arc::new(decoder.decode()) })
    }

    pub fn liveness(&self) -> &Liveness {
        self.liveness.get_or_init(|| Liveness::new(self.program, &self.visible))
    }

    pub fn location(&self, site: Site) -> Location {
        self.locations[site.index()]
    }

    pub fn span(&self, site: Site) -> Span {
        self.program.span(self.location(site))
    }

    /// Whether the site is in a function that the user wrote.
    pub fn is_users(&self, site: Site) -> bool {
        !self.program.functions[self.location(site).function].built_in
    }

    /// The slot of a function's or global's object: functions come first, then globals.
    pub fn function_slot(function: FunctionId) -> u32 {
        function.0
    }

    pub fn global_slot(&self, global: program::GlobalId) -> u32 {
        global_slot(self.program, global)
    }

    /// The value of an operand without registers and locals.
    pub fn constant(&self, operand: Operand) -> Option<Value> {
        self.decoded.constant(self.program, operand)
    }
}

impl DecodedProgram {
    fn constant(&self, program: &Program, operand: Operand) -> Option<Value> {
        let pointer = |base: u64, slot: u32, offset: i64| {
            let bits = base.wrapping_add_signed(offset) & crate::value::mask(self.pointer_bits);
            Value::pointer(bits, Provenance { slot, stamp: 0 })
        };
        Some(match operand {
            Operand::Int { value, .. } => Value::int(value),
            Operand::Float(bits) => Value::int(u64::from(bits)),
            Operand::Double(bits) => Value::int(bits),
            Operand::Null => Value::ZERO,
            Operand::Function(function) => {
                pointer(AddressSpace::function_address(function.index()), Code::function_slot(function), 0)
            }
            Operand::Global { global, offset } if !program.globals[global].thread_local => {
                pointer(self.space.globals[global.index()], global_slot(program, global), offset)
            }
            Operand::Global { .. } | Operand::Register(_) | Operand::Local { .. } => return None,
        })
    }
}

fn global_slot(program: &Program, global: program::GlobalId) -> u32 {
    program.functions.len() as u32 + global.0
}

struct ProgramDecoder<'p, 'v> {
    program: &'p Program,
    code: DecodedProgram,
    visibility: &'v Visibility,
    /// Position of each block of the function at hand.
    starts: Vec<u32>,
    constants: FxHashMap<Operand, Arg>,
}

impl<'p> ProgramDecoder<'p, '_> {
    fn decode(mut self) -> DecodedProgram {
        for (id, function) in self.program.functions.iter_enumerated() {
            self.function(id, function);
        }
        self.code
    }

    fn function(&mut self, id: FunctionId, function: &'p Function) {
        let entry = self.code.ops.len() as u32;
        let mut next = entry;
        self.starts.clear();
        for block in &function.blocks {
            self.starts.push(next);
            next += block.instructions.len() as u32 + 1;
        }
        for (block, body) in function.blocks.iter_enumerated() {
            for (index, instruction) in body.instructions.iter().enumerate() {
                let op = self.instruction(&instruction.kind);
                self.push(op, Location { function: id, block, index: index as u32 });
            }
            let op = self.terminator(&body.terminator.kind);
            self.push(op, Location { function: id, block, index: body.instructions.len() as u32 });
        }
        self.code.functions.push(FunctionCode {
            entry,
            registers: function.registers.len() as u32,
            locals: function.locals.len() as u32,
            parameters: function.parameters.iter().map(|register| register.0).collect(),
        });
    }

    fn push(&mut self, op: Op, location: Location) {
        self.code.ops.push(op);
        self.code.visible.push(self.visibility.is_visible(location));
        self.code.locations.push(location);
    }

    fn typed(&self, ty: Type) -> Typed {
        Typed { ty, bits: ty.bits(self.model()) }
    }

    fn access(&self, ty: Type, order: MemoryOrder) -> AccessCode {
        AccessCode { ty, bytes: ty.bytes(self.model()) as u8, order, failure: order }
    }

    fn model(&self) -> DataModel {
        self.program.data_model
    }

    fn arg(&mut self, operand: Operand) -> Arg {
        if let Operand::Register(register) = operand {
            return Arg::Register(register.0);
        }
        if let Some(&arg) = self.constants.get(&operand) {
            return arg;
        }
        let arg = match (self.code.constant(self.program, operand), operand) {
            (Some(value), _) => {
                self.code.constants.push(value);
                Arg::Constant(self.code.constants.len() as u32 - 1)
            }
            (None, Operand::Global { global, offset }) => {
                let position = self.code.thread_locals.iter().position(|&id| id == global);
                let index = position.expect("a global that is no constant should be thread-local") as u32;
                self.relative(Relative::ThreadLocal { index, offset })
            }
            (None, Operand::Local { local, offset }) => self.relative(Relative::Local { local: local.0, offset }),
            (None, other) => unreachable!("{other:?} should be a constant"),
        };
        self.constants.insert(operand, arg);
        arg
    }

    fn relative(&mut self, address: Relative) -> Arg {
        self.code.addresses.push(address);
        Arg::Address(self.code.addresses.len() as u32 - 1)
    }

    fn args(&mut self, operands: &[Operand]) -> Box<[Arg]> {
        operands.iter().map(|&operand| self.arg(operand)).collect()
    }

    fn target(&mut self, callee: Callee) -> BranchTarget {
        match callee {
            Callee::Direct(function) => BranchTarget::Direct(function),
            Callee::Indirect(operand) => BranchTarget::Indirect(self.arg(operand)),
        }
    }

    fn assign(&mut self, target: u32, value: &Rvalue) -> Op {
        match *value {
            Rvalue::Use(operand) => Op::Use { target, value: self.arg(operand) },
            Rvalue::Unary { op, ty, operand, signed } => {
                Op::Unary { target, op, ty: self.typed(ty), operand: self.arg(operand), signed }
            }
            Rvalue::Binary { op, ty, left, right, signed } => {
                Op::Binary { target, op, ty: self.typed(ty), left: self.arg(left), right: self.arg(right), signed }
            }
            Rvalue::Cast { op, from, to, operand } => {
                Op::Cast { target, op, from: self.typed(from), to: self.typed(to), operand: self.arg(operand) }
            }
            Rvalue::PointerAdd { pointer, offset } => {
                Op::PointerAdd { target, pointer: self.arg(pointer), offset: self.arg(offset) }
            }
            Rvalue::PointerDifference { left, right } => {
                Op::PointerDifference { target, left: self.arg(left), right: self.arg(right) }
            }
            Rvalue::Select { condition, then, otherwise, .. } => {
                let (condition, then) = (self.arg(condition), self.arg(then));
                Op::Select { target, condition, then, otherwise: self.arg(otherwise) }
            }
        }
    }

    fn instruction(&mut self, kind: &InstructionKind) -> Op {
        match kind {
            InstructionKind::Assign { target, value } => self.assign(target.0, value),
            InstructionKind::Load { target, address, ty, order } => {
                Op::Load { target: target.0, address: self.arg(*address), access: self.access(*ty, *order) }
            }
            InstructionKind::Store { address, value, ty, order } => {
                let (address, value) = (self.arg(*address), self.arg(*value));
                Op::Store { address, value, access: self.access(*ty, *order) }
            }
            InstructionKind::ReadModifyWrite { target, op, address, value, ty, order } => {
                let (address, value) = (self.arg(*address), self.arg(*value));
                let access = self.access(*ty, *order);
                Op::ReadModifyWrite { target: target.map(|r| r.0), op: *op, address, value, access }
            }
            InstructionKind::CompareExchange { old, success, address, expected, desired, ty, weak, order, failure } => {
                let (address, expected, desired) = (self.arg(*address), self.arg(*expected), self.arg(*desired));
                let registers = (old.0, success.0);
                let access = AccessCode { failure: *failure, ..self.access(*ty, *order) };
                Op::CompareExchange { registers, address, expected, desired, access, weak: *weak }
            }
            InstructionKind::Fence { order } => {
                let (acquires, releases) = (order.acquires(), order.releases());
                self.code.has_acquire_fences |= acquires;
                Op::Fence { acquires, releases }
            }
            InstructionKind::Yield => Op::Nothing,
            InstructionKind::Nondet { target, ty, .. } => Op::Nondet { target: target.0, ty: *ty },
            InstructionKind::Assume { condition } => Op::Assume { condition: self.arg(*condition) },
            InstructionKind::Assert { condition, property, .. } => {
                Op::Assert { condition: self.arg(*condition), property: *property }
            }
            InstructionKind::Allocate { target, size, zeroed, align, kind, shape } => {
                let size = self.arg(*size);
                Op::Allocate { target: target.0, size, zeroed: *zeroed, align: *align, kind: *kind, shape: *shape }
            }
            InstructionKind::Free { address, kind } => Op::Free { address: self.arg(*address), kind: *kind },
            InstructionKind::Reallocate { target, address, size } => {
                Op::Reallocate { target: target.0, address: self.arg(*address), size: self.arg(*size) }
            }
            InstructionKind::Begin { local } => Op::Begin { local: local.0 },
            InstructionKind::End { local } => Op::End { local: local.0 },
            InstructionKind::CopyMemory { target, source, size, overlap } => {
                let (target, source) = (self.arg(*target), self.arg(*source));
                Op::CopyMemory { target, source, size: self.arg(*size), overlap: *overlap }
            }
            InstructionKind::SetMemory { target, byte, size } => {
                Op::SetMemory { target: self.arg(*target), byte: self.arg(*byte), size: self.arg(*size) }
            }
            InstructionKind::Call { target, callee, arguments } => {
                let callee = self.target(*callee);
                Op::Call { target: target.map(|r| r.0), callee, arguments: self.args(arguments) }
            }
            InstructionKind::Spawn { target, store, function, argument, detached } => {
                let (function, argument) = (self.target(*function), self.arg(*argument));
                let handle = self.access(Type::Int(self.model().pointer_bits()), MemoryOrder::NonAtomic);
                let store = store.map(|address| (self.arg(address), handle));
                Op::Spawn { target: target.0, store, function, argument, detached: self.arg(*detached) }
            }
            InstructionKind::Join { target, error, thread } => {
                Op::Join { target: target.map(|r| r.0), error: error.map(|r| r.0), thread: self.arg(*thread) }
            }
            InstructionKind::Detach { error, thread } => {
                Op::Detach { error: error.map(|r| r.0), thread: self.arg(*thread) }
            }
            InstructionKind::CurrentThread { target } => Op::CurrentThread { target: target.0 },
            InstructionKind::LeaveProcess => Op::LeaveProcess,
            InstructionKind::AtomicBegin => Op::AtomicBegin,
            InstructionKind::AtomicEnd => Op::AtomicEnd,
            InstructionKind::Sync { target, op, operands } => {
                Op::Sync { target: target.map(|r| r.0), op: *op, operands: self.args(operands) }
            }
            InstructionKind::Library { target, function, arguments } => {
                let arguments = self.args(arguments);
                Op::Library { target: target.map(|r| r.0), function: *function, arguments }
            }
            InstructionKind::Unsupported { .. } => Op::Unsupported,
        }
    }

    fn terminator(&mut self, kind: &TerminatorKind) -> Op {
        let start = |starts: &[u32], block: BlockId| starts[block.index()];
        match kind {
            TerminatorKind::Goto(target) => Op::Goto(start(&self.starts, *target)),
            TerminatorKind::Branch { condition, then, otherwise } => Op::Branch {
                condition: self.arg(*condition),
                then: start(&self.starts, *then),
                otherwise: start(&self.starts, *otherwise),
            },
            TerminatorKind::Switch { value, cases, default, .. } => {
                let value = self.arg(*value);
                // The first of several equal cases wins.
                let cases = cases.iter().rev().map(|&(case, block)| (case, start(&self.starts, block))).collect();
                Op::Switch { value, cases: Box::new(cases), default: start(&self.starts, *default) }
            }
            TerminatorKind::Return(value) => Op::Return(value.map(|operand| self.arg(operand))),
            TerminatorKind::ThreadExit(value) => Op::ThreadExit(self.arg(*value)),
            TerminatorKind::ProcessExit { status, abnormal } => {
                Op::ProcessExit { status: self.arg(*status), abnormal: *abnormal }
            }
            TerminatorKind::Unreachable => Op::Unreachable,
        }
    }
}

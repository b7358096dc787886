//! Programs built by hand for tests. Every instruction gets a line of its own, so that places can be told apart.

#![allow(dead_code, reason = "each test file uses a part of it")]

use base::{FileId, Id, IdVec, Span};
use program::*;

pub const INT: Type = Type::Int(32);

pub fn int(value: i64) -> Operand {
    Operand::int(32, value as u64)
}

pub fn size(value: u64) -> Operand {
    Operand::int(64, value)
}

pub struct Builder {
    pub program: Program,
    int_shape: ShapeId,
    line: u32,
}

impl Builder {
    pub fn new() -> Self {
        let mut program = Program::default();
        program.files.intern("test.c");
        let int_shape = program.shapes.push(Shape::Scalar(INT));
        Self { program, int_shape, line: 0 }
    }

    pub fn global(&mut self, name: &str) -> GlobalId {
        self.global_bytes(name, 4, &[])
    }

    /// Room for a synchronisation object of any kind, all zero.
    pub fn sync_object(&mut self, name: &str) -> GlobalId {
        self.global_bytes(name, 56, &[])
    }

    pub fn global_bytes(&mut self, name: &str, size: u64, bytes: &[u8]) -> GlobalId {
        let shape = if size == 4 {
            self.int_shape
        } else {
            self.program.shapes.push(Shape::Array { element: self.int_shape, stride: 4, count: size / 4 })
        };
        self.program.globals.push(Global {
            name: name.to_owned(),
            size,
            align: 8,
            shape,
            initial: Initialiser { bytes: bytes.to_vec(), ..Initialiser::default() },
            thread_local: false,
            read_only: false,
            constant_parts: ConstantParts::default(),
            span: Span::UNKNOWN,
        })
    }

    /// A string literal.
    pub fn literal(&mut self, text: &str) -> GlobalId {
        let mut bytes = text.as_bytes().to_vec();
        bytes.push(0);
        let id = self.global_bytes("", bytes.len() as u64, &bytes);
        self.program.globals[id].read_only = true;
        id
    }

    /// Adds a function whose body `body` builds; parameters and result are pointers.
    pub fn function(&mut self, name: &str, parameters: usize, body: impl FnOnce(&mut Body)) -> FunctionId {
        let mut body_builder = Body {
            function: Function {
                name: name.to_owned(),
                parameters: Vec::new(),
                result: Some(Type::Pointer),
                variadic: false,
                registers: IdVec::new(),
                locals: IdVec::new(),
                blocks: IdVec::new(),
                built_in: false,
                span: Span::UNKNOWN,
            },
            at: BlockId(0),
            line: self.line,
            int_shape: self.int_shape,
            ended: Vec::new(),
        };
        for _ in 0..parameters {
            let register = body_builder.register(Type::Pointer);
            body_builder.function.parameters.push(register);
        }
        body_builder.block();
        body(&mut body_builder);
        if !body_builder.ended[body_builder.at.index()] {
            body_builder.end(TerminatorKind::Return(Some(Operand::Null)));
        }
        self.line = body_builder.line;
        self.program.functions.push(body_builder.function)
    }

    /// Adds the entry function, which ends the process where its body does not end otherwise.
    pub fn main(mut self, body: impl FnOnce(&mut Body)) -> Program {
        let entry = self.function("main", 0, |f| {
            body(f);
            if !f.ended[f.at.index()] {
                f.exit(0);
            }
        });
        self.program.entry = entry;
        self.program
    }
}

pub struct Body {
    pub function: Function,
    pub at: BlockId,
    pub line: u32,
    int_shape: ShapeId,
    ended: Vec<bool>,
}

pub fn address(global: GlobalId) -> Operand {
    Operand::Global { global, offset: 0 }
}

impl Body {
    pub fn span(&mut self) -> Span {
        self.line += 1;
        Span { file: FileId(0), line: self.line, column: 1, length: 1 }
    }

    pub fn register(&mut self, ty: Type) -> RegisterId {
        self.function.registers.push(Register { ty, name: None })
    }

    pub fn parameter(&self, index: usize) -> Operand {
        Operand::Register(self.function.parameters[index])
    }

    pub fn local(&mut self, name: &str, size: u64) -> LocalId {
        self.function.locals.push(Local {
            name: name.to_owned(),
            size,
            align: 8,
            shape: self.int_shape,
            read_only: false,
            constant_parts: ConstantParts::default(),
            span: Span::UNKNOWN,
        })
    }

    /// A new block; instructions still go to the present one.
    pub fn block(&mut self) -> BlockId {
        let span = Span::UNKNOWN;
        self.ended.push(false);
        let terminator = Terminator { kind: TerminatorKind::Unreachable, span };
        self.function.blocks.push(Block { instructions: Vec::new(), terminator })
    }

    pub fn go_on_in(&mut self, block: BlockId) {
        self.at = block;
    }

    /// Adds an instruction and returns its line.
    pub fn push(&mut self, kind: InstructionKind) -> u32 {
        let span = self.span();
        self.function.blocks[self.at].instructions.push(Instruction { kind, span });
        span.line
    }

    pub fn end(&mut self, kind: TerminatorKind) {
        let span = self.span();
        self.ended[self.at.index()] = true;
        self.function.blocks[self.at].terminator = Terminator { kind, span };
    }

    pub fn goto(&mut self, block: BlockId) {
        self.end(TerminatorKind::Goto(block));
    }

    pub fn branch(&mut self, condition: Operand, then: BlockId, otherwise: BlockId) {
        self.end(TerminatorKind::Branch { condition, then, otherwise });
    }

    pub fn exit(&mut self, status: i64) {
        self.end(TerminatorKind::ProcessExit { status: int(status), abnormal: false });
    }

    pub fn assign(&mut self, ty: Type, value: Rvalue) -> Operand {
        let target = self.register(ty);
        self.push(InstructionKind::Assign { target, value });
        Operand::Register(target)
    }

    pub fn binary(&mut self, op: BinaryOp, left: Operand, right: Operand) -> Operand {
        let ty = if op.is_comparison() { Type::BOOL } else { INT };
        self.assign(ty, Rvalue::Binary { op, ty: INT, left, right, signed: true })
    }

    pub fn equal(&mut self, left: Operand, right: Operand) -> Operand {
        self.binary(BinaryOp::Eq, left, right)
    }

    pub fn load_as(&mut self, address: Operand, ty: Type, order: MemoryOrder) -> Operand {
        let target = self.register(ty);
        self.push(InstructionKind::Load { target, address, ty, order });
        Operand::Register(target)
    }

    pub fn load(&mut self, global: GlobalId) -> Operand {
        self.load_as(address(global), INT, MemoryOrder::NonAtomic)
    }

    pub fn store_as(&mut self, address: Operand, value: Operand, ty: Type, order: MemoryOrder) -> u32 {
        self.push(InstructionKind::Store { address, value, ty, order })
    }

    pub fn store(&mut self, global: GlobalId, value: Operand) -> u32 {
        self.store_as(address(global), value, INT, MemoryOrder::NonAtomic)
    }

    /// `global++` as C has it: a load and a store.
    pub fn increment(&mut self, global: GlobalId) {
        let old = self.load(global);
        let new = self.binary(BinaryOp::Add, old, int(1));
        self.store(global, new);
    }

    pub fn nondet(&mut self) -> Operand {
        let target = self.register(INT);
        self.push(InstructionKind::Nondet { target, ty: INT, kind: NondetKind::Input });
        Operand::Register(target)
    }

    pub fn assume(&mut self, condition: Operand) {
        self.push(InstructionKind::Assume { condition });
    }

    pub fn assert(&mut self, condition: Operand) -> u32 {
        self.push(InstructionKind::Assert { condition, property: Property::Assert, message: "assertion".to_owned() })
    }

    /// Asserts that a global has a value.
    pub fn assert_is(&mut self, global: GlobalId, value: i64) -> u32 {
        let found = self.load(global);
        let same = self.equal(found, int(value));
        self.assert(same)
    }

    pub fn sync(&mut self, op: SyncOp, operands: &[Operand]) -> Operand {
        let target = self.register(INT);
        self.push(InstructionKind::Sync { target: Some(target), op, operands: operands.to_vec() });
        Operand::Register(target)
    }

    pub fn lock(&mut self, mutex: GlobalId) {
        self.sync(SyncOp::MutexLock, &[address(mutex)]);
    }

    pub fn unlock(&mut self, mutex: GlobalId) {
        self.sync(SyncOp::MutexUnlock, &[address(mutex)]);
    }

    pub fn wait(&mut self, condition: GlobalId, mutex: GlobalId) {
        self.sync(SyncOp::CondWaitBegin, &[address(condition), address(mutex)]);
        self.sync(SyncOp::CondWaitEnd, &[address(condition), address(mutex)]);
    }

    /// As `wait`, without spurious wake-ups.
    pub fn wait_for_signal(&mut self, condition: GlobalId, mutex: GlobalId) {
        self.sync(SyncOp::CondWaitBegin, &[address(condition), address(mutex)]);
        self.sync(SyncOp::CondSignalledWaitEnd, &[address(condition), address(mutex)]);
    }

    pub fn atomic(&mut self, body: impl FnOnce(&mut Self)) {
        self.push(InstructionKind::AtomicBegin);
        body(self);
        self.push(InstructionKind::AtomicEnd);
    }

    pub fn spawn(&mut self, function: FunctionId) -> Operand {
        self.spawn_with(function, Operand::Null)
    }

    pub fn spawn_with(&mut self, function: FunctionId, argument: Operand) -> Operand {
        let target = self.register(Type::Int(64));
        let function = Callee::Direct(function);
        self.push(InstructionKind::Spawn { target, store: None, function, argument, detached: Operand::FALSE });
        Operand::Register(target)
    }

    pub fn join(&mut self, thread: Operand) {
        self.push(InstructionKind::Join { target: None, error: None, thread });
    }

    /// Spawns threads running the functions and joins them all.
    pub fn run_all(&mut self, functions: &[FunctionId]) {
        let handles: Vec<Operand> = functions.iter().map(|&function| self.spawn(function)).collect();
        handles.into_iter().for_each(|handle| self.join(handle));
    }

    pub fn allocate(&mut self, bytes: u64) -> Operand {
        let target = self.register(Type::Pointer);
        let kind = AllocationKind::Heap;
        self.push(InstructionKind::Allocate { target, size: size(bytes), zeroed: false, align: 16, kind, shape: None });
        Operand::Register(target)
    }

    pub fn free(&mut self, address: Operand) -> u32 {
        self.push(InstructionKind::Free { address, kind: AllocationKind::Heap })
    }

    pub fn endless_loop(&mut self) {
        let block = self.block();
        self.goto(block);
        self.go_on_in(block);
        self.goto(block);
    }
}

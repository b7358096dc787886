//! Random well-formed programs with every kind of instruction, for round trips and for the analyses. They are not
//! meant to be run.

use base::{FileId, Files, IdVec, Span};
use program::{
    AllocationKind, BinaryOp, Block, BlockId, Callee, CastOp, DataModel, Function, FunctionId, Global, GlobalId,
    Initialiser, Instruction, InstructionKind, LibraryFunction, Local, LocalId, MemoryOrder, NondetKind, Operand,
    Program, Property, Register, RegisterId, Relocation, RmwOp, Rvalue, Shape, ShapeField, ShapeId, SyncOp, Terminator,
    TerminatorKind, Type, UnaryOp,
};

const TYPES: [Type; 8] =
    [Type::Int(1), Type::Int(8), Type::Int(16), Type::Int(32), Type::Int(64), Type::Float, Type::Double, Type::Pointer];
const MEMORY_TYPES: std::ops::Range<usize> = 1..8;
const INT_TYPES: std::ops::Range<usize> = 0..5;
const FLOAT_TYPES: std::ops::Range<usize> = 5..7;
const OFFSET: usize = 4;
const POINTER: usize = 7;
const REGISTERS_PER_TYPE: usize = 2;

/// splitmix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// Numbers of things that operands may refer to.
struct Generator {
    random: Random,
    model: DataModel,
    globals: usize,
    locals: usize,
    blocks: usize,
    /// Per function: the types of its parameters (as indices of `TYPES`) and of its result.
    signatures: Vec<(Vec<usize>, Option<usize>)>,
}

pub fn random_program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let model = random.pick(&[DataModel::Ilp32, DataModel::Lp64]);
    let (globals, functions) = (1 + random.below(4), 2 + random.below(3));
    let mut signatures = vec![(Vec::new(), None), (vec![POINTER], Some(POINTER))];
    while signatures.len() < functions {
        let parameters = (0..random.below(3)).map(|_| random.below(TYPES.len())).collect();
        signatures.push((parameters, random.chance(60).then(|| random.below(TYPES.len()))));
    }
    let mut generator = Generator { random, model, globals, locals: 0, blocks: 0, signatures };
    generator.program()
}

impl Generator {
    fn program(&mut self) -> Program {
        let mut files = Files::new();
        files.intern("dir/a \"quoted\".c");
        files.intern("b.h");
        Program {
            data_model: self.model,
            files,
            shapes: shapes(),
            globals: (0..self.globals).map(|index| self.global(index)).collect(),
            functions: (0..self.signatures.len()).map(|index| self.function(index)).collect(),
            entry: FunctionId(0),
            own_sizes: program::OwnSizes { cond: Some(12), ..program::OwnSizes::default() },
            input_bounds: vec!["arguments of at most 7 \"characters\"".to_owned()],
        }
    }

    fn span(&mut self) -> Span {
        if self.random.chance(30) {
            return Span::UNKNOWN;
        }
        let mut number = || self.random.below(90) as u32;
        Span { file: FileId(number() % 2), line: number() + 1, column: number(), length: number() }
    }

    fn shape(&mut self) -> ShapeId {
        ShapeId(self.random.below(shapes().len()) as u32)
    }

    fn text(&mut self) -> String {
        let characters = ['a', 'Z', '_', ' ', '"', '\\', '\n', '\t', '\r', 'é', '\u{0}', '#', '@', '{'];
        (0..self.random.below(6)).map(|_| self.random.pick(&characters)).collect()
    }

    fn global(&mut self, index: usize) -> Global {
        let size = 16 + self.random.below(3) as u64 * 8;
        let bytes = (0..self.random.below(17)).map(|_| self.random.bits() as u8).collect();
        let relocations = (0..self.random.below(3) as u64).map(|slot| {
            let function = Operand::Function(FunctionId(self.random.below(self.signatures.len()) as u32));
            // Global 0 is never thread-local.
            let global = Operand::Global { global: GlobalId(0), offset: self.random.below(20) as i64 - 10 };
            Relocation { offset: slot * 8, value: self.random.pick(&[function, global]) }
        });
        let relocations = relocations.collect();
        Global {
            name: self.text(),
            size,
            align: 1 << self.random.below(5),
            shape: self.shape(),
            initial: Initialiser { bytes, relocations, indeterminate: self.random.chance(10) },
            thread_local: index != 0 && self.random.chance(20),
            read_only: self.random.chance(20),
            constant_parts: self.constant_parts(),
            span: self.span(),
        }
    }

    fn function(&mut self, index: usize) -> Function {
        self.locals = self.random.below(3);
        self.blocks = 1 + self.random.below(5);
        let (parameters, result) = self.signatures[index].clone();
        let mut registers: IdVec<RegisterId, Register> = IdVec::new();
        for ty in TYPES {
            for _ in 0..REGISTERS_PER_TYPE {
                let name = self.random.chance(50).then(|| self.text());
                registers.push(Register { ty, name });
            }
        }
        let parameters = parameters.iter().map(|&ty| registers.push(Register { ty: TYPES[ty], name: None })).collect();
        Function {
            name: self.text(),
            parameters,
            result: result.map(|ty| TYPES[ty]),
            variadic: false,
            registers,
            locals: (0..self.locals).map(|_| self.local()).collect(),
            blocks: (0..self.blocks).map(|_| self.block(result)).collect(),
            built_in: self.random.chance(20),
            span: self.span(),
        }
    }

    fn local(&mut self) -> Local {
        let size = self.random.below(40) as u64;
        let (read_only, constant_parts) = (self.random.chance(20), self.constant_parts());
        Local { name: self.text(), size, align: 8, shape: self.shape(), read_only, constant_parts, span: self.span() }
    }

    fn constant_parts(&mut self) -> program::ConstantParts {
        let parts = if self.random.chance(20) { vec![(0, 4), (8, 8)] } else { Vec::new() };
        program::ConstantParts::new(parts)
    }

    fn block(&mut self, result: Option<usize>) -> Block {
        let mut instructions = Vec::new();
        for _ in 0..self.random.below(8) {
            let kind = self.instruction();
            let end = wait_end(&kind);
            instructions.push(Instruction { kind, span: self.span() });
            instructions.extend(end.map(|kind| Instruction { kind, span: self.span() }));
        }
        Block { instructions, terminator: Terminator { kind: self.terminator(result), span: self.span() } }
    }

    fn target_block(&mut self) -> BlockId {
        BlockId(self.random.below(self.blocks) as u32)
    }

    fn terminator(&mut self, result: Option<usize>) -> TerminatorKind {
        match self.random.below(8) {
            0 => TerminatorKind::Goto(self.target_block()),
            1 | 2 => TerminatorKind::Branch {
                condition: self.operand(0),
                then: self.target_block(),
                otherwise: self.target_block(),
            },
            3 => {
                let ty = 1 + self.random.below(4);
                let cases = (0..self.random.below(4) as u64).map(|case| (case * 37, self.target_block())).collect();
                let value = self.operand(ty);
                TerminatorKind::Switch { value, ty: TYPES[ty], cases, default: self.target_block() }
            }
            4 => TerminatorKind::ThreadExit(self.operand(POINTER)),
            5 => TerminatorKind::ProcessExit { status: self.operand(3), abnormal: self.random.chance(50) },
            6 => TerminatorKind::Unreachable,
            _ => TerminatorKind::Return(result.map(|ty| self.operand(ty))),
        }
    }

    fn register(&mut self, ty: usize) -> RegisterId {
        RegisterId((ty * REGISTERS_PER_TYPE + self.random.below(REGISTERS_PER_TYPE)) as u32)
    }

    fn maybe_register(&mut self, ty: usize) -> Option<RegisterId> {
        self.random.chance(60).then(|| self.register(ty))
    }

    fn operand(&mut self, ty: usize) -> Operand {
        if self.random.chance(60) {
            return Operand::Register(self.register(ty));
        }
        match TYPES[ty] {
            Type::Int(bits) => Operand::int(bits, self.random.bits() >> self.random.below(64)),
            Type::Float => Operand::Float(self.random.bits() as u32),
            Type::Double => Operand::Double(self.random.bits()),
            Type::Pointer => self.address(),
        }
    }

    fn address(&mut self) -> Operand {
        let offset = self.random.below(9) as i64 - 4;
        match self.random.below(4) {
            0 => Operand::Null,
            1 => Operand::Function(FunctionId(self.random.below(self.signatures.len()) as u32)),
            2 if self.locals > 0 => Operand::Local { local: LocalId(self.random.below(self.locals) as u32), offset },
            _ => Operand::Global { global: GlobalId(self.random.below(self.globals) as u32), offset },
        }
    }

    fn word(&self) -> usize {
        if self.model == DataModel::Lp64 { 4 } else { 3 }
    }

    fn order(&mut self) -> MemoryOrder {
        self.random.pick(&MemoryOrder::ALL)
    }

    fn atomic_order(&mut self) -> MemoryOrder {
        self.random.pick(&MemoryOrder::ALL[1..])
    }

    fn within(&mut self, range: std::ops::Range<usize>) -> usize {
        range.start + self.random.below(range.len())
    }

    fn instruction(&mut self) -> InstructionKind {
        let word = self.word();
        let memory = self.within(MEMORY_TYPES);
        match self.random.below(32) {
            0..=5 => self.assign(),
            6 | 7 => InstructionKind::Load {
                target: self.register(memory),
                address: self.operand(POINTER),
                ty: TYPES[memory],
                order: self.order(),
            },
            8 | 9 => InstructionKind::Store {
                address: self.operand(POINTER),
                value: self.operand(memory),
                ty: TYPES[memory],
                order: self.order(),
            },
            10 => {
                let ty = 1 + self.random.below(4);
                InstructionKind::ReadModifyWrite {
                    target: self.maybe_register(ty),
                    op: self.random.pick(&RmwOp::ALL),
                    address: self.operand(POINTER),
                    value: self.operand(ty),
                    ty: TYPES[ty],
                    order: self.atomic_order(),
                }
            }
            11 => InstructionKind::CompareExchange {
                old: self.register(memory),
                success: self.register(0),
                address: self.operand(POINTER),
                expected: self.operand(memory),
                desired: self.operand(memory),
                ty: TYPES[memory],
                weak: self.random.chance(50),
                order: self.atomic_order(),
                failure: self.atomic_order(),
            },
            12 => InstructionKind::Fence { order: self.atomic_order() },
            13 => InstructionKind::Nondet {
                target: self.register(memory),
                ty: TYPES[memory],
                kind: self.random.pick(&NondetKind::ALL),
            },
            14 => InstructionKind::Assume { condition: self.operand(0) },
            15 => InstructionKind::Assert {
                condition: self.operand(0),
                property: self.random.pick(&Property::ALL),
                message: self.text(),
            },
            16 => InstructionKind::Allocate {
                target: self.register(POINTER),
                size: self.operand(word),
                zeroed: self.random.chance(50),
                align: 16,
                kind: self.random.pick(&AllocationKind::ALL),
                shape: None,
            },
            17 => {
                InstructionKind::Free { address: self.operand(POINTER), kind: self.random.pick(&AllocationKind::ALL) }
            }
            18 => InstructionKind::Reallocate {
                target: self.register(POINTER),
                address: self.operand(POINTER),
                size: self.operand(word),
            },
            19 if self.locals > 0 => {
                let local = LocalId(self.random.below(self.locals) as u32);
                self.random.pick(&[InstructionKind::Begin { local }, InstructionKind::End { local }].each_ref()).clone()
            }
            20 => InstructionKind::CopyMemory {
                target: self.operand(POINTER),
                source: self.operand(POINTER),
                size: self.operand(word),
                overlap: self.random.chance(50),
            },
            21 => InstructionKind::SetMemory {
                target: self.operand(POINTER),
                byte: self.operand(1),
                size: self.operand(word),
            },
            22 | 23 => self.call(),
            24 => InstructionKind::Spawn {
                target: self.register(word),
                store: self.random.chance(50).then(|| self.operand(POINTER)),
                function: self.random.pick(&[Callee::Direct(FunctionId(1)), Callee::Indirect(Operand::Null)]),
                argument: self.operand(POINTER),
                detached: self.operand(0),
            },
            25 => InstructionKind::Join {
                target: self.maybe_register(POINTER),
                error: self.maybe_register(3),
                thread: self.operand(word),
            },
            26 => InstructionKind::Detach { error: self.maybe_register(3), thread: self.operand(word) },
            27 => InstructionKind::CurrentThread { target: self.register(word) },
            28 | 29 => self.sync(),
            30 => self.library(),
            _ => {
                let others = [
                    InstructionKind::LeaveProcess,
                    InstructionKind::AtomicBegin,
                    InstructionKind::AtomicEnd,
                    InstructionKind::Yield,
                    InstructionKind::Unsupported { what: self.text() },
                ];
                self.random.pick(&others.each_ref()).clone()
            }
        }
    }

    fn call(&mut self) -> InstructionKind {
        let callee = self.random.below(self.signatures.len());
        let (parameters, result) = self.signatures[callee].clone();
        let arguments = parameters.iter().map(|&ty| self.operand(ty)).collect();
        let target = result.and_then(|ty| self.maybe_register(ty));
        let callee = match self.random.chance(50) {
            true => Callee::Direct(FunctionId(callee as u32)),
            false => Callee::Indirect(self.operand(POINTER)),
        };
        InstructionKind::Call { target, callee, arguments }
    }

    fn sync(&mut self) -> InstructionKind {
        let ends = [SyncOp::CondWaitEnd, SyncOp::CondSignalledWaitEnd, SyncOp::CondTimedWaitEnd, SyncOp::BarrierLeave];
        let op = std::iter::repeat_with(|| self.random.pick(&SyncOp::ALL)).find(|op| !ends.contains(op)).unwrap();
        let types: Vec<usize> = op.operand_types().iter().map(|ty| index_of(*ty)).collect();
        let operands = types.into_iter().map(|ty| self.operand(ty)).collect();
        InstructionKind::Sync { target: self.maybe_register(3), op, operands }
    }

    fn library(&mut self) -> InstructionKind {
        let function = self.random.pick(&LibraryFunction::ALL);
        let types: Vec<usize> = function.argument_types().iter().map(|ty| index_of(*ty)).collect();
        let arguments = types.into_iter().map(|ty| self.operand(ty)).collect();
        InstructionKind::Library { target: self.maybe_register(3), function, arguments }
    }

    fn assign(&mut self) -> InstructionKind {
        let signed = self.random.chance(50);
        let int = self.within(INT_TYPES);
        let float = self.within(FLOAT_TYPES);
        let any = self.random.below(TYPES.len());
        let (result, value) = match self.random.below(9) {
            0 => (any, Rvalue::Use(self.operand(any))),
            1 => {
                let op = self.random.pick(&UnaryOp::ALL);
                let ty = if op == UnaryOp::FloatNeg { float } else { int };
                (ty, Rvalue::Unary { op, ty: TYPES[ty], operand: self.operand(ty), signed })
            }
            2..=4 => {
                let op = self.random.pick(&BinaryOp::ALL);
                let ty = match op {
                    BinaryOp::Scale => self.word(),
                    _ if op.name().starts_with('f') => float,
                    _ => int,
                };
                let (left, right) = (self.operand(ty), self.operand(ty));
                (if op.is_comparison() { 0 } else { ty }, Rvalue::Binary { op, ty: TYPES[ty], left, right, signed })
            }
            5 => self.cast(),
            6 => (POINTER, Rvalue::PointerAdd { pointer: self.operand(POINTER), offset: self.operand(OFFSET) }),
            7 => {
                let (left, right) = (self.operand(POINTER), self.operand(POINTER));
                (self.word(), Rvalue::PointerDifference { left, right })
            }
            _ => {
                let condition = self.operand(0);
                let (then, otherwise) = (self.operand(any), self.operand(any));
                (any, Rvalue::Select { condition, ty: TYPES[any], then, otherwise })
            }
        };
        InstructionKind::Assign { target: self.register(result), value }
    }

    fn cast(&mut self) -> (usize, Rvalue) {
        let op = self.random.pick(&CastOp::ALL);
        let narrow = self.random.below(4);
        let wide = narrow + 1 + self.random.below(4 - narrow);
        let (int, float) = (self.within(INT_TYPES), self.within(FLOAT_TYPES));
        let (from, to) = match op {
            CastOp::ZeroExtend | CastOp::SignExtend => (narrow, wide),
            CastOp::Truncate => (wide, narrow),
            CastOp::PointerToInt => (POINTER, self.word()),
            CastOp::IntToPointer => (self.word(), POINTER),
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => (int, float),
            CastOp::FloatToSigned | CastOp::FloatToUnsigned => (float, int),
            CastOp::FloatToFloat => (float, 11 - float),
        };
        (to, Rvalue::Cast { op, from: TYPES[from], to: TYPES[to], operand: self.operand(from) })
    }
}

fn index_of(ty: Type) -> usize {
    TYPES.iter().position(|&one| one == ty).expect("every type should be listed")
}

/// The instruction that must follow the begin of a wait.
fn wait_end(kind: &InstructionKind) -> Option<InstructionKind> {
    let InstructionKind::Sync { op, operands, .. } = kind else { return None };
    let op = match op {
        SyncOp::CondWaitBegin => SyncOp::CondWaitEnd,
        SyncOp::BarrierArrive => SyncOp::BarrierLeave,
        _ => return None,
    };
    Some(InstructionKind::Sync { target: None, op, operands: operands.clone() })
}

fn shapes() -> IdVec<ShapeId, Shape> {
    let field = |name: &str, offset, shape| ShapeField { name: name.to_owned(), offset, shape: ShapeId(shape) };
    IdVec::from_vec(vec![
        Shape::Scalar(Type::Int(32)),
        Shape::Scalar(Type::Pointer),
        Shape::Array { element: ShapeId(0), stride: 4, count: 10 },
        Shape::Record { name: "struct node".to_owned(), fields: vec![field("next", 0, 1), field("", 8, 2)] },
        Shape::Record { name: "struct empty".to_owned(), fields: Vec::new() },
        Shape::Opaque,
    ])
}

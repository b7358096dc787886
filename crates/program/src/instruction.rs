//! Instructions. Each does at most one access to shared memory, so that an interleaving is a sequence of instructions.

use std::fmt;

use base::Span;

use crate::program_::{BlockId, FunctionId, GlobalId, LocalId, RegisterId};
use crate::property::Property;
use crate::shape::ShapeId;
use crate::types::Type;

/// A value that is at hand without touching memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    Register(RegisterId),
    /// An integer constant; bits above `bits` are zero.
    Int {
        bits: u8,
        value: u64,
    },
    /// The bits of a `float`.
    Float(u32),
    /// The bits of a `double`.
    Double(u64),
    /// The null pointer.
    Null,
    /// The address of a global (of the executing thread's instance, if it is thread-local) plus bytes.
    Global {
        global: GlobalId,
        offset: i64,
    },
    /// The address of a memory object of the current activation plus bytes.
    Local {
        local: LocalId,
        offset: i64,
    },
    /// The address of a function.
    Function(FunctionId),
}

impl Operand {
    pub const TRUE: Operand = Operand::Int { bits: 1, value: 1 };
    pub const FALSE: Operand = Operand::Int { bits: 1, value: 0 };

    pub fn int(bits: u8, value: u64) -> Self {
        let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
        Operand::Int { bits, value: value & mask }
    }

    /// So many bytes, as the offset of a [`PointerAdd`](Rvalue::PointerAdd).
    pub fn offset(bytes: i64) -> Self {
        Operand::Int { bits: 64, value: bytes as u64 }
    }
}

/// C11 memory orders; `NonAtomic` is a plain access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemoryOrder {
    NonAtomic,
    Relaxed,
    Consume,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

impl MemoryOrder {
    pub fn is_atomic(self) -> bool {
        self != MemoryOrder::NonAtomic
    }

    /// Whether a read with this order synchronises with the release sequence that it sees. Consume counts as acquire.
    pub fn acquires(self) -> bool {
        use MemoryOrder::{Acquire, AcquireRelease, Consume, SequentiallyConsistent};
        matches!(self, Consume | Acquire | AcquireRelease | SequentiallyConsistent)
    }

    /// Whether a write with this order begins a release sequence.
    pub fn releases(self) -> bool {
        use MemoryOrder::{AcquireRelease, Release, SequentiallyConsistent};
        matches!(self, Release | AcquireRelease | SequentiallyConsistent)
    }

    /// What the order means for an operation that only reads: C's default for a compare-exchange that fails.
    pub fn of_the_load(self) -> MemoryOrder {
        match self {
            MemoryOrder::AcquireRelease => MemoryOrder::Acquire,
            MemoryOrder::Release => MemoryOrder::Relaxed,
            other => other,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            MemoryOrder::NonAtomic => "plain",
            MemoryOrder::Relaxed => "relaxed",
            MemoryOrder::Consume => "consume",
            MemoryOrder::Acquire => "acquire",
            MemoryOrder::Release => "release",
            MemoryOrder::AcquireRelease => "acq_rel",
            MemoryOrder::SequentiallyConsistent => "seq_cst",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// Two's complement negation.
    Neg,
    /// Bitwise complement; of a truth value: negation.
    Not,
    FloatNeg,
}

/// Operators on two operands of one type. Comparisons yield a truth value, the others the operands' type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// How many bytes so many elements (the left operand, signed) of so many bytes each (the right one) take: a product
    /// that does not wrap. Where it does not fit, no object is that large, and the result is
    /// [`out_of_reach`](BinaryOp::out_of_reach).
    Scale,
    UDiv,
    SDiv,
    URem,
    SRem,
    And,
    Or,
    Xor,
    /// The shift count is the right operand taken as unsigned, of the left operand's type.
    Shl,
    LShr,
    AShr,
    /// On integers and pointers. Pointers are equal if object and offset are.
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
    FloatAdd,
    FloatSub,
    FloatMul,
    FloatDiv,
    FloatEq,
    FloatNe,
    FloatLt,
    FloatLe,
}

impl BinaryOp {
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Ult | Ule | Slt | Sle | FloatEq | FloatNe | FloatLt | FloatLe)
    }

    /// What [`Scale`](BinaryOp::Scale) gives for a product beyond `bits` bits, and by what
    /// [`PointerAdd`](Rvalue::PointerAdd) moves a pointer of `bits` bits instead of further than its width allows. A pointer
    /// into or just behind an object that is moved by this lies outside of it, and, short of enormous objects, by a few
    /// times this as well: indices of several dimensions do not make up for each other.
    pub fn out_of_reach(bits: u8) -> u64 {
        9 << (bits - 4)
    }

    /// [`Scale`](BinaryOp::Scale) of integers of `bits` bits.
    pub fn scaled(bits: u8, index: u64, size: u64) -> u64 {
        let shift = 64 - u32::from(bits);
        let signed = |number: u64| i128::from(((number << shift) as i64) >> shift);
        let product = signed(index) * signed(size);
        if signed(product as u64) == product { product as u64 & (u64::MAX >> shift) } else { Self::out_of_reach(bits) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastOp {
    ZeroExtend,
    SignExtend,
    Truncate,
    /// Keeps the bits, and the object behind them where there is one.
    PointerToInt,
    IntToPointer,
    SignedToFloat,
    UnsignedToFloat,
    /// Towards zero; out of range is undefined in C and wraps here like the common hardware instruction.
    FloatToSigned,
    FloatToUnsigned,
    /// Between `float` and `double`.
    FloatToFloat,
}

/// The right-hand side of an assignment: one operator over operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rvalue {
    Use(Operand),
    Unary {
        op: UnaryOp,
        ty: Type,
        operand: Operand,
        /// The operation is on a signed C type: overflow violates `no-overflow`. It wraps in any case.
        signed: bool,
    },
    Binary {
        op: BinaryOp,
        /// Type of the operands.
        ty: Type,
        left: Operand,
        right: Operand,
        /// As for `Unary`; for shifts it means that the left operand has a signed C type.
        signed: bool,
    },
    Cast {
        op: CastOp,
        from: Type,
        to: Type,
        operand: Operand,
    },
    /// A pointer moved by a signed number of bytes, of type [`OFFSET`](Rvalue::OFFSET) whatever the width of a pointer:
    /// an index times a size may not fit there. How far it is moved, [`distance`](Rvalue::distance) says.
    PointerAdd {
        pointer: Operand,
        offset: Operand,
    },
    /// The distance in bytes of two pointers, a signed integer of pointer width.
    PointerDifference {
        left: Operand,
        right: Operand,
    },
    Select {
        condition: Operand,
        ty: Type,
        then: Operand,
        otherwise: Operand,
    },
}

impl Rvalue {
    /// The type of the offset of a [`PointerAdd`](Rvalue::PointerAdd).
    pub const OFFSET: Type = Type::Int(64);

    /// How far [`PointerAdd`](Rvalue::PointerAdd) moves a pointer of `bits` bits for an offset, as a signed number of that
    /// width that is added to it and wraps. A longer way leads from no place in an object
    /// [as large as we execute](crate::limits::OBJECT_BYTES) to another, so it leads out of reach.
    pub fn distance(bits: u8, offset: u64) -> i64 {
        let shift = 64 - u32::from(bits);
        let signed = |number: u64| ((number << shift) as i64) >> shift;
        if signed(offset) == offset as i64 { offset as i64 } else { signed(BinaryOp::out_of_reach(bits)) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RmwOp {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}

/// Where a nondeterministic value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NondetKind {
    /// An input: `__VERIFIER_nondet_*` and library results that the environment decides.
    Input,
    /// An uninitialised local variable.
    Indeterminate,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AllocationKind {
    Heap,
    /// `alloca` and variable-length arrays: ends with the activation, or at an explicit `Free`.
    Stack,
    /// What the library keeps for itself, a stream for example: lives until it is freed, and is never lost.
    Library,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    Direct(FunctionId),
    Indirect(Operand),
}

/// Operations on synchronisation objects. What each means is said once, in the crate `sync`. The first operand is the
/// address of the object; further operands are named in the comment. All return an `int` error code (0: success)
/// unless said otherwise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SyncOp {
    /// (mutex, kind): kind is 0 normal, 1 recursive, 2 errorcheck, an `i32`.
    MutexInit,
    MutexDestroy,
    MutexLock,
    MutexTryLock,
    /// May give up with ETIMEDOUT at any time while the mutex is not free.
    MutexTimedLock,
    MutexUnlock,
    RwlockInit,
    RwlockDestroy,
    RwlockReadLock,
    RwlockTryReadLock,
    RwlockTimedReadLock,
    RwlockWriteLock,
    RwlockTryWriteLock,
    RwlockTimedWriteLock,
    RwlockUnlock,
    SpinInit,
    SpinDestroy,
    SpinLock,
    SpinTryLock,
    SpinUnlock,
    CondInit,
    CondDestroy,
    /// (condition, mutex): checks that the mutex is held, releases it and starts waiting. Always followed by
    /// `CondWaitEnd`, `CondSignalledWaitEnd` or `CondTimedWaitEnd` with the same operands.
    CondWaitBegin,
    /// (condition, mutex): once the mutex is free, takes it. The thread is woken by a signal, or wakes up spuriously.
    CondWaitEnd,
    /// (condition, mutex): as `CondWaitEnd`, but never without a signal.
    CondSignalledWaitEnd,
    /// (condition, mutex): as `CondWaitEnd`, but may give up waiting with ETIMEDOUT.
    CondTimedWaitEnd,
    CondSignal,
    CondBroadcast,
    /// (barrier, count): count is an `i32`.
    BarrierInit,
    BarrierDestroy,
    /// Arrives; always followed by `BarrierLeave`.
    BarrierArrive,
    /// Leaves when the round is full; returns PTHREAD_BARRIER_SERIAL_THREAD (-1) to the last to arrive.
    BarrierLeave,
    /// (semaphore, value): value is an `i32`.
    SemInit,
    SemDestroy,
    SemWait,
    SemTryWait,
    SemTimedWait,
    SemPost,
    /// Returns the current value instead of an error code.
    SemGetValue,
    /// Returns 1 if the caller must run the initialiser and then `OnceEnd`; waits while another thread runs it.
    OnceBegin,
    OnceEnd,
}

impl SyncOp {
    /// The types of the operands: objects by address, then values.
    pub fn operand_types(self) -> &'static [Type] {
        match self {
            SyncOp::MutexInit | SyncOp::BarrierInit | SyncOp::SemInit => &[Type::Pointer, Type::Int(32)],
            SyncOp::CondWaitBegin | SyncOp::CondWaitEnd | SyncOp::CondSignalledWaitEnd | SyncOp::CondTimedWaitEnd => {
                &[Type::Pointer, Type::Pointer]
            }
            _ => &[Type::Pointer],
        }
    }

    /// The operations of which one, with the same operands, must follow an operation that is the first half of a wait.
    pub fn completed_by(self) -> &'static [SyncOp] {
        match self {
            SyncOp::CondWaitBegin => &[SyncOp::CondWaitEnd, SyncOp::CondSignalledWaitEnd, SyncOp::CondTimedWaitEnd],
            SyncOp::BarrierArrive => &[SyncOp::BarrierLeave],
            _ => &[],
        }
    }

    /// Whether it is the second half of a wait.
    pub fn is_completion(self) -> bool {
        SyncOp::ALL.iter().any(|begin| begin.completed_by().contains(&self))
    }
}

/// Library functions with an effect of their own that no C model expresses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LibraryFunction {
    /// (format, address of the variadic arguments): `printf`; returns the number of bytes. The format is a literal, and the
    /// strings that it prints have been read by the instructions before, so that reading them again can do no harm.
    Printf,
    /// As `Printf`, but nothing has been read before.
    Vprintf,
    /// (format, address of the variadic arguments): reads what `Vprintf` reads, for output that nobody observes.
    ReadPrinted,
    /// (buffer, size, format, address of the variadic arguments): `snprintf`, the size an `i64`; returns the number of
    /// bytes that an endless buffer would take.
    Snprintf,
    /// (string): `puts`, of a string that has been read before.
    Puts,
    /// (character): `putchar`.
    Putchar,
}

#[derive(Clone, PartialEq, Debug)]
pub enum InstructionKind {
    Assign {
        target: RegisterId,
        value: Rvalue,
    },
    Load {
        target: RegisterId,
        address: Operand,
        ty: Type,
        order: MemoryOrder,
    },
    Store {
        address: Operand,
        value: Operand,
        ty: Type,
        order: MemoryOrder,
    },
    /// Atomically reads, combines and writes; `target` gets the old value.
    ReadModifyWrite {
        target: Option<RegisterId>,
        op: RmwOp,
        address: Operand,
        value: Operand,
        ty: Type,
        order: MemoryOrder,
    },
    /// Atomically reads into `old` and, if that equals `expected`, writes `desired`; `success` (a truth value) tells.
    CompareExchange {
        old: RegisterId,
        success: RegisterId,
        address: Operand,
        expected: Operand,
        desired: Operand,
        ty: Type,
        /// May fail although the values are equal.
        weak: bool,
        /// The order of the whole operation if it succeeds.
        order: MemoryOrder,
        /// The order of the load if it fails.
        failure: MemoryOrder,
    },
    Fence {
        order: MemoryOrder,
    },
    Nondet {
        target: RegisterId,
        ty: Type,
        kind: NondetKind,
    },
    /// Stops this thread here for ever if the condition (a truth value) is false.
    Assume {
        condition: Operand,
    },
    /// Violates `property` if the condition (a truth value) is false and the property is selected; else nothing.
    Assert {
        condition: Operand,
        property: Property,
        message: String,
    },
    /// `target` gets a new object of `size` bytes (an integer of pointer width), zeroed or indeterminate.
    Allocate {
        target: RegisterId,
        size: Operand,
        zeroed: bool,
        align: u64,
        kind: AllocationKind,
        /// The array whose elements the program keeps there, as far as it says; its count means nothing.
        shape: Option<ShapeId>,
    },
    /// Ends an object of this kind: `free`, the end of a variable-length array, or what the library does with its own.
    Free {
        address: Operand,
        kind: AllocationKind,
    },
    /// `realloc`.
    Reallocate {
        target: RegisterId,
        address: Operand,
        size: Operand,
    },
    /// The life of a memory object of this activation begins; its contents are indeterminate. Beginning an object
    /// that lives already ends its former life.
    Begin {
        local: LocalId,
    },
    /// The life of the object ends; later accesses are invalid. Counts as a write for races.
    End {
        local: LocalId,
    },
    /// Copies `size` bytes (an integer of pointer width) in one step; `overlap` says whether the areas may overlap.
    CopyMemory {
        target: Operand,
        source: Operand,
        size: Operand,
        overlap: bool,
    },
    /// Sets `size` bytes to `byte` (an `i8`) in one step.
    SetMemory {
        target: Operand,
        byte: Operand,
        size: Operand,
    },
    Call {
        target: Option<RegisterId>,
        callee: Callee,
        arguments: Vec<Operand>,
    },
    /// Creates a thread that runs a function of one pointer parameter; `target` gets its handle, an integer of
    /// pointer width. Always succeeds. The new thread starts joinable unless `detached` (a truth value). If there is
    /// an address in `store`, the handle is stored there by a plain access before the new thread's first step.
    Spawn {
        target: RegisterId,
        store: Option<Operand>,
        function: Callee,
        argument: Operand,
        detached: Operand,
    },
    /// Waits until the thread has ended; `target` gets its result, a pointer, `error` the error code, an `i32`.
    Join {
        target: Option<RegisterId>,
        error: Option<RegisterId>,
        thread: Operand,
    },
    Detach {
        error: Option<RegisterId>,
        thread: Operand,
    },
    /// The handle of the executing thread.
    CurrentThread {
        target: RegisterId,
    },
    /// The thread begins to let the process exit, and handlers run before the terminator does it: violates
    /// `no-exit-while-locked` if the thread holds a lock; else nothing.
    LeaveProcess,
    /// From here to the matching `AtomicEnd` (they nest) no other thread takes a step.
    AtomicBegin,
    AtomicEnd,
    Sync {
        target: Option<RegisterId>,
        op: SyncOp,
        operands: Vec<Operand>,
    },
    /// A scheduling hint; no effect.
    Yield,
    Library {
        target: Option<RegisterId>,
        function: LibraryFunction,
        arguments: Vec<Operand>,
    },
    /// A construct that Gordian does not support: an execution that arrives here has no known continuation.
    Unsupported {
        what: String,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Instruction {
    pub kind: InstructionKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TerminatorKind {
    Goto(BlockId),
    /// The condition is a truth value.
    Branch {
        condition: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    Switch {
        value: Operand,
        ty: Type,
        cases: Vec<(u64, BlockId)>,
        default: BlockId,
    },
    Return(Option<Operand>),
    /// Ends this thread with a result (a pointer).
    ThreadExit(Operand),
    /// Ends the process: all threads stop. `abnormal` for `abort` and failed assertions that are not selected.
    ProcessExit {
        status: Operand,
        abnormal: bool,
    },
    /// Control cannot come here (`__builtin_unreachable`, the end of a `noreturn` function): undefined if it does.
    Unreachable,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Terminator {
    pub kind: TerminatorKind,
    pub span: Span,
}

impl TerminatorKind {
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            TerminatorKind::Goto(target) => vec![*target],
            TerminatorKind::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            TerminatorKind::Switch { cases, default, .. } => {
                cases.iter().map(|(_, block)| *block).chain([*default]).collect()
            }
            TerminatorKind::Return(_)
            | TerminatorKind::ThreadExit(_)
            | TerminatorKind::ProcessExit { .. }
            | TerminatorKind::Unreachable => Vec::new(),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    pub instructions: Vec<Instruction>,
    pub terminator: Terminator,
}

impl fmt::Display for MemoryOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

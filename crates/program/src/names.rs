//! The words of the text form: every operator by name. `ALL` lists the variants in order of declaration.

use crate::instruction::{
    AllocationKind, BinaryOp, CastOp, LibraryFunction, MemoryOrder, NondetKind, RmwOp, SyncOp, UnaryOp,
};

macro_rules! names {
    ($type:ident { $($variant:ident = $name:literal),* $(,)? }) => {
        impl $type {
            pub const ALL: [$type; [$($name),*].len()] = [$($type::$variant),*];

            pub fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),*
                }
            }

            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}

names!(UnaryOp { Neg = "neg", Not = "not", FloatNeg = "fneg" });

names!(BinaryOp {
    Add = "add",
    Sub = "sub",
    Mul = "mul",
    Scale = "scale",
    UDiv = "udiv",
    SDiv = "sdiv",
    URem = "urem",
    SRem = "srem",
    And = "and",
    Or = "or",
    Xor = "xor",
    Shl = "shl",
    LShr = "lshr",
    AShr = "ashr",
    Eq = "eq",
    Ne = "ne",
    Ult = "ult",
    Ule = "ule",
    Slt = "slt",
    Sle = "sle",
    FloatAdd = "fadd",
    FloatSub = "fsub",
    FloatMul = "fmul",
    FloatDiv = "fdiv",
    FloatEq = "feq",
    FloatNe = "fne",
    FloatLt = "flt",
    FloatLe = "fle",
});

names!(CastOp {
    ZeroExtend = "zext",
    SignExtend = "sext",
    Truncate = "trunc",
    PointerToInt = "ptr2int",
    IntToPointer = "int2ptr",
    SignedToFloat = "s2f",
    UnsignedToFloat = "u2f",
    FloatToSigned = "f2s",
    FloatToUnsigned = "f2u",
    FloatToFloat = "f2f",
});

names!(RmwOp {
    Exchange = "exchange",
    Add = "add",
    Sub = "sub",
    And = "and",
    Or = "or",
    Xor = "xor",
    Nand = "nand",
});

names!(NondetKind { Input = "input", Indeterminate = "indeterminate" });

names!(AllocationKind { Heap = "heap", Stack = "stack", Library = "library" });

names!(LibraryFunction { Printf = "printf", Vprintf = "vprintf", ReadPrinted = "read-printed", Snprintf = "snprintf", Puts = "puts", Putchar = "putchar" });

names!(SyncOp {
    MutexInit = "mutex-init",
    MutexDestroy = "mutex-destroy",
    MutexLock = "mutex-lock",
    MutexTryLock = "mutex-trylock",
    MutexTimedLock = "mutex-timedlock",
    MutexUnlock = "mutex-unlock",
    RwlockInit = "rwlock-init",
    RwlockDestroy = "rwlock-destroy",
    RwlockReadLock = "rwlock-rdlock",
    RwlockTryReadLock = "rwlock-tryrdlock",
    RwlockTimedReadLock = "rwlock-timedrdlock",
    RwlockWriteLock = "rwlock-wrlock",
    RwlockTryWriteLock = "rwlock-trywrlock",
    RwlockTimedWriteLock = "rwlock-timedwrlock",
    RwlockUnlock = "rwlock-unlock",
    SpinInit = "spin-init",
    SpinDestroy = "spin-destroy",
    SpinLock = "spin-lock",
    SpinTryLock = "spin-trylock",
    SpinUnlock = "spin-unlock",
    CondInit = "cond-init",
    CondDestroy = "cond-destroy",
    CondWaitBegin = "cond-wait-begin",
    CondWaitEnd = "cond-wait-end",
    CondSignalledWaitEnd = "cond-signalled-wait-end",
    CondTimedWaitEnd = "cond-timedwait-end",
    CondSignal = "cond-signal",
    CondBroadcast = "cond-broadcast",
    BarrierInit = "barrier-init",
    BarrierDestroy = "barrier-destroy",
    BarrierArrive = "barrier-arrive",
    BarrierLeave = "barrier-leave",
    SemInit = "sem-init",
    SemDestroy = "sem-destroy",
    SemWait = "sem-wait",
    SemTryWait = "sem-trywait",
    SemTimedWait = "sem-timedwait",
    SemPost = "sem-post",
    SemGetValue = "sem-getvalue",
    OnceBegin = "once-begin",
    OnceEnd = "once-end",
});

impl MemoryOrder {
    pub const ALL: [MemoryOrder; 7] = [
        MemoryOrder::NonAtomic,
        MemoryOrder::Relaxed,
        MemoryOrder::Consume,
        MemoryOrder::Acquire,
        MemoryOrder::Release,
        MemoryOrder::AcquireRelease,
        MemoryOrder::SequentiallyConsistent,
    ];

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|order| order.name() == name)
    }
}

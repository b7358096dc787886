//! The table of effects against lists by name: what each kind of instruction does, written down once more by hand.

use program::effects::{AccessAddress, AccessKind, ByteExtent, Effects, HbEffect, MemoryAccess, StepClass, effects};
use program::{
    AllocationKind, BinaryOp, Callee, FunctionId, GlobalId, InstructionKind, LibraryFunction, LocalId, MemoryOrder,
    NondetKind, Operand, Program, Property, RegisterId, RmwOp, Rvalue, SyncOp, Type, UnaryOp,
};

const A: Operand = Operand::Register(RegisterId(1));
const B: Operand = Operand::Register(RegisterId(2));
const SIZE: Operand = Operand::Register(RegisterId(3));
const TARGET: RegisterId = RegisterId(0);
/// The formats of [`empty_program`].
const ONE_NUMBER: Operand = Operand::Global { global: GlobalId(0), offset: 0 };
const NO_ARGUMENTS: Operand = Operand::Global { global: GlobalId(1), offset: 0 };

fn empty_program() -> Program {
    crate::program(
        "program lp64 entry f0\nshape shape0 = scalar i32\n\
         global g0 \"number\" size 4 align 1 shape0 bytes 25640a00 read-only\n\
         global g1 \"plain\" size 4 align 1 shape0 bytes 61620a00 read-only\n\
         function f0 \"main\" () {\nb0:\n  process-exit 0:i32\n}\n",
    )
}

fn binary(op: BinaryOp, right: Operand, signed: bool) -> InstructionKind {
    let value = Rvalue::Binary { op, ty: Type::Int(32), left: A, right, signed };
    InstructionKind::Assign { target: TARGET, value }
}

fn load(order: MemoryOrder) -> InstructionKind {
    InstructionKind::Load { target: TARGET, address: A, ty: Type::Int(32), order }
}

fn store(order: MemoryOrder) -> InstructionKind {
    InstructionKind::Store { address: A, value: B, ty: Type::Int(32), order }
}

fn update(order: MemoryOrder) -> InstructionKind {
    let (target, op, ty) = (Some(TARGET), RmwOp::Add, Type::Int(32));
    InstructionKind::ReadModifyWrite { target, op, address: A, value: B, ty, order }
}

fn exchange(weak: bool, order: MemoryOrder, failure: MemoryOrder) -> InstructionKind {
    InstructionKind::CompareExchange {
        old: TARGET,
        success: RegisterId(9),
        address: A,
        expected: B,
        desired: B,
        ty: Type::Int(32),
        weak,
        order,
        failure,
    }
}

fn allocate(kind: AllocationKind) -> InstructionKind {
    InstructionKind::Allocate { target: TARGET, size: SIZE, zeroed: false, align: 8, kind, shape: None }
}

fn call(callee: Callee) -> InstructionKind {
    InstructionKind::Call { target: None, callee, arguments: vec![A] }
}

fn spawn(store: Option<Operand>, function: Callee) -> InstructionKind {
    InstructionKind::Spawn { target: TARGET, store, function, argument: B, detached: Operand::FALSE }
}

fn sync(op: SyncOp, operands: &[Operand]) -> InstructionKind {
    InstructionKind::Sync { target: None, op, operands: operands.to_vec() }
}

fn library(function: LibraryFunction, arguments: &[Operand]) -> InstructionKind {
    InstructionKind::Library { target: None, function, arguments: arguments.to_vec() }
}

/// At least one instruction of each kind.
fn samples() -> Vec<(&'static str, InstructionKind)> {
    use MemoryOrder::{Acquire, NonAtomic, Relaxed, SequentiallyConsistent};
    let direct = Callee::Direct(FunctionId(0));
    let value = Operand::int(32, 1);
    vec![
        ("assign", InstructionKind::Assign { target: TARGET, value: Rvalue::Use(A) }),
        ("add", binary(BinaryOp::Add, B, false)),
        ("signed add", binary(BinaryOp::Add, B, true)),
        ("divide", binary(BinaryOp::SDiv, B, true)),
        ("shift", binary(BinaryOp::LShr, B, false)),
        ("load", load(NonAtomic)),
        ("atomic load", load(SequentiallyConsistent)),
        ("relaxed load", load(Relaxed)),
        ("store", store(NonAtomic)),
        ("atomic store", store(SequentiallyConsistent)),
        ("update", update(SequentiallyConsistent)),
        ("acquiring update", update(Acquire)),
        ("exchange", exchange(false, SequentiallyConsistent, SequentiallyConsistent)),
        ("weak exchange", exchange(true, SequentiallyConsistent, Relaxed)),
        ("fence", InstructionKind::Fence { order: Acquire }),
        ("nondet", InstructionKind::Nondet { target: TARGET, ty: Type::Int(32), kind: NondetKind::Input }),
        ("assume", InstructionKind::Assume { condition: A }),
        ("assert", InstructionKind::Assert { condition: A, property: Property::Assert, message: String::new() }),
        ("malloc", allocate(AllocationKind::Heap)),
        ("alloca", allocate(AllocationKind::Stack)),
        ("stream", allocate(AllocationKind::Library)),
        ("free", InstructionKind::Free { address: A, kind: AllocationKind::Heap }),
        ("realloc", InstructionKind::Reallocate { target: TARGET, address: A, size: SIZE }),
        ("begin", InstructionKind::Begin { local: LocalId(0) }),
        ("end", InstructionKind::End { local: LocalId(0) }),
        ("copy", InstructionKind::CopyMemory { target: A, source: B, size: SIZE, overlap: false }),
        ("set", InstructionKind::SetMemory { target: A, byte: Operand::int(8, 0), size: SIZE }),
        ("call", call(direct)),
        ("indirect call", call(Callee::Indirect(A))),
        ("spawn", spawn(None, direct)),
        ("storing spawn", spawn(Some(A), direct)),
        ("indirect spawn", spawn(None, Callee::Indirect(A))),
        ("join", InstructionKind::Join { target: None, error: None, thread: A }),
        ("detach", InstructionKind::Detach { error: None, thread: A }),
        ("self", InstructionKind::CurrentThread { target: TARGET }),
        ("leaving", InstructionKind::LeaveProcess),
        ("section", InstructionKind::AtomicBegin),
        ("section end", InstructionKind::AtomicEnd),
        ("lock", sync(SyncOp::MutexLock, &[A])),
        ("sem_init", sync(SyncOp::SemInit, &[A, value])),
        ("wait", sync(SyncOp::CondWaitBegin, &[A, B])),
        ("wait end", sync(SyncOp::CondWaitEnd, &[A, B])),
        ("yield", InstructionKind::Yield),
        ("putchar", library(LibraryFunction::Putchar, &[value])),
        ("puts", library(LibraryFunction::Puts, &[A])),
        ("printf", library(LibraryFunction::Printf, &[ONE_NUMBER, B])),
        ("plain printf", library(LibraryFunction::Printf, &[NO_ARGUMENTS, B])),
        ("vprintf", library(LibraryFunction::Vprintf, &[A, B])),
        ("snprintf", library(LibraryFunction::Snprintf, &[A, SIZE, A, B])),
        ("unsupported", InstructionKind::Unsupported { what: String::new() }),
    ]
}

/// The names of the samples of which something holds.
fn those(holds: impl Fn(&Effects) -> bool) -> Vec<&'static str> {
    let program = empty_program();
    samples().into_iter().filter(|(_, kind)| holds(&effects(&program, kind))).map(|(name, _)| name).collect()
}

fn accessing(holds: impl Fn(&MemoryAccess) -> bool) -> Vec<&'static str> {
    those(|effects| effects.accesses.iter().any(&holds))
}

fn violating(property: Property) -> Vec<&'static str> {
    those(|effects| effects.can_violate.contains(property))
}

/// One word for each instruction, none forgotten: a new kind needs a sample.
#[test]
fn every_kind_has_a_sample() {
    let mut kinds: Vec<_> = samples().iter().map(|(_, kind)| std::mem::discriminant(kind)).collect();
    kinds.sort_by_key(|kind| format!("{kind:?}"));
    kinds.dedup();
    assert_eq!(kinds.len(), 28);
}

#[test]
fn what_is_read() {
    assert_eq!(
        accessing(|access| access.kind == AccessKind::Read),
        ["load", "atomic load", "relaxed load", "copy", "printf", "vprintf", "snprintf"]
    );
}

/// Of the arguments of `snprintf` only the buffer is written, and no value operand of an operation is memory.
#[test]
fn what_is_written() {
    assert_eq!(
        accessing(|access| access.kind == AccessKind::Write),
        ["store", "atomic store", "copy", "set", "storing spawn", "snprintf"]
    );
    let updates = ["update", "acquiring update", "exchange", "weak exchange"];
    assert_eq!(accessing(|access| access.kind == AccessKind::Update), updates);
    let operations = ["lock", "sem_init", "wait", "wait end"];
    assert_eq!(accessing(|access| access.kind == AccessKind::Synchronise), operations);
    assert_eq!(accessing(|access| access.kind.writes() && access.base() == B), ["wait", "wait end"]);
}

#[test]
fn what_comes_to_its_end() {
    assert_eq!(accessing(|access| access.kind == AccessKind::Free), ["free", "realloc"]);
    assert_eq!(accessing(|access| access.kind == AccessKind::LifetimeEnd), ["begin", "end"]);
}

/// Strings that have been read before, and the condition that a thread waited for.
#[test]
fn what_is_only_touched_again() {
    assert_eq!(accessing(|access| access.kind == AccessKind::Repeat), ["wait end", "puts", "printf", "plain printf"]);
}

#[test]
fn how_many_bytes() {
    let of_size = |bytes: u64| accessing(|access| access.extent == ByteExtent::Bytes(bytes));
    let scalars = [
        "load",
        "atomic load",
        "relaxed load",
        "store",
        "atomic store",
        "update",
        "acquiring update",
        "exchange",
        "weak exchange",
    ];
    assert_eq!(of_size(4), scalars);
    assert_eq!(of_size(8), ["storing spawn", "printf"]);
    assert_eq!(accessing(|access| access.extent == ByteExtent::Count(SIZE)), ["copy", "set", "snprintf"]);
    assert_eq!(accessing(|access| access.extent == ByteExtent::Object), ["free", "realloc", "begin", "end"]);
    assert_eq!(
        accessing(|access| matches!(access.address, AccessAddress::Inside(_))),
        ["printf", "vprintf", "snprintf"]
    );
}

#[test]
fn what_orders_threads() {
    let effect = |wanted: fn(HbEffect) -> bool| those(|effects| wanted(effects.happens_before()));
    assert_eq!(effect(|hb| matches!(hb, HbEffect::Sync(_))), ["lock", "sem_init", "wait", "wait end"]);
    assert_eq!(effect(|hb| hb == HbEffect::Create), ["spawn", "storing spawn", "indirect spawn"]);
    assert_eq!(effect(|hb| hb == HbEffect::Join), ["join"]);
    assert_eq!(effect(|hb| hb == HbEffect::Section), ["section", "section end"]);
    assert_eq!(effect(|hb| hb == HbEffect::Fence(MemoryOrder::Acquire)), ["fence"]);
    let atomic = those(|effects| effects.atomic_access().is_some());
    let expected =
        ["atomic load", "relaxed load", "atomic store", "update", "acquiring update", "exchange", "weak exchange"];
    assert_eq!(atomic, expected);
    let revealing = accessing(MemoryAccess::reveals_without_ordering);
    assert_eq!(revealing, ["relaxed load", "acquiring update", "weak exchange"]);
}

#[test]
fn what_others_may_come_before() {
    assert_eq!(
        those(|effects| effects.class.is_always_visible()),
        [
            "weak exchange",
            "nondet",
            "spawn",
            "storing spawn",
            "indirect spawn",
            "join",
            "detach",
            "leaving",
            "section",
            "section end",
            "lock",
            "sem_init",
            "wait",
            "wait end"
        ]
    );
    assert_eq!(those(|effects| effects.class == StepClass::Frees), ["free", "realloc"]);
    assert_eq!(those(|effects| effects.class.may_block()), ["join", "lock", "sem_init", "wait", "wait end"]);
}

#[test]
fn what_violates_which_property() {
    assert_eq!(violating(Property::Assert), ["assert", "unsupported"]);
    assert_eq!(violating(Property::ValidFree), ["free", "realloc", "unsupported"]);
    for property in [Property::ValidMemtrack, Property::ValidMemcleanup] {
        assert_eq!(violating(property), ["malloc", "realloc", "unsupported"]);
    }
    assert_eq!(violating(Property::NoOverflow), ["signed add", "divide", "unsupported"]);
    assert_eq!(violating(Property::NoDivByZero), ["divide", "unsupported"]);
    assert_eq!(violating(Property::NoBadShift), ["shift", "unsupported"]);
    let spawns = ["spawn", "storing spawn", "indirect spawn", "unsupported"];
    assert_eq!(violating(Property::NoThreadLeak), spawns);
    let waits = ["join", "lock", "sem_init", "wait", "wait end", "unsupported"];
    assert_eq!(violating(Property::NoDeadlock), waits);
    assert_eq!(violating(Property::LockMisuse), waits);
    assert_eq!(violating(Property::NoExitWhileLocked), waits[1..]);
    let pointers = ["indirect call", "indirect spawn", "unsupported"];
    let accesses = accessing(|access| access.kind.needs_valid_bytes());
    assert_eq!(violating(Property::ValidDeref), in_table_order(&[&pointers[..], &accesses].concat()));
    let races = accessing(|access| access.kind != AccessKind::Repeat);
    assert_eq!(violating(Property::NoDataRace), in_table_order(&[&["unsupported"][..], &races].concat()));
}

fn in_table_order(names: &[&str]) -> Vec<&'static str> {
    samples().into_iter().map(|(name, _)| name).filter(|name| names.contains(name)).collect()
}

/// Constants can rule out what an operator demands.
#[test]
fn constants_keep_computations_defined() {
    let violated = |kind: &InstructionKind, property| effects(&empty_program(), kind).can_violate.contains(property);
    let by = |value: u64| Operand::int(32, value);
    assert!(!violated(&binary(BinaryOp::UDiv, by(3), false), Property::NoDivByZero));
    assert!(violated(&binary(BinaryOp::UDiv, by(0), false), Property::NoDivByZero));
    assert!(!violated(&binary(BinaryOp::SDiv, by(3), true), Property::NoOverflow));
    assert!(violated(&binary(BinaryOp::SRem, by(u64::MAX), true), Property::NoOverflow));
    assert!(!violated(&binary(BinaryOp::LShr, by(31), false), Property::NoBadShift));
    assert!(violated(&binary(BinaryOp::AShr, by(32), true), Property::NoBadShift));
    assert!(violated(&binary(BinaryOp::Shl, by(1), true), Property::NoBadShift), "the left operand may be negative");
    let negation = |signed| InstructionKind::Assign {
        target: TARGET,
        value: Rvalue::Unary { op: UnaryOp::Neg, ty: Type::Int(32), operand: A, signed },
    };
    assert!(violated(&negation(true), Property::NoOverflow));
    assert!(!violated(&negation(false), Property::NoOverflow));
}

//! Memory: what is valid, what is freed, what is lost, what is indeterminate; and undefined arithmetic.

mod build;

use base::Budget;
use build::*;
use execute::*;
use program::*;

fn run_once(program: &Program, properties: &[Property]) -> RunResult {
    let visibility = Visibility::new(program);
    let options = RunOptions::new(PropertySet::of(properties));
    let (mut scheduler, mut choices) = (RoundRobin::new(1), FixedChoices(0));
    run(program, &visibility, &options, &mut scheduler, &mut choices, &Budget::unlimited())
}

/// The message of the violation, where `property` is selected; where it is not, the execution must end there.
fn undefined(program: &Program, property: Property) -> String {
    let End::Violated(violation) = run_once(program, &[property]).end else {
        panic!("{property} should be violated");
    };
    assert_eq!(violation.property, property);
    let End::Undefined(end) = run_once(program, &[]).end else { panic!("the execution should end") };
    assert_eq!(end.property, Some(property));
    violation.message
}

fn finishes(program: &Program, properties: &[Property]) {
    let end = run_once(program, properties).end;
    assert!(matches!(end, End::Finished { status: 0, abnormal: false }), "{end:?}");
}

fn load(f: &mut Body, address: Operand) -> Operand {
    f.load_as(address, INT, MemoryOrder::NonAtomic)
}

fn store(f: &mut Body, address: Operand, value: i64) {
    f.store_as(address, int(value), INT, MemoryOrder::NonAtomic);
}

fn offset(f: &mut Body, pointer: Operand, bytes: i64) -> Operand {
    f.assign(Type::Pointer, Rvalue::PointerAdd { pointer, offset: Operand::offset(bytes) })
}

#[test]
fn invalid_accesses() {
    let program = Builder::new().main(|f| _ = load(f, Operand::Null));
    assert_eq!(undefined(&program, Property::ValidDeref), "read from a null pointer");

    let mut b = Builder::new();
    let a = b.global_bytes("a", 16, &[]);
    let program = b.main(|f| {
        let past = offset(f, address(a), 16);
        store(f, past, 1);
    });
    assert_eq!(undefined(&program, Property::ValidDeref), "write to 4 bytes at offset 16 of a, which has 16 bytes");

    let mut b = Builder::new();
    let a = b.global_bytes("a", 16, &[]);
    let program = b.main(|f| {
        let before = offset(f, address(a), -2);
        load(f, before);
    });
    assert!(undefined(&program, Property::ValidDeref).contains("offset -2"));

    let program = Builder::new().main(|f| {
        let memory = f.allocate(4);
        f.free(memory);
        store(f, memory, 1);
    });
    assert!(undefined(&program, Property::ValidDeref).contains("which has been freed"));
    let End::Violated(violation) = run_once(&program, &[Property::ValidDeref]).end else { panic!("violated") };
    assert_eq!((violation.related[0].1.line, violation.related[0].2.as_str()), (2, "freed here"));

    let mut b = Builder::new();
    let text = b.literal("hello");
    let program = b.main(|f| store(f, address(text), 1));
    assert!(undefined(&program, Property::ValidDeref).contains("read-only"));

    let mut b = Builder::new();
    let leaf = b.function("leaf", 0, |f| {
        let local = f.local("v", 4);
        f.push(InstructionKind::Begin { local });
        f.end(TerminatorKind::Return(Some(Operand::Local { local, offset: 0 })));
    });
    let program = b.main(|f| {
        let target = f.register(Type::Pointer);
        f.push(InstructionKind::Call { target: Some(target), callee: Callee::Direct(leaf), arguments: Vec::new() });
        load(f, Operand::Register(target));
    });
    assert!(undefined(&program, Property::ValidDeref).contains("whose lifetime has ended"));
}

#[test]
fn invalid_frees() {
    let program = Builder::new().main(|f| {
        let memory = f.allocate(4);
        f.free(memory);
        f.free(memory);
    });
    assert!(undefined(&program, Property::ValidFree).contains("which has been freed"));

    let program = Builder::new().main(|f| {
        let memory = f.allocate(4);
        let inside = offset(f, memory, 2);
        f.free(inside);
    });
    assert!(undefined(&program, Property::ValidFree).contains("inside"));

    let mut b = Builder::new();
    let x = b.global("x");
    let program = b.main(|f| _ = f.free(address(x)));
    assert_eq!(undefined(&program, Property::ValidFree), "free of x, which was not allocated");

    let program = Builder::new().main(|f| _ = f.free(Operand::Null));
    finishes(&program, &[Property::ValidFree]);
}

#[test]
fn leaks_and_lost_memory() {
    let all = [Property::ValidMemcleanup, Property::ValidMemtrack];
    // Still pointed to by a global: not lost, but not freed either.
    let mut b = Builder::new();
    let p = b.global_bytes("p", 8, &[]);
    let program = b.main(|f| {
        let memory = f.allocate(4);
        f.store_as(address(p), memory, Type::Pointer, MemoryOrder::NonAtomic);
    });
    finishes(&program, &[Property::ValidMemtrack]);
    let End::Violated(violation) = run_once(&program, &all).end else { panic!("violated") };
    assert_eq!((violation.property, violation.span.line), (Property::ValidMemcleanup, 1));

    // Pointed to by nothing after the call.
    let mut b = Builder::new();
    let leaf = b.function("leaf", 0, |f| _ = f.allocate(4));
    let program = b.main(|f| {
        f.push(InstructionKind::Call { target: None, callee: Callee::Direct(leaf), arguments: Vec::new() });
    });
    let End::Violated(violation) = run_once(&program, &all).end else { panic!("violated") };
    assert_eq!(violation.property, Property::ValidMemtrack);
    let found = explore(&program, &ExploreOptions::new(PropertySet::of(&all)), &Budget::unlimited());
    assert_eq!(found.violations.len(), 2);

    let program = Builder::new().main(|f| {
        let memory = f.allocate(4);
        f.free(memory);
    });
    finishes(&program, &all);
}

#[test]
fn arithmetic_faults() {
    let compute =
        |op: BinaryOp, left: i64, right: i64| Builder::new().main(move |f| _ = f.binary(op, int(left), int(right)));
    assert_eq!(undefined(&compute(BinaryOp::SDiv, 1, 0), Property::NoDivByZero), "division by zero: 1 / 0");
    assert!(undefined(&compute(BinaryOp::Shl, 1, 32), Property::NoBadShift).starts_with("1 << 32: the shift count"));
    let overflow = compute(BinaryOp::Add, i64::from(i32::MAX), 1);
    let End::Violated(violation) = run_once(&overflow, &[Property::NoOverflow]).end else { panic!("violated") };
    assert_eq!(violation.property, Property::NoOverflow);
    assert_eq!(violation.message, "overflow: 2147483647 + 1 does not fit a signed 32-bit integer");
    finishes(&overflow, &[]);
    let negative = compute(BinaryOp::Shl, -1, 1);
    assert!(matches!(run_once(&negative, &[Property::NoBadShift]).end, End::Violated(_)));
    finishes(&negative, &[]);
}

#[test]
fn pointers_survive_integers_copies_and_memory() {
    let mut b = Builder::new();
    let (x, p, q) = (b.global("x"), b.global_bytes("p", 8, &[]), b.global_bytes("q", 8, &[]));
    let program = b.main(|f| {
        let cast = |f: &mut Body, op, from, to, operand| f.assign(to, Rvalue::Cast { op, from, to, operand });
        let wide = Type::Int(64);
        let number = cast(f, CastOp::PointerToInt, Type::Pointer, wide, address(x));
        let tagged =
            f.assign(wide, Rvalue::Binary { op: BinaryOp::Or, ty: wide, left: number, right: size(1), signed: false });
        let clean =
            f.assign(wide, Rvalue::Binary { op: BinaryOp::Sub, ty: wide, left: tagged, right: size(1), signed: false });
        let pointer = cast(f, CastOp::IntToPointer, wide, Type::Pointer, clean);
        store(f, pointer, 5);
        f.assert_is(x, 5);
        f.store_as(address(p), address(x), Type::Pointer, MemoryOrder::NonAtomic);
        f.push(InstructionKind::CopyMemory { target: address(q), source: address(p), size: size(8), overlap: false });
        let copied = f.load_as(address(q), Type::Pointer, MemoryOrder::NonAtomic);
        store(f, copied, 6);
        f.assert_is(x, 6);
        // Byte by byte: provenance is lost on the way and found again by the address.
        f.push(InstructionKind::SetMemory { target: address(q), byte: Operand::int(8, 0), size: size(8) });
        for offset in 0..8 {
            let byte = f.load_as(Operand::Global { global: p, offset }, Type::Int(8), MemoryOrder::NonAtomic);
            f.store_as(Operand::Global { global: q, offset }, byte, Type::Int(8), MemoryOrder::NonAtomic);
        }
        let copied = f.load_as(address(q), Type::Pointer, MemoryOrder::NonAtomic);
        store(f, copied, 7);
        f.assert_is(x, 7);
    });
    finishes(&program, &[Property::Assert, Property::ValidDeref]);
}

#[test]
fn an_integer_that_never_was_a_pointer_is_none() {
    let mut b = Builder::new();
    let _x = b.global("x");
    let program = b.main(|f| {
        let rvalue = Rvalue::Cast {
            op: CastOp::IntToPointer,
            from: Type::Int(64),
            to: Type::Pointer,
            operand: size(0x0100_0000),
        };
        let pointer = f.assign(Type::Pointer, rvalue);
        store(f, pointer, 1);
    });
    assert!(undefined(&program, Property::ValidDeref).contains("belongs to no object"));
}

#[test]
fn indeterminate_memory_is_chosen_once() {
    let program = Builder::new().main(|f| {
        let memory = f.allocate(8);
        let first = load(f, memory);
        let second = load(f, memory);
        let same = f.equal(first, second);
        f.assert(same);
        let not_one = f.binary(BinaryOp::Ne, first, int(1));
        f.assert(not_one);
    });
    let options =
        ExploreOptions { count_executions: true, ..ExploreOptions::new(PropertySet::of(&[Property::Assert])) };
    let found = explore(&program, &options, &Budget::unlimited());
    assert_eq!((found.executions, found.violations.len()), (Some(2), 1));
    let choices = &found.violations[0].schedule.choices;
    let expected = MemoryChoice { object: ObjectName::Allocated(ThreadId(0), 0), offset: 0, bytes: vec![1, 0, 0, 0] };
    assert_eq!(choices.memory, [expected]);
    let End::Finished { .. } = run_once(&program, &[Property::Assert]).end else { panic!("zero is fine") };
}

#[test]
fn reallocation_keeps_contents() {
    let program = Builder::new().main(|f| {
        let memory = f.allocate(4);
        store(f, memory, 42);
        let target = f.register(Type::Pointer);
        f.push(InstructionKind::Reallocate { target, address: memory, size: size(64) });
        let kept = load(f, Operand::Register(target));
        let same = f.equal(kept, int(42));
        f.assert(same);
        f.free(Operand::Register(target));
    });
    finishes(&program, &[Property::Assert, Property::ValidMemcleanup, Property::ValidFree]);
}

#[test]
fn thread_local_globals_are_separate() {
    let mut b = Builder::new();
    let t = b.global_bytes("t", 4, &[5]);
    b.program.globals[t].thread_local = true;
    let child = b.function("child", 1, |f| {
        f.assert_is(t, 5);
        f.store(t, int(9));
    });
    let program = b.main(|f| {
        f.store(t, int(6));
        f.run_all(&[child]);
        f.assert_is(t, 6);
    });
    finishes(&program, &[Property::Assert, Property::NoDataRace]);
}

#[test]
fn recursion_and_calls_through_pointers() {
    let mut b = Builder::new();
    let p = b.global_bytes("p", 8, &[]);
    let result = b.global("result");
    let leaf = b.function("leaf", 1, |f| _ = f.store(result, int(3)));
    b.program.globals[p].initial.relocations = vec![Relocation { offset: 0, value: Operand::Function(leaf) }];
    let program = b.main(|f| {
        let pointer = f.load_as(address(p), Type::Pointer, MemoryOrder::NonAtomic);
        let callee = Callee::Indirect(pointer);
        f.push(InstructionKind::Call { target: None, callee, arguments: vec![Operand::Null] });
        f.assert_is(result, 3);
        let callee = Callee::Indirect(address(result));
        f.push(InstructionKind::Call { target: None, callee, arguments: Vec::new() });
    });
    assert!(undefined(&program, Property::ValidDeref).contains("not the address of a function"));

    let mut b = Builder::new();
    let id = FunctionId(0);
    let endless = b.function("endless", 0, |f| {
        f.push(InstructionKind::Call { target: None, callee: Callee::Direct(id), arguments: Vec::new() });
    });
    let program = b.main(|f| {
        f.push(InstructionKind::Call { target: None, callee: Callee::Direct(endless), arguments: Vec::new() });
    });
    assert!(matches!(run_once(&program, &[]).end, End::Unsupported { what, .. } if what.contains("nested calls")));
}

#[test]
fn unsupported_constructs_are_named_where_they_are_reached() {
    let program = Builder::new().main(|f| {
        f.push(InstructionKind::Unsupported { what: "inline assembly".to_owned() });
    });
    assert!(
        matches!(run_once(&program, &[]).end, End::Unsupported { what, span } if what == "inline assembly" && span.line == 1)
    );
    let found = explore(&program, &ExploreOptions::new(PropertySet::EMPTY), &Budget::unlimited());
    assert!(matches!(&found.incomplete[..], [Incomplete::Unsupported { .. }]));
}

#[test]
fn printf_reads_its_arguments_from_slots() {
    let mut b = Builder::new();
    let format = b.literal("%d %s %5.2f|%ld\n");
    let word = b.literal("word");
    let program = b.main(|f| {
        let local = f.local("arguments", 32);
        let slot = |offset| Operand::Local { local, offset };
        f.push(InstructionKind::Begin { local });
        store(f, slot(0), -7);
        f.store_as(slot(8), address(word), Type::Pointer, MemoryOrder::NonAtomic);
        f.store_as(slot(16), Operand::Double(2.5f64.to_bits()), Type::Double, MemoryOrder::NonAtomic);
        f.store_as(slot(24), size(1 << 40), Type::Int(64), MemoryOrder::NonAtomic);
        let target = f.register(INT);
        f.push(InstructionKind::Library {
            target: Some(target),
            function: LibraryFunction::Printf,
            arguments: vec![address(format), slot(0)],
        });
        let length = f.equal(Operand::Register(target), int(29));
        f.assert(length);
    });
    let result = run_once(&program, &[Property::Assert]);
    assert_eq!(String::from_utf8_lossy(&result.output), "-7 word  2.50|1099511627776\n");
    assert!(matches!(result.end, End::Violated(_)), "28 bytes, not 29");
}

#[test]
fn addresses_fit_the_data_model() {
    let mut b = Builder::new();
    let p = b.global("p");
    b.program.data_model = DataModel::Ilp32;
    let program = b.main(|f| {
        let target = f.register(Type::Pointer);
        let kind = AllocationKind::Heap;
        let amount = Operand::int(32, 16);
        f.push(InstructionKind::Allocate { target, size: amount, zeroed: true, align: 8, kind, shape: None });
        f.store_as(address(p), Operand::Register(target), Type::Pointer, MemoryOrder::NonAtomic);
        let again = f.load_as(address(p), Type::Pointer, MemoryOrder::NonAtomic);
        store(f, again, 3);
        let value = load(f, Operand::Register(target));
        let same = f.equal(value, int(3));
        f.assert(same);
        f.free(again);
    });
    finishes(&program, &[Property::Assert, Property::ValidDeref, Property::ValidFree, Property::ValidMemcleanup]);
}

/// A pointer of 32 bits to the second of four numbers, moved by so many bytes.
fn access_at_distance(bytes: i64) -> End {
    let mut b = Builder::new();
    b.program.data_model = DataModel::Ilp32;
    let program = b.main(|f| {
        let target = f.register(Type::Pointer);
        let (kind, amount) = (AllocationKind::Heap, Operand::int(32, 16));
        f.push(InstructionKind::Allocate { target, size: amount, zeroed: true, align: 8, kind, shape: None });
        let second = offset(f, Operand::Register(target), 4);
        let moved = offset(f, second, bytes);
        store(f, moved, 3);
    });
    run_once(&program, &[Property::ValidDeref]).end
}

#[test]
fn offsets_do_not_wrap_at_the_width_of_a_pointer() {
    for inside in [-4, 0, 4, 8] {
        let end = access_at_distance(inside);
        assert!(matches!(end, End::Finished { .. }), "{inside}: {end:?}");
    }
    let around = [1 << 32, -(1 << 32), 3 << 32, 1 << 33, 1 << 40, 1 << 62].map(|turn: i64| [turn - 4, turn, turn + 4]);
    for outside in around.into_iter().flatten().chain([12, -8, 1 << 31, -(1 << 31), i64::MIN, i64::MAX]) {
        let end = access_at_distance(outside);
        assert!(matches!(end, End::Violated(_)), "{outside}: {end:?}");
    }
}

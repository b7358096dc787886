//! How many IR instructions per second the interpreter executes, with race detection on: two threads, each in a loop
//! that loads from an array, adds, stores, and branches.

use base::{Budget, IdVec, Span};
use execute::{FixedChoices, RandomScheduler, RoundRobin, RunOptions, Scheduler, run};
use program::*;

const ROUNDS: u64 = 3_000_000;
const ELEMENTS: u64 = 1024;

fn main() {
    let program = program();
    let visibility = Visibility::new(&program);
    let options = RunOptions::new(PropertySet::of(&[Property::NoDataRace, Property::Assert, Property::ValidDeref]));
    let mut schedulers: [(&str, Box<dyn Scheduler>); 2] =
        [("round robin", Box::new(RoundRobin::new(1000))), ("random", Box::new(RandomScheduler::new(1)))];
    for (name, scheduler) in &mut schedulers {
        let start = std::time::Instant::now();
        let result = run(&program, &visibility, &options, &mut **scheduler, &mut FixedChoices(0), &Budget::unlimited());
        let seconds = start.elapsed().as_secs_f64();
        let rate = result.instructions as f64 / seconds / 1e6;
        report(&format!("{name}: {rate:.1} Minstr/s, {} instructions, {:?}", result.instructions, result.end));
    }
}

#[expect(clippy::print_stdout, reason = "an example may print")]
fn report(line: &str) {
    println!("{line}");
}

fn instruction(kind: InstructionKind) -> Instruction {
    Instruction { kind, span: Span::UNKNOWN }
}

fn block(kinds: Vec<InstructionKind>, terminator: TerminatorKind) -> Block {
    let terminator = Terminator { kind: terminator, span: Span::UNKNOWN };
    Block { instructions: kinds.into_iter().map(instruction).collect(), terminator }
}

fn function(name: &str, registers: &[Type], parameters: usize, blocks: Vec<Block>) -> Function {
    Function {
        name: name.to_owned(),
        parameters: (0..parameters as u32).map(RegisterId).collect(),
        result: Some(Type::Pointer),
        variadic: false,
        registers: registers.iter().map(|&ty| Register { ty, name: None }).collect(),
        locals: IdVec::new(),
        blocks: blocks.into_iter().collect(),
        built_in: false,
        span: Span::UNKNOWN,
    }
}

/// `for (i = 0; i < ROUNDS; i++) a[i % ELEMENTS] += i;`
fn worker() -> Function {
    let [array, i, index, offset, place, old, new, more] = [0, 1, 2, 3, 4, 5, 6, 7].map(RegisterId);
    let register = Operand::Register;
    let wide = Type::Int(64);
    let binary = |target, op, ty, left, right| InstructionKind::Assign {
        target,
        value: Rvalue::Binary { op, ty, left, right, signed: false },
    };
    let (ty, order) = (wide, MemoryOrder::NonAtomic);
    let body = vec![
        binary(index, BinaryOp::And, wide, register(i), Operand::int(64, ELEMENTS - 1)),
        binary(offset, BinaryOp::Shl, wide, register(index), Operand::int(64, 3)),
        InstructionKind::Assign {
            target: place,
            value: Rvalue::PointerAdd { pointer: register(array), offset: register(offset) },
        },
        InstructionKind::Load { target: old, address: register(place), ty, order },
        binary(new, BinaryOp::Add, wide, register(old), register(i)),
        InstructionKind::Store { address: register(place), value: register(new), ty, order },
        binary(i, BinaryOp::Add, wide, register(i), Operand::int(64, 1)),
        binary(more, BinaryOp::Ult, wide, register(i), Operand::int(64, ROUNDS)),
    ];
    let again = TerminatorKind::Branch { condition: register(more), then: BlockId(1), otherwise: BlockId(2) };
    let blocks = vec![
        block(Vec::new(), TerminatorKind::Goto(BlockId(1))),
        block(body, again),
        block(Vec::new(), TerminatorKind::Return(Some(Operand::Null))),
    ];
    function("worker", &[Type::Pointer, wide, wide, wide, Type::Pointer, wide, wide, Type::BOOL], 1, blocks)
}

fn program() -> Program {
    let mut program = Program::default();
    let shape = program.shapes.push(Shape::Opaque);
    let mut array = |name: &str| {
        program.globals.push(Global {
            name: name.to_owned(),
            size: ELEMENTS * 8,
            align: 8,
            shape,
            initial: Initialiser::default(),
            thread_local: false,
            read_only: false,
            constant_parts: ConstantParts::default(),
            span: Span::UNKNOWN,
        })
    };
    let arrays = [array("a"), array("b")];
    let worker = program.functions.push(worker());
    let spawn = |target: u32, global: GlobalId| InstructionKind::Spawn {
        target: RegisterId(target),
        store: None,
        function: Callee::Direct(worker),
        argument: Operand::Global { global, offset: 0 },
        detached: Operand::FALSE,
    };
    let join = |thread: u32| InstructionKind::Join {
        target: None,
        error: None,
        thread: Operand::Register(RegisterId(thread)),
    };
    let body = vec![spawn(0, arrays[0]), spawn(1, arrays[1]), join(0), join(1)];
    let exit = TerminatorKind::ProcessExit { status: Operand::int(32, 0), abnormal: false };
    let main = function("main", &[Type::Int(64), Type::Int(64)], 0, vec![block(body, exit)]);
    program.entry = program.functions.push(main);
    program
}

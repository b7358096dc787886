//! The entry function: constructors, arguments, `main` (or the chosen functions), and the end of the process.

use base::{Diagnostic, Span};
use program::{
    BinaryOp, Callee, FunctionId, GlobalId, Initialiser, InstructionKind, MemoryOrder, NondetKind, Operand, Relocation,
    Rvalue, TerminatorKind, Type,
};

use crate::ctype::{ArrayLength, CType, FunctionType, IntKind, QualType, TypeId, TypeTable};
use crate::emit::builder::FunctionBuilder;
use crate::emit::{FunctionState, finish_function};
use crate::entry_parameters::{EntryParameters, is_read};
use crate::link::Linker;
use crate::prelude::{self, RELEASE_THREAD_NUMBER, RUN_KEY_DESTRUCTORS};
use crate::process_end::{BEGIN_THREAD, END_PROCESS};

/// Nondeterministic command lines have at most this many arguments, the program's name included.
const MAX_ARGUMENTS: u64 = 4;
/// Bytes of a nondeterministic argument with its terminating zero.
const ARGUMENT_SIZE: u64 = 8;

/// Bytes of a nondeterministic string of the environment with its terminating zero.
const ENVIRONMENT_SIZE: u64 = 8;

/// Builds the entry function; `None` if a function to start is missing, which has been reported.
pub fn make_entry(link: &mut Linker<'_>) -> Option<FunctionId> {
    let mut builder = FunctionBuilder::new(link.types.model);
    if let Some((what, span)) = link.unsupported_anywhere.take() {
        builder.emit(InstructionKind::Unsupported { what }, span);
    }
    if link.uses_thread_numbers {
        link.process_number();
    }
    choose_stable_values(link, &mut builder);
    number_first_thread(link, &mut builder);
    choose_environment(link, &mut builder);
    link.constructors.sort_by_key(|(priority, _)| *priority);
    for (_, constructor) in link.constructors.clone() {
        call(&mut builder, constructor, Vec::new(), None);
    }
    let status = if link.options.threads.is_empty() {
        let name = link.options.entry.clone().unwrap_or_else(|| "main".to_owned());
        if let Some(init) = link.options.init.clone() {
            start(link, &mut builder, &init)?;
        }
        start(link, &mut builder, &name)?
    } else {
        run_threads(link, &mut builder)?
    };
    if link.ends.has_handlers() {
        builder.emit(InstructionKind::LeaveProcess, Span::UNKNOWN);
        let end = link.prelude_function(END_PROCESS);
        call(&mut builder, end, Vec::new(), None);
    }
    if link.uses_keys {
        let run = link.prelude_function(RUN_KEY_DESTRUCTORS);
        link.prelude_queue.push(run);
    }
    builder.terminate(TerminatorKind::ProcessExit { status, abnormal: false }, Span::UNKNOWN);

    let void = void_function(link);
    let entry = link.add_function("(entry)", void, Span::UNKNOWN);
    let state = FunctionState::of_code(builder, "(entry)".to_owned());
    let body = finish_function(state, Vec::new(), None, false, true, Span::UNKNOWN);
    link.functions[entry].defined = true;
    link.functions[entry].body = Some(body);
    Some(entry)
}

/// The first thread has the number of the process.
fn number_first_thread(link: &mut Linker<'_>, builder: &mut FunctionBuilder) {
    let Some(global) = link.process_number.filter(|_| link.uses_thread_numbers) else { return };
    let ty = Type::Int(64);
    let target = builder.pinned(ty);
    let (address, order) = (Operand::Global { global, offset: 0 }, MemoryOrder::NonAtomic);
    builder.emit(InstructionKind::Load { target, address, ty, order }, Span::UNKNOWN);
    let begin = link.prelude_function("__gordian_begin_main");
    link.prelude_queue.push(begin);
    call(builder, begin, vec![Operand::Register(target)], None);
    let end = link.prelude_function(RELEASE_THREAD_NUMBER);
    link.prelude_queue.push(end);
}

/// What the environment decides once for the whole process.
fn choose_stable_values(link: &mut Linker<'_>, builder: &mut FunctionBuilder) {
    for value in std::mem::take(&mut link.stable_values) {
        let (question, argument) = value.question;
        if prelude::defines(&question) {
            let function = link.prelude_function(&question);
            link.prelude_queue.push(function);
            let arguments = argument.map(|argument| Operand::int(64, argument as u64)).into_iter().collect();
            call(builder, function, arguments, None);
        }
        let ty = Type::Int(64);
        let target = builder.pinned(ty);
        builder.emit(InstructionKind::Nondet { target, ty, kind: NondetKind::Input }, Span::UNKNOWN);
        let binary = |op, left, right| Rvalue::Binary { op, ty, left, right, signed: false };
        let low = Operand::int(64, value.range.low as u64);
        let distance = Operand::int(64, value.range.high.wrapping_sub(value.range.low) as u64);
        let above = builder.compute(binary(BinaryOp::Sub, Operand::Register(target), low), ty, Span::UNKNOWN);
        let condition = builder.compute(binary(BinaryOp::Ule, above, distance), Type::BOOL, Span::UNKNOWN);
        let (then, otherwise) = (Operand::Register(target), low);
        let chosen = builder.compute(Rvalue::Select { condition, ty, then, otherwise }, ty, Span::UNKNOWN);
        store(builder, Operand::Global { global: value.global, offset: 0 }, chosen, ty);
    }
}

/// Every variable of the environment is missing, or a string of its own.
fn choose_environment(link: &mut Linker<'_>, builder: &mut FunctionBuilder) {
    for (name, variable) in std::mem::take(&mut link.environment) {
        let value = match link.options.arguments {
            // A program that is run with certain arguments has a real environment.
            Some(_) => {
                let bytes = name.bytes().chain([0]).collect();
                let name = character_array(link, &format!("{name:?}"), bytes, false);
                let function = link.prelude_function("__gordian_given_environment_string");
                link.prelude_queue.push(function);
                let arguments = vec![Operand::Global { global: name, offset: 0 }];
                call(builder, function, arguments, Some(Type::Pointer)).unwrap_or(Operand::Null)
            }
            None => {
                let size = ENVIRONMENT_SIZE;
                let text = character_array(link, &format!("*getenv({name:?})"), vec![0; size as usize], true);
                let end = Operand::Global { global: text, offset: size as i64 - 1 };
                store(builder, end, Operand::int(8, 0), Type::Int(8));
                let ty = Type::Int(32);
                let target = builder.pinned(ty);
                builder.emit(InstructionKind::Nondet { target, ty, kind: NondetKind::Input }, Span::UNKNOWN);
                let (left, right) = (Operand::Register(target), Operand::int(32, 0));
                let missing = Rvalue::Binary { op: BinaryOp::Eq, ty, left, right, signed: false };
                let condition = builder.compute(missing, Type::BOOL, Span::UNKNOWN);
                let (then, otherwise) = (Operand::Null, Operand::Global { global: text, offset: 0 });
                let select = Rvalue::Select { condition, ty: Type::Pointer, then, otherwise };
                builder.compute(select, Type::Pointer, Span::UNKNOWN)
            }
        };
        store(builder, Operand::Global { global: variable, offset: 0 }, value, Type::Pointer);
    }
}

fn void_function(link: &mut Linker<'_>) -> TypeId {
    let result = QualType::plain(TypeTable::VOID);
    let signature = FunctionType { result, parameters: Vec::new(), variadic: false, prototype: true };
    link.types.intern(CType::Function(signature))
}

fn call(
    builder: &mut FunctionBuilder,
    function: FunctionId,
    arguments: Vec<Operand>,
    result: Option<Type>,
) -> Option<Operand> {
    let target = result.map(|ty| builder.temporary(ty));
    let kind = InstructionKind::Call { target, callee: Callee::Direct(function), arguments };
    builder.emit(kind, Span::UNKNOWN);
    target.map(Operand::Register)
}

fn find(link: &mut Linker<'_>, name: &str) -> Option<FunctionId> {
    let found = link.functions_named(name);
    match found[..] {
        [function] => Some(function),
        [] => {
            let text = format!("no entry point: there is no function `{name}` with a body");
            let help = "name another function with --entry, or functions to run as threads with --thread";
            link.diagnostics.push(Diagnostic::error("no-entry", text).help(help));
            None
        }
        [first, ..] => {
            let text = format!("several files have a static function `{name}`: which one to start is not clear");
            let span = link.functions[first].span;
            link.diagnostics.push(Diagnostic::error("ambiguous-entry", text).at(span));
            None
        }
    }
}

/// `argc`, `argv` and the environment. A `main` of another type gets its arguments as any function does.
const MAIN_PARAMETERS: [Type; 3] = [Type::Int(32), Type::Pointer, Type::Pointer];

/// Calls a function by name; its result is the exit status if it is an integer.
fn start(link: &mut Linker<'_>, builder: &mut FunctionBuilder, name: &str) -> Option<Operand> {
    let function = find(link, name)?;
    let body = link.functions[function].body.as_ref()?;
    let parameters: Vec<Type> = body.parameters.iter().map(|&register| body.registers[register].ty).collect();
    let result = body.result;
    let arguments = match name {
        "main" if MAIN_PARAMETERS.starts_with(&parameters) => main_arguments(link, builder, function, parameters.len()),
        _ => EntryParameters { link, builder, name }.of(function),
    };
    let status = call(builder, function, arguments, result);
    Some(match (status, result) {
        (Some(status), Some(Type::Int(32))) => status,
        _ => Operand::int(32, 0),
    })
}

/// Runs the chosen functions as threads and waits for all of them.
fn run_threads(link: &mut Linker<'_>, builder: &mut FunctionBuilder) -> Option<Operand> {
    if let Some(init) = link.options.init.clone() {
        start(link, builder, &init)?;
    }
    let word = Type::Int(link.types.model.pointer_bits());
    let mut handles = Vec::new();
    for name in link.options.threads.clone() {
        let function = find(link, &name)?;
        let arguments = EntryParameters { link, builder, name: &name }.of(function);
        let (function, argument) = thread_start(link, builder, function, arguments);
        if link.ends.counts_threads() {
            let begin = link.prelude_function(BEGIN_THREAD);
            link.prelude_queue.push(begin);
            call(builder, begin, Vec::new(), None);
        }
        let target = builder.pinned(word);
        let (store, detached) = (None, Operand::FALSE);
        let kind = InstructionKind::Spawn { target, store, function: Callee::Direct(function), argument, detached };
        builder.emit(kind, Span::UNKNOWN);
        handles.push(target);
    }
    for handle in handles {
        let thread = Operand::Register(handle);
        builder.emit(InstructionKind::Join { target: None, error: None, thread }, Span::UNKNOWN);
    }
    Some(Operand::int(32, 0))
}

/// What a thread is started with: a function of one pointer as it is; for any other a function without parameters that
/// calls it, with the arguments in globals.
fn thread_start(
    link: &mut Linker<'_>,
    builder: &mut FunctionBuilder,
    function: FunctionId,
    arguments: Vec<Operand>,
) -> (FunctionId, Operand) {
    let Some(body) = link.functions[function].body.as_ref() else { return (function, Operand::Null) };
    let types: Vec<Type> = body.parameters.iter().map(|&register| body.registers[register].ty).collect();
    let result = body.result;
    match (types.as_slice(), arguments.as_slice()) {
        ([], _) => return (function, Operand::Null),
        ([Type::Pointer], [argument]) => return (function, *argument),
        _ => {}
    }
    let mut starter = FunctionBuilder::new(link.types.model);
    let mut loaded = Vec::new();
    for (index, (ty, argument)) in types.into_iter().zip(arguments).enumerate() {
        let name = format!("argument {} of {}", index + 1, link.functions[function].name);
        let slot = parameter_slot(link, &name, ty);
        let address = Operand::Global { global: slot, offset: 0 };
        store(builder, address, argument, ty);
        let target = starter.pinned(ty);
        let order = MemoryOrder::NonAtomic;
        starter.emit(InstructionKind::Load { target, address, ty, order }, Span::UNKNOWN);
        loaded.push(Operand::Register(target));
    }
    call(&mut starter, function, loaded, result);
    starter.terminate(TerminatorKind::Return(None), Span::UNKNOWN);
    let void = void_function(link);
    let name = link.functions[function].name.clone();
    let id = link.add_function(&name, void, Span::UNKNOWN);
    let state = FunctionState::of_code(starter, name);
    let body = finish_function(state, Vec::new(), None, false, true, Span::UNKNOWN);
    link.functions[id].defined = true;
    link.functions[id].body = Some(body);
    (id, Operand::Null)
}

/// A global that holds one argument.
fn parameter_slot(link: &mut Linker<'_>, name: &str, ty: Type) -> GlobalId {
    let ty = match ty {
        Type::Pointer => TypeTable::VOID_POINTER,
        Type::Float => TypeTable::FLOAT,
        Type::Double => TypeTable::DOUBLE,
        Type::Int(64) => TypeTable::UNSIGNED_LONG_LONG,
        Type::Int(32) => TypeTable::UNSIGNED,
        Type::Int(16) => link.types.int(IntKind::UnsignedShort),
        Type::Int(_) => TypeTable::UNSIGNED_CHAR,
    };
    let global = link.add_global(name, QualType::plain(ty), Span::UNKNOWN);
    let slot = &mut link.globals[global];
    (slot.defined, slot.library) = (true, true);
    global
}

/// `argc`, `argv` and, if asked for, an empty environment. What `main` does not look at needs no bound.
fn main_arguments(
    link: &mut Linker<'_>,
    builder: &mut FunctionBuilder,
    function: FunctionId,
    count: usize,
) -> Vec<Operand> {
    let body = link.functions[function].body.as_ref();
    let reads = |index: usize| {
        body.is_some_and(|body| body.parameters.get(index).is_some_and(|&register| is_read(body, register)))
    };
    let (reads_arguments, reads_environment) = (reads(1), reads(2));
    let mut arguments = match (count, link.options.arguments.clone()) {
        (0, _) => return Vec::new(),
        (_, Some(given)) => given_arguments(link, &given),
        (_, None) if reads_arguments => any_arguments(link, builder),
        (_, None) => vec![argument_count(builder, i32::MAX as u64), Operand::Null],
    };
    if reads_environment {
        link.bound("an empty environment".to_owned());
    }
    if count >= 3 {
        let environment = pointer_table(link, "envp", &[]);
        arguments.push(Operand::Global { global: environment, offset: 0 });
    }
    arguments.truncate(count);
    arguments
}

fn given_arguments(link: &mut Linker<'_>, given: &[String]) -> Vec<Operand> {
    let all = std::iter::once("program").chain(given.iter().map(String::as_str));
    let strings: Vec<GlobalId> = all
        .enumerate()
        .map(|(index, text)| {
            let bytes: Vec<u8> = text.bytes().chain([0]).collect();
            character_array(link, &format!("argv[{index}]"), bytes, false)
        })
        .collect();
    let table = pointer_table(link, "argv", &strings);
    vec![Operand::int(32, strings.len() as u64), Operand::Global { global: table, offset: 0 }]
}

/// A number of arguments between 1 and the limit.
fn argument_count(builder: &mut FunctionBuilder, most: u64) -> Operand {
    let ty = Type::Int(32);
    let target = builder.pinned(ty);
    builder.emit(InstructionKind::Nondet { target, ty, kind: NondetKind::Input }, Span::UNKNOWN);
    let less_one = Rvalue::Binary {
        op: BinaryOp::Sub,
        ty,
        left: Operand::Register(target),
        right: Operand::int(32, 1),
        signed: false,
    };
    let less_one = builder.compute(less_one, ty, Span::UNKNOWN);
    let in_range =
        Rvalue::Binary { op: BinaryOp::Ult, ty, left: less_one, right: Operand::int(32, most), signed: false };
    let condition = builder.compute(in_range, Type::BOOL, Span::UNKNOWN);
    builder.emit(InstructionKind::Assume { condition }, Span::UNKNOWN);
    Operand::Register(target)
}

fn any_arguments(link: &mut Linker<'_>, builder: &mut FunctionBuilder) -> Vec<Operand> {
    let count = argument_count(builder, MAX_ARGUMENTS);
    let most = MAX_ARGUMENTS - 1;
    link.bound(format!("{most} command-line arguments of at most {} characters", ARGUMENT_SIZE - 1));
    let strings: Vec<GlobalId> = (0..MAX_ARGUMENTS)
        .map(|index| character_array(link, &format!("argv[{index}]"), vec![0; ARGUMENT_SIZE as usize], true))
        .collect();
    for &global in &strings {
        let address = Operand::Global { global, offset: ARGUMENT_SIZE as i64 - 1 };
        store(builder, address, Operand::int(8, 0), Type::Int(8));
    }
    let table = pointer_table(link, "argv", &strings);
    // argv[argc] is null.
    let ty = Rvalue::OFFSET;
    let wide = Rvalue::Cast { op: program::CastOp::ZeroExtend, from: Type::Int(32), to: ty, operand: count };
    let index = builder.compute(wide, ty, Span::UNKNOWN);
    let size = Operand::offset(link.types.model.pointer_bytes() as i64);
    let offset = Rvalue::Binary { op: BinaryOp::Mul, ty, left: index, right: size, signed: false };
    let offset = builder.compute(offset, ty, Span::UNKNOWN);
    let argv = Operand::Global { global: table, offset: 0 };
    let end = builder.compute(Rvalue::PointerAdd { pointer: argv, offset }, Type::Pointer, Span::UNKNOWN);
    store(builder, end, Operand::Null, Type::Pointer);
    vec![count, argv]
}

fn store(builder: &mut FunctionBuilder, address: Operand, value: Operand, ty: Type) {
    let order = MemoryOrder::NonAtomic;
    builder.emit(InstructionKind::Store { address, value, ty, order }, Span::UNKNOWN);
}

fn character_array(link: &mut Linker<'_>, name: &str, bytes: Vec<u8>, indeterminate: bool) -> GlobalId {
    let element = QualType::plain(TypeTable::CHAR);
    let ty = link.types.array_of(element, ArrayLength::Known(bytes.len() as u64));
    let global = link.add_global(name, QualType::plain(ty), Span::UNKNOWN);
    let slot = &mut link.globals[global];
    slot.defined = !indeterminate;
    slot.library = true;
    slot.initial = Some(Initialiser { bytes, ..Initialiser::default() });
    global
}

/// An array of addresses with a null pointer at its end.
fn pointer_table(link: &mut Linker<'_>, name: &str, targets: &[GlobalId]) -> GlobalId {
    let element = QualType::plain(TypeTable::CHAR_POINTER);
    let ty = link.types.array_of(element, ArrayLength::Known(targets.len() as u64 + 1));
    let size = link.types.model.pointer_bytes();
    let global = link.add_global(name, QualType::plain(ty), Span::UNKNOWN);
    let relocations = targets
        .iter()
        .enumerate()
        .map(|(index, &target)| Relocation {
            offset: index as u64 * size,
            value: Operand::Global { global: target, offset: 0 },
        })
        .collect();
    let bytes = vec![0; (targets.len() as u64 + 1) as usize * size as usize];
    let slot = &mut link.globals[global];
    slot.defined = true;
    slot.library = true;
    slot.initial = Some(Initialiser { bytes, relocations, indeterminate: false });
    global
}

//! From the linker's tables to a [`Program`]: functions without a body get one that says so, thread functions get the
//! signature of a thread function, and what nothing refers to is left out.

use base::Diagnostic;
use base::ids::{Id, IdVec};
use program::{
    Block, Callee, Function, FunctionId, Global, GlobalId, Initialiser, Instruction, InstructionKind, NondetKind,
    Operand, Program, Relocation, Terminator, TerminatorKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::adapt::{adapt_calls, give_results, thread_adapter};
use crate::entry_parameters::bound_parameter_objects;
use crate::link::Linker;
use crate::prelude::{RELEASE_THREAD_NUMBER, RUN_KEY_DESTRUCTORS, START_THREAD};
use crate::process_end::END_THREAD;
use crate::undefined_objects::{self, STANDARD_STREAMS};
use crate::unsupported_uses::mark_unsupported_uses;
use program::rewrite::{for_each_operand, terminator_operand};

/// What the models of input know streams by, the standard ones first.
const STREAMS: &str = "__gordian_streams";
/// The size of a `struct __gordian_stream`.
const STREAM_BYTES: i64 = 24;

pub fn finish(mut link: Linker<'_>, entry: FunctionId) -> (Program, Vec<Diagnostic>) {
    define_standard_streams(&mut link);
    let mut functions = take_functions(&mut link);
    if starts_through_pointers(&functions, &link) {
        let named = named_functions(&functions, &link);
        give_results(&mut functions, &named);
    }
    adapt_threads(&mut functions, &link);
    adapt_calls(&mut functions, link.types.model);
    mark_unsupported_uses(&mut functions, &link);
    let mut order = reachable(&mut link, &functions, entry);
    let used: Vec<GlobalId> = link.globals.ids().filter(|id| order.globals[id.index()].is_some()).collect();
    let warnings = undefined_objects::warnings(&link, &used);
    if undefined_objects::choose_contents(&mut link, &used, &mut functions[entry]) {
        order = reachable(&mut link, &functions, entry);
    }
    bound_parameter_objects(&mut link, &used);
    (assemble(link, functions, order, entry), warnings)
}

/// Where the models of input are used, the standard streams are streams that they know.
fn define_standard_streams(link: &mut Linker<'_>) {
    let named = |link: &Linker<'_>, name: &str| link.globals.ids().find(|&id| link.globals[id].name == name);
    let Some(streams) = named(link, STREAMS) else { return };
    for (index, name) in STANDARD_STREAMS.into_iter().enumerate() {
        let Some(id) = named(link, name).filter(|&id| !link.globals[id].defined) else { continue };
        let value = Operand::Global { global: streams, offset: STREAM_BYTES * index as i64 };
        let slot = &mut link.globals[id];
        slot.defined = true;
        slot.initial =
            Some(Initialiser { relocations: vec![Relocation { offset: 0, value }], ..Initialiser::default() });
    }
}

fn take_functions(link: &mut Linker<'_>) -> IdVec<FunctionId, Function> {
    let ids: Vec<FunctionId> = link.functions.ids().collect();
    ids.into_iter().map(|id| link.functions[id].body.take().unwrap_or_else(|| bodiless(link, id))).collect()
}

/// Whether anybody looks at the results of threads, other than those of C11, which are integers.
fn reads_results(functions: &IdVec<FunctionId, Function>, link: &Linker<'_>) -> bool {
    let mut instructions = functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.instructions);
    let reads = |instruction: &Instruction| matches!(instruction.kind, InstructionKind::Join { target: Some(_), .. });
    !link.runs_c11_threads && instructions.any(reads)
}

fn starts_through_pointers(functions: &IdVec<FunctionId, Function>, link: &Linker<'_>) -> bool {
    let starter = link.find_external_function(START_THREAD);
    let mut instructions = functions.iter().flat_map(|function| &function.blocks).flat_map(|block| &block.instructions);
    instructions.any(|instruction| match instruction.kind {
        InstructionKind::Spawn { function: Callee::Direct(function), .. } => Some(function) == starter,
        InstructionKind::Spawn { function: Callee::Indirect(_), .. } => true,
        _ => false,
    })
}

/// The functions whose address is a value somewhere.
fn named_functions(functions: &IdVec<FunctionId, Function>, link: &Linker<'_>) -> FxHashSet<FunctionId> {
    let blocks = functions.iter().flat_map(|function| &function.blocks);
    let in_code = blocks.flat_map(|block| {
        let instructions = block.instructions.iter().flat_map(|instruction| instruction.kind.operands());
        instructions.chain(block.terminator.kind.operand())
    });
    let initial = link.globals.iter().filter_map(|global| global.initial.as_ref());
    let in_data = initial.flat_map(|initial| initial.relocations.iter().map(|relocation| relocation.value));
    let function = |operand| match operand {
        Operand::Function(function) => Some(function),
        _ => None,
    };
    in_code.chain(in_data).filter_map(function).collect()
}

/// A function whose address is taken but that nobody defines, or one inside a function.
fn bodiless(link: &Linker<'_>, id: FunctionId) -> Function {
    let slot = &link.functions[id];
    let what = match slot.defined {
        true => format!("call of `{}`, a function inside a function", slot.name),
        false => format!("call of external function `{}`", slot.name),
    };
    let mut kinds = vec![InstructionKind::Unsupported { what }];
    let signature = link.types.function(slot.ty);
    let mut registers = IdVec::new();
    let mut parameters = Vec::new();
    for parameter in signature.map_or(&[][..], |signature| &signature.parameters) {
        let ty = link.types.register_type(parameter.ty).unwrap_or(program::Type::Pointer);
        parameters.push(registers.push(program::Register { ty, name: None }));
    }
    let variadic = signature.is_some_and(|signature| signature.variadic);
    if variadic {
        parameters.push(registers.push(program::Register { ty: program::Type::Pointer, name: None }));
    }
    let result = signature.and_then(|signature| link.types.register_type(signature.result.ty));
    // What comes back is unknown, but the caller goes on.
    let value = result.map(|ty| {
        let target = registers.push(program::Register { ty, name: None });
        kinds.push(InstructionKind::Nondet { target, ty, kind: NondetKind::Indeterminate });
        Operand::Register(target)
    });
    let instructions = kinds.into_iter().map(|kind| Instruction { kind, span: slot.span }).collect();
    let terminator = Terminator { kind: TerminatorKind::Return(value), span: slot.span };
    let block = Block { instructions, terminator };
    Function {
        name: slot.name.clone(),
        parameters,
        result,
        variadic,
        registers,
        locals: IdVec::new(),
        blocks: [block].into_iter().collect(),
        built_in: true,
        span: slot.span,
    }
}

/// Threads run functions of one pointer that return a pointer; others are called by an adapter that is one. If there
/// are keys of thread-specific data, every thread function gets an adapter, which runs their destructors at the end; so it is
/// where threads are counted or have numbers.
fn adapt_threads(functions: &mut IdVec<FunctionId, Function>, link: &Linker<'_>) {
    let keys = link.uses_keys.then_some(RUN_KEY_DESTRUCTORS);
    let number = link.uses_thread_numbers.then_some(RELEASE_THREAD_NUMBER);
    let count = link.ends.counts_threads().then_some(END_THREAD);
    let at_end: Vec<FunctionId> =
        keys.into_iter().chain(number).chain(count).filter_map(|name| link.find_external_function(name)).collect();
    let is_read = reads_results(functions, link);
    let mut adapters: FxHashMap<FunctionId, FunctionId> = FxHashMap::default();
    for caller in functions.ids() {
        for block in functions[caller].blocks.ids() {
            for index in 0..functions[caller].blocks[block].instructions.len() {
                let kind = &functions[caller].blocks[block].instructions[index].kind;
                let InstructionKind::Spawn { function: Callee::Direct(callee), .. } = *kind else { continue };
                let adapter = match adapters.get(&callee) {
                    Some(&adapter) => Some(adapter),
                    None => thread_adapter(&functions[callee], callee, &at_end, is_read, link.types.model)
                        .map(|adapter| functions.push(adapter)),
                };
                let Some(adapter) = adapter else { continue };
                adapters.insert(callee, adapter);
                if let InstructionKind::Spawn { function, .. } =
                    &mut functions[caller].blocks[block].instructions[index].kind
                {
                    *function = Callee::Direct(adapter);
                }
            }
        }
    }
}

/// What the entry function leads to, with new numbers in the old order.
struct Reachable {
    functions: Vec<Option<FunctionId>>,
    globals: Vec<Option<GlobalId>>,
}

fn reachable(link: &mut Linker<'_>, functions: &IdVec<FunctionId, Function>, entry: FunctionId) -> Reachable {
    let mut marks =
        Marks { functions: vec![false; functions.len()], globals: vec![false; link.globals.len()], work: Vec::new() };
    marks.note(Operand::Function(entry));
    while let Some(item) = marks.work.pop() {
        match item {
            Operand::Function(function) => marks.visit_function(&functions[function]),
            Operand::Global { global, .. } => {
                let initial = link.globals[global].initial.as_ref();
                let values: Vec<Operand> =
                    initial.map_or(Vec::new(), |initial| initial.relocations.iter().map(|r| r.value).collect());
                values.into_iter().for_each(|value| marks.note(value));
            }
            _ => {}
        }
    }
    Reachable { functions: number(&marks.functions), globals: number(&marks.globals) }
}

struct Marks {
    functions: Vec<bool>,
    globals: Vec<bool>,
    work: Vec<Operand>,
}

impl Marks {
    fn note(&mut self, operand: Operand) {
        let mark = match operand {
            Operand::Function(function) => &mut self.functions[function.index()],
            Operand::Global { global, .. } => &mut self.globals[global.index()],
            _ => return,
        };
        if !std::mem::replace(mark, true) {
            self.work.push(operand);
        }
    }

    fn visit_function(&mut self, function: &Function) {
        for block in &function.blocks {
            for instruction in &block.instructions {
                if let InstructionKind::Call { callee: Callee::Direct(callee), .. }
                | InstructionKind::Spawn { function: Callee::Direct(callee), .. } = instruction.kind
                {
                    self.note(Operand::Function(callee));
                }
                instruction.kind.operands().into_iter().for_each(|operand| self.note(operand));
            }
            block.terminator.kind.operand().into_iter().for_each(|operand| self.note(operand));
        }
    }
}

fn number<I: Id>(marks: &[bool]) -> Vec<Option<I>> {
    let mut next = 0;
    let mut assign = |&marked: &bool| {
        marked.then(|| {
            next += 1;
            I::new(next - 1)
        })
    };
    marks.iter().map(&mut assign).collect()
}

fn assemble(
    mut link: Linker<'_>,
    functions: IdVec<FunctionId, Function>,
    order: Reachable,
    entry: FunctionId,
) -> Program {
    let renumber = |operand: &mut Operand| match operand {
        Operand::Function(function) => {
            *function = order.functions[function.index()].expect("a used function should be reachable");
        }
        Operand::Global { global, .. } => {
            *global = order.globals[global.index()].expect("a used global should be reachable");
        }
        _ => {}
    };
    let mut globals: IdVec<GlobalId, Global> = IdVec::new();
    let ids: Vec<GlobalId> = link.globals.ids().filter(|id| order.globals[id.index()].is_some()).collect();
    for id in ids {
        let mut global = link.finish_global(id);
        global.initial.relocations.iter_mut().for_each(|relocation| renumber(&mut relocation.value));
        globals.push(global);
    }
    let mut kept: IdVec<FunctionId, Function> = IdVec::new();
    for (id, function) in functions.iter_enumerated() {
        if order.functions[id.index()].is_none() {
            continue;
        }
        let mut function = function.clone();
        for block in function.blocks.iter_mut() {
            for instruction in &mut block.instructions {
                for_each_operand(&mut instruction.kind, &renumber);
            }
            terminator_operand(&mut block.terminator.kind).map(&renumber);
        }
        kept.push(function);
    }
    let entry = order.functions[entry.index()].expect("the entry should be reachable");
    Program {
        data_model: link.types.model,
        files: base::Files::new(),
        shapes: link.shapes,
        globals,
        functions: kept,
        entry,
        input_bounds: link.input_bounds,
        own_sizes: link.sync_types.own_sizes(),
    }
}

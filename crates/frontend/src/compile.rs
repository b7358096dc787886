//! The whole front end on one screen: files in, a program out.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::thread;

use base::{Diagnostic, Files};
use program::block_pieces::divide_shared_blocks;
use program::unknown_pointers::guard_unknown_pointers;
use program::verify::assert_valid;
use program::{DataModel, Program};
use rustc_hash::FxHashSet;

use crate::ast::{Attribute, AttributeKind, Declaration, ExprKind, ForInit, Item, StmtKind, TranslationUnit, UnaryOp};
use crate::ctype::UnitNumber;
use crate::effects::{FunctionEffects, may_be_watched};
use crate::entry::make_entry;
use crate::finish::finish;
use crate::inline_definitions::InlineDefinitions;
use crate::invariant_candidates::{InvariantGuess, candidates};
use crate::library::is_known;
use crate::link::Linker;
use crate::lower::{Linkage, Lowerer};
use crate::placed_check::{Misplaced, PlacedCheck};
use crate::prelude::{self, Models};
use crate::preprocess::PreprocessOptions;
use crate::process_end::{Ends, define_end_process};
use crate::source_text::{ParsedUnit, parse_file, parse_file_with_checks, parse_text_with_checks};
use crate::undefined_objects::STANDARD_STREAMS;
use crate::weak_symbols::WeakSymbols;

/// Lowering recurses over the syntax tree, whose height the parser bounds; this is enough for the highest tree.
const STACK_SIZE: usize = 512 << 20;

/// Which external functions without a body return any value instead of being unsupported.
#[derive(Clone, Debug, Default)]
pub struct Stubs {
    pub all: bool,
    pub names: Vec<String>,
}

impl Stubs {
    pub fn covers(&self, name: &str) -> bool {
        self.all || self.names.iter().any(|stub| stub == name)
    }
}

#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Sizes of C's types. Default: LP64.
    pub data_model: DataModel,
    pub preprocess: PreprocessOptions,
    /// Further arguments of the compiler for single files.
    pub file_options: Vec<(PathBuf, Vec<String>)>,
    /// The function to start instead of `main`.
    pub entry: Option<String>,
    /// A function to call before the threads start.
    pub init: Option<String>,
    /// Functions to run as concurrent threads instead of an entry function.
    pub threads: Vec<String>,
    /// Whether pointer parameters of such functions are never null. Default: false.
    pub nonnull: bool,
    pub stubs: Stubs,
    /// Calls that may fail. Default: none.
    pub failures: MayFail,
    /// `argv[1]` and so on; `None`: any arguments.
    pub arguments: Option<Vec<String>>,
    /// Checks to put into the program. They are its only assertions then: its own just end the process.
    pub checks: Vec<PlacedCheck>,
    /// Whether to guess at invariants. Default: false.
    pub propose_invariants: bool,
    /// Whether waits on condition variables only end by a signal. Default: false, they may wake up spuriously.
    pub no_spurious_wake_ups: bool,
    /// Whether thread handles may be taken for the numbers that they are in one run: for recorded runs. Default: false, what
    /// depends on their numbers is unsupported.
    pub handles_are_numbers: bool,
}

/// Calls that succeed by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MayFail {
    /// `malloc`, `calloc`, `realloc` and their like return null.
    pub allocation: bool,
    /// `pthread_create` returns EAGAIN.
    pub creation: bool,
}

#[derive(Clone, Debug)]
pub struct Compiled {
    pub program: Program,
    pub warnings: Vec<Diagnostic>,
    /// What a verdict about this program rests on: stubs, restricted arguments.
    pub assumptions: Vec<String>,
    /// Checks that do not fit into the program.
    pub misplaced: Vec<Misplaced>,
    /// Guesses at invariants, if they were asked for.
    pub candidates: Vec<InvariantGuess>,
}

/// The input cannot be used; at least one diagnostic is an error.
#[derive(Clone, Debug)]
pub struct CompileFailure {
    pub files: Files,
    pub diagnostics: Vec<Diagnostic>,
}

/// Preprocesses, parses, lowers and links all files into one program.
pub fn compile(inputs: &[PathBuf], options: &CompileOptions) -> Result<Compiled, CompileFailure> {
    let mut preprocess = options.preprocess.clone();
    preprocess.ilp32 |= options.data_model == DataModel::Ilp32;
    let mut files = Files::new();
    let mut units = Vec::new();
    let mut diagnostics = Vec::new();
    let is_strange = |check: &PlacedCheck| !inputs.iter().any(|input| check.is_about(&input.to_string_lossy()));
    let mut misplaced = elsewhere(&options.checks, is_strange);
    for input in inputs {
        let mut preprocess = preprocess.clone();
        let own = options.file_options.iter().find(|(file, _)| file == input);
        preprocess.extra_arguments.extend(own.iter().flat_map(|(_, arguments)| arguments.clone()));
        match parse_file_with_checks(input, &preprocess, &options.checks, &mut files) {
            Ok(parsed) => {
                units.push(parsed.unit);
                diagnostics.extend(parsed.warnings);
                misplaced.extend(parsed.misplaced);
            }
            Err(errors) => diagnostics.extend(errors),
        }
    }
    compile_units(units, files, diagnostics, options).map(|compiled| Compiled { misplaced, ..compiled })
}

fn elsewhere(checks: &[PlacedCheck], is_strange: impl Fn(&PlacedCheck) -> bool) -> Vec<Misplaced> {
    let strange = checks.iter().enumerate().filter(|(_, check)| is_strange(check));
    strange.map(|(check, _)| Misplaced { check, reason: "it refers to another file".to_owned() }).collect()
}

/// Whether the file can be read and has a body for the function.
pub fn defines_function(file: &Path, options: &PreprocessOptions, name: &str) -> bool {
    let Ok(parsed) = parse_file(file, options, &mut Files::new()) else { return false };
    parsed.unit.items.iter().any(|item| match item {
        Item::Function(definition) => parsed.unit.name(definition.declarator.name) == name,
        _ => false,
    })
}

/// As [`compile`], for one text that needs no preprocessing.
pub fn compile_text(name: &str, text: &str, options: &CompileOptions) -> Result<Compiled, CompileFailure> {
    let mut files = Files::new();
    match parse_text_with_checks(name, text.as_bytes(), &options.checks, &mut files) {
        Ok(ParsedUnit { unit, warnings, mut misplaced }) => {
            misplaced.extend(elsewhere(&options.checks, |check| !check.is_about(name)));
            compile_units(vec![unit], files, warnings, options).map(|compiled| Compiled { misplaced, ..compiled })
        }
        Err(diagnostics) => Err(CompileFailure { files, diagnostics }),
    }
}

fn compile_units(
    units: Vec<TranslationUnit>,
    files: Files,
    diagnostics: Vec<Diagnostic>,
    options: &CompileOptions,
) -> Result<Compiled, CompileFailure> {
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(CompileFailure { files, diagnostics });
    }
    thread::scope(|scope| {
        let worker = thread::Builder::new().name("lowering".to_owned()).stack_size(STACK_SIZE);
        let work = || {
            let mut compiled = lower_units(&units, files, diagnostics, options)?;
            if options.no_spurious_wake_ups {
                compiled.program.exclude_spurious_wake_ups();
            }
            Ok(compiled)
        };
        let handle = worker.spawn_scoped(scope, work).expect("a thread should start");
        handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn lower_units(
    units: &[TranslationUnit],
    files: Files,
    mut diagnostics: Vec<Diagnostic>,
    options: &CompileOptions,
) -> Result<Compiled, CompileFailure> {
    let mut lowered = match lower_in_order(units, options) {
        Ok(lowered) => lowered,
        Err(errors) => {
            diagnostics.extend(errors);
            return Err(CompileFailure { files, diagnostics });
        }
    };
    diagnostics.append(&mut lowered.diagnostics);
    let Lowered { mut program, assumptions, candidates, .. } = lowered;
    program.files = files;
    assert_valid(&program);
    guard_unknown_pointers(&mut program);
    assert_valid(&program);
    divide_shared_blocks(&mut program);
    assert_valid(&program);
    if !options.handles_are_numbers {
        program::handles::guard_handles(&mut program);
        assert_valid(&program);
    }
    Ok(Compiled { program, warnings: diagnostics, assumptions, misplaced: Vec::new(), candidates })
}

/// Lowers all units. Where the order of evaluation may matter, what functions do decides whether it does: then all is lowered
/// from left to right first, to see that.
fn lower_in_order(units: &[TranslationUnit], options: &CompileOptions) -> Result<Lowered, Vec<Diagnostic>> {
    let from_left_to_right = assemble(link_units(units, options, None))?;
    let Lowered { program, volatile_functions, order_may_matter, .. } = &from_left_to_right;
    if !order_may_matter && !may_be_watched(program, volatile_functions) {
        return Ok(from_left_to_right);
    }
    let effects = FunctionEffects::of(program, volatile_functions);
    assemble(link_units(units, options, Some(Rc::new(effects))))
}

/// A program, and what was found out on the way.
struct Lowered {
    program: Program,
    diagnostics: Vec<Diagnostic>,
    assumptions: Vec<String>,
    candidates: Vec<InvariantGuess>,
    volatile_functions: FxHashSet<String>,
    order_may_matter: bool,
}

fn assemble(linked: Linked<'_>) -> Result<Lowered, Vec<Diagnostic>> {
    let Linked { mut link, entry, candidates } = linked;
    let mut diagnostics = std::mem::take(&mut link.diagnostics);
    let entry = match entry {
        Some(entry) if !diagnostics.iter().any(Diagnostic::is_error) => entry,
        _ => return Err(diagnostics),
    };
    diagnostics.extend(idle_stubs(&link));
    let assumptions = std::mem::take(&mut link.assumptions);
    let volatile_functions = std::mem::take(&mut link.volatile_functions);
    let order_may_matter = link.order_may_matter;
    let (program, warnings) = finish(link, entry);
    diagnostics.extend(warnings.into_iter().take(crate::parser::MAX_ERRORS));
    diagnostics.extend(oversized_objects(&program));
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    Ok(Lowered { program, diagnostics, assumptions, candidates, volatile_functions, order_may_matter })
}

/// A warning for each stub that was asked for and is not used, since something else is known of the function.
fn idle_stubs(link: &Linker<'_>) -> Vec<Diagnostic> {
    let reason = |name: &String| {
        let has_body = link.find_external_function(name).is_some_and(|function| link.functions[function].defined);
        match has_body {
            true => Some("the program defines it"),
            false => is_known(name).then_some("what it does is known"),
        }
    };
    let warning = |(name, reason): (&String, &str)| {
        Diagnostic::warning("idle-stub", format!("the stub for `{name}` is not used: {reason}"))
    };
    let names = link.options.stubs.names.iter();
    names.filter_map(|name| Some((name, reason(name)?))).map(warning).collect()
}

/// Which models of library functions to parse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ModelsNeeded {
    /// Those that the program refers to and those that they mention. Lowering may find out that it needs more.
    Mentioned,
    All,
}

/// What the linker knows of all units, and the function to start.
struct Linked<'a> {
    link: Linker<'a>,
    entry: Option<program::FunctionId>,
    candidates: Vec<InvariantGuess>,
}

/// Lowers all units and the models of library functions that they need.
fn link_units<'a>(
    units: &'a [TranslationUnit],
    options: &'a CompileOptions,
    effects: Option<Rc<FunctionEffects>>,
) -> Linked<'a> {
    let link = |models| link_with_models(units, options, effects.clone(), models);
    link(ModelsNeeded::Mentioned).or_else(|| link(ModelsNeeded::All)).expect("there should be no other models")
}

/// `None` if there were too few models.
fn link_with_models<'a>(
    units: &'a [TranslationUnit],
    options: &'a CompileOptions,
    effects: Option<Rc<FunctionEffects>>,
    needed: ModelsNeeded,
) -> Option<Linked<'a>> {
    let mut link = Linker::new(options);
    let mentioned = |name: &str| units.iter().any(|unit| mentions(unit, name));
    link.ends = Ends::of(units, mentioned);
    link.uses_longjmp = ["longjmp", "_longjmp", "siglongjmp", "__builtin_longjmp"].into_iter().any(mentioned);
    link.effects = effects;
    link.weak = WeakSymbols::of(units);
    link.inline_definitions = InlineDefinitions::of(units);
    link.unwinds = units.iter().any(|unit| unit.dialect.unwinds && has_clean_up_attribute(unit));
    link.frees_memory = mentioned("free") || mentioned("realloc") || mentioned("cfree");
    link.uses_clean_ups = mentioned("__pthread_register_cancel") || mentioned("__pthread_register_cancel_defer");
    link.may_leave_once = link.ends.uses_thread_exit && (mentioned("pthread_once") || mentioned("call_once"));
    link.uses_keys = mentioned("pthread_key_create") || mentioned("tss_create");
    link.uses_errno = mentioned("__errno_location") || mentioned("__errno") || mentioned("errno");
    link.replaces_streams = units.iter().any(replaces_streams);
    link.uses_stream_state = ["ferror", "ftell", "ftello", "fseek", "fseeko"].into_iter().any(mentioned);
    link.uses_end_indicator = mentioned("feof");
    link.uses_unlocked_streams = library::functions_writing(library::STREAMS).any(mentioned);
    link.uses_thread_numbers = mentioned("gettid");
    link.uses_locale = mentioned("setlocale");
    let linkages: Vec<Linkage<'_>> = units.iter().map(|unit| Linkage::announce(unit, &mut link)).collect();
    let mut found = Vec::new();
    for ((unit, linkage), number) in units.iter().zip(linkages).zip(1..) {
        link.types.unit = UnitNumber(number);
        Lowerer::new(unit, &mut link, false).with_linkage(linkage).unit();
        found.extend(candidates(unit, &std::mem::take(&mut link.invariant_sites)));
    }
    link.types.unit = UnitNumber::default();
    define_end_process(&mut link);
    let entry = make_entry(&mut link);
    lower_prelude(&mut link, needed).then_some(Linked { link, entry, candidates: found })
}

/// Objects of half the address space or more: distances inside them would not be numbers of the machine.
fn oversized_objects(program: &Program) -> Vec<Diagnostic> {
    let limit = 1_u64 << (program.data_model.pointer_bits() - 1);
    let globals = program.globals.iter().map(|global| (&global.name, global.size, global.span));
    let locals = program.functions.iter().flat_map(|function| function.locals.iter());
    let locals = locals.map(|local| (&local.name, local.size, local.span));
    let oversized = globals.chain(locals).filter(|&(_, size, _)| size >= limit);
    let complain = |(name, size, span)| {
        let message = format!("`{name}` has {size} bytes, half of the address space or more");
        Diagnostic::error("too-large", message).at(span)
    };
    oversized.map(complain).take(crate::parser::MAX_ERRORS).collect()
}

/// Whether an expression of the unit names the function.
fn mentions(unit: &TranslationUnit, name: &str) -> bool {
    let Some(symbol) = unit.names.lookup(name) else { return false };
    unit.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::Name(name) if name == symbol))
}

/// Whether a unit may give `stdin`, `stdout` or `stderr` another value.
fn replaces_streams(unit: &TranslationUnit) -> bool {
    let is_stream = |id: crate::ast::ExprId| match unit[id].kind {
        ExprKind::Name(name) => STANDARD_STREAMS.contains(&unit.name(name)),
        _ => false,
    };
    unit.exprs.iter().any(|expr| match expr.kind {
        ExprKind::Assign { target, .. } => is_stream(target),
        ExprKind::Unary { op: UnaryOp::AddressOf, operand } => is_stream(operand),
        _ => false,
    })
}

/// Whether an object of the unit has a function that is called when it is left.
fn has_clean_up_attribute(unit: &TranslationUnit) -> bool {
    let is_clean_up = |attribute: &Attribute| matches!(attribute.kind, AttributeKind::Cleanup(_));
    let has_one = |declaration: &Declaration| {
        let own = declaration.declarators.iter().flat_map(|init| &init.declarator.attributes);
        declaration.specifiers.attributes.iter().chain(own).any(is_clean_up)
    };
    unit.stmts.iter().any(|statement| match &statement.kind {
        StmtKind::Declaration(declaration) | StmtKind::For { init: ForInit::Declaration(declaration), .. } => {
            has_one(declaration)
        }
        _ => false,
    })
}

/// Lowers the models that are referred to, and those that these refer to; `false` if one of them was not parsed.
fn lower_prelude(link: &mut Linker<'_>, needed: ModelsNeeded) -> bool {
    if link.prelude_queue.is_empty() {
        return true;
    }
    let models = match needed {
        ModelsNeeded::Mentioned => Models::of(link.prelude_queue.iter().map(|&id| link.functions[id].name.as_str())),
        ModelsNeeded::All => Models::all(),
    };
    link.adopt(prelude::LIBRARY_OBJECTS);
    let mut lowerer = Lowerer::new(&models.unit, link, true);
    lowerer.unit();
    lowerer.models(&models)
}

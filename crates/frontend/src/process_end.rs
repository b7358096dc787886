//! The end of the process: what `atexit` registered, last first, then destructors, the last first, and then what these have
//! registered. It happens when `main` returns, when
//! `exit` is called, and when the last thread ends after `main` has ended its own by `pthread_exit`.

use base::Span;
use program::{Callee, InstructionKind, Operand, TerminatorKind};

use crate::ast::{AttributeKind, Item, TranslationUnit};
use crate::ctype::TypeTable;
use crate::emit::builder::FunctionBuilder;
use crate::emit::{FunctionState, finish_function};
use crate::link::Linker;

/// Runs what is to be run at the end of the process.
pub const END_PROCESS: &str = "__gordian_end_process";
/// Counts one more thread.
pub const BEGIN_THREAD: &str = "__gordian_begin_thread";
/// What a thread calls at its end; the last one ends the process.
pub const END_THREAD: &str = "__gordian_end_thread";

/// Which ends a program has to look after.
#[derive(Clone, Copy, Default)]
pub struct Ends {
    pub uses_atexit: bool,
    pub has_destructors: bool,
    /// Somebody calls `pthread_exit`: the end of a thread may be the end of the process.
    pub uses_thread_exit: bool,
}

impl Ends {
    pub fn of(units: &[TranslationUnit], mentioned: impl Fn(&str) -> bool) -> Self {
        Self {
            uses_atexit: mentioned("atexit"),
            has_destructors: units.iter().any(has_destructor),
            uses_thread_exit: mentioned("pthread_exit") || mentioned("thrd_exit"),
        }
    }

    /// Whether there may be something to run at the end of the process.
    pub fn has_handlers(self) -> bool {
        self.uses_atexit || self.has_destructors
    }

    /// Whether threads must be counted, since the last one runs the handlers. Other programs pay nothing.
    pub fn counts_threads(self) -> bool {
        self.has_handlers() && self.uses_thread_exit
    }
}

fn has_destructor(unit: &TranslationUnit) -> bool {
    let is_destructor = |kind: &AttributeKind| matches!(kind, AttributeKind::Destructor(_));
    unit.items.iter().any(|item| {
        let (specifiers, declarators): (_, Vec<_>) = match item {
            Item::Function(definition) => (&definition.specifiers, vec![&definition.declarator]),
            Item::Declaration(declaration) => {
                let declarators = declaration.declarators.iter().map(|init| &init.declarator).collect();
                (&declaration.specifiers, declarators)
            }
            _ => return false,
        };
        let own = declarators.into_iter().flat_map(|declarator| &declarator.attributes);
        specifiers.attributes.iter().chain(own).any(|attribute| is_destructor(&attribute.kind))
    })
}

/// Builds [`END_PROCESS`], now that all destructors are known.
pub fn define_end_process(link: &mut Linker<'_>) {
    if !link.ends.has_handlers() {
        return;
    }
    let mut builder = FunctionBuilder::new(link.types.model);
    let run_registered = link.ends.uses_atexit.then(|| link.prelude_function("__gordian_run_atexit"));
    if let Some(run) = run_registered {
        link.prelude_queue.push(run);
        call(&mut builder, run);
    }
    // In the opposite order of constructors.
    link.destructors.sort_by_key(|(priority, _)| *priority);
    for &(_, destructor) in link.destructors.iter().rev() {
        call(&mut builder, destructor);
    }
    // What destructors have registered.
    if let Some(run) = run_registered.filter(|_| !link.destructors.is_empty()) {
        call(&mut builder, run);
    }
    builder.terminate(TerminatorKind::Return(None), Span::UNKNOWN);
    let state = FunctionState::of_code(builder, END_PROCESS.to_owned());
    let body = finish_function(state, Vec::new(), None, false, true, Span::UNKNOWN);
    let function = link.external_function(END_PROCESS, TypeTable::VOID, Span::UNKNOWN);
    link.functions[function].defined = true;
    link.functions[function].body = Some(body);
    if link.ends.counts_threads() {
        let end_thread = link.prelude_function(END_THREAD);
        link.prelude_queue.push(end_thread);
    }
}

fn call(builder: &mut FunctionBuilder, function: program::FunctionId) {
    let arguments: Vec<Operand> = Vec::new();
    builder.emit(InstructionKind::Call { target: None, callee: Callee::Direct(function), arguments }, Span::UNKNOWN);
}

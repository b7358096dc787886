//! Checks that a program is well formed. Every stage that makes or changes a program runs it afterwards.
//!
//! The rules:
//! 1. Ids are in range: the entry function, functions, blocks, registers, locals, globals, shapes, files of known spans.
//! 2. The entry function has no parameters. Every function has a block 0. Parameters are distinct registers.
//! 3. Integers have 1, 8, 16, 32 or 64 bits; constants have no bits beyond their width; values in memory are not
//!    truth values.
//! 4. Operands have the types that their instruction says; registers have the types of what is assigned to them.
//! 5. Direct calls agree with their callee in the number and types of arguments and in the result. A thread's function
//!    has one pointer parameter.
//! 6. Casts convert between the kinds and widths that their operator is for.
//! 7. Read-modify-writes, compare-exchanges and fences have an atomic order.
//! 8. `Sync` has the operands that its operation is documented with; the begin of a wait is followed, in its block or behind the test whether it was refused, by
//!    the end of that wait, with no other synchronisation between.
//! 9. The values of a switch are distinct and within the width of its type.
//! 10. Objects: alignment is a power of two, the size is below half the address space, initial bytes and addresses lie
//!     inside, addresses do not overlap and are of functions or of globals that are not thread-local.
//! 11. Shapes do not contain themselves.
//!
//! Not rules: blocks may be unreachable; atomic sections may begin and end in different functions.

mod function;
mod object;

use std::fmt;

use base::Span;

use crate::program_::{FunctionId, GlobalId, Location, Program};
use crate::shape::ShapeId;
use crate::types::Type;

/// A rule that is broken, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    pub place: VerifiedPlace,
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VerifiedPlace {
    Program,
    Shape(ShapeId),
    Global(GlobalId),
    Function(FunctionId),
    At(Location),
}

/// All broken rules in the order of the program; none for a well-formed program.
pub fn verify(program: &Program) -> Vec<Flaw> {
    let mut verifier = Verifier { program, flaws: Vec::new() };
    verifier.entry();
    verifier.shapes();
    verifier.globals();
    for id in program.functions.ids() {
        verifier.function(id);
    }
    verifier.flaws
}

/// In debug builds, stops where a program that was made is not well formed.
///
/// # Panics
/// Only in debug builds.
pub fn assert_valid(program: &Program) {
    if cfg!(debug_assertions)
        && let Some(flaw) = verify(program).first()
    {
        panic!("the program should be well formed: {flaw}");
    }
}

struct Verifier<'a> {
    program: &'a Program,
    flaws: Vec<Flaw>,
}

impl Verifier<'_> {
    fn flaw(&mut self, place: VerifiedPlace, message: impl Into<String>) {
        self.flaws.push(Flaw { place, message: message.into() });
    }

    /// Records a flaw unless `good`; the message is made only if needed.
    fn require(&mut self, place: VerifiedPlace, good: bool, message: impl FnOnce() -> String) {
        if !good {
            self.flaw(place, message());
        }
    }

    fn entry(&mut self) {
        match self.program.functions.get(self.program.entry) {
            None => {
                self.flaw(VerifiedPlace::Program, format!("the entry function {} does not exist", self.program.entry))
            }
            Some(entry) => self.require(VerifiedPlace::Program, entry.parameters.is_empty(), || {
                format!("the entry function {} has parameters", self.program.entry)
            }),
        }
    }

    fn span(&mut self, place: VerifiedPlace, span: Span) {
        let known = !span.is_known() || self.program.files.get(span.file).is_some();
        self.require(place, known, || format!("the span is in {}, which does not exist", span.file));
    }

    fn valid_type(&mut self, place: VerifiedPlace, ty: Type) {
        self.require(place, is_valid(ty), || format!("{ty} is not a type"));
    }

    fn pointer_int(&self) -> Type {
        Type::Int(self.program.data_model.pointer_bits())
    }
}

fn is_valid(ty: Type) -> bool {
    !matches!(ty, Type::Int(bits) if !matches!(bits, 1 | 8 | 16 | 32 | 64))
}

impl fmt::Display for VerifiedPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VerifiedPlace::Program => f.write_str("program"),
            VerifiedPlace::Shape(shape) => shape.fmt(f),
            VerifiedPlace::Global(global) => global.fmt(f),
            VerifiedPlace::Function(function) => function.fmt(f),
            VerifiedPlace::At(location) => location.fmt(f),
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

//! What evaluations do beyond their values, roughly: enough to see where the order of evaluation, which C leaves open, can
//! make a difference.
//!
//! Effects are read off the IR, by its table of effects (`program::effects`): those of functions from a program that was
//! lowered from left to right (`functions.rs`), those of an operand from the code that it is lowered to. So models of library
//! functions, aliases, types and scopes need no knowledge of their own here.

mod functions;
mod instructions;
mod roots;
mod termination;

use std::collections::BTreeSet;
use std::rc::Rc;

use program::{LocalId, RegisterId};

pub use functions::{FunctionEffects, may_be_watched};
pub use instructions::{Scene, of_instruction, of_terminator};
pub use roots::{Root, Roots};

/// A global by its name; globals of one name are taken for one.
pub type Name = Rc<str>;

/// Memory that an evaluation accesses.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AccessedMemory {
    Global(Name),
    /// An object of the function at hand; whether pointers may lead to it.
    Local {
        local: LocalId,
        is_pointed_to: bool,
    },
    /// A variable of the function at hand that is in no memory.
    Register(RegisterId),
    /// What this argument of the function at hand points to.
    Parameter(usize),
    /// Whatever pointers may lead to.
    Pointed,
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EvaluationEffects {
    pub reads: BTreeSet<AccessedMemory>,
    pub writes: BTreeSet<AccessedMemory>,
    /// It orders threads, or lets them notice each other without a data race.
    pub synchronises: bool,
    /// What comes after it may never happen: the thread may end, wait or go round for ever.
    pub may_stop: bool,
    /// As `may_stop`, for the whole process.
    pub may_end_process: bool,
    /// It may violate a property, other than by a data race.
    pub may_violate: bool,
}

impl EvaluationEffects {
    pub fn add(&mut self, other: &EvaluationEffects) {
        self.reads.extend(other.reads.iter().cloned());
        self.writes.extend(other.writes.iter().cloned());
        self.synchronises |= other.synchronises;
        self.may_stop |= other.may_stop;
        self.may_end_process |= other.may_end_process;
        self.may_violate |= other.may_violate;
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Of a function of which nothing is known.
    fn unknown() -> Self {
        let pointed = BTreeSet::from([AccessedMemory::Pointed]);
        Self {
            reads: pointed.clone(),
            writes: pointed,
            synchronises: true,
            may_stop: true,
            may_end_process: true,
            may_violate: true,
        }
    }
}

/// Why it may matter which of two evaluations comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluationConflict {
    /// One writes what the other accesses: without a call, the program is undefined.
    Memory,
    /// One may prevent the other, or threads may see the difference.
    Order,
}

//! The language every stage speaks: a load/store register machine with one shared-memory access per instruction,
//! the properties that can be checked of it, and schedules, traces and outcomes as data.
//!
//! Invariant: knows no C syntax, no solver and no interpreter; it says what a program *is*, not how it is run.

pub mod address_reuse;
pub mod analyses;
mod arithmetic_obligations;
pub mod block_pieces;
mod call_types;
pub mod cfg;
mod constant_parts;
pub mod effects;
pub mod handles;
pub mod instruction;
pub mod limits;
pub mod loops;
mod names;
mod object_names;
mod object_set;
mod operands;
pub mod outcome;
mod own_allocators;
pub mod parse;
pub mod points_to;
pub mod print_format;
pub mod printed;
#[path = "program.rs"]
mod program_;
pub mod property;
pub mod provenance;
pub mod rewrite;
pub mod schedule;
pub mod shape;
pub mod sharing;
mod sync_layouts;
mod text;
pub mod thread_state;
pub mod trace;
pub mod types;
pub mod unknown_pointers;
pub mod verify;
pub mod visible;
pub mod waypoint;

pub use analyses::{Analyses, Analysis, AnalysisResults};
pub use constant_parts::ConstantParts;
pub use instruction::{
    AllocationKind, BinaryOp, Block, Callee, CastOp, Instruction, InstructionKind, LibraryFunction, MemoryOrder,
    NondetKind, Operand, RmwOp, Rvalue, SyncOp, Terminator, TerminatorKind, UnaryOp,
};
pub use object_names::{COMPOUND_LITERAL, VARIADIC_ARGUMENTS};
pub use outcome::{Bounds, Outcome, UnknownReason};
pub use program_::{
    At, BlockId, Function, FunctionId, Global, GlobalId, Initialiser, Local, LocalId, Location, Program, Register,
    RegisterId, Relocation,
};
pub use property::{Property, PropertySet};
pub use provenance::{EngineId, Provenances, VerdictArgument, VerdictProvenance};
pub use schedule::{Choices, MemoryChoice, ObjectName, Schedule, Step, ThreadId};
pub use shape::{Shape, ShapeField, ShapeId, shape_of_elements};
pub use sync_layouts::{OwnSizes, SyncLayouts};
pub use thread_state::ThreadState;
pub use trace::{RacingAccess, Trace, TraceEvent, TraceEventKind, Violation, WaitingThread};
pub use types::{DataModel, Type};
pub use visible::Visibility;

//! The concrete interpreter, schedulers, replay and the exhaustive explorer: the independent judge of everything else.
//!
//! Invariant: knows no terms, solvers, encoders or engines. What an execution is, is said in `program::schedule`; what
//! synchronisation means, in crate `sync`.

mod access_log;
mod address_space;
pub mod arithmetic;
mod choice;
mod code;
mod coverage;
mod deadlock;
mod execution;
mod explore;
mod fault;
mod format;
mod format_arguments;
mod guided;
mod leak;
mod library;
mod liveness;
mod machine;
mod memory;
mod naming;
mod object;
mod observation;
mod pure;
mod race;
mod race_history;
#[cfg(test)]
mod race_reference;
mod race_report;
mod random;
mod register_ops;
mod replay;
mod run;
mod schedule_text;
mod scheduler;
mod shorten;
mod state_hash;
mod thread;
mod threading;
mod value;

pub use access_log::{LoggedAccess, LoggedKind};
pub use choice::{Ask, ChoiceSource, FixedChoices, RandomChoices, ReplayedChoices};
pub use code::{AccessCode, Arg, BranchTarget, Code, Op, Relative, Site, Typed};
pub use coverage::{Coverage, run_covered};
pub use explore::{Exploration, ExploreOptions, Incomplete, explore, explore_with};
pub use format_arguments::{FormatError, Given, Wanted, format_text};
pub use guided::{GuideOptions, follow, follow_with};
pub use machine::{
    Config, CycleFinder, End, ExecState, Halt, Machine, Readiness, Refusal, Standing, Undefined, Waiting,
};
pub use memory::{IndeterminateBytes, Memory, Place};
pub use object::{Object, OpaqueStretch, Origin, SyncObject};
pub use observation::{Ending, Observation};
pub use pure::evaluate_bits;
pub use random::Random;
pub use replay::{ReplayFailure, ReplayProblem, replay};
pub use run::{RunOptions, RunResult, run, run_code};
pub use schedule_text::{ScheduleError, object_text, parse_object, parse_schedule, write_schedule};
pub use scheduler::{Pct, RandomScheduler, RoundRobin, Scheduler};
pub use shorten::shorten;
pub use state_hash::{WordHash, hash as state_hash};
pub use thread::{ExecThread, ThreadStatus};
pub use value::{Provenance, Value, mask};

//! The reachability tree of a multi-threaded program, walked depth first with symbolic data.
//!
//! The tree is that of Cordeiro and Fischer, *Verifying multi-threaded software using SMT-based context-bounded model
//! checking* (ICSE 2011), section 3.1. A node is an active thread, a number of context switches, a state, and for each
//! thread its location; the guards of its threads are the facts of its path. Its rules are here:
//!
//! - R1 (assignments) and R4 (`assume`, `assert`): `stepper` executes them; `explore` switches threads after each
//!   visible statement, never inside an atomic section, up to the context bound.
//! - R2 (jumps): no node of their own; they belong to the step before.
//! - R3 (tests): both outcomes become children unless constants or facts decide (`stepper`, [`Stop::Truth`]).
//! - R5 (creation), R6 (join by exit flag): by the interpreter, `execute`.
//!
//! Instructions whose operands are known are executed by the interpreter itself, on a state that is shared between
//! nodes until one of them writes; values that are not known are tokens there, which stand for terms (`symbols`). So
//! constants never meet a solver, and every property that the interpreter knows is checked on every path. What the
//! interpreter is not asked about is arithmetic on tokens (`symbolic_ops`) and memory that holds them (`token_memory`).
//!
//! Deviations from the paper:
//! 1. A step is one visible *access*, as everywhere else here, unless [`Granularity::Statement`] is asked for.
//! 2. A symbolic address, size or handle is split into its values, one child each.
//! 3. Guards are decided as soon as they are met, not at the leaves, where the [`FeasibilityOracle`] does so.
//! 4. A path that comes back to a state of its own is cut off: what follows is in the tree already.
//!
//! Invariant: knows no solver, no engine and no bound of its own choice; what is feasible is the judge's decision.

mod bounds;
mod code_facts;
mod configuration;
mod drawing;
mod explore;
mod forced_run;
mod judge;
mod linear_sums;
mod lock_discipline;
mod sleep;
mod stepper;
mod symbolic_ops;
mod symbols;
mod token_memory;
mod trail;
mod visited;

pub use bounds::{ContextBound, ContextCount, Granularity, Reduction, TreeOptions};
pub use drawing::{Drawing, DrawnNode};
pub use explore::{Exploration, explore};
pub use judge::{Feasibility, FeasibilityOracle, FoundViolation, Model, NodeView, Visitor};
pub use stepper::Stop;
pub use symbols::{Symbol, Symbols};
pub use trail::{Input, PathFact, Trail, TreeStep, schedule};

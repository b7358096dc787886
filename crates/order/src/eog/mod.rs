//! Scheduling-constraint abstraction refinement: validating one counterexample of the abstraction, and learning from it.
//!
//! After Yin, Dong, Liu, Wang, "Scheduling Constraint Based Abstraction Refinement for Multi-Threaded Program
//! Verification" (Yogar-CBMC). The abstraction chooses guards and read-from links without any order. Here one such
//! choice becomes an [`EventOrderGraph`]; [`Closure`] applies Rules 1–3 (Algorithm 1); a cycle refutes the choice, and
//! [`core_kernel_reasons`] finds all core kernel reasons of all cycles (Algorithm 2). Without a cycle a total order is
//! looked for by simulation, and where that sticks, [`constraint_based`] decides exactly and yields an unsatisfiable core
//! (Sections 4.3 and 5.2). [`Validator`] strings these together.
//!
//! Guarantee: a clause that comes out of here holds in every sequentially consistent execution, and an order that comes
//! out is one. The clauses of [`OrderGraph::encode_read_from`](crate::OrderGraph::encode_read_from) must be part of the
//! abstraction: a choice that violates them is not looked at here.
//!
//! Deviations from the paper:
//! 1. nodes are atomic sections of several events, so rules order nodes, never events of one node;
//! 2. a chain orders its nodes whether or not they are executed, so program order needs no guards in reasons; in
//!    exchange Rules 2 and 3 need the guard of the interfering write, unless a read-from literal implies it;
//! 3. edges across threads are conditional, and their literals are part of reasons;
//! 4. critical sections add the lock rule: if lock₁ must precede unlock₂, then unlock₁ must precede lock₂;
//! 5. reasons are kept per order only up to a number, the shortest ones, and only for orders that can take part in a
//!    cycle; a reason that contains a known kernel reason is dropped at once;
//! 6. a graph without cycle is first ordered by simulation; constraint solving decides only where that sticks.

mod arrows;
mod closure;
mod constraint_based;
mod counters;
mod dot;
mod event_order_graph;
mod kernel_reason;
mod kernel_search;
mod labels;
mod precedence;
mod relevance;
mod simulation;
mod text;
mod validator;

pub use closure::Closure;
pub use constraint_based::{ConstraintVerdict, constraint_based};
pub use counters::ValidationCounters;
pub use event_order_graph::EventOrderGraph;
pub use kernel_search::{KernelReasons, KernelSearchOptions, core_kernel_reasons};
pub use labels::{Labels, PlainLabels};
pub use validator::{EogVerdict, RefinementKind, ValidationOptions, Validator};

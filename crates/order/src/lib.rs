//! The ordering theory: is there a sequentially consistent total order for these guards and this read-from choice?
//!
//! [`OrderGraph`] is the event order graph over solver literals. [`OrderTheory`] decides it inside the SAT solver,
//! [`ClockEncoding`] turns the same question into clauses, and [`reference`] answers it naively, for tests.
//!
//! Invariant: knows nothing of programs, values or C; addresses are concrete ids, and conditions are literals.

mod at_most_one;
pub mod clock;
mod context_clock;
mod counters;
mod derive;
pub mod eog;
mod explain;
mod goals;
mod graph;
mod layout;
mod locks;
mod parse;
mod propagate;
mod reachability;
mod read_from;
pub mod reference;
mod simulate;
mod theory;
mod verify;

pub use clock::ClockEncoding;
pub use context_clock::ContextClocks;
pub use counters::Counters;
pub use graph::{
    AddressId, ChainId, CrossEdge, EdgeId, EventId, EventKind, MutexId, NodeId, OrderEvent, OrderGraph, OrderNode,
    ReadFrom, ReadFromId, Section, SectionId,
};
pub use parse::ParseError;
pub use theory::{OrderTheory, TheoryOptions};
pub use verify::Defect;

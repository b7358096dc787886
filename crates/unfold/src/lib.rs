//! Bounded unfolding: from a [`program::Program`] to an [`EventGraph`], from there to clauses and an order graph, and
//! from a model back to a schedule.
//!
//! Invariant: knows no engine; what to solve, how often and with which bounds is somebody else's decision.

mod abandoned_section;
mod address_bytes;
mod block_step;
mod candidates;
mod compared_constants;
mod contact;
mod critical_section;
mod deadlock;
pub mod decode;
mod doubtful_equality;
mod doubtful_number;
pub mod encode;
mod encode_happens_before;
pub mod event_graph;
mod guard;
pub mod happens_before;
mod idle_rounds;
mod idle_wake_ups;
pub mod invariants;
mod joins;
mod known_offsets;
mod leaks;
mod lifetimes;
mod liveness;
mod lock_sections;
mod memory;
mod modular;
mod obligation;
mod output;
mod query;
mod race;
mod room;
mod shaped_places;
mod state;
mod step;
mod stray_number;
mod survey;
mod sync_bytes;
mod sync_step;
mod thread_leaks;
mod thread_sets;
mod threads;
mod unfolder;
mod unknown_size;
mod unroll_order;

pub use candidates::Precedence;
pub use decode::{decode, decode_at};
pub use encode::{Encoding, Goal, encode, encode_without_order};
pub use event_graph::{CutKind, EventGraph};
pub use query::query_terms;
pub use unfolder::{Optimisations, Stopped, UnfoldOptions, unfold};

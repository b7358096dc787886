//! Bounded unfolding: from a [`program::Program`] to an [`EventGraph`](events::EventGraph).
//!
//! Invariant: knows no engine; what to solve, how often and with which bounds is somebody else's decision.

mod abandoned_section;
mod address_bytes;
mod block_step;
mod compared_constants;
mod contact;
mod critical_section;
mod deadlock;
mod doubtful_equality;
mod doubtful_number;
mod happens_before;
mod idle_rounds;
mod idle_wake_ups;
mod invariants;
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

pub use unfolder::{Optimisations, Stopped, UnfoldOptions, unfold};

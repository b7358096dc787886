//! The engines: strategies that turn a program and a set of properties into verdicts, each built from the stages below.
//!
//! Invariant: knows no C syntax, no command line and no output; a violation leaves this crate only after
//! [`confirm`](confirm::confirm) has seen the interpreter run into it.

pub mod assertions_proved;
pub mod bounded;
pub mod confirm;
pub mod context_bounded;
pub mod engine;
mod event_names;
pub mod falsify;
mod houdini;
mod kept_memory;
pub mod modular;
pub mod monolithic;
pub mod order;
mod prover;
pub mod query;
pub mod scar;
pub mod sites;
pub mod static_deadlocks;
pub mod static_races;
pub mod vacuity;

pub use ::order::eog::RefinementKind;
pub use context_bounded::draw::draw_tree;
pub use context_bounded::{ContextBounded, ContextOptions};
pub use engine::{CheckOptions, Engine, EngineBug, EogDrawing, Job, Observer, Progress, Report, Silent};
pub use falsify::{FalsifyOptions, falsify_then_check};
pub use query::Query;
pub use tree::{ContextCount, Granularity, Reduction};
pub use unfold::Optimisations;

/// The engines that unfold the program into a graph of events.
pub const UNFOLDING: [&dyn Engine; 3] = [&order::Order, &monolithic::Monolithic, &scar::Scar];

/// The engines that walk the reachability tree.
pub const TREE: [&dyn Engine; 3] = [&ContextBounded::Lazy, &ContextBounded::Record, &ContextBounded::Uw];

/// The engines that find violations, the default first.
pub const ENGINES: [&dyn Engine; 6] = [UNFOLDING[0], UNFOLDING[1], UNFOLDING[2], TREE[0], TREE[1], TREE[2]];

/// Engines that prove, or say nothing.
pub const PROVERS: [&dyn Engine; 4] =
    [&modular::Modular, &sites::ViolationSites, &static_races::StaticRaces, &static_deadlocks::LockOrder];

/// Engines that find, or say nothing.
pub const FINDERS: [&dyn Engine; 1] = [&falsify::RandomTesting];

/// Everything that can be chosen, the default first.
pub fn all_engines() -> impl Iterator<Item = &'static dyn Engine> {
    ENGINES.into_iter().chain(PROVERS).chain(FINDERS)
}

/// The engine with this name.
pub fn engine_named(name: &str) -> Option<&'static dyn Engine> {
    all_engines().find(|engine| engine.name() == name)
}

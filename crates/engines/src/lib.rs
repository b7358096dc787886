//! The engines: each turns a program and a set of properties into facts, built from the stages below. Which of them are
//! asked, in which order and for how long is the business of crate `portfolio`, which also replays what they claim.
//!
//! Invariant: knows no C syntax, no command line and no output; no engine knows another.

pub mod assertions_proved;
pub mod bounded;
mod conditional_interpolation;
pub mod confirm;
pub mod context_bounded;
pub mod engine;
mod event_names;
pub mod falsify;
mod houdini;
pub mod interpolation;
mod kept_memory;
pub mod modular;
pub mod monolithic;
pub mod order;
mod prover;
pub mod query;
mod query_text;
pub mod scar;
pub mod sites;
pub mod static_deadlocks;
pub mod static_races;

pub use ::interp::{BlockEncoding, InterpolantMode, OrderKind};
pub use ::order::eog::RefinementKind;
pub use conditional_interpolation::{ArtDrawing, PaperOptions, draw_art};
pub use context_bounded::draw::draw_tree;
pub use context_bounded::{ContextBounded, ContextOptions};
pub use engine::{
    Advance, Engine, EngineBug, EogDrawing, Fact, Job, NullObserver, Observer, Progress, Run, UnwindLimits,
};
pub use falsify::{FalsifyOptions, RandomTesting};

pub use interpolation::InterpOptions;
pub use query::{NoOrder, OrderDecision, Query, Validation};
pub use query_text::QueryText;
pub use tree::{ContextCount, Granularity, Reduction};
pub use unfold::Optimisations;

/// The engines that unfold the program into a graph of events.
pub const UNFOLDING: [&dyn Engine; 3] = [&order::Order::new(), &monolithic::Monolithic::new(), &scar::Scar::new()];

/// The engines that walk the reachability tree.
pub const TREE: [&dyn Engine; 3] = [&ContextBounded::LAZY, &ContextBounded::RECORD, &ContextBounded::UW];

/// The engines that find violations, the default first.
pub const ENGINES: [&dyn Engine; 6] = [UNFOLDING[0], UNFOLDING[1], UNFOLDING[2], TREE[0], TREE[1], TREE[2]];

/// Engines that prove, or say nothing. A violation that one of them comes upon is replayed like any other.
pub const PROVERS: [&dyn Engine; 5] = [
    &modular::Modular,
    &interpolation::Interpolation::new(),
    &sites::ViolationSites,
    &static_races::StaticRaces,
    &static_deadlocks::LockOrder,
];

/// Engines that find, or say nothing.
pub const FINDERS: [&dyn Engine; 1] = [&RandomTesting::new()];

/// Everything that can be chosen, the default first.
pub fn all_engines() -> impl Iterator<Item = &'static dyn Engine> {
    ENGINES.into_iter().chain(PROVERS).chain(FINDERS)
}

/// The options of all engines that have some, for callers that choose an engine by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EngineOptions {
    /// Of the engines that unfold.
    pub optimisations: Optimisations,
    /// Of `scar`.
    pub refinement: RefinementKind,
    /// Of `lazy`, `record` and `uw`.
    pub contexts: ContextOptions,
    /// Of `interp`.
    #[serde(default)]
    pub interp: InterpOptions,
}

/// The engine with this name and these options.
pub fn configured(name: &str, options: &EngineOptions) -> Option<Box<dyn Engine>> {
    let EngineOptions { optimisations, refinement, contexts, interp } = *options;
    Some(match name {
        "order" => Box::new(order::Order { optimisations }),
        "monolithic" => Box::new(monolithic::Monolithic { optimisations }),
        "interp" => Box::new(interpolation::Interpolation { options: interp }),
        "scar" => Box::new(scar::Scar { refinement, optimisations }),
        _ => match ContextBounded::named(name, contexts) {
            Some(engine) => Box::new(engine),
            // The others have no options.
            None => Box::new(engine_named(name)?),
        },
    })
}

/// The engine with this name and its default options.
pub fn engine_named(name: &str) -> Option<&'static dyn Engine> {
    all_engines().find(|engine| engine.name() == name)
}

//! `cargo xtask shortcuts`: each shortcut alone against the explorer on many programs, with and without a gate.

use std::process::ExitCode;

use clap::Args;
use testkit::shortcuts::shortcuts;

#[derive(Args)]
pub struct Arguments {
    /// How many programs for each shortcut.
    #[arg(long, default_value_t = 500)]
    count: u64,
    /// The seed of the first program; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only shortcuts of this engine.
    #[arg(long)]
    engine: Option<String>,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let mut wrong = false;
    let is_meant = |name: &str| arguments.engine.as_deref().is_none_or(|engine| engine == name);
    for shortcut in shortcuts().iter().filter(|shortcut| is_meant(shortcut.engine.name())) {
        let summary = shortcut.compare(arguments.seed, arguments.count);
        println!("{} on {} ({:?}): {summary}", shortcut.engine.name(), shortcut.property, shortcut.source);
        for mistake in &summary.mistakes {
            wrong = true;
            println!("{mistake}");
        }
    }
    if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

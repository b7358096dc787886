//! The arguments that only the engine `scar` understands.

use std::path::PathBuf;

use crate::failure::CommandFailure;

/// How the engine `scar` refines, and whether its graphs are drawn.
#[derive(Debug, clap::Args)]
pub struct ScarArguments {
    /// How the engine scar rules out infeasible counterexamples of its abstraction
    #[arg(long, value_enum, value_name = "KIND", default_value_t = Refinement::Graph, help_heading = "Checking")]
    pub scar_refinement: Refinement,
    /// Draw the event order graph of each round of the engine scar into this folder, for Graphviz (.dot) and as text
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub dump_eog: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Refinement {
    /// By all core kernel reasons of the cycles in the event order graph
    Graph,
    /// By one unsatisfiable core of the order constraints per round, for comparison
    Core,
}

impl From<Refinement> for engines::RefinementKind {
    fn from(refinement: Refinement) -> Self {
        match refinement {
            Refinement::Graph => Self::Graph,
            Refinement::Core => Self::Core,
        }
    }
}

impl ScarArguments {
    /// Options that would do nothing are refused.
    pub fn fit(&self, engine: &str) -> Result<(), CommandFailure> {
        let given =
            [(self.scar_refinement != Refinement::Graph, "--scar-refinement"), (self.dump_eog.is_some(), "--dump-eog")];
        match given.into_iter().find(|(given, _)| *given && engine != "scar") {
            Some((_, option)) => Err(CommandFailure::Usage(format!("{option} is for --engine scar"))),
            None => Ok(()),
        }
    }
}

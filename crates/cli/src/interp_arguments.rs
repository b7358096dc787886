//! The arguments that only the engine `interp` understands.

use engines::{BlockEncoding, InterpOptions, InterpolantMode, OrderKind, PaperOptions};

use crate::failure::CommandFailure;

/// Which interleavings the engine interp follows, and where its predicates come from.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct InterpArguments {
    /// The only order of threads that the engine interp tries; default: one after the other
    #[arg(long, value_enum, value_name = "ORDER", help_heading = "Checking")]
    pub interp_order: Option<TurnOrder>,
    /// Let the engine interp work with these interpolants and without reductions, as in the paper on conditional interpolation
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Checking")]
    pub interpolants: Option<InterpolantsArgument>,
    /// How much is one edge (with --interpolants)
    #[arg(long, value_enum, value_name = "SIZE", help_heading = "Checking")]
    pub interp_blocks: Option<Blocks>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum TurnOrder {
    /// The turn passes on when a thread enters a loop head
    Loop,
    /// The same, but only at outermost loops
    OuterLoop,
    /// Groups of threads that do together what others do alone take turns
    Group,
    /// Threads whose loops advance by smaller steps do several iterations in a turn
    Weighted,
    /// One thread after the other
    Sequential,
    /// The turn passes on with every step
    Step,
    /// No reduction
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum InterpolantsArgument {
    /// Reachability interpolants of spurious paths to errors
    R,
    /// Conditional interpolants as well, over the shortest formula chain
    Rc,
    /// Conditional interpolants over the whole path
    RcFullPath,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Blocks {
    /// One statement, or one side of a test
    Single,
    /// All that no other thread can notice
    Merged,
}

impl InterpArguments {
    pub fn options(&self) -> InterpOptions {
        InterpOptions {
            order: self.interp_order.map(|order| match order {
                TurnOrder::Loop => OrderKind::Loop,
                TurnOrder::OuterLoop => OrderKind::OuterLoop,
                TurnOrder::Group => OrderKind::Group,
                TurnOrder::Weighted => OrderKind::Weighted,
                TurnOrder::Sequential => OrderKind::Sequential,
                TurnOrder::Step => OrderKind::Step,
                TurnOrder::None => OrderKind::None,
            }),
            paper: self.interpolants.map(|kind| self.paper_options_with(kind)),
        }
    }

    /// For a drawing, which has conditional interpolants unless the user says otherwise.
    pub fn paper_options(&self) -> PaperOptions {
        self.paper_options_with(self.interpolants.unwrap_or(InterpolantsArgument::Rc))
    }

    fn paper_options_with(&self, kind: InterpolantsArgument) -> PaperOptions {
        PaperOptions {
            interpolants: match kind {
                InterpolantsArgument::R => InterpolantMode::Reachability,
                InterpolantsArgument::Rc => InterpolantMode::Conditional,
                InterpolantsArgument::RcFullPath => InterpolantMode::ConditionalFullPath,
            },
            encoding: match self.interp_blocks {
                None | Some(Blocks::Single) => BlockEncoding::Single,
                Some(Blocks::Merged) => BlockEncoding::Merged,
            },
        }
    }

    /// Options that would do nothing are refused.
    pub fn fit(&self, engine: &str) -> Result<(), CommandFailure> {
        if engine != "interp" {
            self.refuse("--engine interp")?;
        }
        if self.interpolants.is_none() && self.interp_blocks.is_some() {
            return Err(CommandFailure::Usage("--interp-blocks needs --interpolants".to_owned()));
        }
        if self.interpolants.is_some() && self.interp_order.is_some() {
            return Err(CommandFailure::Usage(
                "--interp-order is not for --interpolants, which reduces nothing".to_owned(),
            ));
        }
        Ok(())
    }

    /// Like `fit`, for a drawing.
    pub fn fit_a_drawing(&self) -> Result<(), CommandFailure> {
        match self.interp_order {
            Some(_) => Err(CommandFailure::Usage("--interp-order is for --engine interp".to_owned())),
            None => Ok(()),
        }
    }

    /// Refuses all options of this group: they are for something else.
    pub fn refuse(&self, purpose: &str) -> Result<(), CommandFailure> {
        let given = [
            (self.interp_order.is_some(), "--interp-order"),
            (self.interpolants.is_some(), "--interpolants"),
            (self.interp_blocks.is_some(), "--interp-blocks"),
        ];
        match given.into_iter().find(|(given, _)| *given) {
            Some((_, option)) => Err(CommandFailure::Usage(format!("{option} is for {purpose}"))),
            None => Ok(()),
        }
    }
}

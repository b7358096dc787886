//! The arguments that only the engines over the reachability tree understand.

use engines::ContextOptions;

use crate::failure::CommandFailure;

/// How much of the reachability tree the engines lazy, record and uw walk.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct ContextArguments {
    /// Explore only executions with at most this many context switches (engines lazy, record and uw)
    #[arg(long, value_name = "C", help_heading = "Checking")]
    pub context_bound: Option<u32>,
    /// What the context bound counts
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Count::Switches, help_heading = "Checking")]
    pub context_count: Count,
    /// Where threads may be switched (engines lazy, record and uw)
    #[arg(long, value_enum, value_name = "SIZE", default_value_t = Size::Access, help_heading = "Checking")]
    pub granularity: Size,
    /// Let threads be switched between a test and the next statement, where granularity is that of statements
    #[arg(long, help_heading = "Checking")]
    pub hoist_tests: bool,
    /// Reductions of the reachability tree, which do not change any verdict (engines lazy, record and uw); default: all, or
    /// none where interleavings are counted or drawn
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Checking")]
    pub reduction: Option<LeftOut>,
    /// Continue after a violation and count the violating interleavings (engine lazy)
    #[arg(long, help_heading = "Checking")]
    pub all_violations: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Count {
    /// Changes of the running thread
    Switches,
    /// Scheduling points at which more than one thread is enabled
    Decisions,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Size {
    /// Before every access to shared memory
    Access,
    /// Between statements only, which can miss bugs
    Statement,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum LeftOut {
    /// Nothing: every leaf is an interleaving
    None,
    /// What follows a state that was met before
    States,
    /// Interleavings that differ only in the order of steps that commute; nothing under a context bound, between
    /// statements, and for properties of the last state (memory that is left, threads that are not joined)
    Sleep,
    /// Both; only `states` where `sleep` leaves out nothing
    All,
}

impl ContextArguments {
    /// For a check. Where all violations are counted, every interleaving counts.
    pub fn options(&self) -> ContextOptions {
        self.options_with(if self.all_violations { LeftOut::None } else { LeftOut::All })
    }

    /// For a drawing, which shows the whole tree unless the user says otherwise.
    pub fn options_of_a_drawing(&self) -> ContextOptions {
        self.options_with(LeftOut::None)
    }

    fn options_with(&self, default: LeftOut) -> ContextOptions {
        ContextOptions {
            context_bound: self.context_bound,
            context_count: match self.context_count {
                Count::Switches => engines::ContextCount::Switches,
                Count::Decisions => engines::ContextCount::Decisions,
            },
            granularity: match self.granularity {
                Size::Access => engines::Granularity::Access,
                Size::Statement => engines::Granularity::Statement,
            },
            hoist_tests: self.hoist_tests,
            reduction: match self.reduction.unwrap_or(default) {
                LeftOut::None => engines::Reduction::None,
                LeftOut::States => engines::Reduction::States,
                LeftOut::Sleep => engines::Reduction::Sleep,
                LeftOut::All => engines::Reduction::All,
            },
            all_violations: self.all_violations,
        }
    }

    /// Whether interleavings are to be seen as they are: nothing may be found by luck before.
    pub fn are_given(&self) -> bool {
        self.given().iter().any(|(given, _)| *given)
    }

    /// Options that would do nothing are refused.
    pub fn fit(&self, engine: &str) -> Result<(), CommandFailure> {
        if !["lazy", "record", "uw"].contains(&engine) {
            self.refuse("--engine lazy, record or uw")?;
        }
        if self.all_violations && engine != "lazy" {
            return Err(CommandFailure::Usage("--all-violations is for --engine lazy".to_owned()));
        }
        if self.context_count != Count::Switches && self.context_bound.is_none() {
            return Err(CommandFailure::Usage("--context-count needs --context-bound".to_owned()));
        }
        if self.hoist_tests && self.granularity != Size::Statement {
            return Err(CommandFailure::Usage("--hoist-tests is for --granularity statement".to_owned()));
        }
        Ok(())
    }

    /// Refuses all options of this group: they are for something else.
    pub fn refuse(&self, purpose: &str) -> Result<(), CommandFailure> {
        match self.given().into_iter().find(|(given, _)| *given) {
            Some((_, option)) => Err(CommandFailure::Usage(format!("{option} is for {purpose}"))),
            None => Ok(()),
        }
    }

    fn given(&self) -> [(bool, &'static str); 6] {
        [
            (self.context_bound.is_some(), "--context-bound"),
            (self.context_count != Count::Switches, "--context-count"),
            (self.granularity != Size::Access, "--granularity"),
            (self.hoist_tests, "--hoist-tests"),
            (self.reduction.is_some(), "--reduction"),
            (self.all_violations, "--all-violations"),
        ]
    }
}

//! What is meant to be atomic, for the commands that can tell whether it is.

use clap::Args;
use predict::TransactionOptions;
use program::Program;

use crate::failure::CommandFailure;

#[derive(Debug, Default, Args)]
pub struct TransactionArguments {
    /// Every call of this function is meant to be atomic (property atomicity); may be repeated
    #[arg(long, value_name = "FUNCTION", help_heading = "Transactions")]
    atomic: Vec<String>,
    /// Every critical section that does not wait is meant to be atomic (property atomicity)
    #[arg(long, help_heading = "Transactions")]
    pub atomic_regions: bool,
}

impl TransactionArguments {
    pub fn is_given(&self) -> bool {
        self.atomic_regions || !self.atomic.is_empty()
    }

    /// What this means for a program, which has to have the functions.
    pub fn options(&self, program: &Program) -> Result<TransactionOptions, CommandFailure> {
        match self.atomic.iter().find(|name| program.function_named(name).is_none()) {
            Some(unknown) => {
                Err(CommandFailure::Usage(format!("--atomic {unknown}: the program has no such function")))
            }
            None => Ok(TransactionOptions { functions: self.atomic.clone(), regions: self.atomic_regions }),
        }
    }

    /// As words of a command line, each after a space.
    pub fn words(&self) -> String {
        let functions: String = self.atomic.iter().map(|function| format!(" --atomic {function}")).collect();
        functions + if self.atomic_regions { " --atomic-regions" } else { "" }
    }
}

//! Which instructions executions reach: those that some thread came to and tried to execute. What an atomic section does
//! that is not entered does not count.

use base::{Budget, Id};
use program::Location;

use crate::choice::ChoiceSource;
use crate::code::{Code, Site};
use crate::machine::Machine;
use crate::run::{RunOptions, RunResult, run_machine};
use crate::scheduler::Scheduler;

/// The instructions and terminators that some execution reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    reached: Vec<bool>,
}

impl Coverage {
    /// Nothing is reached yet.
    pub fn new(code: &Code<'_>) -> Self {
        Self { reached: vec![false; code.ops.len()] }
    }

    pub(crate) fn reach(&mut self, site: Site) {
        self.reached[site.index()] = true;
    }

    /// The locations that were reached, some of them perhaps more than once.
    pub fn locations<'c>(&self, code: &'c Code<'c>) -> impl Iterator<Item = Location> + use<'_, 'c> {
        let reached = self.reached.iter().enumerate().filter(|(_, reached)| **reached);
        reached.map(|(index, _)| code.location(Site::new(index)))
    }
}

/// As [`run_code`](crate::run_code); adds what the execution reaches to `coverage`.
pub fn run_covered(
    code: &Code<'_>,
    options: &RunOptions,
    scheduler: &mut dyn Scheduler,
    choices: &mut dyn ChoiceSource,
    budget: &Budget,
    coverage: &mut Coverage,
) -> RunResult {
    let mut machine = Machine::new(code, options.config);
    machine.coverage = Some(coverage.clone());
    let (result, machine) = run_machine(machine, options, scheduler, choices, budget);
    if let Some(reached) = machine.coverage {
        *coverage = reached;
    }
    result
}

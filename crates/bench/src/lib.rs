//! Runs tasks with known answers through a verifier, each in a process of its own under limits, and scores what it says
//! as the competition SV-COMP does.
//!
//! Invariant: knows no engine and no C. A verifier is a command and a line of output, ours like any other; nothing here
//! prints.

pub mod comparison;
pub mod plot;
pub mod process;
pub mod result_file;
pub mod results;
pub mod runner;
pub mod table;
pub mod task;
pub mod task_definition;
pub mod task_list;
#[cfg(test)]
mod test_results;
pub mod verdict;

pub use process::Limits;
pub use results::TaskResult;
pub use runner::{CommandTemplate, RunnerOptions, run};
pub use task::BenchTask;
pub use task_definition::TaskDefinition;

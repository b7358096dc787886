//! The command as its users meet it: every test runs the binary.

mod bad_input;
mod bench_runs;
mod benchexec;
mod browser;
mod documentation;
mod dumps;
mod examples;
mod entries;
mod exit_codes;
mod extreme_input;
mod failing_calls;
mod falsifier;
mod foreign_traces;
mod formats;
mod help;
mod limits;
mod looks;
mod native;
mod prediction;
mod proof_witnesses;
mod reports;
mod scar;
mod stages;
mod support;
mod tasks;
mod web_driver;

//! The command as its users meet it: every test runs the binary.

mod bad_input;
mod dumps;
mod examples;
mod exit_codes;
mod extreme_input;
mod falsifier;
mod formats;
mod help;
mod limits;
mod looks;
mod scar;
mod stages;
mod support;
mod tasks;

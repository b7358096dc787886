//! The command as its users meet it: every test runs the binary.

mod bad_input;
mod examples;
mod exit_codes;
mod extreme_input;
mod formats;
mod help;
mod looks;
mod stages;
mod support;

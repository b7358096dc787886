//! The command as its users meet it: every test runs the binary.

mod bad_input;
mod examples;
mod exit_codes;
mod formats;
mod help;
mod looks;
mod scar;
mod stages;
mod support;

//! Invariants of programs, as C expressions at places: found for the witness of a proof (`find`), and checked when
//! somebody else tells them (`check`).
//!
//! Invariant: knows neither witness formats nor output, and believes no invariant: each one is put into the program as an
//! assertion and proved there.

pub mod check;
pub mod find;

pub use check::{Checked, check};
pub use find::{Invariant, find};

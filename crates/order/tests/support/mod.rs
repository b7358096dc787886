//! Random small graphs and a harness that compares the theory with the naive reference on them.

pub mod checked;
pub mod differential;
pub mod rng;
pub mod small_graphs;

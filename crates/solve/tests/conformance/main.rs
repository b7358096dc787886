//! Conformance of a back end to the solver traits: answers, models and cores against brute force, with and without a
//! theory in the search.

mod acyclicity;
mod parity;
mod plain_sat;
mod support;
mod theories;

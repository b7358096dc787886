//! No violation without a replay: the interpreter, which cannot see any encoder, must run into it.

use base::Budget;
use program::{Program, Property, PropertySet, Schedule, Trace};

use crate::engine::EngineBug;

/// Replays `schedule` and returns the trace of the violation of `property` that it ends in.
pub fn confirm(program: &Program, schedule: &Schedule, property: Property) -> Result<Trace, EngineBug> {
    // A replay is as long as the schedule; it needs no budget of its own.
    let replayed = execute::replay(program, schedule, PropertySet::of(&[property]), &Budget::unlimited());
    let trace =
        replayed.map_err(|failure| EngineBug(format!("a counterexample for {property} does not replay: {failure}")))?;
    if trace.violation.property != property {
        let other = trace.violation.property;
        return Err(EngineBug(format!("a counterexample for {property} replays as a violation of {other}")));
    }
    Ok(trace)
}

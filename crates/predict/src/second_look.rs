//! A second look: what the unfolding does not support of a recorded path is often an address. Where nothing was found for
//! that reason, the reorderings in which every access is where it was are looked at, too.
//!
//! Guarantee: only adds violations, which are replayed like all others.

use base::Budget;
use program::{Analyses, Outcome, Property, PropertySet, UnknownReason};

use crate::prediction::{PredictError, PredictOptions, Prediction, predict};
use crate::recording::Recording;

/// As [`predict`], with a second look where the first one says that something is unsupported.
pub fn predict_twice(
    analyses: &Analyses<'_>,
    recordings: &[Recording],
    properties: PropertySet,
    options: &PredictOptions,
    budget: &Budget,
) -> Result<Prediction, PredictError> {
    let mut first = predict(analyses, recordings, properties, options, budget)?;
    let [recording] = recordings else { return Ok(first) };
    let open: Vec<Property> = first
        .outcomes
        .iter()
        .filter(|(property, outcome)| is_open(*property, outcome))
        .map(|(property, _)| *property)
        .collect();
    if recording.places.is_empty() {
        return Ok(first);
    }
    let fixed = PredictOptions { fixed_addresses: true, ..options.clone() };
    for property in open {
        let second = predict(analyses, recordings, PropertySet::of(&[property]), &fixed, budget)?;
        first.candidates.retain(|counts| counts.property != property);
        first.absorb(second);
    }
    Ok(first)
}

/// Freed memory stays where addresses are fixed, so that invalid accesses cannot be asked about.
fn is_open(property: Property, outcome: &Outcome) -> bool {
    let asked = !matches!(property, Property::ValidDeref | Property::ValidFree);
    asked && matches!(outcome, Outcome::Unknown(UnknownReason::Unsupported { .. }))
}

//! Prediction with the addresses of the run. That it comes second is tested with realistic programs, in crate `native`.

use std::path::Path;

use base::Budget;
use execute::{FixedChoices, Scheduler};
use predict::{PredictError, PredictOptions, predict, record};
use program::{Analyses, Outcome, Property, PropertySet, ThreadId};

/// The youngest thread that can go on does.
struct YoungestFirst;

impl Scheduler for YoungestFirst {
    fn pick(&mut self, enabled: &[ThreadId]) -> ThreadId {
        enabled[enabled.len() - 1]
    }
}

/// What is said of `assert` with the addresses of the run alone; `None` if what was found is impossible.
fn outcome(name: &str) -> Option<Outcome> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/second_look").join(name);
    let compiled = frontend::compile(&[path], &frontend::CompileOptions::default());
    let program = compiled.unwrap_or_else(|failure| panic!("{name}: {:?}", failure.diagnostics)).program;
    let budget = Budget::unlimited();
    let recorded = record(&Analyses::new(&program), &mut YoungestFirst, &mut FixedChoices(0), None, &budget);
    let recordings = [recorded.expect("the program should run").recording];
    let options = PredictOptions { fixed_addresses: true, ..PredictOptions::default() };
    let prediction =
        predict(&Analyses::new(&program), &recordings, PropertySet::of(&[Property::Assert]), &options, &budget);
    match prediction {
        Ok(mut prediction) => Some(prediction.outcomes.remove(0).1),
        Err(PredictError::Bug(_)) => None,
        Err(error) => panic!("{error:?}"),
    }
}

#[test]
fn a_lost_update_behind_a_queue_of_pointers_is_found() {
    let found = outcome("lost_sum.c");
    assert!(matches!(found, Some(Outcome::Violated(_))), "{found:?}");
}

/// Freed memory stays there: an execution that goes on after an access to it is none of the program.
#[test]
fn what_only_freed_memory_allows_is_not_found() {
    let found = outcome("freed.c");
    assert!(!matches!(found, Some(Outcome::Violated(_))), "{found:?}");
}

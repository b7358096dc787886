//! Invariants as they are told in witnesses of proofs, judged by the explorer: an invariant must hold in every execution
//! that is seen of the program with the invariant in it, and its opposite should be seen to fail.

use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use base::Budget;
use correctness::Invariant;
use execute::ExploreOptions;
use frontend::CompileOptions;
use frontend::placed_check::PlacedCheck;
use program::{Property, PropertySet, Visibility};

const MAX_STATES: u64 = 10_000;
const LONGEST: Duration = Duration::from_secs(1);

/// What came of the invariants of one program.
#[derive(Clone, Debug, Default)]
pub struct JudgedInvariants {
    pub told: Vec<Invariant>,
    /// Whether the opposite of the first one was seen to fail, if there is one.
    pub is_reached: Option<bool>,
}

/// Finds the invariants of a program and lets the explorer judge them. The error tells of a false one.
pub fn judge(path: &Path, inputs: &RangeInclusive<i64>) -> Result<JudgedInvariants, String> {
    let budget = Budget::with_timeout(Duration::from_secs(4));
    let told = correctness::find(&[path.to_path_buf()], &CompileOptions::default(), &budget);
    let all = told.iter().map(|invariant| placed(invariant, invariant.expression.clone())).collect();
    let shown = || told.iter().map(|one| format!("\n  line {}: {}", one.span.line, one.expression)).collect::<String>();
    if !told.is_empty() && violations(path, all, inputs).map_err(|problem| format!("{problem}{}", shown()))? > 0 {
        return Err(format!("one of these is false:{}", shown()));
    }
    let opposite = told.first().map(|first| placed(first, format!("!({})", first.expression)));
    let is_reached =
        opposite.map(|check| violations(path, vec![check], inputs).map(|number| number > 0)).transpose()?;
    Ok(JudgedInvariants { told, is_reached })
}

fn placed(invariant: &Invariant, expression: String) -> PlacedCheck {
    PlacedCheck {
        kind: invariant.kind,
        file_name: Some(invariant.file_name.clone()),
        line: invariant.span.line,
        column: Some(invariant.span.column),
        expression,
    }
}

/// The number of violations that the explorer sees of the program with these checks in it.
fn violations(path: &Path, checks: Vec<PlacedCheck>, inputs: &RangeInclusive<i64>) -> Result<usize, String> {
    let options = CompileOptions { checks, ..CompileOptions::default() };
    let compiled = frontend::compile(&[path.to_path_buf()], &options);
    let compiled = compiled.map_err(|failure| format!("it does not compile: {:?}", failure.diagnostics.first()))?;
    if let Some(misplaced) = compiled.misplaced.first() {
        return Err(format!("there is no such place: {}", misplaced.reason));
    }
    let mut exploring = ExploreOptions::new(PropertySet::of(&[Property::Assert]));
    exploring.inputs = inputs.clone();
    exploring.max_states = MAX_STATES;
    let visibility = Visibility::new(&compiled.program);
    let budget = Budget::with_timeout(LONGEST);
    Ok(execute::explore_with(&compiled.program, &visibility, &exploring, &budget).violations.len())
}

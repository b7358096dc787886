//! Invariants as they are told in witnesses of proofs: of every test program, each one that is found must hold in every
//! execution that the interpreter explores, and its opposite must be seen to fail where the place is reached at all.

use std::path::{Path, PathBuf};
use std::time::Duration;

use base::Budget;
use correctness::{Invariant, find};
use execute::ExploreOptions;
use frontend::CompileOptions;
use frontend::placed_check::PlacedCheck;
use program::{Property, PropertySet, Visibility};
use testkit::expectation::{Expectation, ExpectedVerdict};
use testkit::program_tests::discover;

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
fn violations(path: &Path, checks: Vec<PlacedCheck>, expectation: &Expectation) -> Result<usize, String> {
    let options = CompileOptions { checks, ..CompileOptions::default() };
    let compiled = frontend::compile(&[path.to_path_buf()], &options);
    let compiled = compiled.map_err(|failure| format!("it does not compile: {:?}", failure.diagnostics.first()))?;
    if let Some(misplaced) = compiled.misplaced.first() {
        return Err(format!("it has no such place: {}", misplaced.reason));
    }
    let mut exploring = ExploreOptions::new(PropertySet::of(&[Property::Assert]));
    exploring.inputs = expectation.inputs.clone();
    exploring.max_states = 20_000;
    let visibility = Visibility::new(&compiled.program);
    let budget = Budget::with_timeout(Duration::from_secs(2));
    Ok(execute::explore_with(&compiled.program, &visibility, &exploring, &budget).violations.len())
}

fn programs() -> Vec<(PathBuf, Expectation)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let paths = discover(&root).expect("the folder of test programs should be readable");
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).ok()?;
        Expectation::parse(&text).ok().map(|expectation| (path, expectation))
    };
    paths.into_iter().filter_map(read).collect()
}

#[test]
fn invariants_hold_in_every_execution_and_their_opposites_do_not() {
    let (mut problems, mut told, mut reached) = (Vec::new(), 0, 0);
    for (path, expectation) in programs() {
        if !matches!(expectation.verdict, ExpectedVerdict::Proved | ExpectedVerdict::Unbounded) {
            continue;
        }
        let budget = Budget::with_timeout(Duration::from_secs(20));
        let found = find(std::slice::from_ref(&path), &CompileOptions::default(), &budget);
        if found.is_empty() {
            continue;
        }
        told += found.len();
        let all = found.iter().map(|invariant| placed(invariant, invariant.expression.clone())).collect();
        match violations(&path, all, &expectation) {
            Ok(0) => {}
            Ok(_) => problems.push(format!("{}: an invariant is false: {found:?}", path.display())),
            Err(problem) => problems.push(format!("{}: {problem}: {found:?}", path.display())),
        }
        for invariant in &found {
            let opposite = placed(invariant, format!("!({})", invariant.expression));
            match violations(&path, vec![opposite], &expectation) {
                Ok(number) => reached += usize::from(number > 0),
                Err(problem) => problems.push(format!("{}: the opposite of {invariant:?}: {problem}", path.display())),
            }
        }
    }
    assert!(problems.is_empty(), "{} problems with {told} invariants:\n{}", problems.len(), problems.join("\n"));
    assert!(told > 50, "only {told} invariants");
    assert!(reached * 10 > told * 8, "of {told} invariants only {reached} are at places that are reached");
}

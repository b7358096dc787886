//! Of every test program, each invariant that is told must hold in every execution that the interpreter explores, and the
//! opposite of one of them must be seen to fail: else nobody would notice a false one.

use std::path::{Path, PathBuf};

use testkit::expectation::{Expectation, ExpectedVerdict};
use testkit::program_tests::discover;
use testkit::told_invariants::judge;

fn proved_programs() -> Vec<(PathBuf, Expectation)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let paths = discover(&root).expect("the folder of test programs should be readable");
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).ok()?;
        Expectation::parse(&text).ok().map(|expectation| (path, expectation))
    };
    let is_proved = |(_, expectation): &(PathBuf, Expectation)| {
        matches!(expectation.verdict, ExpectedVerdict::Proved | ExpectedVerdict::Unbounded)
    };
    paths.into_iter().filter_map(read).filter(is_proved).collect()
}

#[test]
fn invariants_hold_in_every_execution_and_their_opposites_do_not() {
    let (mut problems, mut told, mut asked, mut reached) = (Vec::new(), 0, 0, 0);
    for (path, expectation) in proved_programs() {
        match judge(&path, &expectation.inputs) {
            Ok(judged) => {
                told += judged.told.len();
                asked += usize::from(judged.is_reached.is_some());
                reached += usize::from(judged.is_reached == Some(true));
            }
            Err(problem) => problems.push(format!("{}: {problem}", path.display())),
        }
    }
    assert!(problems.is_empty(), "{} problems with {told} invariants:\n{}", problems.len(), problems.join("\n"));
    assert!(told > 100 && asked > 40, "only {told} invariants in {asked} programs");
    assert!(reached * 10 > asked * 8, "of {asked} places only {reached} are reached");
}

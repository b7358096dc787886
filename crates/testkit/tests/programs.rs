//! Runs every program under `tests/programs` and reports all that is not as expected at once. With `BLESS=1` the
//! numbers of executions are written into the files that have a line for them; `PROGRAMS=word` runs those with the word in their
//! path.

use std::path::Path;

use testkit::in_parallel;
use testkit::program_tests::{TestFailure, discover, run};

#[test]
fn programs_are_as_they_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut programs = discover(&root).expect("the folder of test programs should be readable");
    assert!(programs.len() >= 40, "only {} test programs found", programs.len());
    if let Ok(word) = std::env::var("PROGRAMS") {
        programs.retain(|path| path.to_string_lossy().contains(&word));
    }
    let bless = std::env::var_os("BLESS").is_some();
    let failures: Vec<TestFailure> = in_parallel(&programs, |path| run(path, bless)).into_iter().flatten().collect();
    let report: Vec<String> = failures.iter().map(TestFailure::to_string).collect();
    assert!(report.is_empty(), "{} of {} programs:\n{}\n", report.len(), programs.len(), report.join("\n"));
}

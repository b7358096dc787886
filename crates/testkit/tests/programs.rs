//! Runs every program under `tests/programs` and reports all that is not as expected at once. With `BLESS=1` the
//! numbers of executions are written into the files that have a line for them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use testkit::program_tests::{Failure, discover, run};

#[test]
fn programs_are_as_they_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let programs = discover(&root).expect("the folder of test programs should be readable");
    assert!(programs.len() >= 40, "only {} test programs found", programs.len());
    let bless = std::env::var_os("BLESS").is_some();
    let failures = run_all(&programs, bless);
    let report: Vec<String> = failures.iter().map(Failure::to_string).collect();
    assert!(report.is_empty(), "{} of {} programs:\n{}\n", report.len(), programs.len(), report.join("\n"));
}

/// Runs the programs on all cores; the failures come in the order of the programs.
fn run_all(programs: &[PathBuf], bless: bool) -> Vec<Failure> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut failures = Vec::new();
        while let Some(path) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            failures.extend(run(path, bless));
        }
        failures
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut failures: Vec<Failure> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        running.into_iter().flat_map(|handle| handle.join().expect("a test worker should not panic")).collect()
    });
    failures.sort_by(|left, right| left.path.cmp(&right.path));
    failures
}

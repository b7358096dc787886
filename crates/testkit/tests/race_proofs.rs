//! The static survey of races: each reason on a program of its own and on its broken twin, and generated programs with
//! fixed seeds against the explorer.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use testkit::expectation::{Expectation, ExpectedVerdict};
use testkit::program_tests::discover;
use testkit::race_programs::generate_race_program;
use testkit::race_proofs::{RaceVerdict, is_proved, judge};
use testkit::subject::Subject;

#[test]
fn each_reason_proves_what_holds_and_not_its_broken_twin() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/race_proofs");
    let programs = discover(&root).expect("the folder should be readable");
    assert!(programs.len() >= 40, "only {} programs found", programs.len());
    let mut wrong = Vec::new();
    for path in programs {
        let text = std::fs::read_to_string(&path).expect("a program should be readable");
        let expectation = Expectation::parse(&text).expect("a program should say what is expected");
        let subject = Subject::from_file(&path).expect("a program should compile");
        let proved = is_proved(&subject);
        if proved != (expectation.verdict == ExpectedVerdict::Proved) {
            wrong.push(format!("{}: proved is {proved}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How many programs of each kind were judged.
#[derive(Default)]
struct Count {
    racy: AtomicU64,
    race_free: AtomicU64,
    proved: AtomicU64,
}

fn never_proves_a_race(programs: u64, text: impl Fn(u64) -> String + Sync) -> Count {
    let (next, count) = (AtomicU64::new(0), Count::default());
    let worker = || {
        let mut wrong = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed) + 1;
            if seed > programs {
                return wrong;
            }
            let program = text(seed);
            match judge(&program) {
                RaceVerdict::Racy => _ = count.racy.fetch_add(1, Ordering::Relaxed),
                RaceVerdict::RaceFree { proved } => {
                    count.race_free.fetch_add(1, Ordering::Relaxed);
                    count.proved.fetch_add(u64::from(proved), Ordering::Relaxed);
                }
                RaceVerdict::Unseen { .. } => {}
                verdict @ (RaceVerdict::Rejected(_) | RaceVerdict::Refuted | RaceVerdict::Panicked(_)) => {
                    wrong.push(format!("seed {seed}: {verdict:?}\n{program}"));
                }
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        running.into_iter().flat_map(|handle| handle.join().expect("a test worker should not panic")).collect()
    });
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    count
}

#[test]
fn no_race_is_proved_away_in_programs_about_races() {
    let count = never_proves_a_race(150, generate_race_program);
    let (racy, free) = (count.racy.into_inner(), count.race_free.into_inner());
    let proved = count.proved.into_inner();
    assert!(racy > 40 && free > 30, "unbalanced: {racy} racy, {free} race-free");
    assert!(proved * 2 > free, "only {proved} of {free} race-free programs are proved");
}

#[test]
fn no_race_is_proved_away_in_general_programs() {
    let text = |seed| testkit::generate(seed, testkit::Features::all()).to_string();
    let count = never_proves_a_race(100, text);
    assert!(count.racy.into_inner() > 30, "too few programs with races");
}

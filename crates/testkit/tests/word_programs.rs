//! Generated programs with threads in loops: what the thread-modular engine proves of any number of threads, the explorer must not
//! refute for a few. `WORD_PROGRAMS=20000 cargo test --release -p testkit --test word_programs` judges more of them.

use std::collections::BTreeMap;
use std::time::Duration;

use engines::{EngineOptions, UnwindLimits};
use testkit::in_parallel;
use testkit::subject::{Checking, Exploring};
use testkit::word_programs::{WordProgram, WordVerdict, judge};

#[test]
fn a_proof_for_any_number_of_threads_holds_for_a_few() {
    let wanted = std::env::var("WORD_PROGRAMS").ok().and_then(|count| count.parse().ok());
    let count: u64 = wanted.unwrap_or(300);
    let checking = Checking {
        unwind: UnwindLimits::default(),
        only: true,
        options: EngineOptions::default(),
        timeout: Duration::from_secs(60),
        work: Some(2_000_000),
    };
    let exploring = Exploring { inputs: 0..=1, max_states: 20_000, count_executions: false, timeout: None };
    let seeds: Vec<u64> = (1..=count).collect();
    let verdicts = in_parallel(&seeds, |&seed| {
        let verdict = judge(&WordProgram::of_seed(seed), &checking, &exploring, 4);
        (seed, verdict)
    });
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for (seed, verdict) in verdicts {
        let kind = match verdict {
            WordVerdict::Open => "open",
            WordVerdict::Proved => "proved",
            wrong => {
                panic!("seed {seed}: {wrong:?}\n{}", WordProgram::of_seed(seed).with_any_number_of_threads());
            }
        };
        *counts.entry(kind).or_default() += 1;
    }
    // Programs of which none or all are proved would test little.
    let proved = counts.get("proved").copied().unwrap_or(0);
    assert!(proved > count / 20 && proved < count, "{proved} of {count} are proved");
}

//! `cargo xtask race-proofs`: many generated programs, the static survey of races against the explorer. Whatever is proved
//! wrongly is shrunk and printed.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;
use testkit::Features;
use testkit::race_programs::generate_race_program;
use testkit::race_proofs::{RaceVerdict, judge, shrink_text};

#[derive(Args)]
pub struct Arguments {
    /// How many programs.
    #[arg(long, default_value_t = 2000)]
    count: u64,
    /// The seed of the first program; the others follow.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Take programs of the general generator with these features instead, for example `all`.
    #[arg(long, value_parser = Features::parse)]
    features: Option<Features>,
    /// Programs judged at a time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Print the program of the first seed and what is said of it.
    #[arg(long)]
    print: bool,
}

#[derive(Default)]
struct Tally {
    rejected: u64,
    unseen: u64,
    racy: u64,
    race_free: u64,
    proved: u64,
    wrong: u64,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    let text = |seed: u64| match arguments.features {
        Some(features) => testkit::generate(seed, features).to_string(),
        None => generate_race_program(seed),
    };
    if arguments.print {
        let program = text(arguments.seed);
        println!("{program}{:?}", judge(&program));
        return ExitCode::SUCCESS;
    }
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= arguments.count {
                        return;
                    }
                    judge_one(arguments.seed + index, &text(arguments.seed + index), &tally);
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no worker should panic");
    let Tally { rejected, unseen, racy, race_free, proved, wrong } = tally;
    println!(
        "{} programs: {racy} racy, {race_free} race-free of which {proved} proved, {unseen} not seen completely, \
         {rejected} rejected, {wrong} wrong",
        arguments.count
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn judge_one(seed: u64, text: &str, tally: &Mutex<Tally>) {
    let verdict = judge(text);
    let mut tally = tally.lock().expect("no worker should panic");
    match &verdict {
        RaceVerdict::Rejected(message) => {
            tally.rejected += 1;
            if tally.rejected == 1 {
                println!("seed {seed} is not accepted: {message}");
            }
        }
        RaceVerdict::Unseen { .. } => tally.unseen += 1,
        RaceVerdict::Racy => tally.racy += 1,
        RaceVerdict::RaceFree { proved } => {
            tally.race_free += 1;
            tally.proved += u64::from(*proved);
        }
        RaceVerdict::Refuted | RaceVerdict::Panicked(_) => {
            tally.wrong += 1;
            let same = |candidate: &str| std::mem::discriminant(&judge(candidate)) == std::mem::discriminant(&verdict);
            println!("seed {seed}: {verdict:?}\n{}", shrink_text(text, same));
        }
    }
}

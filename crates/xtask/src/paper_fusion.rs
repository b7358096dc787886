//! `cargo xtask paper fusion`: the tables of Wang, Kundu, Limaye, Ganai and Gupta on assertions and atomicity with our columns
//! beside theirs, on our own versions of their programs (`bench/programs/fusion`). Each row is one run in the interpreter
//! in which the oldest thread runs that can, and one prediction from it. The Java traces of the third table are not to be
//! had: beside each stands a random trace with as many threads, events and locks, predicted as a foreign one.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ::foreign::{Counts, Kind, TraceIndex, TraceOptions, analyse};
use base::{Budget, StopReason};
use clap::Args;
use execute::{FixedChoices, RoundRobin};
use predict::{ContextBound, PredictOptions, Prediction, Recording, TransactionOptions};
use program::{Analyses, AnalysisResults, Outcome, Program, Property, PropertySet, UnknownReason};
use testkit::foreign_traces::{TraceShape, generate_trace};

#[derive(Args)]
pub struct Arguments {
    /// Seconds per prediction.
    #[arg(long, default_value_t = 120)]
    limit: u64,
    /// Only rows whose name begins so.
    #[arg(long, default_value = "")]
    only: String,
    /// Where the tables go besides the terminal.
    #[arg(long, default_value = "bench/paper-fusion.md")]
    output: PathBuf,
}

/// A row of Table 1: name, definitions, the paper's answer, trace length and seconds of predict and predict-cb.
type AssertionRow = (&'static str, &'static str, &'static [&'static str], [&'static str; 4]);

const ASSERTIONS: [AssertionRow; 13] = [
    ("banking-2", "banking.c", &["CLIENTS=2"], ["passed", "843", "0.1", "0.1"]),
    ("banking-2a", "banking.c", &["CLIENTS=2", "BROKEN"], ["error", "843", "0.1", "0.1"]),
    ("banking-5", "banking.c", &["CLIENTS=5"], ["passed", "1622", "0.3", "0.1"]),
    ("banking-5a", "banking.c", &["CLIENTS=5", "BROKEN"], ["error", "1622", "0.1", "0.1"]),
    ("banking-10", "banking.c", &["CLIENTS=10"], ["passed", "2725", "1.6", "0.6"]),
    ("banking-10a", "banking.c", &["CLIENTS=10", "BROKEN"], ["error", "2725", "0.1", "0.1"]),
    ("indexer-10", "indexer.c", &["THREADS=10"], ["passed", "3000", "0.1", "0.1"]),
    ("indexer-15", "indexer.c", &["THREADS=15"], ["passed", "4277", "0.1", "0.1"]),
    ("indexer-15a", "indexer.c", &["THREADS=15", "BROKEN"], ["error", "4277", "0.4", "0.2"]),
    ("indexer-20", "indexer.c", &["THREADS=20"], ["passed", "5647", "0.4", "0.1"]),
    ("indexer-20a", "indexer.c", &["THREADS=20", "BROKEN"], ["error", "5647", "3.2", "0.7"]),
    ("indexer-25", "indexer.c", &["THREADS=25"], ["passed", "7482", "0.9", "0.1"]),
    ("indexer-25a", "indexer.c", &["THREADS=25", "BROKEN"], ["error", "7482", "26.1", "9.8"]),
];

/// A row of Table 2: name, program, definitions, the paper's regions, pavs, hb-pavs, sym-avs and seconds.
type AtomicityRow = (&'static str, &'static str, &'static [&'static str], [&'static str; 5]);

const ATOMICITY: [AtomicityRow; 16] = [
    ("atom001", "atom001.c", &[], ["1", "8", "2", "1", "0.03"]),
    ("atom001a", "atom001.c", &["FIXED"], ["1", "8", "2", "0", "0.03"]),
    ("atom002", "atom002.c", &[], ["1", "212", "34", "33", "20.4"]),
    ("atom002a", "atom002.c", &["FIXED"], ["1", "212", "34", "0", "17.6"]),
    ("bank-av-2", "bank.c", &["CLIENTS=2"], ["2", "24", "8", "8", "0.1"]),
    ("bank-av-4", "bank.c", &["CLIENTS=4"], ["4", "48", "16", "16", "0.6"]),
    ("bank-av-6", "bank.c", &["CLIENTS=6"], ["6", "72", "24", "24", "2.3"]),
    ("bank-av-8", "bank.c", &["CLIENTS=8"], ["8", "96", "32", "32", "2.5"]),
    ("bank-sav-2", "bank.c", &["CLIENTS=2", "FIX=1"], ["2", "24", "8", "4", "0.2"]),
    ("bank-sav-4", "bank.c", &["CLIENTS=4", "FIX=1"], ["4", "48", "16", "8", "0.9"]),
    ("bank-sav-6", "bank.c", &["CLIENTS=6", "FIX=1"], ["6", "72", "24", "12", "3.8"]),
    ("bank-sav-8", "bank.c", &["CLIENTS=8", "FIX=1"], ["8", "96", "32", "16", "4.6"]),
    ("bank-nav-2", "bank.c", &["CLIENTS=2", "FIX=2"], ["2", "24", "8", "0", "0.2"]),
    ("bank-nav-4", "bank.c", &["CLIENTS=4", "FIX=2"], ["4", "48", "16", "0", "0.2"]),
    ("bank-nav-6", "bank.c", &["CLIENTS=6", "FIX=2"], ["6", "72", "24", "0", "3.7"]),
    ("bank-nav-8", "bank.c", &["CLIENTS=8", "FIX=2"], ["8", "96", "32", "0", "140.6"]),
];

/// A row of Table 3: name, threads, events, locks, the paper's pavs, ls-pavs, hb-pavs, sym-avs and seconds.
type JavaRow = (&'static str, usize, usize, usize, [&'static str; 5]);

const JAVA: [JavaRow; 15] = [
    ("ex.race", 3, 29, 4, ["2", "2", "0", "0", "0.0"]),
    ("ex.norace", 3, 37, 8, ["2", "2", "0", "0", "0.0"]),
    ("ra.Main", 3, 55, 12, ["2", "2", "0", "0", "0.0"]),
    ("connectionpool", 4, 97, 16, ["30", "6", "4", "0", "0.0"]),
    ("liveness.BugG", 7, 285, 39, ["280", "60", "220", "0", "0.0"]),
    ("s1.JGFBBarrier-10", 10, 649, 62, ["852", "102", "612", "0", "1.6"]),
    ("s1.JGFBBarrier-13", 13, 799, 77, ["950", "87", "709", "0", "3.7"]),
    ("account.Main-11", 11, 902, 146, ["140", "140", "60", "2", "1.3"]),
    ("philo.Phill", 6, 1141, 126, ["413", "81", "177", "0", "0.0"]),
    ("s1.JGFSyncB", 16, 1510, 237, ["13578", "186", "11532", "0", "0.0"]),
    ("account.Main-21", 21, 1747, 282, ["280", "280", "120", "3", "5.9"]),
    ("elevator.E-3000", 4, 3000, 368, ["6", "4", "2", "0", "0.0"]),
    ("elevator.E-4998", 4, 4998, 587, ["12", "8", "4", "0", "0.0"]),
    ("elevator.E-8000", 4, 8000, 1126, ["18", "12", "6", "0", "0.0"]),
    ("tsp.Tsp", 4, 45653, 20, ["0", "0", "0", "0", "0.0"]),
];

pub fn run(arguments: &Arguments) -> Result<(), String> {
    let mut out = "# Prediction: the paper's figures beside ours\n\n`cargo xtask paper fusion`; seconds. The paper's \
                   programs are not ours: only the shapes can be compared. Instead of the Java traces, random ones of the same \
                   size are measured.\n\n"
        .to_owned();
    out += "| assertions | paper | length | predict | predict-cb | ours | instructions | record | predict | predict-cb |\n";
    out += "|---|---|---|---|---|---|---|---|---|---|\n";
    for (name, file, defines, paper) in ASSERTIONS.iter().filter(|row| row.0.starts_with(&arguments.only)) {
        let line = format!("| {name} | {} | {} |\n", paper.join(" | "), assertion_row(arguments, file, defines)?);
        print!("{line}");
        out += &line;
    }
    out += "\n| atomicity | regions | pavs | hb-pavs | sym-avs | time | regions | pavs | ls-pavs | hb-pavs | sym-avs | time |\n";
    out += "|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (name, file, defines, paper) in ATOMICITY.iter().filter(|row| row.0.starts_with(&arguments.only)) {
        let line = format!("| {name} | {} | {} |\n", paper.join(" | "), atomicity_row(arguments, file, defines)?);
        print!("{line}");
        out += &line;
    }
    out += "\n| Java traces | events | pavs | ls-pavs | hb-pavs | sym-avs | time | pavs | ls-pavs | hb-pavs | sym-avs | time |\n";
    out += "|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for (name, threads, events, locks, paper) in JAVA.iter().filter(|row| row.0.starts_with(&arguments.only)) {
        let ours = java_row(arguments, *threads, *events, *locks)?;
        let line = format!("| {name} | {events} | {} | {ours} |\n", paper.join(" | "));
        print!("{line}");
        out += &line;
    }
    std::fs::write(&arguments.output, out).map_err(|error| format!("{}: {error}", arguments.output.display()))
}

struct Recorded {
    program: Program,
    known: AnalysisResults,
    recording: Recording,
    time: Duration,
}

fn record(file: &str, defines: &[&str]) -> Result<Recorded, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/programs/fusion").join(file);
    let mut options = frontend::CompileOptions::default();
    options.preprocess.defines = defines.iter().map(|&define| define.to_owned()).collect();
    let compiled = frontend::compile(&[path], &options).map_err(|_| format!("{file} cannot be read"))?;
    let (program, began) = (compiled.program, Instant::now());
    let known = AnalysisResults::default();
    let mut scheduler = RoundRobin::new(u64::MAX);
    let budget = Budget::unlimited();
    let recorded = predict::record(
        &Analyses::with_results(&program, known.clone()),
        &mut scheduler,
        &mut FixedChoices(0),
        None,
        &budget,
    );
    let recording = recorded.map_err(|_| format!("{file} cannot be run"))?.recording;
    Ok(Recorded { program, known, recording, time: began.elapsed() })
}

fn predicted(
    arguments: &Arguments,
    run: &Recorded,
    property: Property,
    options: &PredictOptions,
) -> Result<(Prediction, Duration), String> {
    let began = Instant::now();
    let budget = Budget::with_timeout(Duration::from_secs(arguments.limit));
    let properties = PropertySet::of(&[property]);
    let prediction = predict::predict(
        &Analyses::with_results(&run.program, run.known.clone()),
        std::slice::from_ref(&run.recording),
        properties,
        options,
        &budget,
    );
    Ok((prediction.map_err(|error| format!("{error:?}"))?, began.elapsed()))
}

fn assertion_row(arguments: &Arguments, file: &str, defines: &[&str]) -> Result<String, String> {
    let run = record(file, defines)?;
    let (prediction, time) = predicted(arguments, &run, Property::Assert, &PredictOptions::default())?;
    let bounded = PredictOptions { context_bound: ContextBound::AtMost(2), ..PredictOptions::default() };
    let (_, bounded_time) = predicted(arguments, &run, Property::Assert, &bounded)?;
    let instructions: u64 = run.recording.threads.iter().map(|thread| thread.instructions).sum();
    let mut text = format!("{} | {instructions}", answer(&prediction));
    for time in [run.time, time, bounded_time] {
        let _ = write!(text, " | {:.2}", time.as_secs_f64());
    }
    Ok(text)
}

fn answer(prediction: &Prediction) -> &'static str {
    match prediction.outcomes[0].1 {
        Outcome::Violated(_) => "error",
        Outcome::HoldsUpTo(_) | Outcome::Proved => "passed",
        Outcome::Unknown(_) => "unknown",
    }
}

fn atomicity_row(arguments: &Arguments, file: &str, defines: &[&str]) -> Result<String, String> {
    let run = record(file, defines)?;
    let transactions = TransactionOptions { functions: vec!["transfer".to_owned()], regions: false };
    let options = PredictOptions { transactions, ..PredictOptions::default() };
    let (prediction, time) = predicted(arguments, &run, Property::Atomicity, &options)?;
    let Some(counts) = prediction.candidates_of(Property::Atomicity) else {
        return Ok(format!("{} | | | | |", answer(&prediction)));
    };
    let left = |count: Option<usize>| count.unwrap_or_default();
    // A search that was stopped may have left candidates undecided.
    let open = if prediction.outcomes[0].1 == Outcome::Unknown(UnknownReason::Stopped(StopReason::Time))
        || time.as_secs() >= arguments.limit
    {
        " (time limit)"
    } else {
        ""
    };
    Ok(format!(
        "{} | {} | {} | {} | {}{open} | {:.2}",
        left(counts.transactions),
        counts.candidates,
        left(counts.after_locksets),
        left(counts.after_must_happen_before),
        counts.possible,
        time.as_secs_f64()
    ))
}

/// A random trace of this size, in which all critical sections are meant to be atomic.
fn java_row(arguments: &Arguments, threads: usize, events: usize, locks: usize) -> Result<String, String> {
    let (variables, locations) = (events / 20 + 1, events / 4 + 1);
    let shape = TraceShape { events, threads, variables, locks, locations, guarded: 90, nesting: 10 };
    let trace = generate_trace(1, shape);
    let survey = TraceIndex::new(&trace).map_err(|bad| bad.to_string())?;
    let options = TraceOptions { kinds: vec![Kind::Atomicity], atomic_regions: true, window: events.clamp(2, 4_000) };
    let began = Instant::now();
    let budget = Budget::with_timeout(Duration::from_secs(arguments.limit));
    let analysis = analyse(&survey, &options, &budget).map_err(|wrong| wrong.0)?;
    let (_, counts) = analysis.counts[0];
    let open = if analysis.stopped.is_some() { " (time limit)" } else { "" };
    let Counts { candidates, after_locksets, after_must_happen_before, found, .. } = counts;
    let time = began.elapsed().as_secs_f64();
    Ok(format!("{candidates} | {after_locksets} | {after_must_happen_before} | {found}{open} | {time:.2}"))
}

//! Parses every `.c` and `.i` file of the given directories: names the failures and measures the speed.
//!
//! `cargo run --release -p frontend --example parse_all -- DIRECTORY...`

#![allow(clippy::print_stdout, reason = "an example talks to its user")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::Files;
use frontend::PreprocessOptions;
use frontend::dialect::Dialect;
use frontend::preprocess::preprocess;
use frontend::source_text::parse_preprocessed;

#[derive(Default)]
struct Totals {
    files: usize,
    failures: usize,
    bytes: usize,
    /// Lexing and parsing only, without reading and preprocessing.
    time: Duration,
}

fn main() {
    let mut totals = Totals::default();
    for directory in std::env::args_os().skip(1) {
        for path in c_files(Path::new(&directory)) {
            parse(&path, &mut totals);
        }
    }
    let megabytes = totals.bytes as f64 / 1e6;
    println!(
        "{} files, {} failed; {megabytes:.1} MB in {:.3} s: {:.1} MB/s",
        totals.files,
        totals.failures,
        totals.time.as_secs_f64(),
        megabytes / totals.time.as_secs_f64()
    );
    std::process::exit(i32::from(totals.failures > 0));
}

fn c_files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("the directory should be readable");
    let paths = entries.map(|entry| entry.expect("the directory should be readable").path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "c" || end == "i")).collect();
    paths.sort();
    paths
}

fn parse(path: &Path, totals: &mut Totals) {
    let mut files = Files::new();
    totals.files += 1;
    let result = preprocess(path, &PreprocessOptions::default(), &mut files).and_then(|input| {
        let start = Instant::now();
        let parsed = parse_preprocessed(&input.text, input.file, input.markers, Dialect::default(), &[], &mut files);
        totals.time += start.elapsed();
        totals.bytes += input.text.len();
        parsed
    });
    if let Err(diagnostics) = result {
        totals.failures += 1;
        println!("{}", path.display());
        for diagnostic in diagnostics {
            let place = diagnostic.span.map(|span| files.describe(span)).unwrap_or_default();
            println!("  {place}: {}", diagnostic.message);
        }
    }
}

//! `cargo xtask growth`: how the time and memory of a check grow with the number of events, from C text to the answer.
//!
//! Eight threads share forty variables, five of them each thread's own to write. Half of the accesses are writes, which
//! count up; half are reads of the others' variables. Each read asserts that it does not go back from what the thread saw
//! there before: from one version to the one before it, or (`--check monotone`) from any version to any older one. That
//! holds because reads are coherent: no value forbids it, order alone does. In the violated version the owner of a
//! variable that is read twice somewhere ends by writing one version and then the one before it.
//!
//! With a fixed number of variables the candidates of each read grow with n, so there are about n²/160 of them, and
//! about n³/12,800 pairs of versions that `monotone` speaks of.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use program::Property;
use testkit::random::Random;

use crate::figures::exponent;
use crate::measure::{self, Measurement, measure};

#[derive(Args)]
pub struct Arguments {
    /// Events of the smallest programs.
    #[arg(long, default_value_t = 100)]
    smallest: usize,
    /// The number of events is doubled up to this.
    #[arg(long, default_value_t = 3_200)]
    largest: usize,
    #[arg(long, default_value = "order")]
    engine: String,
    /// What each read asserts.
    #[arg(long, value_enum, default_value_t = Check::Version)]
    check: Check,
    /// Seconds of processor time per program.
    #[arg(long, default_value_t = 60)]
    limit: u64,
    /// Programs per number of events and version.
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Keep the programs in this folder.
    #[arg(long)]
    keep: Option<PathBuf>,
}

const THREADS: usize = 8;
const VARIABLES: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Check {
    /// Not from one version to the one before it.
    Version,
    /// Not from any version to an older one.
    Monotone,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Version {
    Safe,
    Violated,
}

pub fn run(arguments: &Arguments) -> ExitCode {
    match grow(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn grow(arguments: &Arguments) -> Result<(), String> {
    let temporary = tempfile::tempdir().map_err(|error| error.to_string())?;
    let folder = arguments.keep.clone().unwrap_or_else(|| temporary.path().to_owned());
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    println!(
        "| accesses | version | answer | events | read-from candidates | clauses | conflicts | unfolding | encoding | solving | CPU s | MB |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for version in [Version::Safe, Version::Violated] {
        let (mut times, mut sizes) = (Vec::new(), Vec::new());
        for accesses in sizes_of(arguments) {
            let mut worst: Option<Measurement> = None;
            for seed in 0..arguments.seeds.max(1) {
                let file = folder.join(format!("growth-{accesses}-{version:?}-{seed}.c").to_lowercase());
                std::fs::write(&file, program(accesses, version, arguments.check, seed))
                    .map_err(|error| error.to_string())?;
                let measured = measured(arguments, file)?;
                if worst.as_ref().is_none_or(|worst| measured.seconds > worst.seconds) {
                    worst = Some(measured);
                }
            }
            let worst = worst.expect("at least one seed");
            print_row(accesses, version, &worst);
            times.push((accesses as f64, worst.seconds.max(1e-4)));
            sizes.push((accesses as f64, worst.memory.max(1.0)));
        }
        println!("{version:?}: time grows with exponent {:.2}, memory with {:.2}", exponent(&times), exponent(&sizes));
    }
    Ok(())
}

fn sizes_of(arguments: &Arguments) -> impl Iterator<Item = usize> {
    let largest = arguments.largest;
    std::iter::successors(Some(arguments.smallest.max(1)), |size| Some(size * 2))
        .take_while(move |&size| size <= largest)
}

fn measured(arguments: &Arguments, file: PathBuf) -> Result<Measurement, String> {
    let shown = file.display().to_string();
    measure(&measure::Arguments {
        file,
        engine: arguments.engine.clone(),
        unwind: Some(2),
        property: Property::Assert,
        ilp32: false,
        core: false,
        limit: arguments.limit,
        tree: Default::default(),
    })
    .map_err(|error| format!("{shown}: {error}"))
}

/// The slowest of the programs of one size.
fn print_row(accesses: usize, version: Version, worst: &Measurement) {
    let count = |name| worst.get(name);
    println!(
        "| {accesses} | {version:?} | {:?} | {} | {} | {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.0} |",
        worst.ending,
        count("events"),
        count("read-from candidates"),
        count("clauses"),
        count("conflicts"),
        count("unfolding time"),
        count("encoding time"),
        count("solving time"),
        worst.seconds,
        worst.memory / 1e6
    );
}

/// A program with so many accesses in its eight threads.
fn program(accesses: usize, version: Version, check: Check, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut threads: Vec<Thread> = (0..THREADS).map(Thread::new).collect();
    let mut versions = [0; VARIABLES];
    for index in 0..accesses {
        let thread = &mut threads[index % THREADS];
        if (index / THREADS).is_multiple_of(2) {
            thread.write(&mut versions, &mut random);
        } else {
            thread.read(&versions, check, &mut random);
        }
    }
    if version == Version::Violated {
        let twice = threads.iter().find_map(Thread::read_twice);
        let (variable, version) = twice.unwrap_or_else(|| threads[0].read_again(check));
        threads[variable % THREADS].go_back(variable, version);
    }
    let mut text = String::from("#include <pthread.h>\n#include <assert.h>\n\n");
    for variable in 0..VARIABLES {
        line(&mut text, format_args!("int x{variable};"));
    }
    for thread in &threads {
        line(&mut text, format_args!("\nvoid *thread{}(void *argument) {{", thread.number));
        for (variable, _) in thread.reads.iter().enumerate().filter(|(_, read)| read.times > 0) {
            line(&mut text, format_args!("    int seen{variable} = 0, last{variable} = 0;"));
        }
        text.push_str(&thread.body);
        text.push_str("    return 0;\n}\n");
    }
    push_main(&mut text);
    text
}

fn push_main(text: &mut String) {
    text.push_str("\nint main(void) {\n");
    line(text, format_args!("    pthread_t handles[{THREADS}];"));
    for thread in 0..THREADS {
        line(text, format_args!("    pthread_create(&handles[{thread}], 0, thread{thread}, 0);"));
    }
    for thread in 0..THREADS {
        line(text, format_args!("    pthread_join(handles[{thread}], 0);"));
    }
    text.push_str("    return 0;\n}\n");
}

/// A thread in the making. It owns the variables whose number is its own modulo the number of threads.
struct Thread {
    number: usize,
    body: String,
    /// By variable.
    reads: [Reads; VARIABLES],
}

#[derive(Clone, Copy, Default)]
struct Reads {
    times: u32,
    /// The version from which the last of them must not go back.
    version: u32,
}

impl Thread {
    fn new(number: usize) -> Self {
        Self { number, body: String::new(), reads: [Reads::default(); VARIABLES] }
    }

    fn write(&mut self, versions: &mut [u32; VARIABLES], random: &mut Random) {
        let variable = self.number + THREADS * random.below(VARIABLES / THREADS);
        versions[variable] += 1;
        line(&mut self.body, format_args!("    x{variable} = {};", versions[variable]));
    }

    fn read(&mut self, versions: &[u32; VARIABLES], check: Check, random: &mut Random) {
        let owner = (self.number + 1 + random.below(THREADS - 1)) % THREADS;
        let v = owner + THREADS * random.below(VARIABLES / THREADS);
        self.read_variable(v, 1 + random.below(versions[v].max(1) as usize) as u32, check);
    }

    fn read_variable(&mut self, v: usize, version: u32, check: Check) {
        self.reads[v] = Reads { times: self.reads[v].times + 1, version };
        line(&mut self.body, format_args!("    last{v} = seen{v};\n    seen{v} = x{v};"));
        match check {
            Check::Monotone => line(&mut self.body, format_args!("    assert(seen{v} >= last{v});")),
            Check::Version => {
                let before = version - 1;
                line(&mut self.body, format_args!("    assert(!(last{v} == {version} && seen{v} == {before}));"));
            }
        }
    }

    /// A variable that is read at least twice, and the version that its last read speaks of.
    fn read_twice(&self) -> Option<(usize, u32)> {
        let variable = self.reads.iter().position(|reads| reads.times >= 2)?;
        Some((variable, self.reads[variable].version))
    }

    /// For small programs in which no variable happens to be read twice.
    fn read_again(&mut self, check: Check) -> (usize, u32) {
        let (variable, version) = (self.number + 1, 1);
        self.read_variable(variable, version, check);
        self.read_variable(variable, version, check);
        (variable, version)
    }

    fn go_back(&mut self, variable: usize, version: u32) {
        let before = version - 1;
        line(&mut self.body, format_args!("    x{variable} = {version};\n    x{variable} = {before};"));
    }
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string should succeed");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Ending;
    use frontend::CompileOptions;

    #[test]
    fn half_of_the_accesses_are_reads_and_versions_differ() {
        for version in [Version::Safe, Version::Violated] {
            let text = program(64, version, Check::Version, 1);
            let writes = text.lines().filter(|line| line.trim_start().starts_with('x')).count();
            let reads = text.lines().filter(|line| line.contains("= x")).count();
            let extra = if version == Version::Violated { 2 } else { 0 };
            assert_eq!((writes, reads), (32 + extra, 32), "{text}");
        }
        let safe = |seed| program(64, Version::Safe, Check::Version, seed);
        assert!(safe(1) == safe(1) && safe(1) != safe(2));
    }

    /// Both versions are what they say: every engine that unfolds answers as expected.
    #[test]
    fn the_engines_answer_as_the_versions_say() {
        let versions = [(Version::Safe, Ending::Proved), (Version::Violated, Ending::Violated)];
        for (check, (version, expected)) in
            [Check::Version, Check::Monotone].into_iter().flat_map(|check| versions.map(|version| (check, version)))
        {
            let text = program(48, version, check, 3);
            let program = frontend::compile_text("growth.i", &without_headers(&text), &CompileOptions::default());
            let program = program.unwrap_or_else(|failure| panic!("{:?}", failure.diagnostics)).program;
            for engine in engines::UNFOLDING {
                assert_eq!(measure::ending_of(&program, engine), expected, "{version:?} by {}", engine.name());
            }
        }
    }

    /// What the headers declare, without a preprocessor.
    fn without_headers(text: &str) -> String {
        let declarations = "typedef unsigned long pthread_t;\n\
            extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
            extern int pthread_join(pthread_t, void **);\n\
            extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
            void assert(int c) { if (!c) __assert_fail(\"\", \"\", 0, \"\"); }\n";
        let rest: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        format!("{declarations}{}", rest.join("\n"))
    }
}

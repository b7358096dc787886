//! Native runs end to end. Skipped, with a message, where there is no C compiler.
#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use base::Budget;
use frontend::CompileOptions;
use native::compiler::candidates;
use native::{
    DEFAULT_MAX_STEPS, NativeError, NativeRecorded, NativeVerdict, ProcessEnd, RecordOptions, RecordingEnd,
    ReplayOptions, RunEnd, Streams, record_native, replay_native,
};
use predict::{PredictOptions, TransactionOptions, predict_twice};
use program::{Analyses, Program, Property, PropertySet, Trace, Visibility};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn no_compiler() -> bool {
    let started = Command::new("cc").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let missing = !started.is_ok_and(|status| status.success());
    if missing {
        eprintln!("skipped: there is no C compiler `cc`");
    }
    missing
}

struct Subject {
    program: Program,
    visibility: Visibility,
}

impl Subject {
    fn read(path: &Path, defines: &[&str], arguments: &[&str]) -> Self {
        let mut options = CompileOptions {
            arguments: Some(owned(arguments)),
            handles_are_numbers: true,
            ..CompileOptions::default()
        };
        options.preprocess.defines = owned(defines);
        let compiled = frontend::compile(&[path.to_owned()], &options);
        let program =
            compiled.unwrap_or_else(|failure| panic!("{}: {:?}", path.display(), failure.diagnostics)).program;
        let visibility = Visibility::new(&program);
        Self { program, visibility }
    }

    fn of_text(text: &str) -> Self {
        let mut file = tempfile::Builder::new().suffix(".c").tempfile().expect("a file");
        file.write_all(text.as_bytes()).expect("a written file");
        Self::read(file.path(), &[], &[])
    }

    fn record(&self, limit: Duration, max_steps: Option<u64>) -> NativeRecorded {
        self.record_with_input(limit, max_steps, Stdio::null())
    }

    fn record_with_input(&self, limit: Duration, max_steps: Option<u64>, input: Stdio) -> NativeRecorded {
        let options = RecordOptions {
            compilers: candidates(None),
            seed: 1,
            limit,
            max_steps: max_steps.unwrap_or(DEFAULT_MAX_STEPS),
        };
        let streams = Streams { input, terminal: None, output: Stdio::null(), errors: Stdio::null() };
        let recorded = record_native(&Analyses::new(&self.program), &options, streams, &Budget::unlimited());
        recorded.unwrap_or_else(|error| panic!("{error}"))
    }

    fn replay(&self, trace: &Trace) -> NativeVerdict {
        let options = ReplayOptions {
            compilers: candidates(None),
            patience: Duration::from_secs(10),
            limit: Duration::from_secs(100),
            output: Stdio::null(),
            errors: Stdio::null(),
        };
        let verdict = replay_native(&self.program, &self.visibility, trace, options, &Budget::unlimited());
        verdict.unwrap_or_else(|error| panic!("{error}"))
    }

    /// A violation that some schedule leads to.
    fn violation(&self, property: Property) -> Option<Trace> {
        let properties = PropertySet::of(&[property]);
        let options = execute::ExploreOptions::new(properties);
        let explored = execute::explore(&self.program, &options, &Budget::unlimited());
        explored.violations.into_iter().next()
    }

    /// What a native run lets predict, each with its native replay.
    fn findings(&self, properties: &[Property], atomic: &[&str]) -> Vec<(Trace, NativeVerdict)> {
        let run = self.record(LIMIT, None);
        assert!(
            run.coverage == RecordingEnd::Whole,
            "the interpreter should repeat all {} steps, not {}",
            run.native_steps,
            run.steps
        );
        let transactions = TransactionOptions { functions: owned(atomic), regions: false };
        let options = PredictOptions { transactions, ..PredictOptions::default() };
        let (properties, budget) = (PropertySet::of(properties), Budget::unlimited());
        let recordings = [run.recorded.recording];
        let prediction = predict_twice(&Analyses::new(&self.program), &recordings, properties, &options, &budget);
        let findings = prediction.expect("a prediction").findings;
        findings.into_iter().map(|trace| (trace.clone(), self.replay(&trace))).collect()
    }
}

const LIMIT: Duration = Duration::from_secs(60);

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// At least one finding, and all of them are seen natively.
fn assert_seen(findings: &[(Trace, NativeVerdict)], property: Property, name: &str) {
    let of_property = findings.iter().filter(|(trace, _)| trace.violation.property == property);
    assert!(of_property.count() > 0, "{name}: {property} should be violated");
    for (trace, verdict) in findings {
        let seen = matches!(verdict, NativeVerdict::Seen(_));
        assert!(seen, "{name}: {} at {:?}: {verdict:?}", trace.violation.message, trace.violation.span);
    }
}

#[test]
fn what_is_predicted_from_native_runs_of_the_papers_programs_is_seen_natively() {
    if no_compiler() {
        return;
    }
    let folder = root().join("bench/programs/fusion");
    let cases: [(&str, &[&str], Property, &[&str]); 5] = [
        ("banking.c", &["BROKEN"], Property::Assert, &[]),
        ("indexer.c", &["BROKEN", "THREADS=13"], Property::Assert, &[]),
        ("atom001.c", &[], Property::NoDataRace, &[]),
        ("banking.c", &["BROKEN"], Property::NoDataRace, &[]),
        ("bank.c", &[], Property::Atomicity, &["transfer"]),
    ];
    for (name, defines, property, atomic) in cases {
        let subject = Subject::read(&folder.join(name), defines, &[]);
        assert_seen(&subject.findings(&[property], atomic), property, name);
    }
}

#[test]
fn one_passing_run_of_a_realistic_program_is_enough() {
    if no_compiler() {
        return;
    }
    let folder = root().join("bench/programs/native");
    let cases = [
        ("thread_pool.c", None, Property::Assert),
        ("file_scanner.c", Some("file_scanner.txt"), Property::Assert),
        ("kv_server.c", Some("kv_server.txt"), Property::NoDeadlock),
    ];
    for (name, input, property) in cases {
        let input = input.map(|input| folder.join(input).display().to_string());
        let arguments: Vec<&str> = input.iter().map(String::as_str).collect();
        let subject = Subject::read(&folder.join(name), &[], &arguments);
        let run = subject.record(LIMIT, None);
        assert_eq!(run.run_end, RunEnd::Exited(0), "{name}");
        assert_seen(&subject.findings(&[property], &[]), property, name);
    }
}

#[test]
fn a_crash_leaves_its_prefix() {
    if no_compiler() {
        return;
    }
    let subject = Subject::of_text(
        "#include <pthread.h>\nint x, *p;\n\
         void *t(void *a) { for (int i = 0; i < 100; i++) x++; *p = 1; return a; }\n\
         int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); pthread_join(a, 0); return 0; }\n",
    );
    let run = subject.record(LIMIT, None);
    assert_eq!((run.run_end, run.process_end), (RunEnd::Broken, ProcessEnd::Signal(11)));
    assert!(run.coverage == RecordingEnd::Whole);
    // Each round reads and writes x; then the pointer is read.
    assert!(run.steps >= 201, "{}", run.steps);
    assert_eq!(run.recorded.recording.threads.len(), 2);
}

#[test]
fn a_killed_run_leaves_its_prefix() {
    if no_compiler() {
        return;
    }
    let subject = Subject::of_text(
        "#include <pthread.h>\nint x;\n\
         void *t(void *a) { for (;;) x++; return a; }\n\
         int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); pthread_join(a, 0); return 0; }\n",
    );
    let run = subject.record(Duration::from_millis(300), Some(500));
    assert_eq!((run.run_end, run.process_end), (RunEnd::Broken, ProcessEnd::Stopped));
    assert_eq!((run.steps, run.coverage), (500, RecordingEnd::MaxSteps));
    assert!(run.native_steps >= 500);
}

#[test]
fn a_run_that_is_stuck_says_so_and_is_predicted_as_a_deadlock() {
    if no_compiler() {
        return;
    }
    let subject = Subject::of_text(
        "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }\n",
    );
    assert_eq!(subject.record(LIMIT, None).run_end, RunEnd::Stuck);
    assert_seen(&subject.findings(&[Property::NoDeadlock], &[]), Property::NoDeadlock, "relock");
}

#[test]
fn input_is_read_natively_and_repeated_by_the_interpreter() {
    if no_compiler() {
        return;
    }
    let subject = Subject::of_text(
        "#include <stdio.h>\n#include <stdlib.h>\n\
         int main(void) {\n  char line[40]; int sum = 0;\n\
         while (fgets(line, sizeof line, stdin)) sum += atoi(line);\n  int c = getchar();\n\
         char *more = 0; size_t room = 0;\n\
         return c == EOF && getline(&more, &room, stdin) == -1 && feof(stdin) ? sum : 99;\n}\n",
    );
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(b"20\n 17 and more than fits into one line of the buffer\n5").expect("a written file");
    let run = {
        use std::io::Seek;
        file.rewind().expect("a file that can be read from its start");
        subject.record_with_input(LIMIT, None, Stdio::from(file))
    };
    assert_eq!((run.run_end, run.coverage), (RunEnd::Exited(42), RecordingEnd::Whole));
    assert!(
        matches!(run.recorded.end, execute::End::Finished { status: 42, abnormal: false }),
        "{:?}",
        run.recorded.end
    );
}

#[test]
fn a_run_that_decides_by_an_address_is_followed_up_to_there() {
    if no_compiler() {
        return;
    }
    // Native addresses of the heap are larger than those of the interpreter.
    let subject = Subject::of_text(
        "#include <pthread.h>\n#include <stdlib.h>\nint x, y;\nvoid *t(void *a) { x = 1; return a; }\n\
         int main(void) {\n  pthread_t a; pthread_create(&a, 0, t, 0); x = 2;\n  void *p = malloc(4);\n\
         if ((unsigned long)p >> 42) { y = 1; x = 3; x = 4; } else { x = 5; }\n\
         pthread_join(a, 0); x = y; return 0;\n}\n",
    );
    let run = subject.record(LIMIT, None);
    assert_eq!(run.run_end, RunEnd::Exited(0));
    assert!(
        run.coverage == RecordingEnd::Departed && run.steps < run.native_steps,
        "{} of {}",
        run.steps,
        run.native_steps
    );
}

#[test]
fn synchronisation_means_natively_what_it_means_in_the_interpreter() {
    if no_compiler() {
        return;
    }
    let folder = root().join("tests/native");
    let mut programs: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    programs.sort();
    assert!(programs.len() > 20);
    for path in programs.iter().step_by(3) {
        let subject = Subject::read(path, &[], &[]);
        let run = subject.record(LIMIT, None);
        assert!(run.coverage == RecordingEnd::Whole, "{}: {} of {} steps", path.display(), run.steps, run.native_steps);
    }
}

#[test]
fn a_compiler_that_is_missing_or_refuses_is_named() {
    let subject = Subject::of_text("int main(void) { return 0; }\n");
    let record = |compiler: &str| {
        let options =
            RecordOptions { compilers: owned(&[compiler]), seed: 1, limit: LIMIT, max_steps: DEFAULT_MAX_STEPS };
        let streams = Streams { input: Stdio::null(), terminal: None, output: Stdio::null(), errors: Stdio::null() };
        record_native(&Analyses::new(&subject.program), &options, streams, &Budget::unlimited()).err()
    };
    assert!(matches!(record("no-such-compiler"), Some(NativeError::NoCompiler { .. })));
    assert!(matches!(record("false"), Some(NativeError::Refused { .. })));
}

#[test]
fn what_a_program_reads_and_asks_for_is_what_the_system_says() {
    if no_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (input, output) = (folder.path().join("input.txt"), folder.path().join("out put.txt"));
    std::fs::write(&input, "first 42 -7\n0x1f;word with blanks\n2.5e1 z\n").expect("a written file");
    let source = root().join("crates/native/tests/programs/reader.c");
    let paths = [&input, &output].map(|path| path.display().to_string());
    let subject = Subject::read(&source, &[], &["-v", &paths[0], "-n", "3", "--out", &paths[1]]);
    let run = subject.record(LIMIT, None);
    assert_eq!((run.run_end, run.coverage), (RunEnd::Exited(0), RecordingEnd::Whole));
    assert!(matches!(run.recorded.end, execute::End::Finished { status: 0, .. }), "{:?}", run.recorded.end);
    let written = std::fs::read_to_string(&output).expect("what the program wrote");
    assert_eq!(written, "first 42 -7 31 word with blanks 25.0 z\n3 of 3 rounds, verbose\nbytes\n!");
}

#[test]
fn a_long_computation_ends_the_record_and_not_the_run() {
    if no_compiler() {
        return;
    }
    let subject = Subject::of_text(
        "#include <pthread.h>\nint x, y;\n\
         void *t(void *a) { unsigned s = 1; x = 1; for (int i = 0; i < 40000000; i++) s = s * 69069 + 1; y = s; return a; }\n\
         int main(void) { pthread_t a, b; pthread_create(&a, 0, t, 0); pthread_create(&b, 0, t, 0);\n\
         pthread_join(a, 0); pthread_join(b, 0); return 3; }\n",
    );
    let run = subject.record(LIMIT, None);
    assert_eq!((run.run_end, run.coverage), (RunEnd::Exited(3), RecordingEnd::LongComputation));
    let instructions: u64 = run.recorded.recording.threads.iter().map(|thread| thread.instructions).sum();
    assert!(run.steps >= 3 && instructions < 100, "{} steps, {instructions} instructions", run.steps);
}

#[test]
fn a_budget_that_is_used_up_leaves_what_was_followed() {
    if no_compiler() {
        return;
    }
    let subject = Subject::of_text(
        "#include <pthread.h>\nint x;\nvoid *t(void *a) { for (;;) x++; return a; }\n\
         int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); pthread_join(a, 0); return 0; }\n",
    );
    let options =
        RecordOptions { compilers: candidates(None), seed: 1, limit: Duration::from_secs(1), max_steps: 1 << 40 };
    let streams = Streams { input: Stdio::null(), terminal: None, output: Stdio::null(), errors: Stdio::null() };
    let budget = Budget::with_timeout(Duration::from_secs(12));
    let run = record_native(&Analyses::new(&subject.program), &options, streams, &budget).expect("a prefix");
    assert_eq!(run.process_end, ProcessEnd::Stopped);
    assert!(matches!(run.coverage, RecordingEnd::Budget | RecordingEnd::LongComputation), "{:?}", run.coverage);
    assert!(run.steps >= 2_000 && run.steps < run.native_steps, "{} of {}", run.steps, run.native_steps);
}

#[test]
fn ends_of_all_kinds_leave_a_usable_record() {
    if no_compiler() {
        return;
    }
    let cases: [(&str, RunEnd, ProcessEnd); 6] = [
        ("_exit(5);", RunEnd::Exited(5), ProcessEnd::Status(5)),
        ("exit(7);", RunEnd::Exited(7), ProcessEnd::Status(7)),
        ("abort();", RunEnd::Aborted, ProcessEnd::Signal(6)),
        ("return 300;", RunEnd::Exited(300), ProcessEnd::Status(44)),
        ("int *p = 0; *p = 1;", RunEnd::Broken, ProcessEnd::Signal(11)),
        ("fork();", RunEnd::Unsupported, ProcessEnd::Status(125)),
    ];
    for (statement, run_end, process_end) in cases {
        let subject = Subject::of_text(&format!(
            "#include <pthread.h>\n#include <stdlib.h>\n#include <unistd.h>\nint x;\n\
             void *t(void *a) {{ for (;;) {{ x++; usleep(100); }} return a; }}\n\
             int main(void) {{ pthread_t a; pthread_create(&a, 0, t, 0); for (int i = 0; i < 50; i++) x++;\n\
             {statement}\n pthread_join(a, 0); return 0; }}\n"
        ));
        let run = subject.record(LIMIT, None);
        assert_eq!((run.run_end, run.process_end), (run_end, process_end), "{statement}");
        assert!(run.coverage == RecordingEnd::Whole && run.steps >= 100, "{statement}: {} steps", run.steps);
    }
}

#[test]
fn arithmetic_and_what_is_left_behind_are_seen_natively() {
    if no_compiler() {
        return;
    }
    let path = root().join("crates/native/tests/programs/faults.c");
    let cases = [
        ("OVERFLOW", Property::NoOverflow),
        ("NEGATION", Property::NoOverflow),
        ("QUOTIENT", Property::NoOverflow),
        ("SHIFTED_OUT", Property::NoOverflow),
        ("SHIFT", Property::NoBadShift),
        ("NEGATIVE", Property::NoBadShift),
        ("DIVISION", Property::NoDivByZero),
        ("LEFT_MEMORY", Property::ValidMemcleanup),
        ("LEFT_THREAD", Property::NoThreadLeak),
        ("RAW_MUTEX", Property::LockMisuse),
    ];
    for (define, property) in cases {
        let subject = Subject::read(&path, &[define], &[]);
        let trace = subject.violation(property).unwrap_or_else(|| panic!("{define}: no schedule violates {property}"));
        let verdict = subject.replay(&trace);
        assert!(matches!(verdict, NativeVerdict::Seen(_)), "{define}: {verdict:?}");
    }
    let subject = Subject::read(&path, &["LOST_MEMORY"], &[]);
    let trace = subject.violation(Property::ValidMemtrack).expect("lost memory");
    let NativeVerdict::Followed(why) = subject.replay(&trace) else { panic!("lost memory should not be seen") };
    assert_eq!(why, "valid-memtrack cannot be observed natively");
}

#[test]
fn programs_for_32_bits_run_natively_where_they_compile() {
    if no_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let probe = folder.path().join("probe.c");
    std::fs::write(&probe, "#include <stdio.h>\nint main(void) { return 0; }\n").expect("a written file");
    let built = Command::new("cc").arg("-m32").arg("-o").arg(folder.path().join("probe")).arg(&probe).output();
    if !built.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: `cc -m32` does not work");
        return;
    }
    for name in ["mutex_counter", "condition_handshake", "formats", "struct_argument", "linked_list"] {
        let options = CompileOptions {
            arguments: Some(Vec::new()),
            data_model: program::DataModel::Ilp32,
            ..CompileOptions::default()
        };
        let path = root().join(format!("tests/native/{name}.c"));
        let program = frontend::compile(&[path], &options).expect("a program").program;
        let visibility = Visibility::new(&program);
        let subject = Subject { program, visibility };
        let run = subject.record(LIMIT, None);
        assert_eq!((run.run_end, run.coverage), (RunEnd::Exited(0), RecordingEnd::Whole), "{name}");
    }
}

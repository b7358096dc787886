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
    NativeError, NativeRecorded, NativeVerdict, ProcessEnd, RecordOptions, ReplayOptions, RunEnd, Streams,
    record_native, replay_native,
};
use predict::{PredictOptions, TransactionOptions, predict_twice};
use program::{Program, Property, PropertySet, Trace, Visibility};

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
        let mut options = CompileOptions { arguments: Some(owned(arguments)), ..CompileOptions::default() };
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
        let options = RecordOptions { compilers: candidates(None), seed: 1, limit, max_steps };
        let streams = Streams { input, output: Stdio::null(), errors: Stdio::null() };
        let recorded = record_native(&self.program, &self.visibility, &options, streams, &Budget::unlimited());
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

    /// What a native run lets predict, each with its native replay.
    fn findings(&self, properties: &[Property], atomic: &[&str]) -> Vec<(Trace, NativeVerdict)> {
        let run = self.record(LIMIT, None);
        assert!(!run.departed, "the interpreter should repeat all {} steps, not {}", run.native_steps, run.steps);
        let transactions = TransactionOptions { functions: owned(atomic), regions: false };
        let options = PredictOptions { transactions, ..PredictOptions::default() };
        let (properties, budget) = (PropertySet::of(properties), Budget::unlimited());
        let recordings = [run.recorded.recording];
        let prediction = predict_twice(&self.program, &self.visibility, &recordings, properties, &options, &budget);
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
    assert!(!run.departed);
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
    assert_eq!((run.steps, run.departed), (500, false));
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
    assert_eq!((run.run_end, run.departed), (RunEnd::Exited(42), false));
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
    assert!(run.departed && run.steps < run.native_steps, "{} of {}", run.steps, run.native_steps);
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
        assert!(!run.departed, "{}: {} of {} steps", path.display(), run.steps, run.native_steps);
    }
}

#[test]
fn a_compiler_that_is_missing_or_refuses_is_named() {
    let subject = Subject::of_text("int main(void) { return 0; }\n");
    let record = |compiler: &str| {
        let options = RecordOptions { compilers: owned(&[compiler]), seed: 1, limit: LIMIT, max_steps: None };
        let streams = Streams { input: Stdio::null(), output: Stdio::null(), errors: Stdio::null() };
        record_native(&subject.program, &subject.visibility, &options, streams, &Budget::unlimited()).err()
    };
    assert!(matches!(record("no-such-compiler"), Some(NativeError::NoCompiler { .. })));
    assert!(matches!(record("false"), Some(NativeError::Refused { .. })));
}

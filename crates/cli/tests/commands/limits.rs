//! Limits are held from outside, in whatever stage the worker is. How fast is measured elsewhere; here, a limit that is
//! not held at all makes a test run for minutes.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Answer, Folder};

/// Unfolding goes on and on: no bound is enough.
const HUGE_UNFOLDING: &str = "\
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int x, y;
void *count(void *p) { while (__VERIFIER_nondet_int()) { x++; y = x; } return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    assert(y <= 1000000);
    return 0;
}
";

/// Every read has thousands of candidates.
const HUGE_ENCODING: &str = "\
#include <assert.h>
#include <pthread.h>
int x;
void *add(void *p) { for (int i = 0; i < 400; i++) x = x + 1; return 0; }
int main(void) {
    pthread_t t[8];
    for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 8; i++) pthread_join(t[i], 0);
    assert(x > 1);
    return 0;
}
";

/// Factors of a number with two large prime factors.
const HARD_SOLVING: &str = "\
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned long long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a > 1 && b > 1 && a <= b) assert(a * b != 9633832748884915969ull);
    return 0;
}
";

const PROGRAMS: [(&str, &str); 3] =
    [("unfold.c", HUGE_UNFOLDING), ("encode.c", HUGE_ENCODING), ("solve.c", HARD_SOLVING)];

/// Far more than any limit here, far less than the programs need.
const PATIENCE: Duration = Duration::from_secs(40);

fn folder() -> Folder {
    let folder = Folder::new();
    for (name, text) in PROGRAMS {
        folder.write(name, text);
    }
    folder
}

/// What is said when time is up. On a busy machine the worker may not have begun when the shortest time is over.
fn answer_within(folder: &Folder, arguments: &[&str]) -> Answer {
    let mut answers = ["300ms", "1s", "5s", "15s"].iter().map(|limit| {
        let limited = [arguments, &["--timeout", limit]].concat();
        folder.gordian(&limited)
    });
    answers.find(|answer| !answer.out.is_empty()).expect("an answer")
}

#[test]
fn time_is_held_while_unfolding_encoding_and_solving() {
    let folder = folder();
    for (name, _) in PROGRAMS {
        let began = Instant::now();
        let answer = answer_within(&folder, &["check", name, "-p", "assert"]).exits(3);
        assert!(began.elapsed() < PATIENCE, "{name}: {:?}", began.elapsed());
        assert!(answer.out.contains("Stopped: time limit reached"), "{name}: {answer:#?}");
        assert!(answer.out.starts_with("UNKNOWN assert: time limit") || answer.out.starts_with("HOLDS assert"));
    }
}

#[test]
fn time_is_held_while_reading() {
    let folder = folder();
    folder.write("slow-cc", "#!/bin/sh\nsleep 300\n");
    let made = Command::new("chmod").args(["+x", "slow-cc"]).current_dir(folder.path()).status().expect("chmod");
    assert!(made.success());
    for command in ["check", "run", "explore"] {
        let mut slow = folder.command(&[command, "solve.c", "--timeout", "300ms"]);
        let began = Instant::now();
        let answer =
            Answer::from(slow.env("CC", folder.path().join("slow-cc")).output().expect("gordian should start"));
        assert!(began.elapsed() < PATIENCE, "{:?}", began.elapsed());
        let answer = answer.exits(3);
        assert!((answer.out.clone() + &answer.err).contains("time limit reached"), "{answer:#?}");
    }
}

#[test]
fn every_format_has_an_answer_when_time_is_up() {
    let folder = folder();
    let base = ["check", "solve.c", "-p", "assert", "--format"];
    let line = answer_within(&folder, &[&base[..], &["svcomp"]].concat()).exits(3);
    assert_eq!(line.out, "UNKNOWN(time limit reached)\n");
    let answer = answer_within(&folder, &[&base[..], &["json"]].concat()).exits(3);
    let json: serde_json::Value = serde_json::from_str(&answer.out).expect("JSON");
    assert_eq!(json["stopped"], "time limit reached");
    assert_eq!(json["properties"][0]["verdict"], "unknown");
    assert_eq!(json["exit_code"], 3);
}

#[test]
fn memory_is_held_and_the_last_bound_is_said() {
    let folder = folder();
    let check = ["check", "unfold.c", "-p", "assert", "--memory", "120MB", "--timeout", "120s", "--no-random-testing"];
    let answer = folder.gordian(&check).exits(3);
    let answer = answer.says("HOLDS assert: no assertion fails up to ").says("Stopped: memory limit reached");
    assert!(answer.out.contains("iterations of each loop"), "{answer:#?}");
}

#[test]
fn an_interrupt_says_what_was_learned() {
    let folder = folder();
    let waits = [1500, 6000, 20_000].map(Duration::from_millis);
    let mut answers = waits.iter().map(|&wait| {
        let child = start(&folder, &["check", "unfold.c", "-p", "assert", "--no-random-testing"]);
        std::thread::sleep(wait);
        signal("-INT", child.id());
        Answer::from(child.wait_with_output().expect("an end"))
    });
    // On a busy machine the worker may not have begun when it is interrupted.
    let answer = answers.find(|answer| !answer.out.is_empty()).expect("an answer");
    let answer = answer.exits(3).says("Stopped: cancelled");
    assert!(answer.out.starts_with("HOLDS assert") || answer.out.starts_with("UNKNOWN assert"), "{answer:#?}");
}

#[test]
fn a_worker_that_crashes_is_a_bug_with_a_message() {
    for (name, signal_name) in [("-SEGV", "SIGSEGV"), ("-ABRT", "SIGABRT")] {
        let folder = folder();
        let child = start(&folder, &["check", "solve.c", "-p", "unreach-call", "-p", "assert"]);
        let worker = worker_of(&child);
        signal(name, worker);
        if name == "-SEGV" {
            // Rust's handler sees no stack overflow in the first one and leaves the next one to the system.
            std::thread::sleep(Duration::from_millis(200));
            signal(name, worker);
        }
        let answer = Answer::from(child.wait_with_output().expect("an end")).exits(4);
        let answer = answer.remarks("internal error").remarks(signal_name);
        assert!(answer.out.is_empty(), "there is no verdict: {answer:#?}");
    }
}

#[test]
fn a_worker_that_the_system_kills_ran_out_of_memory() {
    let folder = folder();
    let child = start(&folder, &["check", "solve.c", "-p", "assert", "--format", "svcomp"]);
    signal("-KILL", worker_of(&child));
    let answer = Answer::from(child.wait_with_output().expect("an end")).exits(3).remarks("out of memory");
    assert_eq!(answer.out, "UNKNOWN(memory limit reached)\n");
}

#[test]
fn a_worker_does_not_outlive_its_supervisor() {
    let folder = folder();
    let mut child = start(&folder, &["check", "solve.c", "-p", "assert"]);
    let worker = worker_of(&child);
    signal("-KILL", child.id());
    child.wait().expect("an end");
    // The worker holds the other end of this pipe until it ends.
    let mut rest = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut rest).expect("text");
    // It closes its files a little before it is gone.
    let began = Instant::now();
    loop {
        let state = std::fs::read_to_string(format!("/proc/{worker}/stat")).unwrap_or_default();
        if state.is_empty() || state.contains(") Z ") {
            break;
        }
        assert!(began.elapsed() < PATIENCE, "{state}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn start(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = folder.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("gordian should start")
}

fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status().expect("kill should start");
    assert!(sent.success());
}

/// The worker of a supervisor, once it has begun to solve.
fn worker_of(supervisor: &Child) -> u32 {
    let path = format!("/proc/{0}/task/{0}/children", supervisor.id());
    let began = Instant::now();
    loop {
        let children = std::fs::read_to_string(&path).unwrap_or_default();
        if let Some(worker) = children.split_ascii_whitespace().next() {
            std::thread::sleep(Duration::from_millis(800));
            return worker.parse().expect("a number");
        }
        assert!(began.elapsed() < PATIENCE, "there should be a worker");
        std::thread::sleep(Duration::from_millis(5));
    }
}

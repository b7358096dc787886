use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{Answer, Folder};

/// Another thread counts without end; the assertion holds only for a while.
const COUNTING: &str = "\
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int x;
void *count(void *p) { while (__VERIFIER_nondet_int()) x++; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    assert(x < 10);
    return 0;
}
";

/// No assertion is left, but the loop has no bound that can be seen.
const ENDLESS: &str = "\
#include <pthread.h>
#include <assert.h>
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

/// Many more states than can be visited in a minute, and no execution of more than a few hundred steps.
const WIDE: &str = "\
#include <pthread.h>
#include <assert.h>
int a, b, c, d, e;
#define COUNT(x) void *count_##x(void *p) { for (int i = 0; i < 50; i++) x++; return 0; }
COUNT(a) COUNT(b) COUNT(c) COUNT(d)
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count_a, 0);
    pthread_create(&t, 0, count_b, 0);
    pthread_create(&t, 0, count_c, 0);
    pthread_create(&t, 0, count_d, 0);
    for (int i = 0; i < 50; i++) e = a + b + c + d;
    assert(e <= 200);
    return 0;
}
";

/// Ends within any bound, and beyond it.
const SOME_ROUNDS: &str = "\
#include <assert.h>
extern int nondet_int(void);
int main(void) {
    int x = 0;
    while (nondet_int())
        x ^= 1;
    assert(x < 2);
    return 0;
}
";

/// The assertion is beyond ten rounds.
const TEN_ROUNDS: &str = "\
#include <assert.h>
int main(void) {
    int x = 0;
    while (x < 10)
        x++;
    assert(x == 10);
    return 0;
}
";

#[test]
fn a_bound_of_the_user_is_enough_for_0_and_never_called_a_proof() {
    let folder = Folder::new();
    folder.write("count.c", COUNTING);
    folder.write("some.c", SOME_ROUNDS);
    let bounded = folder.gordian(&["check", "some.c", "--unwind", "3", "-p", "assert"]).exits(0);
    bounded.says("HOLDS assert: ").says("up to 3 iterations of each loop");
    let bounded = folder.gordian(&["check", "count.c", "--unwind", "3", "-p", "assert"]).exits(0);
    let bounded = bounded.says("HOLDS assert: ").says("up to 3 iterations of each loop").says("count.c:5:");
    assert!(!bounded.out.contains("PROVED") && !bounded.out.contains("never reached"), "{bounded:#?}");
    folder.gordian(&["check", "count.c", "-p", "assert"]).exits(1).says("VIOLATED assert");
}

#[test]
fn a_bound_within_which_the_assertion_is_never_reached_is_3() {
    let folder = Folder::new();
    folder.write("ten.c", TEN_ROUNDS);
    let bounded = folder.gordian(&["check", "ten.c", "--unwind", "3", "-p", "assert"]).exits(3);
    bounded.says("HOLDS assert: ").says("the assertion at ten.c:6:5 was never reached within these bounds");
    folder.gordian(&["check", "ten.c", "--unwind", "11", "-p", "assert"]).exits(0);
}

#[test]
fn the_end_of_the_time_is_3() {
    let folder = Folder::new();
    folder.write("endless.c", ENDLESS);
    let answer = folder.gordian(&["check", "endless.c", "-p", "assert", "--timeout", "700ms"]).exits(3);
    assert!(answer.out.starts_with("HOLDS assert") || answer.out.starts_with("UNKNOWN assert"), "{answer:#?}");
    assert!(answer.out.contains("iterations of each loop") || answer.out.contains("time limit reached"), "{answer:#?}");
    let states = folder.gordian(&["explore", "endless.c", "--max-states", "500"]).exits(3);
    states.answers("assert", "UNKNOWN").says("stopped after 500 states");
}

#[test]
fn an_interrupt_is_3_with_what_was_learned() {
    let folder = Folder::new();
    folder.write("wide.c", WIDE);
    // On a busy machine the exploration may not have begun after the first of these.
    let waits = [1, 4, 16].map(Duration::from_secs);
    let mut answers = waits.iter().map(|&wait| interrupted_after(&folder, wait));
    let answer = answers.find(|answer| answer.out.contains("states were visited")).expect("an exploration");
    answer.exits(3).answers("assert", "UNKNOWN").says("cancelled");
}

fn interrupted_after(folder: &Folder, wait: Duration) -> Answer {
    let mut command = folder.command(&["explore", "wide.c", "--max-states", "1000000000"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("gordian should start");
    std::thread::sleep(wait);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill should start");
    assert!(sent.success());
    Answer::from(child.wait_with_output().expect("an end"))
}

#[test]
fn an_unsupported_construct_is_3_and_named_where_it_matters() {
    let folder = Folder::new();
    folder.write(
        "ext.c",
        "void reach_error(void); int mystery(int);\nint main(void) { int x = mystery(1); if ((x * x + x) & 1) reach_error(); return x; }\n",
    );
    let answer = folder
        .gordian(&["check", "ext.c", "-p", "unreach-call"])
        .exits(3)
        .says("UNKNOWN unreach-call: unsupported")
        .says("mystery");
    assert!(answer.out.contains("ext.c:2:"), "{answer:#?}");
    folder.gordian(&["run", "ext.c"]).exits(3).remarks("mystery");
    let stubbed =
        folder.gordian(&["check", "ext.c", "--stub", "mystery", "-p", "unreach-call"]).exits(0).says("PROVED");
    stubbed.says("Assuming that").says("mystery");
}

#[test]
fn a_thread_that_is_left_behind_is_a_violation_where_that_is_asked_about() {
    let folder = Folder::new();
    let text = |joins: &str| {
        format!(
            "#include <pthread.h>\nvoid *f(void *p) {{ return p; }}\n\
             int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); {joins} return 0; }}\n"
        )
    };
    folder.write("left.c", text(""));
    folder.write("joined.c", text("pthread_join(t, 0);"));
    folder.gordian(&["check", "left.c"]).exits(0);
    folder
        .gordian(&["check", "left.c", "-p", "no-thread-leak", "--no-random-testing"])
        .exits(1)
        .says("VIOLATED no-thread-leak");
    folder.gordian(&["check", "joined.c", "-p", "no-thread-leak"]).exits(0).says("PROVED no-thread-leak");
}

#[test]
fn a_closed_pipe_is_no_accident() {
    let folder = Folder::new();
    folder.write("count.c", COUNTING);
    let mut command = folder.command(&["show", "count.c", "--stage", "tokens"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("gordian should start");
    let mut line = String::new();
    let mut reader = BufReader::with_capacity(64, child.stdout.take().expect("a pipe"));
    reader.read_line(&mut line).expect("a line");
    drop(reader);
    let mut remarks = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut remarks).expect("text");
    assert_eq!(child.wait().expect("an end").code(), Some(0));
    assert!(remarks.is_empty() && line.contains(".h:"), "{remarks} {line}");
}

#[test]
fn run_prints_what_the_program_prints() {
    let folder = Folder::new();
    folder.write(
        "hello.c",
        "#include <stdio.h>\nint main(void) { printf(\"%d green %s\\n\", 3, \"bottles\"); return 7; }\n",
    );
    let answer = folder.gordian(&["run", "hello.c"]).exits(0).remarks("status 7");
    assert_eq!(answer.out, "3 green bottles\n");
}

//! Native recording and replay. Preprocessing needs a C compiler already, so it is there.

use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::{Answer, Folder, example, skip};

#[test]
fn a_native_run_is_predicted_from_and_its_finding_is_forced_natively() {
    let folder = Folder::new();
    let file = example("lost_update.c");
    let found = folder.gordian(&["predict", &file, "--save-schedule", "bug.txt"]).exits(1);
    found.says("VIOLATED assert: assertion `counter == 2` fails").remarks("the recorded native run has 3 threads");
    let replayed = folder.gordian(&["replay", "--native", &file, "bug.txt"]).exits(1);
    replayed.says("assertion `counter == 2` fails").says("native replay: the same violation was seen");
}

#[test]
fn a_native_trace_is_read_again_with_its_arguments_and_places() {
    let folder = Folder::new();
    let (file, script) =
        (example("../bench/programs/native/kv_server.c"), example("../bench/programs/native/kv_server.txt"));
    let recorded = folder.gordian(&["record", &file, "-o", "run.trace", "--", &script]).exits(0);
    recorded.remarks("it finished with status 0");
    let found = folder.gordian(&["predict", "run.trace", "--property", "no-deadlock", "--save-schedule", "bug.txt"]);
    found.exits(1).says("VIOLATED no-deadlock").remarks("--args");
    let replay = ["replay", "--native", "--property", "no-deadlock", &file, "bug.txt", "--args", &script];
    // The main thread may have come to its join by then, or not.
    let replayed = folder.gordian(&replay).exits(1);
    replayed.says("native replay: the same violation was seen").says("T1 and T2 wait for each other");
}

#[test]
fn a_schedule_of_another_program_says_where_it_departs() {
    let folder = Folder::new();
    folder.gordian(&["check", &example("lost_update.c"), "--save-schedule", "bug.txt"]).exits(1);
    let replayed = folder.gordian(&["replay", "--native", &example("bank_transfer.c"), "bug.txt"]).exits(2);
    replayed.says("the schedule does not match the program").says("the thread is here");
}

#[test]
fn standard_input_reaches_the_program_and_a_run_that_hangs_is_ended() {
    let folder = Folder::new();
    folder.write(
        "reader.c",
        "#include <stdio.h>\n#include <stdlib.h>\n\
         int main(void) { char line[20]; return fgets(line, sizeof line, stdin) ? atoi(line) : 1; }\n",
    );
    folder.write("input.txt", "42\n");
    let mut command = folder.command(&["record", "reader.c", "-o", "run.trace"]);
    command.stdin(File::open(folder.path().join("input.txt")).expect("the input"));
    Answer::from(command.output().expect("gordian should start")).exits(0).remarks("it finished with status 42");
    folder.write("spin.c", "volatile int x;\nint main(void) { for (;;) x++; }\n");
    let spin = ["record", "spin.c", "--run-timeout", "300ms", "--max-steps", "100", "-o", "run.trace"];
    folder.gordian(&spin).exits(0).remarks("it was ended at the time limit");
}

#[test]
fn a_compiler_that_refuses_is_an_error_only_if_it_was_asked_for() {
    let folder = Folder::new();
    folder.write("small.i", "int main(void) { return 0; }\n");
    let record = |options: &[&str]| {
        let mut command = folder.command(&[&["record", "small.i", "-o", "run.trace"], options].concat());
        Answer::from(command.env("CC", "false").output().expect("gordian should start"))
    };
    record(&["--record", "native"]).exits(2).remarks("the C compiler `false` does not compile the program");
    record(&[]).exits(0).remarks("the recorded run has 1 threads");
}

#[test]
fn files_streams_and_odd_names_are_the_users_own() {
    let folder = Folder::new();
    folder.write(
        "a program (1).c",
        "#include <stdio.h>\n#include <stdlib.h>\n\
         int main(int argc, char **argv) {\n  int a, b; char word[8];\n\
         if (argc != 3 || scanf(\"%d %7s %d\", &a, word, &b) != 3) return 9;\n\
         FILE *out = fopen(argv[1], \"w\"); if (!out) { perror(argv[1]); return 8; }\n\
         fprintf(out, \"%d %s %s\\n\", a + b, word, argv[2]); fprintf(stderr, \"to stderr: %d\\n\", a);\n\
         return 0;\n}\n",
    );
    folder.write("input.txt", "40 and 2\n");
    let arguments = ["record", "a program (1).c", "-o", "run ü.trace", "--", "out put.txt", "a \"b\" $c"];
    let mut command = folder.command(&arguments);
    command.stdin(File::open(folder.path().join("input.txt")).expect("the input"));
    let recorded = Answer::from(command.output().expect("gordian should start")).exits(0);
    recorded.remarks("to stderr: 40").remarks("it finished with status 0");
    let written = std::fs::read_to_string(folder.path().join("out put.txt")).expect("what the program wrote");
    assert_eq!(written, "42 and a \"b\" $c\n");
    folder.gordian(&["predict", "run ü.trace"]).exits(0);
}

#[test]
fn a_run_that_is_cut_short_says_where_and_why() {
    let folder = Folder::new();
    folder.write("spin.c", "volatile int x;\nint main(void) { for (;;) x++; }\n");
    let spin = ["record", "spin.c", "--run-timeout", "300ms", "--max-steps", "100", "-o", "run.trace"];
    folder.gordian(&spin).exits(0).remarks("steps the first 100 are recorded: increase --max-steps to record more");
    let folderless = ["record", "spin.c", "--record", "native", "--run-timeout", "300ms", "-o", "run.trace"];
    let mut command = folder.command(&folderless);
    let answer = Answer::from(command.env("TMPDIR", "/nonexistent/folder").output().expect("gordian should start"));
    answer.exits(2).remarks("cannot be written to the temporary directory");
}

#[test]
fn a_terminal_is_read_from() {
    if Command::new("script").arg("--version").output().is_err() {
        return skip("there is no `script` to make a terminal");
    }
    let folder = Folder::new();
    folder.write(
        "reader.c",
        "#include <stdio.h>\nint main(void) { int a, b; puts(\"ready\"); fflush(stdout);\n\
         return scanf(\"%d %d\", &a, &b) == 2 ? a - b : 1; }\n",
    );
    let binary = env!("CARGO_BIN_EXE_gordian");
    let mut command = Command::new("script");
    command.args(["-qec", &format!("{binary} record --record native reader.c -o run.trace"), "/dev/null"]);
    command.current_dir(folder.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("script should start");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"50 8\n").expect("what is typed");
    let output = child.wait_with_output().expect("an end");
    drop(input);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("it finished with status 42"), "{shown}");
}

//! `gordian predict` and `gordian record` in the interpreter: all that is found, in every format, and files that are no
//! traces.

use serde_json::Value;

use crate::support::{Folder, example};

const RECORDED: [&str; 4] = ["--record", "interpreter", "--seed", "1"];

fn bank() -> String {
    example("../bench/programs/fusion/bank.c")
}

#[test]
fn every_violation_is_a_result_of_its_own() {
    let (folder, file) = (Folder::new(), bank());
    let ask = |format: &str| {
        let options = ["predict", &file, "-p", "atomicity", "--atomic", "transfer", "--format", format];
        folder.gordian(&[&options[..], &RECORDED].concat()).exits(1)
    };
    let also = ask("text").out.lines().filter(|line| line.starts_with("also violated: atomicity at ")).count();
    assert!(also > 1);
    let json: Value = serde_json::from_str(&ask("json").out).expect("JSON");
    let property = &json["properties"][0];
    let others = property["others"].as_array().expect("other violations");
    assert_eq!(others.len(), also);
    assert!(others.iter().all(|other| other["trace"]["steps"].as_array().is_some_and(|steps| !steps.is_empty())));
    assert!(property["candidates"]["after locksets"].as_u64() < property["candidates"]["candidates"].as_u64());
    let sarif: Value = serde_json::from_str(&ask("sarif").out).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), also + 1);
    assert!(results.iter().all(|result| result["codeFlows"][0]["threadFlows"].is_array()));
}

#[test]
fn every_interruption_is_saved_and_replayed() {
    let (folder, file) = (Folder::new(), bank());
    let options = ["predict", &file, "--atomic", "transfer", "-p", "atomicity", "--save-schedule", "bug.txt"];
    let found = folder.gordian(&[&options[..], &RECORDED].concat()).exits(1);
    let found = found.remarks("gordian replay --property atomicity --atomic transfer FILE... bug-2.txt");
    let also = found.out.lines().filter(|line| line.starts_with("also violated")).count();
    for number in 1..=also + 1 {
        let schedule = if number == 1 { "bug.txt".to_owned() } else { format!("bug-{number}.txt") };
        let replay = ["replay", "-p", "atomicity", "--atomic", "transfer", &file, &schedule];
        folder.gordian(&replay).exits(1).says("VIOLATED atomicity: another thread interferes between");
        let without = ["replay", "-p", "atomicity", &file, &schedule];
        folder.gordian(&without).exits(0).says("violates none of the selected properties");
    }
}

#[test]
fn what_is_meant_to_be_atomic_has_to_be_there() {
    let (folder, file) = (Folder::new(), bank());
    let ask = |options: &[&str]| folder.gordian(&[&["predict", &file, "-p", "atomicity"], options, &RECORDED].concat());
    ask(&["--atomic", "transfers"]).exits(2).remarks("--atomic transfers: the program has no such function");
    ask(&[]).exits(0).remarks("no part of the run is marked as atomic");
}

#[test]
fn few_context_switches_are_enough_for_an_interruption() {
    let (folder, file) = (Folder::new(), bank());
    let options = ["predict", &file, "--atomic", "transfer", "-p", "atomicity", "--context-bound"];
    let ask = |bound| folder.gordian(&[&options[..], &[bound], &RECORDED].concat());
    ask("auto").exits(1);
    ask("1").exits(0).says("with at most 1 context switch");
}

#[test]
fn jobs_change_nothing_but_the_time() {
    let (folder, file) = (Folder::new(), bank());
    let ask = |jobs| {
        let options = ["predict", &file, "--atomic-regions", "--atomic", "transfer", "--jobs", jobs];
        let out = folder.gordian(&[&options[..], &RECORDED].concat()).exits(1).out;
        out.lines().filter(|line| !line.starts_with("Done in")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ask("1"), ask("3"));
}

#[test]
fn what_is_no_trace_of_this_program_is_refused() {
    let folder = Folder::new();
    let program = "#include <pthread.h>\nint x;\nvoid *other(void *unused) { x++; return 0; }\n\
                   int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); x++; return pthread_join(t, 0); }\n";
    folder.write("a.c", program);
    folder.gordian(&["record", "a.c", "-o", "run.trace", "--record", "interpreter"]).exits(0);
    folder.gordian(&["predict", "run.trace"]).exits(1).says("VIOLATED no-data-race");
    let text = std::fs::read_to_string(folder.path().join("run.trace")).expect("a trace");

    folder.write("later.trace", text.replacen("gordian-trace 1", "gordian-trace 2", 1));
    folder.gordian(&["predict", "later.trace"]).exits(2).remarks("later.trace: line 1: a trace that can be read here");
    folder.write("garbage.trace", [b"gordian-trace 1\nprogram ".as_slice(), &[0xff, 0xfe, 0, 7]].concat());
    folder.gordian(&["predict", "garbage.trace"]).exits(2).remarks("garbage.trace");
    folder.write("forged.trace", text.replacen("thread f", "thread f9", 1));
    folder.gordian(&["predict", "forged.trace"]).exits(2).remarks("does not match the program");
    folder.gordian(&["predict", "run.trace", "a.c"]).exits(2).remarks("either C files or traces");
    for length in (0..text.len()).step_by(text.len() / 40 + 1) {
        folder.write("half.trace", &text[..length]);
        let answer = folder.gordian(&["predict", "half.trace"]);
        assert!(matches!(answer.code, Some(0..=3)), "{answer:#?}");
    }
    folder.write("a.c", program.replace("int main", "\nint y;\nint main"));
    folder.gordian(&["predict", "run.trace"]).exits(2).remarks("recorded with a different program");
}

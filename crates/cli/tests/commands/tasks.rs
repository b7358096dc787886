//! Task definitions as input, and `gordian bench`.

use crate::support::Folder;

const RACE: &str = "\
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) { if (__VERIFIER_nondet_int() == 77) reach_error(); return 0; }
";
const SAFE: &str = "void reach_error(void);\nint main(void) { if (sizeof(long) != 4) reach_error(); return 0; }\n";
const LOOP: &str = "\
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) { int i = 0; while (__VERIFIER_nondet_int()) i++; if (i == 1000000) reach_error(); return 0; }
";

fn definition(file: &str, properties: &[(&str, bool)]) -> String {
    let mut text = format!("format_version: '2.0'\n\ninput_files: '{file}'\n\nproperties:\n");
    for (name, expected) in properties {
        text += &format!("  - property_file: ../properties/{name}.prp\n    expected_verdict: {expected}\n");
    }
    text + "  - property_file: ../properties/coverage-branches.prp\n\noptions:\n  language: C\n  data_model: ILP32\n"
}

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("race.c", RACE).write("safe.c", SAFE).write("loop.c", LOOP);
    folder.write("race.yml", definition("race.c", &[("unreach-call", false), ("no-overflow", true)]));
    folder.write("safe.yml", definition("safe.c", &[("unreach-call", true)]));
    folder
}

#[test]
fn a_task_gives_files_data_model_and_properties() {
    let folder = folder();
    let violated = folder.gordian(&["check", "race.yml"]).exits(1);
    let violated = violated.says("VIOLATED unreach-call").says("no-overflow");
    assert!(!violated.out.contains("assert:"), "only the task's properties: {violated:#?}");
    folder.gordian(&["check", "safe.yml"]).exits(0).says("PROVED unreach-call");
    folder.gordian(&["check", "safe.yml", "--data-model", "lp64"]).exits(1);
    folder.gordian(&["check", "safe.c"]).exits(1).says("VIOLATED unreach-call");
    let one = folder.gordian(&["check", "race.yml", "-p", "unreach-call", "--format", "svcomp"]).exits(1);
    assert_eq!(one.out, "FALSE(unreach-call)\n");
    folder.gordian(&["run", "safe.yml"]).exits(0);
}

#[test]
fn a_task_that_cannot_be_used_is_explained() {
    let folder = folder();
    folder.write("broken.yml", "input_files: [a.c").write("empty.yml", "").write("binary.yml", [0xff, 0x00]);
    folder.write("strange.yml", "input_files: race.c\nproperties:\n  - property_file: termination.prp\n");
    folder.write("model.yml", "input_files: race.c\noptions:\n  data_model: VAX\n");
    folder.write("gone.yml", "input_files: gone.c\n");
    let cases = [
        ("broken.yml", "broken.yml"),
        ("empty.yml", "empty.yml"),
        ("binary.yml", "binary.yml"),
        ("missing.yml", "missing.yml"),
        ("strange.yml", "termination"),
        ("model.yml", "VAX"),
        ("gone.yml", "gone.c"),
    ];
    for (file, word) in cases {
        let answer = folder.gordian(&["check", file]).exits(2).remarks(word);
        assert!(answer.out.is_empty(), "{answer:#?}");
        let line = folder.gordian(&["check", file, "--format", "svcomp", "-p", "unreach-call"]);
        assert!(file == "strange.yml" || line.out == "UNKNOWN(the input cannot be read)\n", "{line:#?}");
    }
    folder.gordian(&["check", "race.yml", "race.c"]).exits(2).remarks("give no other");
}

#[test]
fn a_bench_counts_scores_and_writes_figures() {
    let folder = folder();
    folder.write("loop.yml", definition("loop.c", &[("unreach-call", true)]));
    let bench = ["bench", ".", "-j", "2", "-p", "unreach-call", "--csv", "out.csv", "--logs", "logs"];
    let answer = folder.gordian(&[&bench[..], &["--", "--unwind", "2"]].concat()).exits(0);
    let total: Vec<&str> = answer.out.lines().last().expect("a line").split_ascii_whitespace().collect();
    assert_eq!(total[..4], ["total", "3", "1", "1"], "{answer:#?}");
    assert_eq!(total[10..12], ["3", "5"], "score and best score: {answer:#?}");
    let csv = std::fs::read_to_string(folder.path().join("out.csv")).expect("a file");
    assert_eq!(csv.lines().count(), 4, "{csv}");
    let row = |name: &str| csv.lines().find(|line| line.contains(name)).expect("a row").to_owned();
    assert!(row("race.yml").contains(",unreach-call,false,false,correct,1,"), "{csv}");
    assert!(row("safe.yml").contains(",unreach-call,true,true,correct,2,"), "{csv}");
    assert!(row("loop.yml").contains(",true,unknown,unknown,0,"), "{csv}");
    assert!(row("loop.yml").contains(",2 iterations of each loop,"), "{csv}");
    assert!(folder.path().join("logs/race.yml.unreach-call.log").exists());
}

#[test]
fn a_bench_survives_what_a_verifier_does() {
    let folder = folder();
    folder.write(
        "list.tsv",
        "set\tpath\tproperty\texpected\tdata_model\tnotes\n\
         s\trace.c\tunreach-call\tfalse\tILP32\t\n\
         s\tsafe.c\tunreach-call\ttrue\tLP64\t\n",
    );
    let with = |command: &str, code: i32| {
        let bench = ["bench", "list.tsv", "--cpu", "1s", "--wall", "1s", "--command", command];
        let answer = folder.gordian(&bench).exits(code);
        let total = answer.out.lines().last().expect("a line").split_ascii_whitespace();
        total.skip(1).take(10).map(|figure| figure.parse::<i64>().expect("a figure")).collect::<Vec<_>>()
    };
    // Tasks, right and wrong answers, unknown, time, memory, errors, score.
    assert_eq!(with("echo TRUE", 1), [2, 1, 0, 1, 0, 0, 0, 0, 0, -30]);
    assert_eq!(with("echo VERIFICATION FAILED", 1), [2, 0, 1, 0, 1, 0, 0, 0, 0, -15]);
    assert_eq!(with("kill -SEGV $$", 0), [2, 0, 0, 0, 0, 0, 0, 0, 2, 0]);
    assert_eq!(with("sleep 100", 0), [2, 0, 0, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(with("test {bits} = 32 && echo FALSE || echo UNKNOWN", 0), [2, 0, 1, 0, 0, 1, 0, 0, 0, 1]);
    assert_eq!(with("grep -q 77 {file} && echo {prop} {model} && echo FALSE", 0), [2, 0, 1, 0, 0, 0, 0, 0, 1, 1]);
}

#[test]
fn a_bench_without_tasks_is_wrong_usage() {
    let folder = folder();
    folder.gordian(&["bench", "nowhere"]).exits(2).remarks("nowhere");
    folder.gordian(&["bench", ".", "--match", "nothing"]).exits(2).remarks("no task was selected");
    folder.gordian(&["bench", ".", "--match", "("]).exits(2);
    folder.write("bad.tsv", "a\tb\n1\t2\n");
    folder.gordian(&["bench", "bad.tsv"]).exits(2).remarks("no column `path`");
}

//! Correctness witnesses, ours and foreign ones, and their format.

use serde_json::Value;

use crate::support::Folder;

/// A worker that counts under a lock; the loop of `main` is at line 11.
const PROGRAM: &str = "#include <pthread.h>\nextern void reach_error(void);\nint n;\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
    void *work(void *p) {\n  pthread_mutex_lock(&m);\n  if (n < 2) n++;\n  pthread_mutex_unlock(&m);\n  return 0; }\n\
    int main(void) { int i = 0; pthread_t t;\n  while (i < 3) {\n    pthread_create(&t, 0, work, 0);\n    i++; }\n  \
    if (i != 3) reach_error();\n  return 0; }\n";

fn witness(kind: &str, line: u32, value: &str, format: &str) -> String {
    format!(
        "- entry_type: invariant_set\n  metadata:\n    format_version: '2.0'\n    task:\n      specification: CHECK( \
         init(main()), LTL(G ! call(reach_error())) )\n      data_model: LP64\n  content:\n    - invariant:\n        type: \
         {kind}\n        location: {{file_name: other/p.c, line: {line}, function: main}}\n        value: {value}\n        \
         format: {format}\n"
    )
}

#[test]
fn foreign_invariants_are_proved_refuted_or_left_open() {
    let folder = Folder::new();
    folder.write("p.c", PROGRAM);
    let answer = |kind, line, value, format| {
        folder.write("w.yml", witness(kind, line, value, format));
        folder.gordian(&["validate", "p.c", "w.yml", "--timeout", "60s"])
    };
    answer("loop_invariant", 11, "i <= 3 && i >= 0", "c_expression").exits(0).says("CONFIRMED: its invariant holds");
    answer("location_invariant", 6, "n >= 0 && n <= 2", "c_expression").exits(0).says("CONFIRMED");
    let refuted = answer("location_invariant", 6, "n == 0", "c_expression").exits(1);
    refuted.says("REFUTED: an invariant").says("the invariant `n == 0` does not hold").says("p.c:6:3");
    answer("loop_invariant", 11, "i < 3", "c_expression").exits(1).says("REFUTED");
    answer("loop_invariant", 6, "n >= 0", "c_expression").exits(3).says("no loop begins there");
    answer("location_invariant", 6, "n++ >= 0", "c_expression").exits(3).says("it has an effect");
    answer("location_invariant", 6, "n >= 0", "acsl").exits(3).says("not understood");
    answer("location_invariant", 6, "nobody == 0", "c_expression").exits(2).remarks("nobody");
}

#[test]
fn a_proof_of_what_is_violated_is_refuted() {
    let folder = Folder::new();
    folder.write("p.c", PROGRAM.replace("i != 3", "i == 3"));
    folder.write("w.yml", witness("loop_invariant", 11, "i <= 3", "c_expression"));
    let refuted = folder.gordian(&["validate", "p.c", "w.yml"]).exits(1);
    refuted.says("REFUTED: a property that the witness claims is violated").says("VIOLATED unreach-call");
}

/// What the published schema of the format demands, as far as it can be said without it.
#[test]
fn our_invariants_have_the_format_and_are_confirmed() {
    let folder = Folder::new();
    folder.write("p.c", PROGRAM);
    folder.gordian(&["check", "p.c", "-p", "unreach-call", "--witness", "w.yml"]).exits(0);
    let text = std::fs::read_to_string(folder.path().join("w.yml")).expect("a witness");
    let entries: Value = serde_saphyr::from_str(&text).expect("YAML");
    let entry = &entries[0];
    assert_eq!(entry["entry_type"], "invariant_set");
    let metadata = &entry["metadata"];
    assert_eq!(metadata["format_version"], "2.0");
    assert_eq!(metadata["uuid"].as_str().map(str::len), Some(36));
    assert!(metadata["creation_time"].as_str().is_some_and(|time| time.len() == 20 && time.ends_with('Z')));
    assert!(metadata["producer"]["name"].is_string() && metadata["producer"]["version"].is_string());
    let task = &metadata["task"];
    assert_eq!((&task["input_files"][0], &task["language"]), (&Value::from("p.c"), &Value::from("C")));
    assert_eq!(task["input_file_hashes"]["p.c"].as_str().map(str::len), Some(64));
    assert_eq!((&task["data_model"], task["specification"].is_string()), (&Value::from("LP64"), true));
    let content = entry["content"].as_array().expect("a set");
    assert!(content.len() >= 2, "{text}");
    let lines: Vec<&str> = PROGRAM.lines().collect();
    for item in content {
        let invariant = &item["invariant"];
        let place = &invariant["location"];
        let number = |key: &str| place[key].as_u64().expect("a number") as usize;
        let there = &lines[number("line") - 1][number("column") - 1..];
        match invariant["type"].as_str() {
            Some("loop_invariant") => assert!(there.starts_with("while"), "{there}"),
            Some("location_invariant") => {
                assert!(there.starts_with("pthread_mutex_lock") || there.starts_with("int i"))
            }
            other => panic!("{other:?} is no type of invariants"),
        }
        assert_eq!((&invariant["format"], &place["file_name"]), (&Value::from("c_expression"), &Value::from("p.c")));
    }
    folder.gordian(&["validate", "p.c", "w.yml"]).exits(0).says("CONFIRMED");
    let false_ones = text.replace("<= 3", "<= 2");
    assert_ne!(false_ones, text);
    folder.write("w.yml", false_ones);
    folder.gordian(&["validate", "p.c", "w.yml"]).exits(1).says("REFUTED");
}

/// Nobody says the inputs, and no random ones will do: an engine solves for them.
#[test]
fn inputs_that_a_foreign_witness_leaves_out_are_solved_for() {
    let folder = Folder::new();
    folder.write(
        "p.c",
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nint main(void) {\n  int x = \
         __VERIFIER_nondet_int();\n  int y = __VERIFIER_nondet_int();\n  if (x * 3 == 370368 && y == x + 5)\n    \
         reach_error();\n  return 0; }\n",
    );
    let graph = "<graphml><graph><data key='witness-type'>violation_witness</data><data key='specification'>CHECK( \
        init(main()), LTL(G ! call(reach_error())) )</data><node id='a'><data key='entry'>true</data></node>\
        <node id='b'><data key='violation'>true</data></node><edge source='a' target='b'><data key='startline'>6</data>\
        </edge></graph></graphml>";
    folder.write("w.graphml", graph);
    folder.gordian(&["validate", "p.c", "w.graphml"]).exits(1).says("CONFIRMED").says("123456");
}

/// A line that the library reads is part of the story.
#[test]
fn inputs_of_library_functions_are_told() {
    let folder = Folder::new();
    folder.write(
        "p.c",
        "#include <stdio.h>\n#include <assert.h>\nint main(void) {\n  char line[8];\n  if (fgets(line, sizeof line, stdin))\n    \
         assert(line[0] != 'q' || line[1] != 'z');\n}\n",
    );
    let found = folder.gordian(&["check", "p.c", "-p", "assert", "--witness", "w.graphml"]).exits(1);
    found.says("from fgets").says("gets bytes \"qz");
    folder.gordian(&["validate", "p.c", "w.graphml"]).exits(1).says("CONFIRMED");
    let json = folder.gordian(&["check", "p.c", "-p", "assert", "--format", "json"]).exits(1);
    json.says("\"function\": \"fgets\"");
}

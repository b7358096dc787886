//! `gordian predict` on traces of foreign programs.

use crate::support::Folder;

/// The write and the read are under different locks.
const RACE: &str = "\
main|fork(T1)|Main.java:3
T1|acq(L1)|Run.java:5
T1|w(counter)|Run.java:6
T1|rel(L1)|Run.java:7
main|acq(L2)|Main.java:5
main|w(counter)|Main.java:6
main|rel(L2)|Main.java:7
main|join(T1)|Main.java:9
main|r(counter)|Main.java:10
";

/// Two locks in both orders, one after the other.
const DEADLOCK: &str = "\
A|acq(x)|1
A|acq(y)|2
A|rel(y)|3
A|rel(x)|4
B|acq(y)|5
B|acq(x)|6
B|rel(x)|7
B|rel(y)|8
";

/// Between the two writes of a transaction another thread reads.
const TRANSACTION: &str = "\
A|begin|1
A|w(x)|2
A|w(x)|3
A|end|4
B|r(y)|5
B|r(x)|6
";

#[test]
fn a_race_is_found_with_both_places_and_an_order() {
    let folder = Folder::new();
    folder.write("race.std", RACE);
    for arguments in [&["predict", "race.std"][..], &["predict", "--trace", "race.std"]] {
        folder
            .gordian(arguments)
            .exits(1)
            .says("VIOLATED no-data-race: 1 pair of locations races")
            .says("T1|w(counter) at Run.java:6 (line 3)")
            .says("main|w(counter) at Main.java:6 (line 6)")
            .says("no-data-race: 2 candidates, 2 after locksets, 1 after must-happen-before, 1 possible")
            .says("HOLDS no-deadlock");
    }
}

#[test]
fn the_answer_is_also_for_tools() {
    let folder = Folder::new();
    folder.write("race.std", RACE);
    let answer = folder.gordian(&["predict", "race.std", "--format", "json"]).exits(1);
    let json: serde_json::Value = serde_json::from_str(&answer.out).expect("JSON");
    assert_eq!(json["verdict"], "violated");
    let finding = &json["properties"][0]["findings"][0];
    assert_eq!(finding["events"][0]["location"], "Run.java:6");
    assert_eq!(finding["next"], serde_json::json!([3, 6]));
    let answer = folder.gordian(&["predict", "race.std", "--format", "sarif"]).exits(1);
    let sarif: serde_json::Value = serde_json::from_str(&answer.out).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "no-data-race");
    assert_eq!(sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"], 3);
}

#[test]
fn locks_in_both_orders_are_a_deadlock() {
    let folder = Folder::new();
    folder.write("order.std", DEADLOCK);
    folder.gordian(&["predict", "order.std"]).exits(1).says("VIOLATED no-deadlock: 1 cycle of threads can deadlock");
}

#[test]
fn a_transaction_can_be_interrupted() {
    let folder = Folder::new();
    folder.write("marked.std", TRANSACTION);
    folder.gordian(&["predict", "marked.std", "-p", "atomicity"]).exits(1).says("VIOLATED atomicity");
}

#[test]
fn small_windows_are_the_answer_of_who_asked_for_them() {
    let folder = Folder::new();
    let quiet: String = (0..3000).map(|index| format!("T{}|r(x)|1\n", index % 2)).collect();
    folder.write("quiet.std", quiet);
    let windows = "HOLDS no-data-race: no violation in any reordering of";
    folder.gordian(&["predict", "quiet.std"]).exits(3).says(windows).says("in windows of 1000 that overlap by half");
    folder.gordian(&["predict", "quiet.std", "--window", "100"]).exits(0).says(windows);
    folder
        .gordian(&["predict", "quiet.std", "--window", "3000"])
        .exits(0)
        .says("in any reordering of the recorded run");
}

#[test]
fn a_bad_trace_is_refused_with_its_line() {
    let folder = Folder::new();
    folder.write("bad.std", "A|acq(x)|1\nA|read(x)|2\n").write("no_run.std", "A|acq(x)|1\nB|acq(x)|2\n");
    folder.gordian(&["predict", "bad.std"]).exits(2).remarks("bad.std: line 2: `read` is not an operation");
    folder.gordian(&["predict", "no_run.std"]).exits(2).remarks("line 2: B acquires x, which A holds");
    folder.gordian(&["predict", "absent.std"]).exits(2).remarks("absent.std");
    folder.gordian(&["predict", "bad.std", "-p", "assert"]).exits(2);
    folder.gordian(&["predict"]).exits(2).remarks("FILE");
    folder.gordian(&["predict", "no_run.std", "--trace", "bad.std"]).exits(2).remarks("one external trace");
}

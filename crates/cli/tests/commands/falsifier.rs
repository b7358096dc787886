//! The quick falsifier before the engine, as its users meet it.

use crate::support::{Folder, example};

#[test]
fn luck_is_tried_first_and_said_in_the_statistics() {
    let folder = Folder::new();
    let file = example("lost_update.c");
    let lucky =
        folder.gordian(&["check", &file, "--stats", "-p", "assert"]).exits(1).says("random testing: executions");
    assert!(!lucky.out.contains("unfolding time"), "nothing was left for the engine: {lucky:#?}");
    for switch in [&["--no-falsify"][..], &["--unwind", "2"]] {
        let check = [&["check", &file, "--stats", "-p", "assert"], switch].concat();
        let unlucky = folder.gordian(&check).exits(1).says("unfolding time").says("replay time");
        assert!(!unlucky.out.contains("random testing:"), "{unlucky:#?}");
    }
}

#[test]
fn the_same_bug_comes_with_the_same_interleaving() {
    let folder = Folder::new();
    let file = example("lost_update.c");
    let schedule = |name: &str| {
        folder.gordian(&["check", &file, "--save-schedule", name]).exits(1);
        folder.gordian(&["replay", &file, name]).exits(1).says("assertion `counter == 2` fails");
        std::fs::read_to_string(folder.path().join(name)).expect("a schedule")
    };
    assert_eq!(schedule("one.txt"), schedule("two.txt"));
}

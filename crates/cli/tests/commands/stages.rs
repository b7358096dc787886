use crate::support::{Folder, example};

#[test]
fn every_stage_can_be_shown() {
    let folder = Folder::new();
    let file = example("lost_update.c");
    let show = |stage: &str| folder.gordian(&["show", &file, "--stage", stage]).exits(0);
    show("tokens").says("Identifier\tcounter");
    show("ast").says("define increment");
    show("program").says("load i32");
    show("cfg").says("increment").says("b0 -> ");
    show("sharing").says("counter++;").says("store i32");
    show("events").says("increment");
    folder.gordian(&["show", &file, "--stage", "cfg", "--dot"]).exits(0).says("digraph cfg {");
}

#[test]
fn the_abstract_reachability_tree_has_regions_coverings_and_pruned_branches() {
    let folder = Folder::new();
    let file = example("lost_update_fixed.c");
    for kind in ["r", "rc", "rc-full-path"] {
        let show = ["show", &file, "--stage", "art", "--interpolants", kind];
        let text = folder.gordian(&show).exits(0);
        text.says("(covered by s").says("[counter != 2] pruned").says("counter == 0");
        let dot = folder.gordian(&[&show[..], &["--dot"]].concat()).exits(0);
        dot.says("digraph art {").says("style=dashed").says("style=dotted");
    }
    folder.gordian(&["show", &file, "--stage", "cfg", "--interpolants", "r"]).exits(2).remarks("--stage art");
}

#[test]
fn interpolants_are_for_their_engine() {
    let folder = Folder::new();
    let file = example("lost_update.c");
    let check = |more: &[&str]| folder.gordian(&[&["check", &file, "--only", "--engine", "interp"], more].concat());
    for kind in ["r", "rc", "rc-full-path"] {
        check(&["-p", "assert", "--interpolants", kind]).exits(1).says("VIOLATED assert");
    }
    check(&["-p", "assert", "--interp-order", "none"]).exits(1).says("VIOLATED assert");
    check(&["--interpolants", "r", "--interp-order", "loop"]).exits(2).remarks("--interp-order");
    check(&["--interp-blocks", "merged"]).exits(2).remarks("--interpolants");
    folder.gordian(&["check", &file, "--interpolants", "r"]).exits(2).remarks("--engine interp");
}

#[test]
fn the_text_of_a_program_is_read_back_as_the_same_program() {
    let folder = Folder::new();
    let shown = folder.gordian(&["show", &example("peterson.c"), "--stage", "program"]).exits(0).out;
    let parsed: program::Program = shown.parse().expect("a program");
    assert_eq!(parsed.to_string(), shown);
}

const TWO_LOOPS: &str = "\
#include <pthread.h>
int x;
void *count(void *p) { while (x < 9) x++; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    count(0);
    return 0;
}
";

#[test]
fn more_rounds_are_more_events() {
    let folder = Folder::new();
    folder.write("loop.c", TWO_LOOPS);
    let events = |rounds: &str| {
        let shown = folder.gordian(&["show", "loop.c", "--stage", "events", "--unwind", rounds]).exits(0).out;
        shown.lines().count()
    };
    assert!(events("4") > events("1"));
}

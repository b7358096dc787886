use crate::support::{Folder, example};

#[test]
fn the_lost_update_is_found_saved_and_replayed() {
    let folder = Folder::new();
    let file = example("lost_update.c");
    let found = folder.gordian(&["check", &file, "--save-schedule", "bug.txt"]).exits(1);
    let found = found.says("VIOLATED assert: assertion `counter == 2` fails").says("lost_update.c:30:5");
    let found = found.says("| T1 increment").says("reads counter = 0").says("!! assertion").remarks("gordian replay");
    let replayed = folder.gordian(&["replay", &file, "bug.txt"]).exits(1);
    let replayed = replayed.says("VIOLATED assert: assertion `counter == 2` fails").says("lost_update.c:30:5");
    assert!(found.out.starts_with(&replayed.out), "the same violation with the same interleaving");
}

#[test]
fn a_run_finds_it_too_and_its_schedule_replays() {
    let folder = Folder::new();
    let file = example("lost_update.c");
    for scheduler in ["random", "pct"] {
        let run = ["run", &file, "--runs", "1000", "--scheduler", scheduler, "--save-schedule", "bug.txt"];
        folder.gordian(&run).exits(1).says("VIOLATED assert").remarks("found with seed");
        for _ in 0..20 {
            folder.gordian(&["replay", &file, "bug.txt"]).exits(1).says("assertion `counter == 2` fails");
        }
        std::fs::remove_file(folder.path().join("bug.txt")).expect("a saved schedule");
    }
}

#[test]
fn the_repaired_one_is_proved_and_no_schedule_is_saved() {
    let folder = Folder::new();
    let file = example("lost_update_fixed.c");
    let proved = folder.gordian(&["check", &file, "--save-schedule", "bug.txt"]).exits(0);
    let proved = proved.says("PROVED assert").says("PROVED unreach-call").says("memory is sequentially consistent");
    assert!(!proved.out.contains("malloc"), "only assumptions that matter: {proved:#?}");
    assert!(!folder.path().join("bug.txt").exists());
    folder.gordian(&["run", &file, "--runs", "50"]).exits(0).remarks("50 runs");
}

#[test]
fn the_explorer_agrees_on_both() {
    let folder = Folder::new();
    let found = folder.gordian(&["explore", &example("lost_update.c"), "--save-schedule", "bug.txt"]).exits(1);
    found.says("VIOLATED assert: assertion `counter == 2` fails");
    folder.gordian(&["replay", &example("lost_update.c"), "bug.txt"]).exits(1);
    let proved = folder.gordian(&["explore", &example("lost_update_fixed.c"), "--count"]).exits(0);
    proved.says("PROVED assert").says("executions");
}

/// Main and one thread with n independent steps each: C(2n, n).
#[test]
fn the_explorer_counts_what_the_formula_says() {
    let folder = Folder::new();
    for (steps, count) in [(1, 2), (3, 20), (5, 252), (8, 12_870), (10, 184_756)] {
        let repeated = |name: &str| format!("{name} = 1; ").repeat(steps);
        let text = format!(
            "#include <pthread.h>\nint x, y;\nvoid *work(void *p) {{ {} return 0; }}\nint main(void) {{ pthread_t t; \
             pthread_create(&t, 0, work, 0); {} pthread_join(t, 0); return 0; }}\n",
            repeated("x"),
            repeated("y")
        );
        folder.write("steps.c", text);
        let counted = folder.gordian(&["explore", "steps.c", "--count"]).exits(0);
        counted.says(&format!("there are {count} executions"));
    }
}

/// What the header of each example promises, by every engine and by the explorer.
#[test]
fn every_example_keeps_its_promise() {
    let folder = Folder::new();
    let promises: [(&str, &[&str], i32); 10] = [
        ("lost_update.c", &[], 1),
        ("lost_update_fixed.c", &[], 0),
        ("message_passing.c", &[], 0),
        ("message_passing.c", &["-D", "HASTY"], 1),
        ("peterson.c", &[], 0),
        ("peterson.c", &["-D", "IMPOLITE"], 1),
        ("bank_transfer.c", &[], 1),
        ("bank_transfer.c", &["-D", "ATOMIC"], 0),
        ("producer_consumer.c", &[], 0),
        ("producer_consumer.c", &["-D", "ONCE"], 1),
    ];
    for (name, defines, code) in promises {
        let file = example(name);
        let verdict = if code == 0 { "PROVED assert" } else { "VIOLATED assert" };
        for engine in engines::ENGINES {
            let arguments = [&["check", &file, "--engine", engine.name()], defines].concat();
            folder.gordian(&arguments).exits(code).says(verdict);
        }
        folder.gordian(&[&["explore", &file], defines].concat()).exits(code).says(verdict);
    }
}

#[test]
fn a_module_without_main_runs_as_threads() {
    let folder = Folder::new();
    folder.write(
        "driver.c",
        "#include <assert.h>\nint state;\nvoid setup(void) { state = 1; }\n\
         void interrupt(void) { state = 2; }\nvoid worker(void) { int s = state; assert(s == 1); }\n",
    );
    let threads = ["check", "driver.c", "--init", "setup", "--thread", "interrupt", "--thread", "worker"];
    folder.gordian(&threads).exits(1).says("VIOLATED assert").says("driver.c:5:");
    folder.gordian(&threads[..6]).exits(0).says("PROVED assert");
}

#[test]
fn several_files_are_one_program_and_places_name_their_file() {
    let folder = Folder::new();
    folder.write("shared.h", "extern int x;\nvoid *add(void *);\n");
    folder.write("add.c", "#include \"shared.h\"\nint x;\nvoid *add(void *p) { x++; return 0; }\n");
    folder.write(
        "main.c",
        "#include <assert.h>\n#include <pthread.h>\n#include \"shared.h\"\nint main(void) {\n  pthread_t t;\n  \
         pthread_create(&t, 0, add, 0);\n  x++;\n  pthread_join(t, 0);\n  assert(x == 2);\n  return 0;\n}\n",
    );
    let answer = folder.gordian(&["check", "main.c", "add.c"]).exits(1).says("main.c:9:");
    answer.says("add.c:3 |").says("main.c:7 |");
    folder.gordian(&["check", "main.c", "-p", "assert"]).exits(3).says("external function `add`");
}

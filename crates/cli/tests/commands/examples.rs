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
    let proved = proved.answers("assert", "PROVED").says("memory is sequentially consistent");
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
    proved.answers("assert", "PROVED").says("executions");
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
        let verdict = if code == 0 { "PROVED" } else { "VIOLATED" };
        for engine in engines::UNFOLDING {
            let arguments = [&["check", &file, "--engine", engine.name()], defines].concat();
            folder.gordian(&arguments).exits(code).answers("assert", verdict);
        }
        for engine in engines::TREE {
            let arguments = ["check", &file, "--engine", engine.name(), "--reduction", "states"];
            folder.gordian(&[&arguments, defines].concat()).exits(code).answers("assert", verdict);
        }
        folder.gordian(&[&["explore", &file], defines].concat()).exits(code).answers("assert", verdict);
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
    folder.gordian(&threads[..6]).exits(0).answers("assert", "PROVED");
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

/// What the command line of overflow.c takes no part in; else its arguments are considered up to a bound.
const WITHOUT_SITE: [&str; 4] = ["assert", "unreach-call", "valid-free", "no-bad-shift"];

/// Every example in the folder, with what is wrong with it; all else is proved.
const EXAMPLES: [(&str, &[&str]); 12] = [
    ("bank_transfer.c", &["assert"]),
    ("deadlock.c", &["no-deadlock"]),
    ("deadlock_fixed.c", &[]),
    ("lock_misuse.c", &["lock-misuse"]),
    ("lost_update.c", &["assert", "no-data-race"]),
    ("lost_update_fixed.c", &[]),
    ("lost_wakeup.c", &["no-deadlock"]),
    ("message_passing.c", &[]),
    ("overflow.c", &["no-overflow"]),
    ("peterson.c", &[]),
    ("producer_consumer.c", &[]),
    ("use_after_free.c", &["no-data-race", "valid-deref"]),
];

#[test]
fn all_examples_at_once_have_their_summaries() {
    let folder = Folder::new();
    let files: Vec<String> = EXAMPLES.iter().map(|(name, _)| example(name)).collect();
    let in_folder = std::fs::read_dir(std::path::Path::new(&files[0]).parent().expect("a folder")).expect("a folder");
    let sources =
        in_folder.filter(|entry| entry.as_ref().is_ok_and(|e| e.path().extension().is_some_and(|x| x == "c")));
    assert_eq!(sources.count(), EXAMPLES.len(), "every example is listed here");
    let mut arguments = vec!["check"];
    arguments.extend(files.iter().map(String::as_str));
    let mut checked = folder.gordian(&arguments).exits(1).says("12 programs\n");
    checked.out.insert(0, '\n');
    let parts: Vec<&str> = checked.out.split("\n-- ").skip(1).collect();
    assert_eq!(parts.len(), EXAMPLES.len(), "{}", checked.out);
    for ((name, violated), part) in EXAMPLES.iter().zip(parts) {
        assert!(part.lines().next().is_some_and(|heading| heading.contains(name)), "{part}");
        let table = part.split("Summary\n").nth(1).expect("a summary");
        for line in table.lines().take_while(|line| !line.is_empty()) {
            let mut words = line.split_whitespace();
            let (property, verdict) = (words.next().expect("a property"), words.next().expect("a verdict"));
            let expected = match *name {
                _ if violated.contains(&property) => "VIOLATED",
                "overflow.c" if !WITHOUT_SITE.contains(&property) => "HOLDS",
                _ => "PROVED",
            };
            assert_eq!(verdict, expected, "{name}: {line}");
        }
    }
}

#[test]
fn several_programs_need_a_format_that_can_hold_them() {
    let folder = Folder::new();
    let (first, second) = (example("lost_update.c"), example("peterson.c"));
    folder.gordian(&["check", &first, &second, "--format", "json"]).exits(2).remarks("have a function `main`");
    folder.gordian(&["check", &first, &second, "--html", "page.html"]).exits(2).remarks("have a function `main`");
}

/// A header that both files include: its types are the same in both.
#[test]
fn files_of_one_program_share_their_types() {
    let folder = Folder::new();
    let header = "typedef struct { int x, y; } point;\nstruct node { struct node *next; point where; };\n\
                  enum mode { SLOW, FAST };\nextern struct node first;\nextern int cells[];\n\
                  point moved(point p, int by);\nenum mode choose(struct node *n);\n";
    let main = "#include \"shared.h\"\n#include <assert.h>\n#include <time.h>\nint main(void) {\n\
                first.where = moved((point){1, 2}, 3);\nassert(first.where.x == 4 && first.where.y == 5);\n\
                assert(choose(&first) == FAST);\nassert(cells[2] == 7);\nreturn 0; }\n";
    let other = "#include \"shared.h\"\n#include <time.h>\nstruct node first;\nint cells[3] = {5, 6, 7};\n\
                 point moved(point p, int by) { p.x += by; p.y += by; return p; }\n\
                 enum mode choose(struct node *n) { return n->where.x == 4 ? FAST : SLOW; }\n";
    folder.write("shared.h", header);
    folder.write("main.c", main);
    folder.write("other.c", other);
    let checked = folder.gordian(&["check", "main.c", "other.c", "-p", "assert"]).exits(0).says("PROVED assert");
    assert_eq!(checked.err, "", "nothing to warn of");
    folder.write(
        "wrong.c",
        other
            .replace("int cells[3] = {5, 6, 7};", "long cells[3] = {5, 6, 7};")
            .replace("#include \"shared.h\"", &header.replace("extern int cells[];", "")),
    );
    let wrong = folder.gordian(&["check", "main.c", "wrong.c", "-p", "assert"]).exits(2);
    wrong.remarks("`cells` conflicts with an earlier declaration");
}

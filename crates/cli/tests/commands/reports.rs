//! What a check leaves behind for other tools: pages, SARIF, witnesses; and what follows from them.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::support::{Folder, example};

#[test]
fn witnesses_of_both_formats_lead_back_to_the_violation() {
    let folder = Folder::new();
    for (file, property) in
        [("lost_update.c", "assert"), ("lost_update.c", "no-data-race"), ("bank_transfer.c", "assert")]
    {
        for name in ["bug.graphml", "bug.yml"] {
            let file = example(file);
            folder.gordian(&["check", &file, "-p", property, "--witness", name]).exits(1);
            let confirmed = folder.gordian(&["validate", &file, name]).exits(1);
            confirmed.says("CONFIRMED").says(&format!("VIOLATED {property}"));
        }
    }
}

#[test]
fn inputs_are_in_the_witness() {
    let folder = Folder::new();
    folder.write(
        "input.c",
        "#include <pthread.h>\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint x, y;\n\
         void *other(void *p) { y = __VERIFIER_nondet_int(); return 0; }\nint main(void) {\n  pthread_t t;\n  \
         pthread_create(&t, 0, other, 0);\n  x = __VERIFIER_nondet_int();\n  pthread_join(t, 0);\n  \
         if (x == 77777 && y == -1234567) reach_error();\n  return 0;\n}\n",
    );
    for name in ["bug.graphml", "bug.yml"] {
        folder.gordian(&["check", "input.c", "-p", "unreach-call", "--witness", name]).exits(1);
        let text = std::fs::read_to_string(folder.path().join(name)).expect("a witness");
        assert!(text.contains("77777") && text.contains("-1234567") && text.contains("reach_error"), "{text}");
        folder.gordian(&["validate", "input.c", name]).exits(1).says("CONFIRMED");
        let wrong = text.replace("77777", "77778");
        folder.write(name, wrong);
        folder.gordian(&["validate", "input.c", name]).exits(3).says("NOT CONFIRMED");
    }
}

/// As other tools write them: threads have names, an edge is a line, inputs are assumptions over variables.
#[test]
fn a_foreign_witness_is_followed_line_by_line() {
    let folder = Folder::new();
    let lines = [
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);",
        "#include <pthread.h>",
        "int x, key;",
        "void *writer(void *p) {",
        "  x = 1;",
        "  x = 2;",
        "  return 0; }",
        "void *reader(void *p) {",
        "  int seen = x;",
        "  if (seen == 1 && key == 424242) reach_error();",
        "  return 0; }",
        "int main(void) { pthread_t t, u;",
        "  key = __VERIFIER_nondet_int();",
        "  pthread_create(&t, 0, writer, 0);",
        "  pthread_create(&u, 0, reader, 0);",
        "  pthread_join(t, 0); pthread_join(u, 0); return 0; }",
        "",
    ];
    folder.write("foreign.c", lines.join("\n"));
    let path = [
        ("main", 13, "<data key='assumption'>key == (424242);</data>"),
        ("main", 14, "<data key='createThread'>w</data>"),
        ("main", 15, "<data key='createThread'>r</data>"),
        ("w", 5, ""),
        ("r", 9, ""),
        ("r", 10, ""),
    ];
    let mut graph = "<graphml><graph><data key='witness-type'>violation_witness</data>\n\
                     <data key='specification'>CHECK( init(main()), LTL(G ! call(reach_error())) )</data>\n\
                     <node id='n0'><data key='entry'>true</data></node>\n"
        .to_owned();
    for (number, (thread, line, more)) in path.iter().enumerate() {
        let next = number + 1;
        let mark = if next == path.len() { "<data key='violation'>true</data>" } else { "" };
        graph += &format!(
            "<node id='n{next}'>{mark}</node><edge source='n{number}' target='n{next}'>\
             <data key='threadId'>{thread}</data><data key='startline'>{line}</data>{more}</edge>\n"
        );
    }
    graph += "</graph></graphml>";
    folder.write("foreign.graphml", &graph);
    folder.gordian(&["validate", "foreign.c", "foreign.graphml"]).exits(1).says("CONFIRMED").says("reads x = 1");
    folder.write("foreign.graphml", graph.replace("424242", "424243"));
    folder.gordian(&["validate", "foreign.c", "foreign.graphml"]).exits(3).says("NOT CONFIRMED");
}

#[test]
fn a_witness_of_another_program_is_remarked_on_and_bad_ones_are_refused() {
    let folder = Folder::new();
    let file = example("lost_update.c");
    folder.gordian(&["check", &file, "-p", "assert", "--witness", "bug.graphml"]).exits(1);
    let fixed = folder.gordian(&["validate", &example("lost_update_fixed.c"), "bug.graphml"]).exits(3);
    fixed.remarks("different version of the file").says("NOT CONFIRMED");
    for text in ["", "<graphml>", "- entry_type: invariant_set\n  content: 7\n", "\u{0}"] {
        folder.write("bad", text);
        folder.gordian(&["validate", &file, "bad"]).exits(2).remarks("error[witness]");
    }
    folder.gordian(&["validate", &file, "nowhere"]).exits(2).remarks("error[witness]");
}

#[test]
fn a_proof_has_a_witness_too() {
    let folder = Folder::new();
    let file = example("lost_update_fixed.c");
    let mut command = folder.command(&["check", &file, "-p", "assert", "--witness", "proof.yml"]);
    command.env("SOURCE_DATE_EPOCH", "0");
    assert_eq!(command.output().expect("a run").status.code(), Some(0));
    let text = std::fs::read_to_string(folder.path().join("proof.yml")).expect("a witness");
    assert!(text.contains("invariant_set") && text.contains("1970-01-01T00:00:00Z"), "{text}");
}

#[test]
fn sarif_is_json_with_the_result() {
    let folder = Folder::new();
    let answer = folder.gordian(&["check", &example("lost_update.c"), "--format", "sarif"]).exits(1);
    let log: Value = serde_json::from_str(&answer.out).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let rules: Vec<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    assert_eq!(rules, ["assert", "no-data-race"]);
    assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], 1);
}

#[test]
fn a_configuration_stands_for_the_command_line() {
    let folder = Folder::new();
    folder.gordian(&["check"]).exits(2).remarks("gordian.toml");
    std::fs::create_dir(folder.path().join("src")).expect("a folder");
    std::fs::copy(example("lost_update.c"), folder.path().join("src/a.c")).expect("a copy");
    folder.write("gordian.toml", "files = [\"src/a.c\"]\nproperties = [\"assert\"]\ntimeout = \"60s\"\n");
    let found = folder.gordian(&["check"]).exits(1).says("VIOLATED assert").says("src/a.c:30");
    assert!(!found.out.contains("no-data-race"), "only what is asked for");
    folder.gordian(&["check", "-p", "no-overflow"]).exits(0).says("PROVED no-overflow");
    for wrong in
        ["file = []", "timeout = \"soon\"", "properties = [\"beauty\"]", "[[suppress]]\nproperty = \"assert\"", "="]
    {
        folder.write("gordian.toml", wrong);
        folder.gordian(&["check"]).exits(2).remarks("error[configuration]");
    }
}

#[test]
fn a_suppressed_violation_stays_visible_and_is_no_proof() {
    let folder = Folder::new();
    std::fs::copy(example("lost_update.c"), folder.path().join("a.c")).expect("a copy");
    let suppress = "[[suppress]]\nproperty = \"assert\"\nfile = \"a.c\"\nline = 30\nreason = \"we know\"\n";
    folder.write("gordian.toml", format!("files = [\"a.c\"]\nproperties = [\"assert\"]\n{suppress}"));
    folder.gordian(&["check"]).exits(3).says("VIOLATED assert").says("Suppressed: we know");
    let sarif = folder.gordian(&["check", "--format", "sarif"]).exits(3);
    let log: Value = serde_json::from_str(&sarif.out).expect("JSON");
    assert_eq!(log["runs"][0]["results"][0]["suppressions"][0]["justification"], "we know");
    folder.write(
        "gordian.toml",
        format!("files = [\"a.c\"]\nproperties = [\"assert\"]\n{}", suppress.replace("30", "31")),
    );
    folder.gordian(&["check"]).exits(1);
}

#[test]
fn compile_commands_give_files_and_options() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("inc")).expect("a folder");
    folder.write("inc/limit.h", "#define LIMIT 3\n");
    folder.write(
        "a.c",
        "#include <assert.h>\n#include <limit.h>\nint main(void) { assert(LIMIT + EXTRA == 5); return 0; }\n",
    );
    let directory = folder.path().display();
    let entry = format!(
        "[{{\"directory\": \"{directory}\", \"file\": \"a.c\", \"command\": \"cc -Iinc -DEXTRA='2' -c a.c\"}}, \
         {{\"directory\": \"{directory}\", \"file\": \"b.cpp\", \"arguments\": [\"c++\", \"b.cpp\"]}}]"
    );
    folder.write("compile_commands.json", entry);
    let check = ["check", "--compile-commands", "compile_commands.json", "-p", "assert"];
    folder.gordian(&check).exits(0).says("PROVED assert");
    folder.gordian(&["check", "a.c", "-p", "assert"]).exits(2);
    folder.write("compile_commands.json", "{");
    folder.gordian(&check).exits(2).remarks("error[configuration]");
}

#[test]
fn options_of_one_file_do_not_reach_another() {
    let folder = Folder::new();
    folder.write("lock.h", "#ifdef NO_LOCKS\n#define LIMIT 0\n#else\n#define LIMIT 1\n#endif\n");
    folder.write("a.c", "#include \"lock.h\"\nint limit_a(void) { return LIMIT; }\n");
    folder.write(
        "b.c",
        "#include <assert.h>\n#include \"lock.h\"\nint limit_a(void);\n\
         int main(void) { assert(LIMIT == 1 && limit_a() == 0); return 0; }\n",
    );
    let directory = folder.path().display();
    let entry = format!(
        "[{{\"directory\": \"{directory}\", \"file\": \"a.c\", \"command\": \"cc -DNO_LOCKS -c a.c\"}}, \
         {{\"directory\": \"{directory}\", \"file\": \"b.c\", \"command\": \"cc -c b.c\"}}]"
    );
    folder.write("compile_commands.json", entry);
    let check = ["check", "--compile-commands", "compile_commands.json", "-p", "assert"];
    folder.gordian(&check).exits(0).says("PROVED assert");
}

#[test]
fn parameters_without_a_caller_are_inputs() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "#include <assert.h>\nstruct s { int a, b; };\n\
         void by_value(struct s s) { assert(s.b != 77); }\n\
         void by_address(struct s *s) { if (s) assert(s->b != 77); }\n\
         void number(int v) { assert(v != 123456); }\n\
         int read(int *p) { return *p; }\n\
         void text(const char *s) { if (s) assert(s[0] == s[0]); }\n",
    );
    for function in ["by_value", "by_address", "number"] {
        folder.gordian(&["check", "a.c", "-p", "assert", "--entry", function]).exits(1);
        folder.gordian(&["check", "a.c", "-p", "assert", "--thread", function]).exits(1);
    }
    folder.gordian(&["check", "a.c", "-p", "valid-deref", "--entry", "read"]).exits(1);
    folder.gordian(&["check", "a.c", "-p", "valid-deref", "--entry", "read", "--nonnull"]).exits(0);
    folder.gordian(&["check", "a.c", "-p", "assert", "--entry", "text"]).exits(3).says("at most 7 characters");
}

#[test]
fn what_callers_may_give_beyond_that_is_a_bound() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "#include <assert.h>\nstruct s { int a; struct s *next; _Bool b; };\n\
         void inside(struct s *s) { if (s && s->next) assert(0); }\n\
         void truth(struct s *s) { if (s) assert(s->b == 0 || s->b == 1); }\n\
         void both(int *p, int *q) { if (p && q) { *p = 1; *q = 2; assert(*p == 1); } }\n\
         int alone(int *p) { if (p) { *p = 1; assert(*p == 1); } return 0; }\n\
         int sum(int a[static 2]) { return a[0] + a[1]; }\n\
         int beyond(int a[static 2]) { return a[2]; }\n\
         int called(int (*f)(void)) { return f ? f() : 0; }\n",
    );
    let check = |function: &str, property: &str| folder.gordian(&["check", "a.c", "-p", property, "--entry", function]);
    check("inside", "assert").exits(3).says("pointers inside of the parameters");
    check("truth", "assert").exits(3);
    check("both", "assert").exits(3).says("objects of their own");
    check("alone", "assert").exits(0);
    check("sum", "valid-deref").exits(0);
    check("beyond", "valid-deref").exits(1);
    check("called", "assert").exits(3);
}

#[test]
fn stubs_return_pointers_of_which_nothing_is_known() {
    let folder = Folder::new();
    folder.write(
        "a.c",
        "#include <assert.h>\nint *make(void);\nint main(void) { int *p = make(); if (p) assert(*p == 0); return 0; }\n",
    );
    folder.gordian(&["check", "a.c", "-p", "assert", "--stub", "make"]).exits(3).says("use of an unknown pointer");
}

#[test]
fn overflow_is_defined_where_the_compiler_is_asked_for_it() {
    let folder = Folder::new();
    folder.write("a.c", "int main(int c, char **v) { return c + 1 > c; }\n");
    let directory = folder.path().display();
    for (options, code) in [("-fwrapv", 0), ("-fno-strict-overflow", 0), ("-fwrapv -fno-wrapv", 1), ("-O2", 1)] {
        let command = format!("cc {options} -c a.c");
        folder.write(
            "compile_commands.json",
            format!("[{{\"directory\": \"{directory}\", \"file\": \"a.c\", \"command\": \"{command}\"}}]"),
        );
        folder.gordian(&["check", "--compile-commands", "compile_commands.json", "-p", "no-overflow"]).exits(code);
    }
}

#[test]
fn codes_are_explained() {
    let folder = Folder::new();
    let list = folder.gordian(&["explain"]).exits(0).says("no-data-race").says("missing-header");
    for code in list.out.lines().filter_map(|line| line.split_whitespace().next()) {
        folder.gordian(&["explain", code]).exits(0).says(code);
    }
    folder.gordian(&["explain", "beauty"]).exits(2).remarks("gordian explain");
    // Whatever a message is called can be looked up.
    folder.write("bad.c", "int main(void) { return 0\n");
    let error = folder.gordian(&["check", "bad.c"]).exits(2);
    let code = error.err.split("error[").nth(1).and_then(|rest| rest.split(']').next()).expect("a code");
    folder.gordian(&["explain", code]).exits(0);
}

/// The codes are found in the sources, where messages are made.
#[test]
fn every_code_has_an_explanation() {
    let made = r#"(?:Diagnostic::(?:error|warning)|\.(?:error|warn))(?:::<[^>]*>)?\(\s*"([a-z-]+)""#;
    let made = regex_lite::Regex::new(made).expect("a pattern");
    let mut codes = BTreeSet::new();
    for folder in ["../frontend/src", "src"] {
        let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(std::fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()));
            } else {
                let text = std::fs::read_to_string(path).expect("a source");
                codes.extend(made.captures_iter(&text).map(|found| found[1].to_owned()));
            }
        }
    }
    assert!(codes.len() > 25 && codes.contains("syntax"), "{codes:?}");
    let unexplained: Vec<&String> =
        codes.iter().filter(|code| report::explanations::explanation(code).is_none()).collect();
    assert!(unexplained.is_empty(), "{unexplained:?}");
}

#[test]
fn completions_and_manual_pages_name_the_commands() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        folder.gordian(&["completions", shell]).exits(0).says("validate");
    }
    folder.gordian(&["man"]).exits(0).says(".TH").says("validate");
    folder.gordian(&["man", "check"]).exits(0).says("unwind");
    folder.gordian(&["man", "frobnicate"]).exits(2);
}

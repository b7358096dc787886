use crate::support::Folder;

#[test]
fn a_missing_file_is_named() {
    let folder = Folder::new();
    for command in ["check", "run", "explore"] {
        let answer = folder.gordian(&[command, "nowhere.c"]).exits(2).remarks("nowhere.c");
        assert!(answer.out.is_empty());
        assert_eq!(answer.err.lines().count(), 1, "one clear message: {answer:#?}");
    }
    folder.gordian(&["show", "nowhere.c", "--stage", "tokens"]).exits(2).remarks("nowhere.c");
}

#[test]
fn a_directory_is_not_a_program() {
    Folder::new().gordian(&["check", "."]).exits(2).remarks("is a directory");
}

#[test]
fn a_binary_file_is_recognised() {
    let folder = Folder::new();
    folder.write("a.c", b"\x7fELF\x02\x01\x01\0\0\0\x1b[2Jint main").write("b.i", [0xff_u8, 0, 0xfe, 7]);
    for name in ["a.c", "b.i"] {
        let answer = folder.gordian(&["check", name]).exits(2).remarks(name);
        assert!(!answer.err.contains('\x1b'), "nothing of it reaches the terminal: {answer:#?}");
    }
}

#[test]
fn all_syntax_errors_of_a_run_are_shown_in_their_places() {
    let folder = Folder::new();
    folder.write("bad.c", "int f(void) { return 1 }\nint g(void) { int x = ; return x; }\n");
    let answer = folder.gordian(&["check", "bad.c"]).exits(2);
    let answer = answer.remarks("bad.c:1:").remarks("bad.c:2:").remarks("int x = ;").remarks("2 errors");
    assert!(answer.out.is_empty());
}

#[test]
fn an_open_comment_and_deep_nesting_end_in_a_diagnostic() {
    let folder = Folder::new();
    folder.write("open.c", "int main(void) { /* for ever\n");
    folder.gordian(&["check", "open.c"]).exits(2).remarks("comment");
    let deep = format!("int main(void) {{ return {}1{}; }}\n", "(".repeat(200_000), ")".repeat(200_000));
    folder.write("deep.c", deep);
    folder.gordian(&["check", "deep.c"]).exits(2).remarks("error");
}

#[test]
fn a_program_without_main_is_unusable() {
    let folder = Folder::new();
    folder.write("part.c", "int f(void) { return 1; }\n");
    folder.gordian(&["check", "part.c"]).exits(2).remarks("main");
    folder.gordian(&["check", "part.c", "--entry", "f"]).exits(0);
    folder.gordian(&["check", "part.c", "--entry", "g"]).exits(2).remarks("g");
}

#[test]
fn a_schedule_must_be_one_and_fit() {
    let folder = Folder::new();
    folder.write("a.c", "int x; int main(void) { x = 1; return 0; }\n");
    folder.gordian(&["replay", "a.c", "missing.txt"]).exits(2).remarks("missing.txt");
    folder.gordian(&["replay", "a.c", "a.c"]).exits(2).remarks("not a schedule");
    folder.write("binary", [0xff_u8, 0xfe]);
    folder.gordian(&["replay", "a.c", "binary"]).exits(2).remarks("not text");
    folder.write("foreign", "gordian schedule 1\nstep T5\n");
    folder.gordian(&["replay", "a.c", "foreign"]).exits(2).says("does not match the program");
    folder.write("short", "gordian schedule 1\n");
    folder.gordian(&["replay", "a.c", "short"]).exits(0).says("violates none");
}

#[test]
fn what_cannot_be_written_is_said() {
    let folder = Folder::new();
    folder.write("a.c", "#include <assert.h>\nint main(void) { assert(0); }\n");
    folder.gordian(&["check", "a.c", "--save-schedule", "no/such/folder"]).exits(2).remarks("cannot be saved");
}

/// Each of these would overflow a stack that follows it naively.
#[test]
fn deep_and_long_programs_end_in_one_diagnostic() {
    const DEEP: usize = 200_000;
    let repeat = |text: &str| text.repeat(DEEP);
    let in_main = |body: String| format!("int x, y, a[1];\nint main(void) {{ {body} return 0; }}\n");
    let programs = [
        ("parentheses", in_main(format!("x = {}1{};", repeat("("), repeat(")")))),
        ("braces", in_main(format!("{}{}", repeat("{"), repeat("}")))),
        ("brackets", in_main(format!("x = {}0{};", repeat("a["), repeat("]")))),
        ("operators", in_main(format!("x = {}1;", repeat("- ")))),
        ("structures", format!("{}int x; {}{}", repeat("struct { "), repeat("} m; "), in_main(String::new()))),
        ("pointers", format!("int {}p;{}", repeat("*"), in_main(String::new()))),
        ("initialisers", format!("int i[] = {}1{};{}", repeat("{"), repeat("}"), in_main(String::new()))),
        ("branches", in_main(format!("{};", repeat("if (x) y = 1; else ")))),
        ("sum", in_main(format!("x = 1{};", repeat(" + y")))),
    ];
    let folder = Folder::new();
    for (name, text) in programs {
        let file = format!("{name}.c");
        let answer = folder.write(&file, text).gordian(&["check", &file]).exits(2).remarks("too complex");
        assert_eq!(answer.err.matches("error").count(), 1, "{name}: one clear message: {answer:#?}");
        assert!(answer.err.len() < 1_000 && answer.out.is_empty(), "{name}: {answer:#?}");
    }
}

#[test]
fn a_single_line_of_megabytes_is_read() {
    let folder = Folder::new();
    folder.write("long.c", format!("int x;\nint main(void) {{ {}return 0; }}\n", "x = 1; ".repeat(1_500_000)));
    folder.gordian(&["show", "long.c", "--stage", "ast"]).exits(0);
    folder.write("wrong.c", format!("int x;\nint main(void) {{ {}return 0 }}\n", "x = 1; ".repeat(1_500_000)));
    let answer = folder.gordian(&["check", "wrong.c"]).exits(2).remarks("wrong.c:2:");
    assert!(answer.err.len() < 1_000, "only a part of the line is shown: {}", answer.err.len());
}

#[test]
fn line_ends_and_encodings_of_other_systems_are_read() {
    let folder = Folder::new();
    folder.write("crlf.c", "int x;\r\n/* a\r\n b */\r\nint main(void) {\r\n  x = \\\r\n 1;\r\n  return 0;\r\n}\r\n");
    folder.write("mark.c", b"\xef\xbb\xbfint main(void) { return 0; }\n");
    folder.write("latin.c", b"/* caf\xe9 */ const char *s = \"caf\xe9\"; // \xfc\nint main(void) { return 0; }\n");
    for name in ["crlf.c", "mark.c", "latin.c"] {
        folder.gordian(&["check", name]).exits(0).answers("assert", "PROVED");
    }
    folder.write("wrong.c", b"// \xfc\r\nint main(void) { const char *s = \"\xe9\"; return 0 }\r\n");
    folder.gordian(&["check", "wrong.c"]).exits(2).remarks("wrong.c:2:");
}

#[test]
fn nothing_half_of_a_string_and_two_mains_are_no_programs() {
    let folder = Folder::new();
    folder.write("empty.c", "").gordian(&["check", "empty.c"]).exits(2).remarks("main");
    folder.write("string.c", "int main(void) { const char *s = \"abc;\n return 0; }\n");
    folder.gordian(&["check", "string.c"]).exits(2).remarks("string.c:1:").remarks("the closing \" is missing");
    folder.write("two.c", "int main(void) { return 0; }\nint main(void) { return 1; }\n");
    folder.gordian(&["check", "two.c"]).exits(2).remarks("two.c:2:").remarks("defined twice");
}

#[test]
fn wrong_arguments_are_refused_by_name() {
    let folder = Folder::new();
    folder.write("a.c", "int main(void) { return 0; }\n");
    let wrong: [(&[&str], &str); 18] = [
        (&["explore", "a.c", "--nondet", "5..1"], "5 is larger than 1"),
        (&["check", "a.c", "--timeout", "abc"], "abc"),
        (&["check", "a.c", "--property", "beauty"], "beauty"),
        (&["check", "a.c", "--engine", "steam"], "steam"),
        (&["show", "a.c", "--stage", "birth"], "birth"),
        (&["run", "a.c", "--runs", "0"], "--runs"),
        (&["frobnicate"], "frobnicate"),
        (&["check"], "FILE"),
        (&["check", "a.c", "--unwind", "0"], "--unwind"),
        (&["check", "a.c", "--memory", "x"], "--memory"),
        (&["check", "a.c", "--data-model", "lp128"], "lp128"),
        (&["check", "a.c", "--format", "xml"], "xml"),
        (&["check", "a.c", "--unwind", "3", "--max-unwind", "4"], "--max-unwind"),
        (&["check", "a.c", "--init", "main"], "--thread"),
        (&["run", "a.c", "--scheduler", "fair"], "fair"),
        (&["run", "a.c", "--seed", "99999999999999999999"], "--seed"),
        (&["explore", "a.c", "--max-states", "0"], "--max-states"),
        (&["show", "a.c", "--stage", "tokens", "--dot"], "--dot"),
    ];
    for (arguments, named) in wrong {
        let answer = folder.gordian(arguments).exits(2).remarks(named);
        assert!(answer.out.is_empty() && answer.err.starts_with("error: "), "{answer:#?}");
    }
}

#[test]
fn a_damaged_or_foreign_schedule_is_no_verdict() {
    let folder = Folder::new();
    let racy = "#include <assert.h>\n#include <pthread.h>\nint x;\nvoid *add(void *p) { x++; return 0; }\n\
                int main(void) { pthread_t t; pthread_create(&t, 0, add, 0); x++; pthread_join(t, 0); \
                assert(x == 2); return 0; }\n";
    folder.write("racy.c", racy).write("other.c", "int main(void) { return 0; }\n");
    folder.gordian(&["check", "racy.c", "--save-schedule", "whole.txt"]).exits(1);
    let whole = std::fs::read_to_string(folder.path().join("whole.txt")).expect("a saved schedule");
    folder.gordian(&["replay", "other.c", "whole.txt"]).exits(2).says("does not match the program");
    for length in (0..whole.len()).step_by(1 + whole.len() / 20) {
        folder.write("part.txt", &whole[..length]);
        let answer = folder.gordian(&["replay", "racy.c", "part.txt"]);
        // A schedule that ends in the middle of a line is refused, one that ends early violates nothing.
        assert!(matches!(answer.code, Some(0 | 2)), "{length} of {} bytes: {answer:#?}", whole.len());
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_ordinary_file_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.write("a.c", "int main(void) { return 0; }\n").write("closed.c", "int main(void) { return 0; }\n");
    std::fs::create_dir(folder.path().join("folder.c")).expect("a folder");
    std::os::unix::fs::symlink("loop.c", folder.path().join("loop.c")).expect("a link");
    let closed = folder.path().join("closed.c");
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o0)).expect("a change of permissions");
    let mut names = vec!["folder.c", "loop.c", "a.c/b.c", "/dev/zero"];
    // The superuser may read everything.
    if std::fs::read(&closed).is_err() {
        names.push("closed.c");
    }
    for name in names {
        let answer = folder.gordian(&["check", name]).exits(2).remarks(name);
        assert_eq!(answer.err.lines().count(), 1, "one clear message: {answer:#?}");
    }
    folder.gordian(&["replay", "a.c", "folder.c"]).exits(2).remarks("folder.c");
    folder.gordian(&["replay", "a.c", "/dev/zero"]).exits(2).remarks("/dev/zero");
}

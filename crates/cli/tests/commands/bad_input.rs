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
    folder.gordian(&["replay", "a.c", "foreign"]).exits(2).says("does not fit the program");
    folder.write("short", "gordian schedule 1\n");
    folder.gordian(&["replay", "a.c", "short"]).exits(0).says("violates none");
}

#[test]
fn what_cannot_be_written_is_said() {
    let folder = Folder::new();
    folder.write("a.c", "#include <assert.h>\nint main(void) { assert(0); }\n");
    folder.gordian(&["check", "a.c", "--save-schedule", "no/such/folder"]).exits(2).remarks("cannot be saved");
}

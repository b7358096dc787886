use crate::support::Folder;

#[test]
fn every_command_explains_itself_with_examples() {
    let folder = Folder::new();
    let general = folder.gordian(&["--help"]).exits(0).says("Exit codes:");
    for command in
        ["check", "run", "replay", "explore", "validate", "show", "bench", "compare", "explain", "completions", "man"]
    {
        assert!(general.out.contains(&format!("\n  {command} ")), "{command} should be listed");
        let own = folder.gordian(&[command, "--help"]).exits(0).says("Usage:").says("Examples:\n  gordian ");
        assert!(own.err.is_empty());
        folder.gordian(&["help", command]).exits(0);
        folder.gordian(&[command, "-h"]).exits(0);
    }
}

#[test]
fn the_engines_are_listed_where_they_are_chosen() {
    let help = Folder::new().gordian(&["check", "--help"]).exits(0);
    for engine in engines::all_engines() {
        assert!(help.out.contains(engine.name()), "{}", engine.name());
    }
}

#[test]
fn the_version_is_one_line() {
    let version = Folder::new().gordian(&["--version"]).exits(0);
    assert!(version.out.starts_with(concat!("gordian ", env!("CARGO_PKG_VERSION"), " (")), "{version:#?}");
    assert!(version.out.contains("solver CaDiCaL ") && version.out.ends_with(")\n"), "{version:#?}");
    assert_eq!(version.out.lines().count(), 1);
}

#[test]
fn wrong_usage_exits_2_and_says_so_on_standard_error() {
    let folder = Folder::new();
    folder.write("a.c", "int main(void) { return 0; }\n");
    let wrong: [&[&str]; 12] = [
        &[],
        &["frobnicate"],
        &["check"],
        &["check", "a.c", "--engine", "steam"],
        &["check", "a.c", "--property", "beauty"],
        &["check", "a.c", "--unwind", "0"],
        &["check", "a.c", "--unwind", "2", "--max-unwind", "3"],
        &["check", "a.c", "--timeout", "soon"],
        &["check", "a.c", "--memory", "lots"],
        &["check", "a.c", "--init", "f"],
        &["explore", "a.c", "--nondet", "5..1"],
        &["show", "a.c", "--stage", "ast", "--dot"],
    ];
    for arguments in wrong {
        let answer = folder.gordian(arguments).exits(2);
        assert!(answer.out.is_empty() && !answer.err.is_empty(), "{arguments:?}: {answer:#?}");
        assert!(!answer.err.contains("panicked"), "{answer:#?}");
    }
}

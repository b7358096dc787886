//! Every shortcut alone against the explorer, on a few programs with fixed seeds; more of them by
//! `cargo xtask shortcuts`.

use testkit::shortcuts::shortcuts;

#[test]
fn no_shortcut_proves_what_the_explorer_refutes() {
    let mut wrong = Vec::new();
    for shortcut in shortcuts() {
        let summary = shortcut.compare(40_001, 25);
        wrong.extend(summary.mistakes.iter().map(|text| format!("{}: {text}", shortcut.engine.name())));
    }
    assert!(wrong.is_empty(), "{} mistakes:\n{}", wrong.len(), wrong.join("\n"));
}

use std::path::Path;
use std::process::Command;

use crate::support::skip;

/// Exit code of the script if the package `benchexec` is missing.
const MISSING: i32 = 77;

#[test]
fn the_tool_info_module_runs_tasks_and_understands_the_answers() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/benchexec/test_gordian.py");
    let run = Command::new("python3").arg(script).arg(env!("CARGO_BIN_EXE_gordian")).output();
    let Ok(output) = run else {
        return skip("there is no python3");
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => assert!(text.contains("5 tasks, 0 wrong"), "{text}"),
        Some(MISSING) => skip(&text),
        _ => panic!("{text}"),
    }
}

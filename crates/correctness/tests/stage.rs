//! C programs, and the invariants that are found in them; with `# claim: LINE EXPRESSION` or `# loop claim: …`, what is said
//! about an invariant that somebody else claims.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use base::Budget;
use correctness::check::CheckFailure;
use engines::ENGINES;
use filetests::Case;
use frontend::CompileOptions;
use frontend::placed_check::{CheckKind, PlacedCheck};
use program::Outcome;

#[test]
fn invariants() {
    filetests::run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stage"), 25, found_and_checked);
}

fn found_and_checked(case: &Case<'_>) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("program.i");
    std::fs::write(&file, case.input).map_err(|error| error.to_string())?;
    let files = [file];
    let budget = Budget::with_timeout(Duration::from_secs(60));
    let mut text = String::new();
    for invariant in correctness::find(&files, &CompileOptions::default(), &budget) {
        let _ = writeln!(text, "{} at line {}: {}", name(invariant.kind), invariant.span.line, invariant.expression);
    }
    if text.is_empty() {
        text.push_str("no invariant\n");
    }
    for (option, kind) in [("claim", CheckKind::Location), ("loop claim", CheckKind::LoopHead)] {
        if let Some(claim) = case.option(option) {
            let _ = writeln!(text, "{option} {claim}: {}", checked(&files, kind, claim, &budget)?);
        }
    }
    Ok(text)
}

fn name(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::Location => "location",
        CheckKind::LoopHead => "loop",
    }
}

fn checked(files: &[PathBuf], kind: CheckKind, claim: &str, budget: &Budget) -> Result<String, String> {
    let (line, expression) = claim.split_once(' ').ok_or("a claim is a line and an expression")?;
    let line = line.parse().map_err(|error| format!("{line}: {error}"))?;
    let claim = PlacedCheck { kind, file_name: None, line, column: None, expression: expression.to_owned() };
    let checked = correctness::check(files, &CompileOptions::default(), &[claim], ENGINES[0], budget);
    let checked = match checked {
        Ok(checked) => checked,
        Err(CheckFailure::Input(failure)) => {
            return Ok(format!("refused: {}", failure.diagnostics.first().map_or("", |first| &first.message)));
        }
        Err(CheckFailure::Bug(bug)) => return Err(bug.to_string()),
    };
    if let Some(misplaced) = checked.misplaced.first() {
        return Ok(format!("misplaced, {}", misplaced.reason));
    }
    Ok(match checked.outcome {
        Outcome::Proved => "proved".to_owned(),
        Outcome::Violated(_) => "violated".to_owned(),
        Outcome::HoldsUpTo(bounds) => format!("holds up to {bounds}"),
        Outcome::Unknown(reason) => format!("unknown, {reason}"),
    })
}

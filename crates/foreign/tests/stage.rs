//! Traces, and what could have happened in them. `look` (race, deadlock, atomicity), `window` and `regions` are options.

use std::fmt::Write as _;

use base::Budget;
use filetests::Case;
use foreign::{Kind, TraceOptions};

#[test]
fn traces() {
    filetests::run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stage"), 25, analysis);
}

fn analysis(case: &Case<'_>) -> Result<String, String> {
    let trace = foreign::parse(case.input.as_bytes()).map_err(|error| format!("{error:?}"))?;
    let mut options = TraceOptions { atomic_regions: case.option("regions").is_some(), ..TraceOptions::default() };
    if let Some(window) = case.option("window") {
        options.window = window.parse().map_err(|error| format!("window: {error}"))?;
    }
    if let Some(kinds) = case.option("look") {
        let kind = |name: &str| match name {
            "race" => Ok(Kind::Race),
            "deadlock" => Ok(Kind::Deadlock),
            "atomicity" => Ok(Kind::Atomicity),
            other => Err(format!("there is no kind {other}")),
        };
        options.kinds = kinds.split_whitespace().map(kind).collect::<Result<_, _>>()?;
    }
    let survey = foreign::TraceIndex::new(&trace).map_err(|error| format!("{error:?}"))?;
    let analysis = foreign::analyse(&survey, &options, &Budget::unlimited()).map_err(|wrong| format!("{wrong:?}"))?;
    let mut text = String::new();
    for (kind, counts, verdict) in analysis.verdicts() {
        let _ = writeln!(text, "{kind:?}: {verdict:?}, {counts:?}");
    }
    for finding in &analysis.findings {
        let _ = writeln!(text, "{:?} {:?} after {:?}", finding.kind, finding.events, finding.witness);
    }
    Ok(text)
}

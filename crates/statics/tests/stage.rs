//! Programs, and what the static analyses say about their races and their waiting.

use std::fmt::Write as _;

use base::Budget;
use filetests::Case;
use program::verify::verify;
use program::{Location, Program};

#[test]
fn static_analyses() {
    filetests::run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stage"), 25, analyses);
}

fn analyses(case: &Case<'_>) -> Result<String, String> {
    let program: Program = case.input.parse().map_err(|error| format!("the program: {error}"))?;
    if let Some(flaw) = verify(&program).first() {
        return Err(format!("the program: {flaw}"));
    }
    let budget = Budget::unlimited();
    let mut text = statics::explain(&program, statics::survey(&program, &budget).as_ref());
    let order = match statics::lock_order(&program, &budget) {
        Ok(order) => order,
        Err(reason) => return Ok(format!("{text}waiting: given up: {reason:?}\n")),
    };
    let place = |location: Location| program.files.describe(program.span(location));
    if order.excludes_deadlock() {
        text.push_str("waiting: no deadlock\n");
    }
    for (location, obstacle) in &order.obstacles {
        let _ = writeln!(text, "waiting: {obstacle:?} at {}", place(*location));
    }
    if !order.circle.is_empty() {
        let circle: Vec<String> = order.circle.iter().map(|&location| place(location)).collect();
        let _ = writeln!(text, "waiting: a circle through {}", circle.join(", "));
    }
    Ok(text)
}

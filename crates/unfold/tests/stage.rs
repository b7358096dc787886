//! Programs and their event graphs, as text. `unwind` (default 1), `counted` (default 0), `properties` (default assert) and
//! `modular` are options.

use base::Budget;
use filetests::Case;
use program::verify::verify;
use program::{Program, Property, PropertySet, Visibility};
use unfold::{AbstractionKind, UnfoldOptions};

#[test]
fn event_graphs() {
    filetests::run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stage"), 25, event_graph);
}

fn event_graph(case: &Case<'_>) -> Result<String, String> {
    let program: Program = case.input.parse().map_err(|error| format!("the program: {error}"))?;
    if let Some(flaw) = verify(&program).first() {
        return Err(format!("the program: {flaw}"));
    }
    let names = case.option("properties").unwrap_or("assert").split_whitespace();
    let properties: Option<PropertySet> = names.map(|name| name.parse::<Property>().ok()).collect();
    let unwind = case.option("unwind").unwrap_or("1").parse().map_err(|error| format!("unwind: {error}"))?;
    let counted = case.option("counted").unwrap_or("0").parse().map_err(|error| format!("counted: {error}"))?;
    let options = UnfoldOptions {
        counted,
        coverage: if case.option("modular").is_some() {
            AbstractionKind::ThreadModular
        } else {
            AbstractionKind::Bounded
        },
        ..UnfoldOptions::new(unwind, properties.ok_or("a property that does not exist")?)
    };
    let graph = unfold::unfold(&program, &Visibility::new(&program), &options, &Budget::unlimited());
    let graph = graph.map_err(|stopped| format!("{stopped:?}"))?;
    match graph.verify().first() {
        Some(mistake) => Err(mistake.clone()),
        None => Ok(graph.to_string()),
    }
}

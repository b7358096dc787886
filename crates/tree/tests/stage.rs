//! Programs and their reachability trees, as text. `unwind`, `switches` (context switches), `reduction` and `properties`
//! (default assert) are options.

use base::Budget;
use engines::{ContextOptions, Job, NullObserver, Reduction, UnwindLimits};
use filetests::Case;
use program::verify::verify;
use program::{Analyses, Program, Property, PropertySet};

#[test]
fn reachability_trees() {
    filetests::run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stage"), 25, drawing);
}

fn drawing(case: &Case<'_>) -> Result<String, String> {
    let program: Program = case.input.parse().map_err(|error| format!("the program: {error}"))?;
    if let Some(flaw) = verify(&program).first() {
        return Err(format!("the program: {flaw}"));
    }
    let names = case.option("properties").unwrap_or("assert").split_whitespace();
    let properties: Option<PropertySet> = names.map(|name| name.parse::<Property>().ok()).collect();
    let number =
        |name: &str| case.option(name).map(str::parse::<u32>).transpose().map_err(|error| format!("{name}: {error}"));
    let reduction = match case.option("reduction") {
        None | Some("none") => Reduction::None,
        Some("all") => Reduction::All,
        Some(other) => return Err(format!("there is no reduction {other}")),
    };
    let contexts = ContextOptions { context_bound: number("switches")?, reduction, ..ContextOptions::default() };
    let job = Job {
        analyses: &Analyses::new(&program),
        properties: properties.ok_or("a property that does not exist")?,
        unwind: UnwindLimits { exactly: number("unwind")?, at_most: None },
        observer: &NullObserver,
    };
    let drawing =
        engines::draw_tree(&job, &contexts, &Budget::unlimited()).ok_or("the globals do not fit the address space")?;
    Ok(drawing.text(&program))
}

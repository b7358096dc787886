//! The event graphs of a program, and whether their text form comes back.

use std::time::Duration;

use base::Budget;
use events::EventGraph;
use program::Property;
use unfold::{AbstractionKind, UnfoldOptions};

use crate::subject::{Subject, caught};

/// Rounds of each loop.
const UNWIND: u32 = 2;

const TIMEOUT: Duration = Duration::from_secs(5);

/// The graphs of a bounded and of a thread-modular unfolding for all properties, with a name each. What takes too long is not
/// there.
pub fn graphs_of(subject: &Subject) -> Result<Vec<(&'static str, EventGraph)>, String> {
    let mut graphs = Vec::new();
    for (name, coverage) in [("bounded", AbstractionKind::Bounded), ("thread-modular", AbstractionKind::ThreadModular)]
    {
        let options = UnfoldOptions { coverage, ..UnfoldOptions::new(UNWIND, Property::of_executions().collect()) };
        let budget = Budget::with_timeout(TIMEOUT);
        let visibility = subject.visibility();
        let unfolded = caught(|| unfold::unfold(&subject.program, &visibility, &options, &budget));
        graphs.extend(unfolded?.ok().map(|graph| (name, graph)));
    }
    Ok(graphs)
}

/// Whether the graph can be read back from its text, and is valid then as well.
pub fn check_text(graph: &EventGraph) -> Result<(), String> {
    let text = graph.to_string();
    let back: EventGraph = text.parse().map_err(|error| format!("the text cannot be read back: {error}"))?;
    if let Some((before, after)) = text.lines().zip(back.to_string().lines()).find(|(before, after)| before != after) {
        return Err(format!("`{before}` comes back as `{after}`"));
    }
    match back.verify().first() {
        Some(mistake) => Err(format!("what was read back is not valid: {mistake}")),
        None => Ok(()),
    }
}

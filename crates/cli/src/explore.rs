//! `gordian explore`: every reachable state of a small program.

use std::time::Instant;

use base::Statistics;
use execute::{Exploration, ExploreOptions, Incomplete};
use program::{
    Analyses, Bounds, EngineId, Outcome, Property, PropertySet, UnknownReason, VerdictArgument, VerdictProvenance,
};
use report::CheckReport;
use report::assumptions::assumptions;
use report::coverage::Reach;
use report::verdict::{self, TextOptions};

use crate::arguments::ExploreArguments;
use crate::check::{extent, first_violation};
use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::session::Session;
use crate::shortening::shorten_all;
use crate::{input, saved_schedule};

const EXPLORER: VerdictProvenance =
    VerdictProvenance { by: EngineId("explore"), argument: VerdictArgument::ExplicitStates };

pub fn explore(arguments: &ExploreArguments, session: &Session) -> Result<Exit, CommandFailure> {
    let started = Instant::now();
    let source = input::read(&arguments.sources, session)?;
    let budget = arguments.limits.budget(session);
    let selected = arguments.properties.selected();
    let options = options(arguments, selected);
    let exploration = execute::explore(&source.program, &options, &budget);
    let mut outcomes = outcomes(&exploration, selected, arguments, &options);
    for (_, outcome) in &mut outcomes {
        *outcome = outcome.clone().within(&source.program.input_bounds, Some(&EXPLORER));
    }
    shorten_all(&Analyses::new(&source.program), &mut outcomes, arguments.trace.full_trace, &budget);
    let mut statistics = Statistics::new();
    statistics.count("states", exploration.states);
    let report = CheckReport {
        program: &source.program,
        checker: "the explorer",
        outcomes: &outcomes,
        provenance: &selected.iter().map(|property| (property, EXPLORER)).collect(),
        assumptions: &assumptions(
            &source.program,
            selected,
            arguments.sources.lifted_assumptions(),
            &source.assumptions,
        ),
        statistics: &statistics,
        elapsed: started.elapsed(),
        stopped: None,
        suppressions: &[],
        reach: &Reach::default(),
    };
    let extent = extent(arguments.trace.full_trace);
    let text = verdict::text(&report, TextOptions { look: session.out, extent, statistics: false });
    session.print((text + &sizes(&exploration, arguments.count)).as_bytes());
    if let Some(path) = &arguments.trace.save_schedule {
        saved_schedule::save(path, first_violation(&outcomes), session)?;
    }
    Ok(Exit::of(&outcomes))
}

fn options(arguments: &ExploreArguments, selected: PropertySet) -> ExploreOptions {
    let defaults = ExploreOptions::new(selected);
    ExploreOptions {
        inputs: arguments.nondet.clone().unwrap_or_else(|| defaults.inputs.clone()),
        max_states: arguments.max_states,
        count_executions: arguments.count,
        ..defaults
    }
}

fn outcomes(
    exploration: &Exploration,
    selected: PropertySet,
    arguments: &ExploreArguments,
    options: &ExploreOptions,
) -> Vec<(Property, Outcome)> {
    let without_violation = || match exploration.incomplete.first() {
        Some(incomplete) => Outcome::Unknown(reason(incomplete)),
        None if exploration.restricted_inputs => Outcome::HoldsUpTo(Bounds {
            inputs: Some((*options.inputs.start(), *options.inputs.end())),
            chosen_by_user: arguments.nondet.is_some(),
            ..Bounds::default()
        }),
        None => Outcome::Proved,
    };
    let outcome = |property: Property| {
        let violation = exploration.violations.iter().find(|trace| trace.violation.property == property);
        violation.map_or_else(without_violation, |trace| Outcome::Violated(Box::new(trace.clone())))
    };
    selected.iter().map(|property| (property, outcome(property))).collect()
}

fn reason(incomplete: &Incomplete) -> UnknownReason {
    match incomplete {
        Incomplete::States(states) => {
            UnknownReason::Limit(format!("stopped after {states} states; --max-states allows more"))
        }
        Incomplete::Stopped(reason) => UnknownReason::Stopped(*reason),
        Incomplete::Unsupported { what, span } => UnknownReason::Unsupported { what: what.clone(), span: *span },
        Incomplete::Fuel { instructions, .. } => {
            let text = format!("a thread ran for {instructions} instructions without touching shared memory");
            UnknownReason::Limit(text)
        }
    }
}

fn sizes(exploration: &Exploration, count: bool) -> String {
    let mut text = format!("{} states were visited", exploration.states);
    if count {
        text += &match exploration.executions {
            Some(executions) => format!("; there are {executions} executions"),
            None if exploration.endless => {
                "; some execution does not terminate, so executions cannot be counted".to_owned()
            }
            None => "; executions were not counted, because not all states were visited".to_owned(),
        };
    }
    text + "\n"
}

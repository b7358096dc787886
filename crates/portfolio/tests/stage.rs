//! Programs, and what is learned about them in which order and from whom; or, without a program, the strategy itself. Options:
//! `engine`, `properties`, `unwind`, `max-unwind`, `work`, and `only`, `first` and `no-random-testing` with the value yes.

use std::sync::Mutex;

use base::{Budget, Statistics};
use engines::{EngineOptions, NullObserver, UnwindLimits};
use filetests::Case;
use portfolio::{Check, Listener, Plan};
use program::verify::verify;
use program::{Analyses, Outcome, Program, Property, PropertySet, VerdictProvenance};

#[test]
fn strategies_and_answers() {
    filetests::run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stage"), 25, answers);
}

fn answers(case: &Case<'_>) -> Result<String, String> {
    let number =
        |name: &str| case.option(name).map(str::parse::<u32>).transpose().map_err(|error| format!("{name}: {error}"));
    let is_set = |name: &str| case.option(name) == Some("yes");
    let unwind = UnwindLimits { exactly: number("unwind")?, at_most: number("max-unwind")? };
    let plan = Plan {
        engine: case.option("engine").unwrap_or("order").to_owned(),
        options: EngineOptions::default(),
        unwind,
        exact_bound: unwind.exactly.is_some(),
        only: is_set("only"),
        random_testing: !is_set("no-random-testing"),
        first: is_set("first"),
    };
    let engine = plan.engine().ok_or("there is no such engine")?;
    let strategy = plan.strategy(&*engine);
    if case.input.trim().is_empty() {
        return Ok(strategy.table(&*engine));
    }
    let program: Program = case.input.parse().map_err(|error| format!("the program: {error}"))?;
    if let Some(flaw) = verify(&program).first() {
        return Err(format!("the program: {flaw}"));
    }
    let names = case.option("properties").unwrap_or("assert").split_whitespace();
    let properties: Option<PropertySet> = names.map(|name| name.parse::<Property>().ok()).collect();
    let log = Log::default();
    let budget = Budget::unlimited();
    let report = portfolio::check(&Check {
        analyses: &Analyses::new(&program),
        properties: properties.ok_or("a property that does not exist")?,
        strategy: &strategy,
        engine: &*engine,
        unwind,
        first: plan.first,
        budget: &number("work")?.map_or_else(|| budget.clone(), |work| budget.with_work(u64::from(work))),
        observer: &NullObserver,
        listener: &log,
    });
    let report = report.map_err(|bug| bug.to_string())?;
    let mut text = log.0.into_inner().expect("no listener should panic");
    for (property, outcome) in &report.outcomes {
        text += &line("verdict", *property, outcome, report.provenance[property]);
    }
    if let Some(reason) = report.stopped {
        text += &format!("stopped: {reason}\n");
    }
    Ok(text)
}

#[derive(Default)]
struct Log(Mutex<String>);

impl Listener for Log {
    fn learned(&self, property: Property, outcome: &Outcome, provenance: VerdictProvenance, _: &Statistics) {
        *self.0.lock().expect("no listener should panic") += &line("learned", property, outcome, provenance);
    }
}

fn line(word: &str, property: Property, outcome: &Outcome, provenance: VerdictProvenance) -> String {
    let outcome = match outcome {
        Outcome::Proved => "proved".to_owned(),
        Outcome::Violated(trace) => format!("violated in {} steps", trace.schedule.steps.len()),
        Outcome::HoldsUpTo(bounds) => format!("holds up to {bounds}"),
        Outcome::Unknown(reason) => format!("unknown, {reason}"),
    };
    format!("{word} {property}: {outcome}, by {}\n", provenance.by)
}

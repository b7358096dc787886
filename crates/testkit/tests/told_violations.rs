//! Violations as they are told: the interleaving of every test program that is violated, as a random run finds it (long)
//! and as the explorer does, must still lead to the same violation when it has been shortened, and a witness of it must
//! lead back to a violation.

use std::path::Path;
use std::time::Duration;

use base::Budget;
use execute::{
    Code, End, ExploreOptions, GuideOptions, RandomChoices, RandomScheduler, RunOptions, follow, replay, run_code,
    shorten,
};
use program::{Analyses, Property, PropertySet, Trace, Visibility};
use report::witness::{Circumstances, WitnessFile, graphml, graphml_reader, violation_sequence, yaml_reader};
use testkit::expectation::{Expectation, ExpectedVerdict};
use testkit::program_tests::discover;
use testkit::subject::Subject;

const RUNS: u64 = 60;
const STEPS: u64 = 20_000;
const RUN_TIME: Duration = Duration::from_millis(200);

fn traces(subject: &Subject, expectation: &Expectation) -> Vec<Trace> {
    let properties = PropertySet::of(&[expectation.property]);
    let visibility = Visibility::new(&subject.program);
    let code = Code::new(&subject.program, &visibility).expect("a small program");
    let options = RunOptions { max_steps: Some(STEPS), ..RunOptions::new(properties) };
    let unlimited = Budget::unlimited();
    // Steps do not bound what a thread computes between them, which random inputs can make long.
    let run = |seed| {
        let budget = Budget::with_timeout(RUN_TIME);
        run_code(&code, &options, &mut RandomScheduler::new(seed), &mut RandomChoices::new(seed), &budget)
    };
    let by_chance = (1..=RUNS).map(run).find(|result| matches!(result.end, End::Violated(_)));
    let mut found: Vec<Trace> = by_chance
        .map(|result| {
            replay(&Analyses::new(&subject.program), &result.schedule, properties, &unlimited)
                .expect("a violation replays")
        })
        .into_iter()
        .collect();
    let mut exploring = ExploreOptions::new(properties);
    exploring.inputs = expectation.inputs.clone();
    exploring.max_states = 300_000;
    found.extend(
        execute::explore_with(&subject.program, &visibility, &exploring, &unlimited).violations.into_iter().take(1),
    );
    found
}

fn switches(trace: &Trace) -> usize {
    trace.schedule.steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
}

/// What is wrong with the shortened trace, if anything.
fn shortened_is_the_same(subject: &Subject, trace: &Trace, property: Property) -> Result<Trace, String> {
    let short = shorten(&Analyses::new(&subject.program), trace, &Budget::unlimited());
    let again =
        replay(&Analyses::new(&subject.program), &short.schedule, PropertySet::of(&[property]), &Budget::unlimited());
    let again = again.map_err(|failure| format!("shortened, it does not replay: {failure}"))?;
    let place = |trace: &Trace| (trace.violation.property, trace.violation.location);
    if again != short || place(&again) != place(trace) {
        return Err("shortened, it is another violation".to_owned());
    }
    if (switches(&short), short.schedule.steps.len()) > (switches(trace), trace.schedule.steps.len()) {
        return Err("shortened, it is longer".to_owned());
    }
    Ok(short)
}

#[derive(Clone, Copy)]
enum Format {
    GraphMl,
    Yaml,
}

fn witness_leads_back(subject: &Subject, trace: &Trace, property: Property, format: Format) -> Result<(), String> {
    let files = [WitnessFile::new("a.c".to_owned(), b"")];
    let circumstances = Circumstances {
        version: "0",
        files: &files,
        data_model: subject.program.data_model,
        creation_time: "1970-01-01T00:00:00Z",
    };
    let witness = match format {
        Format::GraphMl => graphml_reader::read(&graphml::render(&subject.program, trace, &circumstances)),
        Format::Yaml => yaml_reader::read(&violation_sequence::render(&subject.program, trace, &circumstances)),
    };
    let witness = witness.map_err(|error| format!("the witness cannot be read: {error}"))?;
    let visibility = Visibility::new(&subject.program);
    let code = Code::new(&subject.program, &visibility).map_err(|_| "too large".to_owned())?;
    let options = GuideOptions::new(PropertySet::of(&[property]));
    let found = follow(&code, &witness.waypoints, &options, &Budget::unlimited()).ok_or("the witness leads nowhere")?;
    replay(&Analyses::new(&subject.program), &found, options.properties, &Budget::unlimited())
        .map(drop)
        .map_err(|failure| format!("what the witness leads to does not replay: {failure}"))
}

#[test]
fn shortened_interleavings_and_witnesses_are_of_the_same_violation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let (mut problems, mut lost, mut told, mut before, mut after) = (Vec::new(), Vec::new(), 0, 0, 0);
    for path in discover(&root).expect("the folder of test programs should be readable") {
        let text = std::fs::read_to_string(&path).expect("a test program");
        let Ok(expectation) = Expectation::parse(&text) else { continue };
        if expectation.verdict != ExpectedVerdict::Violated {
            continue;
        }
        let subject = Subject::from_file(&path).expect("a program that compiles");
        for trace in traces(&subject, &expectation) {
            told += 1;
            before += switches(&trace);
            let result = shortened_is_the_same(&subject, &trace, expectation.property).and_then(|short| {
                after += switches(&short);
                let leads_back = |format| witness_leads_back(&subject, &short, expectation.property, format);
                if let Err(problem) = leads_back(Format::Yaml) {
                    lost.push(format!("{}: {problem}", path.display()));
                }
                leads_back(Format::GraphMl)
            });
            problems.extend(result.err().map(|problem| format!("{}: {problem}", path.display())));
        }
    }
    assert!(problems.is_empty(), "{} of {told}:\n{}", problems.len(), problems.join("\n"));
    assert!(told > 100, "only {told} violations");
    // The format has no room for what a library function reads, nor for the middle of a statement.
    assert!(lost.len() * 20 < told, "of {told}, {} are not found from YAML:\n{}", lost.len(), lost.join("\n"));
    assert!(after < before, "{before} context switches became {after}");
}

//! The soundness monitor over all test programs and over generated ones with fixed seeds.

use std::path::Path;

use testkit::Features;
use testkit::expectation::Expectation;
use testkit::monitor::{Watching, watch};
use testkit::program_tests::discover;
use testkit::race_programs::generate_race_program;
use testkit::subject::Subject;

fn contradictions(name: &str, subject: &Subject, watching: &Watching) -> Vec<String> {
    match watch(subject, watching) {
        Ok(found) => found.iter().map(|one| format!("{name}: {}: {}", one.analysis, one.message)).collect(),
        Err(message) => vec![format!("{name}: panic: {message}")],
    }
}

#[test]
fn no_test_program_contradicts_an_analysis() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut wrong = Vec::new();
    for path in discover(&root).expect("the folder should be readable") {
        let text = std::fs::read_to_string(&path).expect("a program should be readable");
        let Ok(expectation) = Expectation::parse(&text) else { continue };
        let options = expectation.options.to_compile_options();
        let Ok(subject) = Subject::from_file_with(&path, &options) else { continue };
        let watching = Watching { inputs: Some(expectation.inputs), seed: 14, schedules: 6, steps: 400 };
        wrong.extend(contradictions(&path.display().to_string(), &subject, &watching));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_generated_program_contradicts_an_analysis() {
    let features = Features::parse("all").expect("the features should be known");
    let mut wrong = Vec::new();
    for seed in 1..=120 {
        let text =
            if seed % 2 == 0 { generate_race_program(seed) } else { testkit::generate(seed, features).to_string() };
        let Ok(subject) = Subject::from_text(&text) else { continue };
        let watching = Watching { inputs: None, seed, schedules: 3, steps: 200 };
        wrong.extend(contradictions(&format!("seed {seed}"), &subject, &watching));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

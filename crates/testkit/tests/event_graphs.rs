//! Event graphs of all test programs are valid, and their text form can be read back.

use std::path::Path;

use testkit::event_graphs::{check_text, graphs_of};
use testkit::expectation::options_at_the_head;
use testkit::in_parallel;
use testkit::program_tests::discover;
use testkit::subject::Subject;

#[test]
fn event_graphs_of_all_programs_come_back_from_their_text() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let programs = discover(&root).expect("the folder of test programs should be readable");
    let results = in_parallel(&programs, |path| {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let graphs = graphs_of(&Subject::from_file_with(path, &options_at_the_head(&text)?)?)?;
        graphs.iter().try_for_each(|(name, graph)| check_text(graph).map_err(|error| format!("{name}: {error}")))?;
        Ok::<usize, String>(graphs.len())
    });
    let failures: Vec<String> = programs
        .iter()
        .zip(&results)
        .filter_map(|(path, result)| Some(format!("{}: {}", path.display(), result.as_ref().err()?)))
        .collect();
    assert!(failures.is_empty(), "{} of {} programs:\n{}", failures.len(), programs.len(), failures.join("\n"));
    let graphs: usize = results.iter().flatten().sum();
    assert!(graphs > programs.len(), "only {graphs} graphs of {} programs", programs.len());
}

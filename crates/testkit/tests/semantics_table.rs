//! Holds `docs/semantics.md` against the code and the test programs: every row names programs that use and misuse what
//! it describes, all of them exist, and every function that the front end knows is in some row.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const PROGRAMS: &str = "tests/programs/semantics";

struct Row {
    functions: Vec<String>,
    /// Names in the description: attributes and the like that have no effect.
    also: Vec<String>,
    used_well: Vec<String>,
    misused: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path} should be readable: {error}"))
}

/// The rows of the tables that have a column of programs that misuse something.
fn rows() -> Vec<Row> {
    let text = read("docs/semantics.md");
    let mut rows = Vec::new();
    let mut in_table = false;
    for line in text.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        match cells[..] {
            ["function", _, _, "misused"] => in_table = true,
            [functions, model, used_well, misused] if in_table => rows.push(Row {
                functions: quoted(functions),
                also: quoted(model),
                used_well: quoted(used_well),
                misused: quoted(misused),
            }),
            _ if !line.starts_with('|') => in_table = false,
            _ => {}
        }
    }
    rows
}

/// What stands in backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn program(name: &str) -> PathBuf {
    root().join(PROGRAMS).join(name).with_extension("c")
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[test]
fn every_row_has_programs_that_exist() {
    let rows = rows();
    assert!(rows.len() > 50, "only {} rows were found", rows.len());
    let mut problems = Vec::new();
    for row in &rows {
        for (column, programs) in [("used well", &row.used_well), ("misused", &row.misused)] {
            if programs.is_empty() {
                problems.push(format!("{:?} has no program under `{column}`", row.functions));
            }
            let missing = programs.iter().filter(|name| !program(name).is_file());
            problems.extend(missing.map(|name| format!("{name} does not exist")));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_row_is_about_what_its_programs_call() {
    let mut problems = Vec::new();
    for row in rows() {
        let names: Vec<&str> = row.functions.iter().map(|name| name.trim_end_matches('*')).collect();
        if !names.iter().any(|name| is_identifier(name)) {
            continue;
        }
        let uses_it = |name: &String| {
            let text = std::fs::read_to_string(program(name)).unwrap_or_default();
            names.iter().any(|name| text.contains(name))
        };
        if !row.used_well.iter().any(uses_it) {
            problems.push(format!("no program of {:?} calls any of them", row.functions));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_known_function_is_in_a_row() {
    let described: Vec<String> = rows().into_iter().flat_map(|row| row.functions.into_iter().chain(row.also)).collect();
    let is_described = |function: &str| {
        described.iter().any(|name| match name.strip_suffix('*') {
            Some(start) => !start.is_empty() && function.starts_with(start),
            None => function == name || name.starts_with('_') && function.ends_with(name.as_str()),
        })
    };
    let missing: Vec<String> = known_functions().into_iter().filter(|function| !is_described(function)).collect();
    assert!(missing.is_empty(), "docs/semantics.md does not describe {}", missing.join(", "));
}

/// The functions that have a contract, those in the front end's table and those that the prelude defines.
fn known_functions() -> BTreeSet<String> {
    let table = read("crates/frontend/src/library/mod.rs");
    let mut known: BTreeSet<String> = table.split('"').skip(1).step_by(2).map(str::to_owned).collect();
    known.extend(
        library::headers().iter().flat_map(|header| header.rows).flat_map(|row| row.names).map(|&n| n.to_owned()),
    );
    let files =
        ["bits", "files", "getopt", "input", "math", "output", "pointers", "process", "stdlib", "string", "time"];
    for file in files {
        let text = read(&format!("crates/frontend/src/prelude/{file}.c"));
        known.extend(text.lines().filter_map(defined_function));
    }
    known.retain(|name| is_identifier(name) && !name.starts_with("__gordian"));
    assert!(known.len() > 200, "only {} functions were found", known.len());
    known
}

/// The function whose definition begins on this line of the prelude.
fn defined_function(line: &str) -> Option<String> {
    let is_definition = line.starts_with(|first: char| first.is_ascii_alphabetic())
        && !line.starts_with("static ")
        && !line.starts_with("extern ")
        && !line.ends_with(';');
    let name = line.split('(').next().filter(|_| is_definition)?;
    name.rsplit([' ', '*']).next().map(str::to_owned)
}

//! Every row of the crate `library` is kept: for each pointer argument a null pointer, a buffer that is a byte short and a
//! store of another thread are never proved away, nor is a call that may fail; a right call is never called wrong.

use std::process::Command;
use std::time::Duration;

use engines::UnwindLimits;
use program::Outcome;
use testkit::library_programs::{WrongAnswer, includes, programs};
use testkit::subject::{Checking, Subject};

/// What the preprocessor makes of the text, without its line markers.
fn preprocessed(text: &str) -> String {
    let folder = std::env::temp_dir().join(format!("gordian-library-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder should be made");
    let file = folder.join("includes.c");
    std::fs::write(&file, text).expect("the file should be written");
    let output = Command::new("cc").args(["-E", "-P"]).arg(&file).output().expect("there should be a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("headers should be text")
}

#[test]
fn rows_are_kept() {
    let checking = Checking {
        unwind: UnwindLimits { exactly: None, at_most: Some(8) },
        timeout: Duration::from_secs(10),
        ..Checking::default()
    };
    let mut problems = Vec::new();
    let (mut count, mut open) = (0, 0);
    for header in library::headers() {
        let prefix = preprocessed(&includes(header));
        for program in header.rows.iter().flat_map(|row| programs(row, header)) {
            count += 1;
            let subject = match Subject::from_text(&format!("{prefix}{}", program.text)) {
                Ok(subject) => subject,
                Err(message) => {
                    problems.push(format!("{}: cannot be read: {message}\n{}", program.name, program.text));
                    continue;
                }
            };
            let outcome = match subject.check(engines::ENGINES[0], program.property, &checking) {
                Ok(outcome) => outcome,
                Err(broken) => {
                    problems.push(format!("{}: {broken:?}\n{}", program.name, program.text));
                    continue;
                }
            };
            open += usize::from(matches!(outcome, Outcome::Unknown(_)));
            let is_wrong = match program.wrong {
                WrongAnswer::Proved => matches!(outcome, Outcome::Proved),
                WrongAnswer::Violated => matches!(outcome, Outcome::Violated(_)),
            };
            if is_wrong {
                problems.push(format!("{}, {}: {:?}\n{}", program.name, program.property, program.wrong, program.text));
            }
        }
    }
    assert!(count > 300, "only {count} programs were made");
    assert!(open * 10 <= count, "{open} of {count} programs were not decided");
    assert!(problems.is_empty(), "{} of {count} programs:\n{}", problems.len(), problems.join("\n"));
}

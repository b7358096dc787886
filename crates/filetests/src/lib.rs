//! File tests of a stage: each file has the input of the stage, a line `---`, and the text that should come out. With
//! `BLESS=1` the texts that do come out are written into the files, to be looked at as a difference.
//!
//! ```text
//! # Prose, and options such as
//! # unwind: 2
//! the input
//! ---
//! the output
//! ```
//!
//! Invariant: knows no stage.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What stands between the input and the output.
const DIVIDER: &str = "---";

/// One file, as the stage gets it.
pub struct Case<'a> {
    options: Vec<(&'a str, &'a str)>,
    pub input: &'a str,
}

impl<'a> Case<'a> {
    /// The value of `# NAME: VALUE` at the head of the file.
    pub fn option(&self, name: &str) -> Option<&'a str> {
        self.options.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

/// Runs all files `*.txt` of a folder through a stage and compares what comes out. An error of the stage is an output like
/// any other, after the word `error:`.
///
/// # Panics
/// If an output is not as expected, or if there are fewer files than `at_least`.
pub fn run(folder: impl AsRef<Path>, at_least: usize, stage: impl Fn(&Case<'_>) -> Result<String, String>) {
    let files = files_in(folder.as_ref());
    assert!(files.len() >= at_least, "only {} files in {}", files.len(), folder.as_ref().display());
    let bless = std::env::var_os("BLESS").is_some();
    let mut report = String::new();
    for path in &files {
        let text = std::fs::read_to_string(path).expect("a file test should be readable");
        let (head, expected) = divide(&text);
        let (output, input_part) = (produce(head, &stage), head);
        if output == expected {
            continue;
        }
        if bless {
            std::fs::write(path, format!("{input_part}{DIVIDER}\n{output}")).expect("a file test should be writable");
            continue;
        }
        let _ = writeln!(report, "{}:\n{}", path.display(), first_difference(expected, &output));
    }
    assert!(report.is_empty(), "\n{report}\nBLESS=1 writes what comes out into the files");
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of file tests should be readable");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder of file tests should be readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    files
}

/// What stands before and after the line that divides; everything and nothing if there is none.
fn divide(text: &str) -> (&str, &str) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        if line.trim_end() == DIVIDER {
            return (&text[..start], &text[end..]);
        }
        start = end;
    }
    (text, "")
}

fn produce(head: &str, stage: &impl Fn(&Case<'_>) -> Result<String, String>) -> String {
    let (mut options, mut start) = (Vec::new(), 0);
    for line in head.split_inclusive('\n') {
        let Some(comment) = line.strip_prefix('#') else { break };
        options.extend(comment.split_once(':').map(|(name, value)| (name.trim(), value.trim())));
        start += line.len();
    }
    let mut output = match stage(&Case { options, input: &head[start..] }) {
        Ok(output) => output,
        Err(error) => format!("error: {error}\n"),
    };
    if !output.is_empty() && !output.ends_with('\n') {
        output.push('\n');
    }
    output
}

/// The first line that differs, with its number in the output.
fn first_difference(expected: &str, output: &str) -> String {
    let (mut before, mut after) = (expected.lines(), output.lines());
    for number in 1.. {
        match (before.next(), after.next()) {
            (None, None) => break,
            (old, new) if old == new => {}
            (old, new) => {
                let show = |line: Option<&str>| line.map_or("(the end)".to_owned(), str::to_owned);
                return format!("  line {number} of the output\n  expected: {}\n  got:      {}", show(old), show(new));
            }
        }
    }
    "  a difference in white space".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upper(case: &Case<'_>) -> Result<String, String> {
        match case.option("fail") {
            Some(reason) => Err(reason.to_owned()),
            None => Ok(case.input.to_uppercase()),
        }
    }

    #[test]
    fn options_are_not_input() {
        assert_eq!(produce("# A test.\n# fail: too bad\nx\n", &upper), "error: too bad\n");
        assert_eq!(produce("# A test.\nx\n# y\n", &upper), "X\n# Y\n");
    }

    #[test]
    fn differences_are_found() {
        assert_eq!(divide("a\n---\nA\n"), ("a\n", "A\n"));
        assert_eq!(divide("a\n"), ("a\n", ""));
        assert!(first_difference("A\nB\n", "A\nC\n").contains("line 2"));
        assert!(first_difference("A\n", "A\nC\n").contains("(the end)"));
    }

    #[test]
    #[should_panic(expected = "line 1")]
    fn a_wrong_output_fails() {
        let folder = std::env::temp_dir().join(format!("filetests-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        std::fs::write(folder.join("a.txt"), "x\n---\nY\n").expect("a file for the test");
        run(&folder, 1, upper);
    }
}

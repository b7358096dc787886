//! Running the binary in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// An empty folder with files in it.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.path().join(name), text).expect("a written file");
        self
    }

    /// Runs `gordian` here, without colours and in ASCII unless the test says otherwise.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gordian"));
        command.args(arguments).current_dir(self.path());
        for name in ["RUST_BACKTRACE", "NO_COLOR", "CLICOLOR_FORCE", "LC_CTYPE", "LANG"] {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C");
        command
    }

    pub fn gordian(&self, arguments: &[&str]) -> Answer {
        Answer::from(self.command(arguments).output().expect("gordian should start"))
    }
}

/// What a run of the command said.
#[derive(Debug)]
pub struct Answer {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Answer {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("text"),
            err: String::from_utf8(output.stderr).expect("text"),
        }
    }
}

impl Answer {
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(self.out.contains(text), "{text:?} should be in the output of {self:#?}");
        self
    }

    /// That a property has this verdict, in a headline or in the table.
    #[track_caller]
    pub fn answers(self, property: &str, verdict: &str) -> Self {
        let headline = format!("{verdict} {property}:");
        let in_table = |line: &str| line.split_whitespace().take(2).eq([property, verdict]);
        let said = self.out.lines().any(|line| line.starts_with(&headline) || in_table(line));
        assert!(said, "{property} should be {verdict} in the output of {self:#?}");
        self
    }

    #[track_caller]
    pub fn remarks(self, text: &str) -> Self {
        assert!(self.err.contains(text), "{text:?} should be among the remarks of {self:#?}");
        self
    }
}

/// The path of a bundled example.
pub fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    path.canonicalize().expect("an example").to_str().expect("a name in UTF-8").to_owned()
}

/// Says why a test was not made.
#[expect(clippy::print_stderr, reason = "a test that is skipped must say so")]
pub fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}

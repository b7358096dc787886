//! The system's C compiler: finds one and turns printed programs into processes.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use program::DataModel;

/// Why there is no native run.
#[derive(Debug)]
pub enum NativeError {
    /// None of the compilers that were tried can be started.
    NoCompiler {
        tried: Vec<String>,
    },
    /// The compiler does not take the program; what it said first.
    Refused {
        compiler: String,
        message: String,
    },
    Io {
        what: &'static str,
        error: io::Error,
    },
    /// The recorded run cannot be repeated by the interpreter, not even its beginning.
    Lost {
        what: String,
    },
}

impl fmt::Display for NativeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NativeError::NoCompiler { tried } => {
                write!(f, "no C compiler was found for the native run (tried {})", tried.join(", "))
            }
            NativeError::Refused { compiler, message } => {
                write!(f, "the C compiler `{compiler}` does not compile the program: {message}")
            }
            NativeError::Io { what, error } => write!(f, "{what}: {error}"),
            NativeError::Lost { what } => write!(f, "the native run cannot be followed: {what}"),
        }
    }
}

impl std::error::Error for NativeError {}

pub fn io_error(what: &'static str) -> impl FnOnce(io::Error) -> NativeError {
    move |error| NativeError::Io { what, error }
}

/// The compilers to try, in order: the one that is named, which may carry arguments (`ccache gcc`), or the usual ones.
pub fn candidates(named: Option<&str>) -> Vec<String> {
    match named.map(str::trim).filter(|name| !name.is_empty()) {
        Some(name) => vec![name.to_owned()],
        None => ["cc", "gcc", "clang"].map(str::to_owned).to_vec(),
    }
}

/// Makes invalid accesses trap.
pub const SANITIZED: &[&str] = &["-fsanitize=address"];

/// Compiles `text` in `folder` and returns the program's path.
pub fn compile(
    text: &str,
    folder: &Path,
    model: DataModel,
    candidates: &[String],
    further: &[&str],
) -> Result<PathBuf, NativeError> {
    let source = folder.join("program.c");
    let program = folder.join("program");
    std::fs::write(&source, text).map_err(io_error("the printed program cannot be written"))?;
    for compiler in candidates {
        let Some(mut command) = command(compiler) else { continue };
        // Signed arithmetic wraps and memory has no types, as in the program that was printed.
        command.args(["-std=gnu11", "-O2", "-w", "-fwrapv", "-fno-strict-aliasing", "-fno-delete-null-pointer-checks"]);
        command.args(["-ffp-contract=off", "-pthread"]).args(further);
        if model == DataModel::Ilp32 {
            command.args(["-m32", "-msse2", "-mfpmath=sse"]);
        }
        command.arg("-o").arg(&program).arg(&source).stdin(Stdio::null()).env("LC_ALL", "C");
        match command.output() {
            Ok(output) if output.status.success() => return Ok(program),
            Ok(output) => {
                let message = first_error(&String::from_utf8_lossy(&output.stderr));
                return Err(NativeError::Refused { compiler: compiler.clone(), message });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(NativeError::Io { what: "the C compiler cannot be run", error }),
        }
    }
    Err(NativeError::NoCompiler { tried: candidates.to_vec() })
}

fn command(compiler: &str) -> Option<Command> {
    let mut words = compiler.split_whitespace();
    let mut command = Command::new(words.next()?);
    command.args(words);
    Some(command)
}

fn first_error(messages: &str) -> String {
    let is_error = |line: &&str| line.contains("error") || line.contains("undefined reference");
    let line = messages.lines().find(is_error).or_else(|| messages.lines().next());
    line.unwrap_or("it gives no reason").trim().to_owned()
}

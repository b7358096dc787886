//! C programs compiled by the system compiler and run natively: the other side of every comparison with the
//! interpreter.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use program::DataModel;

/// How often a running program is looked at.
const POLL: Duration = Duration::from_millis(2);

/// Compiles `source` into `binary`; `None` if the compiler does not accept it or there is none.
pub fn compile(
    compiler: &str,
    source: &Path,
    binary: PathBuf,
    model: DataModel,
    further: &[impl AsRef<str>],
) -> Option<PathBuf> {
    let mut command = Command::new(compiler);
    command.args(["-w", "-pthread", "-o"]).arg(&binary).arg(source);
    if model == DataModel::Ilp32 {
        // Floating point as the interpreter has it: no 80-bit intermediate results.
        command.args(["-m32", "-msse2", "-mfpmath=sse"]);
    }
    command.args(further.iter().map(AsRef::as_ref));
    let compiled = command.output().ok()?;
    compiled.status.success().then_some(binary)
}

/// Whether `command` can be started and succeeds, for example with `--version`.
pub fn works(command: &str, arguments: &[&str]) -> bool {
    let output = Command::new(command).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

/// How a native run ended.
pub enum Native {
    /// What was printed, and the exit status; no status if a signal ended the program.
    Ended {
        output: Vec<u8>,
        status: Option<i32>,
    },
    TimedOut,
}

/// Runs a program that prints less than a pipe holds.
pub fn run(binary: &Path, limit: Duration) -> std::io::Result<Native> {
    let mut child = Command::new(binary).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let began = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if began.elapsed() >= limit => {
                child.kill()?;
                child.wait()?;
                return Ok(Native::TimedOut);
            }
            None => std::thread::sleep(POLL),
        }
    };
    let mut output = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_end(&mut output)?;
    }
    Ok(Native::Ended { output, status: status.code() })
}

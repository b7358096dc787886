//! C programs compiled by the system compiler and run natively: the other side of every comparison with the
//! interpreter.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use frontend::CompileFailure;
use program::DataModel;

/// How often a running program is looked at.
const POLL: Duration = Duration::from_millis(1);

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
    command.args(model_options(model)).args(further.iter().map(AsRef::as_ref));
    let compiled = command.output().ok()?;
    compiled.status.success().then_some(binary)
}

fn model_options(model: DataModel) -> &'static [&'static str] {
    match model {
        DataModel::Lp64 => &[],
        // Floating point as the interpreter has it: no 80-bit intermediate results.
        DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
    }
}

/// Whether `compiler` has what programs of this data model need: headers and libraries.
pub fn can_compile(compiler: &str, model: DataModel) -> bool {
    let mut command = Command::new(compiler);
    command.args(model_options(model)).args(["-include", "stdio.h", "-x", "c", "-", "-o", "/dev/null"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    child.and_then(|child| give(child, b"int main(void) { return 0; }")).is_ok_and(|status| status.success())
}

/// Gives `input` to a process and waits for its end.
fn give(mut child: Child, input: &[u8]) -> std::io::Result<ExitStatus> {
    if let Some(mut stdin) = child.stdin.take() {
        std::io::Write::write_all(&mut stdin, input)?;
    }
    child.wait()
}

/// Whether `command` can be started and succeeds, for example with `--version`.
pub fn works(command: &str, arguments: &[&str]) -> bool {
    let output = Command::new(command).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

/// What the front end has against a program.
pub fn first_error(failure: &CompileFailure) -> String {
    let error = failure.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    error.map_or_else(|| "no error is given".to_owned(), |error| error.message.clone())
}

/// How a native run ended, and what was printed.
pub enum Native {
    Exited { output: Vec<u8>, status: i32 },
    Killed { output: Vec<u8>, signal: i32 },
    TimedOut { output: Vec<u8> },
}

/// Runs a program that prints less than a pipe holds.
pub fn run(command: &mut Command, limit: Duration) -> std::io::Result<Native> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let status = wait(&mut child, limit)?;
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    let mut output = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_end(&mut output)?;
    }
    Ok(match status.map(|status| (status.code(), status.signal())) {
        None => Native::TimedOut { output },
        Some((Some(status), _)) => Native::Exited { output, status },
        Some((None, signal)) => Native::Killed { output, signal: signal.unwrap_or_default() },
    })
}

/// Waits for the end of `child`; nothing if it does not end in time.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<ExitStatus>> {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if began.elapsed() >= limit {
            return Ok(None);
        }
        std::thread::sleep(POLL);
    }
}

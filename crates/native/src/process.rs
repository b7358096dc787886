//! One native process under limits: it ends by itself, or it is ended.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use base::Budget;

use crate::compiler::{NativeError, io_error};

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessEnd {
    Status(i32),
    Signal(i32),
    /// It was ended, because it took too long or the budget was used up.
    Stopped,
}

/// How often to look whether a process has ended: seldom enough to cost nothing.
const INTERVAL: Duration = Duration::from_millis(2);

pub fn run(command: &mut Command, limit: Duration, budget: &Budget) -> Result<ProcessEnd, NativeError> {
    let deadline = Instant::now() + limit;
    let mut child = command.spawn().map_err(io_error("the compiled program cannot be started"))?;
    loop {
        match child.try_wait().map_err(io_error("the compiled program got lost"))? {
            Some(status) => return Ok(end_of(status)),
            None if Instant::now() >= deadline || budget.check().is_err() => return Ok(stop(child)),
            None => std::thread::sleep(INTERVAL),
        }
    }
}

fn stop(mut child: Child) -> ProcessEnd {
    // An error means that it has ended already.
    let _ = child.kill();
    let _ = child.wait();
    ProcessEnd::Stopped
}

fn end_of(status: ExitStatus) -> ProcessEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => ProcessEnd::Status(code),
        (None, Some(signal)) => ProcessEnd::Signal(signal),
        (None, None) => ProcessEnd::Stopped,
    }
}

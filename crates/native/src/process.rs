//! One native process under limits: it ends by itself, or it is ended.

use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use base::Budget;
use nix::sys::signal::{SigSet, Signal};
use nix::unistd::{Pid, tcgetpgrp, tcsetpgrp};

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

/// Runs the command. One that reads from a terminal is a process group of its own and in the foreground, as if a shell had
/// started it: an interrupt from the keyboard ends it, and not us.
pub fn run(
    command: &mut Command,
    terminal: Option<File>,
    limit: Duration,
    budget: &Budget,
) -> Result<ProcessEnd, NativeError> {
    let deadline = Instant::now() + limit;
    let _foreground = terminal.map(|terminal| {
        command.process_group(0);
        Foreground::of(terminal)
    });
    let mut child = command.spawn().map_err(io_error("the compiled program cannot be started"))?;
    loop {
        match child.try_wait().map_err(io_error("cannot wait for the compiled program"))? {
            Some(status) => return Ok(end_of(status)),
            None if Instant::now() >= deadline || budget.check().is_err() => return Ok(stop(child)),
            None => std::thread::sleep(INTERVAL),
        }
    }
}

/// Gives the foreground of a terminal back when dropped. The process takes it by itself (`runtime/main.c`).
struct Foreground {
    terminal: File,
    owner: Option<Pid>,
}

impl Foreground {
    fn of(terminal: File) -> Self {
        let owner = tcgetpgrp(&terminal).ok();
        Self { terminal, owner }
    }
}

impl Drop for Foreground {
    fn drop(&mut self) {
        let Some(owner) = self.owner else { return };
        // Who is in the background is stopped for this, unless the signal is blocked. If it fails, nothing was taken.
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGTTOU);
        let _ = signals.thread_block();
        let _ = tcsetpgrp(&self.terminal, owner);
        let _ = signals.thread_unblock();
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

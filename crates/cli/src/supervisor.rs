//! The process that the user started. It does no work itself: it starts a [worker](crate::worker), prints what that
//! says, and holds the limits against it from outside, in whatever stage it is: parsing, unfolding, encoding, solving.
//! A worker that is stopped has left word of what to print in that case, the last bound reached for example; one that
//! crashes is a bug of ours.
//!
//! The worker watches its limits too, and ends in good order where it looks at them often enough. The supervisor gives
//! it a little longer (time) or more (memory) than it gives itself, and then ends it.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use base::StopReason;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

use crate::exit_code::Exit;
use crate::failure::CommandFailure;
use crate::limits::LimitArguments;
use crate::progress::ProgressLine;
use crate::rim;
use crate::session::Session;
use crate::several_programs::{OneProgram, Selection};
use crate::wire::{Message, REASONS, index_of};
use crate::worker::{self, Looks, Orders};

/// What a worker gets beyond its time, to say what it knows.
const GRACE: Duration = Duration::from_millis(250);
/// What it gets after an interrupt. Nobody counts these seconds, and who does can interrupt again.
const GRACE_AFTER_INTERRUPT: Duration = Duration::from_secs(2);
/// How often memory is looked at. A process can touch some 20 MB in this time.
const MEMORY_INTERVAL: Duration = Duration::from_millis(10);
/// How long to wait for the last words of a worker that was ended.
const LAST_WORDS: Duration = Duration::from_millis(100);

enum SupervisorEvent {
    Message(Message),
    /// The worker's standard output has ended.
    Closed,
    Interrupt,
}

/// What became of a worker.
pub enum Supervised {
    Ended(Result<Exit, CommandFailure>),
    /// It has only told that there are several programs.
    Several(Vec<OneProgram>),
}

/// Runs the command in a worker, for some of the files or all; `Err` if none can be started.
pub fn supervise(
    arguments: &[OsString],
    limits: LimitArguments,
    progress: bool,
    selection: Option<Selection>,
    session: &Session,
) -> io::Result<Supervised> {
    let started = Instant::now();
    let mut child = Command::new(std::env::current_exe()?)
        .args(worker::mark(&Orders { looks: Looks { out: session.out, err: session.err }, selection }))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        // Of its own, so that what the worker has started (a preprocessor) ends with it.
        .process_group(0)
        .spawn()?;
    let (sender, events) = mpsc::channel();
    forward_messages(&mut child, sender.clone())?;
    rim::on_interrupt(move || drop(sender.send(SupervisorEvent::Interrupt)));
    let deadline = limits.timeout.and_then(|timeout| started.checked_add(timeout));
    let mut supervisor = Supervisor {
        leash: child.stdin.take(),
        child,
        events,
        session,
        line: ProgressLine::new(progress, deadline),
        end_at: deadline.and_then(|deadline| deadline.checked_add(GRACE)).map(|at| (at, StopReason::Time)),
        memory: limits.memory.map(limit_of_worker),
        decided: None,
        interim: [const { None }; REASONS.len()],
        programs: None,
    };
    let result = supervisor.watch();
    Ok(supervisor.programs.take().map_or(Supervised::Ended(result), Supervised::Several))
}

/// Where the supervisor ends a worker, so that the user's limit is not exceeded before the next look.
fn limit_of_worker(limit: u64) -> u64 {
    limit - (limit / 32).max((limit / 8).min(32 << 20))
}

fn forward_messages(child: &mut Child, sender: Sender<SupervisorEvent>) -> io::Result<()> {
    let mut stream = io::BufReader::new(child.stdout.take().expect("the worker's output should be a pipe"));
    let forward = move || {
        while let Some(message) = Message::read_from(&mut stream) {
            if sender.send(SupervisorEvent::Message(message)).is_err() {
                return;
            }
        }
        let _ = sender.send(SupervisorEvent::Closed);
    };
    thread::Builder::new().name("messages".to_owned()).spawn(forward).map(drop)
}

struct Supervisor<'a> {
    child: Child,
    /// The worker is asked to stop when this end of its standard input closes.
    leash: Option<ChildStdin>,
    events: Receiver<SupervisorEvent>,
    session: &'a Session,
    line: ProgressLine,
    /// When to end the worker, and why.
    end_at: Option<(Instant, StopReason)>,
    /// Resident bytes at which to end it.
    memory: Option<u64>,
    decided: Option<Exit>,
    /// By reason, in the order of `REASONS`.
    interim: [Option<(Exit, String)>; REASONS.len()],
    programs: Option<Vec<OneProgram>>,
}

impl Supervisor<'_> {
    fn watch(&mut self) -> Result<Exit, CommandFailure> {
        loop {
            match self.events.recv_timeout(self.next_look()) {
                Ok(SupervisorEvent::Message(message)) => self.hear(message),
                Ok(SupervisorEvent::Closed) | Err(RecvTimeoutError::Disconnected) => return self.ended(),
                Ok(SupervisorEvent::Interrupt) => self.interrupt(),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Some(reason) = self.exceeded() {
                return self.end(reason);
            }
        }
    }

    fn next_look(&self) -> Duration {
        let until_end = self.end_at.map_or(Duration::MAX, |(at, _)| at.saturating_duration_since(Instant::now()));
        let longest = if self.memory.is_some() { MEMORY_INTERVAL } else { Duration::from_secs(3600) };
        until_end.min(longest)
    }

    fn exceeded(&self) -> Option<StopReason> {
        if let Some((at, reason)) = self.end_at
            && Instant::now() >= at
        {
            return Some(reason);
        }
        let limit = self.memory?;
        let used = base::budget::resident_bytes_of(self.child.id())?;
        (used >= limit).then_some(StopReason::Memory)
    }

    /// The first interrupt asks the worker to stop, the second ends it.
    fn interrupt(&mut self) {
        let grace = if self.leash.take().is_some() { GRACE_AFTER_INTERRUPT } else { Duration::ZERO };
        let at = Instant::now() + grace;
        if self.end_at.is_none_or(|(other, _)| at < other) {
            self.end_at = Some((at, StopReason::Cancelled));
        }
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Output(bytes) => self.line.suspend(|| self.session.print(&bytes)),
            Message::Remark(text) => self.line.suspend(|| self.session.remark(&text)),
            Message::Progress(text) => self.line.show(text),
            Message::Decided(exit) => {
                self.line.finish();
                self.decided = Some(exit);
            }
            Message::Programs(programs) => self.programs = Some(programs),
            Message::Interim { reason, exit, text } => self.interim[index_of(reason)] = Some((exit, text)),
        }
    }

    /// The worker has ended by itself, or somebody else has ended it.
    fn ended(&mut self) -> Result<Exit, CommandFailure> {
        self.line.finish();
        let status = self
            .child
            .wait()
            .map_err(|error| CommandFailure::Bug(format!("cannot wait for the worker process: {error}")))?;
        if let Some(exit) = status.code().and_then(Exit::from_code) {
            return Ok(exit);
        }
        if status.signal() == Some(Signal::SIGKILL as i32) {
            self.session.remark("the worker was killed; most likely the system ran out of memory\n");
            return Ok(self.stopped(StopReason::Memory));
        }
        Err(CommandFailure::Bug(format!("the worker process terminated unexpectedly: {status}")))
    }

    /// Ends the worker.
    fn end(&mut self, reason: StopReason) -> Result<Exit, CommandFailure> {
        // An error means that it has ended already.
        let _ = killpg(Pid::from_raw(self.child.id() as i32), Signal::SIGKILL);
        let _ = self.child.wait();
        while let Ok(SupervisorEvent::Message(message)) = self.events.recv_timeout(LAST_WORDS) {
            self.hear(message);
        }
        self.line.finish();
        Ok(self.stopped(reason))
    }

    /// Says what was known when the worker was stopped.
    fn stopped(&mut self, reason: StopReason) -> Exit {
        if let Some(exit) = self.decided {
            return exit;
        }
        let Some((exit, text)) = self.interim[index_of(reason)].take() else {
            self.session.remark(&format!("stopped: {reason}\n"));
            return Exit::Unknown;
        };
        self.session.print(text.as_bytes());
        exit
    }
}

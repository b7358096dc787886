//! One process with its descendants, under limits that are watched from outside.
//!
//! CPU time and resident memory of the whole tree are read from the system's tables some fifty times a second. What goes
//! beyond a limit is first asked to end, so that it can still say what it knows, and soon after is made to. Figures at the
//! end are the system's own; peak memory is the larger of what the system counted for one process and what was seen of
//! the tree.

use std::fs::File;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use base::CancelToken;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use wait4::Wait4;

/// What a task may use; `None` is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    pub cpu: Option<Duration>,
    pub wall: Option<Duration>,
    /// Resident bytes.
    pub memory: Option<u64>,
}

/// Which limit ended a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exceeded {
    Time,
    Memory,
    /// Somebody wants everything to end.
    Cancelled,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Ended {
    pub exit_code: Option<i32>,
    pub signal: Option<i32>,
    pub cpu: Duration,
    pub wall: Duration,
    pub memory: u64,
    pub exceeded: Option<Exceeded>,
}

const INTERVAL: Duration = Duration::from_millis(20);
/// What a process gets to end by itself after it was asked to.
const GRACE: Duration = Duration::from_secs(1);

/// Runs `command` in a process group of its own, its output and errors written to `output`.
pub fn run(mut command: Command, output: &Path, limits: Limits, cancel: &CancelToken) -> io::Result<Ended> {
    let log = File::create(output)?;
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).process_group(0);
    let started = Instant::now();
    let mut child = command.spawn()?;
    let group = Pid::from_raw(child.id() as i32);
    let watch = Watch { group, started, limits, cancel, done: Mutex::new(false), bell: Condvar::new() };
    let (usage, seen) = thread::scope(|scope| {
        let watcher = scope.spawn(|| watch.until_done());
        let usage = child.wait4();
        watch.stop();
        (usage, watcher.join().unwrap_or_default())
    });
    // Descendants that outlive the process; an error means that there are none.
    let _ = killpg(group, Signal::SIGKILL);
    let usage = usage?;
    Ok(Ended {
        exit_code: usage.status.code(),
        signal: usage.status.signal(),
        // The kernel forgets what descendants used that nobody waited for.
        cpu: (usage.rusage.utime + usage.rusage.stime).max(seen.cpu),
        wall: started.elapsed(),
        memory: usage.rusage.maxrss.max(seen.memory),
        exceeded: seen.exceeded,
    })
}

struct Watch<'a> {
    group: Pid,
    started: Instant,
    limits: Limits,
    cancel: &'a CancelToken,
    done: Mutex<bool>,
    bell: Condvar,
}

/// What the watcher saw.
#[derive(Clone, Copy, Default)]
struct ResourceUsage {
    cpu: Duration,
    memory: u64,
    exceeded: Option<Exceeded>,
}

impl Watch<'_> {
    fn stop(&self) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.bell.notify_all();
    }

    /// Waits a little; whether the process has ended.
    fn is_done(&self) -> bool {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.bell.wait_timeout_while(done, INTERVAL, |done| !*done);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn until_done(&self) -> ResourceUsage {
        let mut seen = ResourceUsage::default();
        let mut asked: Option<Instant> = None;
        while !self.is_done() {
            let usage = TreeUsage::of(self.group.as_raw());
            seen.cpu = seen.cpu.max(usage.cpu);
            seen.memory = seen.memory.max(usage.memory);
            seen.exceeded = seen.exceeded.or_else(|| self.exceeded(usage));
            if seen.exceeded.is_none() {
                continue;
            }
            let signal = match asked {
                None => Signal::SIGTERM,
                // Who asked for memory when there was none left would ask for more to answer.
                Some(_) if usage.memory > self.limits.memory.unwrap_or(u64::MAX) => Signal::SIGKILL,
                Some(at) if at.elapsed() >= GRACE => Signal::SIGKILL,
                Some(_) => continue,
            };
            asked = asked.or(Some(Instant::now()));
            let _ = killpg(self.group, signal);
        }
        seen
    }

    fn exceeded(&self, usage: TreeUsage) -> Option<Exceeded> {
        let beyond = |limit: Option<Duration>, used| limit.is_some_and(|limit| used >= limit);
        if self.cancel.is_cancelled() {
            Some(Exceeded::Cancelled)
        } else if beyond(self.limits.wall, self.started.elapsed()) || beyond(self.limits.cpu, usage.cpu) {
            Some(Exceeded::Time)
        } else if self.limits.memory.is_some_and(|limit| usage.memory > limit) {
            Some(Exceeded::Memory)
        } else {
            None
        }
    }
}

/// What a process and its living descendants use, dead ones that were waited for included.
#[derive(Clone, Copy, Default)]
struct TreeUsage {
    cpu: Duration,
    memory: u64,
}

impl TreeUsage {
    fn of(root: i32) -> Self {
        let mut total = Self::default();
        let mut open = vec![root];
        while let Some(process) = open.pop() {
            let Some(cpu) = cpu_of(process) else { continue };
            total.cpu += cpu;
            total.memory += base::budget::resident_bytes_of(process as u32).unwrap_or(0);
            open.extend(children_of(process));
        }
        total
    }
}

/// User and system time of a process and of its children that have ended, in the kernel's hundredths of a second.
fn cpu_of(process: i32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may contain anything; the third field follows it.
    let fields = stat.rsplit_once(')')?.1;
    let ticks = fields.split_ascii_whitespace().skip(11).take(4).map(|field| field.parse::<u64>().unwrap_or(0));
    Some(Duration::from_millis(10 * ticks.sum::<u64>()))
}

fn children_of(process: i32) -> Vec<i32> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task"));
    let of_thread = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children")).ok();
    let lists: Vec<String> = threads.into_iter().flatten().flatten().filter_map(of_thread).collect();
    lists.iter().flat_map(|list| list.split_ascii_whitespace()).filter_map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limits: Limits) -> (Ended, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let output = folder.path().join("out");
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        let ended = run(command, &output, limits, &CancelToken::new()).expect("a run");
        (ended, std::fs::read_to_string(output).expect("output"))
    }

    #[test]
    fn output_and_exit_code_are_kept() {
        let (ended, output) = shell("echo one; echo two >&2; exit 3", Limits::default());
        assert_eq!((ended.exit_code, ended.exceeded), (Some(3), None));
        assert_eq!(output, "one\ntwo\n");
        assert!(ended.memory > 0);
        let (crashed, _) = shell("kill -SEGV $$", Limits::default());
        assert_eq!((crashed.exit_code, crashed.signal), (None, Some(11)));
    }

    #[test]
    fn a_limit_on_the_wall_ends_sleepers_and_their_children() {
        let limits = Limits { wall: Some(Duration::from_millis(200)), ..Limits::default() };
        let (ended, _) = shell("sleep 60 & sleep 60; echo no", limits);
        assert_eq!(ended.exceeded, Some(Exceeded::Time));
        assert!(ended.wall < Duration::from_secs(20), "{ended:?}");
    }

    #[test]
    fn processor_time_of_children_counts_and_who_is_asked_may_still_speak() {
        let limits = Limits { cpu: Some(Duration::from_millis(200)), ..Limits::default() };
        let busy = "trap 'echo last words; exit 3' TERM; sh -c 'trap : TERM; while :; do :; done' & wait";
        let (ended, output) = shell(busy, limits);
        assert_eq!((ended.exceeded, ended.exit_code), (Some(Exceeded::Time), Some(3)), "{output}");
        assert_eq!(output, "last words\n");
        assert!(ended.cpu >= Duration::from_millis(200), "nobody waited for the busy one, but it counts: {ended:?}");
    }

    #[test]
    fn too_much_memory_ends_a_process() {
        let limits = Limits { memory: Some(40 << 20), wall: Some(Duration::from_secs(60)), ..Limits::default() };
        let (ended, _) = shell("x=a; while :; do x=$x$x; done", limits);
        assert_eq!(ended.exceeded, Some(Exceeded::Memory), "{ended:?}");
    }
}

//! From a native log to a recording: the interpreter makes the same run again, with the steps of the log in their order
//! and with what came from outside. So a native recording is one of the interpreter, and everything behind it needs not
//! know the difference.
//!
//! The interpreter may go elsewhere: a program can decide by the value of an address, or depend on memory that it has
//! corrupted. That is noticed by a thread that cannot take its step, or by the hash of the sites of a slice, and what comes
//! after the departure is left out.

use base::Budget;
use execute::{ReplayedChoices, Scheduler};
use predict::path::path;
use predict::recording::{Recording, ThreadRecord};
use predict::{Recorded, record};
use program::instruction::InstructionKind;
use program::{At, Program, ThreadId, Visibility};

use crate::compiler::NativeError;
use crate::log::{NativeLog, Slice};
use crate::sites::Sites;

/// A recording, and how much of the log it covers.
#[derive(Debug)]
pub struct Followed {
    pub recorded: Recorded,
    /// The steps of the native run that it has.
    pub steps: u64,
    /// Whether the interpreter went elsewhere after them.
    pub departed: bool,
}

pub fn follow(
    program: &Program,
    visibility: &Visibility,
    sites: &Sites,
    log: &NativeLog,
    max_steps: Option<u64>,
    budget: &Budget,
) -> Result<Followed, NativeError> {
    let mut steps = log.steps().min(max_steps.unwrap_or(u64::MAX));
    let mut departed = false;
    loop {
        if steps == 0 {
            return Err(NativeError::Lost { what: "nothing was recorded".to_owned() });
        }
        let mut scheduler = LogScheduler::new(&log.slices);
        let mut choices = ReplayedChoices::new(&log.choices);
        let recorded =
            record(program, visibility, &mut scheduler, &mut choices, Some(steps), budget).map_err(|_| {
                NativeError::Lost { what: "the program's globals are too large to be interpreted".to_owned() }
            })?;
        let common = match scheduler.departed {
            Some(step) => step,
            None => common_steps(program, visibility, sites, log, &recorded.recording, steps),
        };
        if common >= steps {
            return Ok(Followed { recorded, steps, departed });
        }
        (steps, departed) = (common, true);
    }
}

/// Gives the turn to the threads of the log.
struct LogScheduler<'a> {
    slices: std::slice::Iter<'a, Slice>,
    thread: ThreadId,
    left: u64,
    taken: u64,
    /// The step that the thread of the log could not take.
    departed: Option<u64>,
}

impl<'a> LogScheduler<'a> {
    fn new(slices: &'a [Slice]) -> Self {
        Self { slices: slices.iter(), thread: ThreadId::MAIN, left: 0, taken: 0, departed: None }
    }
}

impl Scheduler for LogScheduler<'_> {
    fn pick(&mut self, enabled: &[ThreadId]) -> ThreadId {
        while self.left == 0 {
            let Some(slice) = self.slices.next() else { break };
            (self.thread, self.left) = (slice.thread, slice.steps);
        }
        if self.departed.is_none() && (self.left == 0 || !enabled.contains(&self.thread)) {
            self.departed = Some(self.taken);
        }
        if self.departed.is_some() {
            return enabled[0];
        }
        self.left -= 1;
        self.taken += 1;
        self.thread
    }
}

/// How many of the first `steps` steps of the log belong to slices whose sites are those of the recording.
fn common_steps(
    program: &Program,
    visibility: &Visibility,
    sites: &Sites,
    log: &NativeLog,
    recording: &Recording,
    steps: u64,
) -> u64 {
    let hashes: Vec<Vec<u64>> =
        recording.threads.iter().map(|thread| site_hashes(program, visibility, sites, thread)).collect();
    let mut totals = vec![0_u64; hashes.len()];
    let mut common = 0;
    for slice in &log.slices {
        if common + slice.steps > steps {
            break;
        }
        let Some(total) = totals.get_mut(slice.thread.0 as usize) else { return common };
        *total += slice.steps;
        let found = hashes[slice.thread.0 as usize].get(*total as usize - 1);
        if slice.hash.is_some_and(|hash| found != Some(&hash)) {
            return common;
        }
        common += slice.steps;
    }
    steps
}

/// The hash after each step of the thread.
fn site_hashes(program: &Program, visibility: &Visibility, sites: &Sites, thread: &ThreadRecord) -> Vec<u64> {
    let executed = ThreadRecord { pending: false, ..thread.clone() };
    let steps = path(program, &executed).unwrap_or_default();
    let (mut hashes, mut hash, mut depth) = (Vec::new(), 0_u64, 0_u32);
    for step in steps {
        let kind = match program.at(step.location) {
            At::Instruction(instruction) => Some(&instruction.kind),
            At::Terminator(_) => None,
        };
        let outside = depth == 0;
        match kind {
            Some(InstructionKind::AtomicBegin) => depth += 1,
            Some(InstructionKind::AtomicEnd) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if outside && visibility.is_visible(step.location) {
            let site = sites.site(step.location).map_or(u32::MAX, |site| site.0);
            hash = (hash ^ u64::from(site)).wrapping_mul(0x0100_0000_01b3);
            hashes.push(hash);
        }
    }
    hashes
}

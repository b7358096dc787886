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
use predict::recording::ThreadRecord;
use predict::{Recorded, record};
use program::instruction::InstructionKind;
use program::{Analyses, At, ThreadId, Visibility};
use std::sync::Arc;

use crate::compiler::NativeError;
use crate::log::{NativeLog, Slice};
use crate::sites::Sites;

/// A recording, and how much of the log it covers.
#[derive(Debug)]
pub struct Followed {
    pub recorded: Recorded,
    /// The steps of the native run that it has.
    pub steps: u64,
    pub coverage: RecordingEnd,
}

/// Why a recording ends where it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordingEnd {
    /// It has the whole run.
    Whole,
    /// The interpreter goes elsewhere after these steps.
    Departed,
    /// A thread computes for so long after these steps that the interpreter gives up, or all of them do together.
    LongComputation,
    /// As many steps as were asked for.
    MaxSteps,
    /// The budget is used up.
    Budget,
}

/// The interpreter takes the run in ever longer parts, each from the start, so that there is something when time is up.
const FIRST_PART: u64 = 2_000;
const GROWTH: u64 = 8;

/// Instructions of all threads from which on a recording is of no use to anybody: it takes gigabytes, and hours to look at.
const MOST_INSTRUCTIONS: u64 = 50_000_000;

/// Follows the log as far as `max_steps` and the budget allow.
pub fn follow(
    analyses: &Analyses<'_>,
    sites: &Sites,
    log: &NativeLog,
    max_steps: u64,
    budget: &Budget,
) -> Result<Followed, NativeError> {
    let follower = Follower { analyses, visibility: analyses.get(), sites, log, budget };
    let all = log.total_steps.min(max_steps);
    let mut part = FIRST_PART.min(all);
    let mut best = None;
    loop {
        let followed = match follower.part(part)? {
            Some(followed) => followed,
            None => return best.ok_or_else(|| lost("the time limit was reached before it could be repeated")),
        };
        if followed.coverage != RecordingEnd::Whole {
            return Ok(followed);
        }
        let reached = followed.steps;
        let next = follower.next_part(&followed, all);
        best = Some(followed);
        if reached >= all || next <= reached {
            let coverage = match () {
                () if reached >= log.total_steps => RecordingEnd::Whole,
                () if reached >= all => RecordingEnd::MaxSteps,
                () => RecordingEnd::LongComputation,
            };
            return best.map(|followed| Followed { coverage, ..followed }).ok_or_else(|| lost("nothing was recorded"));
        }
        best = best.map(|followed| Followed { coverage: RecordingEnd::Budget, ..followed });
        part = next;
    }
}

fn lost(what: &str) -> NativeError {
    NativeError::Lost { what: what.to_owned() }
}

struct Follower<'a> {
    analyses: &'a Analyses<'a>,
    visibility: Arc<Visibility>,
    sites: &'a Sites,
    log: &'a NativeLog,
    budget: &'a Budget,
}

impl Follower<'_> {
    /// The first steps of the log, or fewer where the interpreter goes elsewhere; nothing if the budget is used up.
    fn part(&self, mut steps: u64) -> Result<Option<Followed>, NativeError> {
        let mut coverage = RecordingEnd::Whole;
        loop {
            if steps == 0 {
                return Err(lost("nothing was recorded"));
            }
            let mut scheduler = LogScheduler::new(&self.log.slices);
            let mut choices = ReplayedChoices::new(&self.log.choices);
            let mut recorded = record(self.analyses, &mut scheduler, &mut choices, Some(steps), self.budget)
                .map_err(|_| lost("the program's globals are too large to be interpreted"))?;
            if self.budget.check().is_err() {
                return Ok(None);
            }
            let hashes: Vec<SiteHashes> =
                recorded.recording.threads.iter().map(|thread| self.site_hashes(thread)).collect();
            let departure = scheduler.departed.or_else(|| departure(self.log, &hashes, steps));
            let Some((common, thread)) = departure else {
                if coverage == RecordingEnd::LongComputation {
                    leave_out_computations(&mut recorded, &hashes);
                }
                return Ok(Some(Followed { recorded, steps, coverage }));
            };
            let hashes = hashes.get(thread.0 as usize);
            let computes = hashes.is_some_and(|hashes| hashes.since_last_step >= COMPUTES_FOR_LONG);
            coverage = if computes { RecordingEnd::LongComputation } else { RecordingEnd::Departed };
            steps = common;
        }
    }

    /// How many steps to try next, in view of what these have cost.
    fn next_part(&self, followed: &Followed, all: u64) -> u64 {
        let instructions: u64 = followed.recorded.recording.threads.iter().map(|thread| thread.instructions).sum();
        let affordable = followed.steps.saturating_mul(MOST_INSTRUCTIONS) / instructions.max(1);
        all.min(followed.steps.saturating_mul(GROWTH)).min(affordable)
    }

    fn site_hashes(&self, thread: &ThreadRecord) -> SiteHashes {
        let executed = ThreadRecord { pending: false, ..thread.clone() };
        let steps = path(self.analyses.program, &executed).unwrap_or_default();
        let mut hashes = SiteHashes::default();
        let (mut hash, mut depth) = (0_u64, 0_u32);
        for step in steps {
            let kind = match self.analyses.program.at(step.location) {
                At::Instruction(instruction) => Some(&instruction.kind),
                At::Terminator(_) => None,
            };
            let outside = depth == 0;
            match kind {
                Some(InstructionKind::AtomicBegin) => depth += 1,
                Some(InstructionKind::AtomicEnd) => depth = depth.saturating_sub(1),
                _ => {}
            }
            hashes.since_last_step += 1;
            hashes.decisions_since += usize::from(step.decision.is_some());
            if outside && self.visibility.is_visible(step.location) {
                let site = self.sites.site(step.location).map_or(u32::MAX, |site| site.0);
                hash = (hash ^ u64::from(site)).wrapping_mul(0x0100_0000_01b3);
                hashes.after.push(hash);
                (hashes.since_last_step, hashes.decisions_since) = (0, 0);
            }
        }
        hashes
    }
}

/// So many instructions without a step are more than the interpreter lets a thread have: see `Config::fuel`.
const COMPUTES_FOR_LONG: u64 = 1_000_000;

/// The places of a thread's steps.
#[derive(Debug, Default)]
struct SiteHashes {
    /// The hash after each step.
    after: Vec<u64>,
    /// Instructions after the last step, and decisions in them.
    since_last_step: u64,
    decisions_since: usize,
}

/// What a thread computes after its last step, without coming to the next, tells nobody anything.
fn leave_out_computations(recorded: &mut Recorded, hashes: &[SiteHashes]) {
    let recording = &mut recorded.recording;
    for (index, hashes) in hashes.iter().enumerate().filter(|(_, hashes)| hashes.since_last_step >= COMPUTES_FOR_LONG) {
        let thread = &mut recording.threads[index];
        thread.instructions -= hashes.since_last_step;
        thread.decisions.truncate(thread.decisions.len() - hashes.decisions_since);
        recording.places[index].retain(|place| place.index < thread.instructions);
    }
}

/// Gives the turn to the threads of the log.
struct LogScheduler<'a> {
    slices: std::slice::Iter<'a, Slice>,
    thread: ThreadId,
    left: u64,
    taken: u64,
    /// The step that the thread of the log could not take.
    departed: Option<(u64, ThreadId)>,
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
            self.departed = Some((self.taken, self.thread));
        }
        if self.departed.is_some() {
            return enabled[0];
        }
        self.left -= 1;
        self.taken += 1;
        self.thread
    }
}

/// The first slice within these steps whose sites are not those of the recording: the step it begins with, and its thread.
fn departure(log: &NativeLog, hashes: &[SiteHashes], steps: u64) -> Option<(u64, ThreadId)> {
    let mut totals = vec![0_u64; hashes.len()];
    let mut common = 0;
    for slice in &log.slices {
        if common + slice.steps > steps {
            break;
        }
        let departed = Some((common, slice.thread));
        let Some(total) = totals.get_mut(slice.thread.0 as usize) else { return departed };
        *total += slice.steps;
        let found = hashes[slice.thread.0 as usize].after.get(*total as usize - 1);
        if slice.hash.is_some_and(|hash| found != Some(&hash)) {
            return departed;
        }
        common += slice.steps;
    }
    None
}

//! What a replaying process has written, in the layout of `runtime/replay.c`.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use program::ThreadId;

use crate::replay::DepartureReason;
use crate::sites::SiteId;

const MAX_THREADS: u64 = 1024;
const HEADER_WORDS: u64 = 10;
const FIRST_ACCESS: u64 = 8 * (HEADER_WORDS + 2 * MAX_THREADS);
const ACCESS_BYTES: u64 = 32;
/// Accesses that are noted. The file is sparse.
const CAPACITY: u64 = 1 << 22;
/// How a thread stands that waits, and one that has ended.
const WAITS: u64 = 2;
const HAS_ENDED: u64 = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplayOutcome {
    /// The process died before it could say anything.
    Nothing,
    /// All steps were taken, and every thread got to its next one, or to its end.
    End,
    Violated {
        thread: ThreadId,
        site: SiteId,
    },
    Misused {
        thread: ThreadId,
        site: SiteId,
    },
    Departed {
        reason: DepartureReason,
        thread: ThreadId,
        site: SiteId,
    },
    Exited,
    Unsupported,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NativeAccess {
    pub thread: ThreadId,
    pub site: SiteId,
    pub address: u64,
    pub size: u64,
}

impl NativeAccess {
    pub fn overlaps(&self, other: &NativeAccess) -> bool {
        self.address < other.address.saturating_add(other.size)
            && other.address < self.address.saturating_add(self.size)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayReport {
    pub outcome: ReplayOutcome,
    /// Steps that were taken.
    pub position: u64,
    /// In the order of the run.
    pub accesses: Vec<NativeAccess>,
    /// Heap objects that were not freed.
    pub heap_objects: u64,
    /// Threads that were neither joined nor detached.
    pub left_threads: u64,
    /// Of the threads that were started.
    standings: Vec<u64>,
}

impl ReplayReport {
    /// Whether the process has come to its end.
    pub fn has_ended(&self) -> bool {
        match self.outcome {
            ReplayOutcome::Exited => true,
            ReplayOutcome::End => self.standings.iter().all(|&standing| standing == HAS_ENDED),
            _ => false,
        }
    }

    /// Whether the thread waits at the end of the schedule.
    pub fn waits(&self, thread: ThreadId) -> bool {
        self.standings.get(thread.0 as usize) == Some(&WAITS)
    }
}

/// An empty report for a process to fill.
pub fn create(path: &Path) -> io::Result<()> {
    File::create_new(path)?.set_len(FIRST_ACCESS + CAPACITY * ACCESS_BYTES)
}

pub fn read(path: &Path) -> io::Result<ReplayReport> {
    let file = File::open(path)?;
    let header = words(&file, 0, HEADER_WORDS)?;
    let [outcome, thread, site, position, detail, accesses, _, threads, heap_objects, left_threads] = header[..] else {
        return Err(io::ErrorKind::UnexpectedEof.into());
    };
    let (thread, site) = (ThreadId(thread as u32), SiteId(site as u32));
    let outcome = match (outcome, detail) {
        (1, _) => ReplayOutcome::End,
        (2, _) => ReplayOutcome::Violated { thread, site },
        (3, _) => ReplayOutcome::Misused { thread, site },
        (4, 1) => ReplayOutcome::Departed { reason: DepartureReason::Elsewhere, thread, site },
        (4, 2) => ReplayOutcome::Departed { reason: DepartureReason::Blocked, thread, site },
        (4, _) => ReplayOutcome::Departed { reason: DepartureReason::Missing, thread, site },
        (5, _) => ReplayOutcome::Exited,
        (6, _) => ReplayOutcome::Unsupported,
        _ => ReplayOutcome::Nothing,
    };
    let standings = words(&file, 8 * HEADER_WORDS, threads.min(MAX_THREADS))?;
    let accesses = words(&file, FIRST_ACCESS, accesses.min(CAPACITY) * ACCESS_BYTES / 8)?;
    let accesses = accesses.chunks_exact(4).map(|words| NativeAccess {
        thread: ThreadId(words[0] as u32),
        site: SiteId(words[1] as u32),
        address: words[2],
        size: words[3],
    });
    let accesses = accesses.collect();
    Ok(ReplayReport { outcome, position, accesses, heap_objects, left_threads, standings })
}

fn words(file: &File, offset: u64, count: u64) -> io::Result<Vec<u64>> {
    let mut bytes = vec![0; count as usize * 8];
    file.read_exact_at(&mut bytes, offset)?;
    let word = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().expect("a word should have eight bytes"));
    Ok(bytes.chunks_exact(8).map(word).collect())
}

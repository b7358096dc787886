//! What a recording process has written: who took how many steps in which order, and what each thread was given. The
//! layout is that of `runtime/record.c`.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use program::{Choices, ThreadId};

const HEADER_BYTES: u64 = 4096;
const CELL_BYTES: u64 = 64;
const MAX_THREADS: u64 = 1024;
const ENTRY_BYTES: u64 = 24;
const FIRST_ENTRY: u64 = HEADER_BYTES + CELL_BYTES * MAX_THREADS;

/// Entries that a log has room for. The file is sparse: what is not used takes no space.
const CAPACITY: u64 = 1 << 25;

/// What the process said last about its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// Nothing: it was ended by a signal or from outside.
    Broken,
    Exited(i32),
    Aborted,
    /// No thread could go on.
    Stuck,
    Unsupported,
    /// The log was full.
    LogFull,
    TooManyThreads,
    /// A thread waited inside an atomic section, which nothing native can take back.
    WaitInSection,
}

/// A thread that took steps without another one in between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slice {
    pub thread: ThreadId,
    pub steps: u64,
    /// Of all sites of the thread up to here; unknown where the run broke off.
    pub hash: Option<u64>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeLog {
    pub slices: Vec<Slice>,
    pub choices: Choices,
    pub end: RunEnd,
}

/// An empty log for a process to fill.
pub fn create(path: &Path, seed: u64) -> io::Result<()> {
    let file = File::create_new(path)?;
    file.set_len(FIRST_ENTRY + CAPACITY * ENTRY_BYTES)?;
    file.write_all_at(&seed.to_ne_bytes(), 56)
}

pub fn read(path: &Path) -> io::Result<NativeLog> {
    let file = File::open(path)?;
    let [_, entries, owner, _, end, status] = words(&file, 0)?;
    let mut totals = vec![0; MAX_THREADS as usize];
    let mut log = NativeLog { slices: Vec::new(), choices: Choices::default(), end: run_end(end, status) };
    let mut bytes = vec![0; (entries.min(CAPACITY) * ENTRY_BYTES) as usize];
    file.read_exact_at(&mut bytes, FIRST_ENTRY)?;
    for entry in bytes.chunks_exact(ENTRY_BYTES as usize) {
        let [head, steps, value] = three_words(entry);
        // Two numbers of 32 bits, in the order in which they lie in memory.
        let (kind, thread) = (head as u32, ThreadId((head >> 32) as u32));
        match kind {
            0 => log.add_slice(&mut totals, thread, steps, Some(value)),
            _ => log.choices.push(thread, value),
        }
    }
    if let Some(owner) = owner.checked_sub(1).filter(|&owner| owner < MAX_THREADS) {
        let [steps, _] = words(&file, HEADER_BYTES + owner * CELL_BYTES)?;
        log.add_slice(&mut totals, ThreadId(owner as u32), steps, None);
    }
    Ok(log)
}

impl NativeLog {
    /// All steps.
    pub fn steps(&self) -> u64 {
        self.slices.iter().map(|slice| slice.steps).sum()
    }

    fn add_slice(&mut self, totals: &mut [u64], thread: ThreadId, total: u64, hash: Option<u64>) {
        let Some(before) = totals.get_mut(thread.0 as usize) else { return };
        let steps = total.saturating_sub(*before);
        *before = total;
        if steps > 0 {
            self.slices.push(Slice { thread, steps, hash });
        }
    }
}

fn run_end(end: u64, status: u64) -> RunEnd {
    match end {
        1 => RunEnd::Exited(status as i32),
        2 => RunEnd::Aborted,
        3 => RunEnd::Stuck,
        4 => RunEnd::Unsupported,
        5 => RunEnd::LogFull,
        6 => RunEnd::TooManyThreads,
        7 => RunEnd::WaitInSection,
        _ => RunEnd::Broken,
    }
}

fn words<const N: usize>(file: &File, offset: u64) -> io::Result<[u64; N]> {
    let mut bytes = vec![0; N * 8];
    file.read_exact_at(&mut bytes, offset)?;
    let mut words = [0; N];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = word_of(bytes);
    }
    Ok(words)
}

fn three_words(bytes: &[u8]) -> [u64; 3] {
    [0, 8, 16].map(|at| word_of(&bytes[at..at + 8]))
}

fn word_of(bytes: &[u8]) -> u64 {
    u64::from_ne_bytes(bytes.try_into().expect("a word should have eight bytes"))
}

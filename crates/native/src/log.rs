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
    /// Steps of all threads, also those that are in no slice because not all of a long log is read.
    pub total_steps: u64,
}

/// Entries that are read at a time.
const CHUNK: u64 = 1 << 16;

/// An empty log for a process to fill.
pub fn create(path: &Path, seed: u64) -> io::Result<()> {
    let file = File::create_new(path)?;
    file.set_len(FIRST_ENTRY + CAPACITY * ENTRY_BYTES)?;
    file.write_all_at(&seed.to_ne_bytes(), 56)
}

/// Reads a log, at least until it has so many steps.
pub fn read(path: &Path, most_steps: u64) -> io::Result<NativeLog> {
    let file = File::open(path)?;
    let [_, entries, owner, _, end, status] = words(&file, 0)?;
    let mut totals = vec![0; MAX_THREADS as usize];
    let total_steps = all_steps(&file)?;
    let mut log = NativeLog { slices: Vec::new(), choices: Choices::default(), end: run_end(end, status), total_steps };
    let entries = entries.min(CAPACITY);
    let (mut at, mut read) = (0, 0);
    while at < entries && read < most_steps {
        let count = CHUNK.min(entries - at);
        let mut bytes = vec![0; (count * ENTRY_BYTES) as usize];
        file.read_exact_at(&mut bytes, FIRST_ENTRY + at * ENTRY_BYTES)?;
        for entry in bytes.chunks_exact(ENTRY_BYTES as usize) {
            let [head, steps, value] = three_words(entry);
            // Two numbers of 32 bits, in the order in which they lie in memory.
            let (kind, thread) = (head as u32, ThreadId((head >> 32) as u32));
            match kind {
                0 => read += log.add_slice(&mut totals, thread, steps, Some(value)),
                _ => log.choices.push(thread, value),
            }
        }
        at += count;
    }
    if at < entries {
        return Ok(log);
    }
    if let Some(owner) = owner.checked_sub(1).filter(|&owner| owner < MAX_THREADS) {
        let [steps, _] = words(&file, HEADER_BYTES + owner * CELL_BYTES)?;
        log.add_slice(&mut totals, ThreadId(owner as u32), steps, None);
    }
    Ok(log)
}

/// The steps that all threads have taken.
fn all_steps(file: &File) -> io::Result<u64> {
    let mut bytes = vec![0; (CELL_BYTES * MAX_THREADS) as usize];
    file.read_exact_at(&mut bytes, HEADER_BYTES)?;
    Ok(bytes.chunks_exact(CELL_BYTES as usize).map(|cell| word_of(&cell[..8])).sum())
}

impl NativeLog {
    /// Returns how many steps the slice has.
    fn add_slice(&mut self, totals: &mut [u64], thread: ThreadId, total: u64, hash: Option<u64>) -> u64 {
        let Some(before) = totals.get_mut(thread.0 as usize) else { return 0 };
        let steps = total.saturating_sub(*before);
        *before = total;
        if steps > 0 {
            self.slices.push(Slice { thread, steps, hash });
        }
        steps
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

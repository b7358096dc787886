//! The shortcuts, each alone, against the explorer: violation sites (with leak freedom), static race analysis, lock order,
//! thread-modular proofs, and the pruning of spin loops. A shortcut may leave a program open; it may not prove what the
//! explorer refutes.

use std::fmt;
use std::time::Duration;

use engines::{Engine, UnwindLimits};
use program::{Outcome, Property};

use crate::features::Features;
use crate::gate::with_gate;
use crate::generate::{INPUTS, MAX_ROUNDS, generate};
use crate::guarded::guard;
use crate::race_programs::generate_race_program;
use crate::subject::{Checking, Exploring, Subject};

/// A shortcut and the programs that it is tried on.
#[derive(Clone, Copy)]
pub struct Shortcut {
    pub engine: &'static dyn Engine,
    pub property: Property,
    pub source: ProgramSource,
}

/// Where programs come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgramSource {
    /// Generated with these features.
    Generated(&'static str),
    /// As above, with most statements under locks.
    Guarded(&'static str),
    /// Idioms of real programs about data races.
    RaceIdioms,
}

/// What came of all programs of one shortcut.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    pub programs: u64,
    pub violated: u64,
    pub proved: u64,
    /// Safe, and not decided by the shortcut.
    pub undecided: u64,
    /// The explorer has not seen everything.
    pub skipped: u64,
    /// Wrong: the text of each program.
    pub mistakes: Vec<String>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64| 100 * part / self.programs.max(1);
        write!(
            f,
            "{} programs: {} violated, {} proved, {} % undecided, {} % skipped, {} wrong",
            self.programs,
            self.violated,
            self.proved,
            percent(self.undecided),
            percent(self.skipped),
            self.mistakes.len()
        )
    }
}

const MAX_STATES: u64 = 4_000;
const TIMEOUT: Duration = Duration::from_secs(3);

/// All shortcuts, each with properties and programs that it has something to say about.
pub fn shortcuts() -> Vec<Shortcut> {
    let named = |name: &str| engines::engine_named(name).expect("an engine of this name");
    let memory = ProgramSource::Generated("core,heap,stack,pointers,arrays");
    let locks = ProgramSource::Guarded("core,locks,try-locks,rwlocks,conditions");
    let shortcut = |engine, property, source| Shortcut { engine: named(engine), property, source };
    vec![
        shortcut("violation-sites", Property::ValidDeref, memory),
        shortcut("violation-sites", Property::ValidMemtrack, memory),
        shortcut("violation-sites", Property::NoOverflow, ProgramSource::Generated("core")),
        shortcut("violation-sites", Property::LockMisuse, ProgramSource::Generated("core,misuses")),
        shortcut("violation-sites", Property::NoDeadlock, ProgramSource::Generated("core")),
        shortcut("static-races", Property::NoDataRace, ProgramSource::RaceIdioms),
        shortcut("static-races", Property::NoDataRace, locks),
        shortcut("lock-order", Property::NoDeadlock, locks),
        shortcut("lock-order", Property::NoDeadlock, ProgramSource::Generated("core,locks,semaphores")),
        shortcut("modular", Property::Assert, ProgramSource::Generated("core")),
        shortcut("modular", Property::LockMisuse, ProgramSource::Generated("core,misuses")),
        shortcut("order", Property::Assert, ProgramSource::Generated("core,spins")),
    ]
}

impl Shortcut {
    /// Tries `count` programs, with and without a gate in front.
    pub fn compare(&self, first_seed: u64, count: u64) -> Summary {
        let mut summary = Summary::default();
        for seed in first_seed..first_seed + count {
            let text = self.source.program(seed);
            self.compare_one(&text, &mut summary);
            self.compare_one(&with_gate(&text), &mut summary);
        }
        summary
    }

    fn compare_one(&self, text: &str, summary: &mut Summary) {
        summary.programs += 1;
        let Ok(subject) = Subject::from_text(text) else {
            summary.skipped += 1;
            return;
        };
        let unwind = UnwindLimits { exactly: Some(MAX_ROUNDS + 1), at_most: None };
        let checking = Checking { unwind, only: true, timeout: TIMEOUT, ..Checking::default() };
        let answer = match subject.check(self.engine, self.property, &checking) {
            Ok(answer) => answer,
            Err(broken) => return summary.mistakes.push(format!("{broken:?}\n{text}")),
        };
        let proved = answer == Outcome::Proved;
        let exploring =
            Exploring { inputs: INPUTS, max_states: MAX_STATES, count_executions: false, timeout: Some(TIMEOUT) };
        let explored = match subject.explore(self.property, &exploring) {
            Ok(explored) => explored,
            Err(broken) => return summary.mistakes.push(format!("{broken:?}\n{text}")),
        };
        match explored.violates(self.property) {
            true if proved => summary.mistakes.push(format!("proved, although it is violated:\n{text}")),
            true => summary.violated += 1,
            false if !explored.is_complete() => summary.skipped += 1,
            false if proved => summary.proved += 1,
            false => summary.undecided += 1,
        }
    }
}

impl ProgramSource {
    fn program(self, seed: u64) -> String {
        let features = |names: &str| Features::parse(names).expect("known features");
        match self {
            ProgramSource::Generated(names) => generate(seed, features(names)).to_string(),
            ProgramSource::Guarded(names) => {
                let mut program = generate(seed, features(names));
                guard(&mut program, seed, features(names));
                program.to_string()
            }
            ProgramSource::RaceIdioms => generate_race_program(seed),
        }
    }
}

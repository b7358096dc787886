//! The survey of a program: every pair of accesses that could be a data race, and why it is none.

use std::collections::{BTreeMap, BTreeSet};

use base::{Budget, Span};
use program::{Location, Program};

use crate::access::{AbstractAccess, AbstractAccessKind};
use crate::analysis::{AbstractInterpreter, Effort, GivenUp};
use crate::identity::{Identities, ObjectId};
use crate::ordering::{Moment, ThreadOrder, order};
use crate::range::Overlap;
use crate::state::Mode;

/// Why two conflicting accesses are ordered in every execution, or are to different memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reason {
    /// One comes before the other's thread is created.
    Creation,
    /// One comes after the other's thread is joined.
    Join,
    /// Both are in atomic sections.
    AtomicSections,
    /// Both threads hold this lock.
    Lock,
    /// Both threads hold the lock that lies beside what they access.
    LockBeside,
    /// One comes before the object's address is known to any other thread.
    BeforePublication,
}

/// One half of a pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Side {
    pub location: Location,
    pub kind: AbstractAccessKind,
}

/// Two accesses that conflict, wherever threads may execute them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RacePair {
    pub object: String,
    pub first: Side,
    pub second: Side,
    /// All reasons that were needed; `None` if some executions are not excluded by any.
    pub reasons: Option<BTreeSet<Reason>>,
}

/// What is known about the races of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RaceSurvey {
    /// Grouped by object.
    pub pairs: Vec<RacePair>,
    /// Accesses to objects that other threads cannot reach.
    pub private_accesses: usize,
}

impl RaceSurvey {
    /// Whether no execution has a data race.
    pub fn is_race_free(&self) -> bool {
        self.pairs.iter().all(|pair| pair.reasons.is_some())
    }

    pub fn undischarged(&self) -> impl Iterator<Item = &RacePair> {
        self.pairs.iter().filter(|pair| pair.reasons.is_none())
    }
}

/// How often a survey starts again because a loop turns out to be long.
const RESTARTS: usize = 40;
const ROUNDS: u32 = 24;
const INSTRUCTIONS: u64 = 400_000;

/// Surveys a well-formed program.
pub fn survey(program: &Program, budget: &Budget) -> Result<RaceSurvey, GivenUp> {
    with_effort(|effort| survey_once(program, effort, budget))
}

/// Tries a close look first; where that takes too much, one that tells less apart.
pub(crate) fn with_effort<T>(look: impl Fn(Effort) -> Result<T, GivenUp>) -> Result<T, GivenUp> {
    let close = Effort { rounds: ROUNDS, long_loops: BTreeSet::new(), call_depth: 24, instructions: INSTRUCTIONS };
    match restarting(&look, close.clone()) {
        Err(GivenUp::TooLarge) => restarting(&look, Effort { rounds: 0, call_depth: 4, ..close }),
        answer => answer,
    }
}

fn restarting<T>(look: impl Fn(Effort) -> Result<T, GivenUp>, mut effort: Effort) -> Result<T, GivenUp> {
    for _ in 0..RESTARTS {
        match look(effort.clone()) {
            Err(GivenUp::LongLoop(function, id)) => effort.long_loops.insert((function, id)),
            answer => return answer,
        };
    }
    Err(GivenUp::TooLarge)
}

fn survey_once(program: &Program, effort: Effort, budget: &Budget) -> Result<RaceSurvey, GivenUp> {
    let mut analysis = AbstractInterpreter::new(program, effort, budget);
    let accesses = analysis.run()?;
    let mut by_object: BTreeMap<ObjectId, Vec<AbstractAccess>> = BTreeMap::new();
    let mut private_accesses = 0;
    for access in accesses {
        if !is_writable(program, &analysis.identities, access.object) {
            continue;
        }
        match analysis.world.escaped.contains(&access.object) {
            true => by_object.entry(access.object).or_default().push(access),
            false => private_accesses += 1,
        }
    }
    let mut pairs = Vec::new();
    for (object, accesses) in by_object {
        let name = analysis.identities.describe(program, object);
        pairs_of(&analysis.identities, &name, &distinct(accesses), budget, &mut pairs)?;
    }
    Ok(RaceSurvey { pairs, private_accesses })
}

fn is_writable(program: &Program, identities: &Identities, object: ObjectId) -> bool {
    match identities.object(object) {
        crate::identity::Object::Global(global) => !program.globals[global].read_only,
        _ => true,
    }
}

/// The same access in several contexts counts once.
fn distinct(accesses: Vec<AbstractAccess>) -> Vec<AbstractAccess> {
    let mut result: Vec<AbstractAccess> = Vec::new();
    let mut by_location: BTreeMap<(Location, AbstractAccessKind), Vec<usize>> = BTreeMap::new();
    for access in accesses {
        let known = by_location.entry((access.location, access.kind)).or_default();
        if !known.iter().any(|&index| result[index] == access) {
            known.push(result.len());
            result.push(access);
        }
    }
    result
}

fn pairs_of(
    identities: &Identities,
    object: &str,
    accesses: &[AbstractAccess],
    budget: &Budget,
    pairs: &mut Vec<RacePair>,
) -> Result<(), GivenUp> {
    let mut found: BTreeMap<(Side, Side), Option<BTreeSet<Reason>>> = BTreeMap::new();
    for (index, a) in accesses.iter().enumerate() {
        budget.check().map_err(GivenUp::Stopped)?;
        for b in &accesses[index..] {
            if !may_conflict(identities, a, b) {
                continue;
            }
            let sides = [a, b].map(|access| Side { location: access.location, kind: access.kind });
            let [first, second] = if sides[0] <= sides[1] { sides } else { [sides[1], sides[0]] };
            let reasons = found.entry((first, second)).or_insert_with(|| Some(BTreeSet::new()));
            match (reason(identities, a, b), &mut *reasons) {
                (Some(reason), Some(reasons)) => {
                    reasons.insert(reason);
                }
                _ => *reasons = None,
            }
        }
    }
    let object = |((first, second), reasons)| RacePair { object: object.to_owned(), first, second, reasons };
    pairs.extend(found.into_iter().map(object));
    Ok(())
}

/// Whether the accesses are by two threads, to common bytes, and of kinds that conflict.
fn may_conflict(identities: &Identities, a: &AbstractAccess, b: &AbstractAccess) -> bool {
    let two_threads = a.thread != b.thread || !identities.is_unique_thread(a.thread);
    two_threads && a.kind.conflicts(b.kind) && a.offset.overlap(a.size, b.offset, b.size) != Overlap::Never
}

fn reason(identities: &Identities, a: &AbstractAccess, b: &AbstractAccess) -> Option<Reason> {
    match order(identities, moment(a), moment(b)) {
        Some(ThreadOrder::Creation | ThreadOrder::SameThread) => return Some(Reason::Creation),
        Some(ThreadOrder::Join) => return Some(Reason::Join),
        None => {}
    }
    match () {
        () if a.guard.in_section && b.guard.in_section => Some(Reason::AtomicSections),
        () if have_common_lock(a, b) => Some(Reason::Lock),
        () if have_common_lock_beside(a, b) => Some(Reason::LockBeside),
        () if a.is_fresh || b.is_fresh => Some(Reason::BeforePublication),
        () => None,
    }
}

fn moment(access: &AbstractAccess) -> Moment<'_> {
    Moment { thread: access.thread, created: &access.guard.created, joined: &access.guard.joined }
}

fn excludes(a: Mode, b: Mode) -> bool {
    a == Mode::Exclusive || b == Mode::Exclusive
}

fn have_common_lock(a: &AbstractAccess, b: &AbstractAccess) -> bool {
    let common = |&(object, offset, mode): &(ObjectId, i64, Mode)| {
        b.guard.locks.iter().any(|&(other, at, how)| (other, at) == (object, offset) && excludes(mode, how))
    };
    a.guard.locks.iter().any(common)
}

fn have_common_lock_beside(a: &AbstractAccess, b: &AbstractAccess) -> bool {
    a.offset.overlap(a.size, b.offset, b.size) == Overlap::OnlyIfEqual
        && a.near_locks
            .iter()
            .any(|&(distance, mode)| b.near_locks.iter().any(|&(other, how)| other == distance && excludes(mode, how)))
}

impl RacePair {
    pub fn spans(&self, program: &Program) -> [Span; 2] {
        [program.span(self.first.location), program.span(self.second.location)]
    }
}

//! Keeps the supervisor informed while an engine works: what it is doing, and what to say should it be stopped now.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::{Budget, Statistics, StopReason};
use engines::{Observer, Progress, QueryText};
use portfolio::Listener;
use program::{Outcome, Program, Property, PropertySet, Provenances, UnknownReason, VerdictProvenance};
use report::assumptions::Assumption;
use report::coverage::Reach;

use crate::check::Sheet;
use crate::query_dump::QueryDump;
use crate::wire::{Message, REASONS};

/// How often what is known is sent to the supervisor. Rendering a report takes longer than most checks, so that a check that is
/// done by then sends none.
const BEAT: Duration = Duration::from_millis(100);
/// A long search shows after so many beats that it goes on.
const BEATS_TO_PROGRESS: u32 = 5;

/// What to say if the check is stopped before there is a program.
pub fn before_reading(sheet: &Sheet<'_>, selected: PropertySet) {
    let program = Program::default();
    leave_word(sheet, &program, &[], &AnswersSoFar::nothing(selected, Statistics::new()));
}

pub struct Narrator<'a> {
    sheet: &'a Sheet<'a>,
    program: &'a Program,
    assumptions: &'a [Assumption],
    /// Of the stages before the engine.
    statistics: Statistics,
    known: Mutex<AnswersSoFar>,
    dump: Mutex<QueryDump<'a>>,
    /// What is being asked, in words.
    query: Mutex<String>,
    /// What is being done, in words.
    activity: Mutex<String>,
}

impl<'a> Narrator<'a> {
    pub fn new(
        sheet: &'a Sheet<'a>,
        program: &'a Program,
        assumptions: &'a [Assumption],
        statistics: Statistics,
        selected: PropertySet,
    ) -> Self {
        let known = Mutex::new(AnswersSoFar::nothing(selected, statistics.clone()));
        let dump = Mutex::new(QueryDump::new(&sheet.output.dumps));
        Self {
            sheet,
            program,
            assumptions,
            statistics,
            known,
            dump,
            query: Mutex::default(),
            activity: Mutex::default(),
        }
    }

    /// Does `work`, and tells the supervisor meanwhile what is known and how many conflicts the solvers have met.
    pub fn accompany<R>(&self, budget: &Budget, work: impl FnOnce() -> R) -> R {
        std::thread::scope(|scope| {
            // Dropped when the work is done, or when it panics.
            let (_working, done) = channel::<()>();
            scope.spawn(move || {
                let (mut shown, mut beats) = (0, 0);
                while done.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                    beats += 1;
                    self.send_what_is_new();
                    let conflicts = budget.conflicts.get();
                    if conflicts != shown && beats % BEATS_TO_PROGRESS == 0 {
                        shown = conflicts;
                        let text = format!("{}, {conflicts} conflicts", lock(&self.activity));
                        self.sheet.session.tell(&Message::Progress(text));
                    }
                }
            });
            work()
        })
    }

    fn send_what_is_new(&self) {
        let mut known = lock(&self.known);
        if std::mem::take(&mut known.is_new) {
            leave_word(self.sheet, self.program, self.assumptions, &known);
        }
    }

    /// What kept a query from being written down.
    pub fn dump_error(&self) -> Option<String> {
        lock(&self.dump).error().map(str::to_owned)
    }
}

impl Observer for Narrator<'_> {
    fn progress(&self, progress: &Progress) {
        let mut query = lock(&self.query);
        let text = match progress {
            Progress::Falsifying => "random testing".to_owned(),
            Progress::Unfolding { unwind, deepened } => {
                let places: Vec<String> = deepened.iter().map(|span| self.program.files.describe(*span)).collect();
                let deeper =
                    if places.is_empty() { String::new() } else { format!(", deeper at {}", places.join(", ")) };
                format!("unwinding loops (bound {unwind}{deeper})")
            }
            Progress::Solving { property, unwind, events } => {
                *query = format!("{property}, loop bound {unwind}, {events} events");
                query.clone()
            }
            Progress::Refined { refinements } => format!("{query}, {refinements} refinements"),
        };
        lock(&self.activity).clone_from(&text);
        self.sheet.session.tell(&Message::Progress(text));
    }

    fn wants_queries(&self) -> bool {
        lock(&self.dump).is_wanted()
    }

    fn query(&self, query: &QueryText<'_>) {
        lock(&self.dump).write(query);
    }
}

impl Listener for Narrator<'_> {
    fn learned(&self, property: Property, outcome: &Outcome, provenance: VerdictProvenance, statistics: &Statistics) {
        let mut known = lock(&self.known);
        known.provenance.insert(property, provenance);
        if let Some((_, old)) = known.outcomes.iter_mut().find(|(other, _)| *other == property) {
            *old = outcome.clone().within(&self.program.input_bounds, Some(&provenance));
        }
        known.statistics = self.statistics.clone();
        known.statistics.merge(statistics);
        known.is_new = true;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The answers so far.
struct AnswersSoFar {
    outcomes: Vec<(Property, Outcome)>,
    provenance: Provenances,
    statistics: Statistics,
    /// Whether the supervisor does not know them yet.
    is_new: bool,
}

impl AnswersSoFar {
    fn nothing(selected: PropertySet, statistics: Statistics) -> Self {
        let unknown = Outcome::Unknown(UnknownReason::Stopped(StopReason::Cancelled));
        let outcomes = selected.iter().map(|property| (property, unknown.clone())).collect();
        Self { outcomes, provenance: Provenances::new(), statistics, is_new: false }
    }
}

/// Tells the supervisor what to print if it has to stop us now.
fn leave_word(sheet: &Sheet<'_>, program: &Program, assumptions: &[Assumption], known: &AnswersSoFar) {
    let nothing = Reach::default();
    for reason in REASONS {
        let outcomes: Vec<(Property, Outcome)> =
            known.outcomes.iter().map(|(p, o)| (*p, stopped_for(reason, o))).collect();
        let report =
            sheet.report(program, &outcomes, &known.provenance, assumptions, &known.statistics, Some(reason), &nothing);
        let (exit, text) = (sheet.exit(&report), sheet.render(&report));
        sheet.session.tell(&Message::Interim { reason, exit, text });
    }
}

fn stopped_for(reason: StopReason, outcome: &Outcome) -> Outcome {
    match outcome {
        Outcome::Unknown(UnknownReason::Stopped(_)) => Outcome::Unknown(UnknownReason::Stopped(reason)),
        other => other.clone(),
    }
}

//! A violation told with fewer words: steps that the violation does not need are left out and switches between threads
//! that it does not need are undone, as delta debugging does (Zeller and Hildebrandt, TSE 2002), here with moves that suit
//! schedules. Every candidate is executed, and only one that runs into the same violation is kept.
//!
//! Guarantee: the result is a replayed trace of the same violation, at worst the one that was given. It need not be the
//! shortest. The work is limited by instructions, not by time, so that the same trace gives the same result on every machine.

use base::{Budget, Span};
use program::{Analyses, Location, Property, PropertySet, Schedule, Step, Trace, Violation};

use crate::code::Code;
use crate::machine::Config;
use crate::replay::{replay_code, violation_of};

/// Instructions of all candidates together.
const WORK: u64 = 10_000_000;
const MAX_CANDIDATES: usize = 1_500;

/// The same violation in fewer steps and with fewer switches, as far as they are found.
pub fn shorten(analyses: &Analyses<'_>, trace: &Trace, budget: &Budget) -> Trace {
    let Ok(code) = Code::of(analyses) else { return trace.clone() };
    let config = Config::new(PropertySet::of(&[trace.violation.property]));
    let mut search = DeltaSearch {
        code: &code,
        config,
        budget,
        essence: Essence::of(&trace.violation),
        best: trace.schedule.clone(),
        work: WORK,
        candidates: MAX_CANDIDATES,
    };
    search.run();
    let same = |found: &Trace| Essence::of(&found.violation) == search.essence;
    replay_code(&code, &search.best, config, budget).ok().filter(same).unwrap_or_else(|| trace.clone())
}

/// What two executions have in common if they show the same violation. Threads may be numbered differently.
#[derive(PartialEq, Eq)]
struct Essence {
    property: Property,
    location: Location,
    related: Vec<Span>,
    waiting: Vec<(Span, String)>,
}

impl Essence {
    fn of(violation: &Violation) -> Self {
        let mut waiting: Vec<_> =
            violation.waiting.iter().map(|waiting| (waiting.span, waiting.object.clone())).collect();
        waiting.sort();
        Self {
            property: violation.property,
            location: violation.location,
            related: violation.related.iter().map(|(_, span, _)| *span).collect(),
            waiting,
        }
    }
}

struct DeltaSearch<'a> {
    code: &'a Code<'a>,
    config: Config,
    budget: &'a Budget,
    essence: Essence,
    best: Schedule,
    /// Instructions and candidates that are left.
    work: u64,
    candidates: usize,
}

impl DeltaSearch<'_> {
    fn run(&mut self) {
        loop {
            let before = measure(&self.best.steps);
            self.drop_turns();
            self.drop_rounds();
            self.join_turns();
            if measure(&self.best.steps) >= before || self.is_tired() {
                return;
            }
        }
    }

    fn is_tired(&self) -> bool {
        self.work == 0 || self.candidates == 0 || self.budget.check().is_err()
    }

    /// Takes `steps` if they lead to the same violation.
    fn keep(&mut self, steps: Vec<Step>) -> bool {
        if self.is_tired() || measure(&steps) >= measure(&self.best.steps) {
            return false;
        }
        self.candidates -= 1;
        let candidate = Schedule { steps, choices: self.best.choices.clone() };
        let (violation, instructions) = violation_of(self.code, &candidate, self.config, self.budget);
        self.work = self.work.saturating_sub(instructions);
        let is_same = violation.is_some_and(|violation| Essence::of(&violation) == self.essence);
        if is_same {
            self.best = candidate;
        }
        is_same
    }

    /// Leaves out whole turns, the last first: what happens late is most often beside the point.
    fn drop_turns(&mut self) {
        let mut index = turns(&self.best.steps).len();
        while index > 0 && !self.is_tired() {
            index -= 1;
            let mut kept = turns(&self.best.steps);
            if index < kept.len() {
                kept.remove(index);
                self.keep(kept.concat());
            }
        }
    }

    /// Leaves out parts of long turns: rounds of loops that only pass the time.
    fn drop_rounds(&mut self) {
        let mut length = self.best.steps.len() / 2;
        while length > 0 && !self.is_tired() {
            let mut end = self.best.steps.len();
            while end >= length && !self.is_tired() {
                let start = end - length;
                let part = &self.best.steps[start..end];
                if part.iter().all(|step| step.thread == part[0].thread) {
                    let rest = [&self.best.steps[..start], &self.best.steps[end..]].concat();
                    self.keep(rest);
                }
                end = start.min(self.best.steps.len());
            }
            length /= 2;
        }
    }

    /// Brings two turns of a thread together, the first later or the second earlier.
    fn join_turns(&mut self) {
        let mut first = 0;
        while !self.is_tired() {
            let all = turns(&self.best.steps);
            if first + 2 >= all.len() {
                return;
            }
            let thread = all[first][0].thread;
            let again = (first + 1..all.len()).find(|&other| all[other][0].thread == thread);
            let joined = again.is_some_and(|second| {
                self.keep(moved(&all, second, first + 1)) || self.keep(moved(&all, first, second - 1))
            });
            if !joined {
                first += 1;
            }
        }
    }
}

/// Switches count most, then steps.
fn measure(steps: &[Step]) -> (usize, usize) {
    (steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count(), steps.len())
}

/// The steps in stretches of one thread each.
fn turns(steps: &[Step]) -> Vec<Vec<Step>> {
    steps.chunk_by(|one, next| one.thread == next.thread).map(<[Step]>::to_vec).collect()
}

/// All steps, with the turn `from` taken out and put back as number `to`.
fn moved(turns: &[Vec<Step>], from: usize, to: usize) -> Vec<Step> {
    let mut order: Vec<&Vec<Step>> = turns.iter().collect();
    let turn = order.remove(from);
    order.insert(to, turn);
    order.into_iter().flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::ThreadId;

    fn steps(threads: &str) -> Vec<Step> {
        threads.bytes().map(|digit| Step { thread: ThreadId(u32::from(digit - b'0')), location: None }).collect()
    }

    #[test]
    fn turns_are_counted_and_moved() {
        let all = turns(&steps("0011022"));
        assert_eq!(all.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1, 2]);
        assert_eq!(measure(&steps("0011022")), (3, 7));
        assert_eq!(moved(&all, 2, 1), steps("0001122"));
        assert_eq!(moved(&all, 0, 1), steps("1100022"));
        assert_eq!(measure(&[]), (0, 0));
    }
}

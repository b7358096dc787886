//! The ledger of a check: what engines have said about each property. It alone replays what they claim and decides.

use std::collections::BTreeMap;

use base::statistics::stage;
use base::{Statistics, StopReason};
use engines::confirm::{Replayed, confirm};
use engines::{EngineBug, Fact};
use program::{Analyses, Outcome, Property, PropertySet, Provenances, Trace, UnknownReason, VerdictProvenance};

/// A violation that the interpreter has run into.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    pub trace: Box<Trace>,
    pub provenance: VerdictProvenance,
}

/// The verdicts of a check.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// In the order of the properties.
    pub outcomes: Vec<(Property, Outcome)>,
    /// Who gave each of them.
    pub provenance: Provenances,
    /// All violations, the first of each property first.
    pub findings: BTreeMap<Property, Vec<Finding>>,
    pub statistics: Statistics,
    /// What ended the check, if not all answers are final.
    pub stopped: Option<StopReason>,
}

/// Hears of answers while a check goes on.
pub trait Listener {
    /// An answer that stands from now on, until a better one replaces it: a check that is ended from outside can still give it.
    /// `statistics` are those of the check so far.
    fn learned(&self, property: Property, outcome: &Outcome, provenance: VerdictProvenance, statistics: &Statistics);
}

/// A listener that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullListener;

impl Listener for NullListener {
    fn learned(&self, _: Property, _: &Outcome, _: VerdictProvenance, _: &Statistics) {}
}

/// Whether an engine's word counts where it is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    /// Bounds and reasons for not knowing are answers, too.
    Full,
    /// Only proofs and violations count.
    OnlyFinal,
}

pub struct Ledger<'a> {
    analyses: &'a Analyses<'a>,
    listener: &'a dyn Listener,
    open: PropertySet,
    /// The answers so far; those to open properties are provisional.
    answers: BTreeMap<Property, (Outcome, VerdictProvenance)>,
    findings: BTreeMap<Property, Vec<Finding>>,
    /// Of all engines that are done.
    pub statistics: Statistics,
}

impl<'a> Ledger<'a> {
    pub fn new(analyses: &'a Analyses<'a>, properties: PropertySet, listener: &'a dyn Listener) -> Self {
        Self {
            analyses,
            listener,
            open: properties,
            answers: BTreeMap::new(),
            findings: BTreeMap::new(),
            statistics: Statistics::new(),
        }
    }

    /// The properties that are neither proved nor violated.
    pub fn open(&self) -> PropertySet {
        self.open
    }

    pub fn has_violation(&self) -> bool {
        !self.findings.is_empty()
    }

    /// Takes down what an engine says; `running` are its statistics so far.
    pub fn learn(
        &mut self,
        fact: Fact,
        provenance: VerdictProvenance,
        weight: Weight,
        running: &Statistics,
    ) -> Result<(), EngineBug> {
        match fact {
            Fact::Proved(property) => self.settle(property, Outcome::Proved, provenance, running),
            Fact::Violation(property, schedule) => {
                let analyses = self.analyses;
                let replayed = self.statistics.timed(stage::REPLAYING, || confirm(analyses, &schedule, property))?;
                match replayed {
                    Replayed::Violation(trace) => self.found(property, Finding { trace, provenance }, running),
                    // What the interpreter cannot follow is left to others, unless there are none.
                    Replayed::Unclear(_) if weight == Weight::OnlyFinal => {}
                    Replayed::Unclear(reason) => {
                        self.settle(property, Outcome::Unknown(reason), provenance, running);
                    }
                }
            }
            Fact::Bounded(property, bounds) if weight == Weight::Full => {
                self.answer(property, Outcome::HoldsUpTo(bounds), provenance, running);
            }
            Fact::Unknown(property, reason) if weight == Weight::Full => {
                self.answer(property, Outcome::Unknown(reason), provenance, running);
            }
            Fact::Bounded(..) | Fact::Unknown(..) => {}
        }
        Ok(())
    }

    fn found(&mut self, property: Property, finding: Finding, running: &Statistics) {
        let known = self.findings.entry(property).or_default();
        if known.is_empty() {
            let (outcome, provenance) = (Outcome::Violated(finding.trace.clone()), finding.provenance);
            known.push(finding);
            self.settle(property, outcome, provenance, running);
        } else if known.iter().all(|one| one.trace.violation.location != finding.trace.violation.location) {
            known.push(finding);
        }
    }

    fn settle(&mut self, property: Property, outcome: Outcome, provenance: VerdictProvenance, running: &Statistics) {
        self.answer(property, outcome, provenance, running);
        self.open.remove(property);
    }

    fn answer(&mut self, property: Property, outcome: Outcome, provenance: VerdictProvenance, running: &Statistics) {
        if !self.open.contains(property) {
            return;
        }
        let mut statistics = self.statistics.clone();
        statistics.merge(running);
        self.listener.learned(property, &outcome, provenance, &statistics);
        self.answers.insert(property, (outcome, provenance));
    }

    /// The verdicts, now that all has been said. `chosen` is responsible for what nobody has decided.
    pub fn close(self, properties: PropertySet, stopped: Option<StopReason>, chosen: VerdictProvenance) -> Report {
        let mut report = Report { statistics: self.statistics, findings: self.findings, ..Report::default() };
        let mut answers = self.answers;
        for property in properties.iter() {
            let nothing = (Outcome::Unknown(UnknownReason::NotChecked), chosen);
            let (mut outcome, provenance) = answers.remove(&property).unwrap_or(nothing);
            if self.open.contains(property)
                && let Some(reason) = stopped
            {
                report.stopped = Some(reason);
                outcome = stopped_at(outcome, reason);
            }
            report.outcomes.push((property, outcome));
            report.provenance.insert(property, provenance);
        }
        report
    }
}

/// What the budget's end leaves of an earlier answer: a bound reached before stays worth saying.
fn stopped_at(earlier: Outcome, reason: StopReason) -> Outcome {
    match earlier {
        bounded @ Outcome::HoldsUpTo(_) => bounded,
        _ => Outcome::Unknown(UnknownReason::Stopped(reason)),
    }
}

//! The harness itself: engines that are wrong on purpose are caught, and what they are wrong about is cut down.

use base::{Budget, Statistics};
use engines::{Advance, Engine, EngineBug, Fact, Job, Run};
use program::{Bounds, Property, PropertySet, VerdictArgument};
use testkit::differential::{DifferentialOptions, DisagreementKind, Truth, compare, shrink_disagreement};
use testkit::{CProgram, Features, generate};

/// Gives the same answer to everything.
struct Stubborn {
    name: &'static str,
    answer: fn(Property) -> Result<Fact, EngineBug>,
}

/// The properties that are still to be answered.
struct StubbornRun<'a> {
    engine: &'a Stubborn,
    left: Vec<Property>,
}

impl Run for StubbornRun<'_> {
    fn advance(&mut self, _: PropertySet, _: &Budget) -> Result<Advance, EngineBug> {
        match self.left.pop() {
            Some(property) => (self.engine.answer)(property).map(Advance::Learned),
            None => Ok(Advance::Done),
        }
    }

    fn statistics(&self) -> Statistics {
        Statistics::new()
    }
}

impl Engine for Stubborn {
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        "wrong on purpose"
    }

    fn argument(&self) -> VerdictArgument {
        VerdictArgument::BoundedModelChecking
    }

    fn properties(&self) -> PropertySet {
        Property::of_executions().collect()
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        Box::new(StubbornRun { engine: self, left: job.properties.iter().collect() })
    }
}

static PROVES: Stubborn = Stubborn { name: "proves", answer: |property| Ok(Fact::Proved(property)) };
static BOUNDS: Stubborn =
    Stubborn { name: "bounds", answer: |property| Ok(Fact::Bounded(property, Bounds::default())) };
static CONFESSES: Stubborn = Stubborn { name: "confesses", answer: |_| Err(EngineBug("wrong trace".to_owned())) };
static PANICS: Stubborn = Stubborn { name: "panics", answer: |_| panic!("on purpose") };

fn options(engines: &[&'static dyn Engine]) -> DifferentialOptions {
    DifferentialOptions { engines: engines.to_vec(), provers: Vec::new(), ..DifferentialOptions::default() }
}

fn program_with(truth: &Truth) -> CProgram {
    let mut programs = (1..100).map(|seed| generate(seed, Features::core()));
    let found = programs.find(|program| compare(&program.to_string(), &options(&[])).truth(Property::Assert) == *truth);
    found.expect("a hundred programs should contain violated and safe ones")
}

#[test]
fn wrong_engines_are_caught() {
    let violated = program_with(&Truth::Violated).to_string();
    let comparison = compare(&violated, &options(&[&PROVES, &BOUNDS, &CONFESSES, &PANICS]));
    let kinds: Vec<_> = comparison.disagreements.into_iter().map(|disagreement| disagreement.kind).collect();
    assert_eq!(
        kinds,
        [
            DisagreementKind::MissedViolation { proved: true },
            DisagreementKind::MissedViolation { proved: false },
            DisagreementKind::Bug("wrong trace".to_owned()),
            DisagreementKind::Panic("on purpose".to_owned()),
        ]
    );
    let safe = program_with(&Truth::Safe).to_string();
    assert!(compare(&safe, &options(&[&PROVES, &BOUNDS])).disagreements.is_empty());
}

#[test]
fn a_wrong_proof_shrinks_to_a_failing_assertion() {
    let options = options(&[&PROVES]);
    let program = program_with(&Truth::Violated);
    let found = compare(&program.to_string(), &options).disagreements.remove(0);
    let small = shrink_disagreement(&program, &found, &options);
    assert_eq!(compare(&small.to_string(), &options).disagreements, [found]);
    // Nothing but one assertion that never holds is left.
    assert_eq!(small.to_string().matches("if (!0) __assert_fail").count(), 1, "{small}");
    assert!(!small.to_string().contains("pthread_mutex_lock(&m"), "{small}");
}

#[test]
fn what_does_not_compile_is_a_disagreement() {
    let comparison = compare("int main(void) { return undeclared; }", &options(&[]));
    assert!(matches!(comparison.disagreements[0].kind, DisagreementKind::Rejected(_)), "{comparison:?}");
}

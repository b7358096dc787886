//! Every engine against the exhaustive explorer on one program. The explorer knows the truth when it has seen every
//! execution; an engine may then find the same violation, or say that there is none, and nothing else.

use std::fmt;
use std::time::Duration;

use engines::{CheckOptions, ContextOptions, Engine, Optimisations, Reduction};
use execute::Exploration;
use program::{Instruction, InstructionKind, Outcome, Program, Property, UnknownReason};

use crate::c_program::CProgram;
use crate::generate::{INPUTS, MAX_ROUNDS};
use crate::shrink::shrink;
use crate::subject::{Broken, Checking, Exploring, Subject};

/// What to compare, and how far to go.
#[derive(Clone)]
pub struct DifferentialOptions {
    /// What is checked; default `assert`.
    pub property: Property,
    pub engines: Vec<&'static dyn Engine>,
    /// Programs with more states are skipped; default 50,000.
    pub max_states: u64,
    /// Trees with more leaves are walked only by `lazy`, where it leaves out states that were met before; default 2,000.
    pub max_leaves: u128,
    /// Rounds of each loop; the default is one more than any generated loop has.
    pub unwind: u32,
    /// An engine that takes longer is undecided; default 20 s.
    pub timeout: Duration,
}

impl Default for DifferentialOptions {
    fn default() -> Self {
        Self {
            property: Property::Assert,
            engines: engines::ENGINES.to_vec(),
            max_states: 50_000,
            max_leaves: 2_000,
            unwind: MAX_ROUNDS + 1,
            timeout: Duration::from_secs(20),
        }
    }
}

/// What the explorer knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Truth {
    Violated,
    Safe,
    /// Not everything was seen, for this reason.
    Skipped(String),
}

/// One program, compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub truth: Truth,
    pub states: u64,
    /// Which engine is wrong, and how.
    pub disagreements: Vec<Disagreement>,
    /// Engines that gave no verdict, with their reason: not wrong, but not right either.
    pub undecided: Vec<(&'static str, UnknownReason)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// An engine, or the part of the test bench that failed.
    pub who: &'static str,
    pub kind: DisagreementKind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DisagreementKind {
    /// The explorer has a violation, the engine says there is none.
    MissedViolation {
        proved: bool,
    },
    /// The explorer saw every execution and none is wrong, the engine has a trace.
    FalseAlarm,
    /// The tree has not as many leaves as there are maximal executions.
    Miscounted {
        leaves: u128,
        executions: u128,
    },
    Bug(String),
    Panic(String),
    /// A generated program does not compile.
    Rejected(String),
}

impl Disagreement {
    /// Whether `other` is the same mistake, up to the wording of a message.
    fn is_like(&self, other: &Disagreement) -> bool {
        self.who == other.who && std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind)
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.who)?;
        match &self.kind {
            DisagreementKind::MissedViolation { proved: true } => f.write_str("proves what the explorer refutes"),
            DisagreementKind::MissedViolation { proved: false } => {
                f.write_str("misses a violation within the bounds that the explorer finds")
            }
            DisagreementKind::FalseAlarm => f.write_str("finds a violation where the explorer has seen everything"),
            DisagreementKind::Miscounted { leaves, executions } => {
                write!(f, "counts {leaves} interleavings where the explorer counts {executions}")
            }
            DisagreementKind::Bug(message) => write!(f, "bug: {message}"),
            DisagreementKind::Panic(message) => write!(f, "panic: {message}"),
            DisagreementKind::Rejected(message) => write!(f, "the program is not accepted: {message}"),
        }
    }
}

/// Compares all engines with the explorer on `text`.
pub fn compare(text: &str, options: &DifferentialOptions) -> Comparison {
    let subject = match Subject::from_text(text) {
        Ok(subject) => subject,
        Err(message) => return failed("frontend", DisagreementKind::Rejected(message)),
    };
    let exploring = Exploring { inputs: INPUTS, max_states: options.max_states, count_executions: true, timeout: None };
    let exploration = match subject.explore(options.property, &exploring) {
        Ok(exploration) => exploration,
        Err(broken) => return failed("explorer", broken.into()),
    };
    // A violation is one however much has been seen.
    let truth = if exploration.violates(options.property) {
        Truth::Violated
    } else if let Some(reason) = exploration.incomplete.first() {
        Truth::Skipped(format!("{reason:?}"))
    } else {
        Truth::Safe
    };
    let mut comparison =
        Comparison { truth, states: exploration.states, disagreements: Vec::new(), undecided: Vec::new() };
    if comparison.truth == Truth::Violated {
        for engine in engines::PROVERS {
            judge_proof(&subject, engine, options, &mut comparison);
        }
    }
    if !matches!(comparison.truth, Truth::Skipped(_)) {
        for &engine in &options.engines {
            let check = alone(options);
            match TREES.iter().find(|(name, _)| *name == engine.name()) {
                Some((_, reduced)) => judge_tree(&subject, engine, reduced, &exploration, options, &mut comparison),
                None => judge(&subject, engine, engine.name(), check.clone(), options, &mut comparison),
            }
            if engine.name() == "order" {
                let plain = CheckOptions { optimisations: Optimisations::NONE, ..check };
                judge(&subject, engine, "order without optimisations", plain, options, &mut comparison);
            }
        }
    }
    comparison
}

/// Every engine answers alone, so that no other hides its mistakes.
fn alone(options: &DifferentialOptions) -> CheckOptions {
    CheckOptions { unwind: Some(options.unwind), only: true, ..CheckOptions::default() }
}

/// Where there is a violation there is no proof.
fn judge_proof(
    subject: &Subject,
    engine: &'static dyn Engine,
    options: &DifferentialOptions,
    comparison: &mut Comparison,
) {
    let only = CheckOptions { only: true, ..CheckOptions::default() };
    let checking = Checking { options: only, timeout: options.timeout };
    let kind = match subject.check(engine, options.property, &checking) {
        Err(broken) => broken.into(),
        Ok(Outcome::Proved) => DisagreementKind::MissedViolation { proved: true },
        Ok(_) => return,
    };
    comparison.disagreements.push(Disagreement { who: engine.name(), kind });
}

/// The engines over the reachability tree, and what they are called where they leave something out.
const TREES: [(&str, [(Reduction, &str); 3]); 3] = [
    (
        "lazy",
        [
            (Reduction::States, "lazy, states merged"),
            (Reduction::Sleep, "lazy with sleep sets"),
            (Reduction::All, "lazy with all reductions"),
        ],
    ),
    (
        "record",
        [
            (Reduction::States, "record, states merged"),
            (Reduction::Sleep, "record with sleep sets"),
            (Reduction::All, "record with all reductions"),
        ],
    ),
    (
        "uw",
        [
            (Reduction::States, "uw, states merged"),
            (Reduction::Sleep, "uw with sleep sets"),
            (Reduction::All, "uw with all reductions"),
        ],
    ),
];

fn judge_tree(
    subject: &Subject,
    engine: &'static dyn Engine,
    reduced: &[(Reduction, &'static str)],
    exploration: &Exploration,
    options: &DifferentialOptions,
    comparison: &mut Comparison,
) {
    let check = alone(options);
    let is_small = exploration.executions.is_some_and(|executions| executions <= options.max_leaves);
    for &(reduction, who) in reduced {
        if is_small || (engine.name() == "lazy" && reduction != Reduction::Sleep) {
            let contexts = ContextOptions { reduction, ..check.contexts };
            judge(subject, engine, who, CheckOptions { contexts, ..check.clone() }, options, comparison);
        }
    }
    if is_small {
        judge(subject, engine, engine.name(), check, options, comparison);
    }
    if engine.name() == "lazy"
        && let Some(executions) =
            exploration.executions.filter(|_| is_small && !has_inputs(&subject.program, exploration))
        && let Some(kind) = miscount(subject, engine, executions, options)
    {
        comparison.disagreements.push(Disagreement { who: "lazy", kind });
    }
}

fn has_inputs(program: &Program, exploration: &Exploration) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let asks = |instruction: &Instruction| matches!(instruction.kind, InstructionKind::Nondet { .. });
    exploration.restricted_inputs || blocks.flat_map(|block| &block.instructions).any(asks)
}

/// Whether the leaves of the tree are not as many as the maximal executions that the explorer counts.
fn miscount(
    subject: &Subject,
    engine: &'static dyn Engine,
    executions: u128,
    options: &DifferentialOptions,
) -> Option<DisagreementKind> {
    let contexts = ContextOptions { all_violations: true, ..ContextOptions::default() };
    let check = CheckOptions { unwind: Some(options.unwind), contexts, ..CheckOptions::default() };
    let report = match subject.report(engine, options.property, &Checking { options: check, timeout: options.timeout })
    {
        Ok(report) => report,
        Err(broken) => return Some(broken.into()),
    };
    let leaves = u128::from(report.statistics.get_count("interleavings"));
    // A program in which nothing can fail is not walked through.
    let walked = report.statistics.get_count("walks") > 0 && report.stopped.is_none();
    (walked && leaves != executions).then_some(DisagreementKind::Miscounted { leaves, executions })
}

fn judge(
    subject: &Subject,
    engine: &'static dyn Engine,
    who: &'static str,
    check: CheckOptions,
    options: &DifferentialOptions,
    comparison: &mut Comparison,
) {
    let checking = Checking { options: check, timeout: options.timeout };
    let kind = match subject.check(engine, options.property, &checking) {
        Err(broken) => broken.into(),
        Ok(Outcome::Unknown(reason)) => return comparison.undecided.push((who, reason)),
        // The explorer takes memory that nobody has written to hold zeros; replayed, other contents are as good.
        Ok(Outcome::Violated(trace)) if !trace.schedule.choices.memory.is_empty() => return,
        Ok(Outcome::Violated(_)) if comparison.truth == Truth::Safe => DisagreementKind::FalseAlarm,
        Ok(answer @ (Outcome::Proved | Outcome::HoldsUpTo(_))) if comparison.truth == Truth::Violated => {
            DisagreementKind::MissedViolation { proved: answer == Outcome::Proved }
        }
        Ok(Outcome::Violated(_) | Outcome::Proved | Outcome::HoldsUpTo(_)) => return,
    };
    comparison.disagreements.push(Disagreement { who, kind });
}

impl From<Broken> for DisagreementKind {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Panic(message) => DisagreementKind::Panic(message),
            Broken::EngineBug(message) => DisagreementKind::Bug(message),
        }
    }
}

fn failed(who: &'static str, kind: DisagreementKind) -> Comparison {
    Comparison {
        truth: Truth::Skipped("nothing to explore".to_owned()),
        states: 0,
        disagreements: vec![Disagreement { who, kind }],
        undecided: Vec::new(),
    }
}

/// A small program that shows the same mistake as `program` does.
pub fn shrink_disagreement(program: &CProgram, found: &Disagreement, options: &DifferentialOptions) -> CProgram {
    let options = only(options, found.who);
    shrink(program, |candidate| {
        let comparison = compare(&candidate.to_string(), &options);
        comparison.disagreements.iter().any(|disagreement| disagreement.is_like(found))
    })
}

/// A small program that an engine does not support either.
pub fn shrink_unsupported(program: &CProgram, engine: &str, options: &DifferentialOptions) -> CProgram {
    let options = only(options, engine);
    shrink(program, |candidate| {
        let comparison = compare(&candidate.to_string(), &options);
        comparison.undecided.iter().any(|(_, reason)| matches!(reason, UnknownReason::Unsupported { .. }))
    })
}

fn only(options: &DifferentialOptions, name: &str) -> DifferentialOptions {
    let engines = options.engines.iter().copied().filter(|engine| name.starts_with(engine.name())).collect();
    DifferentialOptions { engines, ..options.clone() }
}

//! Every engine against the exhaustive explorer on one program. The explorer knows the truth when it has seen every
//! execution; an engine may then find the same violation, or say that there is none, and nothing else.

use std::fmt;
use std::time::{Duration, Instant};

use engines::{ContextOptions, Engine, EngineOptions, Optimisations, Reduction, UnwindLimits};
use execute::Exploration;
use program::{Instruction, InstructionKind, Outcome, Program, Property, PropertySet, UnknownReason};

use crate::c_program::CProgram;
use crate::generate::{INPUTS, MAX_ROUNDS};
use crate::shrink::shrink;
use crate::subject::{Broken, Checking, Exploring, Subject};

/// What to compare, and how far to go.
#[derive(Clone)]
pub struct DifferentialOptions {
    /// What is checked, all at once; default `assert` alone.
    pub properties: PropertySet,
    /// The engines that decide.
    pub engines: Vec<&'static dyn Engine>,
    /// The engines that prove or say nothing.
    pub provers: Vec<&'static dyn Engine>,
    /// Programs with more states are skipped; default 50,000.
    pub max_states: u64,
    /// Trees with more leaves are explored only by `lazy`, where it leaves out states that were met before; default 2,000.
    pub max_leaves: u128,
    /// Which variants of the engines over the reachability tree are asked; default all.
    pub tree_variants: TreeVariants,
    /// Iterations of each loop; the default is one more than any generated loop has.
    pub unwind: u32,
    /// An engine that takes longer is undecided; default 20 s.
    pub timeout: Duration,
    /// An exploration that takes longer is given up; default: never.
    pub exploration_timeout: Option<Duration>,
}

/// Which variants of the engines over the reachability tree are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeVariants {
    /// Each engine without reductions and with each of them.
    All,
    /// Each engine once, with all reductions.
    Reduced,
}

impl Default for DifferentialOptions {
    fn default() -> Self {
        Self {
            properties: PropertySet::of(&[Property::Assert]),
            engines: engines::ENGINES.to_vec(),
            provers: engines::PROVERS.to_vec(),
            max_states: 50_000,
            max_leaves: 2_000,
            tree_variants: TreeVariants::All,
            unwind: MAX_ROUNDS + 1,
            timeout: Duration::from_secs(20),
            exploration_timeout: None,
        }
    }
}

impl DifferentialOptions {
    /// The defaults, about one property.
    pub fn on(property: Property) -> Self {
        Self { properties: PropertySet::of(&[property]), ..Self::default() }
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
#[derive(Clone, Debug, Default)]
pub struct ComparedProgram {
    /// For each property.
    pub truths: Vec<(Property, Truth)>,
    pub states: u64,
    /// What each engine said about each property that the explorer knows the truth of.
    pub answers: Vec<EngineAnswer>,
    /// Which engine is wrong, and how.
    pub disagreements: Vec<Disagreement>,
    /// How long each took.
    pub times: Vec<(&'static str, Duration)>,
}

/// What one engine said about one property.
#[derive(Clone, Debug)]
pub struct EngineAnswer {
    pub who: &'static str,
    pub property: Property,
    pub grade: Grade,
}

/// An answer against the truth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Grade {
    /// A violation that is there, or a proof where there is none.
    Right,
    /// Nothing within the bounds, and there is nothing; but it is no proof.
    Bounded,
    /// No verdict, of an engine that should have one.
    Undecided(UnknownReason),
    /// No verdict, of an engine that only proves.
    Unproved,
    /// The engine was not asked: the tree has too many leaves.
    NotAsked,
    Wrong,
}

impl ComparedProgram {
    /// What the explorer knows about `property`.
    pub fn truth(&self, property: Property) -> Truth {
        let found = self.truths.iter().find(|(known, _)| *known == property);
        found.map_or_else(|| Truth::Skipped("not explored".to_owned()), |(_, truth)| truth.clone())
    }

    /// Engines that gave no verdict, with their reason: not wrong, but not right either.
    pub fn undecided(&self) -> impl Iterator<Item = (&'static str, Property, &UnknownReason)> {
        self.answers.iter().filter_map(|answer| match &answer.grade {
            Grade::Undecided(reason) => Some((answer.who, answer.property, reason)),
            _ => None,
        })
    }

    fn known(&self) -> PropertySet {
        let known = self.truths.iter().filter(|(_, truth)| !matches!(truth, Truth::Skipped(_)));
        known.map(|(property, _)| *property).collect()
    }

    fn note(&mut self, who: &'static str, property: Property, grade: Grade) {
        self.answers.push(EngineAnswer { who, property, grade });
    }

    fn disagree(&mut self, who: &'static str, property: Option<Property>, kind: DisagreementKind) {
        let noted = property.map_or_else(|| self.known(), |property| PropertySet::of(&[property]));
        noted.iter().for_each(|property| self.note(who, property, Grade::Wrong));
        self.disagreements.push(Disagreement { who, property, kind });
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// An engine, or the part of the test bench that failed.
    pub who: &'static str,
    /// What it is wrong about, if about one property.
    pub property: Option<Property>,
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
    pub fn is_like(&self, other: &Disagreement) -> bool {
        (self.who, self.property) == (other.who, other.property)
            && std::mem::discriminant(&self.kind) == std::mem::discriminant(&other.kind)
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.who)?;
        self.property.map_or(Ok(()), |property| write!(f, " on {property}"))?;
        f.write_str(": ")?;
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
pub fn compare(text: &str, options: &DifferentialOptions) -> ComparedProgram {
    let mut comparison = ComparedProgram::default();
    let began = Instant::now();
    let subject = Subject::from_text(text);
    comparison.times.push(("frontend", began.elapsed()));
    let subject = match subject {
        Ok(subject) => subject,
        Err(message) => {
            comparison.disagree("frontend", None, DisagreementKind::Rejected(message));
            return comparison;
        }
    };
    let began = Instant::now();
    let explored = explore(&subject, options, &mut comparison);
    comparison.times.push(("explorer", began.elapsed()));
    let explored = match explored {
        Ok(explored) => explored,
        Err(broken) => {
            comparison.disagree("explorer", None, broken.into());
            return comparison;
        }
    };
    let known = comparison.known();
    if !known.is_empty() {
        for contestant in contestants(options) {
            let (who, began) = (contestant.who, Instant::now());
            contestant.compare(&subject, known, &explored, options, &mut comparison);
            comparison.times.push((who, began.elapsed()));
        }
        if let Some(kind) = miscount(&subject, &explored, options) {
            comparison.disagree("lazy", None, kind);
        }
    }
    comparison
}

/// What the engines over the reachability tree need to know of an exploration.
struct Explored {
    /// Maximal executions, if they are finitely many.
    executions: Option<u128>,
    has_inputs: bool,
}

/// Finds out the truth about every property. Races are looked for by themselves: what is needed to see them keeps
/// states apart that are equal for all other properties.
fn explore(
    subject: &Subject,
    options: &DifferentialOptions,
    comparison: &mut ComparedProgram,
) -> Result<Explored, Broken> {
    let exploring = Exploring {
        inputs: INPUTS,
        max_states: options.max_states,
        count_executions: true,
        timeout: options.exploration_timeout,
    };
    let part = |races| options.properties.iter().filter(move |property| (*property == Property::NoDataRace) == races);
    let mut explored = Explored { executions: None, has_inputs: false };
    for properties in [part(false).collect::<PropertySet>(), part(true).collect()] {
        if properties.is_empty() {
            continue;
        }
        let exploration = subject.explore_all(properties, &exploring)?;
        comparison.states += exploration.states;
        let truth = |property| match (exploration.violates(property), exploration.incomplete.first()) {
            // A violation is one however much has been seen.
            (true, _) => Truth::Violated,
            (false, Some(reason)) => Truth::Skipped(format!("{reason:?}")),
            (false, None) => Truth::Safe,
        };
        comparison.truths.extend(properties.iter().map(|property| (property, truth(property))));
        explored.executions = explored.executions.max(exploration.executions);
        explored.has_inputs |= has_inputs(&subject.program, &exploration);
    }
    Ok(explored)
}

fn has_inputs(program: &Program, exploration: &Exploration) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let asks = |instruction: &Instruction| matches!(instruction.kind, InstructionKind::Nondet { .. });
    exploration.restricted_inputs || blocks.flat_map(|block| &block.instructions).any(asks)
}

/// An engine with its options, under the name that its answers are counted by.
#[derive(Clone, Copy)]
struct Contestant {
    who: &'static str,
    engine: &'static dyn Engine,
    unwind: UnwindLimits,
    options: EngineOptions,
    role: EngineRole,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EngineRole {
    /// Should have an answer.
    Decides,
    /// Should have an answer if the tree is small.
    DecidesSmall,
    /// Proves, or says nothing.
    Proves,
}

/// Who only proves may go on for ever with what it cannot prove.
const WORK_OF_A_PROVER: u64 = 500_000;

fn contestants(options: &DifferentialOptions) -> Vec<Contestant> {
    let mut all = Vec::new();
    for &engine in &options.provers {
        let (unwind, options) = (UnwindLimits::default(), EngineOptions::default());
        all.push(Contestant { who: engine.name(), engine, unwind, options, role: EngineRole::Proves });
    }
    let unwind = UnwindLimits { exactly: Some(options.unwind), at_most: None };
    let defaults = EngineOptions::default();
    for &engine in &options.engines {
        let plain = Contestant { who: engine.name(), engine, unwind, options: defaults, role: EngineRole::Decides };
        let Some((_, variants)) = TREES.iter().find(|(name, _)| *name == engine.name()) else {
            all.push(plain);
            if engine.name() == "order" {
                let options = EngineOptions { optimisations: Optimisations::NONE, ..defaults };
                all.push(Contestant { who: "order without optimisations", options, ..plain });
            }
            continue;
        };
        let is_asked = |reduction| options.tree_variants == TreeVariants::All || reduction == Reduction::All;
        for &(reduction, who) in variants.iter().filter(|(reduction, _)| is_asked(*reduction)) {
            let merges = engine.name() == "lazy" && reduction != Reduction::Sleep;
            let role = if merges { EngineRole::Decides } else { EngineRole::DecidesSmall };
            let contexts = ContextOptions { reduction, ..defaults.contexts };
            all.push(Contestant { who, engine, unwind, options: EngineOptions { contexts, ..defaults }, role });
        }
        if options.tree_variants == TreeVariants::All {
            all.push(Contestant { role: EngineRole::DecidesSmall, ..plain });
        }
    }
    all
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

impl Contestant {
    fn compare(
        self,
        subject: &Subject,
        properties: PropertySet,
        explored: &Explored,
        options: &DifferentialOptions,
        comparison: &mut ComparedProgram,
    ) {
        let is_small = explored.executions.is_some_and(|executions| executions <= options.max_leaves);
        if self.role == EngineRole::DecidesSmall && !is_small {
            properties.iter().for_each(|property| comparison.note(self.who, property, Grade::NotAsked));
            return;
        }
        // Every engine answers alone, so that no other hides its mistakes.
        let work = (self.role == EngineRole::Proves).then_some(WORK_OF_A_PROVER);
        let (unwind, timeout) = (self.unwind, options.timeout);
        let checking = Checking { unwind, only: true, options: self.options, timeout, work };
        let report = match subject.report_on_all(self.engine, properties, &checking) {
            Ok(report) => report,
            Err(broken) => return comparison.disagree(self.who, None, broken.into()),
        };
        for property in properties.iter() {
            let answer = report.outcomes.iter().find(|(answered, _)| *answered == property);
            match answer {
                Some((_, outcome)) => {
                    let outcome = match (outcome, report.stopped) {
                        // A smaller bound than it was asked for, because its time was over.
                        (Outcome::HoldsUpTo(_), Some(reason)) => Outcome::Unknown(UnknownReason::Stopped(reason)),
                        (outcome, _) => outcome.clone(),
                    };
                    self.grade(property, outcome, comparison);
                }
                None => comparison.disagree(self.who, Some(property), DisagreementKind::Bug("no answer".to_owned())),
            }
        }
    }

    fn grade(&self, property: Property, outcome: Outcome, comparison: &mut ComparedProgram) {
        let is_violated = comparison.truth(property) == Truth::Violated;
        let grade = match outcome {
            Outcome::Unknown(_) if self.role == EngineRole::Proves => Grade::Unproved,
            Outcome::Unknown(reason) => Grade::Undecided(reason),
            // The explorer tries few contents of memory that was never written; replayed, others are as good.
            Outcome::Violated(trace) if !trace.schedule.choices.memory.is_empty() => Grade::Right,
            Outcome::Violated(_) if is_violated => Grade::Right,
            Outcome::Violated(_) => {
                return comparison.disagree(self.who, Some(property), DisagreementKind::FalseAlarm);
            }
            Outcome::HoldsUpTo(_) if self.role == EngineRole::Proves => Grade::Unproved,
            answer if is_violated => {
                let kind = DisagreementKind::MissedViolation { proved: answer == Outcome::Proved };
                return comparison.disagree(self.who, Some(property), kind);
            }
            Outcome::HoldsUpTo(_) => Grade::Bounded,
            Outcome::Proved => Grade::Right,
        };
        comparison.note(self.who, property, grade);
    }
}

/// Whether the leaves of the tree are not as many as the maximal executions that the explorer counts. It counts them for
/// each property by itself.
fn miscount(subject: &Subject, explored: &Explored, options: &DifferentialOptions) -> Option<DisagreementKind> {
    let engine = *options.engines.iter().find(|engine| engine.name() == "lazy")?;
    let executions = explored.executions.filter(|&executions| executions <= options.max_leaves)?;
    if explored.has_inputs || options.properties.iter().count() != 1 {
        return None;
    }
    let contexts = ContextOptions { all_violations: true, ..ContextOptions::default() };
    let checking = Checking {
        unwind: UnwindLimits { exactly: Some(options.unwind), at_most: None },
        only: false,
        options: EngineOptions { contexts, ..EngineOptions::default() },
        timeout: options.timeout,
        work: None,
    };
    let report = match subject.report_on_all(engine, options.properties, &checking) {
        Ok(report) => report,
        Err(broken) => return Some(broken.into()),
    };
    let leaves = u128::from(report.statistics.get_count("interleavings"));
    // A program in which nothing can fail is not explored.
    let walked = report.statistics.get_count("explorations") > 0 && report.stopped.is_none();
    (walked && leaves != executions).then_some(DisagreementKind::Miscounted { leaves, executions })
}

impl From<Broken> for DisagreementKind {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Panic(message) => DisagreementKind::Panic(message),
            Broken::EngineBug(message) => DisagreementKind::Bug(message),
        }
    }
}

/// A small program that shows the same mistake as `program` does.
pub fn shrink_disagreement(program: &CProgram, found: &Disagreement, options: &DifferentialOptions) -> CProgram {
    let shows = |candidate: &CProgram, options: &DifferentialOptions| {
        let comparison = compare(&candidate.to_string(), options);
        comparison.disagreements.iter().any(|disagreement| disagreement.is_like(found))
    };
    let alone = only(options, found.who, found.property);
    let options = if shows(program, &alone) { alone } else { only(options, found.who, None) };
    shrink(program, |candidate| shows(candidate, &options))
}

/// A small program that an engine does not support either.
pub fn shrink_unsupported(
    program: &CProgram,
    engine: &str,
    property: Property,
    options: &DifferentialOptions,
) -> CProgram {
    let options = only(options, engine, Some(property));
    shrink(program, |candidate| {
        let comparison = compare(&candidate.to_string(), &options);
        comparison.undecided().any(|(_, _, reason)| matches!(reason, UnknownReason::Unsupported { .. }))
    })
}

/// The options for one engine and one property, or all that were asked for.
fn only(options: &DifferentialOptions, name: &str, property: Option<Property>) -> DifferentialOptions {
    let named = |engines: &[&'static dyn Engine]| {
        engines.iter().copied().filter(|engine| name.starts_with(engine.name())).collect()
    };
    DifferentialOptions {
        properties: property.map_or(options.properties, |property| PropertySet::of(&[property])),
        engines: named(&options.engines),
        provers: named(&options.provers),
        ..options.clone()
    }
}

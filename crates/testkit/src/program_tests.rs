//! The runner of the programs under `tests/programs`: each file carries its expectation, and the explorer and every
//! engine must meet it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::{Span, StopReason};
use engines::modular::Modular;
use engines::{
    ContextOptions, Engine, EngineOptions, PROVERS, Reduction, RefinementKind, TREE, UNFOLDING, UnwindLimits,
};
use execute::Exploration;
use program::{DataModel, Outcome, Property, PropertySet, Trace, UnknownReason};

use crate::expectation::{Executions, Expectation, ExpectedVerdict, bless_executions, options_at_the_head};
use crate::subject::{Broken, Checking, Exploring, Subject};

/// The explorer gives up here; a test program should be far smaller.
const MAX_STATES: u64 = 2_000_000;

/// As much as it looks at where it cannot see everything.
const FEW_STATES: u64 = 2_000;

/// Engines that deepen stop here.
const MAX_UNWIND: u32 = 16;

/// A test program for which an engine needs longer is too large.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Interleavings multiply: where a walk through them takes longer, the other engines must do.
const TIMEOUT_OF_A_WALK: Duration = Duration::from_secs(4);

/// What an engine leaves open alone it is asked again, with more time.
const TIMEOUT_ALONE: Duration = Duration::from_secs(4);

/// Who only proves may go on for ever with what it cannot prove.
const WORK_OF_A_PROVER: u64 = 1_000_000;

/// All properties together are asked for only to see whether one disturbs the other.
const TIMEOUT_OF_ALL: Duration = Duration::from_secs(4);

/// All test programs below `root`, in order. Where the system's headers for 32 bits are missing, those that want them are left
/// out, with a message.
#[expect(clippy::print_stderr, reason = "what is skipped is told")]
pub fn discover(root: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                found.push(path);
            }
        }
    }
    found.sort();
    let wanting: Vec<PathBuf> = found.iter().filter(|path| wants_headers_of_32_bits(path)).cloned().collect();
    if !wanting.is_empty() && !wanting.iter().any(|path| can_be_read(path)) {
        eprintln!("{} programs with 32 bits are skipped: install `gcc-multilib`", wanting.len());
        found.retain(|path| !wanting.contains(path));
    }
    Ok(found)
}

fn wants_headers_of_32_bits(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let is_ilp32 = options_at_the_head(&text).is_ok_and(|options| options.data_model == DataModel::Ilp32);
    is_ilp32 && text.lines().any(|line| line.trim_start().starts_with("#include"))
}

fn can_be_read(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    options_at_the_head(&text).is_ok_and(|options| Subject::from_file_with(path, &options).is_ok())
}

/// Something that is not as expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestFailure {
    pub path: PathBuf,
    /// `explorer`, an engine, or what could not even begin.
    pub who: String,
    pub message: String,
}

impl fmt::Display for TestFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.path.display(), self.who, self.message)
    }
}

/// Runs one test program; `bless` writes the number of executions into it instead of comparing.
pub fn run(path: &Path, bless: bool) -> Vec<TestFailure> {
    let failure = |who: &str, message: String| TestFailure { path: path.to_path_buf(), who: who.to_owned(), message };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return vec![failure("file", error.to_string())],
    };
    let expectation = match Expectation::parse(&text) {
        Ok(expectation) => expectation,
        Err(message) => return vec![failure("expectation", message)],
    };
    let subject = match Subject::from_file_with(path, &expectation.options.to_compile_options()) {
        Ok(subject) => subject,
        Err(message) => return vec![failure("frontend", message)],
    };
    let case = ProgramCase { subject: &subject, expectation: &expectation };
    if expectation.verdict == ExpectedVerdict::Unknown {
        let decided = case.engines_that_decide().into_iter();
        return decided.map(|(who, message)| failure(who, message)).collect();
    }
    let mut failures = Vec::new();
    if expectation.verdict != ExpectedVerdict::NeverProved {
        match case.explore() {
            Ok(Some(count)) if bless => {
                if let Err(error) = std::fs::write(path, bless_executions(&text, count)) {
                    failures.push(failure("bless", error.to_string()));
                }
            }
            Ok(count) => failures.extend(case.compare_count(count).map(|message| failure("explorer", message))),
            Err(message) => failures.push(failure("explorer", message)),
        }
    }
    // A tree without end is walked up to some bound and no further.
    let walks = expectation.verdict != ExpectedVerdict::Unbounded;
    for engine in UNFOLDING.into_iter().chain(TREE.into_iter().filter(|_| walks)) {
        if let Err(message) = case.check(engine, RefinementKind::Graph) {
            failures.push(failure(engine.name(), message));
        }
    }
    if let Err(message) = case.check_together() {
        failures.push(failure("order, all properties at once", message));
    }
    for engine in PROVERS {
        if let Err(message) = case.check_proof(engine) {
            failures.push(failure(engine.name(), message));
        }
    }
    if is_litmus(path)
        && let Err(message) = case.check(&engines::scar::Scar::new(), RefinementKind::Core)
    {
        failures.push(failure("scar by cores", message));
    }
    failures
}

/// Programs that are small enough for refinement by cores alone.
fn is_litmus(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("litmus") || folder.ends_with("papers"))
}

/// An answer, compared with what is expected.
enum Judged {
    Right,
    /// Not wrong, but less than expected.
    Open(String),
    Wrong(String),
}

struct ProgramCase<'a> {
    subject: &'a Subject,
    expectation: &'a Expectation,
}

impl ProgramCase<'_> {
    /// Lets the explorer judge; returns the number of executions, where it was to be counted.
    fn explore(&self) -> Result<Option<u128>, String> {
        let exploring = Exploring {
            inputs: self.expectation.inputs.clone(),
            max_states: if self.expectation.verdict == ExpectedVerdict::Unbounded { FEW_STATES } else { MAX_STATES },
            count_executions: self.expectation.executions.is_some(),
            timeout: None,
        };
        let exploration = self.subject.explore(self.expectation.property, &exploring).map_err(describe)?;
        match (self.violation(&exploration), self.expectation.verdict) {
            (Some(trace), ExpectedVerdict::Violated) => self.check_line(trace)?,
            (Some(trace), _) => return Err(format!("finds a violation: {}", self.place(trace.violation.span))),
            (None, ExpectedVerdict::Violated) => return Err("finds no violation".to_owned()),
            (None, ExpectedVerdict::Unbounded) => {}
            (None, _) if !exploration.is_complete() => {
                return Err(format!("does not see everything: {:?}", exploration.incomplete));
            }
            (None, _) => {}
        }
        Ok(exploration.executions)
    }

    /// Engines that answer where nothing can be known, and what they say.
    fn engines_that_decide(&self) -> Vec<(&'static str, String)> {
        let checking = Checking { unwind: self.unwind(), timeout: TIMEOUT, ..Checking::default() };
        let mut decided = Vec::new();
        for engine in UNFOLDING.into_iter().chain(TREE).chain(PROVERS) {
            match self.subject.check(engine, self.expectation.property, &checking) {
                Ok(Outcome::Unknown(_)) => {}
                Ok(outcome) => decided.push((engine.name(), format!("decides what nobody can know: {outcome:?}"))),
                Err(broken) => decided.push((engine.name(), describe(broken))),
            }
        }
        decided
    }

    fn violation<'e>(&self, exploration: &'e Exploration) -> Option<&'e Trace> {
        exploration.violations.iter().find(|trace| trace.violation.property == self.expectation.property)
    }

    fn compare_count(&self, count: Option<u128>) -> Option<String> {
        match (self.expectation.executions?, count) {
            (Executions::Count(expected), Some(count)) if expected == count => None,
            (_, Some(count)) => Some(format!("counts {count} executions")),
            (_, None) => Some("does not count the executions: there are infinitely many, or too many".to_owned()),
        }
    }

    /// Lets the engine answer alone; what it leaves open then it has to decide together with what comes before it.
    fn check(&self, engine: &dyn Engine, refinement: RefinementKind) -> Result<(), String> {
        let contexts = ContextOptions { reduction: Reduction::All, ..ContextOptions::default() };
        let options = EngineOptions { refinement, contexts, ..EngineOptions::default() };
        let alone = Checking { unwind: self.unwind(), only: true, options, timeout: TIMEOUT_ALONE, work: None };
        let outcome = self.outcome(engine, &alone)?;
        let is_unknown = match outcome {
            Outcome::Unknown(_) => true,
            Outcome::HoldsUpTo(_) => self.expectation.verdict == ExpectedVerdict::Violated,
            _ => false,
        };
        let unfolds = UNFOLDING.iter().any(|other| other.name() == engine.name());
        if !unfolds && outcome == Outcome::Unknown(UnknownReason::Stopped(StopReason::Time)) {
            return Ok(());
        }
        match self.judge(outcome) {
            Judged::Right if self.expectation.engines_unknown.is_none() => return Ok(()),
            Judged::Wrong(message) => return Err(format!("alone {message}")),
            Judged::Right | Judged::Open(_) => {}
        }
        let timeout = if unfolds { TIMEOUT } else { TIMEOUT_OF_A_WALK };
        let helped = Checking { only: false, timeout, ..alone };
        let outcome = self.outcome(engine, &helped)?;
        if outcome == Outcome::Unknown(UnknownReason::NotChecked) {
            // The engine does not know the property at all; the explorer's word has to do.
            return Ok(());
        }
        if !unfolds && outcome == Outcome::Unknown(UnknownReason::Stopped(StopReason::Time)) {
            return Ok(());
        }
        // Where unfolding does not know a construct, the tree, which the interpreter helps to build, may.
        let is_open = matches!(outcome, Outcome::Unknown(_) | Outcome::HoldsUpTo(_));
        let may_be_open = self.expectation.engines_unknown.is_some() || self.expectation.trees_unknown.is_some();
        if may_be_open && !unfolds && is_open {
            return Ok(());
        }
        let reason = self.expectation.engines_unknown.as_ref().filter(|_| unfolds);
        if let (Some(reason), false) = (reason, is_unknown) {
            return Err(format!("now decides the program; the line `ENGINES unknown {reason}` can go"));
        }
        match self.judge(outcome) {
            Judged::Right => Ok(()),
            Judged::Open(_) if reason.is_some() => Ok(()),
            Judged::Open(message) | Judged::Wrong(message) => Err(message),
        }
    }

    fn unwind(&self) -> UnwindLimits {
        UnwindLimits { exactly: self.expectation.unwind, at_most: Some(MAX_UNWIND) }
    }

    fn outcome(&self, engine: &dyn Engine, checking: &Checking) -> Result<Outcome, String> {
        self.subject.check(engine, self.expectation.property, checking).map_err(describe)
    }

    /// Compares an answer with what is expected.
    fn judge(&self, outcome: Outcome) -> Judged {
        match (outcome, self.expectation.verdict) {
            (Outcome::Violated(trace), ExpectedVerdict::Violated) => match self.check_line(&trace) {
                Ok(()) => Judged::Right,
                Err(message) => Judged::Wrong(message),
            },
            (Outcome::Violated(trace), ExpectedVerdict::NeverProved) => {
                // Replayed, so it is one; the bound was only thought too small for it.
                Judged::Wrong(format!("finds a violation within the bound: {}", self.place(trace.violation.span)))
            }
            (Outcome::Violated(trace), _) => {
                Judged::Wrong(format!("finds a violation: {}", self.place(trace.violation.span)))
            }
            (Outcome::Unknown(reason), _) => Judged::Open(format!("does not know: {reason}")),
            (Outcome::Proved, ExpectedVerdict::Proved | ExpectedVerdict::Holds | ExpectedVerdict::Unbounded) => {
                Judged::Right
            }
            (Outcome::HoldsUpTo(_), ExpectedVerdict::Holds | ExpectedVerdict::NeverProved) => Judged::Right,
            (Outcome::HoldsUpTo(bounds), _) => Judged::Open(format!("says that it holds up to {bounds}")),
            (Outcome::Proved, _) => Judged::Wrong("proves what does not hold".to_owned()),
        }
    }

    /// What the other properties add to an unfolding must not change the answer about this one.
    fn check_together(&self) -> Result<(), String> {
        let property = self.expectation.property;
        let checking = Checking { unwind: self.unwind(), timeout: TIMEOUT_OF_ALL, ..Checking::default() };
        let all: PropertySet = Property::of_executions().collect();
        let report = self.subject.report_on_all(engines::ENGINES[0], all, &checking).map_err(describe)?;
        let answer = report.outcomes.iter().find(|(answered, _)| *answered == property).map(|(_, outcome)| outcome);
        match (answer, self.expectation.verdict) {
            (Some(Outcome::Violated(trace)), ExpectedVerdict::Violated) => self.check_line(trace),
            (Some(Outcome::Violated(trace)), _) => {
                Err(format!("finds a violation: {}", self.place(trace.violation.span)))
            }
            (Some(Outcome::Proved), ExpectedVerdict::Violated | ExpectedVerdict::NeverProved) => {
                Err("proves what does not hold".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// An engine that only proves may say nothing, but must not prove what does not hold.
    fn check_proof(&self, engine: &dyn Engine) -> Result<(), String> {
        let checking = Checking { timeout: TIMEOUT, ..Checking::default() };
        let alone = self.outcome(engine, &Checking { only: true, work: Some(WORK_OF_A_PROVER), ..checking })?;
        let expected = self.expectation.verdict;
        if alone == Outcome::Proved && matches!(expected, ExpectedVerdict::Violated | ExpectedVerdict::NeverProved) {
            return Err("proves what does not hold".to_owned());
        }
        let proves_all = engine.name() == Modular.name() && expected == ExpectedVerdict::Unbounded;
        if alone == Outcome::Proved || !proves_all {
            return Ok(());
        }
        match self.outcome(engine, &checking)? {
            Outcome::Proved => Ok(()),
            outcome => Err(format!("finds no proof: {outcome:?}")),
        }
    }

    fn check_line(&self, trace: &Trace) -> Result<(), String> {
        // Both halves of a race are violations; what else is related to one is only told.
        let is_race = trace.violation.property == Property::NoDataRace;
        let halves = trace.violation.related.iter().filter(|_| is_race).map(|(_, span, _)| *span);
        let mut reported = std::iter::once(trace.violation.span).chain(halves);
        match reported.find(|span| !self.expectation.violation_lines.contains(&span.line)) {
            None => Ok(()),
            Some(wrong) => Err(format!("reports the violation at the wrong line: {}", self.place(wrong))),
        }
    }

    fn place(&self, span: Span) -> String {
        self.subject.program.files.describe(span)
    }
}

fn describe(broken: Broken) -> String {
    match broken {
        Broken::Panic(message) => format!("panics: {message}"),
        Broken::EngineBug(message) => format!("has a bug: {message}"),
    }
}

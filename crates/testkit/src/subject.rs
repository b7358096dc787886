//! A compiled program under test, and what the explorer and the engines say about it. Panics are caught here and become
//! answers: a crash of ours is a finding, not the end of a test run.

use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use base::Budget;
use engines::{Engine, EngineOptions, NullObserver, UnwindLimits};
use execute::{Exploration, ExploreOptions};
use portfolio::{Check, NullListener, Report, Strategy};
use program::{Analyses, AnalysisResults, Outcome, Program, Property, PropertySet, Visibility};

use crate::expectation::options_at_the_head;

pub struct Subject {
    pub program: Program,
    known: AnalysisResults,
}

/// How the explorer looks at a program.
#[derive(Clone, Debug)]
pub struct Exploring {
    pub inputs: RangeInclusive<i64>,
    pub max_states: u64,
    pub count_executions: bool,
    /// What is not seen by then is not seen.
    pub timeout: Option<Duration>,
}

/// How an engine looks at a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checking {
    pub unwind: UnwindLimits,
    /// The engine answers alone.
    pub only: bool,
    pub options: EngineOptions,
    /// An engine that takes longer is undecided.
    pub timeout: Duration,
    /// So is one that has done so much counted work.
    pub work: Option<u64>,
}

impl Checking {
    fn budget(&self) -> Budget {
        let budget = Budget::with_timeout(self.timeout);
        self.work.map_or(budget.clone(), |work| budget.with_work(work))
    }
}

/// We are wrong: a panic, or an engine that found itself out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Broken {
    Panic(String),
    EngineBug(String),
}

impl Subject {
    /// Compiles preprocessed text. Lines `// OPTION ...` at its head count, as in the file tests.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let options = options_at_the_head(text)?;
        let compiled = caught(|| frontend::compile_text("generated.c", text, &options));
        Self::new(compiled.map_err(|message| format!("the front end panics: {message}"))?)
    }

    /// Preprocesses and compiles a file.
    pub fn from_file(path: &Path) -> Result<Self, String> {
        Self::from_file_with(path, &frontend::CompileOptions::default())
    }

    pub fn from_file_with(path: &Path, options: &frontend::CompileOptions) -> Result<Self, String> {
        let compiled = caught(|| frontend::compile(&[path.to_path_buf()], options));
        Self::new(compiled.map_err(|message| format!("the front end panics: {message}"))?)
    }

    fn new(compiled: Result<frontend::Compiled, frontend::CompileFailure>) -> Result<Self, String> {
        let program = compiled.map_err(|failure| first_error(&failure))?.program;
        Ok(Self { program, known: AnalysisResults::default() })
    }

    pub fn analyses(&self) -> Analyses<'_> {
        Analyses::with_results(&self.program, self.known.clone())
    }

    pub fn visibility(&self) -> Arc<Visibility> {
        self.analyses().get()
    }

    pub fn explore(&self, property: Property, exploring: &Exploring) -> Result<Exploration, Broken> {
        self.explore_all(PropertySet::of(&[property]), exploring)
    }

    /// As [`explore`](Self::explore), about several properties at once.
    pub fn explore_all(&self, properties: PropertySet, exploring: &Exploring) -> Result<Exploration, Broken> {
        let mut options = ExploreOptions::new(properties);
        options.inputs = exploring.inputs.clone();
        options.max_states = exploring.max_states;
        options.count_executions = exploring.count_executions;
        let budget = exploring.timeout.map_or_else(Budget::unlimited, Budget::with_timeout);
        caught(|| execute::explore_with(&self.program, &self.visibility(), &options, &budget)).map_err(Broken::Panic)
    }

    pub fn check(&self, engine: &dyn Engine, property: Property, checking: &Checking) -> Result<Outcome, Broken> {
        let report = self.report(engine, property, checking)?;
        let answer = report.outcomes.into_iter().find(|(answered, _)| *answered == property);
        answer.map(|(_, outcome)| outcome).ok_or_else(|| Broken::EngineBug(format!("no answer for {property}")))
    }

    pub fn report(&self, engine: &dyn Engine, property: Property, checking: &Checking) -> Result<Report, Broken> {
        self.report_on_all(engine, PropertySet::of(&[property]), checking)
    }

    /// As [`report`](Self::report), on several properties at once.
    pub fn report_on_all(
        &self,
        engine: &dyn Engine,
        properties: PropertySet,
        checking: &Checking,
    ) -> Result<Report, Broken> {
        let configured = engines::configured(engine.name(), &checking.options);
        let engine = configured.as_deref().unwrap_or(engine);
        let strategy = Strategy::select(engine, checking.only, checking.unwind.exactly.is_some());
        let check = Check {
            analyses: &self.analyses(),
            properties,
            strategy: &strategy.without_random_testing(),
            engine,
            unwind: checking.unwind,
            first: false,
            budget: &checking.budget(),
            observer: &NullObserver,
            listener: &NullListener,
        };
        let report = caught(|| portfolio::check(&check)).map_err(Broken::Panic)?;
        let mut report = report.map_err(|bug| Broken::EngineBug(bug.to_string()))?;
        for (property, outcome) in &mut report.outcomes {
            *outcome = outcome.clone().within(&self.program.input_bounds, report.provenance.get(property));
        }
        Ok(report)
    }
}

fn first_error(failure: &frontend::CompileFailure) -> String {
    let error = failure.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    let Some(error) = error else { return "no error is given".to_owned() };
    let place = error.span.map_or(String::new(), |span| format!("{}: ", failure.files.describe(span)));
    format!("{place}{}", error.message)
}

/// Makes an error of a panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
    })
}

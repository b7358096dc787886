//! A task: everything that one check needs, as a value that can be written down and run elsewhere. `gordian check --write-task`
//! writes one, `gordian run-task` runs it; the answer is the same.
//!
//! The file is JSON, so that other programs can make and read it; the program is in it as the text of `program::text`, together
//! with the source texts that traces quote.

use std::sync::Arc;
use std::time::Duration;

use base::Budget;
use engines::{Engine, EngineOptions, UnwindLimits, configured};
use program::{Program, Property, PropertySet};
use serde::{Deserialize, Serialize};

use crate::strategy::Strategy;

/// The form of the file. Others are refused.
const FORMAT: &str = "gordian-task 1";

/// What to check, with which engine, how far and on which assumptions.
#[derive(Clone, Debug)]
pub struct Task {
    pub program: Program,
    pub properties: PropertySet,
    /// What every answer rests on.
    pub assumptions: Vec<TaskAssumption>,
    pub plan: Plan,
    pub allowance: TaskAllowance,
}

/// The engine and its bounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// The name of the engine for the stages that leave it to the user.
    pub engine: String,
    pub options: EngineOptions,
    pub unwind: UnwindLimits,
    /// The answer is to be about the bounds that are given, not beyond.
    pub exact_bound: bool,
    /// The engine answers alone.
    pub only: bool,
    pub random_testing: bool,
    /// Stop at the first violation.
    pub first: bool,
}

/// Something that is taken for granted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TaskAssumption {
    pub text: String,
    /// Whether Gordian cannot do without it, or the user wants it so.
    pub is_limit: bool,
}

/// What may be used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TaskAllowance {
    /// Counted work, which is the same on every machine.
    pub work: Option<u64>,
    pub milliseconds: Option<u64>,
    pub bytes: Option<u64>,
}

impl TaskAllowance {
    pub fn time(&self) -> Option<Duration> {
        self.milliseconds.map(Duration::from_millis)
    }

    /// `budget`, with the counted work of the task.
    #[must_use]
    pub fn limit(&self, budget: Budget) -> Budget {
        self.work.map_or_else(|| budget.clone(), |work| budget.with_work(work))
    }
}

impl Plan {
    /// The engine with its options; `None` if there is no such engine.
    pub fn engine(&self) -> Option<Box<dyn Engine>> {
        configured(&self.engine, &self.options)
    }

    pub fn strategy(&self, engine: &dyn Engine) -> Strategy {
        let strategy = Strategy::select(engine, self.only, self.exact_bound);
        if self.random_testing { strategy } else { strategy.without_random_testing() }
    }
}

/// The file, as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct TaskFile {
    format: String,
    properties: Vec<String>,
    assumptions: Vec<TaskAssumption>,
    plan: Plan,
    allowance: TaskAllowance,
    sources: Vec<SourceText>,
    program: Vec<String>,
}

/// A file that the program was made from.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SourceText {
    path: String,
    text: String,
}

impl Task {
    pub fn to_json(&self) -> String {
        let texts = self.program.files.iter().filter_map(|(_, file)| {
            let text = file.text.as_deref()?.to_owned();
            Some(SourceText { path: file.path.clone(), text })
        });
        let file = TaskFile {
            format: FORMAT.to_owned(),
            properties: self.properties.iter().map(|property| property.name().to_owned()).collect(),
            assumptions: self.assumptions.clone(),
            plan: self.plan.clone(),
            allowance: self.allowance,
            sources: texts.collect(),
            program: self.program.to_string().lines().map(str::to_owned).collect(),
        };
        serde_json::to_string_pretty(&file).expect("strings and numbers should have a JSON form") + "\n"
    }

    /// Reads what [`to_json`](Self::to_json) writes. A text from elsewhere gives an error, never a panic later: the program is
    /// verified.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let file: TaskFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if file.format != FORMAT {
            return Err(format!("its format is `{}`, not `{FORMAT}`", file.format));
        }
        let named = |name: &String| name.parse::<Property>().map_err(|()| format!("there is no property `{name}`"));
        let properties = file.properties.iter().map(named).collect::<Result<PropertySet, _>>()?;
        if properties.is_empty() {
            return Err("it names no property".to_owned());
        }
        if file.plan.engine().is_none() {
            return Err(format!("there is no engine `{}`", file.plan.engine));
        }
        let wrong = |error: &dyn std::fmt::Display| format!("its program is wrong: {error}");
        let mut program: Program = file.program.join("\n").parse().map_err(|error| wrong(&error))?;
        for SourceText { path, text } in file.sources {
            let id = program.files.intern(&path);
            program.files.set_text(id, Arc::from(text));
        }
        if let Some(flaw) = program::verify::verify(&program).first() {
            return Err(wrong(flaw));
        }
        let (assumptions, plan, allowance) = (file.assumptions, file.plan, file.allowance);
        Ok(Task { program, properties, assumptions, plan, allowance })
    }
}

//! The strategies, as tables. `gordian check --print-strategy` prints the one that its arguments select.
//!
//! Allowances are counted work (see [`base::budget`]), so that the same input gets the same answer everywhere; the time that
//! the user allows is the outer limit, of which a stage may be given a part.

use std::fmt;

use base::Budget;
use engines::interpolation::Interpolation;
use engines::modular::Modular;
use engines::sites::ViolationSites;
use engines::static_deadlocks::LockOrder;
use engines::static_races::StaticRaces;
use engines::{ContextBounded, ContextOptions, Engine, RandomTesting, Reduction};
use program::Property;

/// The stages of a check, in their order.
#[derive(Clone)]
pub struct Strategy {
    pub name: &'static str,
    pub stages: Vec<Stage>,
}

/// One line of a strategy: an engine and its share of the budget.
#[derive(Clone, Copy)]
pub struct Stage {
    pub name: &'static str,
    pub engine: StageEngine,
    pub allowance: Allowance,
    pub when: When,
}

#[derive(Clone, Copy)]
pub enum StageEngine {
    /// The one that the user chose, or the default.
    Chosen,
    Fixed(&'static dyn Engine),
}

/// How much of the budget a stage may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// Counted work; `None` is no limit of its own.
    pub work: Option<u64>,
    /// One of so many equal parts of the time that is left; `None` is all of it.
    pub part_of_time: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// In its turn, once.
    Once,
    /// In its turn, until nothing is open or the budget is used up. Its answers count even if they are limited.
    ToTheEnd,
    /// While the stage before works to the end: after its first bound, once.
    AfterFirstBound,
    /// While the stage before works to the end: as soon as it has done so much work, or has left something open, once.
    AfterWork(u64),
    /// While the stage before works to the end: after its first bound, and again with twice the allowance whenever the other has
    /// done as much work, or this part of it.
    BetweenBounds { part: u64 },
}

/// No limit but that of the whole check.
const REST: Allowance = Allowance { work: None, part_of_time: None };

const fn work(units: u64) -> Allowance {
    Allowance { work: Some(units), part_of_time: None }
}

impl Allowance {
    const fn part_of_time(self, part: u32) -> Allowance {
        Allowance { part_of_time: Some(part), ..self }
    }

    /// What is left of `whole` for a stage with this allowance.
    pub fn of(self, whole: &Budget) -> Budget {
        let part = self.part_of_time.map_or_else(|| whole.clone(), |part| whole.part(part));
        self.work.map_or(part.clone(), |work| part.with_work(work))
    }

    pub fn doubled(self) -> Allowance {
        Allowance { work: self.work.map(|work| work.saturating_mul(2)), ..self }
    }
}

use StageEngine::{Chosen, Fixed};
use When::{AfterFirstBound, AfterWork, BetweenBounds, Once, ToTheEnd};

const SITES: Stage = stage("violation sites", Fixed(&ViolationSites), REST, Once);
const STATIC_RACES: Stage = stage("static races", Fixed(&StaticRaces), work(20_000_000).part_of_time(10), Once);
const RANDOM_TESTING: Stage =
    stage("random testing", Fixed(&RandomTesting::new()), work(300_000).part_of_time(10), Once);
const INTERLEAVINGS: Stage = stage("interleavings", Fixed(&LAZY), work(500_000).part_of_time(10), AfterWork(2_000_000));
const MODULAR: Stage =
    stage("thread-modular", Fixed(&Modular), work(2_000_000).part_of_time(4), BetweenBounds { part: 1 });
const INTERP: Stage =
    stage("interpolation", Fixed(&Interpolation::new()), work(2_000_000).part_of_time(2), BetweenBounds { part: 2 });
const LOCK_ORDER: Stage = stage("lock order", Fixed(&LockOrder), work(20_000_000).part_of_time(10), AfterFirstBound);

/// Of the interleavings all but those that differ in nothing are left out.
static LAZY: ContextBounded = ContextBounded {
    options: ContextOptions { reduction: Reduction::All, ..ContextOptions::DEFAULT },
    ..ContextBounded::LAZY
};

/// `gordian check`, with the default engine.
const CHECK: [Stage; 8] = [
    SITES,
    STATIC_RACES,
    RANDOM_TESTING,
    stage("bounded", Chosen, REST, ToTheEnd),
    LOCK_ORDER,
    MODULAR,
    INTERP,
    INTERLEAVINGS,
];

/// `gordian check --engine` with another engine that unfolds: it is asked instead of the default.
const UNFOLDING: [Stage; 7] =
    [SITES, STATIC_RACES, RANDOM_TESTING, stage("bounded", Chosen, REST, ToTheEnd), LOCK_ORDER, MODULAR, INTERP];

/// `gordian check --engine` with an engine that does not unfold.
const OTHER_ENGINE: [Stage; 5] =
    [SITES, STATIC_RACES, RANDOM_TESTING, stage("chosen engine", Chosen, REST, ToTheEnd), LOCK_ORDER];

/// `gordian check --unwind` or `--context-bound`: the answer is about this bound.
const EXACT_BOUND: [Stage; 3] = [SITES, STATIC_RACES, stage("bounded", Chosen, REST, ToTheEnd)];

/// `gordian check --only`: what the engine cannot decide stays unknown.
const ALONE: [Stage; 1] = [stage("chosen engine", Chosen, REST, ToTheEnd)];

const fn stage(name: &'static str, engine: StageEngine, allowance: Allowance, when: When) -> Stage {
    Stage { name, engine, allowance, when }
}

impl Strategy {
    /// For a check with this engine as the chosen one.
    pub fn check(engine: &dyn Engine) -> Self {
        let is = |other: &&dyn Engine| other.name() == engine.name();
        if is(&engines::ENGINES[0]) {
            Self::new("check", &CHECK)
        } else if engines::UNFOLDING.iter().any(is) {
            Self::new("check with another unfolding engine", &UNFOLDING)
        } else {
            Self::new("check with another engine", &OTHER_ENGINE)
        }
    }

    /// For a check with this engine, which answers alone or about one bound if the user wants it so.
    pub fn select(engine: &dyn Engine, only: bool, has_exact_bound: bool) -> Self {
        match (only, has_exact_bound) {
            (true, _) => Self::alone(),
            (false, true) => Self::exact_bound(),
            (false, false) => Self::check(engine),
        }
    }

    /// For a question about one bound.
    pub fn exact_bound() -> Self {
        Self::new("one bound", &EXACT_BOUND)
    }

    /// For an engine that answers alone.
    pub fn alone() -> Self {
        Self::new("one engine alone", &ALONE)
    }

    fn new(name: &'static str, stages: &[Stage]) -> Self {
        Self { name, stages: stages.to_vec() }
    }

    /// Without executions at random.
    #[must_use]
    pub fn without_random_testing(mut self) -> Self {
        self.stages.retain(|stage| stage.name != RANDOM_TESTING.name);
        self
    }

    /// The table, with the chosen engine filled in.
    pub fn table(&self, chosen: &dyn Engine) -> String {
        let mut rows = vec![["stage", "engine", "properties", "allowance", "when"].map(str::to_owned)];
        for stage in self.stages_with(chosen) {
            let engine = stage.engine.or(chosen);
            rows.push([
                stage.name.to_owned(),
                engine.name().to_owned(),
                properties(engine),
                stage.allowance.to_string(),
                stage.when.to_string(),
            ]);
        }
        let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let widths: [usize; 5] = std::array::from_fn(width);
        let line = |row: &[String; 5]| {
            let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
            format!("{}\n", cells.join("  ").trim_end())
        };
        rows.iter().map(line).collect()
    }

    /// The stages, without those that would ask the chosen engine a second time.
    pub fn stages_with<'a>(&'a self, chosen: &dyn Engine) -> impl Iterator<Item = &'a Stage> {
        let name = chosen.name();
        self.stages.iter().filter(move |stage| match stage.engine {
            Chosen => true,
            Fixed(engine) => engine.name() != name,
        })
    }
}

impl StageEngine {
    pub fn or(self, chosen: &dyn Engine) -> &dyn Engine {
        match self {
            Chosen => chosen,
            Fixed(engine) => engine,
        }
    }
}

/// What an engine is asked about, for the table.
fn properties(engine: &dyn Engine) -> String {
    let own = engine.properties();
    let names = |wanted: bool| -> Vec<&str> {
        let wanted = Property::of_executions().filter(|property| own.contains(*property) == wanted);
        wanted.map(Property::name).collect()
    };
    match (names(true), names(false)) {
        (_, others) if others.is_empty() => "all".to_owned(),
        (own, others) if own.len() > others.len() => format!("all but {}", others.join(", ")),
        (own, _) => own.join(", "),
    }
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.work, self.part_of_time) {
            (None, None) => f.write_str("the rest"),
            (Some(work), None) => write!(f, "{} of work", Units(work)),
            (None, Some(part)) => write!(f, "1/{part} of the time"),
            (Some(work), Some(part)) => write!(f, "{} of work, at most 1/{part} of the time", Units(work)),
        }
    }
}

/// Thousands and millions of units.
struct Units(u64);

impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            units if units % 1_000_000 == 0 => write!(f, "{} M", units / 1_000_000),
            units if units % 1_000 == 0 => write!(f, "{} k", units / 1_000),
            units => write!(f, "{units}"),
        }
    }
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Once => f.write_str("once"),
            ToTheEnd => f.write_str("to the end, bound after bound"),
            AfterFirstBound => f.write_str("once, after the first bound"),
            AfterWork(work) => write!(f, "once, after {} of work or at the end", Units(*work)),
            BetweenBounds { part: 1 } => f.write_str("between bounds, twice as long each time"),
            BetweenBounds { part } => {
                write!(f, "between bounds, twice as long each time, {part} times the work of the bounds")
            }
        }
    }
}

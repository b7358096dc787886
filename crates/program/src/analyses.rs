//! Analyses of one program, each computed at most once, when it is first asked for.
//!
//! An analysis is the type of its result. Crates above this one add their own (the interpreter's code, the static race analysis):
//! the cache knows results by type only. Programs do not change, so no result is ever invalid; a program that was transformed is
//! another program with analyses of its own.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::points_to::PointsTo;
use crate::program_::Program;
use crate::sharing::Sharing;
use crate::visible::Visibility;

/// What can be known about a program without executing it.
pub trait Analysis: Any + Send + Sync {
    /// For `--stats`, which says how often it was computed: a plural.
    const NAME: &'static str;

    fn run(analyses: &Analyses<'_>) -> Self;
}

/// A program and what has been found out about it so far.
pub struct Analyses<'p> {
    pub program: &'p Program,
    results: AnalysisResults,
}

/// What has been found out about one program, for an owner of the program to keep beside it.
#[derive(Clone, Default)]
pub struct AnalysisResults(Arc<Mutex<Results>>);

impl AnalysisResults {
    fn lock(&self) -> MutexGuard<'_, Results> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
struct Results {
    by_type: FxHashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    runs: BTreeMap<&'static str, u64>,
}

impl<'p> Analyses<'p> {
    pub fn new(program: &'p Program) -> Self {
        Self::with_results(program, AnalysisResults::default())
    }

    /// Goes on with results that are all about this program.
    pub fn with_results(program: &'p Program, results: AnalysisResults) -> Self {
        Self { program, results }
    }

    /// The result of the analysis, which is computed now unless it is known.
    pub fn get<A: Analysis>(&self) -> Arc<A> {
        if let Some(known) = self.lookup::<A>() {
            return known;
        }
        // The lock is not held: an analysis may ask for others.
        self.keep(A::NAME, A::run(self))
    }

    fn keep<A: Any + Send + Sync>(&self, name: &'static str, result: A) -> Arc<A> {
        let result = Arc::new(result);
        let mut results = self.results.lock();
        *results.runs.entry(name).or_default() += 1;
        results.by_type.insert(TypeId::of::<A>(), result.clone());
        result
    }

    /// The result of an analysis that may be given up (for the time that it takes, say): then nothing is kept.
    pub fn get_or_try<A: Any + Send + Sync, E>(
        &self,
        name: &'static str,
        run: impl FnOnce() -> Result<A, E>,
    ) -> Result<Arc<A>, E> {
        match self.lookup::<A>() {
            Some(known) => Ok(known),
            None => run().map(|result| self.keep(name, result)),
        }
    }

    /// How often each analysis was computed.
    pub fn runs(&self) -> BTreeMap<&'static str, u64> {
        self.results.lock().runs.clone()
    }

    fn lookup<A: Any + Send + Sync>(&self) -> Option<Arc<A>> {
        let results = self.results.lock();
        let known = results.by_type.get(&TypeId::of::<A>())?.clone();
        Some(known.downcast().expect("a result should have the type under which it is kept"))
    }
}

impl Analysis for PointsTo {
    const NAME: &'static str = "points-to analyses";

    fn run(analyses: &Analyses<'_>) -> Self {
        PointsTo::new(analyses.program)
    }
}

impl Analysis for Sharing {
    const NAME: &'static str = "sharing analyses";

    fn run(analyses: &Analyses<'_>) -> Self {
        Sharing::with_points_to(analyses.program, analyses.get())
    }
}

impl Analysis for Visibility {
    const NAME: &'static str = "visibility analyses";

    fn run(analyses: &Analyses<'_>) -> Self {
        Visibility::with_sharing(analyses.program, &analyses.get::<Sharing>())
    }
}

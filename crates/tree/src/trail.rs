//! What led to the present node: steps, inputs and facts, kept in arrays that are cut back when the walk turns back.

use std::hash::{Hash, Hasher};

use program::{Choices, MemoryChoice, ObjectName, Schedule, Step, ThreadId};
use rustc_hash::{FxHashMap, FxHasher};
use terms::{Assignment, Evaluator, TermId, Terms};

use crate::sleep::SleepSet;

/// One visible instruction or atomic section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeStep {
    pub step: Step,
    /// Whether it belongs to an effective statement: more than a control-flow test.
    pub effective: bool,
}

/// What the environment decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// A thread to wake up, a weak failure.
    Known(ThreadId, u64),
    Choice(ThreadId, TermId),
    Memory {
        object: ObjectName,
        offset: u64,
        length: u64,
        term: TermId,
    },
}

/// A guard that is decided on this path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathFact {
    pub term: TermId,
    pub truth: bool,
    /// The fact is that a term has this value.
    pub value: Option<(TermId, u64)>,
    /// The conjunction of all facts up to this one.
    pub conjunction: TermId,
}

/// A place in the code of a thread with all activations around it, hashed.
pub type Place = (ThreadId, u64);

/// How often the path has been at a place, and how much memory had changed by the last time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Visits {
    pub count: u32,
    pub changes: u64,
}

#[derive(Default)]
pub struct Trail {
    steps: Vec<TreeStep>,
    inputs: Vec<Input>,
    facts: Vec<PathFact>,
    truths: FxHashMap<TermId, bool>,
    values: FxHashMap<TermId, u64>,
    visits: FxHashMap<Place, Visits>,
    /// What was known of places before they were visited.
    visit_log: Vec<(Place, Visits)>,
    /// Hashes of the states at places inside loops, and who slept there.
    states: Vec<(u128, SleepSet)>,
}

/// How long the trail was at some node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TrailMark {
    steps: usize,
    inputs: usize,
    facts: usize,
    visits: usize,
    states: usize,
}

impl Trail {
    pub fn mark(&self) -> TrailMark {
        TrailMark {
            steps: self.steps.len(),
            inputs: self.inputs.len(),
            facts: self.facts.len(),
            visits: self.visit_log.len(),
            states: self.states.len(),
        }
    }

    pub fn back_to(&mut self, mark: TrailMark) {
        self.steps.truncate(mark.steps);
        self.inputs.truncate(mark.inputs);
        for fact in self.facts.drain(mark.facts..) {
            self.truths.remove(&fact.term);
            if let (true, Some((term, _))) = (fact.truth, fact.value) {
                self.values.remove(&term);
            }
        }
        for (place, before) in self.visit_log.drain(mark.visits..).rev() {
            self.visits.insert(place, before);
        }
        self.states.truncate(mark.states);
    }

    pub fn push_step(&mut self, step: TreeStep) {
        self.steps.push(step);
    }

    pub fn push_input(&mut self, input: Input) {
        self.inputs.push(input);
    }

    pub fn push_fact(&mut self, terms: &mut Terms, term: TermId, truth: bool, value: Option<(TermId, u64)>) {
        let literal = if truth { term } else { terms.not(term) };
        let conjunction = match self.facts.last() {
            Some(last) => terms.and(last.conjunction, literal),
            None => literal,
        };
        self.facts.push(PathFact { term, truth, value, conjunction });
        self.truths.insert(term, truth);
        if let (true, Some((term, bits))) = (truth, value) {
            self.values.insert(term, bits);
        }
    }

    pub fn truth(&self, term: TermId) -> Option<bool> {
        self.truths.get(&term).copied()
    }

    pub fn value(&self, term: TermId) -> Option<u64> {
        self.values.get(&term).copied()
    }

    /// How many values of `term` this path has excluded.
    pub fn excluded_values(&self, term: TermId) -> usize {
        let excluded = |fact: &&PathFact| !fact.truth && fact.value.is_some_and(|(of, _)| of == term);
        self.facts.iter().filter(excluded).count()
    }

    /// Counts a visit, and returns what was known before.
    pub fn visit(&mut self, place: Place, changes: u64) -> Visits {
        let before = self.visits.get(&place).copied().unwrap_or_default();
        self.visit_log.push((place, before));
        self.visits.insert(place, Visits { count: before.count + 1, changes });
        before
    }

    /// What of the visits decides how far loops may still go.
    pub fn rounds_hash(&self) -> u64 {
        let hash = |(place, visits): (&Place, &Visits)| {
            let mut hasher = FxHasher::default();
            (place, visits.count).hash(&mut hasher);
            hasher.finish()
        };
        self.visits.iter().filter(|(_, visits)| visits.count > 0).map(hash).fold(0, u64::wrapping_add)
    }

    /// Remembers a state and who sleeps in it; `false` if the path has been there before.
    pub fn remember_state(&mut self, hash: u128, sleep: &SleepSet) -> bool {
        let state = (hash, sleep.clone());
        let is_new = !self.states.contains(&state);
        self.states.push(state);
        is_new
    }

    /// How many choices the thread has made.
    pub fn choices_of(&self, thread: ThreadId) -> u32 {
        let own = |input: &&Input| match input {
            Input::Known(by, _) | Input::Choice(by, _) => *by == thread,
            Input::Memory { .. } => false,
        };
        self.inputs.iter().filter(own).count() as u32
    }

    pub fn steps(&self) -> &[TreeStep] {
        &self.steps
    }

    pub fn facts(&self) -> &[PathFact] {
        &self.facts
    }

    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The path as something to replay, with the inputs of `assignment`.
    pub fn schedule(&self, terms: &Terms, assignment: &Assignment) -> Schedule {
        schedule(&self.steps, &self.inputs, terms, assignment)
    }
}

/// Steps and inputs as something to replay.
pub fn schedule(steps: &[TreeStep], inputs: &[Input], terms: &Terms, assignment: &Assignment) -> Schedule {
    let mut values = Evaluator::new(terms, assignment);
    let mut choices = Choices::default();
    for input in inputs {
        match *input {
            Input::Known(thread, value) => choices.push(thread, value),
            Input::Choice(thread, term) => choices.push(thread, values.value(term)),
            Input::Memory { object, offset, length, term } => {
                let bytes = values.value(term).to_le_bytes()[..length as usize].to_vec();
                choices.memory.push(MemoryChoice { object, offset, bytes });
            }
        }
    }
    Schedule { steps: steps.iter().map(|step| step.step).collect(), choices }
}

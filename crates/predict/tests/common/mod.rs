//! What the tests share: programs from text or file, recorded under a schedule of one's choice.

use base::Budget;
use execute::{FixedChoices, Scheduler};
use predict::{PredictOptions, Prediction, Recorded, Recording, predict, record};
use program::{Analyses, Outcome, Program, Property, PropertySet, ThreadId};

pub struct Subject {
    pub program: Program,
}

impl Subject {
    /// A file beside the tests.
    pub fn from_file(name: &str) -> Self {
        Self::with_defines(name, &[])
    }

    pub fn with_defines(name: &str, defines: &[&str]) -> Self {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
        let mut options = frontend::CompileOptions::default();
        options.preprocess.defines = defines.iter().map(|&define| define.to_owned()).collect();
        let compiled = frontend::compile(&[path], &options);
        let program = compiled.unwrap_or_else(|failure| panic!("{name}: {:?}", failure.diagnostics)).program;
        Self { program }
    }

    pub fn record(&self, scheduler: &mut dyn Scheduler) -> Recording {
        let recorded =
            record(&Analyses::new(&self.program), scheduler, &mut FixedChoices(0), None, &Budget::unlimited());
        let Recorded { recording, .. } = recorded.expect("the program should run");
        recording
    }

    /// Whoever is first in this list and can go on does; then the others in order of creation.
    pub fn record_by_priority(&self, priority: &[u32]) -> Recording {
        self.record(&mut Priority(priority.iter().map(|&thread| ThreadId(thread)).collect()))
    }

    pub fn predict(&self, recording: &Recording, property: Property, options: &PredictOptions) -> Prediction {
        let properties = PropertySet::of(&[property]);
        let budget = Budget::unlimited();
        predict(&Analyses::new(&self.program), std::slice::from_ref(recording), properties, options, &budget)
            .unwrap_or_else(|error| panic!("{error:?}"))
    }

    pub fn outcome(&self, recording: &Recording, property: Property, options: &PredictOptions) -> Outcome {
        self.predict(recording, property, options).outcomes.remove(0).1
    }
}

struct Priority(Vec<ThreadId>);

impl Scheduler for Priority {
    fn pick(&mut self, enabled: &[ThreadId]) -> ThreadId {
        self.0.iter().copied().find(|thread| enabled.contains(thread)).unwrap_or(enabled[0])
    }
}

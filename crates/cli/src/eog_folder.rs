//! `--dump-eog DIR`: the event order graphs of the engine `scar` as files, named by unfolding, bound and round.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use engines::{EogDrawing, Observer, Progress, QueryText};

use crate::failure::CommandFailure;

/// Passes progress on, and writes drawings if a folder was named.
pub struct EogFolder<'a> {
    folder: Option<&'a Path>,
    progress: &'a dyn Observer,
    state: Mutex<FolderState>,
}

#[derive(Default)]
struct FolderState {
    unfoldings: u32,
    unwind: u32,
    /// The first thing that could not be written.
    error: Option<String>,
}

impl<'a> EogFolder<'a> {
    /// Creates the folder.
    pub fn new(folder: Option<&'a Path>, progress: &'a dyn Observer) -> Result<Self, CommandFailure> {
        if let Some(folder) = folder {
            fs::create_dir_all(folder).map_err(|error| CommandFailure::Output(failed(folder, &error)))?;
        }
        Ok(Self { folder, progress, state: Mutex::default() })
    }

    /// Whether everything was written.
    pub fn finish(self) -> Result<(), CommandFailure> {
        let state = self.state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        state.error.map_or(Ok(()), |error| Err(CommandFailure::Output(error)))
    }
}

impl Observer for EogFolder<'_> {
    fn progress(&self, progress: &Progress) {
        if let (Progress::Unfolding { unwind, .. }, Ok(mut state)) = (progress, self.state.lock()) {
            state.unfoldings += 1;
            state.unwind = *unwind;
        }
        self.progress.progress(progress);
    }

    fn wants_queries(&self) -> bool {
        self.progress.wants_queries()
    }

    fn query(&self, query: &QueryText<'_>) {
        self.progress.query(query);
    }

    fn wants_event_order_graphs(&self) -> bool {
        self.folder.is_some()
    }

    fn event_order_graph(&self, drawing: &EogDrawing) {
        let (Some(folder), Ok(mut state)) = (self.folder, self.state.lock()) else { return };
        let FolderState { unfoldings, unwind, .. } = *state;
        let name = format!("unfolding{unfoldings}-unwind{unwind}-round{:04}", drawing.round);
        for (ending, text) in [("dot", &drawing.dot), ("txt", &drawing.text)] {
            let path = folder.join(format!("{name}.{ending}"));
            if let (Err(error), None) = (fs::write(&path, text), &state.error) {
                state.error = Some(failed(&path, &error));
            }
        }
    }
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("event order graphs cannot be written to {}: {error}", path.display())
}

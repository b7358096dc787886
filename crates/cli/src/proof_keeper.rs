//! `--proof FILE`: what a proof rests on, kept until the answer is known, and written if that is a proof.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use engines::{EogDrawing, Observer, Progress, QueryText};
use program::{Outcome, Property};
use proof::ProofFile;

use crate::failure::CommandFailure;
use crate::session::Session;

/// Passes everything on, and keeps the last proof if a file was named.
pub struct ProofKeeper<'a> {
    path: Option<&'a Path>,
    other: &'a dyn Observer,
    proof: Mutex<Option<Result<ProofFile, String>>>,
}

impl<'a> ProofKeeper<'a> {
    pub fn new(path: Option<&'a Path>, other: &'a dyn Observer) -> Self {
        Self { path, other, proof: Mutex::new(None) }
    }

    /// Writes the proof, if the answer is one and rests on it; else says why nothing is written.
    pub fn finish(self, outcomes: &[(Property, Outcome)], session: &Session) -> Result<(), CommandFailure> {
        let Some(path) = self.path else { return Ok(()) };
        let shown = path.display();
        let is_proved = |property| outcomes.contains(&(property, Outcome::Proved));
        let why = match self.proof.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(Ok(proof)) if proof.properties.iter().all(is_proved) => {
                fs::write(path, proof.to_string()).map_err(|error| {
                    CommandFailure::Output(format!("the proof cannot be written to {shown}: {error}"))
                })?;
                session.remark(&format!("proof written; check it with: gordian validate FILE... {shown}\n"));
                return Ok(());
            }
            Some(Ok(_)) => "the answer is no proof".to_owned(),
            Some(Err(why)) => format!("the proof cannot be written: {why}"),
            None => "the engine interp has proved nothing".to_owned(),
        };
        session.remark(&format!("no proof was written to {shown}: {why}\n"));
        Ok(())
    }
}

impl Observer for ProofKeeper<'_> {
    fn progress(&self, progress: &Progress) {
        self.other.progress(progress);
    }

    fn wants_queries(&self) -> bool {
        self.other.wants_queries()
    }

    fn query(&self, query: &QueryText<'_>) {
        self.other.query(query);
    }

    fn wants_event_order_graphs(&self) -> bool {
        self.other.wants_event_order_graphs()
    }

    fn event_order_graph(&self, drawing: &EogDrawing) {
        self.other.event_order_graph(drawing);
    }

    fn wants_proofs(&self) -> bool {
        self.path.is_some()
    }

    fn proof(&self, proof: &Result<ProofFile, String>) {
        *self.proof.lock().unwrap_or_else(PoisonError::into_inner) = Some(proof.clone());
    }
}

//! The accesses that a machine makes, for callers who compare them with what is claimed of its instructions.

use crate::machine::Machine;
use crate::memory::Place;
use crate::race::RaceAccessKind;

/// One access, as it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoggedAccess {
    pub place: Place,
    pub bytes: u64,
    pub kind: LoggedKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoggedKind {
    Access {
        writes: bool,
        atomic: bool,
    },
    /// The end of the object's life.
    End,
    /// Touched again after the instructions before accessed it; no race is looked for.
    Repeat,
}

impl From<RaceAccessKind> for LoggedKind {
    fn from(kind: RaceAccessKind) -> Self {
        LoggedKind::Access { writes: kind.writes(), atomic: kind.is_atomic() }
    }
}

impl Machine<'_> {
    /// Begins a list of all accesses.
    pub fn log_accesses(&mut self) {
        self.access_log = Some(Vec::new());
    }

    /// All accesses since the list began.
    pub fn logged_accesses(&self) -> &[LoggedAccess] {
        self.access_log.as_deref().unwrap_or_default()
    }

    #[inline]
    pub(crate) fn note_access(&mut self, place: Place, bytes: u64, kind: impl Into<LoggedKind>) {
        if let Some(log) = &mut self.access_log {
            log.push(LoggedAccess { place, bytes, kind: kind.into() });
        }
    }
}

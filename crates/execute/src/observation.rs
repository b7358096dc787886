//! What the world outside sees of an execution: what it printed and how it ended. Two runs of a program, here or on a
//! real machine, can be compared by it.

use crate::machine::End;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Observation {
    pub ending: Ending,
    pub output: Vec<u8>,
}

/// How the process ended, or that it never does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// The status as the parent process sees it.
    Exit(u8),
    /// By `abort` or a failed assertion.
    Abort,
    /// No thread can go on.
    Stuck,
}

impl Ending {
    /// Nothing for an execution that was not followed to an end that C defines.
    pub fn of(end: &End) -> Option<Self> {
        match end {
            End::Finished { abnormal: true, .. } => Some(Ending::Abort),
            End::Finished { status, abnormal: false } => Some(Ending::Exit(*status as u8)),
            End::Stuck => Some(Ending::Stuck),
            End::Violated(_) | End::Undefined(_) | End::Unsupported { .. } | End::Stopped(_) | End::StepLimit => None,
        }
    }
}

//! The part of a node that a child inherits by copy: the state, the threads that are in the middle of a step, and the
//! counters of the context bound. Cheap to clone: the state is shared until it changes.

use std::rc::Rc;

use execute::ExecState;
use program::ThreadId;
use smallvec::SmallVec;

use crate::judge::Model;
use crate::sleep::SleepSet;

#[derive(Clone)]
pub struct Configuration {
    /// Taken out while the machine has it.
    pub state: Option<ExecState>,
    /// Threads in the middle of a step, the one that runs at present last.
    pub runs: SmallVec<[TreeRun; 2]>,
    /// So many threads have been seen; those beyond are new and must run to their first visible instruction.
    pub threads: usize,
    /// The alternative to take where the machine asks for one.
    pub choice: Option<u64>,
    /// Whether any value of the state may be a token.
    pub symbolic: bool,
    pub model: Model,
    pub active: ThreadId,
    /// Used up of the context bound.
    pub contexts: u32,
    /// The active thread is in the middle of a statement: no switch here.
    pub open_statement: bool,
    /// Threads whose next steps need not be taken here.
    pub sleep: SleepSet,
    /// So many steps without an alternative have been taken since all threads had their turn.
    pub at_once: u32,
    /// The node was met before; only facts about its state are new.
    pub decided: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeRun {
    pub thread: usize,
    pub until: Until,
}

/// How far a thread runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// It executes the visible instruction that it stands before, and goes on with its tail.
    Stepped,
    /// The thread stands before a visible instruction.
    Visible,
    /// The thread has left all atomic sections; its tail comes next.
    SectionEnd,
}

impl Configuration {
    /// At the beginning of everything, before any thread has run.
    pub fn of(state: ExecState) -> Self {
        Self {
            state: Some(state),
            runs: SmallVec::new(),
            threads: 1,
            choice: None,
            symbolic: false,
            model: Some(Rc::default()),
            active: ThreadId::MAIN,
            contexts: 0,
            open_statement: false,
            sleep: SleepSet::new(),
            at_once: 0,
            decided: false,
        }
    }
}

//! The states of a thread that Cordeiro and Fischer (ICSE 2011, section 4.1) tell apart.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ThreadState {
    /// Waits for another thread to end.
    Join,
    /// Waits for a lock.
    Lock,
    /// Waits to be woken: by a signal, a post, or the last one at a barrier.
    Wait,
    /// Has ended.
    Exit,
    /// Runnable: none of these.
    Free,
}

impl ThreadState {
    /// The state in words, for people; machine-readable outputs use the name that `Display` gives.
    pub fn description(self) -> &'static str {
        match self {
            ThreadState::Join => "blocked in join",
            ThreadState::Lock => "blocked on a lock",
            ThreadState::Wait => "waiting",
            ThreadState::Exit => "terminated",
            ThreadState::Free => "runnable",
        }
    }
}

impl fmt::Display for ThreadState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ThreadState::Join => "join",
            ThreadState::Lock => "lock",
            ThreadState::Wait => "wait",
            ThreadState::Exit => "exit",
            ThreadState::Free => "free",
        })
    }
}

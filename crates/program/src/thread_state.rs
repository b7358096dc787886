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
    /// None of these.
    Free,
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

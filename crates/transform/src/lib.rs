//! Program-to-program passes, each with a way back: what is learned about the new program is carried over to the old one.
//!
//! A pass says what it [carries](Carries). Proofs are taken over as they are, so a pass that carries them must not lose
//! an execution; violations are replayed in the old program in any case, after [`WayBack::schedule`].
//!
//! Invariant: knows no engine and no source language. In debug builds every new program is verified.

mod rewrite;
mod way_back;
mod without_assertions;

pub use rewrite::{Fate, rewrite};
pub use way_back::WayBack;
pub use without_assertions::WithoutAssertions;

use program::{Analyses, Program};

/// A pass.
pub trait Transform {
    fn name(&self) -> &'static str;

    /// The new program; `None` if the pass would change nothing.
    fn apply(&self, analyses: &Analyses<'_>) -> Option<Transformed>;
}

/// A new program, and how it relates to the old one.
#[derive(Clone, Debug)]
pub struct Transformed {
    pub program: Program,
    pub carries: Carries,
    pub back: WayBack,
}

/// Which answers about the new program are answers about the old one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carries {
    /// The executions are the same.
    Both,
    /// The new program has all executions of the old one, and maybe more.
    Proofs,
    /// The new program has no other executions than the old one, and maybe fewer.
    Violations,
}

impl Carries {
    pub fn proofs(self) -> bool {
        self != Carries::Violations
    }

    /// Of one pass after another.
    #[must_use]
    pub fn then(self, later: Carries) -> Option<Carries> {
        match (self, later) {
            (Carries::Both, other) | (other, Carries::Both) => Some(other),
            (one, other) if one == other => Some(one),
            _ => None,
        }
    }
}

impl Transformed {
    /// This and then another pass. `None` if that pass changes nothing, or if the two together carry nothing.
    pub fn then(self, pass: &dyn Transform) -> Option<Transformed> {
        let later = pass.apply(&Analyses::new(&self.program))?;
        let carries = self.carries.then(later.carries)?;
        Some(Transformed { program: later.program, carries, back: later.back.then(&self.back) })
    }
}

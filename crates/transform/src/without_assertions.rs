//! Leaves out some assertions, so that an execution goes on where one of them fails.

use std::collections::BTreeSet;

use program::{Analyses, Instruction, InstructionKind, Location};

use crate::rewrite::{Fate, rewrite};
use crate::{Carries, Transform, Transformed};

/// The program without the assertions at these places. It has all executions that the program has, but for those that a
/// failing assertion ends, and these are longer.
pub struct WithoutAssertions<'a> {
    pub at: &'a BTreeSet<Location>,
}

impl Transform for WithoutAssertions<'_> {
    fn name(&self) -> &'static str {
        "without assertions"
    }

    fn apply(&self, analyses: &Analyses<'_>) -> Option<Transformed> {
        let is_dropped = |location: Location, instruction: &Instruction| {
            matches!(instruction.kind, InstructionKind::Assert { .. }) && self.at.contains(&location)
        };
        let mut is_changed = false;
        let (program, back) = rewrite(analyses.program, &analyses.get(), |location, instruction| {
            let fate = if is_dropped(location, instruction) { Fate::Drop } else { Fate::Keep };
            is_changed |= fate == Fate::Drop;
            fate
        });
        is_changed.then_some(Transformed { program, carries: Carries::Proofs, back })
    }
}

//! From a new program to the one that it was made of.

use base::IdVec;
use program::{BlockId, FunctionId, Location, Program, Schedule, Step};

use crate::rewrite::places;

/// Where the instructions of a new program come from. Functions and blocks keep their numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WayBack {
    /// For each instruction and terminator of each block, its index in the old block.
    origins: IdVec<FunctionId, IdVec<BlockId, Vec<u32>>>,
    has_schedules: bool,
}

impl WayBack {
    /// From a program to itself.
    pub fn identity(program: &Program) -> Self {
        let of_function = |function: &program::Function| {
            function.blocks.ids().map(|block| (0..places(function, block)).collect()).collect()
        };
        Self { origins: program.functions.iter().map(of_function).collect(), has_schedules: true }
    }

    pub(crate) fn set_origins(&mut self, function: FunctionId, block: BlockId, origins: Vec<u32>) {
        self.origins[function][block] = origins;
    }

    pub(crate) fn lose_schedules(&mut self) {
        self.has_schedules = false;
    }

    /// Where an instruction or terminator of the new program stands in the old one, and so where an invariant that holds
    /// there belongs.
    pub fn location(&self, new: Location) -> Option<Location> {
        let block = self.origins.get(new.function)?.get(new.block)?;
        block.get(new.index as usize).map(|&index| Location { index, ..new })
    }

    /// Where an instruction or terminator of the old program stands in the new one, if it is still there.
    pub fn new_location(&self, old: Location) -> Option<Location> {
        let block = self.origins.get(old.function)?.get(old.block)?;
        let index = block.binary_search(&old.index).ok()?;
        Some(Location { index: index as u32, ..old })
    }

    /// The same execution in the old program. `None` if the pass touched what schedules tell of; the execution has to be
    /// looked for then.
    pub fn schedule(&self, new: &Schedule) -> Option<Schedule> {
        if !self.has_schedules {
            return None;
        }
        let step = |step: &Step| Step { location: step.location.and_then(|location| self.location(location)), ..*step };
        Some(Schedule { steps: new.steps.iter().map(step).collect(), choices: new.choices.clone() })
    }

    /// First this way and then the one from the middle program to the oldest.
    #[must_use]
    pub fn then(&self, older: &WayBack) -> WayBack {
        let mut whole = self.clone();
        for (function, blocks) in self.origins.iter_enumerated() {
            for (block, indices) in blocks.iter_enumerated() {
                let oldest = indices.iter().map(|&index| older.origins[function][block][index as usize]);
                whole.origins[function][block] = oldest.collect();
            }
        }
        whole.has_schedules &= older.has_schedules;
        whole
    }
}

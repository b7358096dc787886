//! The instructions that a thread executed, put back together from its decisions.

use std::fmt;

use program::instruction::{Callee, InstructionKind, TerminatorKind};
use program::{At, Function, Location, Program};

use crate::recording::{Decision, ThreadRecord, decision_kind};

/// One executed instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathStep {
    pub location: Location,
    /// `None` where the instruction decides nothing, and for the pending instruction.
    pub decision: Option<Decision>,
}

/// A record that is not one of this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// How many instructions fit.
    pub instructions: u64,
    pub what: &'static str,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {} instructions of a thread: {}", self.instructions, self.what)
    }
}

/// All instructions of the thread in their order, the pending one last.
pub fn path(program: &Program, record: &ThreadRecord) -> Result<Vec<PathStep>, Misfit> {
    if u32::try_from(record.instructions).is_err() {
        return Err(Misfit { instructions: 0, what: "no thread has that many instructions" });
    }
    let mut walk = PathWalk { program, decisions: record.decisions.iter(), callers: Vec::new(), steps: Vec::new() };
    let mut at = walk.entry_of(record.function)?;
    for _ in 0..record.instructions {
        let here = at.ok_or_else(|| walk.misfit("the thread has ended before"))?;
        at = walk.execute(here)?;
    }
    if record.pending {
        let location = at.ok_or_else(|| walk.misfit("the thread has ended before"))?;
        walk.steps.push(PathStep { location, decision: None });
    }
    if walk.decisions.next().is_some() {
        return Err(walk.misfit("there are more decisions than instructions that decide"));
    }
    Ok(walk.steps)
}

struct PathWalk<'a> {
    program: &'a Program,
    decisions: std::slice::Iter<'a, Decision>,
    /// Where the callers go on.
    callers: Vec<Location>,
    steps: Vec<PathStep>,
}

impl PathWalk<'_> {
    fn misfit(&self, what: &'static str) -> Misfit {
        Misfit { instructions: self.steps.len() as u64, what }
    }

    fn entry_of(&self, function: program::FunctionId) -> Result<Option<Location>, Misfit> {
        match self.program.functions.get(function) {
            Some(_) => Ok(Some(Location { function, block: Function::ENTRY, index: 0 })),
            None => Err(self.misfit("there is no such function")),
        }
    }

    /// Takes one instruction and says where the thread stands then.
    fn execute(&mut self, here: Location) -> Result<Option<Location>, Misfit> {
        let program = self.program;
        let at = program.at(here);
        let decision = self.decide(at)?;
        let next = match at {
            At::Instruction(instruction) => self.after_instruction(here, &instruction.kind, decision)?,
            At::Terminator(terminator) => self.after_terminator(here, &terminator.kind, decision)?,
        };
        self.steps.push(PathStep { location: here, decision });
        Ok(next)
    }

    fn decide(&mut self, at: At<'_>) -> Result<Option<Decision>, Misfit> {
        let Some(kind) = decision_kind(at) else { return Ok(None) };
        match self.decisions.next() {
            Some(&decision) if decision.kind() == kind => Ok(Some(decision)),
            Some(_) => Err(self.misfit("the record decides something else than the instruction there does")),
            None => Err(self.misfit("the recording ends before the thread does")),
        }
    }

    fn after_instruction(
        &mut self,
        here: Location,
        kind: &InstructionKind,
        decision: Option<Decision>,
    ) -> Result<Option<Location>, Misfit> {
        let next = Location { index: here.index + 1, ..here };
        let InstructionKind::Call { callee, .. } = kind else { return Ok(Some(next)) };
        self.callers.push(next);
        match (callee, decision) {
            (Callee::Direct(function), _) => self.entry_of(*function),
            (_, Some(Decision::Callee(function))) => self.entry_of(function),
            _ => Err(self.misfit("an indirect call without a function")),
        }
    }

    fn after_terminator(
        &mut self,
        here: Location,
        kind: &TerminatorKind,
        decision: Option<Decision>,
    ) -> Result<Option<Location>, Misfit> {
        let block = |block| Ok(Some(Location { block, index: 0, ..here }));
        match (kind, decision) {
            (TerminatorKind::Goto(target), _) => block(*target),
            (_, Some(Decision::Jump(target))) if kind.successors().contains(&target) => block(target),
            (_, Some(_)) => Err(self.misfit("the branch there does not go to that block")),
            (TerminatorKind::Return(_), _) => Ok(self.callers.pop()),
            _ => Ok(None),
        }
    }
}

//! Stretches of a path on which nobody may come between: one thread executes plain accesses, and what follows each up
//! to the next visible instruction, without a look at the others. Most of a path under a context bound is such a stretch.
//!
//! Guarantee: the path is the same as step by step. Whatever is no plain access, or does not simply succeed, is left to
//! the walk: the thread then stands before it and has changed nothing.

use execute::{Op, ThreadStatus};
use program::{Step, ThreadId};

use crate::code_facts::{CodeFacts, LoopDepth};
use crate::configuration::{Configuration, TreeRun, Until};
use crate::stepper::Stepper;
use crate::trail::TreeStep;

/// Assignments and jumps after an access before the walk takes over.
const TAIL: u64 = 256;

impl Stepper<'_> {
    /// Runs the active thread while it may not be interrupted: to the end of its statement or, if it `goes_on` beyond,
    /// as far as plain accesses reach. Returns the number of steps.
    pub fn run_forced(&mut self, configuration: &mut Configuration, facts: &CodeFacts, goes_on: bool) -> u64 {
        let thread = configuration.active;
        self.machine.current = thread.0 as usize;
        if !self.is_outside_loops(facts) {
            return 0;
        }
        let mut steps = 0;
        while goes_on || configuration.open_statement {
            let at = self.machine.thread().pc as usize;
            if !facts.plain_access[at] || !self.access() {
                break;
            }
            steps += 1;
            self.note_step(facts, thread, at);
            configuration.open_statement = !facts.ends_statement[at];
            if !self.run_short_tail() {
                configuration.runs.push(TreeRun { thread: self.machine.current, until: Until::Visible });
                break;
            }
        }
        steps
    }

    fn access(&mut self) -> bool {
        (!self.symbolic && self.machine.plain_access()) || self.instruction().is_ok()
    }

    /// Writes down that a thread takes a step that begins at a position.
    pub fn note_step(&mut self, facts: &CodeFacts, thread: ThreadId, at: usize) {
        let step = Step { thread, location: Some(self.machine.code().locations[at]) };
        self.trail.push_step(TreeStep { step, effective: facts.effective[at] });
    }

    /// Whether no activation of the current thread, which is live, is called from inside a loop: there, visits count.
    fn is_outside_loops(&self, facts: &CodeFacts) -> bool {
        let thread = self.machine.thread();
        let calls = thread.frames.iter().skip(1).map(|frame| frame.return_to as usize - 1);
        thread.status == ThreadStatus::Live && calls.into_iter().all(|at| facts.loop_depth[at] == LoopDepth::default())
    }

    /// Executes assignments and jumps up to a visible instruction. `false` if something else comes first.
    fn run_short_tail(&mut self) -> bool {
        let code = self.machine.code();
        for _ in 0..TAIL {
            if !self.symbolic {
                self.machine.thread_mut().run_registers_without_addresses(code, u32::MAX, TAIL);
            }
            let at = self.machine.thread().pc as usize;
            if code.visible[at] {
                return !self.symbolic || self.know_what_is_waited_for().is_ok();
            }
            if !self.symbolic || !concerns_registers(&code.ops[at]) || self.instruction().is_err() {
                return false;
            }
        }
        false
    }
}

fn concerns_registers(op: &Op) -> bool {
    use Op::*;
    matches!(
        op,
        Goto(_)
            | Branch { .. }
            | Switch { .. }
            | Unary { .. }
            | Binary { .. }
            | Cast { .. }
            | Use { .. }
            | PointerAdd { .. }
            | PointerDifference { .. }
            | Select { .. }
    )
}

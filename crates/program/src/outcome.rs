//! Verdicts. There is no place here to lie: a violation carries its confirmed trace, a bounded answer its bounds, an
//! unknown its reason.

use std::fmt;

use base::{Span, StopReason};

use crate::provenance::VerdictProvenance;
use crate::trace::Trace;

/// The answer for one property.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The interpreter has replayed this trace and seen the violation.
    Violated(Box<Trace>),
    /// No execution violates the property; no limit took part in the argument.
    Proved,
    /// No execution within the bounds violates the property.
    HoldsUpTo(Bounds),
    Unknown(UnknownReason),
}

impl Outcome {
    /// The answer about a program that considers its inputs only up to these bounds: they are bounds of the answer if they
    /// take part in its argument.
    pub fn within(self, input_bounds: &[String], provenance: Option<&VerdictProvenance>) -> Outcome {
        let depends_on_inputs = provenance.is_none_or(|provenance| provenance.argument.depends_on_inputs());
        let mut bounds = match self {
            _ if input_bounds.is_empty() || !depends_on_inputs => return self,
            Outcome::Proved => Bounds::default(),
            Outcome::HoldsUpTo(bounds) => bounds,
            other => return other,
        };
        bounds.considered = input_bounds.to_vec();
        Outcome::HoldsUpTo(bounds)
    }
}

/// What limited a bounded answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// Iterations of every loop that was cut, and of recursion.
    pub unwind: Option<u32>,
    /// The loops (and recursive calls) that were cut and mattered.
    pub cut: Vec<Span>,
    /// Bytes of every allocation whose size was cut.
    pub allocation: Option<u64>,
    pub threads: Option<u32>,
    pub context_switches: Option<u32>,
    /// Scheduling points at which more than one thread could go on.
    pub scheduling_decisions: Option<u32>,
    /// Threads were switched between statements only, not between accesses.
    pub whole_statements: bool,
    /// Inputs were restricted to this range.
    pub inputs: Option<(i64, i64)>,
    /// Up to where the program considers its inputs, in words.
    pub considered: Vec<String>,
    pub states: Option<u64>,
    /// Only reorderings of so many recorded runs were looked at.
    pub recorded_runs: Option<u32>,
    /// The user asked for these bounds; otherwise the budget chose them.
    pub chosen_by_user: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    Stopped(StopReason),
    /// An execution reaches a construct that is not supported.
    Unsupported {
        what: String,
        span: Span,
    },
    /// This engine does not check this property.
    NotChecked,
    /// A limit other than the budget, in words.
    Limit(String),
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let is_recorded = self.recorded_runs.is_some();
        if let Some(runs) = self.recorded_runs {
            let switches = match self.context_switches {
                None => String::new(),
                Some(1) => " with at most 1 context switch".to_owned(),
                Some(switches) => format!(" with at most {switches} context switches"),
            };
            parts.push(match runs {
                1 => format!("any reordering of the recorded run{switches}"),
                _ => format!("any reordering of the {runs} recorded runs{switches}"),
            });
        }
        if let Some(unwind) = self.unwind {
            parts.push(format!("{unwind} iterations of each loop"));
        }
        if let Some(bytes) = self.allocation {
            parts.push(format!("{bytes} bytes of each allocation of unknown size"));
        }
        if let Some(threads) = self.threads {
            parts.push(format!("{threads} threads"));
        }
        if let Some(switches) = self.context_switches.filter(|_| !is_recorded) {
            parts.push(format!("{switches} context switches"));
        }
        if let Some(decisions) = self.scheduling_decisions {
            parts.push(format!("{decisions} scheduling decisions"));
        }
        if self.whole_statements {
            parts.push("switches between whole statements".to_owned());
        }
        if let Some((low, high)) = self.inputs {
            parts.push(format!("inputs from {low} to {high}"));
        }
        parts.extend(self.considered.iter().cloned());
        if let Some(states) = self.states {
            parts.push(format!("{states} states"));
        }
        f.write_str(&parts.join(", "))
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownReason::Stopped(reason) => reason.fmt(f),
            UnknownReason::Unsupported { what, .. } => write!(f, "unsupported: {what}"),
            UnknownReason::NotChecked => f.write_str("this engine does not check the property"),
            UnknownReason::Limit(text) => f.write_str(text),
        }
    }
}

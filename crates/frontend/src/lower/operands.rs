//! What is known of operands: the values of those that were evaluated in an order that the execution chose, and what others
//! may do.

use rustc_hash::{FxHashMap, FxHashSet};

use super::operand_survey::is_step;
use crate::ast::{ExprId, ExprKind, UnaryOp};
use crate::emit::value::CValue;
use crate::survey::Inspector;

/// The operands of the function at hand.
#[derive(Default)]
pub struct Operands {
    /// Operands that have been evaluated already.
    settled: FxHashMap<ExprId, CValue>,
    /// Operands whose order has been looked at together with others.
    surveyed: FxHashSet<ExprId>,
    /// Operands are only lowered to see what they do: their order does not matter now.
    surveying: bool,
    /// What expressions may do, as far as that was asked.
    activities: FxHashMap<ExprId, Activity>,
}

/// Operands that have been evaluated, and those whose order needs no further look. To be given back.
#[derive(Default)]
#[must_use]
pub struct Settled {
    values: Vec<ExprId>,
    surveyed: Vec<ExprId>,
}

/// What an expression may do besides reading and computing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Activity {
    None,
    /// It calls functions, which can change nothing but memory.
    Calls,
    /// It may change variables, too.
    Changes,
}

impl Settled {
    /// The operand has a value that lasts as long.
    pub fn include(&mut self, operand: ExprId) {
        self.values.push(operand);
    }
}

impl Operands {
    /// The value of an operand that has been evaluated.
    pub fn value(&self, expr: ExprId) -> Option<CValue> {
        self.settled.get(&expr).copied()
    }

    pub fn is_settled(&self, expr: ExprId) -> bool {
        self.settled.contains_key(&expr)
    }

    /// Whether the order of the operand has not been seen to.
    pub fn is_open(&self, expr: ExprId) -> bool {
        !self.is_settled(expr) && !self.surveyed.contains(&expr)
    }

    pub fn settle(&mut self, expr: ExprId, value: CValue) {
        self.settled.insert(expr, value);
    }

    /// The operand is to be evaluated again.
    pub fn unsettle(&mut self, expr: ExprId) {
        self.settled.remove(&expr);
    }

    /// The order of these has been looked at; those for which that is new are part of what it returns.
    pub fn note_surveyed(&mut self, seen: &[ExprId]) -> Settled {
        let surveyed = seen.iter().copied().filter(|&expr| self.surveyed.insert(expr)).collect();
        Settled { values: Vec::new(), surveyed }
    }

    /// What was settled is over.
    pub fn release(&mut self, settled: Settled) {
        settled.values.iter().for_each(|operand| _ = self.settled.remove(operand));
        settled.surveyed.iter().for_each(|operand| _ = self.surveyed.remove(operand));
    }

    pub fn is_surveying(&self) -> bool {
        self.surveying
    }

    pub fn begin_survey(&mut self) {
        self.surveying = true;
    }

    pub fn end_survey(&mut self) {
        self.surveying = false;
    }

    /// What an expression may do besides reading and computing.
    pub fn activity(&mut self, expr: ExprId, inspect: Inspector<'_, '_>) -> Activity {
        if let Some(&known) = self.activities.get(&expr) {
            return known;
        }
        let own = match *inspect.kind(expr) {
            ExprKind::Assign { .. } | ExprKind::Statement(_) | ExprKind::VaArg { .. } => Activity::Changes,
            ExprKind::Unary { op, .. } if is_step(op) => Activity::Changes,
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } if inspect.is_in_register(operand) => Activity::Changes,
            ExprKind::Call { .. } => Activity::Calls,
            _ => Activity::None,
        };
        let parts = inspect.parts(expr);
        let activity = parts.into_iter().fold(own, |most, part| most.max(self.activity(part, inspect)));
        self.activities.insert(expr, activity);
        activity
    }
}

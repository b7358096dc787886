//! Operands that C lets a compiler evaluate in any order. Where it can make a difference, the execution chooses; where two
//! plain expressions disturb each other the program is undefined, and the order is an assumption.

use std::rc::Rc;

use base::Span;
use program::Operand;

use super::Lowerer;
use super::operand_survey::{OperandSurvey, Unit};
use super::operands::{Activity, Settled};
use super::orders::{EvaluationOrders, SequencingRelation};
use crate::ast::{Asm, Declaration, ExprId, ExprKind, LabelKind, StmtId, StmtKind, StorageClass, TranslationUnit};
use crate::ctype::TypeTable;
use crate::effects::{EvaluationConflict, FunctionEffects};
use crate::emit::frame::FrameKind;
use crate::emit::value::{CValue, Form, Lowered};
use crate::visit::{Visit, parts_of};

/// Choices inside of choices double the code; beyond this depth the order is an assumption.
const MAX_DEPTH: u32 = 3;

/// What the operands are operands of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OperandContext {
    /// Parts of the operands may come between each other.
    Expression,
    /// `target op= value`: the first operand is read, and its place is needed again.
    Update,
    /// The evaluations of initialisers do not interleave (C11 6.7.9 p23).
    Initialiser,
}

impl Lowerer<'_, '_> {
    /// The values of two operands.
    pub fn two_values(&mut self, left: ExprId, right: ExprId, span: Span) -> Lowered<(CValue, CValue)> {
        let settled = self.settle(&[left, right], span)?;
        let values = (self.rvalue(left)?, self.rvalue(right)?);
        self.operands.release(settled);
        Ok(values)
    }

    /// Evaluates those parts of the operands whose order matters, in an order that the execution chooses. Until
    /// [`Operands::release`](super::operands::Operands::release), they have the values that they had then.
    pub fn settle(&mut self, operands: &[ExprId], span: Span) -> Lowered<Settled> {
        self.settle_at(OperandContext::Expression, operands, span)
    }

    /// As [`Self::settle`], for the expressions of an initialiser.
    pub fn settle_initialisers(&mut self, operands: &[ExprId], span: Span) -> Lowered<Settled> {
        self.settle_at(OperandContext::Initialiser, operands, span)
    }

    /// As [`Self::settle`], for what it takes to find out where `target` is, and `value`.
    pub fn settle_assignment(&mut self, target: ExprId, value: ExprId, span: Span) -> Lowered<Settled> {
        let mut operands = self.parts_of_place(target)?;
        operands.push(value);
        self.settle_at(OperandContext::Expression, &operands, span)
    }

    /// As [`Self::settle`], for `target op= value`. If the value of the target is settled, all that leads to it is.
    pub fn settle_update(&mut self, target: ExprId, value: ExprId, span: Span) -> Lowered<Settled> {
        match self.activity(value) != Activity::None && self.is_read_by_update(target)? {
            true => self.settle_at(OperandContext::Update, &[target, value], span),
            false => self.settle_assignment(target, value, span),
        }
    }

    /// Evaluates an operand whose value is needed more than once, unless it is settled already.
    pub fn settle_value(&mut self, operand: ExprId, settled: &mut Settled) -> Lowered<()> {
        if self.operands.is_settled(operand) {
            return Ok(());
        }
        let span = self.span(operand);
        let mut value = self.rvalue(operand)?;
        let is_constant = !matches!(value.operand, Operand::Register(_) | Operand::Local { .. });
        if value.form != Form::Scalar || !is_constant {
            let destination = self.emit.destination(value, span)?;
            value = self.emit.keep(value, destination, span)?;
        }
        self.operands.settle(operand, value);
        settled.include(operand);
        Ok(())
    }

    fn settle_at(&mut self, site: OperandContext, operands: &[ExprId], span: Span) -> Lowered<Settled> {
        if !self.order_may_matter(operands) {
            return Ok(Settled::default());
        }
        let Some(effects) = self.emit.link.effects.clone() else {
            self.emit.link.order_may_matter = true;
            return Ok(Settled::default());
        };
        let diagnostics = self.emit.link.diagnostics.len();
        let survey = match site {
            OperandContext::Expression | OperandContext::Update => self.survey(operands, &effects),
            OperandContext::Initialiser => self.survey_whole(operands, &effects),
        };
        let Ok(survey) = survey else {
            // It is said again where the operand is lowered for good.
            self.emit.link.diagnostics.truncate(diagnostics);
            return Ok(Settled::default());
        };
        let mut settled = match site {
            OperandContext::Expression | OperandContext::Update => self.operands.note_surveyed(&survey.seen),
            OperandContext::Initialiser => Settled::default(),
        };
        if let Some((units, orders)) = self.chosen_orders(site, &survey, &effects, span) {
            units.iter().for_each(|unit| settled.include(unit.expr));
            self.in_any_order(&units, orders, span)?;
        }
        Ok(settled)
    }

    /// Whether the operands need a look. Nothing but calls and side effects can conflict, if threads do not watch.
    fn order_may_matter(&mut self, operands: &[ExprId]) -> bool {
        if self.operands.is_surveying() {
            return false;
        }
        if self.emit.function.result.is_none() || self.emit.builder.constant_mode || self.built_in {
            return false;
        }
        let activity = operands.iter().fold(Activity::None, |most, &operand| most.max(self.activity(operand)));
        let is_open = |&&operand: &&ExprId| {
            let is_quiet = activity < Activity::Changes && self.inspect().is_quiet(operand);
            self.operands.is_open(operand) && !is_quiet && !self.inspect().is_constant_operand(operand)
        };
        let is_watched = || self.emit.link.effects.as_ref().is_some_and(|effects| effects.is_watched());
        (activity > Activity::None || is_watched()) && operands.iter().filter(is_open).count() > 1
    }

    /// The units whose order matters, and their orders; `None` if none does, or if left to right is assumed.
    fn chosen_orders<'s>(
        &mut self,
        site: OperandContext,
        survey: &'s OperandSurvey,
        effects: &Rc<FunctionEffects>,
        span: Span,
    ) -> Option<(Vec<&'s Unit>, EvaluationOrders)> {
        let conflicts = Conflicts::of(site, &survey.units, effects);
        let chosen: Vec<usize> = conflicts.participants(site, &survey.units);
        let is_rigid = chosen.iter().any(|&unit| cannot_be_repeated(self.ast, survey.units[unit].expr));
        if conflicts.are_undefined || is_rigid || !chosen.is_empty() && self.emit.function.open_choices >= MAX_DEPTH {
            self.assume_order(span);
            return None;
        }
        if chosen.is_empty() {
            return None;
        }
        let mut orders =
            EvaluationOrders::of(chosen.len(), |one, other| conflicts.relation(chosen[one], chosen[other]));
        orders.is_incomplete |= conflicts.are_between_steps;
        Some((chosen.into_iter().map(|unit| &survey.units[unit]).collect(), orders))
    }

    fn assume_order(&mut self, span: Span) {
        let line = span.line;
        self.emit
            .link
            .assume(format!("operands in line {line} are evaluated from left to right; C leaves the order open"));
    }

    /// Evaluates units in one of the orders; they are settled then. Where there are more orders than these, the answer is
    /// unknown unless one of these violates.
    fn in_any_order(&mut self, units: &[&Unit], orders: EvaluationOrders, span: Span) -> Lowered<()> {
        let mut destinations = Vec::new();
        for unit in units {
            destinations.push(self.emit.destination(unit.shape, span)?);
        }
        let join = self.emit.builder.new_block();
        self.emit.function.open_choices += 1;
        if orders.is_incomplete {
            let odd = self.emit.choose_alternative(span)?;
            self.emit.unsupported("another order of evaluation", TypeTable::VOID, span);
            self.emit.builder.goto(odd, span);
            self.emit.builder.switch_to(odd);
        }
        let last = orders.orders.len() - 1;
        for (number, order) in orders.orders.into_iter().enumerate() {
            let next = if number < last { Some(self.emit.choose_alternative(span)?) } else { None };
            self.push_frame(FrameKind::Part);
            units.iter().for_each(|unit| self.operands.unsettle(unit.expr));
            for index in order {
                let value = self.rvalue(units[index].expr)?;
                let value = self.emit.keep(value, destinations[index], span)?;
                self.operands.settle(units[index].expr, value);
            }
            self.pop_frame(span);
            self.emit.builder.goto(join, span);
            if let Some(next) = next {
                self.emit.builder.switch_to(next);
            }
        }
        self.emit.function.open_choices -= 1;
        self.emit.builder.switch_to(join);
        Ok(())
    }
}

/// Which units conflict.
struct Conflicts<'s> {
    units: &'s [Unit],
    pairs: Vec<(usize, usize)>,
    /// Two of them, without a call, disturb each other.
    are_undefined: bool,
    /// A unit may come between the steps of another one, where it is not put.
    are_between_steps: bool,
}

impl<'s> Conflicts<'s> {
    fn of(site: OperandContext, units: &'s [Unit], effects: &FunctionEffects) -> Self {
        let mut found = Self { units, pairs: Vec::new(), are_undefined: false, are_between_steps: false };
        for (index, one) in units.iter().enumerate() {
            for (other_index, other) in units.iter().enumerate().skip(index + 1) {
                if index >= other.first {
                    continue;
                }
                match effects.conflict(&one.effects, &other.effects) {
                    None => continue,
                    Some(EvaluationConflict::Memory)
                        if site != OperandContext::Initialiser && !one.is_call && !other.is_call =>
                    {
                        found.are_undefined = true;
                    }
                    Some(_) => found.pairs.push((index, other_index)),
                }
            }
        }
        found.are_between_steps = (0..units.len()).any(|unit| found.comes_between(unit, effects));
        found
    }

    /// Whether more than one step of the unit conflicts with others.
    fn comes_between(&self, unit: usize, effects: &FunctionEffects) -> bool {
        let others: Vec<usize> = self.pairs.iter().filter_map(|&pair| partner(pair, unit)).collect();
        let is_hit = |step: &&crate::effects::EvaluationEffects| {
            others.iter().any(|&other| effects.conflict(step, &self.units[other].effects).is_some())
        };
        self.units[unit].steps.iter().filter(is_hit).count() > 1
    }

    /// The units to be evaluated in a chosen order, in the order from left to right.
    fn participants(&self, site: OperandContext, units: &[Unit]) -> Vec<usize> {
        let mut all: Vec<usize> = self.pairs.iter().flat_map(|&(one, other)| [one, other]).collect();
        // Where the target is must not be found out a second time.
        if site == OperandContext::Update
            && let Some(target) = all.iter().copied().filter(|&unit| units[unit].first == 0).max()
        {
            all.extend(0..target);
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn relation(&self, one: usize, other: usize) -> SequencingRelation {
        if one >= self.units[other].first {
            return SequencingRelation::Sequenced;
        }
        match self.pairs.contains(&(one, other)) {
            true => SequencingRelation::Conflict,
            false => SequencingRelation::Independent,
        }
    }
}

fn partner((one, other): (usize, usize), unit: usize) -> Option<usize> {
    match unit {
        _ if unit == one => Some(other),
        _ if unit == other => Some(one),
        _ => None,
    }
}

/// Whether code of the expression may stand in the program only once: it has labels or static objects.
fn cannot_be_repeated(ast: &TranslationUnit, expr: ExprId) -> bool {
    let mut search = LabelSearch { ast, found: false };
    search.expression(expr);
    search.found
}

struct LabelSearch<'a> {
    ast: &'a TranslationUnit,
    found: bool,
}

impl<'a> Visit<'a> for LabelSearch<'a> {
    fn ast(&self) -> &'a TranslationUnit {
        self.ast
    }

    fn asm(&mut self, _: &Asm) {
        self.found = true;
    }

    fn expression(&mut self, id: ExprId) {
        self.found |= matches!(self.ast[id].kind, ExprKind::LabelAddress(_));
        let (mut parts, mut bodies) = (Vec::new(), Vec::new());
        parts_of(self.ast, id, &mut parts, &mut bodies);
        parts.into_iter().for_each(|part| self.expression(part));
        bodies.into_iter().for_each(|body| self.statement(body));
    }

    fn statement(&mut self, id: StmtId) {
        if let StmtKind::Labeled { labels, .. } = &self.ast[id].kind {
            self.found |= labels.iter().any(|label| matches!(label.kind, LabelKind::Name(_)));
        }
        self.found |= matches!(self.ast[id].kind, StmtKind::LocalLabels(_) | StmtKind::ComputedGoto(_));
        self.parts_of_statement(id);
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.found |= declaration.specifiers.storage == Some(StorageClass::Static);
        let initialisers = declaration.declarators.iter().filter_map(|init| init.initializer.as_ref());
        initialisers.for_each(|initialiser| self.initializer(initialiser));
    }
}

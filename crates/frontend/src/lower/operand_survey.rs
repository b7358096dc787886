//! Which evaluations operands consist of, and what each of them does.
//!
//! C orders the evaluation of a call, an access or an operator after that of its operands, and else little: a call may come
//! between any two parts of its sibling (C11 6.5.2.2 p10). So operands are taken apart into *units*, each with the effects
//! that are its own; what is sequenced by itself (`&&`, `,`, `?:`, statements) stays one. The effects are read off the code
//! that the unit is lowered to, which is thrown away.

use base::ids::{Id, IdVec};
use program::{Callee, InstructionKind, Local, LocalId, Operand};

use super::Lowerer;
use super::operands::Activity;
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::effects::{
    AccessedMemory, EvaluationEffects, FunctionEffects, Root, Roots, Scene, of_instruction, of_terminator,
};
use crate::emit::Emitter;
use crate::emit::builder::BuilderMark;
use crate::emit::value::{CValue, Form, Lowered};
use crate::link::Linker;

/// One evaluation.
pub struct Unit {
    pub expr: ExprId,
    /// What its value looks like.
    pub shape: CValue,
    pub effects: EvaluationEffects,
    /// A function is called, so that nothing comes in between.
    pub is_call: bool,
    /// The first of the units that are parts of this one; those up to this one are, too.
    pub first: usize,
    /// If others may come in between: the effects of the steps that it has.
    pub steps: Vec<EvaluationEffects>,
}

#[derive(Default)]
pub struct OperandSurvey {
    /// Parts before the whole, and else from left to right.
    pub units: Vec<Unit>,
    /// All expressions that were looked at.
    pub seen: Vec<ExprId>,
}

/// What a survey keeps while it goes on.
struct Course<'a> {
    effects: &'a FunctionEffects,
    roots: Roots,
    /// Registers and objects from these on belong to the code that is thrown away.
    first_register: usize,
    first_local: usize,
    survey: OperandSurvey,
}

impl Lowerer<'_, '_> {
    /// Takes operands apart.
    pub fn survey(&mut self, operands: &[ExprId], effects: &FunctionEffects) -> Lowered<OperandSurvey> {
        self.survey_with(operands, effects, |lowerer, operand, course| lowerer.take_apart(operand, course))
    }

    /// As [`Self::survey`], for operands that are evaluated as a whole.
    pub fn survey_whole(&mut self, operands: &[ExprId], effects: &FunctionEffects) -> Lowered<OperandSurvey> {
        self.survey_with(operands, effects, |lowerer, operand, course| {
            let first = course.survey.units.len();
            match lowerer.inspect().is_constant_operand(operand) {
                true => Ok(()),
                false => lowerer.add_unit(operand, UnitKind::Whole, first, course),
            }
        })
    }

    fn survey_with(
        &mut self,
        operands: &[ExprId],
        effects: &FunctionEffects,
        look: impl Fn(&mut Self, ExprId, &mut Course<'_>) -> Lowered<()>,
    ) -> Lowered<OperandSurvey> {
        let outer = (self.compared_with_zero, self.emit.function.volatile_accesses);
        self.operands.begin_survey();
        let result = self.scratch(false, |lowerer| {
            let (first_register, first_local) =
                (lowerer.emit.builder.registers.len(), lowerer.emit.builder.locals.len());
            let roots = Roots::from(first_register);
            let mut course = Course { effects, roots, first_register, first_local, survey: OperandSurvey::default() };
            let outcome = operands.iter().try_for_each(|&operand| look(lowerer, operand, &mut course));
            course.survey.seen.iter().for_each(|&expr| lowerer.operands.unsettle(expr));
            outcome.map(|()| course.survey)
        });
        self.operands.end_survey();
        (self.compared_with_zero, self.emit.function.volatile_accesses) = outer;
        let mut survey = result?.0;
        survey.forget_variables();
        Ok(survey)
    }

    fn take_apart(&mut self, expr: ExprId, course: &mut Course<'_>) -> Lowered<()> {
        if self.operands.is_settled(expr) || self.inspect().is_constant_operand(expr) {
            return Ok(());
        }
        let first = course.survey.units.len();
        let (kind, parts) = self.parts_of_evaluation(expr)?;
        for part in parts {
            self.take_apart(part, course)?;
        }
        self.add_unit(expr, kind, first, course)
    }

    /// Lowers an expression whose parts have been, and notes what it does.
    fn add_unit(&mut self, expr: ExprId, kind: UnitKind, first: usize, course: &mut Course<'_>) -> Lowered<()> {
        let volatile_accesses = self.emit.function.volatile_accesses;
        let mark = self.emit.builder.mark();
        self.compared_with_zero = None;
        let value = self.rvalue(expr)?;
        let steps = course.steps_since(mark, kind, &self.emit);
        let is_name = matches!(self.ast[expr].kind, ExprKind::Name(_));
        let mut effects = course.effects_of_value(value, is_name, &self.emit);
        steps.iter().for_each(|step| effects.add(step));
        self.emit.builder.terminators_since(mark).for_each(|kind| effects.add(&of_terminator(kind)));
        effects.synchronises |= self.emit.function.volatile_accesses > volatile_accesses;
        course.survey.seen.push(expr);
        self.operands.settle(expr, value);
        if effects.is_empty() {
            return Ok(());
        }
        let is_call = match kind {
            UnitKind::Call => true,
            UnitKind::Plain => false,
            UnitKind::Sequence | UnitKind::Whole => self.inspect().has_call(expr),
        };
        let steps = if kind == UnitKind::Sequence { steps } else { Vec::new() };
        course.survey.units.push(Unit { expr, shape: value, effects, is_call, first, steps });
        Ok(())
    }

    /// How an expression is evaluated, and what of it comes before.
    fn parts_of_evaluation(&mut self, expr: ExprId) -> Lowered<(UnitKind, Vec<ExprId>)> {
        let ast = self.ast;
        Ok(match &ast[expr].kind {
            ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left: first, .. }
            | ExprKind::Conditional { condition: first, .. } => (UnitKind::Sequence, vec![*first]),
            ExprKind::Comma { .. } | ExprKind::Statement(_) | ExprKind::CompoundLiteral { .. } => {
                (UnitKind::Sequence, Vec::new())
            }
            ExprKind::Binary { left, right, .. } => (UnitKind::Plain, vec![*left, *right]),
            ExprKind::Unary { op, operand } if is_step(*op) => (UnitKind::Plain, self.parts_of_place(*operand)?),
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } => (UnitKind::Plain, self.parts_of_place(*operand)?),
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => (UnitKind::Plain, vec![*operand]),
            // Target and value may be read in any order, but nothing else comes between reading and writing the target
            // (C11 6.5.16.2 p3): that is seen to where it is lowered.
            ExprKind::Assign { op: Some(_), target, value }
                if self.activity(*value) != Activity::None && self.is_read_by_update(*target)? =>
            {
                (UnitKind::Sequence, Vec::new())
            }
            ExprKind::Assign { target, value, .. } => {
                let mut parts = self.parts_of_place(*target)?;
                parts.push(*value);
                (UnitKind::Plain, parts)
            }
            ExprKind::Call { callee, arguments } => (UnitKind::Call, self.inspect().parts_of_call(*callee, arguments)),
            ExprKind::Index { .. } | ExprKind::Member { .. } => match self.inspect().is_made_here(expr) {
                true => (UnitKind::Sequence, Vec::new()),
                false => (UnitKind::Plain, self.parts_of_place(expr)?),
            },
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => (UnitKind::Plain, vec![self.chosen(expr)?]),
            _ => (UnitKind::Plain, Vec::new()),
        })
    }

    /// What it takes to find out where an lvalue is.
    pub fn parts_of_place(&mut self, place: ExprId) -> Lowered<Vec<ExprId>> {
        Ok(match self.ast[place].kind {
            ExprKind::Name(_) | ExprKind::String(_) | ExprKind::CompoundLiteral { .. } => Vec::new(),
            ExprKind::Unary { op: UnaryOp::Dereference, operand } => vec![operand],
            ExprKind::Index { base, index } => vec![base, index],
            ExprKind::Member { base, arrow: true, .. } => vec![base],
            ExprKind::Member { base, arrow: false, .. } => self.parts_of_place(base)?,
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => {
                let chosen = self.chosen(place)?;
                self.parts_of_place(chosen)?
            }
            _ => vec![place],
        })
    }
}

/// How the parts of an evaluation are ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnitKind {
    /// One evaluation after those of its parts.
    Plain,
    Call,
    /// Several steps in an order of their own, between which something else may come.
    Sequence,
    /// As a sequence, but nothing comes in between.
    Whole,
}

impl OperandSurvey {
    /// Variables that are in no memory matter only if somebody changes one.
    fn forget_variables(&mut self) {
        let is_variable = |location: &AccessedMemory| matches!(location, AccessedMemory::Register(_));
        if self.units.iter().any(|unit| unit.effects.writes.iter().any(is_variable)) {
            return;
        }
        let mut kept = Vec::new();
        let mut before = vec![0];
        for mut unit in std::mem::take(&mut self.units) {
            unit.effects.reads.retain(|location| !is_variable(location));
            unit.first = before[unit.first];
            if !unit.effects.is_empty() {
                kept.push(unit);
            }
            before.push(kept.len());
        }
        self.units = kept;
    }
}

impl Course<'_> {
    /// The effects of the instructions that have any.
    fn steps_since(&mut self, mark: BuilderMark, kind: UnitKind, emit: &Emitter<'_, '_>) -> Vec<EvaluationEffects> {
        let instructions = emit.builder.instructions_since(mark);
        self.roots.learn_all(instructions.clone());
        let here = self.here(emit);
        let effects = |instruction: &InstructionKind| {
            let mut step = of_instruction(&self.effects.sample, instruction, &self.roots, &here);
            step.writes.extend(self.variables(instruction.targets().into_iter().map(Operand::Register)));
            if matches!(kind, UnitKind::Sequence | UnitKind::Whole) {
                step.reads.extend(self.variables(instruction.operands().into_iter()));
            }
            step
        };
        instructions.map(effects).filter(|step| !step.is_empty()).collect()
    }

    /// What it takes to have the value, besides code: a variable is read, and the bytes of a structure are.
    fn effects_of_value(&self, value: CValue, is_name: bool, emit: &Emitter<'_, '_>) -> EvaluationEffects {
        let mut effects = EvaluationEffects::default();
        if value.form == Form::Aggregate {
            effects.reads.extend(self.here(emit).location(self.roots.of(value.operand)));
        }
        if is_name {
            effects.reads.extend(self.variables([value.operand].into_iter()));
        }
        effects
    }

    fn here<'b>(&'b self, emit: &'b Emitter<'_, '_>) -> Here<'b> {
        let (function, locals) = (emit.function.name.as_str(), &emit.builder.locals);
        Here { link: emit.link, function, locals, first_local: self.first_local, effects: self.effects }
    }

    /// Variables of the function among the operands.
    fn variables<I: Iterator<Item = Operand>>(&self, operands: I) -> impl Iterator<Item = AccessedMemory> + use<I> {
        let first = self.first_register;
        operands.filter_map(move |operand| match operand {
            Operand::Register(register) if register.index() < first => Some(AccessedMemory::Register(register)),
            _ => None,
        })
    }
}

/// What operands mean in the function at hand.
struct Here<'a> {
    link: &'a Linker<'a>,
    function: &'a str,
    locals: &'a IdVec<LocalId, Local>,
    first_local: usize,
    effects: &'a FunctionEffects,
}

impl Scene for Here<'_> {
    fn location(&self, root: Root) -> Option<AccessedMemory> {
        match root {
            Root::Global(global) => {
                let slot = &self.link.globals[global];
                let is_constant = slot.read_only || self.link.types.is_constant(slot.ty);
                let name = library::words_for(&slot.name).unwrap_or(&slot.name);
                (!is_constant).then(|| AccessedMemory::Global(name.into()))
            }
            Root::Local(local) if local.index() < self.first_local => {
                let is_pointed_to = self.effects.is_local_pointed_to(self.function, &self.locals[local].name);
                Some(AccessedMemory::Local { local, is_pointed_to })
            }
            Root::Local(_) | Root::Fresh => None,
            Root::Parameter(_) | Root::Anything => Some(AccessedMemory::Pointed),
        }
    }

    fn called(&self, callee: Callee) -> EvaluationEffects {
        match callee {
            Callee::Direct(function) => self.effects.of_callee(Some(&self.link.functions[function].name)),
            Callee::Indirect(_) => self.effects.of_callee(None),
        }
    }
}

pub fn is_step(op: UnaryOp) -> bool {
    matches!(op, UnaryOp::PreIncrement | UnaryOp::PreDecrement | UnaryOp::PostIncrement | UnaryOp::PostDecrement)
}

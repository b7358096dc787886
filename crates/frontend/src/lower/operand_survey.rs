//! Which evaluations operands consist of, and what each of them does.
//!
//! C orders the evaluation of a call, an access or an operator after that of its operands, and else little: a call may come
//! between any two parts of its sibling (C11 6.5.2.2 p10). So operands are taken apart into *units*, each with the effects
//! that are its own; what is sequenced by itself (`&&`, `,`, `?:`, statements) stays one. The effects are read off the code
//! that the unit is lowered to, which is thrown away.

use base::ids::{Id, IdVec};
use program::{Callee, InstructionKind, Local, LocalId, Operand};

use super::Lowerer;
use super::builder::Mark;
use super::entity::Entity;
use super::value::{Form, Lowered, Value};
use crate::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::effects::{Effects, FunctionEffects, Location, Root, Roots, Scene, of_instruction, of_terminator};
use crate::link::Linker;
use crate::visit::parts_of;

/// One evaluation.
pub struct Unit {
    pub expr: ExprId,
    /// What its value looks like.
    pub shape: Value,
    pub effects: Effects,
    /// A function is called, so that nothing comes in between.
    pub is_call: bool,
    /// The first of the units that are parts of this one; those up to this one are, too.
    pub first: usize,
    /// If others may come in between: the effects of the steps that it has.
    pub steps: Vec<Effects>,
}

#[derive(Default)]
pub struct Survey {
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
    survey: Survey,
}

impl Lowerer<'_, '_> {
    /// Takes operands apart.
    pub fn survey(&mut self, operands: &[ExprId], effects: &FunctionEffects) -> Lowered<Survey> {
        self.survey_with(operands, effects, |lowerer, operand, course| lowerer.take_apart(operand, course))
    }

    /// As [`Self::survey`], for operands that are evaluated as a whole.
    pub fn survey_whole(&mut self, operands: &[ExprId], effects: &FunctionEffects) -> Lowered<Survey> {
        self.survey_with(operands, effects, |lowerer, operand, course| {
            let first = course.survey.units.len();
            match lowerer.is_constant_operand(operand) {
                true => Ok(()),
                false => lowerer.add_unit(operand, Kind::Whole, first, course),
            }
        })
    }

    fn survey_with(
        &mut self,
        operands: &[ExprId],
        effects: &FunctionEffects,
        look: impl Fn(&mut Self, ExprId, &mut Course<'_>) -> Lowered<()>,
    ) -> Lowered<Survey> {
        let flags = (self.sign_only, self.result_unused, self.f.volatile_accesses);
        self.surveying = true;
        let result = self.scratch(false, |lowerer| {
            let (first_register, first_local) = (lowerer.f.builder.registers.len(), lowerer.f.builder.locals.len());
            let roots = Roots::from(first_register);
            let mut course = Course { effects, roots, first_register, first_local, survey: Survey::default() };
            let outcome = operands.iter().try_for_each(|&operand| look(lowerer, operand, &mut course));
            course.survey.seen.iter().for_each(|expr| _ = lowerer.settled.remove(expr));
            outcome.map(|()| course.survey)
        });
        self.surveying = false;
        (self.sign_only, self.result_unused, self.f.volatile_accesses) = flags;
        let mut survey = result?.0;
        survey.forget_variables();
        Ok(survey)
    }

    fn take_apart(&mut self, expr: ExprId, course: &mut Course<'_>) -> Lowered<()> {
        if self.settled.contains_key(&expr) || self.is_constant_operand(expr) {
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
    fn add_unit(&mut self, expr: ExprId, kind: Kind, first: usize, course: &mut Course<'_>) -> Lowered<()> {
        let volatile_accesses = self.f.volatile_accesses;
        let mark = self.f.builder.mark();
        self.sign_only = None;
        let value = self.rvalue(expr)?;
        let steps = self.steps_since(mark, kind, course);
        let mut effects = self.effects_of_value(expr, value, course);
        steps.iter().for_each(|step| effects.add(step));
        self.f.builder.terminators_since(mark).for_each(|kind| effects.add(&of_terminator(kind)));
        effects.synchronises |= self.f.volatile_accesses > volatile_accesses;
        course.survey.seen.push(expr);
        self.settled.insert(expr, value);
        if effects.is_empty() {
            return Ok(());
        }
        let is_call = match kind {
            Kind::Call => true,
            Kind::Plain => false,
            Kind::Sequence | Kind::Whole => self.has_call(expr),
        };
        let steps = if kind == Kind::Sequence { steps } else { Vec::new() };
        course.survey.units.push(Unit { expr, shape: value, effects, is_call, first, steps });
        Ok(())
    }

    /// The effects of the instructions that have any.
    fn steps_since(&self, mark: Mark, kind: Kind, course: &mut Course<'_>) -> Vec<Effects> {
        let instructions = self.f.builder.instructions_since(mark);
        course.roots.learn_all(instructions.clone());
        let here = self.here(course);
        let effects = |instruction: &InstructionKind| {
            let mut step = of_instruction(&course.effects.sample, instruction, &course.roots, &here);
            step.writes.extend(course.variables(instruction.targets().into_iter().map(Operand::Register)));
            if matches!(kind, Kind::Sequence | Kind::Whole) {
                step.reads.extend(course.variables(instruction.operands().into_iter()));
            }
            step
        };
        instructions.map(effects).filter(|step| !step.is_empty()).collect()
    }

    /// What it takes to have the value, besides code: a variable is read, and the bytes of a structure are.
    fn effects_of_value(&self, expr: ExprId, value: Value, course: &Course<'_>) -> Effects {
        let mut effects = Effects::default();
        if value.form == Form::Aggregate {
            effects.reads.extend(self.here(course).location(course.roots.of(value.operand)));
        }
        if matches!(self.ast[expr].kind, ExprKind::Name(_)) {
            effects.reads.extend(course.variables([value.operand].into_iter()));
        }
        effects
    }

    fn here<'b>(&'b self, course: &Course<'b>) -> Here<'b> {
        let (function, locals) = (self.f.name.as_str(), &self.f.builder.locals);
        Here { link: self.link, function, locals, first_local: course.first_local, effects: course.effects }
    }

    /// How an expression is evaluated, and what of it comes before.
    fn parts_of_evaluation(&mut self, expr: ExprId) -> Lowered<(Kind, Vec<ExprId>)> {
        let ast = self.ast;
        Ok(match &ast[expr].kind {
            ExprKind::Binary { op: BinaryOp::LogicalAnd | BinaryOp::LogicalOr, left: first, .. }
            | ExprKind::Conditional { condition: first, .. } => (Kind::Sequence, vec![*first]),
            ExprKind::Comma { .. } | ExprKind::Statement(_) | ExprKind::CompoundLiteral { .. } => {
                (Kind::Sequence, Vec::new())
            }
            ExprKind::Binary { left, right, .. } => (Kind::Plain, vec![*left, *right]),
            ExprKind::Unary { op, operand } if is_step(*op) => (Kind::Plain, self.parts_of_place(*operand)?),
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } => (Kind::Plain, self.parts_of_place(*operand)?),
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => (Kind::Plain, vec![*operand]),
            // Target and value may be read in any order, but nothing else comes between reading and writing the target
            // (C11 6.5.16.2 p3): that is seen to where it is lowered.
            ExprKind::Assign { op: Some(_), target, value }
                if self.activity(*value) != Activity::None && self.is_read_by_update(*target)? =>
            {
                (Kind::Sequence, Vec::new())
            }
            ExprKind::Assign { target, value, .. } => {
                let mut parts = self.parts_of_place(*target)?;
                parts.push(*value);
                (Kind::Plain, parts)
            }
            ExprKind::Call { callee, arguments } => (Kind::Call, self.parts_of_call(*callee, arguments)),
            ExprKind::Index { .. } | ExprKind::Member { .. } => match self.is_made_here(expr) {
                true => (Kind::Sequence, Vec::new()),
                false => (Kind::Plain, self.parts_of_place(expr)?),
            },
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => (Kind::Plain, vec![self.chosen(expr)?]),
            _ => (Kind::Plain, Vec::new()),
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

    /// Whether the place lies in a compound literal, which is made where it is written.
    fn is_made_here(&self, place: ExprId) -> bool {
        match self.ast[place].kind {
            ExprKind::CompoundLiteral { .. } => true,
            ExprKind::Member { base, arrow: false, .. } | ExprKind::Index { base, .. } => self.is_made_here(base),
            _ => false,
        }
    }

    fn parts_of_call(&self, callee: ExprId, arguments: &[ExprId]) -> Vec<ExprId> {
        let ExprKind::Name(name) = self.ast[callee].kind else {
            return std::iter::once(callee).chain(arguments.iter().copied()).collect();
        };
        match self.scopes.lookup(name) {
            Some(Entity::Function(_)) | None if takes_unevaluated(self.name(name)) => Vec::new(),
            Some(Entity::Function(_)) | None => arguments.to_vec(),
            Some(_) => std::iter::once(callee).chain(arguments.iter().copied()).collect(),
        }
    }

    /// Whether the operand is the same whenever it is evaluated, and evaluating it does nothing.
    pub fn is_constant_operand(&self, expr: ExprId) -> bool {
        match &self.ast[expr].kind {
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::AlignofType { .. }
            | ExprKind::Offsetof { .. }
            | ExprKind::LabelAddress(_)
            | ExprKind::TypesCompatible { .. } => true,
            ExprKind::Name(name) => {
                matches!(self.scopes.lookup(*name), Some(Entity::Function(_) | Entity::Constant { .. }) | None)
            }
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } => {
                matches!(self.ast[*operand].kind, ExprKind::Name(_))
            }
            ExprKind::Cast { operand, .. } => self.is_constant_operand(*operand),
            ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot, operand } => {
                self.is_constant_operand(*operand)
            }
            _ => false,
        }
    }

    /// What an expression may do besides reading and computing.
    pub fn activity(&mut self, expr: ExprId) -> Activity {
        if let Some(&known) = self.activities.get(&expr) {
            return known;
        }
        let own = match self.ast[expr].kind {
            ExprKind::Assign { .. } | ExprKind::Statement(_) | ExprKind::VaArg { .. } => Activity::Changes,
            ExprKind::Unary { op, .. } if is_step(op) => Activity::Changes,
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } if self.is_in_register(operand) => Activity::Changes,
            ExprKind::Call { .. } => Activity::Calls,
            _ => Activity::None,
        };
        let (mut parts, mut bodies) = (Vec::new(), Vec::new());
        parts_of(self.ast, expr, &mut parts, &mut bodies);
        let activity = parts.into_iter().fold(own, |most, part| most.max(self.activity(part)));
        self.activities.insert(expr, activity);
        activity
    }

    /// Whether the expression only computes with variables that are in no memory, and cannot be wrong.
    pub fn is_quiet(&self, expr: ExprId) -> bool {
        match &self.ast[expr].kind {
            ExprKind::Name(_) => self.is_in_register(expr) || self.is_constant_operand(expr),
            ExprKind::Cast { operand, .. }
            | ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Not | UnaryOp::BitNot, operand } => {
                self.is_quiet(*operand)
            }
            ExprKind::Binary { op, left, right } => {
                let is_harmless = op.is_comparison()
                    || matches!(
                        op,
                        BinaryOp::BitAnd
                            | BinaryOp::BitOr
                            | BinaryOp::BitXor
                            | BinaryOp::LogicalAnd
                            | BinaryOp::LogicalOr
                    );
                is_harmless && self.is_quiet(*left) && self.is_quiet(*right)
            }
            _ => self.is_constant_operand(expr),
        }
    }

    fn has_call(&self, expr: ExprId) -> bool {
        let (mut parts, mut bodies) = (Vec::new(), Vec::new());
        parts_of(self.ast, expr, &mut parts, &mut bodies);
        matches!(self.ast[expr].kind, ExprKind::Call { .. })
            || !bodies.is_empty()
            || parts.into_iter().any(|part| self.has_call(part))
    }
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

/// How the parts of an evaluation are ordered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One evaluation after those of its parts.
    Plain,
    Call,
    /// Several steps in an order of their own, between which something else may come.
    Sequence,
    /// As a sequence, but nothing comes in between.
    Whole,
}

impl Survey {
    /// Variables that are in no memory matter only if somebody changes one.
    fn forget_variables(&mut self) {
        let is_variable = |location: &Location| matches!(location, Location::Register(_));
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
    /// Variables of the function among the operands.
    fn variables<I: Iterator<Item = Operand>>(&self, operands: I) -> impl Iterator<Item = Location> + use<I> {
        let first = self.first_register;
        operands.filter_map(move |operand| match operand {
            Operand::Register(register) if register.index() < first => Some(Location::Register(register)),
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
    fn location(&self, root: Root) -> Option<Location> {
        match root {
            Root::Global(global) => {
                let slot = &self.link.globals[global];
                let is_constant = slot.read_only || self.link.types.is_constant(slot.ty);
                let name = library::words_for(&slot.name).unwrap_or(&slot.name);
                (!is_constant).then(|| Location::Global(name.into()))
            }
            Root::Local(local) if local.index() < self.first_local => {
                let is_pointed_to = self.effects.is_local_pointed_to(self.function, &self.locals[local].name);
                Some(Location::Local { local, is_pointed_to })
            }
            Root::Local(_) | Root::Fresh => None,
            Root::Parameter(_) | Root::Anything => Some(Location::Pointed),
        }
    }

    fn called(&self, callee: Callee) -> Effects {
        match callee {
            Callee::Direct(function) => self.effects.of_callee(Some(&self.link.functions[function].name)),
            Callee::Indirect(_) => self.effects.of_callee(None),
        }
    }
}

pub fn is_step(op: UnaryOp) -> bool {
    matches!(op, UnaryOp::PreIncrement | UnaryOp::PreDecrement | UnaryOp::PostIncrement | UnaryOp::PostDecrement)
}

/// Builtins that do not evaluate all of their arguments, or take them for places.
fn takes_unevaluated(name: &str) -> bool {
    name.strip_prefix("__builtin_").is_some_and(|name| {
        name.starts_with("va_") || name.ends_with("object_size") || matches!(name, "constant_p" | "gordian_invariant")
    })
}

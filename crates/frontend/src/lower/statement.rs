//! Statements.

use base::Span;
use program::{BinaryOp as Op, InstructionKind, Operand, Rvalue, TerminatorKind, Type};

use super::frame::{FrameKind, Position};
use super::jump::{Case, Switch, Target};
use super::value::{Address, Form, Lowered, Value};
use super::{Lowerer, Reported};
use crate::ast::{Asm, ExprId, ForInit, Label, LabelKind, StaticAssert, StmtId, StmtKind};
use crate::ctype::{QualType, TypeId, TypeTable};

/// A `case` range of at most this many values becomes single cases.
const MAX_LISTED_RANGE: i128 = 256;

impl Lowerer<'_, '_> {
    /// Lowers a statement; a mistake in it has been reported and the next one goes on.
    pub fn statement(&mut self, id: StmtId) {
        let depth = self.scopes.depth();
        if self.try_statement(id).is_err() {
            self.scopes.truncate(depth);
        }
    }

    fn try_statement(&mut self, id: StmtId) -> Lowered<()> {
        debug_assert!(self.f.handed_out.is_empty());
        let node = &self.ast[id];
        let span = self.place_of(node.span);
        match &node.kind {
            StmtKind::Empty => Ok(()),
            StmtKind::LocalLabels(names) => {
                names.iter().for_each(|&name| self.declare_label(name));
                Ok(())
            }
            StmtKind::Expr(expr) => self.full_expression(span, |lowerer| lowerer.discard(*expr)),
            StmtKind::Compound(block) => {
                self.push_frame(FrameKind::Braces);
                self.lower_statements(id);
                self.pop_frame(self.place_of(block.end));
                Ok(())
            }
            StmtKind::Declaration(declaration) => {
                self.local_declaration(declaration);
                Ok(())
            }
            StmtKind::UnsupportedPragma(text) => {
                self.unsupported(format!("`#pragma {text}`"), TypeTable::VOID, span);
                Ok(())
            }
            StmtKind::StaticAssert(assertion) => {
                self.static_assertion(assertion);
                Ok(())
            }
            StmtKind::If { condition, then, otherwise } => self.in_frame(FrameKind::Statement, span, |lowerer| {
                lowerer.if_statement(*condition, *then, *otherwise, span)
            }),
            StmtKind::Switch { scrutinee, body } => {
                self.in_frame(FrameKind::Statement, span, |lowerer| lowerer.switch_statement(*scrutinee, *body, span))
            }
            StmtKind::While { condition, body } => {
                self.note_loop(span, false);
                self.in_frame(FrameKind::Statement, span, |lowerer| lowerer.while_loop(*condition, *body, span))
            }
            StmtKind::DoWhile { body, condition } => {
                self.in_frame(FrameKind::Statement, span, |lowerer| lowerer.do_loop(*body, *condition, span))
            }
            StmtKind::For { init, condition, step, body } => {
                self.note_loop(span, true);
                self.in_frame(FrameKind::Braces, span, |lowerer| lowerer.for_loop(init, *condition, *step, *body, span))
            }
            StmtKind::Labeled { labels, body } => {
                for label in labels {
                    self.label_statement(label)?;
                }
                self.statement(*body);
                Ok(())
            }
            StmtKind::Goto(label) => {
                self.goto_label(*label, span);
                Ok(())
            }
            StmtKind::ComputedGoto(target) => {
                let target = self.full_expression(span, |lowerer| {
                    let target = lowerer.rvalue(*target)?;
                    lowerer.convert(target, TypeTable::VOID_POINTER, span)
                })?;
                self.goto_address(target.operand, span);
                Ok(())
            }
            StmtKind::Continue => self.jump_statement(self.f.jumps.continues.last().copied(), "continue", span),
            StmtKind::Break => self.jump_statement(self.f.jumps.breaks.last().copied(), "break", span),
            StmtKind::Return(value) => self.return_statement(*value, span),
            StmtKind::Asm(asm) => self.full_expression(span, |lowerer| lowerer.asm_statement(asm, span)),
        }
    }

    fn in_frame(&mut self, kind: FrameKind, span: Span, lower: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        self.push_frame(kind);
        let result = lower(self);
        self.pop_frame(span);
        result
    }

    /// A statement that is a part of a selection or iteration statement is a block, with or without braces.
    fn substatement(&mut self, id: StmtId) {
        if matches!(self.ast[id].kind, StmtKind::Compound(_)) {
            return self.statement(id);
        }
        self.push_frame(FrameKind::Statement);
        self.statement(id);
        self.pop_frame(self.place_of(self.ast[id].span));
    }

    /// The statements of a block, in the current frame.
    pub fn lower_statements(&mut self, block: StmtId) {
        if let StmtKind::Compound(block) = &self.ast[block].kind {
            for &item in &block.items {
                self.statement(item);
            }
        }
    }

    /// The value of a statement expression.
    pub fn block_value(&mut self, body: StmtId) -> Lowered<Value> {
        let StmtKind::Compound(block) = &self.ast[body].kind else { return Ok(Value::void()) };
        let end = self.place_of(block.end);
        self.push_frame(FrameKind::Braces);
        // The statements inside have full expressions of their own, the last one among them.
        let result = self.full_expression(end, |lowerer| {
            let value = lowerer.last_value(&block.items)?;
            match value.form {
                Form::Aggregate => lowerer.keep_aggregate(value, end),
                _ => Ok(value),
            }
        });
        self.pop_frame(end);
        result
    }

    fn last_value(&mut self, items: &[StmtId]) -> Lowered<Value> {
        let Some((&last, rest)) = items.split_last() else { return Ok(Value::void()) };
        for &item in rest {
            self.statement(item);
        }
        let mut last = last;
        while let StmtKind::Labeled { labels, body } = &self.ast[last].kind {
            for label in labels {
                self.label_statement(label)?;
            }
            last = *body;
        }
        match self.ast[last].kind {
            StmtKind::Expr(expr) => {
                let value = self.rvalue(expr)?;
                Ok(Value { operand: self.f.builder.pin(value.operand), ..value })
            }
            _ => {
                self.statement(last);
                Ok(Value::void())
            }
        }
    }

    /// The bytes of a block's result must outlive the block: they are copied to an object without an end.
    fn keep_aggregate(&mut self, value: Value, span: Span) -> Lowered<Value> {
        let local = self.add_local("(statement expression)", value.ty, None, span)?;
        self.emit(InstructionKind::Begin { local }, span);
        let target = Operand::Local { local, offset: 0 };
        let ty = QualType::plain(value.ty);
        self.copy_aggregate(Address::at(target), Address::at(value.operand), ty, span)?;
        Ok(Value::aggregate(target, value.ty))
    }

    fn if_statement(&mut self, condition: ExprId, then: StmtId, otherwise: Option<StmtId>, span: Span) -> Lowered<()> {
        let (then_block, join) = (self.f.builder.new_block(), self.f.builder.new_block());
        let else_block = if otherwise.is_some() { self.f.builder.new_block() } else { join };
        let outcome = self.branch_on_full(condition, then_block, else_block);
        if outcome.is_err() {
            self.f.builder.goto(then_block, span);
        }
        self.f.builder.switch_to(then_block);
        self.substatement(then);
        self.f.builder.goto(join, span);
        if let Some(otherwise) = otherwise {
            self.f.builder.switch_to(else_block);
            self.substatement(otherwise);
            self.f.builder.goto(join, span);
        }
        self.f.builder.switch_to(join);
        outcome
    }

    fn while_loop(&mut self, condition: ExprId, body: StmtId, span: Span) -> Lowered<()> {
        let (head, inside, exit) = (self.f.builder.new_block(), self.f.builder.new_block(), self.f.builder.new_block());
        self.begin_loop_head();
        self.f.builder.goto(head, span);
        self.f.builder.switch_to(head);
        self.branch_on_full(condition, inside, exit)?;
        self.f.builder.switch_to(inside);
        self.loop_body(body, head, exit);
        self.f.builder.goto(head, span);
        self.f.builder.switch_to(exit);
        Ok(())
    }

    fn do_loop(&mut self, body: StmtId, condition: ExprId, span: Span) -> Lowered<()> {
        let (head, test, exit) = (self.f.builder.new_block(), self.f.builder.new_block(), self.f.builder.new_block());
        self.begin_loop_head();
        self.f.builder.goto(head, span);
        self.f.builder.switch_to(head);
        self.loop_body(body, test, exit);
        self.f.builder.goto(test, span);
        self.f.builder.switch_to(test);
        // Something may have to be done on the way back.
        let again = self.f.builder.new_block();
        self.branch_on_full(condition, again, exit)?;
        self.f.builder.switch_to(again);
        self.f.builder.goto(head, span);
        self.f.builder.switch_to(exit);
        Ok(())
    }

    fn for_loop(
        &mut self,
        init: &ForInit,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
        span: Span,
    ) -> Lowered<()> {
        match init {
            ForInit::None => {}
            ForInit::Expr(expr) => self.full_expression(span, |lowerer| lowerer.discard(*expr))?,
            ForInit::Declaration(declaration) => self.local_declaration(declaration),
        }
        let (head, inside) = (self.f.builder.new_block(), self.f.builder.new_block());
        let (next, exit) = (self.f.builder.new_block(), self.f.builder.new_block());
        self.begin_loop_head();
        self.f.builder.goto(head, span);
        self.f.builder.switch_to(head);
        match condition {
            Some(condition) => self.branch_on_full(condition, inside, exit)?,
            None => self.f.builder.goto(inside, span),
        }
        self.f.builder.switch_to(inside);
        if matches!(init, ForInit::Declaration(_)) {
            self.note_first_statement(body);
        }
        self.loop_body(body, next, exit);
        self.f.builder.goto(next, span);
        self.f.builder.switch_to(next);
        if let Some(step) = step {
            self.full_expression(span, |lowerer| lowerer.discard(step))?;
        }
        self.f.builder.goto(head, span);
        self.f.builder.switch_to(exit);
        Ok(())
    }

    fn loop_body(&mut self, body: StmtId, next: program::BlockId, exit: program::BlockId) {
        let frames = self.f.jumps.frames.depth();
        self.f.jumps.continues.push(Target { block: next, frames });
        self.f.jumps.breaks.push(Target { block: exit, frames });
        self.substatement(body);
        self.f.jumps.continues.pop();
        self.f.jumps.breaks.pop();
    }

    fn jump_statement(&mut self, target: Option<Target>, word: &str, span: Span) -> Lowered<()> {
        match target {
            Some(target) => {
                self.jump_to(target, span);
                Ok(())
            }
            None => self.error("syntax", span, format!("`{word}` stands outside of a loop")),
        }
    }

    fn return_statement(&mut self, value: Option<ExprId>, span: Span) -> Lowered<()> {
        let operand = self.full_expression(span, |lowerer| {
            let value = match value {
                Some(expr) if lowerer.f.result.is_some_and(|result| lowerer.link.types.is_void(result.ty)) => {
                    lowerer.discard(expr)?;
                    None
                }
                Some(expr) => Some(lowerer.rvalue(expr)?),
                None => None,
            };
            lowerer.returned_operand(value, span)
        })?;
        if self.f.result.is_some() {
            self.leave_function(operand, span);
        }
        Ok(())
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Labels and switch

    fn label_statement(&mut self, label: &Label) -> Lowered<()> {
        match label.kind {
            LabelKind::Name(name) => {
                self.define_label(name, label.span)?;
                if self.name(name).starts_with("__CPROVER_ASYNC_") {
                    self.unsupported("a label that starts a thread, as CBMC has it", TypeTable::VOID, label.span);
                }
                Ok(())
            }
            LabelKind::Default => {
                let block = self.open_case_block(label.span);
                let position = self.f.jumps.position();
                match self.f.jumps.switches.last_mut() {
                    Some(switch) if switch.default.is_none() => {
                        switch.default = Some((block, position));
                        Ok(())
                    }
                    Some(_) => self.error("redefinition", label.span, "there are two `default` labels"),
                    None => self.error("syntax", label.span, "`default` stands outside of a `switch`"),
                }
            }
            LabelKind::Case(value) => {
                let low = self.require_integer_constant(value)?;
                self.add_case(low, low, label.span)
            }
            LabelKind::CaseRange(low, high) => {
                let low = self.require_integer_constant(low)?;
                let high = self.require_integer_constant(high)?;
                self.add_case(low, high, label.span)
            }
        }
    }

    fn add_case(&mut self, low: i128, high: i128, span: Span) -> Lowered<()> {
        let block = self.open_case_block(span);
        let position = self.f.jumps.position();
        match self.f.jumps.switches.last_mut() {
            Some(switch) if switch.cases.iter().any(|case| case.low <= high && low <= case.high) => {
                self.error("redefinition", span, "there are two `case` labels for this value")
            }
            Some(switch) => {
                switch.cases.push(Case { low, high, block, position });
                Ok(())
            }
            None => self.error("syntax", span, "`case` stands outside of a `switch`"),
        }
    }

    /// Control falls into the labelled code from above.
    fn open_case_block(&mut self, span: Span) -> program::BlockId {
        let block = self.f.builder.new_block();
        self.f.builder.goto(block, self.place_of(span));
        self.f.builder.switch_to(block);
        block
    }

    fn switch_statement(&mut self, scrutinee: ExprId, body: StmtId, span: Span) -> Lowered<()> {
        let value = self.full_expression(span, |lowerer| lowerer.rvalue(scrutinee))?;
        if !self.link.types.is_integer(value.ty) {
            return self.error("type", self.ast[scrutinee].span, "`switch` needs an integer");
        }
        let ty = self.link.types.promoted(value.ty);
        let value = self.convert(value, ty, span)?;
        self.f.builder.pin(value.operand);
        let head = self.f.builder.current;
        let exit = self.f.builder.new_block();
        let inside = self.f.builder.new_block();
        self.f.builder.switch_to(inside);
        let position = self.f.jumps.position();
        let frames = self.f.jumps.frames.depth();
        self.f.jumps.switches.push(Switch::default());
        self.f.jumps.breaks.push(Target { block: exit, frames });
        self.substatement(body);
        self.f.jumps.breaks.pop();
        self.f.builder.goto(exit, span);
        let switch = self.f.jumps.switches.pop().unwrap_or_default();
        self.f.builder.switch_to(head);
        self.dispatch(value.operand, ty, switch, &position, exit, span);
        self.f.builder.switch_to(exit);
        Ok(())
    }

    fn dispatch(
        &mut self,
        value: Operand,
        ty: TypeId,
        switch: Switch,
        position: &Position,
        exit: program::BlockId,
        span: Span,
    ) {
        let register = self.register_type(ty);
        let bits = register.bits(self.link.types.model);
        let mut cases: Vec<(u64, program::BlockId)> = Vec::new();
        let mut wide = Vec::new();
        for case in &switch.cases {
            let target = self.case_target(case.block, position, &case.position, span);
            if case.high - case.low >= MAX_LISTED_RANGE {
                wide.push((case.low, case.high, target));
                continue;
            }
            for number in case.low..=case.high {
                let Operand::Int { value, .. } = Operand::int(bits, number as u64) else { continue };
                if cases.iter().all(|(known, _)| *known != value) {
                    cases.push((value, target));
                }
            }
        }
        let default = match &switch.default {
            Some((block, to)) => self.case_target(*block, position, to, span),
            None => exit,
        };
        for (low, high, target) in wide {
            self.range_test(value, ty, low, high, target, span);
        }
        let kind = match (value, cases.is_empty()) {
            (_, true) => TerminatorKind::Goto(default),
            (Operand::Int { value, .. }, _) => {
                let found = cases.iter().find(|(case, _)| *case == value);
                TerminatorKind::Goto(found.map_or(default, |(_, block)| *block))
            }
            _ => TerminatorKind::Switch { value, ty: register, cases, default },
        };
        self.f.builder.terminate(kind, span);
    }

    /// The block to jump to: the case itself, or one that first begins the objects it is jumped past.
    fn case_target(&mut self, block: program::BlockId, from: &Position, to: &Position, span: Span) -> program::BlockId {
        if !self.is_long_way(from, to) {
            return block;
        }
        let home = self.f.builder.current;
        let step = self.f.builder.new_block();
        self.f.builder.switch_to(step);
        self.travel(from, to, span);
        self.f.builder.goto(block, span);
        self.f.builder.switch_to(home);
        step
    }

    fn range_test(&mut self, value: Operand, ty: TypeId, low: i128, high: i128, target: program::BlockId, span: Span) {
        let register = self.register_type(ty);
        let bits = register.bits(self.link.types.model);
        // low <= value <= high, as one unsigned comparison of the distance from low.
        let base = Operand::int(bits, low as u64);
        let distance = Rvalue::Binary { op: Op::Sub, ty: register, left: value, right: base, signed: false };
        let distance = self.compute(distance, register, span);
        let span_of_range = Operand::int(bits, (high - low) as u64);
        let test = Rvalue::Binary { op: Op::Ule, ty: register, left: distance, right: span_of_range, signed: false };
        let test = self.compute(test, Type::BOOL, span);
        let rest = self.f.builder.new_block();
        self.f.builder.branch(test, target, rest, span);
        self.f.builder.switch_to(rest);
    }

    // -----------------------------------------------------------------------------------------------------------------
    // The rest

    pub fn static_assertion(&mut self, assertion: &StaticAssert) {
        if let Ok(0) = self.require_integer_constant(assertion.condition) {
            let message =
                assertion.message.as_deref().map_or(String::new(), |m| format!(": {}", String::from_utf8_lossy(m)));
            let text = format!("static assertion failed{message}");
            let _: Result<(), Reported> = self.error("static-assert", assertion.span, text);
        }
    }

    /// Empty assembly is a compiler barrier and does nothing; other assembly is not understood.
    fn asm_statement(&mut self, asm: &Asm, span: Span) -> Lowered<()> {
        let blank = asm.template.iter().all(u8::is_ascii_whitespace);
        if blank && asm.outputs.iter().all(|output| output.constraint.starts_with(b"+")) {
            for operand in asm.inputs.iter() {
                self.rvalue(operand.value)?;
            }
            return Ok(());
        }
        if blank && self.copies_inputs(asm) {
            return self.copy_asm_inputs(asm, span);
        }
        for operand in asm.inputs.iter() {
            self.rvalue(operand.value)?;
        }
        self.emit(InstructionKind::Unsupported { what: "inline assembly".into() }, span);
        for output in asm.outputs.iter() {
            let place = self.place(output.value)?;
            let value = self.unknown_value(place.ty.ty, span);
            self.store(place, value, span)?;
        }
        Ok(())
    }

    /// `asm("" : "=r"(out) : "0"(in))` hides a value from the compiler: each output is the input tied to it.
    fn copies_inputs(&self, asm: &Asm) -> bool {
        let tied = |index: usize| {
            let number = index.to_string();
            asm.inputs.iter().any(|input| *input.constraint == *number.as_bytes())
        };
        (0..asm.outputs.len()).all(tied)
    }

    fn copy_asm_inputs(&mut self, asm: &Asm, span: Span) -> Lowered<()> {
        for (index, output) in asm.outputs.iter().enumerate() {
            let number = index.to_string();
            let Some(input) = asm.inputs.iter().find(|input| *input.constraint == *number.as_bytes()) else {
                continue;
            };
            let place = self.place(output.value)?;
            let value = self.rvalue(input.value)?;
            let value = self.convert(value, place.ty.ty, span)?;
            self.store(place, value, span)?;
        }
        Ok(())
    }
}

//! Statements.

use base::Span;
use program::InstructionKind;

use super::Lowerer;
use super::queries::check_static_assertion;
use crate::ast::{Asm, ExprId, ForInit, LabelKind, StmtId, StmtKind, StmtLabel};
use crate::ctype::TypeTable;
use crate::emit::frame::FrameKind;
use crate::emit::jump::{JumpTarget, Switch, SwitchCase};
use crate::emit::value::{CValue, Form, Lowered};

impl Lowerer<'_, '_> {
    /// Lowers a statement; a mistake in it has been reported and the next one goes on.
    pub fn statement(&mut self, id: StmtId) {
        let depth = self.scopes.depth();
        if self.try_statement(id).is_err() {
            self.scopes.truncate(depth);
        }
    }

    fn try_statement(&mut self, id: StmtId) -> Lowered<()> {
        debug_assert!(self.emit.function.handed_out.is_empty());
        let node = &self.ast[id];
        let span = self.place_of(node.span);
        match &node.kind {
            StmtKind::Empty => Ok(()),
            StmtKind::LocalLabels(names) => {
                names.iter().for_each(|&name| self.emit.declare_label(name));
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
                self.emit.unsupported(format!("`#pragma {text}`"), TypeTable::VOID, span);
                Ok(())
            }
            StmtKind::StaticAssert(assertion) => {
                check_static_assertion(self, assertion);
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
                self.emit.goto_label(*label, span);
                Ok(())
            }
            StmtKind::ComputedGoto(target) => {
                let target = self.full_expression(span, |lowerer| {
                    let target = lowerer.rvalue(*target)?;
                    lowerer.emit.convert(target, TypeTable::VOID_POINTER, span)
                })?;
                self.emit.goto_address(target.operand, span);
                Ok(())
            }
            StmtKind::Continue => self.jump_statement(self.emit.jumps.continues.last().copied(), "continue", span),
            StmtKind::Break => self.jump_statement(self.emit.jumps.breaks.last().copied(), "break", span),
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
    pub fn block_value(&mut self, body: StmtId) -> Lowered<CValue> {
        let StmtKind::Compound(block) = &self.ast[body].kind else { return Ok(CValue::void()) };
        let end = self.place_of(block.end);
        self.push_frame(FrameKind::Braces);
        // The statements inside have full expressions of their own, the last one among them.
        let result = self.full_expression(end, |lowerer| {
            let value = lowerer.last_value(&block.items)?;
            match value.form {
                Form::Aggregate => lowerer.emit.keep_aggregate(value, end),
                _ => Ok(value),
            }
        });
        self.pop_frame(end);
        result
    }

    fn last_value(&mut self, items: &[StmtId]) -> Lowered<CValue> {
        let Some((&last, rest)) = items.split_last() else { return Ok(CValue::void()) };
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
                Ok(CValue { operand: self.emit.builder.pin(value.operand), ..value })
            }
            _ => {
                self.statement(last);
                Ok(CValue::void())
            }
        }
    }

    fn if_statement(&mut self, condition: ExprId, then: StmtId, otherwise: Option<StmtId>, span: Span) -> Lowered<()> {
        let (then_block, join) = (self.emit.builder.new_block(), self.emit.builder.new_block());
        let else_block = if otherwise.is_some() { self.emit.builder.new_block() } else { join };
        let outcome = self.branch_on_full(condition, then_block, else_block);
        if outcome.is_err() {
            self.emit.builder.goto(then_block, span);
        }
        self.emit.builder.switch_to(then_block);
        self.substatement(then);
        self.emit.builder.goto(join, span);
        if let Some(otherwise) = otherwise {
            self.emit.builder.switch_to(else_block);
            self.substatement(otherwise);
            self.emit.builder.goto(join, span);
        }
        self.emit.builder.switch_to(join);
        outcome
    }

    fn while_loop(&mut self, condition: ExprId, body: StmtId, span: Span) -> Lowered<()> {
        let (head, inside, exit) =
            (self.emit.builder.new_block(), self.emit.builder.new_block(), self.emit.builder.new_block());
        self.emit.begin_loop_head();
        self.emit.builder.goto(head, span);
        self.emit.builder.switch_to(head);
        self.branch_on_full(condition, inside, exit)?;
        self.emit.builder.switch_to(inside);
        self.loop_body(body, head, exit);
        self.emit.builder.goto(head, span);
        self.emit.builder.switch_to(exit);
        Ok(())
    }

    fn do_loop(&mut self, body: StmtId, condition: ExprId, span: Span) -> Lowered<()> {
        let (head, test, exit) =
            (self.emit.builder.new_block(), self.emit.builder.new_block(), self.emit.builder.new_block());
        self.emit.begin_loop_head();
        self.emit.builder.goto(head, span);
        self.emit.builder.switch_to(head);
        self.loop_body(body, test, exit);
        self.emit.builder.goto(test, span);
        self.emit.builder.switch_to(test);
        // Something may have to be done on the way back.
        let again = self.emit.builder.new_block();
        self.branch_on_full(condition, again, exit)?;
        self.emit.builder.switch_to(again);
        self.emit.builder.goto(head, span);
        self.emit.builder.switch_to(exit);
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
        let (head, inside) = (self.emit.builder.new_block(), self.emit.builder.new_block());
        let (next, exit) = (self.emit.builder.new_block(), self.emit.builder.new_block());
        self.emit.begin_loop_head();
        self.emit.builder.goto(head, span);
        self.emit.builder.switch_to(head);
        match condition {
            Some(condition) => self.branch_on_full(condition, inside, exit)?,
            None => self.emit.builder.goto(inside, span),
        }
        self.emit.builder.switch_to(inside);
        if matches!(init, ForInit::Declaration(_)) {
            self.note_first_statement(body);
        }
        self.loop_body(body, next, exit);
        self.emit.builder.goto(next, span);
        self.emit.builder.switch_to(next);
        if let Some(step) = step {
            self.full_expression(span, |lowerer| lowerer.discard(step))?;
        }
        self.emit.builder.goto(head, span);
        self.emit.builder.switch_to(exit);
        Ok(())
    }

    fn loop_body(&mut self, body: StmtId, next: program::BlockId, exit: program::BlockId) {
        let frames = self.emit.jumps.frames.depth();
        self.emit.jumps.continues.push(JumpTarget { block: next, frames });
        self.emit.jumps.breaks.push(JumpTarget { block: exit, frames });
        self.substatement(body);
        self.emit.jumps.continues.pop();
        self.emit.jumps.breaks.pop();
    }

    fn jump_statement(&mut self, target: Option<JumpTarget>, word: &str, span: Span) -> Lowered<()> {
        match target {
            Some(target) => {
                self.emit.jump_to(target, span);
                Ok(())
            }
            None => self.error("syntax", span, format!("`{word}` outside of a loop")),
        }
    }

    fn return_statement(&mut self, value: Option<ExprId>, span: Span) -> Lowered<()> {
        let operand = self.full_expression(span, |lowerer| {
            let value = match value {
                Some(expr)
                    if lowerer
                        .emit
                        .function
                        .result
                        .is_some_and(|result| lowerer.emit.link.types.is_void(result.ty)) =>
                {
                    lowerer.discard(expr)?;
                    None
                }
                Some(expr) => Some(lowerer.rvalue(expr)?),
                None => None,
            };
            lowerer.emit.returned_operand(value, span)
        })?;
        if self.emit.function.result.is_some() {
            self.emit.leave_function(operand, span);
        }
        Ok(())
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Labels and switch

    fn label_statement(&mut self, label: &StmtLabel) -> Lowered<()> {
        match label.kind {
            LabelKind::Name(name) => {
                self.emit.define_label(name, self.place_of(label.span))?;
                if self.name(name).starts_with("__CPROVER_ASYNC_") {
                    self.emit.unsupported("a label that starts a thread (CBMC extension)", TypeTable::VOID, label.span);
                }
                Ok(())
            }
            LabelKind::Default => {
                let block = self.emit.open_case_block(self.place_of(label.span));
                let position = self.emit.jumps.position();
                match self.emit.jumps.switches.last_mut() {
                    Some(switch) if switch.default.is_none() => {
                        switch.default = Some((block, position));
                        Ok(())
                    }
                    Some(_) => self.error("redefinition", label.span, "there are two `default` labels"),
                    None => self.error("syntax", label.span, "`default` outside of a `switch`"),
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
        let block = self.emit.open_case_block(self.place_of(span));
        let position = self.emit.jumps.position();
        match self.emit.jumps.switches.last_mut() {
            Some(switch) if switch.cases.iter().any(|case| case.low <= high && low <= case.high) => {
                self.error("redefinition", span, "there are two `case` labels for this value")
            }
            Some(switch) => {
                switch.cases.push(SwitchCase { low, high, block, position });
                Ok(())
            }
            None => self.error("syntax", span, "`case` outside of a `switch`"),
        }
    }

    fn switch_statement(&mut self, scrutinee: ExprId, body: StmtId, span: Span) -> Lowered<()> {
        let value = self.full_expression(span, |lowerer| lowerer.rvalue(scrutinee))?;
        if !self.emit.link.types.is_integer(value.ty) {
            return self.error("type", self.ast[scrutinee].span, "`switch` needs an integer");
        }
        let ty = self.emit.link.types.promoted(value.ty);
        let value = self.emit.convert(value, ty, span)?;
        self.emit.builder.pin(value.operand);
        let head = self.emit.builder.current;
        let exit = self.emit.builder.new_block();
        let inside = self.emit.builder.new_block();
        self.emit.builder.switch_to(inside);
        let position = self.emit.jumps.position();
        let frames = self.emit.jumps.frames.depth();
        self.emit.jumps.switches.push(Switch::default());
        self.emit.jumps.breaks.push(JumpTarget { block: exit, frames });
        self.substatement(body);
        self.emit.jumps.breaks.pop();
        self.emit.builder.goto(exit, span);
        let switch = self.emit.jumps.switches.pop().unwrap_or_default();
        self.emit.builder.switch_to(head);
        self.emit.dispatch(value.operand, ty, switch, &position, exit, span);
        self.emit.builder.switch_to(exit);
        Ok(())
    }

    // -----------------------------------------------------------------------------------------------------------------
    // The rest

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
        self.emit.builder.emit(InstructionKind::Unsupported { what: "inline assembly".into() }, span);
        for output in asm.outputs.iter() {
            let place = self.place(output.value)?;
            let value = self.emit.unknown_value(place.ty.ty, span);
            self.emit.store(place, value, span)?;
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
            let value = self.emit.convert(value, place.ty.ty, span)?;
            self.emit.store(place, value, span)?;
        }
        Ok(())
    }
}

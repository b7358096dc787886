//! Statements and blocks (C11 6.8, with GNU case ranges, local labels and computed goto).

use base::Span;

use super::{Parsed, Parser};
use crate::ast::{CompoundStmt, ExprId, ForInit, LabelKind, StmtId, StmtKind, StmtLabel};
use crate::token::TokenKind;

impl Parser<'_> {
    /// The body of a function: its names live in the scope of the parameters, which the caller has opened.
    pub(super) fn function_body(&mut self) -> Parsed<StmtId> {
        self.block()
    }

    pub(super) fn compound_statement(&mut self) -> Parsed<StmtId> {
        self.scopes.enter();
        let block = self.nested(Self::block);
        self.scopes.leave();
        block
    }

    fn block(&mut self) -> Parsed<StmtId> {
        let start = self.span();
        self.expect(TokenKind::LeftBrace, "to begin a block")?;
        let mut items = Vec::new();
        loop {
            while let Some(pragma) = self.pragma_here() {
                items.push(self.new_stmt(self.span(), StmtKind::UnsupportedPragma(pragma)));
            }
            if self.at(TokenKind::RightBrace) {
                break;
            }
            if self.at(TokenKind::EndOfFile) {
                return self.unclosed_block(start);
            }
            let position = self.position;
            match self.beside(Self::statement) {
                Ok(item) => items.push(item),
                Err(_) => self.recover(position),
            }
        }
        let end = self.span();
        self.advance();
        Ok(self.new_stmt(start, StmtKind::Compound(CompoundStmt { items, end })))
    }

    fn unclosed_block<T>(&mut self, start: Span) -> Parsed<T> {
        let at_end = self.place_for_missing();
        let before = self.diagnostics.len();
        self.report_error(at_end, "expected `}` before the end of the file");
        if let Some(diagnostic) = self.diagnostics.get_mut(before) {
            diagnostic.labels.push(base::Label { span: start, text: "to close this `{`".to_owned() });
        }
        Err(super::Failed)
    }

    /// One statement or declaration. Declarations are taken everywhere: where C forbids them, the meaning is still clear.
    fn statement(&mut self) -> Parsed<StmtId> {
        let Some(pragma) = self.pragma_here() else { return self.nested(Self::statement_unchecked) };
        let start = self.span();
        let pragma = self.new_stmt(start, StmtKind::UnsupportedPragma(pragma));
        let statement = self.nested(Self::statement)?;
        let block = CompoundStmt { items: vec![pragma, statement], end: self.previous_span() };
        Ok(self.new_stmt(start, StmtKind::Compound(block)))
    }

    /// An unsupported pragma that stands right before the current token.
    fn pragma_here(&mut self) -> Option<String> {
        let position = self.position;
        self.unsupported_pragmas.pop_if(|(place, _)| *place == position).map(|(_, text)| text)
    }

    /// What no statement carries is no statement: the declarations around it would mean something else.
    pub(super) fn report_remaining_pragmas(&mut self) {
        while let Some((place, text)) = self.unsupported_pragmas.pop() {
            let span = self.tokens[place.min(self.tokens.len() - 1)].span;
            self.report_error(span, format!("`#pragma {text}` before this declaration is not supported"));
        }
    }

    fn statement_unchecked(&mut self) -> Parsed<StmtId> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::LeftBrace => return self.compound_statement(),
            TokenKind::Semicolon => {
                self.advance();
                StmtKind::Empty
            }
            TokenKind::If => return self.if_statement(),
            TokenKind::Switch => self.switch_statement()?,
            TokenKind::While => self.while_statement()?,
            TokenKind::Do => self.do_statement()?,
            TokenKind::For => self.for_statement()?,
            TokenKind::Goto => self.goto_statement()?,
            TokenKind::Continue => self.jump(StmtKind::Continue, "after `continue`")?,
            TokenKind::Break => self.jump(StmtKind::Break, "after `break`")?,
            TokenKind::Return => self.return_statement()?,
            TokenKind::Asm => StmtKind::Asm(self.asm_statement()?),
            TokenKind::StaticAssert => StmtKind::StaticAssert(self.static_assert()?),
            TokenKind::LocalLabel => self.local_labels()?,
            TokenKind::Case | TokenKind::Default => self.labeled_statement()?,
            TokenKind::Identifier if self.kind_ahead(1) == TokenKind::Colon => self.labeled_statement()?,
            TokenKind::Attribute | TokenKind::LeftBracket if self.at_attribute() => return self.attributed_statement(),
            TokenKind::Else => return self.error("`else` without a matching `if`"),
            _ if self.starts_declaration(0) => StmtKind::Declaration(self.declaration()?),
            _ => self.expression_statement()?,
        };
        Ok(self.new_stmt(start, kind))
    }

    /// `__attribute__((fallthrough));`, or attributes before a declaration or statement.
    fn attributed_statement(&mut self) -> Parsed<StmtId> {
        let start = self.span();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        if !self.starts_declaration(0) {
            return self.statement();
        }
        let declaration = self.declaration_with(attributes)?;
        Ok(self.new_stmt(start, StmtKind::Declaration(declaration)))
    }

    fn expression_statement(&mut self) -> Parsed<StmtKind> {
        if self.at(TokenKind::Identifier) && self.kind_ahead(1) == TokenKind::Identifier {
            let name = self.describe_token();
            return self.error(format!("unknown type name {name}"));
        }
        let expression = self.expression()?;
        self.expect(TokenKind::Semicolon, "after the expression")?;
        Ok(StmtKind::Expr(expression))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Branches and loops

    /// `if`, `else if`, …, read in a loop: such chains may be long without being nested to the eye.
    fn if_statement(&mut self) -> Parsed<StmtId> {
        let mut branches = Vec::new();
        let mut otherwise = None;
        while self.at(TokenKind::If) {
            let start = self.span();
            self.advance();
            let condition = self.parenthesized_condition("after `if`")?;
            let then = self.beside(Self::statement)?;
            branches.push((start, condition, then));
            if !self.accept(TokenKind::Else) {
                break;
            }
            if !self.at(TokenKind::If) {
                otherwise = Some(self.beside(Self::statement)?);
                break;
            }
        }
        for (span, condition, then) in branches.into_iter().rev() {
            self.grow()?;
            otherwise = Some(self.new_stmt(span, StmtKind::If { condition, then, otherwise }));
        }
        Ok(otherwise.expect("an if statement should have a branch"))
    }

    fn parenthesized_condition(&mut self, context: &str) -> Parsed<ExprId> {
        self.expect(TokenKind::LeftParen, context)?;
        let condition = self.beside(Self::expression)?;
        self.expect(TokenKind::RightParen, "after the condition")?;
        Ok(condition)
    }

    fn switch_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let scrutinee = self.parenthesized_condition("after `switch`")?;
        Ok(StmtKind::Switch { scrutinee, body: self.statement()? })
    }

    fn while_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let condition = self.parenthesized_condition("after `while`")?;
        Ok(StmtKind::While { condition, body: self.statement()? })
    }

    fn do_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let body = self.statement()?;
        self.expect(TokenKind::While, "after the body of `do`")?;
        let condition = self.parenthesized_condition("after `while`")?;
        self.expect(TokenKind::Semicolon, "after `do … while (…)`")?;
        Ok(StmtKind::DoWhile { body, condition })
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        self.scopes.enter();
        let statement = self.for_in_scope();
        self.scopes.leave();
        statement
    }

    fn for_in_scope(&mut self) -> Parsed<StmtKind> {
        self.expect(TokenKind::LeftParen, "after `for`")?;
        let init = self.for_init()?;
        let condition = self.optional_expression(TokenKind::Semicolon)?;
        self.expect(TokenKind::Semicolon, "after the condition of `for`")?;
        let step = self.optional_expression(TokenKind::RightParen)?;
        self.expect(TokenKind::RightParen, "after the clauses of `for`")?;
        Ok(StmtKind::For { init, condition, step, body: self.statement()? })
    }

    fn for_init(&mut self) -> Parsed<ForInit> {
        if self.starts_declaration(0) {
            return self.declaration().map(ForInit::Declaration);
        }
        let init = self.optional_expression(TokenKind::Semicolon)?;
        self.expect(TokenKind::Semicolon, "after the first clause of `for`")?;
        Ok(init.map_or(ForInit::None, ForInit::Expr))
    }

    /// An expression, unless `end` comes at once.
    fn optional_expression(&mut self, end: TokenKind) -> Parsed<Option<ExprId>> {
        if self.at(end) { Ok(None) } else { self.beside(Self::expression).map(Some) }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Labels and jumps

    fn labeled_statement(&mut self) -> Parsed<StmtKind> {
        let mut labels = Vec::new();
        while let Some(label) = self.label()? {
            labels.push(label);
            // `label: __attribute__((unused));`, but attributes before a declaration are the declaration's.
            if self.at(TokenKind::Attribute) {
                let mut attributes = Vec::new();
                self.attributes(&mut attributes)?;
                if self.starts_declaration(0) {
                    let start = self.span();
                    let declaration = self.declaration_with(attributes)?;
                    let body = self.new_stmt(start, StmtKind::Declaration(declaration));
                    return Ok(StmtKind::Labeled { labels, body });
                }
            }
        }
        let body = if self.at(TokenKind::RightBrace) {
            self.new_stmt(self.span(), StmtKind::Empty)
        } else {
            self.statement()?
        };
        Ok(StmtKind::Labeled { labels, body })
    }

    fn label(&mut self) -> Parsed<Option<StmtLabel>> {
        let span = self.span();
        let kind = match self.kind() {
            TokenKind::Case => self.beside(Self::case_label)?,
            TokenKind::Default => {
                self.advance();
                LabelKind::Default
            }
            TokenKind::Identifier if self.kind_ahead(1) == TokenKind::Colon => {
                LabelKind::Name(self.expect_identifier("of a label")?.0)
            }
            _ => return Ok(None),
        };
        self.expect(TokenKind::Colon, "after the label")?;
        Ok(Some(StmtLabel { span, kind }))
    }

    fn case_label(&mut self) -> Parsed<LabelKind> {
        self.advance();
        let first = self.conditional_expression()?;
        if self.accept(TokenKind::Ellipsis) {
            return Ok(LabelKind::CaseRange(first, self.conditional_expression()?));
        }
        Ok(LabelKind::Case(first))
    }

    fn local_labels(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let mut labels = Vec::new();
        loop {
            labels.push(self.expect_identifier("of a label")?.0);
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Semicolon, "after the local labels")?;
        Ok(StmtKind::LocalLabels(labels))
    }

    fn goto_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let kind = if self.accept(TokenKind::Star) {
            StmtKind::ComputedGoto(self.expression()?)
        } else {
            StmtKind::Goto(self.expect_identifier("of a label after `goto`")?.0)
        };
        self.expect(TokenKind::Semicolon, "after `goto`")?;
        Ok(kind)
    }

    fn jump(&mut self, kind: StmtKind, context: &str) -> Parsed<StmtKind> {
        self.advance();
        self.expect(TokenKind::Semicolon, context)?;
        Ok(kind)
    }

    fn return_statement(&mut self) -> Parsed<StmtKind> {
        self.advance();
        let value = self.optional_expression(TokenKind::Semicolon)?;
        self.expect(TokenKind::Semicolon, "after `return`")?;
        Ok(StmtKind::Return(value))
    }
}

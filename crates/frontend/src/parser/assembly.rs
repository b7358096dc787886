//! GNU inline assembly: statements, file-scope `asm` and the asm labels of declarations.

use super::{Parsed, Parser};
use crate::ast::{Asm, AsmOperand};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `asm("name")` after a declarator.
    pub(super) fn asm_label(&mut self) -> Parsed<Box<[u8]>> {
        self.advance();
        self.expect(TokenKind::LeftParen, "after `asm`")?;
        let label = self.byte_string("as the assembler name")?;
        self.expect(TokenKind::RightParen, "after the assembler name")?;
        Ok(label)
    }

    /// `asm volatile ("…" : outputs : inputs : clobbers : labels);`.
    pub(super) fn asm_statement(&mut self) -> Parsed<Asm> {
        let span = self.span();
        self.advance();
        let mut volatile = false;
        loop {
            match self.kind() {
                TokenKind::Volatile => volatile = true,
                TokenKind::Goto | TokenKind::Inline | TokenKind::Const => {}
                _ => break,
            }
            self.advance();
        }
        self.expect(TokenKind::LeftParen, "after `asm`")?;
        let template = self.byte_string("as the assembler template")?;
        let mut asm = Asm {
            span,
            volatile,
            template,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        self.asm_sections(&mut asm)?;
        self.expect(TokenKind::RightParen, "after the operands of `asm`")?;
        self.expect(TokenKind::Semicolon, "after `asm`")?;
        Ok(asm)
    }

    fn asm_sections(&mut self, asm: &mut Asm) -> Parsed<()> {
        if self.accept(TokenKind::Colon) {
            asm.outputs = self.asm_operands()?;
        }
        if self.accept(TokenKind::Colon) {
            asm.inputs = self.asm_operands()?;
        }
        if self.accept(TokenKind::Colon) {
            while self.at(TokenKind::String) {
                asm.clobbers.push(self.byte_string("as a clobber")?);
                self.accept(TokenKind::Comma);
            }
        }
        if self.accept(TokenKind::Colon) {
            while self.at(TokenKind::Identifier) {
                asm.labels.push(self.expect_identifier("of a label")?.0);
                self.accept(TokenKind::Comma);
            }
        }
        Ok(())
    }

    fn asm_operands(&mut self) -> Parsed<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        while matches!(self.kind(), TokenKind::String | TokenKind::LeftBracket) {
            operands.push(self.asm_operand()?);
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        Ok(operands)
    }

    /// `[name] "constraint" (value)`.
    fn asm_operand(&mut self) -> Parsed<AsmOperand> {
        let span = self.span();
        let mut name = None;
        if self.accept(TokenKind::LeftBracket) {
            name = Some(self.expect_identifier("of the operand")?.0);
            self.expect(TokenKind::RightBracket, "after the operand's name")?;
        }
        let constraint = self.byte_string("as a constraint")?;
        self.expect(TokenKind::LeftParen, "before the operand")?;
        let value = self.expression()?;
        self.expect(TokenKind::RightParen, "after the operand")?;
        Ok(AsmOperand { span, name, constraint, value })
    }
}

//! GNU `__attribute__((…))` and C2x `[[…]]`, wherever they stand. Those that change what a program does are kept with
//! their arguments; of the others only the name.

use super::{Parsed, Parser};
use crate::ast::{Attribute, AttributeKind, StringUnits};
use crate::function_options;
use crate::literal;
use crate::symbol::Symbol;
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn at_attribute(&self) -> bool {
        match self.kind() {
            TokenKind::Attribute => true,
            TokenKind::LeftBracket => self.kind_ahead(1) == TokenKind::LeftBracket,
            _ => false,
        }
    }

    /// Any number of attribute specifiers, added to `attributes`.
    pub(super) fn attributes(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<()> {
        while self.at_attribute() {
            if self.accept(TokenKind::Attribute) {
                self.gnu_attributes(attributes)?;
            } else {
                self.standard_attributes(attributes)?;
            }
        }
        Ok(())
    }

    /// Attributes at a place where none changes the meaning.
    pub(super) fn skip_attributes(&mut self) -> Parsed<()> {
        self.attributes(&mut Vec::new())
    }

    fn gnu_attributes(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<()> {
        self.expect(TokenKind::LeftParen, "after `__attribute__`")?;
        self.expect(TokenKind::LeftParen, "after `__attribute__(`")?;
        self.attribute_list(attributes, TokenKind::RightParen)?;
        self.expect(TokenKind::RightParen, "after the attributes")?;
        self.expect(TokenKind::RightParen, "after the attributes")
    }

    fn standard_attributes(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<()> {
        self.advance();
        self.advance();
        self.attribute_list(attributes, TokenKind::RightBracket)?;
        self.expect(TokenKind::RightBracket, "after the attributes")?;
        self.expect(TokenKind::RightBracket, "after the attributes")
    }

    fn attribute_list(&mut self, attributes: &mut Vec<Attribute>, end: TokenKind) -> Parsed<()> {
        while !self.at(end) {
            if !self.accept(TokenKind::Comma) {
                let attribute = self.attribute()?;
                attributes.push(attribute);
            }
        }
        Ok(())
    }

    fn attribute(&mut self) -> Parsed<Attribute> {
        let span = self.span();
        let mut name = self.attribute_name()?;
        // `gnu::packed`.
        if self.at(TokenKind::Colon) && self.kind_ahead(1) == TokenKind::Colon {
            self.advance();
            self.advance();
            name = self.attribute_name()?;
        }
        let has_arguments = self.accept(TokenKind::LeftParen);
        let kind = self.attribute_kind(name, has_arguments)?;
        if has_arguments {
            self.skip_balanced()?;
        }
        Ok(Attribute { span, kind })
    }

    /// A keyword such as `const` may be an attribute's name.
    fn attribute_name(&mut self) -> Parsed<Symbol> {
        let token = *self.token();
        let text = token.text(self.source);
        if !text.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_') {
            let found = self.describe_token();
            return self.error(format!("expected the name of an attribute, found {found}"));
        }
        self.advance();
        let text = String::from_utf8_lossy(text);
        Ok(self.unit.names.intern(without_underscores(&text)))
    }

    /// Reads the arguments that matter; the rest up to `)` is left to the caller.
    fn attribute_kind(&mut self, name: Symbol, has_arguments: bool) -> Parsed<AttributeKind> {
        let has_arguments = has_arguments && !self.at(TokenKind::RightParen);
        Ok(match self.unit.names.name(name) {
            "aligned" if !has_arguments => AttributeKind::Aligned(None),
            "aligned" => AttributeKind::Aligned(Some(self.assignment_expression()?)),
            "packed" => AttributeKind::Packed,
            "noreturn" => AttributeKind::Noreturn,
            "transparent_union" => AttributeKind::TransparentUnion,
            "weak" => AttributeKind::Weak,
            "gnu_inline" => AttributeKind::GnuInline,
            "constructor" if has_arguments => AttributeKind::Constructor(Some(self.assignment_expression()?)),
            "constructor" => AttributeKind::Constructor(None),
            "destructor" if has_arguments => AttributeKind::Destructor(Some(self.assignment_expression()?)),
            "destructor" => AttributeKind::Destructor(None),
            "vector_size" if has_arguments => AttributeKind::VectorSize(self.assignment_expression()?),
            "mode" if has_arguments => AttributeKind::Mode(self.attribute_name()?),
            "cleanup" if self.at(TokenKind::Identifier) => AttributeKind::Cleanup(self.expect_identifier("here")?.0),
            "weakref" if self.at(TokenKind::String) => AttributeKind::WeakRef(self.byte_string("here")?),
            "alias" if self.at(TokenKind::String) => AttributeKind::Alias(self.byte_string("here")?),
            "optimize" if has_arguments => AttributeKind::Options(self.options(function_options::optimize)?),
            "target" | "target_clones" if has_arguments => {
                AttributeKind::Options(self.options(function_options::target)?)
            }
            _ => AttributeKind::Other(name),
        })
    }

    /// The options in strings, and in the numbers that `optimize` may have.
    fn options(&mut self, read: fn(&str) -> Vec<String>) -> Parsed<Vec<String>> {
        let mut options = Vec::new();
        loop {
            if self.at(TokenKind::String) {
                let text = self.byte_string("here")?;
                options.extend(read(&String::from_utf8_lossy(&text)));
            } else if self.at(TokenKind::Number) {
                options.extend(read(&String::from_utf8_lossy(self.token().text(self.source))));
                self.advance();
            }
            if !self.accept(TokenKind::Comma) {
                return Ok(options);
            }
        }
    }

    /// Skips to the `)` that closes the parenthesis the cursor is in, and past it.
    fn skip_balanced(&mut self) -> Parsed<()> {
        let mut open = 1_usize;
        while open > 0 {
            match self.kind() {
                TokenKind::LeftParen => open += 1,
                TokenKind::RightParen => open -= 1,
                TokenKind::EndOfFile => return self.expect(TokenKind::RightParen, "to close the attribute"),
                _ => {}
            }
            self.advance();
        }
        Ok(())
    }

    /// Adjacent narrow string literals as their bytes.
    pub(super) fn byte_string(&mut self, context: &str) -> Parsed<Box<[u8]>> {
        if !self.at(TokenKind::String) {
            let found = self.describe_token();
            return self.error(format!("expected a string {context}, found {found}"));
        }
        let span = self.span();
        match literal::decode_strings(self.take_strings()) {
            Ok(literal) => match literal.units {
                StringUnits::Bytes(bytes) => Ok(bytes),
                StringUnits::Wide(_) => self.error_at(span, format!("expected a string without prefix {context}")),
            },
            Err(problem) => self.error_at(span, problem),
        }
    }
}

/// `__aligned__` is `aligned`.
fn without_underscores(name: &str) -> &str {
    name.strip_prefix("__").and_then(|name| name.strip_suffix("__")).filter(|name| !name.is_empty()).unwrap_or(name)
}

//! `struct`, `union` and `enum` specifiers (C11 6.7.2.1, 6.7.2.2).

use super::scopes::IdentifierMeaning;
use super::{Parsed, Parser};
use crate::ast::{
    EnumId, EnumSpecifier, Enumerator, FieldDef, Member, RecordId, RecordKind, RecordSpecifier, Specifiers,
};
use crate::symbol::Symbol;
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn record_specifier(&mut self) -> Parsed<RecordId> {
        let start = self.span();
        let kind = if self.at(TokenKind::Struct) { RecordKind::Struct } else { RecordKind::Union };
        self.advance();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.optional_tag();
        self.attributes(&mut attributes)?;
        let span = self.span_from(start);
        let pack = self.packing.at(self.position);
        let members = if self.accept(TokenKind::LeftBrace) {
            let members = self.nested(Self::members)?;
            self.attributes(&mut attributes)?;
            Some(members)
        } else {
            None
        };
        if members.is_none() && tag.is_none() {
            let found = self.describe_token();
            return self.error(format!("expected a tag or `{{` here, found {found}"));
        }
        Ok(self.unit.records.push(RecordSpecifier { span, kind, tag, members, attributes, pack }))
    }

    fn optional_tag(&mut self) -> Option<Symbol> {
        let symbol = self.at(TokenKind::Identifier).then(|| self.token().symbol);
        if symbol.is_some() {
            self.advance();
        }
        symbol
    }

    /// Everything up to and including the closing brace.
    fn members(&mut self) -> Parsed<Vec<Member>> {
        let mut members = Vec::new();
        while !self.accept(TokenKind::RightBrace) {
            if self.at(TokenKind::EndOfFile) {
                return self.expect(TokenKind::RightBrace, "after the members").map(|()| members);
            }
            let start = self.position;
            if self.beside(|parser| parser.member_declaration(&mut members)).is_err() {
                self.recover(start);
            }
        }
        Ok(members)
    }

    fn member_declaration(&mut self, members: &mut Vec<Member>) -> Parsed<()> {
        if self.accept(TokenKind::Semicolon) {
            return Ok(());
        }
        if self.at(TokenKind::StaticAssert) {
            let assertion = self.static_assert()?;
            members.push(Member::StaticAssert(assertion));
            return Ok(());
        }
        self.expect_type_specifier("a member")?;
        let specifiers = self.specifiers_without_storage("a struct or union")?;
        if self.at(TokenKind::Semicolon) {
            members.push(Member::Field(self.unnamed_field(&specifiers)));
        } else {
            self.member_declarators(&specifiers, members)?;
        }
        if self.at(TokenKind::RightBrace) {
            self.warn("syntax", self.previous_span(), "missing `;` at the end of the member list");
            return Ok(());
        }
        self.expect(TokenKind::Semicolon, "after the member declaration")
    }

    fn unnamed_field(&mut self, specifiers: &Specifiers) -> FieldDef {
        FieldDef {
            span: specifiers.span,
            name: None,
            ty: specifiers.ty,
            bit_width: None,
            alignment: specifiers.alignment.clone(),
            attributes: specifiers.attributes.clone(),
        }
    }

    fn member_declarators(&mut self, specifiers: &Specifiers, members: &mut Vec<Member>) -> Parsed<()> {
        loop {
            let field = self.beside(|parser| parser.member_declarator(specifiers))?;
            members.push(Member::Field(field));
            if !self.accept(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    fn member_declarator(&mut self, specifiers: &Specifiers) -> Parsed<FieldDef> {
        let mut field = self.unnamed_field(specifiers);
        self.attributes(&mut field.attributes)?;
        if !self.at(TokenKind::Colon) {
            let declarator = self.named_declarator(specifiers.ty)?;
            field.span = declarator.span;
            field.name = Some(declarator.name);
            field.ty = declarator.ty;
            field.attributes.extend(declarator.attributes);
        }
        if self.accept(TokenKind::Colon) {
            field.bit_width = Some(self.conditional_expression()?);
        }
        self.attributes(&mut field.attributes)?;
        Ok(field)
    }

    pub(super) fn enum_specifier(&mut self) -> Parsed<EnumId> {
        let start = self.span();
        self.advance();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let tag = self.optional_tag();
        let span = self.span_from(start);
        let enumerators = if self.accept(TokenKind::LeftBrace) {
            let enumerators = self.enumerators()?;
            self.attributes(&mut attributes)?;
            Some(enumerators)
        } else {
            None
        };
        if enumerators.is_none() && tag.is_none() {
            let found = self.describe_token();
            return self.error(format!("expected a tag or `{{` after `enum`, found {found}"));
        }
        Ok(self.unit.enums.push(EnumSpecifier { span, tag, enumerators, attributes }))
    }

    /// Everything up to and including the closing brace.
    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        let mut enumerators = Vec::new();
        while !self.at(TokenKind::RightBrace) {
            let (name, span) = self.expect_identifier("for an enumerator")?;
            self.skip_attributes()?;
            let value = if self.accept(TokenKind::Assign) { Some(self.conditional_expression()?) } else { None };
            self.scopes.declare(name, IdentifierMeaning::Ordinary);
            enumerators.push(Enumerator { span, name, value });
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace, "after the enumerators")?;
        Ok(enumerators)
    }

    /// Reports a name that stands where a type must, since it was never declared as one.
    pub(super) fn expect_type_specifier(&mut self, what: &str) -> Parsed<()> {
        if self.starts_declaration(0) {
            return Ok(());
        }
        let found = self.describe_token();
        if self.at(TokenKind::Identifier) {
            return self.error(format!("unknown type name {found}"));
        }
        self.error(format!("expected the type of {what}, found {found}"))
    }
}

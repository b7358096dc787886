//! Declarators and type names (C11 6.7.6, 6.7.7).
//!
//! C writes declarators inside out. Each declarator is read into a list of derivations in the order in which they wrap
//! the type of the specifiers, and then applied: its pointers first, its array and function parts from the right, and
//! what stands in its parentheses last.

use base::Span;

use super::scopes::IdentifierMeaning;
use super::{Parsed, Parser};
use crate::ast::{
    ArraySize, Attribute, BasicType, Declarator, Parameter, Parameters, Qualifiers, TypeExprId, TypeExprKind,
};
use crate::symbol::Symbol;
use crate::token::TokenKind;

/// One step from a type to a derived one.
struct Derivation {
    span: Span,
    kind: DerivationKind,
}

enum DerivationKind {
    Pointer(Qualifiers),
    Array { size: ArraySize, qualifiers: Qualifiers, at_least: bool },
    Function(Parameters),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Required,
    /// In a parameter.
    Optional,
    /// In a type name.
    Forbidden,
}

/// A declarator before it is applied to a type.
#[derive(Default)]
struct DeclaratorShape {
    name: Option<(Symbol, Span)>,
    derivations: Vec<Derivation>,
    attributes: Vec<Attribute>,
}

impl Parser<'_> {
    /// A declarator that must declare a name, with its asm label and attributes.
    pub(super) fn named_declarator(&mut self, base: TypeExprId) -> Parsed<Declarator> {
        let mut shape = self.shape(Naming::Required)?;
        let Some((name, span)) = shape.name else {
            let found = self.describe_token();
            return self.error(format!("expected a name to declare, found {found}"));
        };
        let mut asm_label = None;
        while self.at(TokenKind::Asm) || self.at_attribute() {
            if self.at(TokenKind::Asm) {
                asm_label = Some(self.asm_label()?);
            } else {
                self.attributes(&mut shape.attributes)?;
            }
        }
        let ty = self.derive(base, shape.derivations)?;
        Ok(Declarator { span, name, ty, asm_label, attributes: shape.attributes })
    }

    /// A type without a name: in casts, `sizeof` and the like.
    pub(super) fn type_name(&mut self) -> Parsed<TypeExprId> {
        self.nested(|parser| {
            parser.expect_type_specifier("a type name")?;
            let specifiers = parser.specifiers_without_storage("a type name")?;
            let base = parser.attributed_type(specifiers.ty, specifiers.attributes);
            let shape = parser.shape(Naming::Forbidden)?;
            parser.derive(base, shape.derivations)
        })
    }

    fn shape(&mut self, naming: Naming) -> Parsed<DeclaratorShape> {
        self.nested(|parser| parser.shape_unchecked(naming))
    }

    fn shape_unchecked(&mut self, naming: Naming) -> Parsed<DeclaratorShape> {
        let mut shape = DeclaratorShape::default();
        self.pointers(&mut shape)?;
        let inner = self.core(naming, &mut shape)?;
        let first_suffix = shape.derivations.len();
        self.suffixes(&mut shape)?;
        shape.derivations[first_suffix..].reverse();
        if let Some(inner) = inner {
            shape.name = inner.name;
            shape.derivations.extend(inner.derivations);
            shape.attributes.extend(inner.attributes);
        }
        Ok(shape)
    }

    /// `* const * __attribute__((…))`.
    fn pointers(&mut self, shape: &mut DeclaratorShape) -> Parsed<()> {
        loop {
            self.attributes(&mut shape.attributes)?;
            self.accept(TokenKind::Extension);
            let span = self.span();
            if !self.accept(TokenKind::Star) {
                return Ok(());
            }
            let qualifiers = self.qualifiers_and_attributes(&mut shape.attributes)?;
            shape.derivations.push(Derivation { span, kind: DerivationKind::Pointer(qualifiers) });
        }
    }

    fn qualifiers_and_attributes(&mut self, attributes: &mut Vec<Attribute>) -> Parsed<Qualifiers> {
        let mut qualifiers = Qualifiers::default();
        loop {
            match self.kind() {
                TokenKind::Const => qualifiers.constant = true,
                TokenKind::Volatile => qualifiers.volatile = true,
                TokenKind::Restrict => qualifiers.restrict = true,
                TokenKind::Atomic => qualifiers.atomic = true,
                _ if self.at_attribute() => {
                    self.attributes(attributes)?;
                    continue;
                }
                _ => return Ok(qualifiers),
            }
            self.advance();
        }
    }

    /// The name, or a declarator in parentheses, or nothing.
    fn core(&mut self, naming: Naming, shape: &mut DeclaratorShape) -> Parsed<Option<DeclaratorShape>> {
        match self.kind() {
            TokenKind::Identifier if naming != Naming::Forbidden => {
                shape.name = Some((self.token().symbol, self.span()));
                self.advance();
                Ok(None)
            }
            TokenKind::LeftParen if naming == Naming::Required || !self.at_parameters() => {
                self.advance();
                let inner = self.shape(naming)?;
                self.expect(TokenKind::RightParen, "after the declarator")?;
                Ok(Some(inner))
            }
            _ => Ok(None),
        }
    }

    /// Whether a `(` opens the parameters of an unnamed function rather than a declarator in parentheses.
    fn at_parameters(&self) -> bool {
        let opens_attribute = self.kind_ahead(1) == TokenKind::Attribute;
        let next = self.kind_ahead(1);
        matches!(next, TokenKind::RightParen | TokenKind::Ellipsis) || !opens_attribute && self.starts_declaration(1)
    }

    fn suffixes(&mut self, shape: &mut DeclaratorShape) -> Parsed<()> {
        loop {
            let span = self.span();
            let kind = match self.kind() {
                TokenKind::LeftBracket if self.kind_ahead(1) != TokenKind::LeftBracket => {
                    self.beside(Self::array_suffix)?
                }
                TokenKind::LeftParen => self.beside(Self::function_suffix)?,
                _ => return Ok(()),
            };
            shape.derivations.push(Derivation { span, kind });
        }
    }

    fn array_suffix(&mut self) -> Parsed<DerivationKind> {
        self.advance();
        let mut at_least = self.accept(TokenKind::Static);
        let qualifiers = self.qualifiers_and_attributes(&mut Vec::new())?;
        at_least |= self.accept(TokenKind::Static);
        let is_star = self.at(TokenKind::Star) && self.kind_ahead(1) == TokenKind::RightBracket;
        let size = if self.at(TokenKind::RightBracket) {
            ArraySize::Unspecified
        } else if is_star {
            self.advance();
            ArraySize::Star
        } else {
            ArraySize::Expr(self.assignment_expression()?)
        };
        self.expect(TokenKind::RightBracket, "after the array size")?;
        Ok(DerivationKind::Array { size, qualifiers, at_least })
    }

    fn function_suffix(&mut self) -> Parsed<DerivationKind> {
        self.advance();
        if self.accept(TokenKind::RightParen) {
            return Ok(DerivationKind::Function(Parameters::Unspecified));
        }
        self.scopes.enter();
        let parameters = self.parameters();
        self.scopes.leave();
        parameters.map(DerivationKind::Function)
    }

    fn parameters(&mut self) -> Parsed<Parameters> {
        let is_identifier_list = self.at(TokenKind::Identifier)
            && !self.scopes.names_type(self.token().symbol)
            && matches!(self.kind_ahead(1), TokenKind::Comma | TokenKind::RightParen);
        if is_identifier_list { self.identifier_list() } else { self.parameter_list() }
    }

    fn identifier_list(&mut self) -> Parsed<Parameters> {
        let mut names = Vec::new();
        loop {
            names.push(self.expect_identifier("for a parameter")?);
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "after the parameter names")?;
        Ok(Parameters::Identifiers(names))
    }

    fn parameter_list(&mut self) -> Parsed<Parameters> {
        let mut parameters = Vec::new();
        let mut variadic = false;
        loop {
            if self.accept(TokenKind::Ellipsis) {
                variadic = true;
                break;
            }
            parameters.push(self.nested(Self::parameter)?);
            if !self.accept(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "after the parameters")?;
        if !variadic && parameters.len() == 1 && self.is_plain_void(&parameters[0]) {
            parameters.clear();
        }
        Ok(Parameters::Prototype { parameters, variadic })
    }

    fn is_plain_void(&self, parameter: &Parameter) -> bool {
        let ty = &self.unit.types[parameter.ty];
        let is_void = matches!(ty.kind, TypeExprKind::Basic(BasicType::Void));
        is_void && ty.qualifiers.is_empty() && parameter.name.is_none()
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        self.expect_type_specifier("a parameter")?;
        let specifiers = self.specifiers()?;
        let base = self.attributed_type(specifiers.ty, specifiers.attributes);
        let mut shape = self.shape(Naming::Optional)?;
        self.attributes(&mut shape.attributes)?;
        let ty = self.derive(base, shape.derivations)?;
        if let Some((name, _)) = shape.name {
            self.scopes.declare(name, IdentifierMeaning::Ordinary);
        }
        let span = shape.name.map_or(specifiers.span, |(_, span)| span);
        Ok(Parameter { span, name: shape.name.map(|(name, _)| name), ty, attributes: shape.attributes })
    }

    /// Wraps `base` step by step.
    fn derive(&mut self, base: TypeExprId, derivations: Vec<Derivation>) -> Parsed<TypeExprId> {
        let mut ty = base;
        for Derivation { span, kind } in derivations {
            ty = match kind {
                DerivationKind::Pointer(qualifiers) => {
                    let pointer = self.new_type(span, TypeExprKind::Pointer(ty));
                    self.unit.types[pointer].qualifiers = qualifiers;
                    pointer
                }
                DerivationKind::Array { size, qualifiers, at_least } => {
                    self.new_type(span, TypeExprKind::Array { element: ty, size, qualifiers, at_least })
                }
                DerivationKind::Function(parameters) => {
                    self.new_type(span, TypeExprKind::Function { result: ty, parameters })
                }
            };
            self.grow()?;
        }
        Ok(ty)
    }
}

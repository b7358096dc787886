//! Declarations at file scope and in blocks, and function definitions (C11 6.7, 6.9).

use base::Span;

use super::scopes::IdentifierMeaning;
use super::{Parsed, Parser};
use crate::ast::{
    Attribute, AttributeKind, Declaration, Declarator, FunctionDefinition, InitDeclarator, Item, Parameters,
    Specifiers, StaticAssert, StmtId, StorageClass, TypeExprId, TypeExprKind,
};
use crate::symbol::Symbol;
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn translation_unit(&mut self) {
        while !self.at(TokenKind::EndOfFile) {
            let start = self.position;
            self.height = 0;
            match self.nested(Self::item) {
                Ok(Some(item)) => self.unit.items.push(item),
                Ok(None) => {}
                Err(_) => self.recover_at_file_scope(start),
            }
        }
    }

    fn recover_at_file_scope(&mut self, start: usize) {
        self.recover(start);
        if self.at(TokenKind::RightBrace) {
            self.advance();
        }
    }

    /// One external declaration; `None` for a stray semicolon.
    fn item(&mut self) -> Parsed<Option<Item>> {
        match self.kind() {
            TokenKind::Semicolon => {
                self.advance();
                Ok(None)
            }
            TokenKind::StaticAssert => self.static_assert().map(|assertion| Some(Item::StaticAssert(assertion))),
            TokenKind::Asm => self.asm_statement().map(|asm| Some(Item::Asm(asm))),
            TokenKind::RightBrace => self.error("this `}` has no matching `{`"),
            _ => self.declaration_or_function().map(Some),
        }
    }

    fn declaration_or_function(&mut self) -> Parsed<Item> {
        let start = self.span();
        let options = self.option_pragmas.at(self.position).to_vec();
        let mut specifiers = self.file_scope_specifiers()?;
        if !options.is_empty() {
            specifiers.attributes.insert(0, Attribute { span: start, kind: AttributeKind::Options(options) });
        }
        if self.accept(TokenKind::Semicolon) {
            return Ok(Item::Declaration(self.bare_declaration(start, specifiers)));
        }
        let first = self.named_declarator(specifiers.ty)?;
        self.warn_of_implicit_int(&specifiers, &first);
        if self.is_function(first.ty) && (self.at(TokenKind::LeftBrace) || self.starts_declaration(0)) {
            return self.function_definition(specifiers, first).map(Item::Function);
        }
        self.rest_of_declaration(start, specifiers, first).map(Item::Declaration)
    }

    /// Old C may leave out all specifiers (`main() {…}`), but a name before another name was meant as a type.
    fn file_scope_specifiers(&mut self) -> Parsed<Specifiers> {
        if !self.starts_declaration(0) {
            let found = self.describe_token();
            match self.kind() {
                TokenKind::Identifier if self.looks_like_unknown_type() => {
                    return self.error(format!("unknown type name {found}"));
                }
                TokenKind::Identifier | TokenKind::Star | TokenKind::LeftParen => {}
                _ => return self.error(format!("expected a declaration, found {found}")),
            }
        }
        self.specifiers()
    }

    /// An identifier that names no type, followed by what would be a declarator.
    pub(super) fn looks_like_unknown_type(&self) -> bool {
        let stars = (1..).take_while(|&distance| self.kind_ahead(distance) == TokenKind::Star).count();
        let is_name = self.at(TokenKind::Identifier) && !self.scopes.names_type(self.token().symbol);
        // `a * b` is a product wherever expressions may stand; file scope and parameters ask differently.
        is_name && self.kind_ahead(1 + stars) == TokenKind::Identifier
    }

    fn warn_of_implicit_int(&mut self, specifiers: &Specifiers, declarator: &Declarator) {
        if specifiers.implicit_int {
            let name = self.unit.names.name(declarator.name);
            let message = format!("no type is given for `{name}`: taken as `int`");
            self.warn("implicit-int", declarator.span, message);
        }
    }

    /// Specifiers and nothing else: `struct S {…};`.
    fn bare_declaration(&mut self, start: Span, specifiers: Specifiers) -> Declaration {
        Declaration { span: self.span_from(start), specifiers, declarators: Vec::new() }
    }

    /// A declaration inside a block, a `for`, or before the body of a K&R function.
    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        self.declaration_with(Vec::new())
    }

    /// A declaration whose first attributes have been read already. (Reading them twice would take exponential time
    /// where statement expressions nest inside attributes.)
    pub(super) fn declaration_with(&mut self, attributes: Vec<Attribute>) -> Parsed<Declaration> {
        let start = self.span();
        let mut specifiers = self.specifiers()?;
        specifiers.attributes.splice(0..0, attributes);
        if self.accept(TokenKind::Semicolon) {
            return Ok(self.bare_declaration(start, specifiers));
        }
        let first = self.named_declarator(specifiers.ty)?;
        self.warn_of_implicit_int(&specifiers, &first);
        if self.at(TokenKind::LeftBrace) && self.is_function(first.ty) {
            return self.nested_function(start, specifiers, first);
        }
        self.rest_of_declaration(start, specifiers, first)
    }

    /// A function inside a function (a GNU extension) is only declared: `auto` says that it is none of file scope. Its
    /// body is checked for errors and dropped; what calls it is not supported.
    fn nested_function(&mut self, start: Span, specifiers: Specifiers, declarator: Declarator) -> Parsed<Declaration> {
        let definition = self.function_definition(specifiers, declarator)?;
        let FunctionDefinition { mut specifiers, declarator, .. } = definition;
        specifiers.storage = Some(StorageClass::Auto);
        let declarators = vec![InitDeclarator { declarator, initializer: None }];
        Ok(Declaration { span: self.span_from(start), specifiers, declarators })
    }

    /// The initialiser of the first declarator, the other declarators, and the semicolon.
    fn rest_of_declaration(&mut self, start: Span, specifiers: Specifiers, first: Declarator) -> Parsed<Declaration> {
        let mut declarators = Vec::with_capacity(1);
        let mut next = first;
        loop {
            self.declare(&specifiers, next.name);
            let initializer = if self.accept(TokenKind::Assign) { Some(self.initializer()?) } else { None };
            declarators.push(InitDeclarator { declarator: next, initializer });
            if !self.accept(TokenKind::Comma) {
                break;
            }
            next = self.beside(|parser| parser.further_declarator(&specifiers))?;
        }
        let span = self.span_from(start);
        self.expect(TokenKind::Semicolon, "after the declaration")?;
        Ok(Declaration { span, specifiers, declarators })
    }

    /// Attributes before a declarator that is not the first one belong to it alone.
    fn further_declarator(&mut self, specifiers: &Specifiers) -> Parsed<Declarator> {
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let mut declarator = self.named_declarator(specifiers.ty)?;
        declarator.attributes.extend(attributes);
        Ok(declarator)
    }

    fn declare(&mut self, specifiers: &Specifiers, name: Symbol) {
        let is_typedef = specifiers.storage == Some(StorageClass::Typedef);
        self.scopes.declare(name, if is_typedef { IdentifierMeaning::Typedef } else { IdentifierMeaning::Ordinary });
    }

    fn function_definition(&mut self, specifiers: Specifiers, declarator: Declarator) -> Parsed<FunctionDefinition> {
        self.declare(&specifiers, declarator.name);
        self.scopes.enter();
        let rest = self.rest_of_function(&declarator);
        self.scopes.leave();
        let (parameter_declarations, body) = rest?;
        Ok(FunctionDefinition { span: declarator.span, specifiers, declarator, parameter_declarations, body })
    }

    /// Runs in the scope of the parameters.
    fn rest_of_function(&mut self, declarator: &Declarator) -> Parsed<(Vec<Declaration>, StmtId)> {
        for name in self.parameter_names(declarator) {
            self.scopes.declare(name, IdentifierMeaning::Ordinary);
        }
        let mut declarations = Vec::new();
        while !self.at(TokenKind::LeftBrace) {
            if !self.starts_declaration(0) {
                self.expect(TokenKind::LeftBrace, "to begin the function's body")?;
            }
            declarations.push(self.declaration()?);
        }
        let body = self.function_body()?;
        Ok((declarations, body))
    }

    fn is_function(&self, ty: TypeExprId) -> bool {
        matches!(self.unit.types[ty].kind, TypeExprKind::Function { .. })
    }

    fn parameter_names(&self, declarator: &Declarator) -> Vec<Symbol> {
        match &self.unit.types[declarator.ty].kind {
            TypeExprKind::Function { parameters: Parameters::Prototype { parameters, .. }, .. } => {
                parameters.iter().filter_map(|parameter| parameter.name).collect()
            }
            TypeExprKind::Function { parameters: Parameters::Identifiers(names), .. } => {
                names.iter().map(|&(name, _)| name).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let span = self.span();
        self.advance();
        self.expect(TokenKind::LeftParen, "after `_Static_assert`")?;
        let condition = self.conditional_expression()?;
        let message = if self.accept(TokenKind::Comma) { Some(self.byte_string("as the message")?) } else { None };
        self.expect(TokenKind::RightParen, "after the condition of `_Static_assert`")?;
        self.expect(TokenKind::Semicolon, "after `_Static_assert`")?;
        Ok(StaticAssert { span, condition, message })
    }
}

//! Which functions the names of a unit stand for in the whole program: those that it keeps to itself, those that it shares,
//! and the other names that attributes, assembler labels and pragmas give them.

use base::Span;
use program::FunctionId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{
    Attribute, AttributeKind, Declarator, FunctionDefinition, Item, Specifiers, StorageClass, TranslationUnit,
    TypeExprKind,
};
use crate::ctype::{TypeId, TypeTable};
use crate::link::Linker;
use crate::symbol::Symbol;

/// The linkage of one unit's names.
pub struct Linkage<'a> {
    ast: &'a TranslationUnit,
    /// Functions with internal linkage, by name.
    static_functions: FxHashMap<Symbol, FunctionId>,
    /// The compiler's options for single functions.
    options: FxHashMap<FunctionId, Vec<String>>,
}

impl<'a> Linkage<'a> {
    pub fn new(ast: &'a TranslationUnit) -> Self {
        Self { ast, static_functions: FxHashMap::default(), options: FxHashMap::default() }
    }

    /// Announces which functions the unit defines, so that calls in any unit know whether there is a body.
    pub fn announce(ast: &'a TranslationUnit, link: &mut Linker<'_>) -> Self {
        let mut linkage = Self::new(ast);
        let declared_static = linkage.functions_declared_static();
        for item in &ast.items {
            let Item::Function(definition) = item else { continue };
            let has_rival = link.inline_definitions.has_rival(ast, definition);
            if is_inline_only(definition) && !has_rival {
                continue;
            }
            let name = definition.declarator.name;
            let placeholder = TypeTable::VOID;
            let is_static = definition.specifiers.storage == Some(StorageClass::Static);
            if has_rival {
                let function = linkage.static_function(name, placeholder, definition.span, link);
                let what = "an inline definition next to an external one: either may be called".to_owned();
                link.note_unsupported_function(function, Some(what));
                link.functions[function].defined = true;
                continue;
            }
            let function = if is_static || declared_static.contains(&name) {
                linkage.static_function(name, placeholder, definition.span, link)
            } else {
                link.external_function(ast.name(name), placeholder, definition.span)
            };
            link.functions[function].defined = true;
        }
        linkage.announce_other_names(link);
        linkage
    }

    /// Functions that a declaration at file scope gives internal linkage, which a definition then has, too.
    fn functions_declared_static(&self) -> FxHashSet<Symbol> {
        let mut names = FxHashSet::default();
        for (specifiers, declarator) in self.file_scope_declarators() {
            let is_function = matches!(self.ast[declarator.ty].kind, TypeExprKind::Function { .. });
            if specifiers.storage == Some(StorageClass::Static) && is_function {
                names.insert(declarator.name);
            }
        }
        names
    }

    fn file_scope_declarators(&self) -> impl Iterator<Item = (&Specifiers, &Declarator)> {
        self.ast.items.iter().flat_map(|item| {
            let declaration = match item {
                Item::Declaration(declaration) => Some(declaration),
                _ => None,
            };
            declaration.into_iter().flat_map(|declaration| {
                declaration.declarators.iter().map(move |init| (&declaration.specifiers, &init.declarator))
            })
        })
    }

    /// Names that `alias` and assembler labels give to functions of this unit.
    fn announce_other_names(&self, link: &mut Linker<'_>) {
        let mut pairs: Vec<(String, Symbol)> = Vec::new();
        for (specifiers, declarator) in self.file_scope_declarators() {
            let target = self.alias_target(specifiers, declarator);
            if let Some(target) = target.and_then(|text| self.ast.names.lookup(&text)) {
                pairs.push((self.ast.name(declarator.name).to_owned(), target));
            }
            let other = self.linker_name(specifiers, declarator);
            if let Some(other) = other.filter(|_| self.defines_function(declarator.name)) {
                pairs.push((other, declarator.name));
            }
        }
        for (name, target) in pairs {
            if let Some(function) = self.defined_function(self.ast.name(target), link) {
                link.alias_function(&name, function);
            }
        }
    }

    /// The function with a body that the linker knows by this name.
    pub fn defined_function(&self, name: &str, link: &Linker<'_>) -> Option<FunctionId> {
        let symbol = self.ast.names.lookup(name);
        let known = symbol.and_then(|symbol| self.static_functions.get(&symbol).copied());
        let function = known.or_else(|| link.find_external_function(name));
        function.filter(|&function| link.functions[function].defined)
    }

    /// What the name is another name for, by an attribute or a pragma.
    pub fn alias_target(&self, specifiers: &Specifiers, declarator: &Declarator) -> Option<String> {
        let name = self.ast.name(declarator.name);
        let by_pragma = || self.ast.weak_aliases.iter().find(|(alias, _)| alias == name).map(|(_, of)| of.clone());
        alias_attribute(specifiers, declarator).or_else(by_pragma)
    }

    /// What the linker knows the name by, if that is another one: by an assembler label or a pragma.
    pub fn linker_name(&self, specifiers: &Specifiers, declarator: &Declarator) -> Option<String> {
        let name = self.ast.name(declarator.name);
        let by_pragma = || self.ast.linker_names.iter().find(|(own, _)| own == name).map(|(_, other)| other.clone());
        let label = declarator.asm_label.as_ref().map(|label| String::from_utf8_lossy(label).into_owned());
        let has_linkage = !matches!(specifiers.storage, Some(StorageClass::Static | StorageClass::Typedef));
        label.or_else(|| by_pragma().filter(|_| has_linkage)).filter(|other| other != name)
    }

    /// Another name for a function whose body is not that of its own name here.
    pub fn other_function_name(&self, specifiers: &Specifiers, declarator: &Declarator) -> Option<String> {
        let alias = self.alias_target(specifiers, declarator);
        if alias.is_none() && self.defines_function(declarator.name) {
            return None;
        }
        let other = alias.or_else(|| self.linker_name(specifiers, declarator));
        other.filter(|other| other != self.ast.name(declarator.name))
    }

    /// Whether the unit has a body for the function.
    fn defines_function(&self, name: Symbol) -> bool {
        self.ast.items.iter().any(|item| matches!(item, Item::Function(known) if known.declarator.name == name))
    }

    /// The function that a declaration with this storage class declares; `static` once means `static` always. One inside of a
    /// function has no body that we know.
    pub fn declare(
        &mut self,
        name: Symbol,
        ty: TypeId,
        storage: Option<StorageClass>,
        span: Span,
        link: &mut Linker<'_>,
    ) -> FunctionId {
        match storage {
            Some(StorageClass::Auto) => {
                let function = link.add_function(self.ast.name(name), ty, span);
                link.functions[function].defined = true;
                function
            }
            Some(StorageClass::Static) => self.static_function(name, ty, span, link),
            _ => self.called(name, ty, span, link),
        }
    }

    /// The function that a call means by the name.
    pub fn called(&self, name: Symbol, ty: TypeId, span: Span, link: &mut Linker<'_>) -> FunctionId {
        match self.static_functions.get(&name) {
            Some(&function) => function,
            None => link.external_function(self.ast.name(name), ty, span),
        }
    }

    fn static_function(&mut self, name: Symbol, ty: TypeId, span: Span, link: &mut Linker<'_>) -> FunctionId {
        *self.static_functions.entry(name).or_insert_with(|| link.add_function(self.ast.name(name), ty, span))
    }

    pub fn note_options(&mut self, function: FunctionId, attribute: &Attribute) {
        if let AttributeKind::Options(options) = &attribute.kind {
            self.options.entry(function).or_default().extend(options.iter().cloned());
        }
    }

    /// The compiler's options for this function alone.
    pub fn options_of(&self, function: FunctionId) -> &[String] {
        self.options.get(&function).map_or(&[], |options| options)
    }
}

/// `x` of `__attribute__((alias("x")))`.
fn alias_attribute(specifiers: &Specifiers, declarator: &Declarator) -> Option<String> {
    let attributes = specifiers.attributes.iter().chain(&declarator.attributes);
    attributes.into_iter().find_map(|attribute| match &attribute.kind {
        AttributeKind::Alias(target) | AttributeKind::WeakRef(target) => {
            Some(String::from_utf8_lossy(target).into_owned())
        }
        _ => None,
    })
}

pub fn is_weak_reference(specifiers: &Specifiers, declarator: &Declarator) -> bool {
    let mut attributes = specifiers.attributes.iter().chain(&declarator.attributes);
    attributes.any(|attribute| matches!(attribute.kind, AttributeKind::WeakRef(_)))
}

/// GNU `extern inline`: the body is only for inlining, another definition counts.
pub fn is_inline_only(definition: &FunctionDefinition) -> bool {
    let specifiers = &definition.specifiers;
    let attributes = specifiers.attributes.iter().chain(&definition.declarator.attributes);
    let gnu = attributes.into_iter().any(|a| matches!(a.kind, AttributeKind::GnuInline));
    gnu && specifiers.inline && specifiers.storage == Some(StorageClass::Extern)
}

#[cfg(test)]
mod tests {
    use base::Files;

    use super::*;
    use crate::compile::CompileOptions;
    use crate::source_text::parse_text;

    fn unit(text: &str) -> TranslationUnit {
        parse_text("x.c", text.as_bytes(), &mut Files::default()).unwrap().unit
    }

    #[test]
    fn static_once_is_static_always() {
        let options = CompileOptions::default();
        let mut link = Linker::new(&options);
        let unit = unit("static int f(void); int f(void) { return 0; } int g(void) { return 0; }");
        let linkage = Linkage::announce(&unit, &mut link);
        assert!(linkage.defined_function("f", &link).is_some());
        assert_eq!(link.find_external_function("f"), None);
        assert_eq!(linkage.defined_function("g", &link), link.find_external_function("g"));
    }

    #[test]
    fn units_do_not_share_static_functions() {
        let options = CompileOptions::default();
        let mut link = Linker::new(&options);
        let (one, other) = (unit("static void f(void) {}"), unit("static void f(void) {} void h(void);"));
        let (one, other) = (Linkage::announce(&one, &mut link), Linkage::announce(&other, &mut link));
        assert_ne!(one.defined_function("f", &link), other.defined_function("f", &link));
        assert_eq!(other.defined_function("h", &link), None);
    }

    #[test]
    fn other_names_stand_for_the_same_function() {
        let options = CompileOptions::default();
        let mut link = Linker::new(&options);
        let aliased = unit("int f(void) { return 0; } int g(void) __attribute__((alias(\"f\")));");
        let labelled = unit("int h(void) __asm__(\"k\"); int h(void) { return 0; }");
        let linkage = Linkage::announce(&aliased, &mut link);
        Linkage::announce(&labelled, &mut link);
        assert_eq!(linkage.defined_function("g", &link), link.find_external_function("f"));
        assert_eq!(link.find_external_function("k"), link.find_external_function("h"));
        assert!(link.find_external_function("k").is_some());
    }
}

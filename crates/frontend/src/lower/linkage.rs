//! Which functions the names of a unit stand for in the whole program: those that it keeps to itself, those that it shares,
//! and the other names that attributes, assembler labels and pragmas give them.

use base::Span;
use program::{FunctionId, GlobalId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{
    Attribute, AttributeKind, Declarator, FunctionDefinition, Item, Specifiers, StorageClass, TranslationUnit,
    TypeExprKind,
};
use crate::ctype::{QualType, TypeId, TypeTable};
use crate::link::Linker;
use crate::symbol::Symbol;

/// The linkage of one unit's names.
pub struct Linkage<'a> {
    ast: &'a TranslationUnit,
    /// Functions with internal linkage, by name.
    static_functions: FxHashMap<Symbol, FunctionId>,
    /// Weak definitions that give way to others, where further names stand for them all the same.
    own_functions: FxHashMap<Symbol, FunctionId>,
    own_objects: FxHashMap<Symbol, GlobalId>,
    /// Objects with internal linkage that have further names.
    static_objects: FxHashMap<Symbol, GlobalId>,
    /// What the further names of objects stand for.
    object_names: FxHashMap<Symbol, GlobalId>,
    /// Further names that give way to definitions elsewhere: they are mere declarations.
    given_way: FxHashSet<Symbol>,
    /// The compiler's options for single functions.
    options: FxHashMap<FunctionId, Vec<String>>,
}

impl<'a> Linkage<'a> {
    pub fn new(ast: &'a TranslationUnit) -> Self {
        Self {
            ast,
            static_functions: FxHashMap::default(),
            own_functions: FxHashMap::default(),
            own_objects: FxHashMap::default(),
            static_objects: FxHashMap::default(),
            object_names: FxHashMap::default(),
            given_way: FxHashSet::default(),
            options: FxHashMap::default(),
        }
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
            if linkage.gives_way(name, link) {
                if linkage.has_further_name(name) {
                    let function = link.add_function(ast.name(name), placeholder, definition.span);
                    link.functions[function].defined = true;
                    linkage.own_functions.insert(name, function);
                }
                continue;
            }
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
        for (specifiers, declarator) in file_scope_declarators(self.ast) {
            let is_function = matches!(self.ast[declarator.ty].kind, TypeExprKind::Function { .. });
            if specifiers.storage == Some(StorageClass::Static) && is_function {
                names.insert(declarator.name);
            }
        }
        names
    }

    /// Names that `alias` and assembler labels give to functions and objects of this unit.
    fn announce_other_names(&mut self, link: &mut Linker<'_>) {
        let ast = self.ast;
        for (specifiers, declarator) in file_scope_declarators(ast) {
            let name = ast.name(declarator.name);
            if let Some(target) = self.alias_target(specifiers, declarator).and_then(|text| ast.names.lookup(&text)) {
                let is_static = specifiers.storage == Some(StorageClass::Static);
                if !is_static && self.gives_way(declarator.name, link) {
                    self.given_way.insert(declarator.name);
                    continue;
                }
                if let Some(function) = self.aliased_function(specifiers, declarator, ast.name(target), link) {
                    if !is_static {
                        link.alias_function(name, function);
                    }
                } else if !is_weak_reference(specifiers, declarator)
                    && let Some(object) = self.aliased_object(target, link)
                    && (is_static || link.alias_global(name, object))
                {
                    self.object_names.insert(declarator.name, object);
                }
            }
            let other = self.linker_name(specifiers, declarator);
            if let Some(other) = other.filter(|_| self.defines_function(declarator.name))
                && let Some(function) = self.defined_function(name, link)
            {
                link.alias_function(&other, function);
            }
        }
    }

    /// Whether what this unit says about a name is weak, and another definition counts.
    fn gives_way(&self, name: Symbol, link: &Linker<'_>) -> bool {
        let name = self.ast.name(name);
        let is_known = link.find_external_function(name).is_some_and(|function| link.functions[function].defined);
        link.weak.gives_way(self.ast, name, is_known)
    }

    /// Whether an alias stands for this definition.
    fn has_further_name(&self, name: Symbol) -> bool {
        let name = self.ast.name(name);
        file_scope_declarators(self.ast)
            .any(|(specifiers, declarator)| self.alias_target(specifiers, declarator).is_some_and(|of| of == name))
    }

    /// The function that an alias stands for: the one that this unit defines, even if another definition of the name counts.
    pub fn aliased_function(
        &self,
        specifiers: &Specifiers,
        declarator: &Declarator,
        target: &str,
        link: &Linker<'_>,
    ) -> Option<FunctionId> {
        let own = self.ast.names.lookup(target).and_then(|symbol| self.own_functions.get(&symbol).copied());
        let own = own.filter(|_| !is_weak_reference(specifiers, declarator));
        own.or_else(|| self.defined_function(target, link))
    }

    /// The object of this unit that an alias stands for, which need not be declared yet.
    fn aliased_object(&mut self, target: Symbol, link: &mut Linker<'_>) -> Option<GlobalId> {
        let ast = self.ast;
        let mut declared = file_scope_declarators(ast).filter(|(specifiers, declarator)| {
            let is_function = matches!(ast[declarator.ty].kind, TypeExprKind::Function { .. });
            declarator.name == target && !is_function && specifiers.storage != Some(StorageClass::Typedef)
        });
        let (specifiers, first) = declared.next()?;
        let is_static = specifiers.storage == Some(StorageClass::Static);
        let (name, placeholder) = (ast.name(target), QualType::plain(TypeTable::VOID));
        if is_static {
            let new = || link.add_global(name, placeholder, first.span);
            return Some(*self.static_objects.entry(target).or_insert_with(new));
        }
        if link.weak.gives_way(ast, name, false) {
            let new = || link.add_global(name, placeholder, first.span);
            return Some(*self.own_objects.entry(target).or_insert_with(new));
        }
        Some(link.external_global(name, placeholder, first.span))
    }

    /// The weak definition of this unit where another one counts, if it is needed under another name.
    pub fn own_function(&self, name: Symbol) -> Option<FunctionId> {
        self.own_functions.get(&name).copied()
    }

    pub fn own_object(&self, name: Symbol) -> Option<GlobalId> {
        self.own_objects.get(&name).copied()
    }

    pub fn static_object(&self, name: Symbol) -> Option<GlobalId> {
        self.static_objects.get(&name).copied()
    }

    /// The object that this further name stands for.
    pub fn object_named(&self, name: Symbol) -> Option<GlobalId> {
        self.object_names.get(&name).copied()
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
        if self.given_way.contains(&declarator.name) {
            return None;
        }
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

fn file_scope_declarators(ast: &TranslationUnit) -> impl Iterator<Item = (&Specifiers, &Declarator)> {
    ast.items.iter().flat_map(|item| {
        let declaration = match item {
            Item::Declaration(declaration) => Some(declaration),
            _ => None,
        };
        declaration.into_iter().flat_map(|declaration| {
            declaration.declarators.iter().map(move |init| (&declaration.specifiers, &init.declarator))
        })
    })
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

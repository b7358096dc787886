//! Declarations at file scope and in blocks; the walk over a whole translation unit.

use base::Span;
use program::{AllocationKind, FunctionId, GlobalId, InstructionKind, Operand, Type};

use rustc_hash::{FxHashMap, FxHashSet};

use super::entity::Entity;
use super::frame::ScopeExit;
use super::nondet::{NamedType, input_name};
use super::value::{Address, Lowered, Place, PlaceKind};
use super::{Lowerer, Reported};
use crate::ast::{
    ArraySize, Asm, Attribute, AttributeKind, Declaration, Declarator, FunctionDefinition, InitDeclarator, Initializer,
    Item, Parameters, Specifiers, StorageClass, TypeExprId, TypeExprKind,
};
use crate::ctype::{CType, QualType, TypeId, TypeTable};
use crate::declaration_features::{self, Meaning};
use crate::function_options;
use crate::library::treatment;
use crate::prelude::{self, Models};
use crate::symbol::Symbol;

/// A unit's functions with internal linkage.
pub type StaticFunctions = FxHashMap<Symbol, FunctionId>;

impl Lowerer<'_, '_> {
    /// Announces which functions the unit defines, so that calls in any unit know whether there is a body.
    pub fn announce_definitions(mut self) -> StaticFunctions {
        let declared_static = self.functions_declared_static();
        for item in &self.ast.items {
            let Item::Function(definition) = item else { continue };
            let has_rival = self.link.inline_definitions.has_rival(self.ast, definition);
            if is_inline_only(definition) && !has_rival {
                continue;
            }
            let name = definition.declarator.name;
            let placeholder = TypeTable::VOID;
            let is_static = definition.specifiers.storage == Some(StorageClass::Static);
            if has_rival {
                let function = self.static_function(name, placeholder, definition.span);
                let what = "an inline definition beside another one, of which any may be called".to_owned();
                self.note_unsupported_function(function, Some(what));
                self.link.functions[function].defined = true;
                continue;
            }
            let function = if is_static || declared_static.contains(&name) {
                self.static_function(name, placeholder, definition.span)
            } else {
                self.link.external_function(self.ast.name(name), placeholder, definition.span)
            };
            self.link.functions[function].defined = true;
        }
        self.announce_other_names();
        self.static_functions
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
    fn announce_other_names(&mut self) {
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
            let known = self.static_functions.get(&target).copied();
            let function = known.or_else(|| self.link.find_external_function(self.ast.name(target)));
            if let Some(function) = function.filter(|&function| self.link.functions[function].defined) {
                self.link.alias_function(&name, function);
            }
        }
    }

    /// Goes on with what [`Self::announce_definitions`] returned for the same unit.
    pub fn with_statics(mut self, statics: StaticFunctions) -> Self {
        self.static_functions = statics;
        self
    }

    /// Lowers the functions of the prelude that are referred to, and those that these refer to; `false` if one of them is not
    /// among the models.
    pub fn models(&mut self, models: &Models) -> bool {
        while let Some(function) = self.link.prelude_queue.pop() {
            if self.link.functions[function].body.is_some() {
                continue;
            }
            let name = &self.link.functions[function].name;
            if let Some(definition) = models.definition(name) {
                let _: Lowered<()> = self.define_function(function, definition);
            } else if prelude::defines(name) {
                return false;
            }
        }
        true
    }

    /// Lowers the whole unit; of the prelude only declarations.
    pub fn unit(&mut self) {
        for item in &self.ast.items {
            match item {
                Item::Declaration(declaration) => self.file_declaration(declaration),
                Item::StaticAssert(assertion) => self.static_assertion(assertion),
                Item::Asm(asm) => self.file_assembly(asm),
                Item::Function(definition) => {
                    let Ok(function) = self.declare_definition(definition) else { continue };
                    let known = self.link.functions[function].body.is_some();
                    let is_inline = definition.specifiers.inline;
                    let has_rival = self.link.inline_definitions.has_rival(self.ast, definition);
                    if has_rival || is_inline_only(definition) || known && is_inline {
                        continue;
                    }
                    let name = self.ast.name(definition.declarator.name);
                    if self.link.weak.gives_way(self.ast, name, known) {
                        continue;
                    }
                    let is_replaced = std::mem::replace(&mut self.link.functions[function].replaceable, is_inline);
                    if !self.built_in && known && !is_replaced {
                        let name = self.link.functions[function].name.clone();
                        let text = format!("`{name}` is defined twice");
                        let _: Lowered<()> = self.error("redefinition", definition.span, text);
                        continue;
                    }
                    if !self.built_in {
                        let _: Lowered<()> = self.define_function(function, definition);
                    }
                }
            }
        }
    }

    /// `asm` outside of functions may define what the program names.
    fn file_assembly(&mut self, asm: &Asm) {
        let text = String::from_utf8_lossy(&asm.template);
        if declaration_features::assembly(&text) == Meaning::Unsupported {
            let span = self.place_of(asm.span);
            self.link.file_assembly.get_or_insert(span);
        }
    }

    /// The `n` of each parameter that is declared as `a[static n]`.
    fn least_elements(&mut self, definition: &FunctionDefinition) -> Vec<Option<u64>> {
        let TypeExprKind::Function { parameters: Parameters::Prototype { parameters, .. }, .. } =
            &self.ast[definition.declarator.ty].kind
        else {
            return Vec::new();
        };
        let types: Vec<_> = parameters.iter().map(|parameter| parameter.ty).collect();
        let at_least = |lowerer: &mut Self, ty: TypeExprId| match lowerer.ast[ty].kind {
            TypeExprKind::Array { size: ArraySize::Expr(expr), at_least: true, .. } => {
                // A number that is not constant is not known to be small enough to be made.
                Some(lowerer.try_integer_constant(expr).and_then(|n| u64::try_from(n).ok()).unwrap_or(u64::MAX))
            }
            _ => None,
        };
        types.into_iter().map(|ty| at_least(self, ty)).collect()
    }

    fn declare_definition(&mut self, definition: &FunctionDefinition) -> Lowered<FunctionId> {
        let ty = self.definition_type(definition)?;
        let name = definition.declarator.name;
        let function = self.declare_function(name, ty, &definition.specifiers, definition.span)?;
        // The definition's own types count, whatever a declaration without prototype said before; a model must not
        // change a function that the program defines.
        if !self.built_in || !self.link.functions[function].defined {
            let least_elements = self.least_elements(definition);
            self.link.functions[function].least_elements = least_elements;
            self.link.functions[function].ty = ty;
            self.link.functions[function].span = self.place_of(definition.span);
        }
        let attributes = definition.specifiers.attributes.iter().chain(&definition.declarator.attributes);
        for attribute in attributes.clone() {
            self.note_constructor(function, attribute);
            self.note_options(function, attribute);
        }
        let options = self.function_options.get(&function).map_or(&[][..], |options| options);
        let option = function_options::unsupported(options).map(|option| format!("the option `{option}`"));
        let unsupported = self.unsupported_attribute(attributes).or(option);
        self.note_unsupported_function(function, unsupported);
        Ok(function)
    }

    fn note_unsupported_function(&mut self, function: FunctionId, what: Option<String>) {
        let slot = &mut self.link.functions[function];
        slot.unsupported = slot.unsupported.take().or(what);
    }

    fn note_options(&mut self, function: FunctionId, attribute: &Attribute) {
        if let AttributeKind::Options(options) = &attribute.kind {
            self.function_options.entry(function).or_default().extend(options.iter().cloned());
        }
    }

    fn note_constructor(&mut self, function: FunctionId, attribute: &Attribute) {
        let priority = |lowerer: &mut Self, expr: Option<crate::ast::ExprId>| {
            expr.and_then(|expr| lowerer.try_integer_constant(expr)).unwrap_or(65536) as i64
        };
        match attribute.kind {
            AttributeKind::Constructor(expr) => {
                let priority = priority(self, expr);
                note_once(&mut self.link.constructors, priority, function);
            }
            AttributeKind::Destructor(expr) => {
                let priority = priority(self, expr);
                note_once(&mut self.link.destructors, priority, function);
            }
            // What is copied may be one of these two; the call is unsupported as all uses are.
            AttributeKind::Other(name) if self.name(name) == "copy" && self.link.has_constructors_or_destructors() => {
                let priority = priority(self, None);
                note_once(&mut self.link.constructors, priority, function);
            }
            _ => {}
        }
    }

    fn static_function(&mut self, name: Symbol, ty: TypeId, span: Span) -> FunctionId {
        if let Some(&function) = self.static_functions.get(&name) {
            return function;
        }
        let function = self.link.add_function(self.ast.name(name), ty, span);
        self.static_functions.insert(name, function);
        function
    }

    /// Declares a function in the current scope; `static` once means `static` always.
    fn declare_function(
        &mut self,
        name: Symbol,
        ty: TypeId,
        specifiers: &Specifiers,
        span: Span,
    ) -> Lowered<FunctionId> {
        let is_known = |entity| matches!(entity, Entity::Function(_));
        if !self.scopes.lookup_here(name).is_none_or(is_known) {
            return self.declared_otherwise(name, span);
        }
        let is_static = specifiers.storage == Some(StorageClass::Static) || self.static_functions.contains_key(&name);
        let function = if specifiers.storage == Some(StorageClass::Auto) {
            self.nested_function(name, ty, span)
        } else if is_static {
            self.static_function(name, ty, span)
        } else {
            self.link.external_function(self.ast.name(name), ty, span)
        };
        self.merge_function_type(function, ty, span)?;
        let noreturn =
            specifiers.noreturn || specifiers.attributes.iter().any(|a| matches!(a.kind, AttributeKind::Noreturn));
        self.link.functions[function].noreturn |= noreturn;
        self.scopes.declare(name, Entity::Function(function), span);
        Ok(function)
    }

    /// A function inside a function, which has no body that we know.
    fn nested_function(&mut self, name: Symbol, ty: TypeId, span: Span) -> FunctionId {
        let function = self.link.add_function(self.ast.name(name), ty, span);
        self.link.functions[function].defined = true;
        function
    }

    fn merge_function_type(&mut self, function: FunctionId, ty: TypeId, span: Span) -> Lowered<()> {
        let known = self.link.functions[function].ty;
        let Some(old) = self.link.types.function(known).cloned() else {
            self.link.functions[function].ty = ty;
            return Ok(());
        };
        let Some(new) = self.link.types.function(ty) else { return Ok(()) };
        if new.prototype && !old.prototype && self.link.functions[function].body.is_none() {
            self.link.functions[function].ty = ty;
        } else if !self.built_in && !self.link.types.compatible(known, ty) {
            let name = self.link.functions[function].name.clone();
            self.warn("type", span, format!("`{name}` is declared with different types"));
        }
        Ok(())
    }

    /// A call of an undeclared function declares it as `int f()`.
    pub fn declare_implicitly(&mut self, name: Symbol, span: Span) -> FunctionId {
        let text = self.ast.name(name);
        if !self.built_in {
            self.warn("implicit-declaration", span, format!("`{text}` is called but not declared"));
        }
        let result = QualType::plain(match input_name(text).map(|name| self.type_of_undeclared_input(name)) {
            Some(NamedType::Known(ty)) => ty,
            // Without a result it is no input.
            Some(NamedType::Unsupported) => TypeTable::VOID,
            None => TypeTable::INT,
        });
        let signature =
            crate::ctype::FunctionType { result, parameters: Vec::new(), variadic: false, prototype: false };
        let ty = self.link.types.intern(CType::Function(signature));
        let function = match self.static_functions.get(&name) {
            Some(&function) => function,
            None => self.link.external_function(text, ty, span),
        };
        if self.link.types.function(self.link.functions[function].ty).is_none() {
            self.link.functions[function].ty = ty;
        }
        self.scopes.declare_at_file_scope(name, Entity::Function(function), span);
        function
    }

    // -----------------------------------------------------------------------------------------------------------------
    // File scope

    fn file_declaration(&mut self, declaration: &Declaration) {
        if declaration.declarators.is_empty() {
            let _ = self.resolve_type(declaration.specifiers.ty);
            return;
        }
        for declarator in &declaration.declarators {
            let _: Lowered<()> = self.file_declarator(declaration, declarator);
        }
    }

    fn file_declarator(&mut self, declaration: &Declaration, init: &InitDeclarator) -> Lowered<()> {
        let specifiers = &declaration.specifiers;
        let declarator = &init.declarator;
        let ty = self.declared_type(specifiers, init)?;
        if specifiers.storage == Some(StorageClass::Typedef) {
            return self.declare_typedef(specifiers, declarator, ty);
        }
        if self.link.types.is_function(ty.ty) {
            let function = self.declare_function(declarator.name, ty.ty, specifiers, declarator.span)?;
            let attributes = specifiers.attributes.iter().chain(&declarator.attributes);
            for attribute in attributes.clone() {
                self.note_constructor(function, attribute);
                self.note_options(function, attribute);
                self.link.functions[function].weak |= matches!(attribute.kind, AttributeKind::Weak);
            }
            let unsupported = self.unsupported_attribute(attributes);
            self.note_unsupported_function(function, unsupported);
            return self.other_function(function, specifiers, declarator);
        }
        if let Some(target) = self.alias_target(specifiers, declarator) {
            let is_absent = is_weak_reference(specifiers, declarator) && self.link.weak.is_absent_target(&target);
            return self.alias_variable(declarator, ty, &target, is_absent);
        }
        let global = self.declare_global(declarator, ty, specifiers)?;
        self.note_features_of_global(global, ty, specifiers, declarator);
        self.define_global(global, ty, specifiers, init)
    }

    /// What the name is another name for, by an attribute or a pragma.
    fn alias_target(&self, specifiers: &Specifiers, declarator: &Declarator) -> Option<String> {
        let name = self.ast.name(declarator.name);
        let by_pragma = || self.ast.weak_aliases.iter().find(|(alias, _)| alias == name).map(|(_, of)| of.clone());
        alias_target(specifiers, declarator).or_else(by_pragma)
    }

    /// What the linker knows the name by, if that is another one: by an assembler label or a pragma.
    fn linker_name(&self, specifiers: &Specifiers, declarator: &Declarator) -> Option<String> {
        let name = self.ast.name(declarator.name);
        let by_pragma = || self.ast.linker_names.iter().find(|(own, _)| own == name).map(|(_, other)| other.clone());
        let label = declarator.asm_label.as_ref().map(|label| String::from_utf8_lossy(label).into_owned());
        let has_linkage = !matches!(specifiers.storage, Some(StorageClass::Static | StorageClass::Typedef));
        label.or_else(|| by_pragma().filter(|_| has_linkage)).filter(|other| other != name)
    }

    /// Whether the unit at hand has a body for the function.
    fn defines_function(&self, name: Symbol) -> bool {
        self.ast.items.iter().any(|item| matches!(item, Item::Function(known) if known.declarator.name == name))
    }

    /// An alias is the function that it names; an assembler label is the name that the linker knows.
    fn other_function(
        &mut self,
        function: FunctionId,
        specifiers: &Specifiers,
        declarator: &Declarator,
    ) -> Lowered<()> {
        let own = self.ast.name(declarator.name);
        let alias = self.alias_target(specifiers, declarator);
        if alias.is_none() && self.defines_function(declarator.name) {
            return Ok(());
        }
        let label = || self.linker_name(specifiers, declarator);
        let Some(other) = alias.or_else(label).filter(|other| other != own) else { return Ok(()) };
        let symbol = self.ast.names.lookup(&other);
        let known = symbol.and_then(|symbol| self.static_functions.get(&symbol).copied());
        let target = known.or_else(|| self.link.find_external_function(&other));
        match target.filter(|&target| self.link.functions[target].defined) {
            Some(target) => self.scopes.declare(declarator.name, Entity::Function(target), declarator.span),
            // The C library gives functions that we know by their own name other labels.
            None if treatment(own).is_some() || library::row(own).is_some() || prelude::defines(own) => {}
            None if is_weak_reference(specifiers, declarator) && self.link.weak.is_absent_target(&other) => {
                self.link.functions[function].absent = true;
            }
            None => self.note_unsupported_function(function, Some(format!("the other name `{other}`"))),
        }
        Ok(())
    }

    /// `extern int y __attribute__((alias("x")));` is `x` under another name.
    fn alias_variable(&mut self, declarator: &Declarator, ty: QualType, target: &str, is_absent: bool) -> Lowered<()> {
        let symbol = self.ast.names.lookup(target);
        let entity = symbol.and_then(|symbol| self.scopes.lookup_at_file_scope(symbol));
        let name = self.ast.name(declarator.name);
        if let Some(Entity::Global(global)) = entity
            && self.link.alias_global(name, global)
        {
            self.scopes.declare(declarator.name, Entity::Global(global), declarator.span);
            return Ok(());
        }
        let global = self.link.external_global(name, ty, self.place_of(declarator.span));
        self.link.globals[global].absent = is_absent;
        self.link.globals[global].unsupported = Some(format!("attribute `alias` for `{target}`"));
        self.scopes.declare(declarator.name, Entity::Global(global), declarator.span);
        Ok(())
    }

    fn note_features_of_global(
        &mut self,
        global: GlobalId,
        ty: QualType,
        specifiers: &Specifiers,
        declarator: &Declarator,
    ) {
        let attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        let weak = attributes.clone().any(|attribute| matches!(attribute.kind, AttributeKind::Weak));
        let unsupported = self.unsupported_attribute(attributes).or_else(|| self.unsupported_part(ty.ty));
        let slot = &mut self.link.globals[global];
        slot.weak |= weak;
        slot.unsupported = slot.unsupported.take().or(unsupported);
    }

    /// A type may be named again, but not another one (C11 6.7 p3).
    fn declare_typedef(&mut self, specifiers: &Specifiers, declarator: &Declarator, ty: QualType) -> Lowered<()> {
        match self.scopes.lookup_here(declarator.name) {
            None => {}
            Some(Entity::Typedef { ty: known, .. }) if self.link.types.compatible(known.ty, ty.ty) => {}
            Some(_) => return self.declared_otherwise(declarator.name, declarator.span),
        }
        if let Some(what) = self.unsupported_attribute(specifiers.attributes.iter().chain(&declarator.attributes)) {
            return self.error("unsupported", declarator.span, format!("a type with {what} is not supported"));
        }
        let own = self.own_alignment(specifiers, declarator)?;
        let align = own.or_else(|| self.typedef_alignment(declarator.ty));
        self.scopes.declare(declarator.name, Entity::Typedef { ty, align }, declarator.span);
        Ok(())
    }

    fn declared_otherwise<T>(&mut self, name: Symbol, span: Span) -> Lowered<T> {
        let text = format!("`{}` is declared as something else before", self.name(name));
        self.error("redefinition", span, text)
    }

    /// The complete type of a declared name, attributes applied.
    fn declared_type(&mut self, specifiers: &Specifiers, init: &InitDeclarator) -> Lowered<QualType> {
        let ty = match (&self.ast[init.declarator.ty].kind, &init.initializer) {
            (TypeExprKind::AutoType, Some(Initializer::Expr(expr))) => {
                let value = self.value_shape(*expr)?;
                QualType::plain(value.ty)
            }
            _ => self.resolve_type(init.declarator.ty)?,
        };
        let ty = self.apply_type_attributes(ty, &specifiers.attributes)?;
        self.apply_type_attributes(ty, &init.declarator.attributes)
    }

    fn declare_global(&mut self, declarator: &Declarator, ty: QualType, specifiers: &Specifiers) -> Lowered<GlobalId> {
        let (name, span) = (declarator.name, declarator.span);
        let existing = self.scopes.lookup_at_file_scope(name);
        let global = match existing {
            Some(Entity::Global(global)) if self.link.types.compatible(self.link.globals[global].ty.ty, ty.ty) => {
                global
            }
            Some(_) => return self.declared_otherwise(name, span),
            None if specifiers.storage == Some(StorageClass::Static) => {
                self.link.add_global(self.ast.name(name), ty, self.place_of(span))
            }
            None => {
                let global = self.linked_global(specifiers, declarator, ty);
                if !self.link.types.compatible(self.link.globals[global].ty.ty, ty.ty) {
                    return self.declared_otherwise(name, span);
                }
                global
            }
        };
        self.merge_global_type(global, ty);
        if specifiers.thread_local {
            self.link.globals[global].thread_local = true;
        }
        if let Some(align) = self.declared_alignment(specifiers, declarator)? {
            let slot = &mut self.link.globals[global];
            slot.align = slot.align.max(align);
        }
        self.scopes.declare(name, Entity::Global(global), span);
        Ok(global)
    }

    /// The object that the linker knows by the name of this declaration. A label may also be the name of an object without
    /// external linkage.
    fn linked_global(&mut self, specifiers: &Specifiers, declarator: &Declarator, ty: QualType) -> GlobalId {
        let other = self.linker_name(specifiers, declarator);
        let symbol = other.as_ref().and_then(|other| self.ast.names.lookup(other));
        if let Some(Entity::Global(global)) = symbol.and_then(|symbol| self.scopes.lookup_at_file_scope(symbol)) {
            return global;
        }
        let name = other.unwrap_or_else(|| self.ast.name(declarator.name).to_owned());
        self.link.external_global(&name, ty, self.place_of(declarator.span))
    }

    fn declared_alignment(&mut self, specifiers: &Specifiers, declarator: &Declarator) -> Lowered<Option<u64>> {
        let own = self.own_alignment(specifiers, declarator)?;
        Ok(own.max(self.typedef_alignment(declarator.ty)))
    }

    /// What the declaration itself asks for.
    fn own_alignment(&mut self, specifiers: &Specifiers, declarator: &Declarator) -> Lowered<Option<u64>> {
        let attributes: Vec<Attribute> = specifiers.attributes.iter().chain(&declarator.attributes).cloned().collect();
        self.alignment(&attributes, &specifiers.alignment)
    }

    /// `extern int a[];` is completed by `int a[3];`.
    fn merge_global_type(&mut self, global: GlobalId, ty: QualType) {
        let known = self.link.globals[global].ty;
        if self.link.types.size_of(known.ty).is_none() && self.link.types.size_of(ty.ty).is_some() {
            self.link.globals[global].ty = ty;
        }
        let align = self.link.types.align_of(ty.ty);
        let slot = &mut self.link.globals[global];
        slot.align = slot.align.max(align);
    }

    fn define_global(
        &mut self,
        global: GlobalId,
        ty: QualType,
        specifiers: &Specifiers,
        init: &InitDeclarator,
    ) -> Lowered<()> {
        let span = init.declarator.span;
        let is_known = self.link.globals[global].defined;
        if self.link.weak.gives_way(self.ast, self.ast.name(init.declarator.name), is_known) {
            return Ok(());
        }
        if let Some(initializer) = &init.initializer {
            if self.link.globals[global].initial.is_some() {
                let text = format!("`{}` is initialised twice", self.name(init.declarator.name));
                return self.error("redefinition", span, text);
            }
            self.link.globals[global].span = self.place_of(span);
            return self.define_static(global, ty, initializer, span);
        }
        if specifiers.storage != Some(StorageClass::Extern) {
            self.link.globals[global].defined = true;
            self.link.globals[global].span = self.place_of(span);
            // A record or array type may still be completed later in the file.
            let known = self.link.globals[global].ty;
            if self.link.types.size_of(known.ty).is_none() && !self.link.types.is_aggregate(known.ty) {
                let text = format!("`{}` has an incomplete type", self.name(init.declarator.name));
                return self.error("type", span, text);
            }
        }
        Ok(())
    }

    /// Gives a static object its contents.
    pub fn define_static(
        &mut self,
        global: GlobalId,
        ty: QualType,
        initializer: &Initializer,
        span: Span,
    ) -> Lowered<()> {
        let (ty, data) = self.static_data(ty, initializer, span)?;
        let unknown = self.unknown_contents.take();
        let slot = &mut self.link.globals[global];
        slot.unsupported = slot.unsupported.take().or(unknown);
        slot.ty = ty;
        slot.initial = Some(data);
        slot.defined = true;
        Ok(())
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Block scope

    pub fn local_declaration(&mut self, declaration: &Declaration) {
        if declaration.declarators.is_empty() {
            let span = self.place_of(declaration.span);
            let _ = self.full_expression(span, |lowerer| lowerer.resolve_type(declaration.specifiers.ty));
            return;
        }
        for declarator in &declaration.declarators {
            if let Err(Reported) = self.local_declarator(&declaration.specifiers, declarator) {
                continue;
            }
        }
    }

    fn local_declarator(&mut self, specifiers: &Specifiers, init: &InitDeclarator) -> Lowered<()> {
        let declarator = &init.declarator;
        // Temporary objects end with the full declarator as they do with a full expression.
        let span = self.place_of(declarator.span);
        let ty = self.full_expression(span, |lowerer| lowerer.declared_type(specifiers, init))?;
        if self.link.types.is_function(ty.ty) && specifiers.storage != Some(StorageClass::Typedef) {
            let function = self.declare_function(declarator.name, ty.ty, specifiers, declarator.span)?;
            return self.other_function(function, specifiers, declarator);
        }
        match specifiers.storage {
            Some(StorageClass::Typedef) => self.declare_typedef(specifiers, declarator, ty),
            Some(StorageClass::Extern) => self.local_extern(specifiers, declarator, ty),
            Some(StorageClass::Static) => {
                self.require_new(declarator)?;
                self.local_static(specifiers, init, ty)
            }
            _ => {
                self.require_new(declarator)?;
                self.automatic(specifiers, init, ty)
            }
        }
    }

    /// An object without linkage is declared once in its scope (C11 6.7 p3).
    fn require_new(&mut self, declarator: &Declarator) -> Lowered<()> {
        if self.scopes.lookup_here(declarator.name).is_none() {
            return Ok(());
        }
        let text = format!("`{}` is declared twice in this scope", self.name(declarator.name));
        self.error("redefinition", declarator.span, text)
    }

    fn local_extern(&mut self, specifiers: &Specifiers, declarator: &Declarator, ty: QualType) -> Lowered<()> {
        let name = declarator.name;
        let global = match self.scopes.lookup_at_file_scope(name) {
            Some(Entity::Global(global)) => global,
            _ => self.linked_global(specifiers, declarator, ty),
        };
        self.merge_global_type(global, ty);
        self.link.globals[global].thread_local |= specifiers.thread_local;
        self.scopes.declare(name, Entity::Global(global), declarator.span);
        Ok(())
    }

    fn local_static(&mut self, specifiers: &Specifiers, init: &InitDeclarator, ty: QualType) -> Lowered<()> {
        let declarator = &init.declarator;
        let span = declarator.span;
        let global = self.link.add_global(self.ast.name(declarator.name), ty, self.place_of(span));
        self.link.globals[global].thread_local = specifiers.thread_local;
        self.link.globals[global].defined = true;
        self.note_features_of_global(global, ty, specifiers, declarator);
        self.scopes.declare(declarator.name, Entity::Global(global), span);
        match &init.initializer {
            Some(initializer) => self.define_static(global, ty, initializer, span),
            None => Ok(()),
        }
    }

    fn automatic(&mut self, specifiers: &Specifiers, init: &InitDeclarator, ty: QualType) -> Lowered<()> {
        let declarator = &init.declarator;
        let span = self.place_of(declarator.span);
        let name = self.name(declarator.name);
        if self.link.types.is_void(ty.ty) {
            return self.error("type", declarator.span, format!("`{name}` cannot be `void`"));
        }
        let attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        let label = declarator.asm_label.as_ref().map(|_| "a register of its own".to_owned());
        let unsupported = self.unsupported_attribute(attributes).or(label).or_else(|| self.unsupported_part(ty.ty));
        if let Some(what) = unsupported {
            self.unsupported(format!("`{name}` with {what}"), TypeTable::VOID, span);
        }
        if self.is_variable_length(ty.ty) {
            return self.variable_length_array(declarator, ty, span);
        }
        let cleanup = self.cleanup_function(specifiers, declarator)?;
        let align = self.declared_alignment(specifiers, declarator)?;
        let is_looked_at = self.f.address_taken.contains(&declarator.name) || cleanup.is_some() || align.is_some();
        if self.link.types.is_scalar(ty.ty) && !is_looked_at {
            return self.register_variable(init, ty, span);
        }
        let ty = match &init.initializer {
            Some(initializer) => self.complete_by(ty, initializer)?,
            None => ty,
        };
        let local = self.add_local(name, ty.ty, align, declarator.span)?;
        self.f.builder.locals[local].span = span;
        self.protect_constants(local, ty);
        // A second pass over a declaration without initialiser must not disturb a thread that may know the object.
        let is_array = matches!(self.link.types.kind(ty.ty), CType::Array { .. });
        let is_known = init.initializer.is_none()
            && (self.f.escaping.contains(declarator.name, is_array) || self.gives_away_array(declarator.name, ty.ty));
        let passed = is_known.then(|| self.f.builder.pinned(Type::BOOL));
        let may_live = self.begin_in_block(local, passed, span);
        self.scopes.declare(declarator.name, Entity::Local { local, ty }, declarator.span);
        if let Some(function) = cleanup {
            self.at_scope_exit(ScopeExit::Cleanup { function, local });
        }
        let place = Place { kind: PlaceKind::Memory(Address::at(Operand::Local { local, offset: 0 })), ty };
        match &init.initializer {
            Some(initializer) => self.full_expression(span, |lowerer| lowerer.initialise(place, initializer, span)),
            None if may_live => self.make_indeterminate(local, ty, passed, span),
            None => Ok(()),
        }
    }

    /// Whether a member or an element of the object that is an array is given away.
    fn gives_away_array(&self, name: Symbol, ty: TypeId) -> bool {
        let escaping = &self.f.escaping;
        let element = self.link.types.element(ty);
        let has_rows = element.is_some_and(|element| self.link.types.element(element.ty).is_some());
        has_rows && escaping.has_elements(name)
            || escaping.members_of(name).any(|member| self.has_array(ty, self.name(member)))
    }

    /// Whether the record, a record in it or one of its elements has an array of this name.
    fn has_array(&self, ty: TypeId, name: &str) -> bool {
        if let Some(element) = self.link.types.element(ty) {
            return self.has_array(element.ty, name);
        }
        let Some(record) = self.link.types.record(ty) else { return false };
        let members = self.link.types.records[record].layout.iter().flat_map(|layout| &layout.members);
        let is_array = |ty: TypeId| matches!(self.link.types.kind(ty), CType::Array { .. });
        members
            .into_iter()
            .any(|member| (member.name == name && is_array(member.ty.ty)) || self.has_array(member.ty.ty, name))
    }

    fn register_variable(&mut self, init: &InitDeclarator, ty: QualType, span: Span) -> Lowered<()> {
        let declarator = &init.declarator;
        let register = self.f.builder.variable(self.register_type(ty.ty), self.name(declarator.name));
        let place = Place { kind: PlaceKind::Register(register), ty };
        // The scope of the name begins before its initialiser: `int x = x;` reads the new x.
        self.scopes.declare(declarator.name, Entity::Register { register, ty }, declarator.span);
        match &init.initializer {
            Some(initializer) => self.full_expression(span, |lowerer| lowerer.initialise(place, initializer, span)),
            None => {
                self.f.builder.declare_uninitialised(register, span);
                Ok(())
            }
        }
    }

    fn variable_length_array(&mut self, declarator: &Declarator, ty: QualType, span: Span) -> Lowered<()> {
        let size = self.size_value(ty.ty, span)?;
        let pointer = self.f.builder.variable(Type::Pointer, self.name(declarator.name));
        let align = self.link.types.align_of(ty.ty);
        let kind = AllocationKind::Stack;
        self.emit(InstructionKind::Allocate { target: pointer, size, zeroed: false, align, kind, shape: None }, span);
        self.at_scope_exit(ScopeExit::Release(pointer));
        self.scopes.declare(declarator.name, Entity::Indirect { pointer, ty }, declarator.span);
        Ok(())
    }

    fn cleanup_function(&mut self, specifiers: &Specifiers, declarator: &Declarator) -> Lowered<Option<FunctionId>> {
        let attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        for attribute in attributes {
            let AttributeKind::Cleanup(name) = attribute.kind else { continue };
            let Some(Entity::Function(function)) = self.scopes.lookup(name) else {
                let text = format!("`{}` is not a function", self.name(name));
                return self.error("undeclared", attribute.span, text);
            };
            return Ok(Some(function));
        }
        Ok(None)
    }
}

/// `x` of `__attribute__((alias("x")))`.
fn alias_target(specifiers: &Specifiers, declarator: &Declarator) -> Option<String> {
    let attributes = specifiers.attributes.iter().chain(&declarator.attributes);
    attributes.into_iter().find_map(|attribute| match &attribute.kind {
        AttributeKind::Alias(target) | AttributeKind::WeakRef(target) => {
            Some(String::from_utf8_lossy(target).into_owned())
        }
        _ => None,
    })
}

fn is_weak_reference(specifiers: &Specifiers, declarator: &Declarator) -> bool {
    let mut attributes = specifiers.attributes.iter().chain(&declarator.attributes);
    attributes.any(|attribute| matches!(attribute.kind, AttributeKind::WeakRef(_)))
}

/// A declaration and the definition of a function may both say that it is a constructor.
fn note_once(list: &mut Vec<(i64, FunctionId)>, priority: i64, function: FunctionId) {
    if !list.iter().any(|&(_, known)| known == function) {
        list.push((priority, function));
    }
}

/// GNU `extern inline`: the body is only for inlining, another definition counts.
fn is_inline_only(definition: &FunctionDefinition) -> bool {
    let specifiers = &definition.specifiers;
    let attributes = specifiers.attributes.iter().chain(&definition.declarator.attributes);
    let gnu = attributes.into_iter().any(|a| matches!(a.kind, AttributeKind::GnuInline));
    gnu && specifiers.inline && specifiers.storage == Some(StorageClass::Extern)
}

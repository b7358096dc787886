//! Declarations at file scope and in blocks; the walk over a whole translation unit.

use base::Span;
use program::{AllocationKind, FunctionId, GlobalId, InstructionKind, Operand, Type};

use super::Lowerer;
use super::linkage::{is_inline_only, is_weak_reference};
use super::queries::check_static_assertion;
use crate::ast::{
    ArraySize, Asm, Attribute, AttributeKind, Declaration, Declarator, FunctionDefinition, InitDeclarator, Initializer,
    Item, Parameters, Specifiers, StorageClass, TypeExpr, TypeExprId, TypeExprKind,
};
use crate::ctype::{CType, QualType, TypeId, TypeTable};
use crate::declaration_features::{self, FeatureSupport};
use crate::emit::frame::ScopeExit;
use crate::emit::value::{Address, LValue, Lowered, PlaceKind, Reported};
use crate::function_options;
use crate::library::{NamedType, input_name, is_known, type_of_undeclared_input};
use crate::prelude::{self, Models};
use crate::scopes::Entity;
use crate::symbol::Symbol;

impl Lowerer<'_, '_> {
    /// Lowers the functions of the prelude that are referred to, and those that these refer to; `false` if one of them is not
    /// among the models.
    pub fn models(&mut self, models: &Models) -> bool {
        while let Some(function) = self.emit.link.prelude_queue.pop() {
            if self.emit.link.functions[function].body.is_some() {
                continue;
            }
            let name = &self.emit.link.functions[function].name;
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
                Item::StaticAssert(assertion) => check_static_assertion(self, assertion),
                Item::Asm(asm) => self.file_assembly(asm),
                Item::Function(definition) => {
                    let Ok(function) = self.declare_definition(definition) else { continue };
                    let known = self.emit.link.functions[function].body.is_some();
                    let is_inline = definition.specifiers.inline;
                    let has_rival = self.emit.link.inline_definitions.has_rival(self.ast, definition);
                    if has_rival || is_inline_only(definition) || known && is_inline {
                        continue;
                    }
                    let name = self.ast.name(definition.declarator.name);
                    if self.emit.link.weak.gives_way(self.ast, name, known) {
                        if let Some(own) = self.linkage.own_function(definition.declarator.name) {
                            self.emit.link.functions[own].ty = self.emit.link.functions[function].ty;
                            let _: Lowered<()> = self.define_function(own, definition);
                        }
                        continue;
                    }
                    let is_replaced = std::mem::replace(&mut self.emit.link.functions[function].replaceable, is_inline);
                    if !self.built_in && known && !is_replaced {
                        let name = self.emit.link.functions[function].name.clone();
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
        if declaration_features::assembly(&text) == FeatureSupport::Unsupported {
            self.unsupported_anywhere("assembly outside of functions".to_owned(), asm.span);
        }
    }

    fn unsupported_anywhere(&mut self, what: String, span: Span) {
        let span = self.place_of(span);
        self.emit.link.unsupported_anywhere.get_or_insert((what, span));
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
        if !self.built_in || !self.emit.link.functions[function].defined {
            let least_elements = self.least_elements(definition);
            self.emit.link.functions[function].least_elements = least_elements;
            self.emit.link.functions[function].ty = ty;
            self.emit.link.functions[function].span = self.place_of(definition.span);
        }
        let attributes = definition.specifiers.attributes.iter().chain(&definition.declarator.attributes);
        for attribute in attributes.clone() {
            self.note_constructor(function, attribute);
            self.linkage.note_options(function, attribute);
        }
        let option = function_options::unsupported(self.linkage.options_of(function))
            .map(|option| format!("the option `{option}`"));
        let unsupported = self.inspect().unsupported_attribute(attributes).or(option);
        self.emit.link.note_unsupported_function(function, unsupported);
        Ok(function)
    }

    fn note_constructor(&mut self, function: FunctionId, attribute: &Attribute) {
        let priority = |lowerer: &mut Self, expr: Option<crate::ast::ExprId>| {
            expr.and_then(|expr| lowerer.try_integer_constant(expr)).unwrap_or(65536) as i64
        };
        match attribute.kind {
            AttributeKind::Constructor(expr) => {
                let priority = priority(self, expr);
                note_once(&mut self.emit.link.constructors, priority, function);
            }
            AttributeKind::Destructor(expr) => {
                let priority = priority(self, expr);
                note_once(&mut self.emit.link.destructors, priority, function);
            }
            // What is copied may be one of these two; the call is unsupported as all uses are.
            AttributeKind::Other(name)
                if self.name(name) == "copy" && self.emit.link.has_constructors_or_destructors() =>
            {
                let priority = priority(self, None);
                note_once(&mut self.emit.link.constructors, priority, function);
            }
            _ => {}
        }
    }

    /// Declares a function in the current scope.
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
        let function = self.linkage.declare(name, ty, specifiers.storage, span, self.emit.link);
        if !self.emit.link.merge_function_type(function, ty) && !self.built_in {
            let name = self.emit.link.functions[function].name.clone();
            self.warn("type", span, format!("`{name}` is declared with different types"));
        }
        let noreturn =
            specifiers.noreturn || specifiers.attributes.iter().any(|a| matches!(a.kind, AttributeKind::Noreturn));
        self.emit.link.functions[function].noreturn |= noreturn;
        self.scopes.declare(name, Entity::Function(function), span);
        Ok(function)
    }

    /// A call of an undeclared function declares it as `int f()`.
    pub fn declare_implicitly(&mut self, name: Symbol, span: Span) -> FunctionId {
        let text = self.ast.name(name);
        if !self.built_in {
            self.warn("implicit-declaration", span, format!("`{text}` is called but not declared"));
        }
        let result = QualType::plain(
            match input_name(text).map(|name| type_of_undeclared_input(&mut self.emit.link.types, name)) {
                Some(NamedType::Known(ty)) => ty,
                // Without a result it is no input.
                Some(NamedType::Unsupported) => TypeTable::VOID,
                None => TypeTable::INT,
            },
        );
        let signature =
            crate::ctype::FunctionType { result, parameters: Vec::new(), variadic: false, prototype: false };
        let ty = self.emit.link.types.intern(CType::Function(signature));
        let function = self.linkage.called(name, ty, span, self.emit.link);
        if self.emit.link.types.function(self.emit.link.functions[function].ty).is_none() {
            self.emit.link.functions[function].ty = ty;
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
        if self.emit.link.types.is_function(ty.ty) {
            let function = self.declare_function(declarator.name, ty.ty, specifiers, declarator.span)?;
            let attributes = specifiers.attributes.iter().chain(&declarator.attributes);
            for attribute in attributes.clone() {
                self.note_constructor(function, attribute);
                self.linkage.note_options(function, attribute);
                self.emit.link.functions[function].weak |= matches!(attribute.kind, AttributeKind::Weak);
            }
            let unsupported = self.inspect().unsupported_attribute(attributes);
            self.emit.link.note_unsupported_function(function, unsupported);
            return self.other_function(function, ty.ty, specifiers, declarator);
        }
        if let Some(target) = self.linkage.alias_target(specifiers, declarator) {
            let is_absent = is_weak_reference(specifiers, declarator) && self.emit.link.weak.is_absent_target(&target);
            return self.alias_variable(declarator, ty, &target, is_absent);
        }
        let global = self.declare_global(declarator, ty, specifiers)?;
        self.note_features_of_global(global, ty, specifiers, declarator);
        self.define_global(global, ty, specifiers, init)
    }

    /// An alias is the function that it names; an assembler label is the name that the linker knows.
    fn other_function(
        &mut self,
        function: FunctionId,
        ty: TypeId,
        specifiers: &Specifiers,
        declarator: &Declarator,
    ) -> Lowered<()> {
        let Some(other) = self.linkage.other_function_name(specifiers, declarator) else { return Ok(()) };
        let own = self.ast.name(declarator.name);
        match self.linkage.aliased_function(specifiers, declarator, &other, self.emit.link) {
            Some(target) => {
                self.emit.link.merge_function_type(target, ty);
                self.scopes.declare(declarator.name, Entity::Function(target), declarator.span);
            }
            // The C library gives functions that we know by their own name other labels.
            None if is_known(own) => {}
            None if is_weak_reference(specifiers, declarator) && self.emit.link.weak.is_absent_target(&other) => {
                self.emit.link.functions[function].absent = true;
            }
            None => self.emit.link.note_unsupported_function(function, Some(format!("the assembler name `{other}`"))),
        }
        Ok(())
    }

    /// `extern int y __attribute__((alias("x")));` is `x` under another name.
    fn alias_variable(&mut self, declarator: &Declarator, ty: QualType, target: &str, is_absent: bool) -> Lowered<()> {
        let name = self.ast.name(declarator.name);
        if let Some(global) = self.linkage.object_named(declarator.name) {
            self.emit.link.take_global_type(global, ty);
            self.scopes.declare(declarator.name, Entity::Global(global), declarator.span);
            return Ok(());
        }
        let global = self.emit.link.external_global(name, ty, self.place_of(declarator.span));
        self.emit.link.globals[global].absent = is_absent;
        self.emit.link.globals[global].unsupported = Some(format!("attribute `alias` for `{target}`"));
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
        let unsupported =
            self.inspect().unsupported_attribute(attributes).or_else(|| self.emit.link.types.unsupported_part(ty.ty));
        let slot = &mut self.emit.link.globals[global];
        slot.weak |= weak;
        slot.unsupported = slot.unsupported.take().or(unsupported);
    }

    /// A type may be named again, but not another one (C11 6.7 p3).
    fn declare_typedef(&mut self, specifiers: &Specifiers, declarator: &Declarator, ty: QualType) -> Lowered<()> {
        match self.scopes.lookup_here(declarator.name) {
            None => {}
            Some(Entity::Typedef { ty: known, .. }) if self.emit.link.types.compatible(known.ty, ty.ty) => {}
            Some(_) => return self.declared_otherwise(declarator.name, declarator.span),
        }
        if let Some(what) =
            self.inspect().unsupported_attribute(specifiers.attributes.iter().chain(&declarator.attributes))
        {
            let is_this = |ty: &TypeExpr| matches!(ty.kind, TypeExprKind::Typedef(name) if name == declarator.name);
            if self.ast.types.iter().any(is_this) {
                self.unsupported_anywhere(format!("`{}` with {what}", self.name(declarator.name)), declarator.span);
            }
        }
        let own = self.own_alignment(specifiers, declarator)?;
        let align = own.or_else(|| self.inspect().typedef_alignment(declarator.ty));
        self.scopes.declare(declarator.name, Entity::Typedef { ty, align }, declarator.span);
        Ok(())
    }

    fn declared_otherwise<T>(&mut self, name: Symbol, span: Span) -> Lowered<T> {
        let text = format!("`{}` conflicts with an earlier declaration", self.name(name));
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
        let ty = self.type_resolver().apply_attributes(ty, &specifiers.attributes)?;
        self.type_resolver().apply_attributes(ty, &init.declarator.attributes)
    }

    fn declare_global(&mut self, declarator: &Declarator, ty: QualType, specifiers: &Specifiers) -> Lowered<GlobalId> {
        let (name, span) = (declarator.name, declarator.span);
        let existing = self.scopes.lookup_at_file_scope(name);
        let global = match existing {
            Some(Entity::Global(global))
                if self.emit.link.types.compatible(self.emit.link.globals[global].ty.ty, ty.ty) =>
            {
                global
            }
            Some(_) => return self.declared_otherwise(name, span),
            None if specifiers.storage == Some(StorageClass::Static) => match self.linkage.static_object(name) {
                Some(global) => {
                    self.emit.link.take_global_type(global, ty);
                    global
                }
                None => self.emit.link.add_global(self.ast.name(name), ty, self.place_of(span)),
            },
            None => {
                let global = self.linked_global(specifiers, declarator, ty);
                self.emit.link.take_global_type(global, ty);
                if !self.emit.link.types.compatible(self.emit.link.globals[global].ty.ty, ty.ty) {
                    return self.declared_otherwise(name, span);
                }
                global
            }
        };
        self.emit.link.merge_global_type(global, ty);
        if specifiers.thread_local {
            self.emit.link.globals[global].thread_local = true;
        }
        self.raise_alignment(global, specifiers, declarator)?;
        self.scopes.declare(name, Entity::Global(global), span);
        Ok(global)
    }

    fn raise_alignment(&mut self, global: GlobalId, specifiers: &Specifiers, declarator: &Declarator) -> Lowered<()> {
        if let Some(align) = self.declared_alignment(specifiers, declarator)? {
            let slot = &mut self.emit.link.globals[global];
            slot.align = slot.align.max(align);
        }
        Ok(())
    }

    /// The object that the linker knows by the name of this declaration. A label may also be the name of an object without
    /// external linkage.
    fn linked_global(&mut self, specifiers: &Specifiers, declarator: &Declarator, ty: QualType) -> GlobalId {
        let other = self.linkage.linker_name(specifiers, declarator);
        let symbol = other.as_ref().and_then(|other| self.ast.names.lookup(other));
        if let Some(Entity::Global(global)) = symbol.and_then(|symbol| self.scopes.lookup_at_file_scope(symbol)) {
            return global;
        }
        let name = other.unwrap_or_else(|| self.ast.name(declarator.name).to_owned());
        self.emit.link.external_global(&name, ty, self.place_of(declarator.span))
    }

    fn declared_alignment(&mut self, specifiers: &Specifiers, declarator: &Declarator) -> Lowered<Option<u64>> {
        let own = self.own_alignment(specifiers, declarator)?;
        Ok(own.max(self.inspect().typedef_alignment(declarator.ty)))
    }

    /// What the declaration itself asks for.
    fn own_alignment(&mut self, specifiers: &Specifiers, declarator: &Declarator) -> Lowered<Option<u64>> {
        let attributes: Vec<Attribute> = specifiers.attributes.iter().chain(&declarator.attributes).cloned().collect();
        self.type_resolver().alignment(&attributes, &specifiers.alignment)
    }

    fn define_global(
        &mut self,
        global: GlobalId,
        ty: QualType,
        specifiers: &Specifiers,
        init: &InitDeclarator,
    ) -> Lowered<()> {
        let span = init.declarator.span;
        let is_known = self.emit.link.globals[global].defined;
        if self.emit.link.weak.gives_way(self.ast, self.ast.name(init.declarator.name), is_known) {
            return self.define_own_object(ty, specifiers, init);
        }
        if let Some(initializer) = &init.initializer {
            if self.emit.link.globals[global].initial.is_some() {
                let text = format!("`{}` is initialised twice", self.name(init.declarator.name));
                return self.error("redefinition", span, text);
            }
            self.emit.link.globals[global].span = self.place_of(span);
            return self.define_static(global, ty, initializer, span);
        }
        if specifiers.storage != Some(StorageClass::Extern) {
            self.emit.link.globals[global].defined = true;
            self.emit.link.globals[global].span = self.place_of(span);
            // A record or array type may still be completed later in the file.
            let known = self.emit.link.globals[global].ty;
            if self.emit.link.types.size_of(known.ty).is_none() && !self.emit.link.types.is_aggregate(known.ty) {
                let text = format!("`{}` has an incomplete type", self.name(init.declarator.name));
                return self.error("type", span, text);
            }
        }
        Ok(())
    }

    /// A weak definition where another one counts, which has another name.
    fn define_own_object(&mut self, ty: QualType, specifiers: &Specifiers, init: &InitDeclarator) -> Lowered<()> {
        let Some(global) = self.linkage.own_object(init.declarator.name) else { return Ok(()) };
        self.emit.link.take_global_type(global, ty);
        self.raise_alignment(global, specifiers, &init.declarator)?;
        let slot = &mut self.emit.link.globals[global];
        slot.thread_local |= specifiers.thread_local;
        slot.defined |= specifiers.storage != Some(StorageClass::Extern);
        match &init.initializer {
            Some(initializer) => self.define_static(global, ty, initializer, init.declarator.span),
            None => Ok(()),
        }
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
        let unknown = self.emit.unknown_contents.take();
        let slot = &mut self.emit.link.globals[global];
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
        if self.emit.link.types.is_function(ty.ty) && specifiers.storage != Some(StorageClass::Typedef) {
            let function = self.declare_function(declarator.name, ty.ty, specifiers, declarator.span)?;
            return self.other_function(function, ty.ty, specifiers, declarator);
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
        self.emit.link.merge_global_type(global, ty);
        self.emit.link.globals[global].thread_local |= specifiers.thread_local;
        self.scopes.declare(name, Entity::Global(global), declarator.span);
        Ok(())
    }

    fn local_static(&mut self, specifiers: &Specifiers, init: &InitDeclarator, ty: QualType) -> Lowered<()> {
        let declarator = &init.declarator;
        let span = declarator.span;
        let global = self.emit.link.add_global(self.ast.name(declarator.name), ty, self.place_of(span));
        self.emit.link.globals[global].thread_local = specifiers.thread_local;
        self.emit.link.globals[global].defined = true;
        self.raise_alignment(global, specifiers, declarator)?;
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
        if self.emit.link.types.is_void(ty.ty) {
            return self.error("type", declarator.span, format!("`{name}` cannot be `void`"));
        }
        let attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        let label = declarator.asm_label.as_ref().map(|_| "an explicit register".to_owned());
        let unsupported = self
            .inspect()
            .unsupported_attribute(attributes)
            .or(label)
            .or_else(|| self.emit.link.types.unsupported_part(ty.ty));
        if let Some(what) = unsupported {
            self.emit.unsupported(format!("`{name}` with {what}"), TypeTable::VOID, span);
        }
        let cleanup = self.cleanup_function(specifiers, declarator)?;
        let align = self.declared_alignment(specifiers, declarator)?;
        if self.emit.link.types.is_variable_length(ty.ty) {
            return self.variable_length_array(declarator, ty, align, cleanup);
        }
        let is_looked_at = self.body.address_taken.contains(&declarator.name) || cleanup.is_some() || align.is_some();
        if self.emit.link.types.is_scalar(ty.ty) && !is_looked_at {
            return self.register_variable(init, ty, span);
        }
        let ty = match &init.initializer {
            Some(initializer) => self.complete_by(ty, initializer)?,
            None => ty,
        };
        let local = self.emit.add_local(name, ty.ty, align, declarator.span)?;
        self.emit.builder.locals[local].span = span;
        self.emit.protect_constants(local, ty);
        // A second pass over a declaration without initialiser must not disturb a thread that may know the object.
        let is_array = matches!(self.emit.link.types.kind(ty.ty), CType::Array { .. });
        let is_known = init.initializer.is_none()
            && (self.body.escaping.contains(declarator.name, is_array)
                || self.gives_away_array(declarator.name, ty.ty));
        let passed = is_known.then(|| self.emit.builder.pinned(Type::BOOL));
        let may_live = self.emit.begin_in_block(local, passed, span);
        self.scopes.declare(declarator.name, Entity::Local { local, ty }, declarator.span);
        if let Some(function) = cleanup {
            let object = Operand::Local { local, offset: 0 };
            self.emit.at_scope_exit(ScopeExit::Cleanup { function, object });
        }
        let place = LValue { kind: PlaceKind::Memory(Address::at(Operand::Local { local, offset: 0 })), ty };
        match &init.initializer {
            Some(initializer) => self.full_expression(span, |lowerer| lowerer.initialise(place, initializer, span)),
            None if may_live => self.emit.make_indeterminate(local, ty, passed, span),
            None => Ok(()),
        }
    }

    /// Whether a member or an element of the object that is an array is given away.
    fn gives_away_array(&self, name: Symbol, ty: TypeId) -> bool {
        let escaping = &self.body.escaping;
        let element = self.emit.link.types.element(ty);
        let has_rows = element.is_some_and(|element| self.emit.link.types.element(element.ty).is_some());
        has_rows && escaping.has_elements(name)
            || escaping.members_of(name).any(|member| self.emit.link.types.has_array(ty, self.name(member)))
    }

    fn register_variable(&mut self, init: &InitDeclarator, ty: QualType, span: Span) -> Lowered<()> {
        let declarator = &init.declarator;
        let register = self.emit.builder.variable(self.emit.register_type(ty.ty), self.name(declarator.name));
        let place = LValue { kind: PlaceKind::Register(register), ty };
        // The scope of the name begins before its initialiser: `int x = x;` reads the new x.
        self.scopes.declare(declarator.name, Entity::Register { register, ty }, declarator.span);
        match &init.initializer {
            Some(initializer) => self.full_expression(span, |lowerer| lowerer.initialise(place, initializer, span)),
            None => {
                self.emit.builder.declare_uninitialised(register, span);
                Ok(())
            }
        }
    }

    fn variable_length_array(
        &mut self,
        declarator: &Declarator,
        ty: QualType,
        align: Option<u64>,
        cleanup: Option<FunctionId>,
    ) -> Lowered<()> {
        let span = self.place_of(declarator.span);
        let size = self.emit.size_value(ty.ty, span)?;
        let pointer = self.emit.builder.variable(Type::Pointer, self.name(declarator.name));
        let align = align.unwrap_or(1).max(self.emit.link.types.align_of(ty.ty));
        let kind = AllocationKind::Stack;
        self.emit
            .builder
            .emit(InstructionKind::Allocate { target: pointer, size, zeroed: false, align, kind, shape: None }, span);
        self.emit.at_scope_exit(ScopeExit::Release(pointer));
        if let Some(function) = cleanup {
            self.emit.at_scope_exit(ScopeExit::Cleanup { function, object: Operand::Register(pointer) });
        }
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

/// A declaration and the definition of a function may both say that it is a constructor.
fn note_once(list: &mut Vec<(i64, FunctionId)>, priority: i64, function: FunctionId) {
    if !list.iter().any(|&(_, known)| known == function) {
        list.push((priority, function));
    }
}

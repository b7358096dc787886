//! Weak symbols that nothing defines: their address is null (ELF gABI, "Symbol Table"), which programs test for.

use rustc_hash::FxHashSet;

use crate::ast::{
    Attribute, AttributeKind, Declaration, Declarator, InitDeclarator, Item, Specifiers, StmtKind, StorageClass,
    TranslationUnit, TypeExprKind,
};
use crate::library::is_known;

/// Which names with external linkage nothing in the program defines although it refers to them weakly.
#[derive(Default)]
pub struct WeakSymbols {
    defined: FxHashSet<String>,
    absent: FxHashSet<String>,
    /// Functions of the library that the program refers to weakly.
    doubtful: FxHashSet<String>,
    /// Names with a weak definition.
    weakly_defined: FxHashSet<String>,
    /// Names with a definition that is not weak, which counts.
    strongly_defined: FxHashSet<String>,
}

impl WeakSymbols {
    pub fn of(units: &[TranslationUnit]) -> Self {
        let (mut weak, mut defined) = (FxHashSet::default(), FxHashSet::default());
        let (mut weakly_defined, mut strongly_defined) = (FxHashSet::default(), FxHashSet::default());
        for unit in units {
            let own = weak_names(unit);
            for name in defined_names(unit) {
                if own.contains(&name) { &mut weakly_defined } else { &mut strongly_defined }.insert(name.clone());
                defined.insert(name);
            }
            weak.extend(own);
        }
        let undefined = weak.into_iter().filter(|name| !defined.contains(name));
        let (doubtful, absent) = undefined.partition(|name| is_known(name));
        Self { defined, absent, doubtful, weakly_defined, strongly_defined }
    }

    /// Whether the address of the name is null.
    pub fn is_absent(&self, name: &str) -> bool {
        self.absent.contains(name)
    }

    /// Whether the address of the name depends on which libraries the program is linked with.
    pub fn is_doubtful(&self, name: &str) -> bool {
        self.doubtful.contains(name)
    }

    /// Whether the definition in this unit, one of several, is weak, and so does not count beside the others. `is_known` says
    /// that one of the others is known already.
    pub fn gives_way(&self, unit: &TranslationUnit, name: &str, is_known: bool) -> bool {
        self.weakly_defined.contains(name)
            && (is_known || self.strongly_defined.contains(name))
            && weak_names(unit).contains(name)
    }

    /// Whether `weakref("name")` leads nowhere.
    pub fn is_absent_target(&self, name: &str) -> bool {
        !self.defined.contains(name) && !is_known(name)
    }
}

/// The names that the unit calls weak.
fn weak_names(unit: &TranslationUnit) -> FxHashSet<String> {
    let mut weak: FxHashSet<String> = unit.weak_names.iter().cloned().collect();
    for item in &unit.items {
        match item {
            Item::Declaration(declaration) => weak.extend(weak_declarators(unit, declaration)),
            Item::Function(definition) if is_weak(&definition.specifiers, &definition.declarator) => {
                weak.insert(unit.name(definition.declarator.name).to_owned());
            }
            _ => {}
        }
    }
    for statement in &unit.stmts {
        if let StmtKind::Declaration(declaration) = &statement.kind {
            weak.extend(weak_declarators(unit, declaration));
        }
    }
    weak
}

/// The names with external linkage that the unit defines.
fn defined_names(unit: &TranslationUnit) -> Vec<String> {
    let mut defined = Vec::new();
    for item in &unit.items {
        match item {
            Item::Function(definition) if !is_static(&definition.specifiers) => {
                defined.push(unit.name(definition.declarator.name).to_owned());
            }
            Item::Declaration(declaration) => {
                let own = declaration.declarators.iter().filter(|init| is_definition(unit, declaration, init));
                defined.extend(own.map(|init| unit.name(init.declarator.name).to_owned()));
            }
            _ => {}
        }
    }
    defined
}

fn is_weak(specifiers: &Specifiers, declarator: &Declarator) -> bool {
    !is_static(specifiers) && attributes(specifiers, declarator).any(|own| matches!(own.kind, AttributeKind::Weak))
}

fn is_static(specifiers: &Specifiers) -> bool {
    specifiers.storage == Some(StorageClass::Static)
}

fn attributes<'a>(specifiers: &'a Specifiers, declarator: &'a Declarator) -> impl Iterator<Item = &'a Attribute> {
    specifiers.attributes.iter().chain(&declarator.attributes)
}

fn is_definition(unit: &TranslationUnit, declaration: &Declaration, init: &InitDeclarator) -> bool {
    let specifiers = &declaration.specifiers;
    let is_alias = attributes(specifiers, &init.declarator).any(|own| matches!(own.kind, AttributeKind::Alias(_)));
    let is_function = matches!(unit[init.declarator.ty].kind, TypeExprKind::Function { .. });
    let is_object = specifiers.storage != Some(StorageClass::Extern) && !is_function;
    let is_typedef = specifiers.storage == Some(StorageClass::Typedef);
    !is_static(specifiers) && !is_typedef && (is_alias || is_object || init.initializer.is_some())
}

fn weak_declarators<'a>(
    unit: &'a TranslationUnit,
    declaration: &'a Declaration,
) -> impl Iterator<Item = String> + use<'a> {
    let is_weak = |init: &&InitDeclarator| is_weak(&declaration.specifiers, &init.declarator);
    declaration.declarators.iter().filter(is_weak).map(|init| unit.name(init.declarator.name).to_owned())
}

//! What names stand for, scope by scope.

use base::Span;
use program::{FunctionId, GlobalId, LocalId, RegisterId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ctype::{EnumDefId, QualType, RecordDefId, TypeId};
use crate::symbol::Symbol;

#[derive(Clone, Copy, Debug)]
pub enum Entity {
    /// A name for a type, with the alignment that it adds to what is declared by it.
    Typedef {
        ty: QualType,
        align: Option<u64>,
    },
    /// An enumerator.
    Constant {
        value: i128,
        ty: TypeId,
    },
    /// A scalar local whose address is not taken.
    Register {
        register: RegisterId,
        ty: QualType,
    },
    Local {
        local: LocalId,
        ty: QualType,
    },
    /// An object whose address a register holds: a variable-length array.
    Indirect {
        pointer: RegisterId,
        ty: QualType,
    },
    /// The linker knows its type, which a later declaration may complete.
    Global(GlobalId),
    Function(FunctionId),
}

#[derive(Clone, Copy, Debug)]
pub enum Tag {
    Record(RecordDefId),
    Enum(EnumDefId),
}

#[derive(Default)]
struct Scope {
    names: FxHashMap<Symbol, (Entity, Span)>,
    tags: FxHashMap<Symbol, Tag>,
}

/// The innermost scope is the last; the first is the file.
pub struct Scopes {
    scopes: Vec<Scope>,
}

impl Scopes {
    pub fn new() -> Self {
        Self { scopes: vec![Scope::default()] }
    }

    pub fn push(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub fn pop(&mut self) {
        self.scopes.pop();
    }

    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    pub fn truncate(&mut self, depth: usize) {
        self.scopes.truncate(depth);
    }

    pub fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    pub fn declare(&mut self, name: Symbol, entity: Entity, span: Span) {
        self.innermost().names.insert(name, (entity, span));
    }

    pub fn declare_at_file_scope(&mut self, name: Symbol, entity: Entity, span: Span) {
        self.scopes[0].names.insert(name, (entity, span));
    }

    pub fn declare_tag(&mut self, name: Symbol, tag: Tag) {
        self.innermost().tags.insert(name, tag);
    }

    pub fn lookup(&self, name: Symbol) -> Option<Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(&name)).map(|(entity, _)| *entity)
    }

    /// Every name with what it stands for here, the innermost scope first.
    pub fn visible(&self) -> Vec<(Symbol, Entity)> {
        let mut found: Vec<(Symbol, Entity)> = Vec::new();
        let mut known = FxHashSet::default();
        for scope in self.scopes.iter().rev() {
            let mut names: Vec<(Symbol, Entity)> =
                scope.names.iter().map(|(&name, &(entity, _))| (name, entity)).collect();
            names.sort_unstable_by_key(|&(name, _)| name.0);
            found.extend(names.into_iter().filter(|&(name, _)| known.insert(name)));
        }
        found
    }

    /// The entity in the innermost scope only.
    pub fn lookup_here(&self, name: Symbol) -> Option<Entity> {
        self.scopes.last().and_then(|scope| scope.names.get(&name)).map(|(entity, _)| *entity)
    }

    pub fn lookup_at_file_scope(&self, name: Symbol) -> Option<Entity> {
        self.scopes[0].names.get(&name).map(|(entity, _)| *entity)
    }

    pub fn lookup_tag(&self, name: Symbol) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(&name)).copied()
    }

    pub fn lookup_tag_here(&self, name: Symbol) -> Option<Tag> {
        self.scopes.last().and_then(|scope| scope.tags.get(&name)).copied()
    }

    fn innermost(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the file scope should always be there")
    }
}

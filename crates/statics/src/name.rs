//! Names of values: two values of one thread with the same name are equal at run time (value numbering, after Alpern,
//! Wegman and Zadeck, POPL 1988). They tell that the lock in `lock(&a[i].mutex)` is that of `a[i].data`.
//!
//! A name is built from *roots*: what an instruction produced when it was last executed, what a register holds since it was
//! last assigned. Whoever executes the instruction or assigns the register again must first forget every name that
//! depends on that root ([`AbsState::forget`](crate::state::State::forget)).

use base::{Id, IdVec, define_id};
use program::{BinaryOp, CastOp, FunctionId, LocalId, Location, RegisterId, UnaryOp};

use crate::identity::{ContextId, Interned, ObjectId};

define_id!(
    /// What a name says without its additive constant.
    NameId,
    "n"
);

/// A value: that of `base` plus a constant number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name {
    pub base: NameId,
    pub plus: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    Unary(UnaryOp, u8),
    Binary(BinaryOp, u8),
    Cast(CastOp, u8, u8),
    PointerAdd,
    PointerDifference,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum NameKind {
    /// The number 0.
    Zero,
    /// The address of a global, or of the thread's own instance.
    Global(ObjectId),
    Function(FunctionId),
    /// A root: what the instruction produced when this context last executed it.
    Result(ContextId, Location, u8),
    /// A root: what the register of this frame holds.
    Register(ContextId, RegisterId),
    /// A root: the address of the present instance of the frame's local.
    Local(ContextId, LocalId),
    Expression(Operator, [Option<Name>; 2]),
}

#[derive(Default)]
pub struct Names {
    kinds: Interned<NameId, NameKind>,
    /// The roots of each name, in ascending order.
    roots: IdVec<NameId, Vec<NameId>>,
}

/// A name that depends on more roots than this is not worth keeping.
const MOST_ROOTS: usize = 6;

impl Names {
    pub fn base(&mut self, kind: NameKind) -> NameId {
        let id = self.kinds.intern(kind.clone());
        if self.roots.len() <= id.index() {
            let roots = match kind {
                NameKind::Zero | NameKind::Global(_) | NameKind::Function(_) => Vec::new(),
                NameKind::Result(..) | NameKind::Register(..) | NameKind::Local(..) => vec![id],
                NameKind::Expression(_, operands) => self.roots_of(&operands),
            };
            self.roots.push(roots);
        }
        id
    }

    pub fn name(&mut self, kind: NameKind) -> Name {
        Name { base: self.base(kind), plus: 0 }
    }

    pub fn constant(&mut self, value: i64) -> Name {
        Name { base: self.base(NameKind::Zero), plus: value }
    }

    pub fn expression(&mut self, operator: Operator, operands: [Option<Name>; 2]) -> Option<Name> {
        (self.roots_of(&operands).len() <= MOST_ROOTS).then(|| self.name(NameKind::Expression(operator, operands)))
    }

    fn roots_of(&self, operands: &[Option<Name>; 2]) -> Vec<NameId> {
        let mut roots: Vec<NameId> =
            operands.iter().flatten().flat_map(|name| self.roots[name.base].iter().copied()).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    pub fn kind(&self, id: NameId) -> &NameKind {
        &self.kinds.items[id]
    }

    /// The root, if any name mentions it.
    pub fn find(&self, kind: &NameKind) -> Option<NameId> {
        self.kinds.find(kind)
    }

    pub fn depends(&self, name: Name, root: NameId) -> bool {
        self.roots[name.base].contains(&root)
    }

    /// The contexts whose execution may change what the name stands for.
    pub fn contexts(&self, name: Name) -> impl Iterator<Item = ContextId> + '_ {
        self.roots[name.base].iter().filter_map(|&root| match *self.kind(root) {
            NameKind::Result(context, ..) | NameKind::Register(context, _) | NameKind::Local(context, _) => {
                Some(context)
            }
            _ => None,
        })
    }

    /// The pointer that a pointer was computed from by additions.
    pub fn origin(&self, name: Name) -> NameId {
        let mut base = name.base;
        while let NameKind::Expression(Operator::PointerAdd, [Some(pointer), _]) = self.kind(base) {
            base = pointer.base;
        }
        base
    }
}

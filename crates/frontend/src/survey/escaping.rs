//! Which names a function gives away, so that code elsewhere, and with it another thread, may know their objects.
//!
//! Only library functions are known to forget what they get; those that create threads or store values do not.

use rustc_hash::FxHashSet;

use crate::ast::{Asm, ExprId, ExprKind, StmtId, TranslationUnit, UnaryOp};
use crate::library::treatment;
use crate::prelude;
use crate::symbol::Symbol;
use crate::visit::{Visit, parts_of};

#[derive(Default)]
pub struct Escaping {
    /// Names whose address is taken with `&`.
    addressed: FxHashSet<Symbol>,
    /// Names that stand for themselves: what an array gives away is its address.
    named: FxHashSet<Symbol>,
    /// Members that stand for themselves, each with the name of its object: the same holds for members that are arrays.
    members: FxHashSet<(Symbol, Symbol)>,
    /// Names of which an element stands for itself: the same holds for elements that are arrays.
    indexed: FxHashSet<Symbol>,
}

impl Escaping {
    /// Of a unit that creates no threads nothing needs to be known.
    pub fn of(ast: &TranslationUnit, body: StmtId) -> Self {
        let is_creator = |name: &Symbol| CREATORS.contains(&ast.name(*name));
        if !ast.exprs.iter().any(|expr| matches!(&expr.kind, ExprKind::Name(name) if is_creator(name))) {
            return Self::default();
        }
        let mut search = EscapeSearch { ast, found: Self::default() };
        search.statement(body);
        search.found
    }

    pub fn contains(&self, name: Symbol, is_array: bool) -> bool {
        self.addressed.contains(&name) || is_array && self.named.contains(&name)
    }

    /// Whether an element is given away if it is an array.
    pub fn has_elements(&self, name: Symbol) -> bool {
        self.indexed.contains(&name)
    }

    /// The members of an object that are given away if they are arrays.
    pub fn members_of(&self, name: Symbol) -> impl Iterator<Item = Symbol> {
        self.members.iter().filter(move |(object, _)| *object == name).map(|(_, member)| *member)
    }
}

const CREATORS: [&str; 2] = ["pthread_create", "thrd_create"];

/// Library functions that keep an address beyond their call.
const KEEPERS: [&str; 6] = ["openlog", "strtok", "setbuf", "setvbuf", "pthread_setspecific", "tss_set"];

struct EscapeSearch<'a> {
    ast: &'a TranslationUnit,
    found: Escaping,
}

impl<'a> Visit<'a> for EscapeSearch<'a> {
    fn ast(&self) -> &'a TranslationUnit {
        self.ast
    }

    fn asm(&mut self, asm: &Asm) {
        asm.outputs.iter().chain(&asm.inputs).for_each(|operand| self.expression(operand.value));
    }

    fn expression(&mut self, id: ExprId) {
        match &self.ast[id].kind {
            ExprKind::Name(name) => _ = self.found.named.insert(*name),
            ExprKind::Member { field, arrow: false, .. } => {
                self.found.members.extend(self.object(id).map(|object| (object, *field)));
                self.parts(id);
            }
            ExprKind::Index { .. } => {
                self.found.indexed.extend(self.object(id));
                self.parts(id);
            }
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } => {
                self.found.addressed.extend(self.object(*operand));
                self.parts(*operand);
            }
            ExprKind::Call { callee, arguments } if self.forgets(*callee) => {
                arguments.iter().for_each(|argument| self.forgotten(*argument));
            }
            _ => self.parts(id),
        }
    }
}

impl EscapeSearch<'_> {
    fn parts(&mut self, id: ExprId) {
        let accessed = match self.ast[id].kind {
            ExprKind::Index { base, .. } | ExprKind::Member { base, arrow: false, .. } => Some(base),
            _ => None,
        };
        let (mut parts, mut bodies) = (Vec::new(), Vec::new());
        parts_of(self.ast, id, &mut parts, &mut bodies);
        for part in parts {
            match self.ast[part].kind {
                ExprKind::Name(_) if Some(part) == accessed => {}
                ExprKind::Member { arrow: false, .. } | ExprKind::Index { .. } if Some(part) == accessed => {
                    self.parts(part);
                }
                _ => self.expression(part),
            }
        }
        bodies.into_iter().for_each(|body| self.statement(body));
    }

    /// The name of the object that a place is in.
    fn object(&self, mut place: ExprId) -> Option<Symbol> {
        loop {
            match self.ast[place].kind {
                ExprKind::Name(name) => return Some(name),
                ExprKind::Index { base, .. } | ExprKind::Member { base, arrow: false, .. } => place = base,
                _ => return None,
            }
        }
    }

    fn forgets(&self, callee: ExprId) -> bool {
        let ExprKind::Name(name) = self.ast[callee].kind else { return false };
        let name = self.ast.name(name);
        // An atomic operation may store an address.
        let keeps =
            CREATORS.contains(&name) || KEEPERS.contains(&name) || name.contains("atomic") || name.contains("sync");
        !keeps && (treatment(name).is_some() || library::row(name).is_some() || prelude::defines(name))
    }

    /// An argument that is not kept.
    fn forgotten(&mut self, argument: ExprId) {
        match self.ast[argument].kind {
            ExprKind::Name(_) => {}
            ExprKind::Member { arrow: false, .. } | ExprKind::Index { .. } => self.parts(argument),
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } => self.parts(operand),
            ExprKind::Cast { operand, .. } => self.forgotten(operand),
            _ => self.parts(argument),
        }
    }
}

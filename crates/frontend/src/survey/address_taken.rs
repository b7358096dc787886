//! Which names have their address taken somewhere in a function body, so that locals of that name need memory.
//!
//! Names are compared, not declarations: a shadowed variable of the same name gets memory too, which costs a little and
//! changes nothing. `&x` where the address goes straight to `pthread_create` or `pthread_join` for the result does not
//! count: lowering writes those results like an assignment, unless `x` is constant.

use rustc_hash::FxHashSet;

use crate::ast::{Asm, Declaration, ExprId, ExprKind, StmtId, TranslationUnit, UnaryOp};
use crate::library::stores_checked_result;
use crate::symbol::Symbol;
use crate::visit::Visit;

pub fn address_taken(ast: &TranslationUnit, body: StmtId) -> FxHashSet<Symbol> {
    let mut search = AddressTakenSearch { ast, taken: FxHashSet::default(), constants: FxHashSet::default() };
    search.statement(body);
    search.taken
}

/// The arguments of a library function that are addresses only because C has no other way to return a second result.
fn result_arguments(name: &str) -> &'static [usize] {
    match name {
        "pthread_create" => &[0],
        "pthread_join" | "__atomic_load" | "__atomic_store" | "__atomic_compare_exchange_n" => &[1],
        "__c11_atomic_compare_exchange_strong" | "__c11_atomic_compare_exchange_weak" => &[1],
        "__atomic_exchange" | "__atomic_compare_exchange" => &[1, 2],
        _ => match name.strip_prefix("__builtin_").is_some_and(stores_checked_result) {
            true => &[2],
            false => &[],
        },
    }
}

struct AddressTakenSearch<'a> {
    ast: &'a TranslationUnit,
    taken: FxHashSet<Symbol>,
    /// Names of constant objects.
    constants: FxHashSet<Symbol>,
}

impl<'a> Visit<'a> for AddressTakenSearch<'a> {
    fn ast(&self) -> &'a TranslationUnit {
        self.ast
    }

    fn declaration(&mut self, declaration: &Declaration) {
        for init in &declaration.declarators {
            if self.ast[init.declarator.ty].qualifiers.constant {
                self.constants.insert(init.declarator.name);
            }
            init.initializer.iter().for_each(|initializer| self.initializer(initializer));
        }
    }

    fn asm(&mut self, asm: &Asm) {
        asm.outputs.iter().chain(&asm.inputs).for_each(|operand| self.expression(operand.value));
    }

    fn expression(&mut self, id: ExprId) {
        match &self.ast[id].kind {
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } => self.take(*operand),
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => self.expression(*operand),
            ExprKind::Binary { left, right, .. } | ExprKind::Comma { left, right } => {
                self.expression(*left);
                self.expression(*right);
            }
            ExprKind::Assign { target: left, value: right, .. } | ExprKind::Index { base: left, index: right } => {
                self.expression(*left);
                self.expression(*right);
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.expression(*condition);
                then.iter().for_each(|then| self.expression(*then));
                self.expression(*otherwise);
            }
            ExprKind::Choose { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|expr| self.expression(*expr));
            }
            ExprKind::CompoundLiteral { initializer, .. } => {
                initializer.items.iter().for_each(|item| self.initializer(&item.value));
            }
            ExprKind::Call { callee, arguments } => self.call(*callee, arguments),
            ExprKind::Member { base, .. } => self.expression(*base),
            ExprKind::Generic { control, associations } => {
                self.expression(*control);
                associations.iter().for_each(|association| self.expression(association.value));
            }
            ExprKind::Statement(body) => self.statement(*body),
            ExprKind::VaArg { list, .. } => self.expression(*list),
            ExprKind::Name(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::AlignofType { .. }
            | ExprKind::LabelAddress(_)
            | ExprKind::Offsetof { .. }
            | ExprKind::TypesCompatible { .. } => {}
        }
    }
}

impl AddressTakenSearch<'_> {
    fn call(&mut self, callee: ExprId, arguments: &[ExprId]) {
        self.expression(callee);
        let exempt = match self.ast[callee].kind {
            ExprKind::Name(name) => result_arguments(self.ast.name(name)),
            _ => &[],
        };
        for (index, argument) in arguments.iter().enumerate() {
            if exempt.contains(&index)
                && let Some(target) = plain_address(self.ast, *argument)
                && matches!(self.ast[target].kind, ExprKind::Name(name) if !self.constants.contains(&name))
            {
                continue;
            }
            self.expression(*argument);
        }
    }

    fn take(&mut self, id: ExprId) {
        match &self.ast[id].kind {
            ExprKind::Name(name) => {
                self.taken.insert(*name);
            }
            // `&(c, x)`, `&_Generic(…)` and `&(*p)` lead on; a member or element belongs to an object in memory anyway.
            ExprKind::Comma { left, right } => {
                self.expression(*left);
                self.take(*right);
            }
            ExprKind::Generic { control, associations } => {
                self.expression(*control);
                associations.iter().for_each(|association| self.take(association.value));
            }
            ExprKind::Choose { then, otherwise, .. } => {
                self.take(*then);
                self.take(*otherwise);
            }
            _ => self.expression(id),
        }
    }
}

/// `x` of `&x` or `(void **)&x`.
pub fn plain_address(ast: &TranslationUnit, mut id: ExprId) -> Option<ExprId> {
    loop {
        match ast[id].kind {
            ExprKind::Cast { operand, .. } => id = operand,
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } => return Some(operand),
            _ => return None,
        }
    }
}

//! The way through the statements of a body to the expressions in them, for searches that look at every one.

use crate::ast::{Asm, Declaration, ExprId, ExprKind, ForInit, Initializer, StmtId, StmtKind, TranslationUnit};

pub trait Visit<'a> {
    fn ast(&self) -> &'a TranslationUnit;

    fn expression(&mut self, id: ExprId);

    fn asm(&mut self, asm: &Asm);

    fn statement(&mut self, id: StmtId) {
        self.parts_of_statement(id);
    }

    fn parts_of_statement(&mut self, id: StmtId) {
        match &self.ast()[id].kind {
            StmtKind::Empty
            | StmtKind::Goto(_)
            | StmtKind::Continue
            | StmtKind::Break
            | StmtKind::Return(None)
            | StmtKind::LocalLabels(_)
            | StmtKind::UnsupportedPragma(_)
            | StmtKind::StaticAssert(_) => {}
            StmtKind::Expr(expr) | StmtKind::ComputedGoto(expr) | StmtKind::Return(Some(expr)) => {
                self.expression(*expr);
            }
            StmtKind::Compound(block) => block.items.iter().for_each(|item| self.statement(*item)),
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::If { condition, then, otherwise } => {
                self.expression(*condition);
                self.statement(*then);
                otherwise.iter().for_each(|otherwise| self.statement(*otherwise));
            }
            StmtKind::Switch { scrutinee: condition, body }
            | StmtKind::While { condition, body }
            | StmtKind::DoWhile { body, condition } => {
                self.expression(*condition);
                self.statement(*body);
            }
            StmtKind::For { init, condition, step, body } => {
                match init {
                    ForInit::None => {}
                    ForInit::Expr(expr) => self.expression(*expr),
                    ForInit::Declaration(declaration) => self.declaration(declaration),
                }
                condition.iter().chain(step).for_each(|expr| self.expression(*expr));
                self.statement(*body);
            }
            StmtKind::Labeled { body, .. } => self.statement(*body),
            StmtKind::Asm(asm) => self.asm(asm),
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        declaration.declarators.iter().filter_map(|init| init.initializer.as_ref()).for_each(|i| self.initializer(i));
    }

    fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Expr(expr) => self.expression(*expr),
            Initializer::List(list) => list.items.iter().for_each(|item| self.initializer(&item.value)),
        }
    }
}

/// The expressions that an expression evaluates, and the bodies of statement expressions.
pub fn parts_of(ast: &TranslationUnit, id: ExprId, parts: &mut Vec<ExprId>, bodies: &mut Vec<StmtId>) {
    match &ast[id].kind {
        ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } => parts.push(*operand),
        ExprKind::Binary { left, right, .. } | ExprKind::Comma { left, right } => parts.extend([*left, *right]),
        ExprKind::Assign { target: left, value: right, .. } | ExprKind::Index { base: left, index: right } => {
            parts.extend([*left, *right]);
        }
        ExprKind::Conditional { condition, then, otherwise } => {
            parts.push(*condition);
            parts.extend(then.iter().chain([otherwise]));
        }
        ExprKind::Choose { condition, then, otherwise } => parts.extend([*condition, *then, *otherwise]),
        ExprKind::CompoundLiteral { initializer, .. } => {
            initializer.items.iter().for_each(|item| initializer_parts(&item.value, parts));
        }
        ExprKind::Call { callee, arguments } => {
            parts.push(*callee);
            parts.extend(arguments);
        }
        ExprKind::Member { base, .. } => parts.push(*base),
        ExprKind::Generic { associations, .. } => parts.extend(associations.iter().map(|a| a.value)),
        ExprKind::Statement(body) => bodies.push(*body),
        ExprKind::VaArg { list, .. } => parts.push(*list),
        _ => {}
    }
}

fn initializer_parts(initializer: &Initializer, parts: &mut Vec<ExprId>) {
    match initializer {
        Initializer::Expr(expr) => parts.push(*expr),
        Initializer::List(list) => list.items.iter().for_each(|item| initializer_parts(&item.value, parts)),
    }
}

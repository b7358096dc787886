//! Statements, one per line, bodies indented.

use super::Printer;
use crate::ast::{ExprId, ForInit, LabelKind, StmtId, StmtKind, StmtLabel};

impl Printer<'_> {
    pub(super) fn stmt(&mut self, id: StmtId) {
        match &self.unit[id].kind {
            StmtKind::Empty => self.line("empty"),
            StmtKind::Expr(expr) => self.line_with("do ", *expr),
            StmtKind::Compound(block) => {
                self.line("block");
                self.indented(|printer| block.items.iter().for_each(|&item| printer.stmt(item)));
            }
            StmtKind::Declaration(declaration) => self.declaration(declaration),
            StmtKind::StaticAssert(assertion) => self.static_assert(assertion),
            StmtKind::UnsupportedPragma(text) => self.line(&format!("pragma {text}")),
            StmtKind::If { .. } => self.if_chain(id),
            StmtKind::Switch { scrutinee, body } => {
                self.line_with("switch ", *scrutinee);
                self.body(*body);
            }
            StmtKind::While { condition, body } => {
                self.line_with("while ", *condition);
                self.body(*body);
            }
            StmtKind::DoWhile { body, condition } => {
                self.line("repeat");
                self.body(*body);
                self.line_with("while ", *condition);
            }
            StmtKind::For { init, condition, step, body } => {
                self.line("for");
                self.indented(|printer| {
                    match init {
                        ForInit::None => {}
                        ForInit::Expr(expr) => printer.line_with("init ", *expr),
                        ForInit::Declaration(declaration) => printer.declaration(declaration),
                    }
                    condition.iter().for_each(|&condition| printer.line_with("while ", condition));
                    step.iter().for_each(|&step| printer.line_with("step ", step));
                    printer.stmt(*body);
                });
            }
            StmtKind::Labeled { labels, body } => {
                labels.iter().for_each(|label| self.label(label));
                self.body(*body);
            }
            StmtKind::Goto(label) => {
                self.begin("goto ");
                self.name(*label);
                self.end();
            }
            StmtKind::ComputedGoto(target) => self.line_with("goto * ", *target),
            StmtKind::Continue => self.line("continue"),
            StmtKind::Break => self.line("break"),
            StmtKind::Return(None) => self.line("return"),
            StmtKind::Return(Some(value)) => self.line_with("return ", *value),
            StmtKind::Asm(asm) => self.asm(asm),
            StmtKind::LocalLabels(labels) => {
                self.begin("local labels");
                for label in labels {
                    self.write(" ");
                    self.name(*label);
                }
                self.end();
            }
        }
    }

    /// `else if` stays at the indentation of its `if`: chains may be long.
    fn if_chain(&mut self, first: StmtId) {
        let mut keyword = "if ";
        let mut next = Some(first);
        while let Some(id) = next {
            let StmtKind::If { condition, then, otherwise } = &self.unit[id].kind else {
                self.line("else");
                return self.body(id);
            };
            self.line_with(keyword, *condition);
            self.body(*then);
            keyword = "else if ";
            next = *otherwise;
        }
    }

    fn body(&mut self, body: StmtId) {
        self.indented(|printer| printer.stmt(body));
    }

    fn line_with(&mut self, keyword: &str, expr: ExprId) {
        self.begin(keyword);
        self.expr(expr);
        self.end();
    }

    fn label(&mut self, label: &StmtLabel) {
        match label.kind {
            LabelKind::Name(name) => {
                self.begin("label ");
                self.name(name);
            }
            LabelKind::Case(value) => {
                self.begin("case ");
                self.expr(value);
            }
            LabelKind::CaseRange(first, last) => {
                self.begin("case ");
                self.expr(first);
                self.write(" ... ");
                self.expr(last);
            }
            LabelKind::Default => self.begin("default"),
        }
        self.end();
    }
}

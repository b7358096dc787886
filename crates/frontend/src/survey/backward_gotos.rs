//! How many gotos of a function lead back to each of its labels.

use rustc_hash::FxHashMap;

use crate::ast::{Asm, ExprId, ExprKind, LabelKind, StmtId, StmtKind, TranslationUnit};
use crate::symbol::Symbol;
use crate::visit::{Visit, parts_of};

/// For each label the gotos behind it in the text; `None` if its address is taken, so that any number may lead there.
#[derive(Default)]
pub struct BackwardGotos(FxHashMap<Symbol, Option<u32>>);

impl BackwardGotos {
    pub fn of(ast: &TranslationUnit, body: StmtId) -> Self {
        let mut search = GotoSearch { ast, gotos: FxHashMap::default() };
        search.statement(body);
        Self(search.gotos)
    }

    pub fn has_any(&self) -> bool {
        self.0.values().any(|gotos| *gotos != Some(0))
    }

    pub fn has_more(&self, label: Symbol) -> bool {
        self.0.get(&label).is_some_and(|gotos| *gotos != Some(0))
    }

    /// One of the gotos is done; whether there are more.
    pub fn take(&mut self, label: Symbol) -> bool {
        if let Some(Some(gotos)) = self.0.get_mut(&label) {
            *gotos = gotos.saturating_sub(1);
        }
        self.has_more(label)
    }
}

struct GotoSearch<'a> {
    ast: &'a TranslationUnit,
    gotos: FxHashMap<Symbol, Option<u32>>,
}

impl<'a> Visit<'a> for GotoSearch<'a> {
    fn ast(&self) -> &'a TranslationUnit {
        self.ast
    }

    fn asm(&mut self, asm: &Asm) {
        asm.outputs.iter().chain(&asm.inputs).for_each(|operand| self.expression(operand.value));
    }

    fn statement(&mut self, id: StmtId) {
        match &self.ast[id].kind {
            StmtKind::Labeled { labels, .. } => {
                for label in labels {
                    if let LabelKind::Name(name) = label.kind {
                        self.gotos.entry(name).or_insert(Some(0));
                    }
                }
            }
            StmtKind::Goto(label) => {
                if let Some(Some(gotos)) = self.gotos.get_mut(label) {
                    *gotos += 1;
                }
            }
            _ => {}
        }
        self.parts_of_statement(id);
    }

    fn expression(&mut self, id: ExprId) {
        if let ExprKind::LabelAddress(label) = self.ast[id].kind {
            self.gotos.insert(label, None);
        }
        let (mut parts, mut bodies) = (Vec::new(), Vec::new());
        parts_of(self.ast, id, &mut parts, &mut bodies);
        parts.into_iter().for_each(|part| self.expression(part));
        bodies.into_iter().for_each(|body| self.statement(body));
    }
}

//! Places: what names, `*p`, `a[i]` and `s.m` denote, and reading and writing them.

use base::Span;
use program::Operand;

use super::Lowerer;
use crate::ast::{ExprId, ExprKind, UnaryOp};
use crate::ctype::{QualType, TypeTable};
use crate::emit::value::{Address, Form, LValue, Lowered, PlaceKind};
use crate::scopes::Entity;
use crate::symbol::Symbol;

impl Lowerer<'_, '_> {
    /// The place an lvalue denotes. Record-valued expressions count too: their bytes lie somewhere.
    pub fn place(&mut self, expr: ExprId) -> Lowered<LValue> {
        let node = &self.ast[expr];
        let span = self.span(expr);
        match &node.kind {
            ExprKind::Name(name) => self.place_of_name(*name, expr),
            ExprKind::Unary { op: UnaryOp::Dereference, operand } => {
                let pointer = self.rvalue(*operand)?;
                self.emit.dereference(pointer, node.span)
            }
            ExprKind::Index { base, index } => self.element_place(*base, *index, span),
            ExprKind::Member { base, field, arrow } => self.member_place(*base, *field, *arrow, node.span),
            ExprKind::String(literal) => self.static_literal(expr, |lowerer| lowerer.string_place(literal, node.span)),
            ExprKind::CompoundLiteral { ty, initializer } if self.scopes.at_file_scope() => {
                self.static_literal(expr, |lowerer| lowerer.static_compound_literal(*ty, initializer, span))
            }
            ExprKind::CompoundLiteral { ty, initializer } => self.compound_literal(*ty, initializer, span),
            ExprKind::Unary { op: UnaryOp::Real | UnaryOp::Imaginary, .. } => {
                let value = self.rvalue(expr)?;
                Ok(LValue { kind: PlaceKind::Memory(Address::at(value.operand)), ty: QualType::plain(value.ty) })
            }
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => {
                let chosen = self.chosen(expr)?;
                self.place(chosen)
            }
            _ => {
                let value = self.rvalue(expr)?;
                match value.form {
                    Form::Aggregate => {
                        let kind = PlaceKind::Memory(Address::at(value.operand));
                        Ok(LValue { kind, ty: QualType::plain(value.ty) })
                    }
                    _ => self.error("lvalue", node.span, "this expression is not an lvalue"),
                }
            }
        }
    }

    /// The object of a literal with static storage: one, however often the literal is looked at.
    fn static_literal(&mut self, expr: ExprId, make: impl FnOnce(&mut Self) -> Lowered<LValue>) -> Lowered<LValue> {
        if let Some(&place) = self.static_literals.get(&expr) {
            return Ok(place);
        }
        let place = make(self)?;
        self.static_literals.insert(expr, place);
        Ok(place)
    }

    fn place_of_name(&mut self, name: Symbol, expr: ExprId) -> Lowered<LValue> {
        let span = self.ast[expr].span;
        let memory = |base, ty| LValue { kind: PlaceKind::Memory(Address::at(base)), ty };
        match self.scopes.lookup(name) {
            Some(Entity::Register { register, ty }) => Ok(LValue { kind: PlaceKind::Register(register), ty }),
            Some(Entity::Local { local, ty }) => Ok(memory(Operand::Local { local, offset: 0 }, ty)),
            Some(Entity::Indirect { pointer, ty }) => Ok(memory(Operand::Register(pointer), ty)),
            Some(Entity::Global(global)) => {
                let ty = self.emit.link.globals[global].ty;
                if self.emit.link.globals[global].absent {
                    self.assume_absent(name);
                    return Ok(memory(Operand::Null, ty));
                }
                Ok(memory(Operand::Global { global, offset: 0 }, ty))
            }
            Some(Entity::Function(function)) => {
                let ty = QualType::plain(self.emit.link.functions[function].ty);
                if self.emit.link.functions[function].absent {
                    self.assume_absent(name);
                    return Ok(memory(Operand::Null, ty));
                }
                let operand = match self.emit.link.weak.is_doubtful(self.name(name))
                    && !self.emit.link.functions[function].defined
                {
                    true => {
                        let what = format!("the address of `{}`, which is weak", self.name(name));
                        self.emit.unsupported(what, TypeTable::VOID_POINTER, self.place_of(span)).operand
                    }
                    false => self.function_address(function),
                };
                Ok(memory(operand, ty))
            }
            Some(Entity::Constant { .. }) => {
                self.error("lvalue", span, format!("`{}` is an enumerator, not an object", self.name(name)))
            }
            Some(Entity::Typedef { .. }) => {
                self.error("syntax", span, format!("`{}` is a type, not a value", self.name(name)))
            }
            None => self.place_of_undeclared(name, span),
        }
    }

    /// The variable of that name, if the name occurs in the program.
    pub fn variable(&mut self, name: &str, at: ExprId) -> Lowered<Option<LValue>> {
        let Some(symbol) = self.ast.names.lookup(name) else { return Ok(None) };
        self.place_of_name(symbol, at).map(Some)
    }

    fn assume_absent(&mut self, name: Symbol) {
        let text = format!("`{}` is weak and nothing defines it: its address is null", self.name(name));
        self.emit.link.assume(text);
    }

    fn place_of_undeclared(&mut self, name: Symbol, span: Span) -> Lowered<LValue> {
        let text = self.name(name);
        if matches!(text, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            let bytes: Vec<u8> = self.emit.function.name.bytes().chain([0]).collect();
            return Ok(self.emit.bytes_place(bytes, self.place_of(span)));
        }
        self.error("undeclared", span, format!("`{text}` is not declared"))
    }

    fn element_place(&mut self, base: ExprId, index: ExprId, span: Span) -> Lowered<LValue> {
        let (left, right) = self.two_values(base, index, span)?;
        if let Some(place) = self.emit.vector_element(left, span) {
            return Ok(place);
        }
        let (pointer, index) =
            if self.emit.link.types.pointee(left.ty).is_some() { (left, right) } else { (right, left) };
        if self.emit.link.types.pointee(pointer.ty).is_none() || !self.emit.link.types.is_integer(index.ty) {
            let name = self.emit.link.types.name(left.ty);
            return self.error("type", self.ast[base].span, format!("`{name}` cannot be indexed"));
        }
        let moved = self.emit.pointer_plus(pointer, index, false, span)?;
        self.emit.dereference(moved, span)
    }

    fn member_place(&mut self, base: ExprId, field: Symbol, arrow: bool, span: Span) -> Lowered<LValue> {
        let place = if arrow {
            let pointer = self.rvalue(base)?;
            self.emit.dereference(pointer, span)?
        } else {
            self.place(base)?
        };
        let name = self.name(field);
        let member = self.emit.member_of(place, name, span)?;
        if arrow { Ok(member) } else { self.member_of_value(base, member, span) }
    }
}

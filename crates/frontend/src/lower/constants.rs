//! Constants that GCC folds beyond what C demands: calls of builtins with constant arguments and, in initialisers of static
//! objects, what lies in constant objects.

use program::{Initialiser, Operand};

use super::Lowerer;
use crate::ast::{ExprId, ExprKind, UnaryOp};
use crate::ctype::{QualType, TypeId, TypeTable};
use crate::emit::value::{Lowered, PlaceKind};
use crate::scopes::Entity;

impl Lowerer<'_, '_> {
    // -----------------------------------------------------------------------------------------------------------------
    // Null pointer constants

    /// Whether an expression of type `void *` is a null pointer constant (C11 6.3.2.3 p3), which is a matter of how it is
    /// written: an integer constant expression with the value zero, cast once.
    pub fn is_null_pointer_constant(&mut self, expr: ExprId) -> Lowered<bool> {
        match self.ast[expr].kind {
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => {
                let chosen = self.chosen(expr)?;
                self.is_null_pointer_constant(chosen)
            }
            ExprKind::Cast { ty, operand } => {
                let is_void_pointer = self.resolve_type(ty)?.ty == TypeTable::VOID_POINTER;
                Ok(is_void_pointer
                    && self.is_integer_constant_expression(operand)?
                    && self.try_integer_constant(operand) == Some(0))
            }
            _ => Ok(false),
        }
    }

    /// Whether an expression consists only of what an integer constant expression may consist of (C11 6.6 p6), and of calls of
    /// builtins that GCC folds at once.
    fn is_integer_constant_expression(&mut self, expr: ExprId) -> Lowered<bool> {
        let parts: Vec<ExprId> = match &self.ast[expr].kind {
            ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Char(_) => return Ok(true),
            ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) | ExprKind::Offsetof { .. } => return Ok(true),
            ExprKind::AlignofExpr(_) | ExprKind::AlignofType { .. } | ExprKind::TypesCompatible { .. } => {
                return Ok(true);
            }
            ExprKind::Name(name) => return Ok(matches!(self.scopes.lookup(*name), Some(Entity::Constant { .. }))),
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => vec![self.chosen(expr)?],
            ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot | UnaryOp::Not, operand } => {
                vec![*operand]
            }
            ExprKind::Binary { left, right, .. } => vec![*left, *right],
            ExprKind::Conditional { condition, then, otherwise } => {
                [Some(*condition), *then, Some(*otherwise)].into_iter().flatten().collect()
            }
            ExprKind::Cast { ty, operand } => {
                let (ty, operand) = (self.resolve_type(*ty)?, *operand);
                if !self.emit.link.types.is_arithmetic(ty.ty) {
                    return Ok(false);
                }
                vec![operand]
            }
            ExprKind::Call { callee, arguments } => {
                let ExprKind::Name(name) = self.ast[*callee].kind else { return Ok(false) };
                if !self.name(name).starts_with("__builtin_") {
                    return Ok(false);
                }
                let is_text = |part: &&ExprId| matches!(self.ast[**part].kind, ExprKind::String(_));
                arguments.iter().filter(|part| !is_text(part)).copied().collect()
            }
            _ => return Ok(false),
        };
        for part in parts {
            if !self.is_integer_constant_expression(part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Constant objects

    /// The bytes and addresses of a whole constant object of this type, as the contents of another one.
    pub fn constant_copy(&mut self, expr: ExprId, ty: QualType) -> Option<(Initialiser, TypeId)> {
        let before = self.emit.link.diagnostics.len();
        let value = self.scratch(true, |lowerer| lowerer.place(expr));
        self.emit.link.diagnostics.truncate(before);
        let (place, is_pristine) = value.ok()?;
        let PlaceKind::Memory(address) = place.kind else { return None };
        let Operand::Global { global, offset } = address.base else { return None };
        let start = u64::try_from(offset.checked_add(address.offset)?).ok()?;
        let end = start + self.emit.link.types.size_of(ty.ty)?;
        let initial = self
            .emit
            .link
            .constant_object(global)
            .filter(|_| is_pristine && self.emit.link.types.compatible(place.ty.ty, ty.ty))?;
        let bytes = (start..end).map(|at| initial.bytes.get(at as usize).copied().unwrap_or(0)).collect();
        let inside = initial.relocations.iter().filter(|relocation| (start..end).contains(&relocation.offset));
        let relocations = inside
            .map(|relocation| program::Relocation { offset: relocation.offset - start, value: relocation.value })
            .collect();
        Some((Initialiser { bytes, relocations, indeterminate: false }, ty.ty))
    }
}

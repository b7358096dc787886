//! Whether atomic operations need no lock: `__atomic_always_lock_free`, `__atomic_is_lock_free` and `atomic_is_lock_free`,
//! as GCC answers them. Where GCC leaves the answer to a library that asks the processor, it is not known here.

use program::Operand;

use super::Lowerer;
use super::call::CallSite;
use super::value::{Lowered, Value};
use crate::ast::{ExprId, ExprKind, UnaryOp};
use crate::ctype::TypeTable;

/// What is larger always has a lock.
const MAX_LOCK_FREE: i128 = 16;

impl Lowerer<'_, '_> {
    /// `__atomic_always_lock_free(size, pointer)`: a constant, for which GCC evaluates nothing.
    pub fn always_lock_free(&mut self, site: &CallSite<'_>) -> Value {
        let size = site.arguments.first().and_then(|&size| self.try_integer_constant(size));
        let pointer = site.arguments.get(1).copied();
        let answer = match size {
            Some(size) if !is_word(size) => Some(false),
            Some(size) if pointer.is_none_or(|pointer| self.has_no_effect(pointer)) => {
                pointer.map_or(Some(true), |pointer| self.is_aligned(pointer, size))
            }
            _ => None,
        };
        self.answer_or_unsupported(answer, site)
    }

    /// `__atomic_is_lock_free(size, pointer)`, `__c11_atomic_is_lock_free(size)` and `atomic_is_lock_free(pointer)`.
    pub fn is_lock_free(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let names_object = site.name == "atomic_is_lock_free";
        let pointer = site.arguments.get(usize::from(!names_object)).copied();
        let size = match site.arguments.first() {
            Some(&object) if names_object => self.size_of_pointee(object)?,
            Some(&size) => self.try_integer_constant(size),
            None => None,
        };
        self.evaluate_arguments(site)?;
        let answer = match size {
            Some(size) if size > MAX_LOCK_FREE => Some(false),
            Some(size) if is_word(size) => match pointer {
                Some(pointer) => self.is_aligned(pointer, size).filter(|&is_aligned| is_aligned),
                None => Some(true),
            },
            _ => None,
        };
        Ok(self.answer_or_unsupported(answer, site))
    }

    fn answer_or_unsupported(&mut self, answer: Option<bool>, site: &CallSite<'_>) -> Value {
        match answer {
            Some(answer) => Value::truth(if answer { Operand::TRUE } else { Operand::FALSE }),
            None => self.unsupported(format!("the answer of `{}` here", site.name), TypeTable::INT, site.span),
        }
    }

    /// Whether the type of a pointer, or null, promises the alignment of a word of this size; `None` where GCC looks at
    /// more than the type.
    fn is_aligned(&mut self, pointer: ExprId, size: i128) -> Option<bool> {
        if let Some(number) = self.try_integer_constant(pointer) {
            return (number == 0).then_some(true);
        }
        // The parameter is a `void *`, and GCC looks past a conversion to it.
        let mut pointer = pointer;
        let mut value = self.value_shape(pointer).ok()?;
        while let ExprKind::Cast { operand, .. } = self.ast[pointer].kind {
            if self.link.types.pointee(value.ty).is_none_or(|pointee| !self.link.types.is_void(pointee.ty)) {
                break;
            }
            pointer = operand;
            value = self.value_shape(pointer).ok()?;
        }
        match self.try_integer_constant(pointer) {
            Some(number) => (number == 0).then_some(true),
            None if value.operand == Operand::Null => Some(true),
            None => {
                let pointee = self.link.types.pointee(value.ty)?;
                if self.link.types.is_void(pointee.ty) {
                    return Some(size == 1);
                }
                self.link.types.size_of(pointee.ty)?;
                // An atomic object is aligned to its size.
                Some(pointee.is_atomic() || i128::from(self.link.types.align_of(pointee.ty)) >= size)
            }
        }
    }

    fn size_of_pointee(&mut self, pointer: ExprId) -> Lowered<Option<i128>> {
        let pointer = self.value_shape(pointer)?;
        let pointee = self.link.types.pointee(pointer.ty);
        Ok(pointee.and_then(|pointee| self.link.types.size_of(pointee.ty)).map(i128::from))
    }

    /// Whether it is plain to see that an expression has no side effect.
    fn has_no_effect(&self, expr: ExprId) -> bool {
        match &self.ast[expr].kind {
            ExprKind::Name(_) | ExprKind::Integer(_) | ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => true,
            ExprKind::Unary { op: UnaryOp::AddressOf | UnaryOp::Dereference, operand } => self.has_no_effect(*operand),
            ExprKind::Cast { operand, .. } => self.has_no_effect(*operand),
            ExprKind::Member { base, .. } => self.has_no_effect(*base),
            ExprKind::Index { base, index } => self.has_no_effect(*base) && self.has_no_effect(*index),
            _ => false,
        }
    }
}

/// Whether the processor has atomic operations of this size, without options to the compiler.
fn is_word(size: i128) -> bool {
    matches!(size, 1 | 2 | 4 | 8)
}

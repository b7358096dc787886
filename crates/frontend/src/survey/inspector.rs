//! What is plain to see in an expression, without any code being made of it: the syntax, and what names stand for here.

use base::Span;

use crate::ast::{
    Attribute, AttributeKind, BinaryOp, ExprId, ExprKind, StringUnits, TranslationUnit, TypeExprId, TypeExprKind,
    UnaryOp,
};
use crate::ctype::CType;
use crate::declaration_features::{self, FeatureSupport};
use crate::emit::value::{LValue, PlaceKind};
use crate::link::Linker;
use crate::scopes::{Entity, Scopes};
use crate::survey::plain_address;
use crate::symbol::Symbol;
use crate::visit::parts_of;

/// Answers questions about the syntax at one place of the program.
#[derive(Clone, Copy)]
pub struct Inspector<'v, 'a> {
    ast: &'a TranslationUnit,
    scopes: &'v Scopes,
    link: &'v Linker<'v>,
}

impl<'v, 'a> Inspector<'v, 'a> {
    pub fn new(ast: &'a TranslationUnit, scopes: &'v Scopes, link: &'v Linker<'v>) -> Self {
        Self { ast, scopes, link }
    }

    /// Where an expression is written.
    pub fn span(&self, expr: ExprId) -> Span {
        self.ast[expr].span
    }

    pub fn kind(&self, expr: ExprId) -> &'a ExprKind {
        &self.ast[expr].kind
    }

    /// The expressions that an expression consists of, without those in statements.
    pub fn parts(&self, expr: ExprId) -> Vec<ExprId> {
        let (mut parts, mut bodies) = (Vec::new(), Vec::new());
        parts_of(self.ast, expr, &mut parts, &mut bodies);
        parts
    }

    /// `x` of `(T)x`.
    pub fn cast_operand(&self, expr: ExprId) -> Option<ExprId> {
        match self.ast[expr].kind {
            ExprKind::Cast { operand, .. } => Some(operand),
            _ => None,
        }
    }

    pub fn is_in_register(&self, target: ExprId) -> bool {
        match self.ast[target].kind {
            ExprKind::Name(name) => matches!(self.scopes.lookup(name), Some(Entity::Register { .. })),
            _ => false,
        }
    }

    pub fn is_literal_zero(&self, expr: ExprId) -> bool {
        matches!(self.ast[expr].kind, ExprKind::Integer(constant) if constant.value == 0)
    }

    /// `f` in `f(…)`, `(*f)(…)` and `(&f)(…)`.
    pub fn called_name(&self, mut callee: ExprId) -> Option<Symbol> {
        loop {
            match self.ast[callee].kind {
                ExprKind::Name(name) => return Some(name),
                ExprKind::Unary { op: UnaryOp::Dereference | UnaryOp::AddressOf, operand } => {
                    let named = match self.ast[operand].kind {
                        ExprKind::Name(name) => matches!(self.scopes.lookup(name), Some(Entity::Function(_))),
                        _ => true,
                    };
                    if !named {
                        return None;
                    }
                    callee = operand;
                }
                _ => return None,
            }
        }
    }

    /// Whether the place lies in a compound literal, which is made where it is written.
    pub fn is_made_here(&self, place: ExprId) -> bool {
        match self.ast[place].kind {
            ExprKind::CompoundLiteral { .. } => true,
            ExprKind::Member { base, arrow: false, .. } | ExprKind::Index { base, .. } => self.is_made_here(base),
            _ => false,
        }
    }

    pub fn parts_of_call(&self, callee: ExprId, arguments: &[ExprId]) -> Vec<ExprId> {
        let ExprKind::Name(name) = self.ast[callee].kind else {
            return std::iter::once(callee).chain(arguments.iter().copied()).collect();
        };
        match self.scopes.lookup(name) {
            Some(Entity::Function(_)) | None if takes_unevaluated(self.ast.name(name)) => Vec::new(),
            Some(Entity::Function(_)) | None => arguments.to_vec(),
            Some(_) => std::iter::once(callee).chain(arguments.iter().copied()).collect(),
        }
    }

    /// Whether the operand is the same whenever it is evaluated, and evaluating it does nothing.
    pub fn is_constant_operand(&self, expr: ExprId) -> bool {
        match &self.ast[expr].kind {
            ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::String(_)
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::AlignofType { .. }
            | ExprKind::Offsetof { .. }
            | ExprKind::LabelAddress(_)
            | ExprKind::TypesCompatible { .. } => true,
            ExprKind::Name(name) => {
                matches!(self.scopes.lookup(*name), Some(Entity::Function(_) | Entity::Constant { .. }) | None)
            }
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } => {
                matches!(self.ast[*operand].kind, ExprKind::Name(_))
            }
            ExprKind::Cast { operand, .. } => self.is_constant_operand(*operand),
            ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot, operand } => {
                self.is_constant_operand(*operand)
            }
            _ => false,
        }
    }

    /// Whether the expression only computes with variables that are in no memory, and cannot be wrong.
    pub fn is_quiet(&self, expr: ExprId) -> bool {
        match &self.ast[expr].kind {
            ExprKind::Name(_) => self.is_in_register(expr) || self.is_constant_operand(expr),
            ExprKind::Cast { operand, .. }
            | ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Not | UnaryOp::BitNot, operand } => {
                self.is_quiet(*operand)
            }
            ExprKind::Binary { op, left, right } => {
                let is_harmless = op.is_comparison()
                    || matches!(
                        op,
                        BinaryOp::BitAnd
                            | BinaryOp::BitOr
                            | BinaryOp::BitXor
                            | BinaryOp::LogicalAnd
                            | BinaryOp::LogicalOr
                    );
                is_harmless && self.is_quiet(*left) && self.is_quiet(*right)
            }
            _ => self.is_constant_operand(expr),
        }
    }

    pub fn has_call(&self, expr: ExprId) -> bool {
        let (mut parts, mut bodies) = (Vec::new(), Vec::new());
        parts_of(self.ast, expr, &mut parts, &mut bodies);
        matches!(self.ast[expr].kind, ExprKind::Call { .. })
            || !bodies.is_empty()
            || parts.into_iter().any(|part| self.has_call(part))
    }

    pub fn is_lvalue(&self, expr: ExprId) -> bool {
        match &self.ast[expr].kind {
            ExprKind::Name(name) => !matches!(self.scopes.lookup(*name), Some(Entity::Constant { .. })),
            ExprKind::Unary { op: UnaryOp::Dereference, .. }
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::String(_)
            | ExprKind::CompoundLiteral { .. } => true,
            _ => false,
        }
    }

    /// Whether an expression that `structure_around` has found is a place, not a value.
    pub fn is_place(&self, expr: ExprId) -> bool {
        match self.ast[expr].kind {
            ExprKind::Name(_) | ExprKind::String(_) | ExprKind::CompoundLiteral { .. } => true,
            ExprKind::Index { .. } | ExprKind::Member { .. } => true,
            ExprKind::Unary { op, .. } => op == UnaryOp::Dereference,
            ExprKind::Call { .. } | ExprKind::Conditional { .. } | ExprKind::Assign { .. } => false,
            ExprKind::Comma { .. } | ExprKind::Statement(_) | ExprKind::VaArg { .. } => false,
            // GNU's cast to a union, or of a structure to its own type.
            ExprKind::Cast { .. } => false,
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => false,
            // These have no members.
            ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Char(_) | ExprKind::Binary { .. } => false,
            ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => false,
            ExprKind::AlignofExpr(_) | ExprKind::AlignofType { .. } => false,
            ExprKind::LabelAddress(_) | ExprKind::Offsetof { .. } | ExprKind::TypesCompatible { .. } => false,
        }
    }

    /// What `aligned` on a typedef asks for that the type is written with, be it more or less than the type's own alignment.
    pub fn typedef_alignment(&self, mut ty: TypeExprId) -> Option<u64> {
        loop {
            ty = match self.ast[ty].kind {
                TypeExprKind::Typedef(name) => match self.scopes.lookup(name) {
                    Some(Entity::Typedef { align, .. }) => return align,
                    _ => return None,
                },
                TypeExprKind::Array { element, .. } => element,
                TypeExprKind::Atomic(inner)
                | TypeExprKind::TypeofType(inner)
                | TypeExprKind::Attributed { inner, .. } => inner,
                _ => return None,
            };
        }
    }

    /// The first attribute that is neither implemented nor harmless, in words.
    pub fn unsupported_attribute<'x>(&self, attributes: impl IntoIterator<Item = &'x Attribute>) -> Option<String> {
        attributes.into_iter().find_map(|attribute| {
            let AttributeKind::Other(name) = attribute.kind else { return None };
            let name = self.ast.name(name);
            (declaration_features::attribute(name) == FeatureSupport::Unsupported)
                .then(|| format!("attribute `{name}`"))
        })
    }

    /// `struct tag {…};` inside a record declares no member, nor does the name of a type, unless Microsoft's extensions are
    /// in force.
    pub fn is_anonymous_member(&self, id: TypeExprId) -> bool {
        match &self.ast[id].kind {
            _ if self.ast.dialect.ms_extensions => true,
            TypeExprKind::Record(record) => self.ast[*record].tag.is_none(),
            TypeExprKind::Attributed { inner, .. } | TypeExprKind::Atomic(inner) => self.is_anonymous_member(*inner),
            _ => false,
        }
    }

    /// A literal up to its first zero.
    pub fn literal_bytes(&self, mut expr: ExprId) -> Option<&'a [u8]> {
        while let ExprKind::Cast { ty, operand } = self.ast[expr].kind {
            if !self.is_pointer_type(ty) {
                return None;
            }
            expr = operand;
        }
        let ExprKind::String(literal) = &self.ast[expr].kind else { return None };
        let StringUnits::Bytes(bytes) = &literal.units else { return None };
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        Some(&bytes[..end])
    }

    fn is_pointer_type(&self, ty: TypeExprId) -> bool {
        match self.ast[ty].kind {
            TypeExprKind::Pointer(_) => true,
            TypeExprKind::Typedef(name) => match self.scopes.lookup(name) {
                Some(Entity::Typedef { ty, .. }) => self.link.types.pointee(ty.ty).is_some(),
                _ => false,
            },
            _ => false,
        }
    }

    /// The size of the object that an expression names.
    pub fn size_of_named(&self, argument: ExprId) -> Option<u64> {
        if let Some(literal) = self.whole_literal(argument) {
            return Some(literal);
        }
        let (name, is_address) = match self.ast[argument].kind {
            ExprKind::Name(_) => (argument, false),
            ExprKind::Unary { op: UnaryOp::AddressOf, operand } => (operand, true),
            _ => return None,
        };
        let ExprKind::Name(symbol) = self.ast[name].kind else { return None };
        let ty = match self.scopes.lookup(symbol)? {
            Entity::Register { ty, .. } | Entity::Local { ty, .. } => ty.ty,
            Entity::Global(global) => self.link.globals[global].ty.ty,
            _ => return None,
        };
        let is_object = is_address || matches!(self.link.types.kind(ty), CType::Array { .. });
        is_object.then(|| self.link.types.size_of(ty)).flatten()
    }

    /// The size of a string literal.
    fn whole_literal(&self, expr: ExprId) -> Option<u64> {
        match &self.ast[expr].kind {
            ExprKind::String(literal) => match &literal.units {
                StringUnits::Bytes(bytes) => Some(bytes.len() as u64 + 1),
                StringUnits::Wide(_) => None,
            },
            _ => None,
        }
    }

    /// A question for the size of an object, whose operands are not evaluated.
    pub fn asks_for_size(&self, expr: ExprId) -> bool {
        let ExprKind::Call { callee, .. } = self.ast[expr].kind else { return false };
        let ExprKind::Name(name) = self.ast[callee].kind else { return false };
        matches!(self.ast.name(name), "__builtin_object_size" | "__builtin_dynamic_object_size")
    }

    /// Whether it is plain to see that an expression has no side effect.
    pub fn has_no_effect(&self, expr: ExprId) -> bool {
        match &self.ast[expr].kind {
            ExprKind::Name(_) | ExprKind::Integer(_) | ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => true,
            ExprKind::Unary { op: UnaryOp::AddressOf | UnaryOp::Dereference, operand } => self.has_no_effect(*operand),
            ExprKind::Cast { operand, .. } => self.has_no_effect(*operand),
            ExprKind::Member { base, .. } => self.has_no_effect(*base),
            ExprKind::Index { base, index } => self.has_no_effect(*base) && self.has_no_effect(*index),
            _ => false,
        }
    }

    /// The register variable `x` if the argument is `&x`.
    pub fn register_argument(&self, argument: ExprId) -> Option<LValue> {
        let target = plain_address(self.ast, argument)?;
        let ExprKind::Name(name) = self.ast[target].kind else { return None };
        match self.scopes.lookup(name) {
            Some(Entity::Register { register, ty }) => Some(LValue { kind: PlaceKind::Register(register), ty }),
            _ => None,
        }
    }

    /// Whether an argument is the standard output: the stream, or the number of its file descriptor.
    pub fn is_standard_output(&self, argument: ExprId) -> bool {
        match self.ast[argument].kind {
            ExprKind::Name(name) if self.ast.name(name) == "stdout" && !self.link.replaces_streams => {
                let entity = self.scopes.lookup(name);
                matches!(entity, Some(Entity::Global(global)) if !self.link.globals[global].defined)
            }
            ExprKind::Integer(constant) => constant.value == 1,
            _ => false,
        }
    }
}

/// Builtins that do not evaluate all of their arguments, or take them for places.
pub fn takes_unevaluated(name: &str) -> bool {
    name.strip_prefix("__builtin_").is_some_and(|name| {
        name.starts_with("va_") || name.ends_with("object_size") || matches!(name, "constant_p" | "gordian_invariant")
    })
}

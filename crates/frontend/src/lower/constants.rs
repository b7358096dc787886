//! Constants that GCC folds beyond what C demands: calls of builtins with constant arguments and, in initialisers of static
//! objects, what lies in constant objects.

use program::{Initialiser, Operand, Type};

use super::Lowerer;
use super::call::CallSite;
use super::entity::Entity;
use super::value::{Lowered, Place, PlaceKind, Value};
use crate::ast::{ExprId, ExprKind, UnaryOp};
use crate::ctype::{IntKind, QualType, Quals, TypeId, TypeTable};
use crate::fold::sign_extend;

impl Lowerer<'_, '_> {
    /// The value of a call of a builtin or a library function whose arguments are constants, if it has one.
    pub fn constant_call(&mut self, site: &CallSite<'_>) -> Lowered<Option<Value>> {
        let name = site.name.strip_prefix("__builtin_").unwrap_or(site.name);
        let is_builtin = name != site.name;
        let value = match (name, site.arguments) {
            ("abs" | "labs" | "llabs", &[x]) => self.constant_of_integer(name, x)?,
            ("strlen", &[text]) => {
                let length = self.constant_text(text)?.map(|bytes| bytes.len() as u64);
                length.map(|length| self.integer(length, self.link.types.size_type()))
            }
            ("strcmp", &[left, right]) => {
                let texts = (self.constant_text(left)?, self.constant_text(right)?);
                self.compared(texts)
            }
            ("strchr", &[text, character]) => self.found_character(text, character)?,
            ("fabs" | "fabsf" | "sqrt", &[x]) => self.constant_of_real(name, x)?,
            (_, &[x]) if is_builtin => self.constant_of_integer(name, x)?,
            _ => None,
        };
        Ok(value)
    }

    fn compared(&self, texts: (Option<Vec<u8>>, Option<Vec<u8>>)) -> Option<Value> {
        let (left, right) = (texts.0?, texts.1?);
        Some(self.integer(left.cmp(&right) as i64 as u64, TypeTable::INT))
    }

    fn found_character(&mut self, text: ExprId, character: ExprId) -> Lowered<Option<Value>> {
        let (Some(bytes), Some(character)) = (self.constant_text(text)?, self.integer_constant(character)?) else {
            return Ok(None);
        };
        let pointer = self.rvalue(text)?;
        let Operand::Global { global, offset } = pointer.operand else { return Ok(None) };
        let found = bytes.iter().chain(&[0]).position(|&byte| byte == character as u8);
        let operand = match found {
            Some(index) => Operand::Global { global, offset: offset + index as i64 },
            None => Operand::Null,
        };
        Ok(Some(Value::scalar(operand, TypeTable::CHAR_POINTER)))
    }

    /// The characters of a constant string before its end.
    fn constant_text(&mut self, expr: ExprId) -> Lowered<Option<Vec<u8>>> {
        let value = self.rvalue(expr)?;
        let Operand::Global { global, offset } = value.operand else { return Ok(None) };
        let slot = &self.link.globals[global];
        let Some(initial) = slot.initial.as_ref().filter(|_| slot.read_only) else { return Ok(None) };
        let bytes = usize::try_from(offset).ok().and_then(|offset| initial.bytes.get(offset..)).unwrap_or_default();
        Ok(bytes.iter().position(|&byte| byte == 0).map(|length| bytes[..length].to_vec()))
    }

    fn constant_of_real(&mut self, name: &str, expr: ExprId) -> Lowered<Option<Value>> {
        let value = self.rvalue(expr)?;
        let value = self.convert(value, TypeTable::DOUBLE, self.ast[expr].span)?;
        let Operand::Double(bits) = value.operand else { return Ok(None) };
        let number = f64::from_bits(bits);
        Ok(match name {
            "fabs" => Some(Value::scalar(Operand::Double(number.abs().to_bits()), TypeTable::DOUBLE)),
            "fabsf" => Some(Value::scalar(Operand::Float((number.abs() as f32).to_bits()), TypeTable::FLOAT)),
            "sqrt" if number >= 0.0 => Some(Value::scalar(Operand::Double(number.sqrt().to_bits()), TypeTable::DOUBLE)),
            _ => None,
        })
    }

    /// Builtins of one integer.
    fn constant_of_integer(&mut self, name: &str, expr: ExprId) -> Lowered<Option<Value>> {
        let Some(shape) = integer_builtin(name) else { return Ok(None) };
        let (argument, result) = (self.link.types.int(shape.argument), self.link.types.int(shape.result));
        let value = self.rvalue(expr)?;
        let value = self.convert(value, argument, self.ast[expr].span)?;
        let Operand::Int { bits, value: number } = value.operand else { return Ok(None) };
        let leading = u64::from(number.leading_zeros()) - (64 - u64::from(bits));
        let trailing = u64::from(number.trailing_zeros());
        let signed = sign_extend(number, bits);
        let computed = match shape.operation {
            "popcount" => u64::from(number.count_ones()),
            "parity" => u64::from(number.count_ones() % 2),
            "clz" | "ctz" if number == 0 => return Ok(None),
            "clz" => leading,
            "ctz" => trailing,
            "ffs" if number == 0 => 0,
            "ffs" => trailing + 1,
            "clrsb" => u64::from((signed ^ (signed >> 63)).leading_zeros()) - (64 - u64::from(bits)) - 1,
            "bswap" => number.swap_bytes() >> (64 - u32::from(bits)),
            "abs" if signed == -1_i64 << (bits - 1) => return Ok(None),
            "abs" => signed.unsigned_abs(),
            _ => return Ok(None),
        };
        Ok(Some(self.integer(computed, result)))
    }

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
                if !self.link.types.is_arithmetic(ty.ty) {
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

    /// What a scalar in a constant object is, where initialisers of static objects may ask for it.
    pub fn constant_contents(&self, place: Place) -> Option<Operand> {
        let PlaceKind::Memory(address) = place.kind else { return None };
        let Operand::Global { global, offset } = address.base else { return None };
        let initial = self.constant_object(global)?;
        let offset = u64::try_from(offset.checked_add(address.offset)?).ok()?;
        let register = self.link.types.register_type(place.ty.ty)?;
        let size = register.bytes(self.link.types.model);
        let total = self.link.types.size_of(self.link.globals[global].ty.ty)?.max(initial.bytes.len() as u64);
        if !self.reads_constants || place.ty.quals.contains(Quals::VOLATILE) || offset + size > total {
            return None;
        }
        let near = |at: u64| at < offset + size && offset < at + self.link.types.model.pointer_bytes();
        if let Some(relocation) = initial.relocations.iter().find(|relocation| near(relocation.offset)) {
            let is_whole = relocation.offset == offset && register == Type::Pointer;
            return is_whole.then_some(relocation.value);
        }
        let byte = |index: u64| initial.bytes.get((offset + index) as usize).copied().unwrap_or(0);
        let number = (0..size).fold(0, |number, index| number | u64::from(byte(index)) << (8 * index));
        Some(match register {
            Type::Int(bits) => Operand::int(bits, number),
            Type::Float => Operand::Float(number as u32),
            Type::Double => Operand::Double(number),
            Type::Pointer if number == 0 => Operand::Null,
            Type::Pointer => return None,
        })
    }

    /// The contents of an object that is constant and defined.
    fn constant_object(&self, global: program::GlobalId) -> Option<&Initialiser> {
        let slot = &self.link.globals[global];
        let is_constant = slot.read_only || self.link.types.is_constant(slot.ty);
        slot.initial.as_ref().filter(|_| is_constant && slot.defined)
    }

    /// The bytes and addresses of a whole constant object of this type, as the contents of another one.
    pub fn constant_copy(&mut self, expr: ExprId, ty: QualType) -> Option<(Initialiser, TypeId)> {
        let before = self.link.diagnostics.len();
        let value = self.scratch(true, |lowerer| lowerer.place(expr));
        self.link.diagnostics.truncate(before);
        let (place, is_pristine) = value.ok()?;
        let PlaceKind::Memory(address) = place.kind else { return None };
        let Operand::Global { global, offset } = address.base else { return None };
        let start = u64::try_from(offset.checked_add(address.offset)?).ok()?;
        let end = start + self.link.types.size_of(ty.ty)?;
        let initial =
            self.constant_object(global).filter(|_| is_pristine && self.link.types.compatible(place.ty.ty, ty.ty))?;
        let bytes = (start..end).map(|at| initial.bytes.get(at as usize).copied().unwrap_or(0)).collect();
        let inside = initial.relocations.iter().filter(|relocation| (start..end).contains(&relocation.offset));
        let relocations = inside
            .map(|relocation| program::Relocation { offset: relocation.offset - start, value: relocation.value })
            .collect();
        Some((Initialiser { bytes, relocations, indeterminate: false }, ty.ty))
    }
}

/// What a builtin of one integer takes and gives.
struct IntegerBuiltin {
    operation: &'static str,
    argument: IntKind,
    result: IntKind,
}

fn integer_builtin(name: &str) -> Option<IntegerBuiltin> {
    use IntKind::*;
    let swapped = |kind| Some(IntegerBuiltin { operation: "bswap", argument: kind, result: kind });
    let absolute = |kind| Some(IntegerBuiltin { operation: "abs", argument: kind, result: kind });
    match name {
        "bswap16" => return swapped(UnsignedShort),
        "bswap32" => return swapped(UnsignedInt),
        "bswap64" => return swapped(UnsignedLongLong),
        "abs" => return absolute(Int),
        "labs" => return absolute(Long),
        "llabs" => return absolute(LongLong),
        _ => {}
    }
    const COUNTS: [&str; 6] = ["popcount", "parity", "clz", "ctz", "ffs", "clrsb"];
    let operation = COUNTS.into_iter().find(|operation| name.starts_with(operation))?;
    let argument = match (&name[operation.len()..], matches!(operation, "ffs" | "clrsb")) {
        ("", false) => UnsignedInt,
        ("l", false) => UnsignedLong,
        ("ll", false) => UnsignedLongLong,
        ("", true) => Int,
        ("l", true) => Long,
        ("ll", true) => LongLong,
        _ => return None,
    };
    Some(IntegerBuiltin { operation, argument, result: Int })
}

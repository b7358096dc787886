//! GCC's `__builtin_*` functions. Those that have an ordinary library function behind them are that function.

use base::Span;
use program::{BinaryOp, CastOp, Operand, Rvalue, TerminatorKind, Type};

use super::Lowerer;
use super::call::CallSite;
use super::value::{Form, Lowered, Value};
use crate::ctype::{IntKind, TypeId, TypeTable};
use crate::library::{Treatment, treatment};
use crate::prelude;

impl Lowerer<'_, '_> {
    /// `None` if the name is not a builtin that we know.
    pub fn builtin_call(&mut self, site: &CallSite<'_>) -> Lowered<Option<Value>> {
        if let Some(value) = self.atomic_call(site)? {
            return Ok(Some(value));
        }
        if self.f.builder.constant_mode
            && let Some(value) = self.constant_call(site)?
        {
            return Ok(Some(value));
        }
        let Some(name) = site.name.strip_prefix("__builtin_") else { return Ok(None) };
        let value = match name {
            "expect" | "expect_with_probability" => self.expect(site)?,
            "constant_p" => self.constant_p(site)?,
            "unreachable" => {
                self.f.builder.terminate(TerminatorKind::Unreachable, site.span);
                Value::void()
            }
            "trap" => self.abort_call(site)?,
            "va_start" => self.va_start(site)?,
            "va_copy" => self.va_copy(site)?,
            "va_end" => Value::void(),
            "prefetch" | "__clear_cache" => {
                self.evaluate_arguments(site)?;
                Value::void()
            }
            "object_size" | "dynamic_object_size" => self.object_size(site)?,
            "assume_aligned" => self.argument(site, 0)?,
            "add_overflow" => self.checked(site, BinaryOp::Add)?,
            "sub_overflow" => self.checked(site, BinaryOp::Sub)?,
            "mul_overflow" => self.checked(site, BinaryOp::Mul)?,
            "inf" | "huge_val" => double(f64::INFINITY),
            "inff" | "huge_valf" => float(f32::INFINITY),
            "nan" => double(f64::NAN),
            "nanf" => float(f32::NAN),
            "isnan" => self.is_nan(site)?,
            "return_address" | "frame_address" | "extract_return_addr" => {
                self.unsupported(format!("`{}`", site.name), TypeTable::VOID_POINTER, site.span)
            }
            "alloca" | "alloca_with_align" => {
                let site = CallSite { result: TypeTable::VOID_POINTER, ..*site };
                self.alloca(&site)?
            }
            "gordian_invariant" => self.placed_check(site)?,
            _ => return self.library_builtin(name, site),
        };
        Ok(Some(value))
    }

    fn expect(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let Some(&argument) = site.arguments.first() else { return self.argument(site, 0) };
        let value = self.rvalue(argument)?;
        self.evaluate_from(site, 1)?;
        match value.form {
            Form::Truth => Ok(value),
            _ => self.convert(value, TypeTable::LONG, site.span),
        }
    }

    fn constant_p(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let Some(&argument) = site.arguments.first() else { return self.argument(site, 0) };
        let constant = match self.constant(argument)? {
            Some(value) => matches!(value.operand, Operand::Int { .. } | Operand::Float(_) | Operand::Double(_)),
            None => false,
        };
        Ok(self.integer(u64::from(constant), TypeTable::INT))
    }

    /// Unknown: the greatest size, or 0 where the smallest is asked for.
    fn object_size(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let kind = match site.arguments.get(1) {
            Some(&kind) => self.try_integer_constant(kind).unwrap_or(0),
            None => 0,
        };
        let unknown = if kind & 2 != 0 { 0 } else { u64::MAX };
        Ok(self.integer(unknown, self.link.types.size_type()))
    }

    fn is_nan(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let value = self.argument(site, 0)?;
        self.f.builder.pin(value.operand);
        self.binary(crate::ast::BinaryOp::NotEqual, value, value, site.span)
    }

    /// `__builtin_memcpy` and the like; `___chk` variants have a last argument that does not matter.
    fn library_builtin(&mut self, name: &str, site: &CallSite<'_>) -> Lowered<Option<Value>> {
        let plain = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk")).unwrap_or(name);
        if let Some(function) = self.link.find_external_function(plain)
            && self.link.types.function(self.link.functions[function].ty).is_some()
            && plain == name
        {
            return self.call_function(function, site.arguments, site.span).map(Some);
        }
        let result = self.builtin_result(plain);
        let inner = CallSite { name: plain, result, ..*site };
        if let Some(Treatment::Special(lower)) = treatment(plain) {
            return lower(self, &inner).map(Some);
        }
        for candidate in [site.name, plain] {
            if prelude::defines(candidate) {
                return self.call_model(candidate, result, site).map(Some);
            }
        }
        Ok(None)
    }

    /// Calls a function of the prelude whose result type is known.
    fn call_model(&mut self, name: &str, result: TypeId, site: &CallSite<'_>) -> Lowered<Value> {
        let function = self.link.prelude_function(name);
        self.needs_prelude(function);
        let signature = crate::ctype::FunctionType {
            result: crate::ctype::QualType::plain(result),
            parameters: Vec::new(),
            variadic: false,
            prototype: false,
        };
        self.emit_call(program::Callee::Direct(function), &signature, site.arguments, site.span)
    }

    fn builtin_result(&mut self, name: &str) -> TypeId {
        match name {
            "malloc" | "calloc" | "realloc" | "memcpy" | "memmove" | "memset" | "mempcpy" | "memchr" | "alloca" => {
                TypeTable::VOID_POINTER
            }
            "strcpy" | "strncpy" | "strcat" | "strncat" | "strchr" | "strrchr" | "strstr" | "strdup" => {
                TypeTable::CHAR_POINTER
            }
            "strlen" | "strnlen" | "strspn" | "strcspn" => self.link.types.size_type(),
            "fabs" | "sqrt" | "floor" | "ceil" => TypeTable::DOUBLE,
            "fabsf" => TypeTable::FLOAT,
            "labs" => TypeTable::LONG,
            "llabs" => TypeTable::LONG_LONG,
            "bswap16" => self.link.types.int(IntKind::UnsignedShort),
            "bswap32" => TypeTable::UNSIGNED,
            "bswap64" => TypeTable::UNSIGNED_LONG_LONG,
            "free" | "abort" | "exit" => TypeTable::VOID,
            _ => TypeTable::INT,
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Arithmetic that reports overflow

    /// `__builtin_add_overflow(a, b, &result)`: exact, then cut to the result's type.
    fn checked(&mut self, site: &CallSite<'_>, op: BinaryOp) -> Lowered<Value> {
        let left = self.argument(site, 0)?;
        let right = self.argument(site, 1)?;
        let place = match site.arguments.get(2) {
            Some(&argument) => match self.register_argument(argument) {
                Some(place) => place,
                None => {
                    let pointer = self.argument(site, 2)?;
                    let place = self.dereference(pointer, site.span)?;
                    self.fixed(place, site.span)
                }
            },
            None => return self.error("arguments", site.span, format!("`{}` needs three arguments", site.name)),
        };
        let types = &self.link.types;
        let kinds = (types.integer_kind(left.ty), types.integer_kind(right.ty), types.integer_kind(place.ty.ty));
        let (Some(l), Some(r), Some(t)) = kinds else {
            return self.error("type", site.span, "integers are needed here");
        };
        let model = self.link.types.model;
        let bits = |kind: IntKind| kind.bits(model);
        // In 64 bits the exact result of narrower operands is representable; for full-width operands of one type the
        // overflow can be told from the wrapped result.
        if bits(l) <= 32 && bits(r) <= 32 && bits(t) <= 32 && !(op == BinaryOp::Mul && !l.is_signed() && !r.is_signed())
        {
            return self.checked_in_64_bits(op, left, right, place, t, site.span);
        }
        if l == r && r == t {
            return self.checked_full_width(op, left, right, place, t, site.span);
        }
        Ok(self.unsupported(format!("`{}` on these types", site.name), TypeTable::BOOL, site.span))
    }

    fn checked_in_64_bits(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        place: super::value::Place,
        kind: IntKind,
        span: Span,
    ) -> Lowered<Value> {
        let wide = Type::Int(64);
        let left = self.convert(left, TypeTable::LONG_LONG, span)?;
        let right = self.convert(right, TypeTable::LONG_LONG, span)?;
        let exact = Rvalue::Binary { op, ty: wide, left: left.operand, right: right.operand, signed: false };
        let exact = self.compute(exact, wide, span);
        self.f.builder.pin(exact);
        let narrow_type = Type::Int(kind.bits(self.link.types.model));
        let narrow = self.cast(CastOp::Truncate, wide, narrow_type, exact, span);
        self.f.builder.pin(narrow);
        let widen = if kind.is_signed() { CastOp::SignExtend } else { CastOp::ZeroExtend };
        let back = self.cast(widen, narrow_type, wide, narrow, span);
        self.store(place, Value::scalar(narrow, place.ty.ty), span)?;
        let differs = Rvalue::Binary { op: BinaryOp::Ne, ty: wide, left: back, right: exact, signed: false };
        Ok(Value::truth(self.compute(differs, Type::BOOL, span)))
    }

    fn checked_full_width(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        place: super::value::Place,
        kind: IntKind,
        span: Span,
    ) -> Lowered<Value> {
        let ty = Type::Int(kind.bits(self.link.types.model));
        if op == BinaryOp::Mul {
            return Ok(self.unsupported("overflow check of a multiplication of this width", TypeTable::BOOL, span));
        }
        let (l, r) = (self.f.builder.pin(left.operand), self.f.builder.pin(right.operand));
        let wrapped = self.compute(Rvalue::Binary { op, ty, left: l, right: r, signed: false }, ty, span);
        self.f.builder.pin(wrapped);
        self.store(place, Value::scalar(wrapped, place.ty.ty), span)?;
        let binary = |op, left, right| Rvalue::Binary { op, ty, left, right, signed: false };
        if !kind.is_signed() {
            let overflow = match op {
                BinaryOp::Add => binary(BinaryOp::Ult, wrapped, l),
                _ => binary(BinaryOp::Ult, l, r),
            };
            return Ok(Value::truth(self.compute(overflow, Type::BOOL, span)));
        }
        // Signed: the result's sign is wrong. (l ^ w) & (r ^ w) < 0 for a sum, (l ^ r) & (l ^ w) < 0 for a difference.
        let first = self.compute(binary(BinaryOp::Xor, l, if op == BinaryOp::Add { wrapped } else { r }), ty, span);
        let second = self.compute(binary(BinaryOp::Xor, if op == BinaryOp::Add { r } else { l }, wrapped), ty, span);
        let both = self.compute(binary(BinaryOp::And, first, second), ty, span);
        Ok(Value::truth(self.compute(binary(BinaryOp::Slt, both, super::zero(ty)), Type::BOOL, span)))
    }
}

fn double(value: f64) -> Value {
    Value::scalar(Operand::Double(value.to_bits()), TypeTable::DOUBLE)
}

fn float(value: f32) -> Value {
    Value::scalar(Operand::Float(value.to_bits()), TypeTable::FLOAT)
}

//! GCC's `__builtin_*` functions. Those that have an ordinary library function behind them are that function.

use base::Span;
use program::{BinaryOp, CastOp, InstructionKind, Operand, Rvalue, TerminatorKind, Type};

use super::Lowerer;
use super::call::CallSite;
use super::value::{Form, Lowered, Value};
use crate::ast::{ExprId, ExprKind, StringUnits, UnaryOp};
use crate::ctype::{CType, FunctionType, IntKind, TypeId, TypeTable};
use crate::library::{Treatment, treatment};
use crate::prelude::{self, Models};

use super::entity::Entity;

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
        if let Some(checked) = checked_variant(site.name) {
            return self.checked_call(site, checked).map(Some);
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

    /// Of an object with a name the compiler knows the size; whether it does of others depends on how much it looks at.
    fn object_size(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let ty = self.link.types.size_type();
        if let Some(size) = self.size_of_named(site) {
            return Ok(self.integer(size, ty));
        }
        Ok(self.unsupported(format!("what `{}` knows of this object", site.name), ty, site.span))
    }

    fn size_of_named(&mut self, site: &CallSite<'_>) -> Option<u64> {
        let &argument = site.arguments.first()?;
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

    /// A function that checks the size of an object, which is what `_FORTIFY_SOURCE` makes of an ordinary one: that one.
    fn checked_call(&mut self, site: &CallSite<'_>, (plain, dropped): (&str, &[usize])) -> Lowered<Value> {
        let mut arguments = Vec::new();
        for (index, &argument) in site.arguments.iter().enumerate() {
            match dropped.contains(&index) {
                false => arguments.push(argument),
                true if self.asks_for_size(argument) => {}
                true if plain.contains("printf") || plain.contains("syslog") => self.discard(argument)?,
                true => self.need_enough_room(argument, site)?,
            }
        }
        let inner = CallSite { name: plain, arguments: &arguments, parameters: &[], ..*site };
        match self.library_builtin(plain, &inner)? {
            Some(value) => self.convert(value, site.result, site.span),
            None => Ok(self.unsupported(format!("`{}`", site.name), site.result, site.span)),
        }
    }

    /// A size that is told by other means is not compared with what is accessed: that it limits nothing must be certain.
    fn need_enough_room(&mut self, size: ExprId, site: &CallSite<'_>) -> Lowered<()> {
        let unlimited = [-1, i128::from(u64::MAX)];
        if !self.try_integer_constant(size).is_some_and(|size| unlimited.contains(&size)) {
            self.emit(InstructionKind::Unsupported { what: format!("`{}` with this size", site.name) }, site.span);
        }
        self.discard(size)
    }

    /// A question for the size of an object, whose operands are not evaluated.
    fn asks_for_size(&self, expr: ExprId) -> bool {
        let ExprKind::Call { callee, .. } = self.ast[expr].kind else { return false };
        let ExprKind::Name(name) = self.ast[callee].kind else { return false };
        matches!(self.name(name), "__builtin_object_size" | "__builtin_dynamic_object_size")
    }

    fn is_nan(&mut self, site: &CallSite<'_>) -> Lowered<Value> {
        let value = self.argument(site, 0)?;
        self.f.builder.pin(value.operand);
        self.binary(crate::ast::BinaryOp::NotEqual, value, value, site.span)
    }

    /// `__builtin_memcpy` and the like.
    fn library_builtin(&mut self, name: &str, site: &CallSite<'_>) -> Lowered<Option<Value>> {
        if let Some(function) = self.link.find_external_function(name)
            && self.link.types.function(self.link.functions[function].ty).is_some()
        {
            (self.result_unused, self.result_sign_only) = (!site.used, site.sign_only);
            return self.call_function(function, site.arguments, site.span).map(Some);
        }
        let result = self.builtin_result(name);
        let inner = CallSite { name, result, ..*site };
        if let Some(Treatment::Special(lower)) = treatment(name) {
            return lower(self, &inner).map(Some);
        }
        for candidate in [site.name, name] {
            if prelude::defines(candidate) {
                return self.call_model(candidate, site).map(Some);
            }
        }
        Ok(None)
    }

    /// Calls a function of the prelude that the program does not declare.
    fn call_model(&mut self, name: &str, site: &CallSite<'_>) -> Lowered<Value> {
        let function = self.link.prelude_function(name);
        self.needs_prelude(function);
        let Some(signature) = self.model_signature(name) else {
            return Ok(self.unsupported(format!("`{}`", site.name), site.result, site.span));
        };
        self.emit_call(program::Callee::Direct(function), &signature, site.arguments, site.span)
    }

    /// The type of a model, as the prelude declares it.
    fn model_signature(&mut self, name: &str) -> Option<FunctionType> {
        let models = Models::alone(name)?;
        let definition = models.definition(name)?;
        let mut lowerer = Lowerer::new(&models.unit, &mut *self.link, true);
        let ty = lowerer.resolve_type(definition.declarator.ty).ok()?;
        self.link.types.function(ty.ty).cloned()
    }

    /// The result of a function that is lowered by code of its own.
    fn builtin_result(&mut self, name: &str) -> TypeId {
        match name {
            "malloc" | "calloc" | "realloc" | "aligned_alloc" | "memcpy" | "memmove" | "memset" | "mempcpy"
            | "alloca" => TypeTable::VOID_POINTER,
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

/// The ordinary function behind one that is told the size of an object, and the arguments that it has more.
fn checked_variant(name: &str) -> Option<(&'static str, &'static [usize])> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"))?;
    let known: [(&'static str, &'static [usize]); 36] = [
        ("memcpy", &[3]),
        ("memmove", &[3]),
        ("mempcpy", &[3]),
        ("memset", &[3]),
        ("explicit_bzero", &[2]),
        ("strcpy", &[2]),
        ("stpcpy", &[2]),
        ("strcat", &[2]),
        ("strncpy", &[3]),
        ("stpncpy", &[3]),
        ("strncat", &[3]),
        ("strlcpy", &[3]),
        ("strlcat", &[3]),
        ("sprintf", &[1, 2]),
        ("vsprintf", &[1, 2]),
        ("snprintf", &[2, 3]),
        ("vsnprintf", &[2, 3]),
        ("printf", &[0]),
        ("vprintf", &[0]),
        ("fprintf", &[1]),
        ("vfprintf", &[1]),
        ("dprintf", &[1]),
        ("vdprintf", &[1]),
        ("asprintf", &[1]),
        ("vasprintf", &[1]),
        ("syslog", &[1]),
        ("vsyslog", &[1]),
        ("fgets", &[1]),
        ("fread", &[1]),
        ("read", &[3]),
        ("pread", &[4]),
        ("recv", &[3]),
        ("getcwd", &[2]),
        ("realpath", &[2]),
        ("readlink", &[3]),
        ("gethostname", &[2]),
    ];
    known.into_iter().find(|(name, _)| *name == plain)
}

fn double(value: f64) -> Value {
    Value::scalar(Operand::Double(value.to_bits()), TypeTable::DOUBLE)
}

fn float(value: f32) -> Value {
    Value::scalar(Operand::Float(value.to_bits()), TypeTable::FLOAT)
}

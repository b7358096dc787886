//! Expressions: one function per use (value, effect, type, constant) that dispatches on the kind of expression.

use base::Span;
use program::{COMPOUND_LITERAL, Operand};

use super::Lowerer;
use super::entity::Entity;
use super::frame::FrameKind;
use super::value::{Address, Form, Lowered, Place, PlaceKind, Value};
use crate::ast::{
    BinaryOp, CharConstant, DesignatorKind, Encoding, ExprId, ExprKind, FloatConstant, FloatSuffix, InitializerList,
    IntegerConstant, IntegerLength, Radix, StringLiteral, StringUnits, TypeExprId, UnaryOp,
};
use crate::ctype::{ArrayLength, CType, IntKind, QualType, Quals, TypeId, TypeTable};
use crate::fold::sign_extend;

impl Lowerer<'_, '_> {
    /// The value of an expression; arrays and functions as pointers.
    pub fn rvalue(&mut self, expr: ExprId) -> Lowered<Value> {
        if let Some(&value) = self.settled.get(&expr) {
            return Ok(value);
        }
        let node = &self.ast[expr];
        let span = self.span(expr);
        match &node.kind {
            ExprKind::Name(name) => match self.scopes.lookup(*name) {
                Some(Entity::Constant { value, ty }) => Ok(self.integer(value as u64, ty)),
                _ => {
                    let place = self.place(expr)?;
                    self.load(place, span)
                }
            },
            ExprKind::Integer(constant) => Ok(self.integer_literal(*constant, span)),
            ExprKind::Float(constant) => Ok(self.float_literal(*constant, span)),
            ExprKind::Char(constant) => Ok(self.char_literal(*constant)),
            ExprKind::Unary { op, operand } => self.unary_expression(*op, *operand, expr),
            ExprKind::Binary { op: op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), left, right } => {
                self.logical(*op == BinaryOp::LogicalAnd, *left, *right, span)
            }
            ExprKind::Binary { op, left, right } => {
                if op.is_comparison() && self.is_literal_zero(*right) {
                    self.sign_only = Some(*left);
                }
                let (left, right) = self.two_values(*left, *right, span)?;
                self.binary(*op, left, right, span)
            }
            ExprKind::Assign { op: None, target, value } => self.assign(*target, *value, span),
            ExprKind::Assign { op: Some(op), target, value } => self.compound_assign(*op, *target, *value, span),
            ExprKind::Comma { left, right } => {
                self.discard(*left)?;
                self.rvalue(*right)
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional(*condition, *then, *otherwise, span)
            }
            ExprKind::Cast { ty, operand } => self.cast_expression(*ty, *operand, span),
            ExprKind::SizeofExpr(operand) => {
                let ty = self.type_of(*operand)?;
                self.sizeof_value(ty.ty, span)
            }
            ExprKind::SizeofType(ty) => {
                let ty = self.resolve_type(*ty)?;
                self.sizeof_value(ty.ty, span)
            }
            ExprKind::AlignofExpr(operand) => self.alignment_of(*operand, span),
            ExprKind::AlignofType { ty, preferred } => {
                let known = self.typedef_alignment(*ty);
                let ty = self.resolve_type(*ty)?;
                let types = &self.link.types;
                let own = || if *preferred { types.preferred_align(ty) } else { types.field_align(ty) };
                let align = known.unwrap_or_else(own);
                Ok(self.layout_value(align, ty.ty, span))
            }
            ExprKind::Call { callee, arguments } => self.call(*callee, arguments, expr),
            ExprKind::String(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral { .. } => {
                let place = self.place(expr)?;
                self.load(place, span)
            }
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => {
                let chosen = self.chosen(expr)?;
                self.rvalue(chosen)
            }
            ExprKind::Statement(body) => self.statement_expression(*body),
            ExprKind::LabelAddress(label) => Ok(self.label_address(*label, span)),
            ExprKind::Offsetof { ty, path } => self.offset_of(*ty, path, span),
            ExprKind::VaArg { list, ty } => self.va_arg(*list, *ty, span),
            ExprKind::TypesCompatible { left, right } => {
                let left = self.resolve_type(*left)?;
                let right = self.resolve_type(*right)?;
                let same = self.link.types.compatible(left.ty, right.ty);
                Ok(self.integer(u64::from(same), TypeTable::INT))
            }
        }
    }

    fn unary_expression(&mut self, op: UnaryOp, operand: ExprId, expr: ExprId) -> Lowered<Value> {
        let span = self.span(expr);
        match op {
            UnaryOp::Dereference => {
                let place = self.place(expr)?;
                self.load(place, span)
            }
            UnaryOp::AddressOf => self.address_expression(operand, span),
            UnaryOp::Not => {
                let truth = self.condition(operand)?;
                Ok(Value::truth(self.not(truth, span)))
            }
            UnaryOp::PreIncrement | UnaryOp::PreDecrement | UnaryOp::PostIncrement | UnaryOp::PostDecrement => {
                self.step(op, operand, true, span)
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => {
                let value = self.rvalue(operand)?;
                self.unary(op, value, span)
            }
            UnaryOp::Real | UnaryOp::Imaginary => {
                let value = self.rvalue(operand)?;
                if op == UnaryOp::Real && self.link.types.is_arithmetic(value.ty) {
                    return Ok(value);
                }
                Ok(self.unsupported("complex numbers", TypeTable::DOUBLE, span))
            }
        }
    }

    fn address_expression(&mut self, operand: ExprId, span: Span) -> Lowered<Value> {
        // `&*p` is `p`, without an access.
        if let ExprKind::Unary { op: UnaryOp::Dereference, operand: pointer } = self.ast[operand].kind {
            let value = self.rvalue(pointer)?;
            return if self.link.types.pointee(value.ty).is_some() {
                Ok(value)
            } else {
                self.dereference(value, span).map(|_| value)
            };
        }
        let place = self.place(operand)?;
        self.address_of(place, span)
    }

    /// Evaluates for the effects alone.
    pub fn discard(&mut self, expr: ExprId) -> Lowered<()> {
        if self.settled.contains_key(&expr) {
            return Ok(());
        }
        let span = self.span(expr);
        match &self.ast[expr].kind {
            ExprKind::Unary {
                op:
                    op @ (UnaryOp::PreIncrement | UnaryOp::PreDecrement | UnaryOp::PostIncrement | UnaryOp::PostDecrement),
                operand,
            } => {
                self.step(*op, *operand, false, span)?;
            }
            ExprKind::Comma { left, right } => {
                self.discard(*left)?;
                self.discard(*right)?;
            }
            ExprKind::Cast { ty, operand } => {
                let ty = self.resolve_type(*ty)?;
                if self.link.types.is_void(ty.ty) {
                    return self.discard_as_void(*operand);
                }
                self.rvalue(expr)?;
            }
            ExprKind::Name(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::Unary { op: UnaryOp::Dereference, .. } => {
                let value = self.rvalue(expr)?;
                self.read_whole(value, span)?;
            }
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => {
                let chosen = self.chosen(expr)?;
                self.discard(chosen)?;
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                self.discard_conditional(*condition, *then, *otherwise, span)?;
            }
            ExprKind::Binary { op: op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), left, right } => {
                let (side, join) = (self.f.builder.new_block(), self.f.builder.new_block());
                match op {
                    BinaryOp::LogicalAnd => self.branch_on(*left, side, join)?,
                    _ => self.branch_on(*left, join, side)?,
                }
                self.f.builder.switch_to(side);
                self.push_frame(FrameKind::Part);
                let outcome = self.discard(*right);
                self.pop_frame(span);
                outcome?;
                self.f.builder.goto(join, span);
                self.f.builder.switch_to(join);
            }
            ExprKind::Call { .. } => {
                self.result_unused = true;
                let outcome = self.rvalue(expr);
                self.result_unused = false;
                outcome?;
            }
            _ => {
                self.rvalue(expr)?;
            }
        }
        Ok(())
    }

    /// `(void)operand`. That of a mere name only silences a compiler: it is no access, unless accesses of the object are
    /// effects.
    fn discard_as_void(&mut self, operand: ExprId) -> Lowered<()> {
        if let ExprKind::Name(name) = self.ast[operand].kind
            && self.scopes.lookup(name).is_some()
        {
            let ty = self.type_of(operand)?;
            if !ty.is_atomic() && !ty.quals.contains(Quals::VOLATILE) {
                return Ok(());
            }
        }
        self.discard(operand)
    }

    fn discard_conditional(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId, span: Span) -> Lowered<()> {
        let (then_block, else_block) = (self.f.builder.new_block(), self.f.builder.new_block());
        let join = self.f.builder.new_block();
        self.branch_on(condition, then_block, else_block)?;
        for (block, arm) in [(then_block, then), (else_block, otherwise)] {
            self.f.builder.switch_to(block);
            self.push_frame(FrameKind::Part);
            let outcome = self.discard(arm);
            self.pop_frame(span);
            outcome?;
            self.f.builder.goto(join, span);
        }
        self.f.builder.switch_to(join);
        Ok(())
    }

    fn cast_expression(&mut self, ty: TypeExprId, operand: ExprId, span: Span) -> Lowered<Value> {
        let ty = self.resolve_type(ty)?;
        if self.link.types.is_void(ty.ty) {
            self.discard_as_void(operand)?;
            return Ok(Value::void());
        }
        // The old way to write `offsetof`: `(size_t)&((T *)0)->m`.
        if matches!(self.ast[operand].kind, ExprKind::Unary { op: UnaryOp::AddressOf, .. })
            && self.link.types.is_integer(ty.ty)
        {
            let offset = self.constant_from(|lowerer| {
                let value = lowerer.rvalue(operand)?;
                lowerer.convert(value, ty.ty, span)
            })?;
            if let Some(offset @ Value { operand: Operand::Int { .. }, .. }) = offset {
                return Ok(offset);
            }
        }
        let value = self.rvalue(operand)?;
        self.convert(value, ty.ty, span)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Literals

    /// An integer constant of an integer type.
    pub fn integer(&self, value: u64, ty: TypeId) -> Value {
        let bits = self.register_type(ty).bits(self.link.types.model);
        Value::scalar(Operand::int(bits, value), ty)
    }

    /// C11 6.4.4.1: the first type of the list that holds the value.
    fn integer_literal(&mut self, constant: IntegerConstant, span: Span) -> Value {
        if constant.imaginary {
            return self.unsupported("complex numbers", TypeTable::DOUBLE, span);
        }
        let model = self.link.types.model;
        let decimal = constant.radix == Radix::Decimal;
        let ranks: &[(IntKind, IntKind)] = &[
            (IntKind::Int, IntKind::UnsignedInt),
            (IntKind::Long, IntKind::UnsignedLong),
            (IntKind::LongLong, IntKind::UnsignedLongLong),
        ];
        let first = match constant.length {
            IntegerLength::Int => 0,
            IntegerLength::Long => 1,
            IntegerLength::LongLong => 2,
        };
        for &(signed, unsigned) in &ranks[first..] {
            let bits = signed.bits(model);
            if !constant.unsigned && constant.value < 1 << (bits - 1) {
                let ty = self.link.types.int(signed);
                return self.integer(constant.value as u64, ty);
            }
            if (constant.unsigned || !decimal) && constant.value < 1 << bits {
                let ty = self.link.types.int(unsigned);
                return self.integer(constant.value as u64, ty);
            }
        }
        if u64::try_from(constant.value).is_ok() {
            return self.integer(constant.value as u64, TypeTable::UNSIGNED_LONG_LONG);
        }
        self.unsupported("an integer constant of more than 64 bits", TypeTable::UNSIGNED_LONG_LONG, span)
    }

    fn float_literal(&mut self, constant: FloatConstant, span: Span) -> Value {
        use crate::ast::BasicType;
        if constant.imaginary {
            return self.unsupported("complex numbers", TypeTable::DOUBLE, span);
        }
        match constant.suffix {
            FloatSuffix::Float | FloatSuffix::Extended(BasicType::Float32) => {
                Value::scalar(Operand::Float(constant.single.to_bits()), TypeTable::FLOAT)
            }
            FloatSuffix::None | FloatSuffix::Extended(BasicType::Float64 | BasicType::Float32x) => {
                Value::scalar(Operand::Double(constant.value.to_bits()), TypeTable::DOUBLE)
            }
            FloatSuffix::Long | FloatSuffix::Extended(_) => {
                self.unsupported("a constant of type `long double`", TypeTable::DOUBLE, span)
            }
        }
    }

    fn char_literal(&mut self, constant: CharConstant) -> Value {
        let ty = match constant.encoding {
            Encoding::Narrow | Encoding::Utf8 => TypeTable::INT,
            Encoding::Wide => self.link.types.wide_character(),
            Encoding::Utf16 => self.link.types.int(IntKind::UnsignedShort),
            Encoding::Utf32 => TypeTable::UNSIGNED,
        };
        self.integer(constant.value as u64, ty)
    }

    pub fn string_place(&mut self, literal: &StringLiteral, span: Span) -> Lowered<Place> {
        let (bytes, element) = self.string_bytes(literal);
        let size = self.link.types.size_of(element).unwrap_or(1);
        let length = ArrayLength::Known(bytes.len() as u64 / size);
        let ty = self.link.types.array_of(QualType::plain(element), length);
        let global = self.link.literal(bytes, ty, self.place_of(span));
        let kind = PlaceKind::Memory(Address::at(Operand::Global { global, offset: 0 }));
        Ok(Place { kind, ty: QualType::plain(ty) })
    }

    /// The bytes with the terminating zero, and the type of a character.
    pub fn string_bytes(&mut self, literal: &StringLiteral) -> (Vec<u8>, TypeId) {
        let element = match literal.encoding {
            Encoding::Narrow | Encoding::Utf8 => TypeTable::CHAR,
            Encoding::Wide => self.link.types.wide_character(),
            Encoding::Utf16 => self.link.types.int(IntKind::UnsignedShort),
            Encoding::Utf32 => TypeTable::UNSIGNED,
        };
        let size = self.link.types.size_of(element).unwrap_or(1) as usize;
        let bytes = match &literal.units {
            StringUnits::Bytes(bytes) => bytes.iter().copied().chain([0]).collect(),
            StringUnits::Wide(units) => {
                units.iter().chain([&0]).flat_map(|unit| unit.to_le_bytes()[..size].to_vec()).collect()
            }
        };
        (bytes, element)
    }

    pub fn bytes_place(&mut self, bytes: Vec<u8>, span: Span) -> Place {
        let element = QualType { ty: TypeTable::CHAR, quals: Quals::CONST };
        let ty = self.link.types.array_of(element, ArrayLength::Known(bytes.len() as u64));
        let global = self.link.string(bytes, ty, self.place_of(span));
        let kind = PlaceKind::Memory(Address::at(Operand::Global { global, offset: 0 }));
        Place { kind, ty: QualType::plain(ty) }
    }

    pub fn compound_literal(&mut self, ty: TypeExprId, list: &InitializerList, span: Span) -> Lowered<Place> {
        let ty = self.resolve_type(ty)?;
        let ty = self.complete_by_list(ty, list)?;
        let local = self.add_local(COMPOUND_LITERAL, ty.ty, None, span)?;
        self.begin_in_block(local, None, span);
        self.protect_constants(local, ty);
        let address = Operand::Local { local, offset: 0 };
        let place = Place { kind: PlaceKind::Memory(Address::at(address)), ty };
        self.initialise_from_list(place, list, span)?;
        Ok(place)
    }

    /// A compound literal outside of functions.
    pub fn static_compound_literal(&mut self, ty: TypeExprId, list: &InitializerList, span: Span) -> Lowered<Place> {
        let ty = self.resolve_type(ty)?;
        let ty = self.complete_by_list(ty, list)?;
        let global = self.link.add_global(COMPOUND_LITERAL, ty, span);
        self.define_static(global, ty, &crate::ast::Initializer::List(list.clone()), span)?;
        let kind = PlaceKind::Memory(Address::at(Operand::Global { global, offset: 0 }));
        Ok(Place { kind, ty })
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Types and sizes

    fn sizeof_value(&mut self, ty: TypeId, span: Span) -> Lowered<Value> {
        let size_type = self.link.types.size_type();
        if let Some(what) = self.unsupported_part(ty) {
            return Ok(self.unsupported(format!("the size of a type with {what}"), size_type, span));
        }
        let operand = self.size_value(ty, span)?;
        Ok(Value::scalar(operand, size_type))
    }

    /// A number that follows from how the type is laid out, which an attribute may change in a way that is not known.
    fn layout_value(&mut self, number: u64, ty: TypeId, span: Span) -> Value {
        let size_type = self.link.types.size_type();
        match self.unsupported_part(ty) {
            Some(what) => self.unsupported(format!("the layout of a type with {what}"), size_type, span),
            None => self.integer(number, size_type),
        }
    }

    /// GNU `_Alignof` of an expression: of a variable, what it was declared with.
    fn alignment_of(&mut self, expr: ExprId, span: Span) -> Lowered<Value> {
        let size_type = self.link.types.size_type();
        if let ExprKind::Name(name) = self.ast[expr].kind {
            match self.scopes.lookup(name) {
                Some(Entity::Global(global)) => {
                    let slot = &self.link.globals[global];
                    return Ok(match slot.unsupported.clone() {
                        Some(what) => {
                            self.unsupported(format!("the alignment of an object with {what}"), size_type, span)
                        }
                        None => self.integer(slot.align, size_type),
                    });
                }
                Some(Entity::Local { local, .. }) => {
                    return Ok(self.integer(self.f.builder.locals[local].align, size_type));
                }
                _ => {}
            }
        }
        let ty = self.type_of(expr)?;
        Ok(self.layout_value(self.link.types.preferred_align(ty), ty.ty, span))
    }

    /// The type of an expression, which is not evaluated. Arrays stay arrays.
    pub fn type_of(&mut self, expr: ExprId) -> Lowered<QualType> {
        if self.is_lvalue(expr) {
            return self.without_code(false, |lowerer| lowerer.place(expr).map(|place| place.ty));
        }
        self.value_shape(expr).map(|value| QualType::plain(value.ty))
    }

    /// Type and form of the value that an expression would have.
    pub fn value_shape(&mut self, expr: ExprId) -> Lowered<Value> {
        self.without_code(false, |lowerer| lowerer.rvalue(expr))
    }

    fn is_lvalue(&self, expr: ExprId) -> bool {
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

    /// Runs `work` with a builder whose code is thrown away.
    fn without_code<T>(&mut self, constant_mode: bool, work: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        self.scratch(constant_mode, work).map(|(result, _)| result)
    }

    /// As `without_code`; also says whether there was any code.
    pub fn scratch<T>(
        &mut self,
        constant_mode: bool,
        work: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<(T, bool)> {
        let (registers, locals) = (self.f.builder.registers.len(), self.f.builder.locals.len());
        let constant_mode = constant_mode || self.f.builder.constant_mode;
        let scratch = self.f.builder.scratch(constant_mode);
        let outer = std::mem::replace(&mut self.f.builder, scratch);
        let jumps = self.f.jumps.checkpoint();
        let depth = self.scopes.depth();
        let handed_out = self.f.handed_out.clone();
        let result = work(self);
        self.f.handed_out = handed_out;
        self.scopes.truncate(depth);
        self.f.jumps.roll_back(jumps);
        let scratch = std::mem::replace(&mut self.f.builder, outer);
        let pristine = scratch.is_pristine();
        self.f.builder.end_scratch(scratch, registers, locals);
        result.map(|value| (value, pristine))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Constants

    /// The value of a constant expression: a number or an address, without registers. `None` if it is not constant.
    pub fn constant(&mut self, expr: ExprId) -> Lowered<Option<Value>> {
        self.constant_from(|lowerer| lowerer.rvalue(expr))
    }

    pub fn constant_from(&mut self, work: impl FnOnce(&mut Self) -> Lowered<Value>) -> Lowered<Option<Value>> {
        let (value, pristine) = self.scratch(true, |lowerer| {
            let value = work(lowerer)?;
            lowerer.materialise(value, Span::UNKNOWN)
        })?;
        let fixed = !matches!(value.operand, Operand::Register(_) | Operand::Local { .. });
        Ok((pristine && fixed && value.form == Form::Scalar).then_some(value))
    }

    /// The value of an integer constant expression, if it is one.
    pub fn integer_constant(&mut self, expr: ExprId) -> Lowered<Option<i128>> {
        Ok(self.constant(expr)?.and_then(|value| self.as_integer(value)))
    }

    /// As [`Self::integer_constant`], for places where a mistake is reported elsewhere or does not matter.
    pub fn try_integer_constant(&mut self, expr: ExprId) -> Option<i128> {
        let before = self.link.diagnostics.len();
        let result = self.integer_constant(expr);
        self.link.diagnostics.truncate(before);
        result.ok().flatten()
    }

    pub fn as_integer(&self, value: Value) -> Option<i128> {
        match value.operand {
            Operand::Int { bits, value: number } if self.link.types.is_signed(value.ty) => {
                Some(i128::from(sign_extend(number, bits)))
            }
            Operand::Int { value: number, .. } => Some(i128::from(number)),
            _ => None,
        }
    }

    pub fn require_integer_constant(&mut self, expr: ExprId) -> Lowered<i128> {
        match self.integer_constant(expr)? {
            Some(value) => Ok(value),
            None => self.error("constant", self.ast[expr].span, "this must be an integer constant"),
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Selections made by the compiler

    /// The expression that `_Generic` or `__builtin_choose_expr` stands for.
    pub fn chosen(&mut self, expr: ExprId) -> Lowered<ExprId> {
        match &self.ast[expr].kind {
            ExprKind::Choose { condition, then, otherwise } => {
                let condition = self.require_integer_constant(*condition)?;
                Ok(if condition != 0 { *then } else { *otherwise })
            }
            ExprKind::Generic { control, associations } => {
                let control = self.value_shape(*control)?;
                let mut default = None;
                for association in associations {
                    let Some(ty) = association.ty else {
                        default = Some(association.value);
                        continue;
                    };
                    let ty = self.resolve_type(ty)?;
                    if self.link.types.compatible(ty.ty, control.ty) {
                        return Ok(association.value);
                    }
                }
                match default {
                    Some(value) => Ok(value),
                    None => {
                        let name = self.link.types.name(control.ty);
                        self.error("type", self.ast[expr].span, format!("no association of `_Generic` is for `{name}`"))
                    }
                }
            }
            _ => Ok(expr),
        }
    }

    fn offset_of(&mut self, ty: TypeExprId, path: &[crate::ast::Designator], span: Span) -> Lowered<Value> {
        let ty = self.resolve_type(ty)?;
        let mut place = Place { kind: PlaceKind::Memory(Address::at(Operand::Null)), ty };
        for step in path {
            place = match step.kind {
                DesignatorKind::Field(name) => {
                    let name = self.name(name);
                    self.member_of(place, name, step.span)?
                }
                DesignatorKind::Index(index) | DesignatorKind::Range(index, _) => self.offset_element(place, index)?,
            };
        }
        let PlaceKind::Memory(address) = place.kind else {
            return self.error("type", span, "a bit-field has no offset");
        };
        Ok(self.layout_value(address.offset as u64, ty.ty, span))
    }

    fn offset_element(&mut self, place: Place, index: ExprId) -> Lowered<Place> {
        let span = self.ast[index].span;
        let CType::Array { element, .. } = *self.link.types.kind(place.ty.ty) else {
            return self.error("type", span, "only an array has elements");
        };
        let index = self.require_integer_constant(index)?;
        let size = self.link.types.size_of(element.ty).unwrap_or(0);
        let PlaceKind::Memory(address) = place.kind else {
            return self.error("type", span, "a bit-field has no elements");
        };
        let address = address.plus((index as u64).wrapping_mul(size));
        Ok(Place { kind: PlaceKind::Memory(address), ty: element })
    }

    /// The value of `({ … })` is that of its last statement.
    fn statement_expression(&mut self, body: crate::ast::StmtId) -> Lowered<Value> {
        if self.f.result.is_none() {
            return self.error("constant", self.ast[body].span, "a statement expression needs a function around it");
        }
        self.block_value(body)
    }
}

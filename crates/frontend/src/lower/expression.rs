//! Expressions: one function per use (value, effect, type, constant) that dispatches on the kind of expression.

use base::Span;
use program::{COMPOUND_LITERAL, Operand};

use super::Lowerer;
use crate::ast::{
    BinaryOp, CharConstant, DesignatorKind, ExprId, ExprKind, FloatConstant, FloatSuffix, InitializerList,
    IntegerConstant, IntegerLength, LiteralEncoding, Radix, StringLiteral, TypeExprId, UnaryOp,
};
use crate::ctype::{ArrayLength, CType, IntKind, QualType, Quals, TypeId, TypeTable};
use crate::emit::frame::FrameKind;
use crate::emit::value::{Address, CValue, Form, LValue, Lowered, PlaceKind};
use crate::library::ResultUse;
use crate::scopes::Entity;
use crate::symbol::Symbol;

impl Lowerer<'_, '_> {
    /// The value of an expression; arrays and functions as pointers.
    pub fn rvalue(&mut self, expr: ExprId) -> Lowered<CValue> {
        if let Some(value) = self.operands.value(expr) {
            return Ok(value);
        }
        let node = &self.ast[expr];
        let span = self.span(expr);
        match &node.kind {
            ExprKind::Name(name) => match self.scopes.lookup(*name) {
                Some(Entity::Constant { value, ty }) => Ok(self.emit.integer(value as u64, ty)),
                _ => {
                    let place = self.place(expr)?;
                    self.emit.load(place, span)
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
                if op.is_comparison() && self.inspect().is_literal_zero(*right) {
                    self.compared_with_zero = Some(*left);
                }
                let (left, right) = self.two_values(*left, *right, span)?;
                self.emit.binary(*op, left, right, span)
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
                let known = self.inspect().typedef_alignment(*ty);
                let ty = self.resolve_type(*ty)?;
                let types = &self.emit.link.types;
                let own = || if *preferred { types.preferred_align(ty) } else { types.field_align(ty) };
                let align = known.unwrap_or_else(own);
                Ok(self.layout_value(align, ty.ty, span))
            }
            ExprKind::Call { callee, arguments } => self.call(*callee, arguments, expr, ResultUse::All),
            ExprKind::String(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral { .. } => {
                let place = self.place(expr)?;
                self.emit.load(place, span)
            }
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => {
                let chosen = self.chosen(expr)?;
                self.rvalue(chosen)
            }
            ExprKind::Statement(body) => self.statement_expression(*body),
            ExprKind::LabelAddress(label) => Ok(self.emit.label_address(*label, span)),
            ExprKind::Offsetof { ty, path } => self.offset_of(*ty, path, span),
            ExprKind::VaArg { list, ty } => self.va_arg(*list, *ty, span),
            ExprKind::TypesCompatible { left, right } => {
                let left = self.resolve_type(*left)?;
                let right = self.resolve_type(*right)?;
                let same = self.emit.link.types.compatible(left.ty, right.ty);
                Ok(self.emit.integer(u64::from(same), TypeTable::INT))
            }
        }
    }

    fn unary_expression(&mut self, op: UnaryOp, operand: ExprId, expr: ExprId) -> Lowered<CValue> {
        let span = self.span(expr);
        match op {
            UnaryOp::Dereference => {
                let place = self.place(expr)?;
                self.emit.load(place, span)
            }
            UnaryOp::AddressOf => self.address_expression(operand, span),
            UnaryOp::Not => {
                let truth = self.condition(operand)?;
                Ok(CValue::truth(self.emit.builder.not(truth, span)))
            }
            UnaryOp::PreIncrement | UnaryOp::PreDecrement | UnaryOp::PostIncrement | UnaryOp::PostDecrement => {
                self.step(op, operand, true, span)
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => {
                let value = self.rvalue(operand)?;
                self.emit.unary(op, value, span)
            }
            UnaryOp::Real | UnaryOp::Imaginary => {
                let value = self.rvalue(operand)?;
                if op == UnaryOp::Real && self.emit.link.types.is_arithmetic(value.ty) {
                    return Ok(value);
                }
                Ok(self.emit.unsupported("complex numbers", TypeTable::DOUBLE, span))
            }
        }
    }

    fn address_expression(&mut self, operand: ExprId, span: Span) -> Lowered<CValue> {
        // `&*p` is `p`, without an access.
        if let ExprKind::Unary { op: UnaryOp::Dereference, operand: pointer } = self.ast[operand].kind {
            let value = self.rvalue(pointer)?;
            return if self.emit.link.types.pointee(value.ty).is_some() {
                Ok(value)
            } else {
                self.emit.dereference(value, span).map(|_| value)
            };
        }
        let place = self.place(operand)?;
        self.emit.address_of(place, span)
    }

    /// Evaluates for the effects alone.
    pub fn discard(&mut self, expr: ExprId) -> Lowered<()> {
        if self.operands.is_settled(expr) {
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
                if self.emit.link.types.is_void(ty.ty) {
                    return self.discard_as_void(*operand);
                }
                self.rvalue(expr)?;
            }
            ExprKind::Name(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::Unary { op: UnaryOp::Dereference, .. } => {
                let value = self.rvalue(expr)?;
                self.emit.read_whole(value, span)?;
            }
            ExprKind::Generic { .. } | ExprKind::Choose { .. } => {
                let chosen = self.chosen(expr)?;
                self.discard(chosen)?;
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                self.discard_conditional(*condition, *then, *otherwise, span)?;
            }
            ExprKind::Binary { op: op @ (BinaryOp::LogicalAnd | BinaryOp::LogicalOr), left, right } => {
                let (side, join) = (self.emit.builder.new_block(), self.emit.builder.new_block());
                match op {
                    BinaryOp::LogicalAnd => self.branch_on(*left, side, join)?,
                    _ => self.branch_on(*left, join, side)?,
                }
                self.emit.builder.switch_to(side);
                self.push_frame(FrameKind::Part);
                let outcome = self.discard(*right);
                self.pop_frame(span);
                outcome?;
                self.emit.builder.goto(join, span);
                self.emit.builder.switch_to(join);
            }
            ExprKind::Call { callee, arguments } => {
                self.call(*callee, arguments, expr, ResultUse::Nothing)?;
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
        let (then_block, else_block) = (self.emit.builder.new_block(), self.emit.builder.new_block());
        let join = self.emit.builder.new_block();
        self.branch_on(condition, then_block, else_block)?;
        for (block, arm) in [(then_block, then), (else_block, otherwise)] {
            self.emit.builder.switch_to(block);
            self.push_frame(FrameKind::Part);
            let outcome = self.discard(arm);
            self.pop_frame(span);
            outcome?;
            self.emit.builder.goto(join, span);
        }
        self.emit.builder.switch_to(join);
        Ok(())
    }

    fn cast_expression(&mut self, ty: TypeExprId, operand: ExprId, span: Span) -> Lowered<CValue> {
        let ty = self.resolve_type(ty)?;
        if self.emit.link.types.is_void(ty.ty) {
            self.discard_as_void(operand)?;
            return Ok(CValue::void());
        }
        // The old way to write `offsetof`: `(size_t)&((T *)0)->m`.
        if matches!(self.ast[operand].kind, ExprKind::Unary { op: UnaryOp::AddressOf, .. })
            && self.emit.link.types.is_integer(ty.ty)
        {
            let offset = self.constant_from(|lowerer| {
                let value = lowerer.rvalue(operand)?;
                lowerer.emit.convert(value, ty.ty, span)
            })?;
            if let Some(offset @ CValue { operand: Operand::Int { .. }, .. }) = offset {
                return Ok(offset);
            }
        }
        let value = self.rvalue(operand)?;
        self.emit.convert(value, ty.ty, span)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Literals

    /// C11 6.4.4.1: the first type of the list that holds the value.
    fn integer_literal(&mut self, constant: IntegerConstant, span: Span) -> CValue {
        if constant.imaginary {
            return self.emit.unsupported("complex numbers", TypeTable::DOUBLE, span);
        }
        let model = self.emit.link.types.model;
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
                let ty = self.emit.link.types.int(signed);
                return self.emit.integer(constant.value as u64, ty);
            }
            if (constant.unsigned || !decimal) && constant.value < 1 << bits {
                let ty = self.emit.link.types.int(unsigned);
                return self.emit.integer(constant.value as u64, ty);
            }
        }
        if u64::try_from(constant.value).is_ok() {
            return self.emit.integer(constant.value as u64, TypeTable::UNSIGNED_LONG_LONG);
        }
        self.emit.unsupported("an integer constant of more than 64 bits", TypeTable::UNSIGNED_LONG_LONG, span)
    }

    fn float_literal(&mut self, constant: FloatConstant, span: Span) -> CValue {
        use crate::ast::BasicType;
        if constant.imaginary {
            return self.emit.unsupported("complex numbers", TypeTable::DOUBLE, span);
        }
        match constant.suffix {
            FloatSuffix::Float | FloatSuffix::Extended(BasicType::Float32) => {
                CValue::scalar(Operand::Float(constant.single.to_bits()), TypeTable::FLOAT)
            }
            FloatSuffix::None | FloatSuffix::Extended(BasicType::Float64 | BasicType::Float32x) => {
                CValue::scalar(Operand::Double(constant.value.to_bits()), TypeTable::DOUBLE)
            }
            FloatSuffix::Long | FloatSuffix::Extended(_) => {
                self.emit.unsupported("a constant of type `long double`", TypeTable::DOUBLE, span)
            }
        }
    }

    fn char_literal(&mut self, constant: CharConstant) -> CValue {
        let ty = match constant.encoding {
            LiteralEncoding::Narrow | LiteralEncoding::Utf8 => TypeTable::INT,
            LiteralEncoding::Wide => self.emit.link.types.wide_character(),
            LiteralEncoding::Utf16 => self.emit.link.types.int(IntKind::UnsignedShort),
            LiteralEncoding::Utf32 => TypeTable::UNSIGNED,
        };
        self.emit.integer(constant.value as u64, ty)
    }

    pub fn string_place(&mut self, literal: &StringLiteral, span: Span) -> Lowered<LValue> {
        let (bytes, element) = self.emit.link.types.string_bytes(literal);
        let size = self.emit.link.types.size_of(element).unwrap_or(1);
        let length = ArrayLength::Known(bytes.len() as u64 / size);
        let ty = self.emit.link.types.array_of(QualType::plain(element), length);
        let global = self.emit.link.literal(bytes, ty, self.place_of(span));
        let kind = PlaceKind::Memory(Address::at(Operand::Global { global, offset: 0 }));
        Ok(LValue { kind, ty: QualType::plain(ty) })
    }

    pub fn compound_literal(&mut self, ty: TypeExprId, list: &InitializerList, span: Span) -> Lowered<LValue> {
        let ty = self.resolve_type(ty)?;
        let ty = self.complete_by_list(ty, list)?;
        let local = self.emit.add_local(COMPOUND_LITERAL, ty.ty, None, span)?;
        self.emit.begin_in_block(local, None, span);
        self.emit.protect_constants(local, ty);
        let address = Operand::Local { local, offset: 0 };
        let place = LValue { kind: PlaceKind::Memory(Address::at(address)), ty };
        self.initialise_from_list(place, list, span)?;
        Ok(place)
    }

    /// A compound literal outside of functions.
    pub fn static_compound_literal(&mut self, ty: TypeExprId, list: &InitializerList, span: Span) -> Lowered<LValue> {
        let ty = self.resolve_type(ty)?;
        let ty = self.complete_by_list(ty, list)?;
        let global = self.emit.link.add_global(COMPOUND_LITERAL, ty, span);
        self.define_static(global, ty, &crate::ast::Initializer::List(list.clone()), span)?;
        let kind = PlaceKind::Memory(Address::at(Operand::Global { global, offset: 0 }));
        Ok(LValue { kind, ty })
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Types and sizes

    fn sizeof_value(&mut self, ty: TypeId, span: Span) -> Lowered<CValue> {
        let size_type = self.emit.link.types.size_type();
        if let Some(what) = self.emit.link.types.unsupported_part(ty) {
            return Ok(self.emit.unsupported(format!("the size of a type with {what}"), size_type, span));
        }
        let operand = self.emit.size_value(ty, span)?;
        Ok(CValue::scalar(operand, size_type))
    }

    /// A number that follows from how the type is laid out, which an attribute may change in a way that is not known.
    fn layout_value(&mut self, number: u64, ty: TypeId, span: Span) -> CValue {
        let size_type = self.emit.link.types.size_type();
        match self.emit.link.types.unsupported_part(ty) {
            Some(what) => self.emit.unsupported(format!("the layout of a type with {what}"), size_type, span),
            None => self.emit.integer(number, size_type),
        }
    }

    /// GNU `_Alignof` of an expression: of a variable or a member, what it was declared with.
    fn alignment_of(&mut self, expr: ExprId, span: Span) -> Lowered<CValue> {
        let size_type = self.emit.link.types.size_type();
        let ty = self.type_of(expr)?;
        if let ExprKind::Member { base, field, arrow } = self.ast[expr].kind {
            return self.alignment_of_member(base, field, arrow, span);
        }
        if let ExprKind::Unary { op: UnaryOp::Dereference, operand } = self.ast[expr].kind {
            return self.alignment_of_pointee(operand, span);
        }
        if let ExprKind::Name(name) = self.ast[expr].kind {
            match self.scopes.lookup(name) {
                Some(Entity::Global(global)) => {
                    let slot = &self.emit.link.globals[global];
                    return Ok(match slot.unsupported.clone() {
                        Some(what) => {
                            self.emit.unsupported(format!("the alignment of an object with {what}"), size_type, span)
                        }
                        None => self.emit.integer(slot.align, size_type),
                    });
                }
                Some(Entity::Local { local, .. }) => {
                    return Ok(self.emit.integer(self.emit.builder.locals[local].align, size_type));
                }
                _ => {}
            }
        }
        Ok(self.layout_value(self.emit.link.types.preferred_align(ty), ty.ty, span))
    }

    fn alignment_of_member(&mut self, base: ExprId, field: Symbol, arrow: bool, span: Span) -> Lowered<CValue> {
        let record = match arrow {
            true => {
                let pointer = self.value_shape(base)?.ty;
                self.emit.link.types.pointee(pointer).map_or(pointer, |pointee| pointee.ty)
            }
            false => self.type_of(base)?.ty,
        };
        let path = self.emit.link.types.find_member(record, self.name(field)).unwrap_or_default();
        let align = path.last().map_or(1, |member| member.align);
        Ok(self.layout_value(align, record, span))
    }

    /// Of what a pointer leads to, gcc takes the greatest alignment that the pointer had on its way through casts.
    fn alignment_of_pointee(&mut self, mut pointer: ExprId, span: Span) -> Lowered<CValue> {
        let (mut align, mut ty) = (1, TypeTable::VOID);
        loop {
            let shape = self.value_shape(pointer)?;
            let types = &self.emit.link.types;
            let Some(pointee) = types.pointee(shape.ty) else { break };
            if ty == TypeTable::VOID || types.preferred_align(pointee) > align {
                (align, ty) = (types.preferred_align(pointee), pointee.ty);
            }
            let ExprKind::Cast { operand, .. } = self.ast[pointer].kind else { break };
            pointer = operand;
        }
        Ok(self.layout_value(align, ty, span))
    }

    /// The type of an expression, which is not evaluated. Arrays stay arrays.
    pub fn type_of(&mut self, expr: ExprId) -> Lowered<QualType> {
        if self.inspect().is_lvalue(expr) {
            return self.without_code(false, |lowerer| lowerer.place(expr).map(|place| place.ty));
        }
        self.value_shape(expr).map(|value| QualType::plain(value.ty))
    }

    /// Type and form of the value that an expression would have.
    pub fn value_shape(&mut self, expr: ExprId) -> Lowered<CValue> {
        self.without_code(false, |lowerer| lowerer.rvalue(expr))
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
        let (registers, locals) = (self.emit.builder.registers.len(), self.emit.builder.locals.len());
        let constant_mode = constant_mode || self.emit.builder.constant_mode;
        let scratch = self.emit.builder.scratch(constant_mode);
        let outer = std::mem::replace(&mut self.emit.builder, scratch);
        let jumps = self.emit.jumps.checkpoint();
        let depth = self.scopes.depth();
        let handed_out = self.emit.function.handed_out.clone();
        let result = work(self);
        self.emit.function.handed_out = handed_out;
        self.scopes.truncate(depth);
        self.emit.jumps.roll_back(jumps);
        let scratch = std::mem::replace(&mut self.emit.builder, outer);
        let pristine = scratch.is_pristine();
        self.emit.builder.end_scratch(scratch, registers, locals);
        result.map(|value| (value, pristine))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Constants

    /// The value of a constant expression: a number or an address, without registers. `None` if it is not constant.
    pub fn constant(&mut self, expr: ExprId) -> Lowered<Option<CValue>> {
        self.constant_from(|lowerer| lowerer.rvalue(expr))
    }

    pub fn constant_from(&mut self, work: impl FnOnce(&mut Self) -> Lowered<CValue>) -> Lowered<Option<CValue>> {
        let (value, pristine) = self.scratch(true, |lowerer| {
            let value = work(lowerer)?;
            lowerer.emit.materialise(value, Span::UNKNOWN)
        })?;
        let fixed = !matches!(value.operand, Operand::Register(_) | Operand::Local { .. });
        Ok((pristine && fixed && value.form == Form::Scalar).then_some(value))
    }

    /// The value of an integer constant expression, if it is one.
    pub fn integer_constant(&mut self, expr: ExprId) -> Lowered<Option<i128>> {
        Ok(self.constant(expr)?.and_then(|value| self.emit.as_integer(value)))
    }

    /// As [`Self::integer_constant`], for places where a mistake is reported elsewhere or does not matter.
    pub fn try_integer_constant(&mut self, expr: ExprId) -> Option<i128> {
        let before = self.emit.link.diagnostics.len();
        let result = self.integer_constant(expr);
        self.emit.link.diagnostics.truncate(before);
        result.ok().flatten()
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
                    if self.emit.link.types.compatible(ty.ty, control.ty) {
                        return Ok(association.value);
                    }
                }
                match default {
                    Some(value) => Ok(value),
                    None => {
                        let name = self.emit.link.types.name(control.ty);
                        self.error("type", self.ast[expr].span, format!("no association of `_Generic` is for `{name}`"))
                    }
                }
            }
            _ => Ok(expr),
        }
    }

    fn offset_of(&mut self, ty: TypeExprId, path: &[crate::ast::Designator], span: Span) -> Lowered<CValue> {
        let ty = self.resolve_type(ty)?;
        let mut place = LValue { kind: PlaceKind::Memory(Address::at(Operand::Null)), ty };
        for step in path {
            place = match step.kind {
                DesignatorKind::Field(name) => {
                    let name = self.name(name);
                    self.emit.member_of(place, name, step.span)?
                }
                DesignatorKind::Index(index) | DesignatorKind::Range(index, _) => self.offset_element(place, index)?,
            };
        }
        let PlaceKind::Memory(address) = place.kind else {
            return self.error("type", span, "a bit-field has no offset");
        };
        Ok(self.layout_value(address.offset as u64, ty.ty, span))
    }

    fn offset_element(&mut self, place: LValue, index: ExprId) -> Lowered<LValue> {
        let span = self.ast[index].span;
        let CType::Array { element, .. } = *self.emit.link.types.kind(place.ty.ty) else {
            return self.error("type", span, "only an array has elements");
        };
        let index = self.require_integer_constant(index)?;
        let size = self.emit.link.types.size_of(element.ty).unwrap_or(0);
        let PlaceKind::Memory(address) = place.kind else {
            return self.error("type", span, "a bit-field has no elements");
        };
        let address = address.plus((index as u64).wrapping_mul(size));
        Ok(LValue { kind: PlaceKind::Memory(address), ty: element })
    }

    /// The value of `({ … })` is that of its last statement.
    fn statement_expression(&mut self, body: crate::ast::StmtId) -> Lowered<CValue> {
        if self.emit.function.result.is_none() {
            return self.error("constant", self.ast[body].span, "a statement expression needs a function around it");
        }
        self.block_value(body)
    }
}

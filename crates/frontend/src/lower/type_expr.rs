//! Types as written become types of the table: declarators, specifiers, records, enumerations, attributes.

use base::Span;
use program::{Operand, RegisterId, Type};
use rustc_hash::FxHashSet;

use super::entity::{Entity, Tag};
use super::value::Lowered;
use super::{Lowerer, Reported};
use crate::ast::{
    Alignment, ArraySize, Attribute, AttributeKind, BasicType, EnumId, ExprId, MAX_HEIGHT, Member, Parameter,
    Parameters, Qualifiers, RecordId, RecordKind, TypeExprId, TypeExprKind,
};
use crate::ctype::{
    ArrayLength, CType, EnumDef, EnumDefId, FunctionType, IntKind, QualType, Quals, RecordDef, RecordDefId, TypeId,
    TypeTable,
};
use crate::declaration_features::{self, Meaning};
use crate::layout::{LayoutRules, MAX_SIZE, MemberSpec, lay_out};

impl Lowerer<'_, '_> {
    /// The type that `id` names. Each node is resolved once; a variable-length array's size is computed there and then.
    pub fn resolve_type(&mut self, id: TypeExprId) -> Lowered<QualType> {
        if let Some(&known) = self.types_seen.get(&id) {
            return Ok(known);
        }
        let resolved = self.resolve_uncached(id)?;
        self.limit_depth(self.link.types.depth(resolved.ty), self.ast[id].span)?;
        // A definition resolves what stands in its prototype again, when its parameters have values.
        if !self.in_prototype {
            self.types_seen.insert(id, resolved);
        }
        Ok(resolved)
    }

    /// Type definitions can nest types deeper than any syntax tree is high.
    fn limit_depth(&mut self, depth: u32, span: Span) -> Lowered<()> {
        if depth > MAX_HEIGHT {
            let text = format!("the code is too complex here: a type nested more than {MAX_HEIGHT} levels deep");
            return self.error("too-complex", span, text);
        }
        Ok(())
    }

    fn resolve_uncached(&mut self, id: TypeExprId) -> Lowered<QualType> {
        let node = &self.ast[id];
        let span = node.span;
        let quals = quals_of(node.qualifiers);
        let inner = match &node.kind {
            TypeExprKind::Basic(basic) => QualType::plain(self.basic_type(*basic)),
            TypeExprKind::Typedef(name) => match self.scopes.lookup(*name) {
                Some(Entity::Typedef { ty, .. }) => ty,
                _ => {
                    let name = self.name(*name);
                    return self.error("undeclared", span, format!("`{name}` is not a type here"));
                }
            },
            TypeExprKind::Record(record) => QualType::plain(self.record_type(*record)?),
            TypeExprKind::Enum(id) => QualType::plain(self.enum_type(*id)?),
            TypeExprKind::TypeofExpr(expr) => self.type_of(*expr)?,
            TypeExprKind::TypeofType(ty) => self.resolve_type(*ty)?,
            TypeExprKind::Atomic(ty) => self.resolve_type(*ty)?.with(Quals::ATOMIC),
            TypeExprKind::AutoType => {
                return self.error("type", span, "`__auto_type` needs a declaration with an initialiser");
            }
            TypeExprKind::Pointer(target) => {
                let target = self.resolve_type(*target)?;
                QualType::plain(self.link.types.pointer_to(target))
            }
            TypeExprKind::Array { element, size, .. } => self.array_type(*element, *size, span)?,
            TypeExprKind::Function { result, parameters } => self.function_type(*result, parameters, span)?,
            TypeExprKind::Attributed { inner, attributes } => {
                let inner = self.resolve_type(*inner)?;
                self.apply_type_attributes(inner, attributes)?
            }
        };
        Ok(self.link.types.with_quals(inner, quals))
    }

    fn basic_type(&mut self, basic: BasicType) -> TypeId {
        let wide = self.link.types.model.pointer_bytes() == 8;
        let opaque = |name, size, align| CType::Opaque { name, size, align, element: None };
        let (long_size, long_align) = if wide { (16, 16) } else { (12, 4) };
        let ty = match basic {
            BasicType::Void => CType::Void,
            BasicType::Bool => CType::Bool,
            BasicType::Char => CType::Int(IntKind::Char),
            BasicType::SignedChar => CType::Int(IntKind::SignedChar),
            BasicType::UnsignedChar => CType::Int(IntKind::UnsignedChar),
            BasicType::Short => CType::Int(IntKind::Short),
            BasicType::UnsignedShort => CType::Int(IntKind::UnsignedShort),
            BasicType::Int => CType::Int(IntKind::Int),
            BasicType::UnsignedInt => CType::Int(IntKind::UnsignedInt),
            BasicType::Long => CType::Int(IntKind::Long),
            BasicType::UnsignedLong => CType::Int(IntKind::UnsignedLong),
            BasicType::LongLong => CType::Int(IntKind::LongLong),
            BasicType::UnsignedLongLong => CType::Int(IntKind::UnsignedLongLong),
            BasicType::Float | BasicType::Float32 => CType::Float,
            BasicType::Double | BasicType::Float64 | BasicType::Float32x => CType::Double,
            BasicType::VaList => CType::VaList,
            BasicType::Int128 => opaque("__int128", 16, 16),
            BasicType::UnsignedInt128 => opaque("unsigned __int128", 16, 16),
            BasicType::LongDouble => opaque("long double", long_size, long_align),
            BasicType::Float64x => opaque("_Float64x", long_size, long_align),
            BasicType::Float16 => opaque("_Float16", 2, 2),
            BasicType::Float128 => opaque("_Float128", 16, 16),
            BasicType::Decimal32 => opaque("_Decimal32", 4, 4),
            BasicType::Decimal64 => opaque("_Decimal64", 8, 8),
            BasicType::Decimal128 => opaque("_Decimal128", 16, 16),
            BasicType::FloatComplex => opaque("float _Complex", 8, 4),
            BasicType::DoubleComplex => opaque("double _Complex", 16, if wide { 8 } else { 4 }),
            BasicType::LongDoubleComplex => opaque("long double _Complex", 2 * long_size, long_align),
            BasicType::OtherComplex => opaque("_Complex", 16, 8),
        };
        self.link.types.intern(ty)
    }

    fn array_type(&mut self, element: TypeExprId, size: ArraySize, span: Span) -> Lowered<QualType> {
        let element = self.resolve_type(element)?;
        if self.link.types.is_function(element.ty) || self.link.types.is_void(element.ty) {
            return self.error("type", span, "an array cannot have elements of this type");
        }
        let length = match size {
            ArraySize::Unspecified | ArraySize::Star => ArrayLength::Unknown,
            ArraySize::Expr(expr) => self.array_length(expr)?,
        };
        if let ArrayLength::Known(n) = length
            && self.link.types.size_of(element.ty).is_some_and(|size| size.saturating_mul(n) > MAX_SIZE)
        {
            return self.error("type", span, "the array is too large");
        }
        Ok(QualType::plain(self.link.types.array_of(element, length)))
    }

    fn array_length(&mut self, expr: ExprId) -> Lowered<ArrayLength> {
        let span = self.ast[expr].span;
        // In a prototype, the size may name other parameters, which are not declared yet.
        let constant = match self.in_prototype {
            true => self.try_integer_constant(expr),
            false => self.integer_constant(expr)?,
        };
        if let Some(value) = constant {
            return match u64::try_from(value) {
                Ok(length) => Ok(ArrayLength::Known(length)),
                Err(_) => self.error("type", span, "the size of an array is negative"),
            };
        }
        if self.in_prototype {
            return Ok(ArrayLength::Unknown);
        }
        if self.scopes.at_file_scope() {
            return self.error("constant", span, "the size of an array at file scope must be constant");
        }
        Ok(ArrayLength::Variable(self.variable_length(expr)?))
    }

    fn variable_length(&mut self, expr: ExprId) -> Lowered<RegisterId> {
        let span = self.span(expr);
        let value = self.rvalue(expr)?;
        if !self.link.types.is_integer(value.ty) {
            return self.error("type", span, "the size of an array must be an integer");
        }
        let value = self.convert(value, self.link.types.size_type(), span)?;
        let ty = self.pointer_int();
        let length = self.f.builder.pinned(ty);
        self.f.builder.assign(length, value.operand, span);
        Ok(length)
    }

    fn function_type(&mut self, result: TypeExprId, parameters: &Parameters, span: Span) -> Lowered<QualType> {
        let result = self.resolve_type(result)?;
        let is_array = matches!(self.link.types.kind(result.ty), CType::Array { .. });
        if is_array || self.link.types.is_function(result.ty) {
            return self.error("type", span, "a function cannot return an array or a function");
        }
        let function = match parameters {
            Parameters::Unspecified | Parameters::Identifiers(_) => {
                FunctionType { result, parameters: Vec::new(), variadic: false, prototype: false }
            }
            Parameters::Prototype { parameters, variadic } => {
                let parameters = self.parameter_types(parameters)?;
                FunctionType { result, parameters, variadic: *variadic, prototype: true }
            }
        };
        Ok(QualType::plain(self.link.types.intern(CType::Function(function))))
    }

    /// Sizes of arrays in a prototype (`int a[n]`) matter only in a definition, whose body resolves them again.
    fn parameter_types(&mut self, parameters: &[Parameter]) -> Lowered<Vec<QualType>> {
        let mut types = Vec::with_capacity(parameters.len());
        let outer = std::mem::replace(&mut self.in_prototype, true);
        self.scopes.push();
        let mut failed = false;
        for parameter in parameters {
            match self.parameter_type(parameter.ty) {
                Ok(ty) => types.push(ty),
                Err(Reported) => failed = true,
            }
        }
        self.scopes.pop();
        self.in_prototype = outer;
        if failed {
            return Err(Reported);
        }
        if let [only] = types[..]
            && self.link.types.is_void(only.ty)
            && parameters[0].name.is_none()
        {
            types.clear();
        }
        Ok(types)
    }

    /// The type of a parameter with arrays and functions adjusted to pointers. Of a variable outermost size only the
    /// effects count, when the function is called.
    pub fn parameter_type(&mut self, id: TypeExprId) -> Lowered<QualType> {
        let node = &self.ast[id];
        if let TypeExprKind::Array { element, qualifiers, size, .. } = &node.kind {
            let quals = quals_of(*qualifiers);
            let element = self.resolve_type(*element)?;
            if let ArraySize::Expr(expr) = *size
                && !self.in_prototype
                && self.try_integer_constant(expr).is_none()
            {
                self.discard(expr)?;
            }
            return Ok(QualType { ty: self.link.types.pointer_to(element), quals });
        }
        let ty = self.resolve_type(id)?;
        Ok(self.adjusted(ty))
    }

    /// Arrays become pointers to their elements, functions pointers to functions.
    pub fn adjusted(&mut self, ty: QualType) -> QualType {
        match *self.link.types.kind(ty.ty) {
            CType::Array { element, .. } => QualType::plain(self.link.types.pointer_to(element)),
            CType::Function(_) => QualType::plain(self.link.types.pointer_to(ty)),
            _ => ty,
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Records

    fn record_type(&mut self, id: RecordId) -> Lowered<TypeId> {
        if let Some(&record) = self.records_seen.get(&id) {
            return Ok(self.link.types.intern(CType::Record(record)));
        }
        let specifier = &self.ast[id];
        let record = self.record_of_tag(id)?;
        self.records_seen.insert(id, record);
        if let Some(members) = &specifier.members {
            if self.link.types.records[record].layout.is_some() {
                let name = self.link.types.records[record].name.clone();
                return self.error("redefinition", specifier.span, format!("`{name}` is defined twice"));
            }
            self.define_record(record, members, &specifier.attributes, specifier.pack, specifier.span)?;
        }
        Ok(self.link.types.intern(CType::Record(record)))
    }

    fn record_of_tag(&mut self, id: RecordId) -> Lowered<RecordDefId> {
        let specifier = &self.ast[id];
        let union = specifier.kind == RecordKind::Union;
        let keyword = if union { "union" } else { "struct" };
        let Some(tag) = specifier.tag else {
            return Ok(self.new_record(format!("{keyword} <anonymous>"), union));
        };
        // A definition makes a new type in its scope; a mere mention finds the visible one.
        let known = match specifier.members {
            Some(_) => self.scopes.lookup_tag_here(tag),
            None => self.scopes.lookup_tag(tag),
        };
        match known {
            Some(Tag::Record(record)) if self.link.types.records[record].union == union => Ok(record),
            Some(_) => {
                let name = self.name(tag);
                self.error("redefinition", specifier.span, format!("`{name}` is a tag of another kind"))
            }
            None => {
                let name = format!("{keyword} {}", self.name(tag));
                let record = self.new_record(name, union);
                self.scopes.declare_tag(tag, Tag::Record(record));
                Ok(record)
            }
        }
    }

    fn new_record(&mut self, name: String, union: bool) -> RecordDefId {
        let unit = self.link.types.unit;
        self.link.types.records.push(RecordDef {
            name,
            union,
            layout: None,
            depth: 0,
            transparent: false,
            unsupported: None,
            unit,
        })
    }

    fn define_record(
        &mut self,
        record: RecordDefId,
        members: &[Member],
        attributes: &[Attribute],
        pack: Option<u32>,
        span: Span,
    ) -> Lowered<()> {
        let mut specs: Vec<MemberSpec> = Vec::new();
        let mut names = FxHashSet::default();
        let mut unsupported = self.unsupported_attribute(attributes);
        for member in members {
            match member {
                Member::StaticAssert(assertion) => self.static_assertion(assertion),
                Member::Field(field) => {
                    let ty = self.resolve_type(field.ty)?;
                    if let Some(name) = field.name
                        && !names.insert(name)
                    {
                        let text = format!("the member `{}` is declared twice", self.name(name));
                        return self.error("redefinition", field.span, text);
                    }
                    if let Some(spec) = self.member_spec(field, ty)? {
                        specs.push(spec);
                    }
                    let part = self.unsupported_attribute(&field.attributes).or_else(|| self.unsupported_part(ty.ty));
                    unsupported = unsupported.or(part);
                }
            }
        }
        let packed = attributes.iter().any(|a| matches!(a.kind, AttributeKind::Packed));
        let align = self.alignment(attributes, &[])?;
        let transparent = attributes.iter().any(|a| matches!(a.kind, AttributeKind::TransparentUnion));
        let union = self.link.types.records[record].union;
        let depth = 1 + specs.iter().map(|spec| self.link.types.depth(spec.ty.ty)).max().unwrap_or(0);
        self.limit_depth(depth, span)?;
        let rules = LayoutRules { packed, align, max_member_align: pack.map(u64::from) };
        match lay_out(&self.link.types, union, specs, rules) {
            Ok(layout) => {
                self.link.types.records[record].layout = Some(layout);
                self.link.types.records[record].depth = depth;
                self.link.types.records[record].transparent = transparent;
                self.link.types.records[record].unsupported = unsupported;
                Ok(())
            }
            Err(reason) => self.error("type", span, reason),
        }
    }

    fn member_spec(&mut self, field: &crate::ast::Field, ty: QualType) -> Lowered<Option<MemberSpec>> {
        let is_record = self.link.types.record(ty.ty).is_some();
        if field.name.is_none() && field.bit_width.is_none() && !is_record {
            return Ok(None);
        }
        if field.name.is_none() && is_record && field.bit_width.is_none() && !self.is_anonymous_member(field.ty) {
            return Ok(None);
        }
        if self.link.types.is_function(ty.ty) {
            return self.error("type", field.span, "a member cannot be a function");
        }
        let bit_width = match field.bit_width {
            Some(expr) => Some(self.bit_width(expr, ty)?),
            None => None,
        };
        let align = self.alignment(&field.attributes, &field.alignment)?;
        let type_align = self.typedef_alignment(field.ty);
        let packed = field.attributes.iter().any(|a| matches!(a.kind, AttributeKind::Packed));
        let name = field.name.map_or(String::new(), |name| self.name(name).to_owned());
        Ok(Some(MemberSpec { name, ty, bit_width, align, type_align, packed }))
    }

    /// `struct tag {…};` inside a record declares no member, nor does the name of a type, unless Microsoft's extensions are
    /// in force.
    fn is_anonymous_member(&self, id: TypeExprId) -> bool {
        match &self.ast[id].kind {
            _ if self.ast.dialect.ms_extensions => true,
            TypeExprKind::Record(record) => self.ast[*record].tag.is_none(),
            TypeExprKind::Attributed { inner, .. } | TypeExprKind::Atomic(inner) => self.is_anonymous_member(*inner),
            _ => false,
        }
    }

    fn bit_width(&mut self, expr: ExprId, ty: QualType) -> Lowered<u8> {
        let span = self.ast[expr].span;
        let Some(kind) = self.link.types.integer_kind(ty.ty) else {
            return self.error("type", span, "a bit-field must have an integer type");
        };
        let limit = if ty.ty == TypeTable::BOOL { 1 } else { kind.bits(self.link.types.model) };
        match self.require_integer_constant(expr)? {
            width if (0..=i128::from(limit)).contains(&width) => Ok(width as u8),
            _ => self.error("type", span, "the width of a bit-field does not fit its type"),
        }
    }

    /// The greatest alignment asked for, if any.
    pub fn alignment(&mut self, attributes: &[Attribute], alignas: &[Alignment]) -> Lowered<Option<u64>> {
        let mut greatest = None;
        for attribute in attributes {
            if let AttributeKind::Aligned(argument) = &attribute.kind {
                let align = match argument {
                    Some(expr) => self.alignment_value(*expr)?,
                    None => 16,
                };
                greatest = greatest.max(Some(align));
            }
        }
        for alignment in alignas {
            let align = match *alignment {
                Alignment::Expr(expr) => self.alignment_value(expr)?,
                Alignment::Type(ty) => {
                    let known = self.typedef_alignment(ty);
                    let ty = self.resolve_type(ty)?;
                    known.unwrap_or_else(|| self.link.types.field_align(ty))
                }
            };
            greatest = greatest.max(Some(align));
        }
        Ok(greatest.filter(|&align| align > 0))
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

    fn alignment_value(&mut self, expr: ExprId) -> Lowered<u64> {
        let span = self.ast[expr].span;
        match u64::try_from(self.require_integer_constant(expr)?) {
            Ok(align) if align == 0 || align.is_power_of_two() && align <= 1 << 28 => Ok(align),
            _ => self.error("type", span, "an alignment must be a power of two"),
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Enumerations

    fn enum_type(&mut self, id: EnumId) -> Lowered<TypeId> {
        if let Some(&known) = self.enums_seen.get(&id) {
            return Ok(self.link.types.intern(CType::Enum(known)));
        }
        let specifier = &self.ast[id];
        let known = specifier.tag.and_then(|tag| match &specifier.enumerators {
            Some(_) => self.scopes.lookup_tag_here(tag),
            None => self.scopes.lookup_tag(tag),
        });
        let definition = match known {
            Some(Tag::Enum(definition)) => definition,
            Some(Tag::Record(_)) => return self.error("redefinition", specifier.span, "the tag is not an enumeration"),
            None => self.new_enum(id),
        };
        self.enums_seen.insert(id, definition);
        if let Some(enumerators) = &specifier.enumerators {
            if let Some(what) = self.unsupported_attribute(&specifier.attributes) {
                return self.error(
                    "unsupported",
                    specifier.span,
                    format!("an enumeration with {what} is not supported"),
                );
            }
            let packed = specifier.attributes.iter().any(|a| matches!(a.kind, AttributeKind::Packed));
            self.define_enum(definition, enumerators, packed)?;
        }
        Ok(self.link.types.intern(CType::Enum(definition)))
    }

    fn new_enum(&mut self, id: EnumId) -> EnumDefId {
        let tag = self.ast[id].tag;
        let name = tag.map_or("enum <anonymous>".to_owned(), |tag| format!("enum {}", self.name(tag)));
        let unit = self.link.types.unit;
        let definition = self.link.types.enums.push(EnumDef { name, unit, underlying: IntKind::UnsignedInt });
        if let Some(tag) = tag {
            self.scopes.declare_tag(tag, Tag::Enum(definition));
        }
        definition
    }

    fn define_enum(
        &mut self,
        definition: EnumDefId,
        enumerators: &[crate::ast::Enumerator],
        packed: bool,
    ) -> Lowered<()> {
        let mut next: i128 = 0;
        let (mut least, mut greatest) = (0, 0);
        for enumerator in enumerators {
            let value = match enumerator.value {
                Some(expr) => self.require_integer_constant(expr)?,
                None => next,
            };
            let ty = enumerator_type(value);
            if self.scopes.lookup_here(enumerator.name).is_some() {
                let text = format!("`{}` is declared as something else before", self.name(enumerator.name));
                return self.error("redefinition", enumerator.span, text);
            }
            self.scopes.declare(enumerator.name, Entity::Constant { value, ty }, enumerator.span);
            least = value.min(least);
            greatest = value.max(greatest);
            next = value + 1;
        }
        self.link.types.enums[definition].underlying = match packed {
            true => smallest_kind(least, greatest),
            false => underlying_kind(least, greatest),
        };
        Ok(())
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Attributes

    /// The first attribute that is neither implemented nor harmless, in words.
    pub fn unsupported_attribute<'x>(&self, attributes: impl IntoIterator<Item = &'x Attribute>) -> Option<String> {
        attributes.into_iter().find_map(|attribute| {
            let AttributeKind::Other(name) = attribute.kind else { return None };
            let name = self.name(name);
            (declaration_features::attribute(name) == Meaning::Unsupported).then(|| format!("attribute `{name}`"))
        })
    }

    /// What about the type of an object is not supported: it is, or has a part that is, a record with such an attribute.
    pub fn unsupported_part(&self, ty: TypeId) -> Option<String> {
        match self.link.types.kind(ty) {
            CType::Array { element, .. } => self.unsupported_part(element.ty),
            CType::Record(id) => self.link.types.records[*id].unsupported.clone(),
            _ => None,
        }
    }

    /// `mode` changes an integer's width; `vector_size` makes a type that can only be copied.
    pub fn apply_type_attributes(&mut self, ty: QualType, attributes: &[Attribute]) -> Lowered<QualType> {
        let mut result = ty;
        for attribute in attributes {
            match &attribute.kind {
                AttributeKind::Mode(mode) => {
                    let mode = self.name(*mode).to_owned();
                    result.ty = self.type_of_mode(result.ty, &mode, attribute.span)?;
                }
                AttributeKind::VectorSize(expr) => {
                    let size = self.require_integer_constant(*expr)?;
                    let size = u64::try_from(size).unwrap_or(16).clamp(1, 1 << 16);
                    let vector = CType::Opaque { name: "vector", size, align: size, element: Some(result.ty) };
                    result.ty = self.link.types.intern(vector);
                }
                _ => {}
            }
        }
        Ok(result)
    }

    fn type_of_mode(&mut self, ty: TypeId, mode: &str, span: Span) -> Lowered<TypeId> {
        let signed = self.link.types.is_signed(ty);
        let wide = self.link.types.model.pointer_bytes() == 8;
        let kind = match mode {
            "QI" | "byte" => IntKind::SignedChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" => {
                if wide {
                    IntKind::Long
                } else {
                    IntKind::LongLong
                }
            }
            "word" | "pointer" | "unwind_word" => IntKind::Long,
            "SF" => return Ok(TypeTable::FLOAT),
            "DF" => return Ok(TypeTable::DOUBLE),
            "TI" => return Ok(self.basic_type(BasicType::Int128)),
            "XF" => return Ok(self.basic_type(BasicType::LongDouble)),
            "TF" => return Ok(self.basic_type(BasicType::Float128)),
            _ => {
                if self.link.types.is_opaque(ty) {
                    return Ok(ty);
                }
                return self.error("type", span, format!("the mode `{mode}` is not known"));
            }
        };
        let kind = if signed { kind } else { kind.to_unsigned() };
        Ok(self.link.types.int(kind))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Sizes

    /// `sizeof`: a constant, or computed for variable-length arrays.
    pub fn size_value(&mut self, ty: TypeId, span: Span) -> Lowered<Operand> {
        if let Some(size) = self.link.types.step_of(ty) {
            return Ok(self.size_operand(size));
        }
        match *self.link.types.kind(ty) {
            CType::Array { element, length: ArrayLength::Variable(length) } => {
                let element = self.size_value(element.ty, span)?;
                Ok(self.multiply_sizes(Operand::Register(length), element, span))
            }
            CType::Array { element, length: ArrayLength::Known(length) } => {
                let element = self.size_value(element.ty, span)?;
                let length = self.size_operand(length);
                Ok(self.multiply_sizes(length, element, span))
            }
            _ => {
                let name = self.link.types.name(ty);
                self.error("type", span, format!("`{name}` has no size: the type is incomplete"))
            }
        }
    }

    pub fn multiply_sizes(&mut self, left: Operand, right: Operand, span: Span) -> Operand {
        let ty = self.pointer_int();
        let product = program::Rvalue::Binary { op: program::BinaryOp::Mul, ty, left, right, signed: false };
        self.compute(product, ty, span)
    }

    /// Whether an object of the type has a size only at run time.
    pub fn is_variable_length(&self, ty: TypeId) -> bool {
        match self.link.types.kind(ty) {
            CType::Array { length: ArrayLength::Variable(_), .. } => true,
            CType::Array { element, .. } => self.is_variable_length(element.ty),
            _ => false,
        }
    }

    /// The IR type of a scalar C type.
    pub fn register_type(&self, ty: TypeId) -> Type {
        self.link.types.register_type(ty).unwrap_or(Type::Pointer)
    }
}

pub fn quals_of(qualifiers: Qualifiers) -> Quals {
    let flags = [
        (qualifiers.constant, Quals::CONST),
        (qualifiers.volatile, Quals::VOLATILE),
        (qualifiers.restrict, Quals::RESTRICT),
        (qualifiers.atomic, Quals::ATOMIC),
    ];
    flags.iter().filter(|(set, _)| *set).fold(Quals::NONE, |all, (_, qual)| all.union(*qual))
}

/// An enumerator is an `int` if its value fits; GCC widens it otherwise.
fn enumerator_type(value: i128) -> TypeId {
    if i32::try_from(value).is_ok() {
        TypeTable::INT
    } else if u32::try_from(value).is_ok() {
        TypeTable::UNSIGNED
    } else if i64::try_from(value).is_ok() {
        TypeTable::LONG_LONG
    } else {
        TypeTable::UNSIGNED_LONG_LONG
    }
}

/// The type of a packed enumeration.
fn smallest_kind(least: i128, greatest: i128) -> IntKind {
    let kinds = match least < 0 {
        true => [IntKind::SignedChar, IntKind::Short],
        false => [IntKind::UnsignedChar, IntKind::UnsignedShort],
    };
    let limits: [(i128, i128); 2] = match least < 0 {
        true => [(i8::MIN.into(), i8::MAX.into()), (i16::MIN.into(), i16::MAX.into())],
        false => [(0, u8::MAX.into()), (0, u16::MAX.into())],
    };
    let fits = |(low, high): (i128, i128)| low <= least && greatest <= high;
    let small = kinds.into_iter().zip(limits).find(|&(_, limits)| fits(limits));
    small.map_or_else(|| underlying_kind(least, greatest), |(kind, _)| kind)
}

fn underlying_kind(least: i128, greatest: i128) -> IntKind {
    if least >= 0 {
        if u32::try_from(greatest).is_ok() { IntKind::UnsignedInt } else { IntKind::UnsignedLongLong }
    } else if i32::try_from(least).is_ok() && i32::try_from(greatest).is_ok() {
        IntKind::Int
    } else {
        IntKind::LongLong
    }
}

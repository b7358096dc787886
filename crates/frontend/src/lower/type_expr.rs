//! Types as written become types of the table: declarators, specifiers, records, enumerations, attributes.

use base::Span;
use program::RegisterId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::operands::Settled;
use super::queries::{Queries, check_static_assertion};
use crate::ast::{
    Alignment, ArraySize, Attribute, AttributeKind, EnumId, ExprId, MAX_HEIGHT, Member, Parameter, Parameters,
    Qualifiers, RecordId, RecordKind, TranslationUnit, TypeExprId, TypeExprKind,
};
use crate::ctype::{
    ArrayLength, CType, EnumDef, EnumDefId, FunctionType, IntKind, QualType, Quals, RecordDef, RecordDefId, TypeId,
    TypeTable,
};
use crate::emit::value::{Lowered, Reported};
use crate::layout::{LayoutRules, MAX_SIZE, MemberSpec, lay_out};
use crate::scopes::{Entity, Scopes, Tag};
use crate::survey::Inspector;

/// What the types of a unit mean, as far as they have been met.
#[derive(Default)]
pub struct WrittenTypes {
    types: FxHashMap<TypeExprId, QualType>,
    records: FxHashMap<RecordId, RecordDefId>,
    enums: FxHashMap<EnumId, EnumDefId>,
    /// Types are those of a prototype: sizes of arrays that are not constant are left open.
    in_prototype: bool,
}

impl WrittenTypes {
    /// Says whether types are those of a prototype from now on, and returns whether they were.
    pub fn set_in_prototype(&mut self, in_prototype: bool) -> bool {
        std::mem::replace(&mut self.in_prototype, in_prototype)
    }
}

/// What a type may refer to where it stands: names, and expressions that are evaluated there.
pub trait Surroundings<'a>: Queries {
    /// What was found out about types of the same unit.
    fn written(&mut self) -> &mut WrittenTypes;

    fn scopes(&self) -> &Scopes;

    fn scopes_mut(&mut self) -> &mut Scopes;

    fn inspect(&self) -> Inspector<'_, 'a>;

    /// The type of an expression, which is not evaluated. Arrays stay arrays.
    fn type_of(&mut self, expr: ExprId) -> Lowered<QualType>;

    /// The value of an expression if it is an integer constant; mistakes in it do not matter.
    fn try_integer_constant(&mut self, expr: ExprId) -> Option<i128>;

    /// Evaluates the length of an array.
    fn variable_length(&mut self, expr: ExprId) -> Lowered<RegisterId>;

    /// Evaluates for the effects alone.
    fn discard(&mut self, expr: ExprId) -> Lowered<()>;

    /// Evaluates those of the expressions whose order matters.
    fn settle(&mut self, exprs: &[ExprId], span: Span) -> Lowered<Settled>;

    fn release(&mut self, settled: Settled);
}

/// Finds out what written types mean at one place of the program.
pub struct TypeResolver<'r, 'a, S> {
    ast: &'a TranslationUnit,
    around: &'r mut S,
}

impl<'r, 'a, S: Surroundings<'a>> TypeResolver<'r, 'a, S> {
    pub fn new(ast: &'a TranslationUnit, around: &'r mut S) -> Self {
        Self { ast, around }
    }

    fn types(&self) -> &TypeTable {
        self.around.types()
    }

    fn types_mut(&mut self) -> &mut TypeTable {
        self.around.types_mut()
    }

    /// The type that `id` names. Each node is resolved once; a variable-length array's size is computed there and then.
    pub fn resolve(&mut self, id: TypeExprId) -> Lowered<QualType> {
        if let Some(&known) = self.around.written().types.get(&id) {
            return Ok(known);
        }
        let resolved = self.resolve_uncached(id)?;
        self.limit_depth(self.types().depth(resolved.ty), self.ast[id].span)?;
        // A definition resolves what stands in its prototype again, when its parameters have values.
        if !self.around.written().in_prototype {
            self.around.written().types.insert(id, resolved);
        }
        Ok(resolved)
    }

    /// Type definitions can nest types deeper than any syntax tree is high.
    fn limit_depth(&mut self, depth: u32, span: Span) -> Lowered<()> {
        if depth > MAX_HEIGHT {
            let text = format!("the code is too complex here: a type nested more than {MAX_HEIGHT} levels deep");
            return self.around.error("too-complex", span, text);
        }
        Ok(())
    }

    fn resolve_uncached(&mut self, id: TypeExprId) -> Lowered<QualType> {
        let node = &self.ast[id];
        let span = node.span;
        let quals = quals_of(node.qualifiers);
        let inner = match &node.kind {
            TypeExprKind::Basic(basic) => QualType::plain(self.types_mut().basic(*basic)),
            TypeExprKind::Typedef(name) => match self.around.scopes().lookup(*name) {
                Some(Entity::Typedef { ty, .. }) => ty,
                _ => {
                    let name = self.ast.name(*name);
                    return self.around.error("undeclared", span, format!("`{name}` is not a type here"));
                }
            },
            TypeExprKind::Record(record) => QualType::plain(self.record_type(*record)?),
            TypeExprKind::Enum(id) => QualType::plain(self.enum_type(*id)?),
            TypeExprKind::TypeofExpr(expr) => self.around.type_of(*expr)?,
            TypeExprKind::TypeofType(ty) => self.resolve(*ty)?,
            TypeExprKind::Atomic(ty) => self.resolve(*ty)?.with(Quals::ATOMIC),
            TypeExprKind::AutoType => {
                return self.around.error("type", span, "`__auto_type` needs a declaration with an initialiser");
            }
            TypeExprKind::Pointer(target) => {
                let target = self.resolve(*target)?;
                QualType::plain(self.types_mut().pointer_to(target))
            }
            TypeExprKind::Array { element, size, .. } => self.array_type(*element, *size, span)?,
            TypeExprKind::Function { result, parameters } => self.function_type(*result, parameters, span)?,
            TypeExprKind::Attributed { inner, attributes } => {
                let inner = self.resolve(*inner)?;
                self.apply_attributes(inner, attributes)?
            }
        };
        Ok(self.types_mut().with_quals(inner, quals))
    }

    fn array_type(&mut self, element: TypeExprId, size: ArraySize, span: Span) -> Lowered<QualType> {
        // No size of a declarator is sequenced before another one (C11 6.7.6 p3).
        let settled = match self.around.written().in_prototype || self.around.scopes().at_file_scope() {
            true => Settled::default(),
            false => self.around.settle(&self.sizes_of(element, size), span)?,
        };
        let element = self.resolve(element)?;
        if self.types().is_function(element.ty) || self.types().is_void(element.ty) {
            return self.around.error("type", span, "an array cannot have elements of this type");
        }
        let length = match size {
            ArraySize::Unspecified | ArraySize::Star => ArrayLength::Unknown,
            ArraySize::Expr(expr) => self.array_length(expr)?,
        };
        self.around.release(settled);
        if let ArrayLength::Known(n) = length
            && self.types().size_of(element.ty).is_some_and(|size| size.saturating_mul(n) > MAX_SIZE)
        {
            return self.around.error("type", span, "the array is too large");
        }
        Ok(QualType::plain(self.types_mut().array_of(element, length)))
    }

    /// The sizes in the declarator of an array, as they are written.
    fn sizes_of(&self, mut element: TypeExprId, size: ArraySize) -> Vec<ExprId> {
        let of = |size| match size {
            ArraySize::Expr(expr) => Some(expr),
            ArraySize::Unspecified | ArraySize::Star => None,
        };
        let mut sizes: Vec<ExprId> = of(size).into_iter().collect();
        loop {
            element = match self.ast[element].kind {
                TypeExprKind::Array { element, size, .. } => {
                    sizes.extend(of(size));
                    element
                }
                TypeExprKind::Pointer(target) => target,
                _ => return sizes,
            };
        }
    }

    fn array_length(&mut self, expr: ExprId) -> Lowered<ArrayLength> {
        let span = self.ast[expr].span;
        // In a prototype, the size may name other parameters, which are not declared yet.
        let constant = match self.around.written().in_prototype {
            true => self.around.try_integer_constant(expr),
            false => self.around.integer_constant(expr)?,
        };
        if let Some(value) = constant {
            return match u64::try_from(value) {
                Ok(length) => Ok(ArrayLength::Known(length)),
                Err(_) => self.around.error("type", span, "the size of an array is negative"),
            };
        }
        if self.around.written().in_prototype {
            return Ok(ArrayLength::Unknown);
        }
        if self.around.scopes().at_file_scope() {
            return self.around.error("constant", span, "the size of an array at file scope must be constant");
        }
        Ok(ArrayLength::Variable(self.around.variable_length(expr)?))
    }

    fn function_type(&mut self, result: TypeExprId, parameters: &Parameters, span: Span) -> Lowered<QualType> {
        let result = self.resolve(result)?;
        let is_array = matches!(self.types().kind(result.ty), CType::Array { .. });
        if is_array || self.types().is_function(result.ty) {
            return self.around.error("type", span, "a function cannot return an array or a function");
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
        Ok(QualType::plain(self.types_mut().intern(CType::Function(function))))
    }

    /// Sizes of arrays in a prototype (`int a[n]`) matter only in a definition, whose body resolves them again.
    fn parameter_types(&mut self, parameters: &[Parameter]) -> Lowered<Vec<QualType>> {
        let mut types = Vec::with_capacity(parameters.len());
        let outer = self.around.written().set_in_prototype(true);
        self.around.scopes_mut().push();
        let mut failed = false;
        for parameter in parameters {
            match self.parameter_type(parameter.ty, &parameter.attributes) {
                Ok(ty) => types.push(ty),
                Err(Reported) => failed = true,
            }
        }
        self.around.scopes_mut().pop();
        self.around.written().set_in_prototype(outer);
        if failed {
            return Err(Reported);
        }
        if let [only] = types[..]
            && self.types().is_void(only.ty)
            && parameters[0].name.is_none()
        {
            types.clear();
        }
        Ok(types)
    }

    /// The type of a parameter with arrays and functions adjusted to pointers. Of a variable outermost size only the
    /// effects count, when the function is called.
    pub fn parameter_type(&mut self, id: TypeExprId, attributes: &[Attribute]) -> Lowered<QualType> {
        let node = &self.ast[id];
        if let TypeExprKind::Array { element, qualifiers, size, .. } = &node.kind {
            let quals = quals_of(*qualifiers);
            let element = self.resolve(*element)?;
            if let ArraySize::Expr(expr) = *size
                && !self.around.written().in_prototype
                && self.around.try_integer_constant(expr).is_none()
            {
                self.around.discard(expr)?;
            }
            let ty = QualType { ty: self.types_mut().pointer_to(element), quals };
            return self.apply_attributes(ty, attributes);
        }
        let ty = self.resolve(id)?;
        let ty = self.types_mut().adjusted(ty);
        self.apply_attributes(ty, attributes)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Records

    fn record_type(&mut self, id: RecordId) -> Lowered<TypeId> {
        if let Some(&record) = self.around.written().records.get(&id) {
            return Ok(self.types_mut().intern(CType::Record(record)));
        }
        let specifier = &self.ast[id];
        let record = self.record_of_tag(id)?;
        self.around.written().records.insert(id, record);
        if let Some(members) = &specifier.members {
            if self.types().records[record].layout.is_some() {
                let name = self.types().records[record].name.clone();
                return self.around.error("redefinition", specifier.span, format!("`{name}` is defined twice"));
            }
            self.define_record(record, members, &specifier.attributes, specifier.pack, specifier.span)?;
        }
        Ok(self.types_mut().intern(CType::Record(record)))
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
            Some(_) => self.around.scopes().lookup_tag_here(tag),
            None => self.around.scopes().lookup_tag(tag),
        };
        match known {
            Some(Tag::Record(record)) if self.types().records[record].union == union => Ok(record),
            Some(_) => {
                let name = self.ast.name(tag);
                self.around.error("redefinition", specifier.span, format!("`{name}` is a tag of another kind"))
            }
            None => {
                let name = format!("{keyword} {}", self.ast.name(tag));
                let record = self.new_record(name, union);
                self.around.scopes_mut().declare_tag(tag, Tag::Record(record));
                Ok(record)
            }
        }
    }

    fn new_record(&mut self, name: String, union: bool) -> RecordDefId {
        let unit = self.types().unit;
        self.types_mut().records.push(RecordDef {
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
        let mut unsupported = self.around.inspect().unsupported_attribute(attributes);
        for member in members {
            match member {
                Member::StaticAssert(assertion) => check_static_assertion(self.around, assertion),
                Member::Field(field) => {
                    let ty = self.resolve(field.ty)?;
                    let ty = self.apply_attributes(ty, &field.attributes)?;
                    if let Some(name) = field.name
                        && !names.insert(name)
                    {
                        let text = format!("the member `{}` is declared twice", self.ast.name(name));
                        return self.around.error("redefinition", field.span, text);
                    }
                    if let Some(spec) = self.member_spec(field, ty)? {
                        specs.push(spec);
                    }
                    let part = self
                        .around
                        .inspect()
                        .unsupported_attribute(&field.attributes)
                        .or_else(|| self.types().unsupported_part(ty.ty))
                        .or_else(|| self.types().doubtful_alignment(ty));
                    unsupported = unsupported.or(part);
                }
            }
        }
        let packed = attributes.iter().any(|a| matches!(a.kind, AttributeKind::Packed));
        let align = self.alignment(attributes, &[])?;
        let transparent = attributes.iter().any(|a| matches!(a.kind, AttributeKind::TransparentUnion));
        let union = self.types().records[record].union;
        let depth = 1 + specs.iter().map(|spec| self.types().depth(spec.ty.ty)).max().unwrap_or(0);
        self.limit_depth(depth, span)?;
        let rules = LayoutRules { packed, align, max_member_align: pack.map(u64::from) };
        match lay_out(self.types(), union, specs, rules) {
            Ok(layout) => {
                self.types_mut().records[record].layout = Some(layout);
                self.types_mut().records[record].depth = depth;
                self.types_mut().records[record].transparent = transparent;
                self.types_mut().records[record].unsupported = unsupported;
                Ok(())
            }
            Err(reason) => self.around.error("type", span, reason),
        }
    }

    fn member_spec(&mut self, field: &crate::ast::FieldDef, ty: QualType) -> Lowered<Option<MemberSpec>> {
        let is_record = self.types().record(ty.ty).is_some();
        if field.name.is_none() && field.bit_width.is_none() && !is_record {
            return Ok(None);
        }
        if field.name.is_none()
            && is_record
            && field.bit_width.is_none()
            && !self.around.inspect().is_anonymous_member(field.ty)
        {
            return Ok(None);
        }
        if self.types().is_function(ty.ty) {
            return self.around.error("type", field.span, "a member cannot be a function");
        }
        let bit_width = match field.bit_width {
            Some(expr) => Some(self.bit_width(expr, ty)?),
            None => None,
        };
        let align = self.alignment(&field.attributes, &field.alignment)?;
        let type_align = self.around.inspect().typedef_alignment(field.ty);
        let packed = field.attributes.iter().any(|a| matches!(a.kind, AttributeKind::Packed));
        let name = field.name.map_or(String::new(), |name| self.ast.name(name).to_owned());
        Ok(Some(MemberSpec { name, ty, bit_width, align, type_align, packed }))
    }

    fn bit_width(&mut self, expr: ExprId, ty: QualType) -> Lowered<u8> {
        let span = self.ast[expr].span;
        let Some(kind) = self.types().integer_kind(ty.ty) else {
            return self.around.error("type", span, "a bit-field must have an integer type");
        };
        let limit = if ty.ty == TypeTable::BOOL { 1 } else { kind.bits(self.types().model) };
        match self.around.require_integer_constant(expr)? {
            width if (0..=i128::from(limit)).contains(&width) => Ok(width as u8),
            _ => self.around.error("type", span, "the width of a bit-field does not fit its type"),
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
                    let known = self.around.inspect().typedef_alignment(ty);
                    let ty = self.resolve(ty)?;
                    known.unwrap_or_else(|| self.types().field_align(ty))
                }
            };
            greatest = greatest.max(Some(align));
        }
        Ok(greatest.filter(|&align| align > 0))
    }

    fn alignment_value(&mut self, expr: ExprId) -> Lowered<u64> {
        let span = self.ast[expr].span;
        match u64::try_from(self.around.require_integer_constant(expr)?) {
            Ok(align) if align == 0 || align.is_power_of_two() && align <= 1 << 28 => Ok(align),
            _ => self.around.error("type", span, "an alignment must be a power of two"),
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Enumerations

    fn enum_type(&mut self, id: EnumId) -> Lowered<TypeId> {
        if let Some(&known) = self.around.written().enums.get(&id) {
            return Ok(self.types_mut().intern(CType::Enum(known)));
        }
        let specifier = &self.ast[id];
        let known = specifier.tag.and_then(|tag| match &specifier.enumerators {
            Some(_) => self.around.scopes().lookup_tag_here(tag),
            None => self.around.scopes().lookup_tag(tag),
        });
        let definition = match known {
            Some(Tag::Enum(definition)) => definition,
            Some(Tag::Record(_)) => {
                return self.around.error("redefinition", specifier.span, "the tag is not an enumeration");
            }
            None => self.new_enum(id),
        };
        self.around.written().enums.insert(id, definition);
        if let Some(enumerators) = &specifier.enumerators {
            if let Some(what) = self.around.inspect().unsupported_attribute(&specifier.attributes) {
                return self.around.error(
                    "unsupported",
                    specifier.span,
                    format!("an enumeration with {what} is not supported"),
                );
            }
            if specifier.attributes.iter().any(|a| matches!(a.kind, AttributeKind::Aligned(_))) {
                return self.around.error("unsupported", specifier.span, "an aligned enumeration is not supported");
            }
            let packed = specifier.attributes.iter().any(|a| matches!(a.kind, AttributeKind::Packed));
            self.define_enum(definition, enumerators, packed)?;
            let own = self.types().enums[definition].underlying;
            let own = QualType::plain(self.types_mut().int(own));
            let underlying = self.apply_attributes(own, &specifier.attributes)?;
            if let Some(kind) = self.types().integer_kind(underlying.ty) {
                self.types_mut().enums[definition].underlying = kind;
            }
        }
        Ok(self.types_mut().intern(CType::Enum(definition)))
    }

    fn new_enum(&mut self, id: EnumId) -> EnumDefId {
        let tag = self.ast[id].tag;
        let name = tag.map_or("enum <anonymous>".to_owned(), |tag| format!("enum {}", self.ast.name(tag)));
        let unit = self.types().unit;
        let definition = self.types_mut().enums.push(EnumDef { name, unit, underlying: IntKind::UnsignedInt });
        if let Some(tag) = tag {
            self.around.scopes_mut().declare_tag(tag, Tag::Enum(definition));
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
                Some(expr) => self.around.require_integer_constant(expr)?,
                None => next,
            };
            let ty = enumerator_type(value);
            if self.around.scopes().lookup_here(enumerator.name).is_some() {
                let text = format!("`{}` conflicts with an earlier declaration", self.ast.name(enumerator.name));
                return self.around.error("redefinition", enumerator.span, text);
            }
            self.around.scopes_mut().declare(enumerator.name, Entity::Constant { value, ty }, enumerator.span);
            least = value.min(least);
            greatest = value.max(greatest);
            next = value + 1;
        }
        self.types_mut().enums[definition].underlying = match packed {
            true => smallest_kind(least, greatest),
            false => underlying_kind(least, greatest),
        };
        Ok(())
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Attributes

    /// `mode` changes an integer's width; `vector_size` makes a type that can only be copied.
    pub fn apply_attributes(&mut self, ty: QualType, attributes: &[Attribute]) -> Lowered<QualType> {
        let mut result = ty;
        for attribute in attributes {
            match &attribute.kind {
                AttributeKind::Mode(mode) => {
                    let mode = self.ast.name(*mode);
                    result.ty = match self.types_mut().of_mode(result.ty, mode) {
                        Some(ty) => ty,
                        None => {
                            let text = format!("the mode `{mode}` is not known");
                            return self.around.error("type", attribute.span, text);
                        }
                    };
                }
                AttributeKind::VectorSize(expr) => {
                    let size = self.around.require_integer_constant(*expr)?;
                    let size = u64::try_from(size).unwrap_or(16).clamp(1, 1 << 16);
                    result.ty = self.vector_of(result.ty, size);
                }
                _ => {}
            }
        }
        Ok(result)
    }

    /// A vector of numbers. What leads to numbers leads to a vector of them then (GCC).
    fn vector_of(&mut self, ty: TypeId, size: u64) -> TypeId {
        let inner = |resolver: &mut Self, part: QualType| QualType { ty: resolver.vector_of(part.ty, size), ..part };
        let vector = match self.types().kind(ty).clone() {
            CType::Pointer(target) => CType::Pointer(inner(self, target)),
            CType::Array { element, length } => CType::Array { element: inner(self, element), length },
            CType::Function(function) => {
                CType::Function(FunctionType { result: inner(self, function.result), ..function })
            }
            _ => CType::Opaque { name: "vector", size, align: size, element: Some(ty) },
        };
        self.types_mut().intern(vector)
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

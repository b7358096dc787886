//! The types of C, interned: equal types have equal ids. One table serves all translation units of a program.
//!
//! Qualifiers are not part of a type but of the place where it is used ([`QualType`]). Types that the IR cannot compute
//! with (`long double`, `__int128`, complex numbers, vectors) are [`CType::Opaque`]: they have a size, can be copied as
//! bytes, and everything else done to them is unsupported.

use base::define_id;
use base::ids::IdVec;
use program::{ConstantParts, DataModel, RegisterId, Type};
use rustc_hash::{FxHashMap, FxHashSet};

define_id!(
    /// An interned C type.
    TypeId,
    "ctype"
);
define_id!(
    /// A structure or union.
    RecordDefId,
    "recorddef"
);
define_id!(
    /// An enumeration.
    EnumDefId,
    "enumdef"
);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Quals(u8);

impl Quals {
    pub const NONE: Quals = Quals(0);
    pub const CONST: Quals = Quals(1);
    pub const VOLATILE: Quals = Quals(2);
    pub const RESTRICT: Quals = Quals(4);
    pub const ATOMIC: Quals = Quals(8);

    pub fn union(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }

    pub fn without(self, other: Quals) -> Quals {
        Quals(self.0 & !other.0)
    }

    pub fn contains(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A type with the qualifiers of one use of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    pub ty: TypeId,
    pub quals: Quals,
}

impl QualType {
    pub fn plain(ty: TypeId) -> Self {
        Self { ty, quals: Quals::NONE }
    }

    pub fn with(self, quals: Quals) -> Self {
        Self { ty: self.ty, quals: self.quals.union(quals) }
    }

    pub fn is_atomic(self) -> bool {
        self.quals.contains(Quals::ATOMIC)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntKind {
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
}

impl IntKind {
    pub fn bits(self, model: DataModel) -> u8 {
        use IntKind::*;
        match self {
            Char | SignedChar | UnsignedChar => 8,
            Short | UnsignedShort => 16,
            Int | UnsignedInt => 32,
            Long | UnsignedLong => model.pointer_bits(),
            LongLong | UnsignedLongLong => 64,
        }
    }

    /// Plain `char` is signed, as on x86.
    pub fn is_signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SignedChar | Short | Int | Long | LongLong)
    }

    pub fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Char | SignedChar | UnsignedChar => 1,
            Short | UnsignedShort => 2,
            Int | UnsignedInt => 3,
            Long | UnsignedLong => 4,
            LongLong | UnsignedLongLong => 5,
        }
    }

    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SignedChar => UnsignedChar,
            Short => UnsignedShort,
            Int => UnsignedInt,
            Long => UnsignedLong,
            LongLong => UnsignedLongLong,
            unsigned => unsigned,
        }
    }

    fn name(self) -> &'static str {
        use IntKind::*;
        match self {
            Char => "char",
            SignedChar => "signed char",
            UnsignedChar => "unsigned char",
            Short => "short",
            UnsignedShort => "unsigned short",
            Int => "int",
            UnsignedInt => "unsigned int",
            Long => "long",
            UnsignedLong => "unsigned long",
            LongLong => "long long",
            UnsignedLongLong => "unsigned long long",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLength {
    Known(u64),
    /// `[]`: incomplete, or a flexible member.
    Unknown,
    /// A variable-length array; the register of the enclosing function holds the number of elements, pointer-wide.
    Variable(RegisterId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    pub result: QualType,
    pub parameters: Vec<QualType>,
    pub variadic: bool,
    /// Parameter types are known; otherwise `()` or a K&R list.
    pub prototype: bool,
}

/// No more constant members of one object are told apart from its other members.
const MAX_CONSTANT_PARTS: usize = 4096;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CType {
    Void,
    Bool,
    Int(IntKind),
    Float,
    Double,
    /// A type with a size that nothing can be computed with.
    Opaque {
        name: &'static str,
        size: u64,
        align: u64,
        /// Of a vector.
        element: Option<TypeId>,
    },
    Pointer(QualType),
    Array {
        element: QualType,
        length: ArrayLength,
    },
    Function(FunctionType),
    Record(RecordDefId),
    Enum(EnumDefId),
    /// `__builtin_va_list`: a pointer to the next argument slot.
    VaList,
}

/// Which translation unit a type was declared in: types of two units that look the same are compatible, two types of
/// one unit are not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct UnitNumber(pub u32);

#[derive(Clone, Debug)]
pub struct RecordDef {
    /// The tag with its keyword, for example `struct node`.
    pub name: String,
    pub union: bool,
    /// Complete once laid out.
    pub layout: Option<RecordLayout>,
    /// How many types are nested in its members.
    pub depth: u32,
    pub transparent: bool,
    /// What about its declaration is not supported.
    pub unsupported: Option<String>,
    pub unit: UnitNumber,
}

#[derive(Clone, Debug)]
pub struct RecordLayout {
    pub size: u64,
    pub align: u64,
    pub members: Vec<MemberLayout>,
}

#[derive(Clone, Debug)]
pub struct MemberLayout {
    /// Empty for an anonymous structure or union.
    pub name: String,
    pub ty: QualType,
    /// Bytes from the start of the record; for a bit-field, of the unit it is accessed through.
    pub offset: u64,
    /// What its place is aligned to, which an attribute or a pragma may have raised or lowered.
    pub align: u64,
    pub bits: Option<BitRange>,
}

/// Where a bit-field lies inside the integer it is accessed through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitRange {
    /// Bits of the accessed integer: 8, 16, 32 or 64; 0 if no single access covers the field.
    pub unit: u8,
    pub shift: u8,
    pub width: u8,
    /// Bytes before and behind those of the access that belong to the same memory location: neighbouring bit-fields share
    /// one.
    pub before: u64,
    pub after: u64,
}

impl BitRange {
    /// The bytes of the record that hold a part of the field, if it is accessed at this offset.
    fn bytes(self, offset: u64) -> std::ops::Range<u64> {
        let first = offset + u64::from(self.shift) / 8;
        first..offset + u64::from(self.shift + self.width).div_ceil(8)
    }

    /// How many bytes an access to the field covers.
    pub fn accessed_bytes(self) -> u64 {
        match self.unit {
            0 => u64::from(self.shift + self.width).div_ceil(8),
            unit => u64::from(unit) / 8,
        }
    }
}

/// What lies in one of the stretches on both sides, each an offset and a length.
fn common(left: &[(u64, u64)], right: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let both = |&(start, size): &(u64, u64), &(other, length): &(u64, u64)| {
        let (from, to) = (start.max(other), (start + size).min(other + length));
        (from < to).then(|| (from, to - from))
    };
    left.iter().flat_map(|one| right.iter().filter_map(move |other| both(one, other))).collect()
}

#[derive(Clone, Debug)]
pub struct EnumDef {
    pub name: String,
    pub unit: UnitNumber,
    pub underlying: IntKind,
}

/// What is written of a type's name.
const MAX_NAME_LENGTH: usize = 200;
const MAX_NAME_DEPTH: u32 = 40;

/// All types of a program.
pub struct TypeTable {
    pub model: DataModel,
    types: IdVec<TypeId, CType>,
    depths: IdVec<TypeId, u32>,
    index: FxHashMap<CType, TypeId>,
    /// What is being lowered.
    pub unit: UnitNumber,
    pub records: IdVec<RecordDefId, RecordDef>,
    pub enums: IdVec<EnumDefId, EnumDef>,
}

impl TypeTable {
    pub const VOID: TypeId = TypeId(0);
    pub const BOOL: TypeId = TypeId(1);
    pub const CHAR: TypeId = TypeId(2);
    pub const INT: TypeId = TypeId(3);
    pub const UNSIGNED: TypeId = TypeId(4);
    pub const LONG: TypeId = TypeId(5);
    pub const UNSIGNED_LONG: TypeId = TypeId(6);
    pub const LONG_LONG: TypeId = TypeId(7);
    pub const UNSIGNED_LONG_LONG: TypeId = TypeId(8);
    pub const FLOAT: TypeId = TypeId(9);
    pub const DOUBLE: TypeId = TypeId(10);
    pub const VOID_POINTER: TypeId = TypeId(11);
    pub const VA_LIST: TypeId = TypeId(12);
    pub const UNSIGNED_CHAR: TypeId = TypeId(13);
    pub const CHAR_POINTER: TypeId = TypeId(14);

    pub fn new(model: DataModel) -> Self {
        let mut table = Self {
            model,
            types: IdVec::new(),
            depths: IdVec::new(),
            index: FxHashMap::default(),
            unit: UnitNumber::default(),
            records: IdVec::new(),
            enums: IdVec::new(),
        };
        let predefined = [
            (CType::Void, Self::VOID),
            (CType::Bool, Self::BOOL),
            (CType::Int(IntKind::Char), Self::CHAR),
            (CType::Int(IntKind::Int), Self::INT),
            (CType::Int(IntKind::UnsignedInt), Self::UNSIGNED),
            (CType::Int(IntKind::Long), Self::LONG),
            (CType::Int(IntKind::UnsignedLong), Self::UNSIGNED_LONG),
            (CType::Int(IntKind::LongLong), Self::LONG_LONG),
            (CType::Int(IntKind::UnsignedLongLong), Self::UNSIGNED_LONG_LONG),
            (CType::Float, Self::FLOAT),
            (CType::Double, Self::DOUBLE),
            (CType::Pointer(QualType::plain(Self::VOID)), Self::VOID_POINTER),
            (CType::VaList, Self::VA_LIST),
            (CType::Int(IntKind::UnsignedChar), Self::UNSIGNED_CHAR),
            (CType::Pointer(QualType::plain(Self::CHAR)), Self::CHAR_POINTER),
        ];
        for (ty, id) in predefined {
            assert_eq!(table.intern(ty), id, "predefined types should have their fixed ids");
        }
        table
    }

    pub fn intern(&mut self, ty: CType) -> TypeId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.depths.push(self.depth_of(&ty));
        self.index.insert(ty, id);
        id
    }

    /// An array that is never completed has one element (C11 6.9.2 p5).
    pub fn size_of_tentative(&self, ty: TypeId) -> u64 {
        match self.kind(ty) {
            CType::Array { element, length: ArrayLength::Unknown } => self.size_of(element.ty).unwrap_or(0),
            _ => 0,
        }
    }

    /// Whether an object of the type is constant as a whole: the qualifier of an array is that of its elements.
    pub fn is_constant(&self, ty: QualType) -> bool {
        match self.kind(ty.ty) {
            _ if ty.quals.contains(Quals::CONST) => true,
            CType::Array { element, .. } => self.is_constant(*element),
            _ => false,
        }
    }

    /// The members that are declared constant inside of a type. In a union, what is constant in every member, since writing another
    /// one is allowed. Of constant bit-fields, the bytes that stores to other bit-fields leave alone.
    pub fn constant_parts(&self, ty: QualType) -> ConstantParts {
        let mut parts = Vec::new();
        self.add_constant_parts(ty, 0, &mut parts);
        ConstantParts::new(parts)
    }

    fn add_constant_parts(&self, ty: QualType, offset: u64, parts: &mut Vec<(u64, u64)>) {
        if parts.len() > MAX_CONSTANT_PARTS || !self.has_constant_parts(ty.ty) {
            return;
        }
        match *self.kind(ty.ty) {
            CType::Array { element, length: ArrayLength::Known(length) } => {
                let size = self.size_of(element.ty).unwrap_or(0);
                let count = length.min(MAX_CONSTANT_PARTS as u64);
                (0..count).for_each(|index| self.add_constant_parts(element, offset + index * size, parts));
            }
            CType::Record(id) => {
                let Some(layout) = &self.records[id].layout else { return };
                let constant = layout.members.iter().map(|member| self.constant_stretches(member, layout));
                let own: Vec<(u64, u64)> = match self.records[id].union {
                    true => constant.reduce(|all, next| common(&all, &next)).unwrap_or_default(),
                    false => constant.flatten().collect(),
                };
                parts.extend(own.into_iter().map(|(start, size)| (offset + start, size)));
            }
            _ => {}
        }
    }

    /// The stretches of one member that are constant, from the start of its record.
    fn constant_stretches(&self, member: &MemberLayout, record: &RecordLayout) -> Vec<(u64, u64)> {
        match (member.bits, self.size_of(member.ty.ty)) {
            (Some(bits), _) if self.is_constant(member.ty) => {
                let written = record.members.iter().filter(|other| !self.is_constant(other.ty));
                let written: Vec<(u64, u64)> =
                    written.filter_map(|other| Some((other.offset, other.bits?.accessed_bytes()))).collect();
                let bytes = bits.bytes(member.offset);
                let is_alone = |byte: &u64| !written.iter().any(|&(start, size)| (start..start + size).contains(byte));
                bytes.filter(is_alone).map(|byte| (byte, 1)).collect()
            }
            (Some(_), _) => Vec::new(),
            (None, Some(size)) if self.is_constant(member.ty) => vec![(member.offset, size)],
            (None, _) => {
                let mut parts = Vec::new();
                self.add_constant_parts(member.ty, member.offset, &mut parts);
                parts
            }
        }
    }

    /// Whether some byte of the type belongs to a constant bit-field and to one that is not: a store to it may be that to
    /// the other one, which leaves the constant alone, or a bad one.
    pub fn has_mixed_bit_fields(&self, ty: TypeId) -> bool {
        match *self.kind(ty) {
            CType::Array { element, .. } => self.has_mixed_bit_fields(element.ty),
            CType::Record(id) => self.records[id].layout.as_ref().is_some_and(|layout| {
                let is_mixed = |member: &MemberLayout| match member.bits {
                    Some(bits) if self.is_constant(member.ty) => {
                        let bytes = bits.bytes(member.offset);
                        self.constant_stretches(member, layout).len() < bytes.count()
                    }
                    Some(_) => false,
                    None => self.has_mixed_bit_fields(member.ty.ty),
                };
                layout.members.iter().any(is_mixed)
            }),
            _ => false,
        }
    }

    fn has_constant_parts(&self, ty: TypeId) -> bool {
        match *self.kind(ty) {
            CType::Array { element, .. } => self.has_constant_parts(element.ty),
            CType::Record(id) => {
                let mut members = self.records[id].layout.iter().flat_map(|layout| &layout.members);
                members.any(|member| self.is_constant(member.ty) || self.has_constant_parts(member.ty.ty))
            }
            _ => false,
        }
    }

    /// How many types are nested in a type; what a pointer to a record leads to does not count.
    pub fn depth(&self, ty: TypeId) -> u32 {
        match self.kind(ty) {
            CType::Record(id) => self.records[*id].depth,
            _ => self.depths[ty],
        }
    }

    fn depth_of(&self, ty: &CType) -> u32 {
        let inner = |ty: &QualType| if self.record(ty.ty).is_some() { 0 } else { self.depth(ty.ty) };
        match ty {
            CType::Pointer(target) => 1 + inner(target),
            CType::Array { element, .. } => 1 + self.depth(element.ty),
            CType::Function(function) => {
                1 + function.parameters.iter().chain([&function.result]).map(inner).max().unwrap_or(0)
            }
            _ => 0,
        }
    }

    pub fn kind(&self, ty: TypeId) -> &CType {
        &self.types[ty]
    }

    pub fn int(&mut self, kind: IntKind) -> TypeId {
        self.intern(CType::Int(kind))
    }

    pub fn pointer_to(&mut self, target: QualType) -> TypeId {
        self.intern(CType::Pointer(target))
    }

    pub fn array_of(&mut self, element: QualType, length: ArrayLength) -> TypeId {
        self.intern(CType::Array { element, length })
    }

    /// `size_t`.
    pub fn size_type(&self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => Self::UNSIGNED,
            DataModel::Lp64 => Self::UNSIGNED_LONG,
        }
    }

    /// `ptrdiff_t`.
    pub fn difference_type(&self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => Self::INT,
            DataModel::Lp64 => Self::LONG,
        }
    }

    /// `wchar_t`.
    pub fn wide_character(&self) -> TypeId {
        match self.model {
            DataModel::Ilp32 => Self::LONG,
            DataModel::Lp64 => Self::INT,
        }
    }

    /// The integer kind that computes a type, for integers, enumerations and `_Bool`.
    pub fn integer_kind(&self, ty: TypeId) -> Option<IntKind> {
        match self.kind(ty) {
            CType::Bool => Some(IntKind::UnsignedChar),
            CType::Int(kind) => Some(*kind),
            CType::Enum(id) => Some(self.enums[*id].underlying),
            _ => None,
        }
    }

    pub fn is_integer(&self, ty: TypeId) -> bool {
        self.integer_kind(ty).is_some()
    }

    pub fn is_floating(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), CType::Float | CType::Double)
    }

    pub fn is_arithmetic(&self, ty: TypeId) -> bool {
        self.is_integer(ty) || self.is_floating(ty)
    }

    pub fn is_opaque(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), CType::Opaque { .. })
    }

    pub fn is_vector(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), CType::Opaque { element: Some(_), .. })
    }

    pub fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), CType::Void)
    }

    pub fn is_function(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), CType::Function(_))
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: TypeId) -> Option<QualType> {
        match self.kind(ty) {
            CType::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    pub fn element(&self, ty: TypeId) -> Option<QualType> {
        match self.kind(ty) {
            CType::Array { element, .. } => Some(*element),
            _ => None,
        }
    }

    pub fn record(&self, ty: TypeId) -> Option<RecordDefId> {
        match self.kind(ty) {
            CType::Record(id) => Some(*id),
            _ => None,
        }
    }

    pub fn function(&self, ty: TypeId) -> Option<&FunctionType> {
        match self.kind(ty) {
            CType::Function(function) => Some(function),
            _ => None,
        }
    }

    /// A value of the type fits a register.
    pub fn is_scalar(&self, ty: TypeId) -> bool {
        self.register_type(ty).is_some()
    }

    /// Values of the type live in memory and are handled by address: records, arrays, opaque types.
    pub fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), CType::Record(_) | CType::Array { .. } | CType::Opaque { .. })
    }

    /// The IR type of a scalar.
    pub fn register_type(&self, ty: TypeId) -> Option<Type> {
        match self.kind(ty) {
            CType::Float => Some(Type::Float),
            CType::Double => Some(Type::Double),
            CType::Pointer(_) | CType::VaList => Some(Type::Pointer),
            _ => self.integer_kind(ty).map(|kind| Type::Int(kind.bits(self.model))),
        }
    }

    pub fn is_signed(&self, ty: TypeId) -> bool {
        self.integer_kind(ty).is_some_and(IntKind::is_signed)
    }

    /// C11 6.3.1.1: types of lower rank than `int` become `int`, enumerations their underlying type.
    pub fn promoted(&mut self, ty: TypeId) -> TypeId {
        match self.integer_kind(ty) {
            Some(kind) if kind.rank() < IntKind::Int.rank() => Self::INT,
            Some(kind) => self.int(kind),
            None => ty,
        }
    }

    /// The type of a bit-field's value: `int` if that holds all its values (GCC keeps wider ones at their type).
    pub fn promoted_bit_field(&mut self, ty: TypeId, width: u8) -> TypeId {
        let signed = self.is_signed(ty);
        match width {
            0..32 => Self::INT,
            32 if signed => Self::INT,
            32 => Self::UNSIGNED,
            _ => self.promoted(ty),
        }
    }

    /// C11 6.3.1.8, on arithmetic types.
    pub fn usual_arithmetic(&mut self, left: TypeId, right: TypeId) -> TypeId {
        for floating in [Self::DOUBLE, Self::FLOAT] {
            if left == floating || right == floating {
                return floating;
            }
        }
        let (left, right) = (self.promoted(left), self.promoted(right));
        let (Some(l), Some(r)) = (self.integer_kind(left), self.integer_kind(right)) else {
            return left;
        };
        let kind = common_integer(l, r, self.model);
        self.int(kind)
    }

    /// How a value argument of the type travels where no parameter type is known.
    pub fn default_promoted(&mut self, ty: TypeId) -> TypeId {
        if ty == Self::FLOAT { Self::DOUBLE } else { self.promoted(ty) }
    }

    /// A name as a C programmer would write it, abbreviated if it is very long.
    pub fn name(&self, ty: TypeId) -> String {
        let mut name = String::new();
        self.write_name(ty, MAX_NAME_DEPTH, &mut name);
        name
    }

    /// Type definitions can make a name that is exponentially longer than what was written.
    fn write_name(&self, ty: TypeId, depth: u32, name: &mut String) {
        if depth == 0 || name.len() > MAX_NAME_LENGTH {
            name.push('…');
            return;
        }
        match self.kind(ty) {
            CType::Void => name.push_str("void"),
            CType::Bool => name.push_str("_Bool"),
            CType::Int(kind) => name.push_str(kind.name()),
            CType::Float => name.push_str("float"),
            CType::Double => name.push_str("double"),
            CType::Opaque { name: written, .. } => name.push_str(written),
            CType::VaList => name.push_str("va_list"),
            CType::Record(id) => name.push_str(&self.records[*id].name),
            CType::Enum(id) => name.push_str(&self.enums[*id].name),
            CType::Pointer(target) if self.is_function(target.ty) => {
                name.push('(');
                self.write_name(target.ty, depth - 1, name);
                name.push_str(") *");
            }
            CType::Pointer(target) => {
                self.write_name(target.ty, depth - 1, name);
                name.push_str(" *");
            }
            CType::Array { element, length } => {
                self.write_name(element.ty, depth - 1, name);
                match length {
                    ArrayLength::Known(length) => name.push_str(&format!("[{length}]")),
                    _ => name.push_str("[]"),
                }
            }
            CType::Function(function) => {
                self.write_name(function.result.ty, depth - 1, name);
                name.push_str(" (");
                for (index, parameter) in function.parameters.iter().enumerate() {
                    if name.len() > MAX_NAME_LENGTH {
                        name.push('…');
                        break;
                    }
                    name.push_str(if index == 0 { "" } else { ", " });
                    self.write_name(parameter.ty, depth - 1, name);
                }
                name.push(')');
            }
        }
    }

    /// C's compatible types, without qualifiers at the top.
    pub fn compatible(&self, left: TypeId, right: TypeId) -> bool {
        self.compatible_beside(left, right, &mut FxHashSet::default())
    }

    /// `known` are compatible pairs: without them a chain of type definitions would take exponential time.
    fn compatible_beside(&self, left: TypeId, right: TypeId, known: &mut FxHashSet<(TypeId, TypeId)>) -> bool {
        if left == right || known.contains(&(left, right)) {
            return true;
        }
        let compatible = match (self.kind(left), self.kind(right)) {
            (CType::Pointer(l), CType::Pointer(r)) => l.quals == r.quals && self.compatible_beside(l.ty, r.ty, known),
            (CType::Array { element: l, length: m }, CType::Array { element: r, length: n }) => {
                let lengths = match (m, n) {
                    (ArrayLength::Known(m), ArrayLength::Known(n)) => m == n,
                    _ => true,
                };
                lengths && l.quals == r.quals && self.compatible_beside(l.ty, r.ty, known)
            }
            (CType::Function(l), CType::Function(r)) => {
                let mut pairs = l.parameters.iter().zip(&r.parameters);
                let parameters = !l.prototype
                    || !r.prototype
                    || l.variadic == r.variadic
                        && l.parameters.len() == r.parameters.len()
                        && pairs.all(|(l, r)| self.compatible_beside(l.ty, r.ty, known));
                parameters && self.compatible_beside(l.result.ty, r.result.ty, known)
            }
            (CType::Enum(id), CType::Int(kind)) | (CType::Int(kind), CType::Enum(id)) => {
                self.enums[*id].underlying == *kind
            }
            (CType::Enum(l), CType::Enum(r)) => {
                let (l, r) = (&self.enums[*l], &self.enums[*r]);
                l.unit != r.unit && l.name == r.name && l.underlying == r.underlying
            }
            (CType::Record(l), CType::Record(r)) => {
                // A list leads back to itself: what is being compared is taken to be compatible.
                known.insert((left, right));
                let compatible = self.same_elsewhere(&self.records[*l], &self.records[*r], known);
                if !compatible {
                    known.remove(&(left, right));
                }
                compatible
            }
            _ => false,
        };
        if compatible {
            known.insert((left, right));
        }
        compatible
    }

    /// What a pointer to one of two types may point to that differ in their qualifiers alone: their composite type, with the
    /// qualifiers of both; `None` if they differ in more. Those of an array are those of its elements.
    pub fn common_target(&mut self, left: QualType, right: QualType) -> Option<QualType> {
        let quals = self.element_quals(left).union(self.element_quals(right));
        let is_atomic = |table: &Self, ty| table.element_quals(ty).contains(Quals::ATOMIC);
        if is_atomic(self, left) != is_atomic(self, right) {
            return None;
        }
        let (left, right) = (self.with_quals(left, quals), self.with_quals(right, quals));
        if !self.compatible(left.ty, right.ty) {
            return None;
        }
        let ty = self.composite(left.ty, right.ty, &mut FxHashMap::default());
        Some(QualType { ty, quals: left.quals })
    }

    fn element_quals(&self, ty: QualType) -> Quals {
        match self.kind(ty.ty) {
            CType::Array { element, .. } => self.element_quals(*element),
            _ => ty.quals,
        }
    }

    /// The type with further qualifiers, which for an array go to its elements.
    pub fn with_quals(&mut self, ty: QualType, quals: Quals) -> QualType {
        if quals == Quals::NONE {
            return ty;
        }
        if let CType::Array { element, length } = *self.kind(ty.ty) {
            let element = self.with_quals(element, quals);
            return QualType { ty: self.array_of(element, length), quals: ty.quals };
        }
        ty.with(quals)
    }

    /// C11 6.2.7 p3, of compatible types. `known` are the results so far: without them a chain of type definitions would take
    /// exponential time.
    fn composite(&mut self, left: TypeId, right: TypeId, known: &mut FxHashMap<(TypeId, TypeId), TypeId>) -> TypeId {
        if left == right {
            return left;
        }
        if let Some(&ty) = known.get(&(left, right)) {
            return ty;
        }
        let ty = match (self.kind(left).clone(), self.kind(right).clone()) {
            (CType::Pointer(l), CType::Pointer(r)) => {
                let ty = self.composite(l.ty, r.ty, known);
                self.pointer_to(QualType { ty, ..l })
            }
            (CType::Array { element: l, length: m }, CType::Array { element: r, length: n }) => {
                let ty = self.composite(l.ty, r.ty, known);
                let length = match (m, n) {
                    (ArrayLength::Known(_), _) | (_, ArrayLength::Unknown) => m,
                    _ => n,
                };
                self.array_of(QualType { ty, ..l }, length)
            }
            (CType::Function(l), CType::Function(r)) if l.prototype && r.prototype => {
                let pairs = l.parameters.iter().zip(&r.parameters);
                let parameters = pairs.map(|(l, r)| QualType { ty: self.composite(l.ty, r.ty, known), ..*l }).collect();
                let result = QualType { ty: self.composite(l.result.ty, r.result.ty, known), ..l.result };
                self.intern(CType::Function(FunctionType { result, parameters, ..l }))
            }
            (CType::Function(l), CType::Function(_)) => {
                if l.prototype {
                    left
                } else {
                    right
                }
            }
            (CType::Record(l), CType::Record(_)) if self.records[l].layout.is_none() => right,
            _ => left,
        };
        known.insert((left, right), ty);
        ty
    }

    /// Whether two records of different units are one type: the same tag, and the same members where both are known. Their
    /// names may differ: those of system headers depend on macros such as `_POSIX_C_SOURCE`.
    fn same_elsewhere(&self, l: &RecordDef, r: &RecordDef, known: &mut FxHashSet<(TypeId, TypeId)>) -> bool {
        let same_members = |l: &RecordLayout, r: &RecordLayout, known: &mut FxHashSet<(TypeId, TypeId)>| {
            let mut pairs = l.members.iter().zip(&r.members);
            l.size == r.size
                && l.members.len() == r.members.len()
                && pairs.all(|(l, r)| {
                    (l.offset, l.bits, l.ty.quals) == (r.offset, r.bits, r.ty.quals)
                        && self.compatible_beside(l.ty.ty, r.ty.ty, known)
                })
        };
        l.unit != r.unit
            && (&l.name, l.union) == (&r.name, r.union)
            && match (&l.layout, &r.layout) {
                (Some(l), Some(r)) => same_members(l, r, known),
                _ => true,
            }
    }
}

/// The common type of two promoted integer types.
fn common_integer(left: IntKind, right: IntKind, model: DataModel) -> IntKind {
    if left == right {
        return left;
    }
    if left.is_signed() == right.is_signed() {
        return if left.rank() >= right.rank() { left } else { right };
    }
    let (signed, unsigned) = if left.is_signed() { (left, right) } else { (right, left) };
    if unsigned.rank() >= signed.rank() {
        unsigned
    } else if signed.bits(model) > unsigned.bits(model) {
        signed
    } else {
        signed.to_unsigned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_arithmetic_conversions_depend_on_the_model() {
        let mut table = TypeTable::new(DataModel::Ilp32);
        let common = table.usual_arithmetic(TypeTable::LONG, TypeTable::UNSIGNED);
        assert_eq!(common, TypeTable::UNSIGNED_LONG);
        let mut table = TypeTable::new(DataModel::Lp64);
        let common = table.usual_arithmetic(TypeTable::LONG, TypeTable::UNSIGNED);
        assert_eq!(common, TypeTable::LONG);
        let common = table.usual_arithmetic(TypeTable::CHAR, TypeTable::BOOL);
        assert_eq!(common, TypeTable::INT);
        let common = table.usual_arithmetic(TypeTable::UNSIGNED_LONG_LONG, TypeTable::FLOAT);
        assert_eq!(common, TypeTable::FLOAT);
    }
}

//! The types that specifiers and modes name.

use crate::ast::BasicType;
use crate::ctype::{CType, IntKind, TypeId, TypeTable};

impl TypeTable {
    /// The type that a specifier names.
    pub fn basic(&mut self, basic: BasicType) -> TypeId {
        let wide = self.model.pointer_bytes() == 8;
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
        self.intern(ty)
    }

    /// The type that attribute `mode` makes of a type; `None` if the mode is not known.
    pub fn of_mode(&mut self, ty: TypeId, mode: &str) -> Option<TypeId> {
        let signed = self.is_signed(ty);
        let wide = self.model.pointer_bytes() == 8;
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
            "SF" => return Some(Self::FLOAT),
            "DF" => return Some(Self::DOUBLE),
            "TI" => return Some(self.basic(BasicType::Int128)),
            "XF" => return Some(self.basic(BasicType::LongDouble)),
            "TF" => return Some(self.basic(BasicType::Float128)),
            _ => return self.is_opaque(ty).then_some(ty),
        };
        let kind = if signed { kind } else { kind.to_unsigned() };
        Some(self.int(kind))
    }
}

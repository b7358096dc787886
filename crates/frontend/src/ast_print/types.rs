//! Types, read from the outside in.

use std::fmt::Write;

use super::Printer;
use crate::ast::{
    ArraySize, BasicType, EnumId, FieldDef, Member, Parameter, Parameters, Qualifiers, RecordId, RecordKind,
    TypeExprId, TypeExprKind,
};
use crate::symbol::Symbol;

impl Printer<'_> {
    pub(super) fn type_expr(&mut self, id: TypeExprId) {
        let ty = &self.unit[id];
        self.qualifiers(ty.qualifiers);
        match &ty.kind {
            TypeExprKind::Basic(basic) => self.write(basic_name(*basic)),
            TypeExprKind::Typedef(name) => self.name(*name),
            TypeExprKind::Record(record) => self.record(*record),
            TypeExprKind::Enum(id) => self.enumeration(*id),
            TypeExprKind::TypeofExpr(expr) => {
                self.write("typeof ");
                self.expr(*expr);
            }
            TypeExprKind::TypeofType(inner) => self.wrapped("typeof(", *inner),
            TypeExprKind::Atomic(inner) => self.wrapped("atomic(", *inner),
            TypeExprKind::AutoType => self.write("auto type"),
            TypeExprKind::Pointer(target) => {
                self.write("pointer to ");
                self.type_expr(*target);
            }
            TypeExprKind::Array { element, size, qualifiers, at_least } => {
                self.write("array[");
                self.write(if *at_least { "static " } else { "" });
                self.qualifiers(*qualifiers);
                self.array_size(*size);
                self.write("] of ");
                self.type_expr(*element);
            }
            TypeExprKind::Function { result, parameters } => {
                self.write("function");
                self.parameters(parameters);
                self.write(" returning ");
                self.type_expr(*result);
            }
            TypeExprKind::Attributed { inner, attributes } => {
                self.attributes(attributes);
                self.type_expr(*inner);
            }
        }
    }

    fn wrapped(&mut self, opening: &str, inner: TypeExprId) {
        self.write(opening);
        self.type_expr(inner);
        self.write(")");
    }

    fn qualifiers(&mut self, qualifiers: Qualifiers) {
        let words = [
            (qualifiers.constant, "const "),
            (qualifiers.volatile, "volatile "),
            (qualifiers.restrict, "restrict "),
            (qualifiers.atomic, "atomic "),
        ];
        for (_, word) in words.into_iter().filter(|(is_set, _)| *is_set) {
            self.write(word);
        }
    }

    fn array_size(&mut self, size: ArraySize) {
        match size {
            ArraySize::Unspecified => {}
            ArraySize::Star => self.write("*"),
            ArraySize::Expr(expr) => self.expr(expr),
        }
    }

    fn parameters(&mut self, parameters: &Parameters) {
        match parameters {
            Parameters::Unspecified => self.write("(?)"),
            Parameters::Prototype { parameters, variadic } => {
                self.write("(");
                for (index, parameter) in parameters.iter().enumerate() {
                    self.write(if index == 0 { "" } else { ", " });
                    self.parameter(parameter);
                }
                self.write(if *variadic { ", ..." } else { "" });
                self.write(")");
            }
            Parameters::Identifiers(names) => {
                self.write("(K&R");
                for (name, _) in names {
                    self.write(" ");
                    self.name(*name);
                }
                self.write(")");
            }
        }
    }

    fn parameter(&mut self, parameter: &Parameter) {
        self.attributes(&parameter.attributes);
        if let Some(name) = parameter.name {
            self.name(name);
            self.write(": ");
        }
        self.type_expr(parameter.ty);
    }

    pub(super) fn record(&mut self, id: RecordId) {
        let record = &self.unit[id];
        self.write(match record.kind {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        });
        self.tag(record.tag, || id.to_string());
        let Some(members) = &record.members else { return };
        if std::mem::replace(&mut self.records_written[id.0 as usize], true) {
            return;
        }
        if let Some(pack) = record.pack {
            let _ = write!(self.out, " pack({pack})");
        }
        self.write(" ");
        self.attributes(&record.attributes);
        self.write("{");
        for member in members {
            match member {
                Member::Field(field) => self.field(field),
                Member::StaticAssert(assertion) => {
                    self.write(" static_assert ");
                    self.expr(assertion.condition);
                }
            }
            self.write(";");
        }
        self.write(" }");
    }

    fn tag(&mut self, tag: Option<Symbol>, anonymous: impl FnOnce() -> String) {
        self.write(" ");
        match tag {
            Some(tag) => self.name(tag),
            None => self.write(&format!("<{}>", anonymous())),
        }
    }

    fn field(&mut self, field: &FieldDef) {
        self.write(" ");
        self.alignment(&field.alignment);
        self.attributes(&field.attributes);
        if let Some(name) = field.name {
            self.name(name);
            self.write(": ");
        }
        self.type_expr(field.ty);
        if let Some(width) = field.bit_width {
            self.write(" : ");
            self.expr(width);
        }
    }

    pub(super) fn enumeration(&mut self, id: EnumId) {
        let specifier = &self.unit[id];
        self.write("enum");
        self.tag(specifier.tag, || id.to_string());
        let Some(enumerators) = &specifier.enumerators else { return };
        if std::mem::replace(&mut self.enums_written[id.0 as usize], true) {
            return;
        }
        self.write(" ");
        self.attributes(&specifier.attributes);
        self.write("{");
        for (index, enumerator) in enumerators.iter().enumerate() {
            self.write(if index == 0 { " " } else { ", " });
            self.name(enumerator.name);
            if let Some(value) = enumerator.value {
                self.write(" = ");
                self.expr(value);
            }
        }
        self.write(" }");
    }
}

fn basic_name(basic: BasicType) -> &'static str {
    match basic {
        BasicType::Void => "void",
        BasicType::Bool => "bool",
        BasicType::Char => "char",
        BasicType::SignedChar => "signed char",
        BasicType::UnsignedChar => "unsigned char",
        BasicType::Short => "short",
        BasicType::UnsignedShort => "unsigned short",
        BasicType::Int => "int",
        BasicType::UnsignedInt => "unsigned",
        BasicType::Long => "long",
        BasicType::UnsignedLong => "unsigned long",
        BasicType::LongLong => "long long",
        BasicType::UnsignedLongLong => "unsigned long long",
        BasicType::Int128 => "int128",
        BasicType::UnsignedInt128 => "unsigned int128",
        BasicType::Float => "float",
        BasicType::Double => "double",
        BasicType::LongDouble => "long double",
        BasicType::Float16 => "float16",
        BasicType::Float32 => "float32",
        BasicType::Float64 => "float64",
        BasicType::Float32x => "float32x",
        BasicType::Float64x => "float64x",
        BasicType::Float128 => "float128",
        BasicType::Decimal32 => "decimal32",
        BasicType::Decimal64 => "decimal64",
        BasicType::Decimal128 => "decimal128",
        BasicType::FloatComplex => "complex float",
        BasicType::DoubleComplex => "complex double",
        BasicType::LongDoubleComplex => "complex long double",
        BasicType::OtherComplex => "complex other",
        BasicType::VaList => "va_list",
    }
}

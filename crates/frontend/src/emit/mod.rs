//! From C's operations to the IR: what values, places, conversions, accesses and lifetimes become.
//!
//! It knows C's types and what stands in the linker's tables, but no syntax and no names in scope: whoever calls it has
//! evaluated the operands. `builder` below it knows no C at all; `lower` above it goes over the syntax tree.

mod access;
mod aggregate;
mod alternatives;
mod arithmetic;
mod assignment;
pub mod atomic_cell;
mod bit_field;
pub mod builder;
mod calls;
mod clean_up;
mod computations;
mod conditional;
mod conversion;
pub mod frame;
mod function;
mod initial_values;
mod inputs;
pub mod jump;
mod literals;
mod liveness;
mod switch;
pub mod value;
mod varargs;

use base::Span;
use program::{InstructionKind, Operand, Type};

use crate::ctype::{ArrayLength, CType, TypeId};
use crate::link::Linker;
use crate::symbol::Interner;
pub use bit_field::mask;
use builder::FunctionBuilder;
pub use calls::EvaluatedCall;
use function::FunctionContext;
pub use function::{FunctionState, finish_function};
use jump::Jumps;
use value::{CValue, Lowered, Reported};

/// Emits the code of one function after the other.
pub struct Emitter<'a, 'o> {
    pub link: &'a mut Linker<'o>,
    /// The names of the translation unit.
    names: &'a Interner,
    /// The code of the function at hand; at file scope a place for constants.
    pub builder: FunctionBuilder,
    pub jumps: Jumps,
    pub function: FunctionContext,
    /// An initialiser of a static object is being lowered, which may read constant objects.
    pub reads_constants: bool,
    /// Why the static initialiser at hand has contents that are not known.
    pub unknown_contents: Option<String>,
}

impl<'a, 'o> Emitter<'a, 'o> {
    pub fn new(names: &'a Interner, link: &'a mut Linker<'o>) -> Self {
        let FunctionState { builder, jumps, context } = FunctionState::new(link.types.model);
        Self { link, names, builder, jumps, function: context, reads_constants: false, unknown_contents: None }
    }

    pub fn error<T>(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Lowered<T> {
        self.link.error(code, span, message)
    }

    /// Emits `Unsupported` and goes on with an unknown value of the type: a constant would be folded, and code that
    /// depends on it would vanish from the program.
    pub fn unsupported(&mut self, what: impl Into<String>, ty: TypeId, span: Span) -> CValue {
        self.builder.emit(InstructionKind::Unsupported { what: what.into() }, span);
        self.unknown_value(ty, span)
    }

    /// A value of which nothing is known but its type.
    pub fn unknown_value(&mut self, ty: TypeId, span: Span) -> CValue {
        if self.link.types.is_void(ty) {
            return CValue::void();
        }
        match self.link.types.register_type(ty) {
            Some(register) => CValue::scalar(self.builder.unknown_operand(register, span), ty),
            None if self.link.types.size_of(ty).is_some() => match self.temporary_object(ty, "(unknown)", span) {
                Ok(address) => CValue::aggregate(address, ty),
                Err(Reported) => CValue::aggregate(Operand::Null, ty),
            },
            None => CValue::aggregate(self.builder.unknown_operand(Type::Pointer, span), ty),
        }
    }

    /// Some value of the type, for code behind the end of the process.
    pub fn placeholder(&mut self, ty: TypeId) -> CValue {
        if self.link.types.is_void(ty) {
            return CValue::void();
        }
        match self.link.types.register_type(ty) {
            Some(register) => CValue::scalar(zero(register), ty),
            None => CValue::aggregate(Operand::Null, ty),
        }
    }

    /// `sizeof`: a constant, or computed for variable-length arrays.
    pub fn size_value(&mut self, ty: TypeId, span: Span) -> Lowered<Operand> {
        if let Some(size) = self.link.types.step_of(ty) {
            return Ok(self.builder.size_operand(size));
        }
        match *self.link.types.kind(ty) {
            CType::Array { element, length: ArrayLength::Variable(length) } => {
                let element = self.size_value(element.ty, span)?;
                Ok(self.builder.multiply_sizes(Operand::Register(length), element, span))
            }
            CType::Array { element, length: ArrayLength::Known(length) } => {
                let element = self.size_value(element.ty, span)?;
                let length = self.builder.size_operand(length);
                Ok(self.builder.multiply_sizes(length, element, span))
            }
            _ => {
                let name = self.link.types.name(ty);
                self.error("type", span, format!("`{name}` has no size: the type is incomplete"))
            }
        }
    }

    /// The IR type of a scalar C type.
    pub fn register_type(&self, ty: TypeId) -> Type {
        self.link.types.register_type(ty).unwrap_or(Type::Pointer)
    }
}

/// The constant zero of an IR type.
pub fn zero(ty: Type) -> Operand {
    match ty {
        Type::Int(bits) => Operand::int(bits, 0),
        Type::Float => Operand::Float(0),
        Type::Double => Operand::Double(0),
        Type::Pointer => Operand::Null,
    }
}

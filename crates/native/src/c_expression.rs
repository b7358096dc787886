//! Types, operands and pure expressions as C. Integers are unsigned in C; operators that care cast.

use program::{BinaryOp, CastOp, DataModel, Function, Operand, Rvalue, Type, UnaryOp};

/// The C type of a register.
pub fn c_type(ty: Type) -> &'static str {
    match ty {
        Type::Int(1 | 8) => "u8",
        Type::Int(16) => "u16",
        Type::Int(32) => "u32",
        Type::Int(_) => "u64",
        Type::Float => "float",
        Type::Double => "double",
        Type::Pointer => "ptr",
    }
}

/// A value that is at hand.
pub fn c_operand(operand: Operand) -> String {
    match operand {
        Operand::Register(register) => register.to_string(),
        Operand::Int { bits, value } => format!("({})0x{value:x}ull", c_type(Type::Int(bits))),
        Operand::Float(bits) => format!("gr_float(0x{bits:x}u)"),
        Operand::Double(bits) => format!("gr_double(0x{bits:x}ull)"),
        Operand::Null => "(ptr)0".to_owned(),
        Operand::Global { global, offset } => address(&global.to_string(), offset),
        Operand::Local { local, offset } => address(&local.to_string(), offset),
        Operand::Function(function) => format!("(ptr){function}"),
    }
}

/// What an expression needs to be written.
#[derive(Clone, Copy)]
pub struct CScope<'a> {
    pub function: &'a Function,
    pub model: DataModel,
}

impl CScope<'_> {
    pub fn type_of(self, operand: Operand) -> Type {
        match operand {
            Operand::Register(register) => self.function.registers[register].ty,
            Operand::Int { bits, .. } => Type::Int(bits),
            Operand::Float(_) => Type::Float,
            Operand::Double(_) => Type::Double,
            Operand::Null | Operand::Global { .. } | Operand::Local { .. } | Operand::Function(_) => Type::Pointer,
        }
    }

    pub fn rvalue(self, value: &Rvalue) -> String {
        match *value {
            Rvalue::Use(operand) => c_operand(operand),
            Rvalue::Unary { op, ty, operand, .. } => self.unary(op, ty, &c_operand(operand)),
            Rvalue::Binary { op, ty, left, right, .. } => self.binary(op, ty, &c_operand(left), &c_operand(right)),
            Rvalue::Cast { op, from, to, operand } => self.cast(op, from, to, &c_operand(operand)),
            Rvalue::PointerAdd { pointer, offset } => {
                format!("gr_moved({}, {})", c_operand(pointer), c_operand(offset))
            }
            Rvalue::PointerDifference { left, right } => format!("{} - {}", c_operand(left), c_operand(right)),
            Rvalue::Select { condition, then, otherwise, .. } => {
                let [condition, then, otherwise] = [condition, then, otherwise].map(c_operand);
                format!("{condition} ? {then} : {otherwise}")
            }
        }
    }

    fn unary(self, op: UnaryOp, ty: Type, operand: &str) -> String {
        match op {
            UnaryOp::Neg => self.cut(ty, format!("0 - (u64){operand}")),
            UnaryOp::Not => self.cut(ty, format!("~(u64){operand}")),
            UnaryOp::FloatNeg => format!("-{operand}"),
        }
    }

    fn binary(self, op: BinaryOp, ty: Type, left: &str, right: &str) -> String {
        let bits = ty.bits(self.model);
        let plain = |symbol: &str| format!("{left} {symbol} {right}");
        let signed = |symbol: &str| {
            let narrow = |side: &str| signed_value(side, bits);
            format!("{} {symbol} {}", narrow(left), narrow(right))
        };
        let helper = |name: &str| self.cut(ty, format!("gr_{name}{}({left}, {right})", bits.max(8)));
        let wide = |symbol: &str| self.cut(ty, format!("(u64){left} {symbol} (u64){right}"));
        match op {
            BinaryOp::Add => wide("+"),
            BinaryOp::Sub => wide("-"),
            BinaryOp::Mul => wide("*"),
            BinaryOp::Scale => helper("scale"),
            BinaryOp::UDiv => self.cut(ty, plain("/")),
            BinaryOp::URem => self.cut(ty, plain("%")),
            BinaryOp::SDiv => helper("sdiv"),
            BinaryOp::SRem => helper("srem"),
            BinaryOp::And => self.cut(ty, plain("&")),
            BinaryOp::Or => self.cut(ty, plain("|")),
            BinaryOp::Xor => self.cut(ty, plain("^")),
            BinaryOp::Shl => helper("shl"),
            BinaryOp::LShr => helper("lshr"),
            BinaryOp::AShr => helper("ashr"),
            BinaryOp::Eq | BinaryOp::FloatEq => plain("=="),
            BinaryOp::Ne | BinaryOp::FloatNe => plain("!="),
            BinaryOp::Ult | BinaryOp::FloatLt => plain("<"),
            BinaryOp::Ule | BinaryOp::FloatLe => plain("<="),
            BinaryOp::Slt => signed("<"),
            BinaryOp::Sle => signed("<="),
            BinaryOp::FloatAdd => plain("+"),
            BinaryOp::FloatSub => plain("-"),
            BinaryOp::FloatMul => plain("*"),
            BinaryOp::FloatDiv => plain("/"),
        }
    }

    fn cast(self, op: CastOp, from: Type, to: Type, operand: &str) -> String {
        let from_bits = from.bits(self.model);
        match op {
            CastOp::ZeroExtend | CastOp::Truncate | CastOp::PointerToInt | CastOp::IntToPointer => {
                self.cut(to, operand.to_owned())
            }
            CastOp::SignExtend => self.cut(to, signed_value(operand, from_bits)),
            CastOp::SignedToFloat => format!("({}){}", c_type(to), signed_value(operand, from_bits)),
            CastOp::UnsignedToFloat | CastOp::FloatToFloat => format!("({}){operand}", c_type(to)),
            CastOp::FloatToSigned => {
                let width = if to.bits(self.model) <= 32 { "i32" } else { "i64" };
                self.cut(to, format!("({width}){operand}"))
            }
            CastOp::FloatToUnsigned => {
                let width = if to.bits(self.model) < 64 { "i64" } else { "u64" };
                self.cut(to, format!("({width}){operand}"))
            }
        }
    }

    /// The value cut to the width of the type.
    fn cut(self, ty: Type, value: String) -> String {
        match ty {
            Type::Int(1) => format!("(u8)(({value}) & 1)"),
            _ => format!("({})({value})", c_type(ty)),
        }
    }
}

fn address(name: &str, offset: i64) -> String {
    match offset {
        0 => format!("(ptr){name}"),
        _ => format!("((ptr){name} + (ptr)INT64_C({offset}))"),
    }
}

/// A number of so many bits, taken as signed.
fn signed_value(value: &str, bits: u8) -> String {
    match bits {
        1 => format!("(-(i64){value})"),
        _ => format!("(i{bits}){value}"),
    }
}

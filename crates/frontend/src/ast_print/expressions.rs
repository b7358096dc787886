//! Expressions, operator first.

use std::fmt::Write;

use super::Printer;
use crate::ast::{
    BinaryOp, ExprId, ExprKind, FloatConstant, FloatSuffix, IntegerConstant, IntegerLength, LiteralEncoding, StmtId,
    StmtKind, StringLiteral, StringUnits, TypeExprId, UnaryOp,
};

impl Printer<'_> {
    pub(super) fn expr(&mut self, id: ExprId) {
        match &self.unit[id].kind {
            ExprKind::Name(name) => self.name(*name),
            ExprKind::Integer(constant) => self.integer(constant),
            ExprKind::Float(constant) => self.float(constant),
            ExprKind::Char(constant) => {
                let _ = write!(self.out, "{}'{}'", prefix(constant.encoding), constant.value);
            }
            ExprKind::String(literal) => self.string(literal),
            ExprKind::Unary { op, operand } => self.applied(unary_name(*op), &[*operand]),
            ExprKind::Binary { op, left, right } => self.applied(binary_name(*op), &[*left, *right]),
            ExprKind::Assign { op, target, value } => {
                let name = format!("{}=", op.map_or("", binary_name));
                self.applied(&name, &[*target, *value]);
            }
            ExprKind::Comma { left, right } => self.applied(",", &[*left, *right]),
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                self.applied("?", &[*condition, *then, *otherwise]);
            }
            ExprKind::Conditional { condition, then: None, otherwise } => self.applied("?:", &[*condition, *otherwise]),
            ExprKind::Cast { ty, operand } => {
                self.open_with_type("cast ", *ty);
                self.write(" ");
                self.expr(*operand);
                self.write(")");
            }
            ExprKind::CompoundLiteral { ty, initializer } => {
                self.open_with_type("literal ", *ty);
                self.write(" ");
                self.initializer_list(initializer);
                self.write(")");
            }
            ExprKind::SizeofExpr(operand) => self.applied("sizeof", &[*operand]),
            ExprKind::SizeofType(ty) => self.of_type("sizeof ", *ty),
            ExprKind::AlignofExpr(operand) => self.applied("alignof", &[*operand]),
            ExprKind::AlignofType { ty, preferred: false } => self.of_type("alignof ", *ty),
            ExprKind::AlignofType { ty, preferred: true } => self.of_type("__alignof__ ", *ty),
            ExprKind::Call { callee, arguments } => {
                self.write("(call ");
                self.expr(*callee);
                self.operands(arguments);
            }
            ExprKind::Index { base, index } => self.applied("[]", &[*base, *index]),
            ExprKind::Member { base, field, arrow } => {
                self.write(if *arrow { "(-> " } else { "(. " });
                self.expr(*base);
                self.write(" ");
                self.name(*field);
                self.write(")");
            }
            ExprKind::Generic { control, associations } => {
                self.write("(generic ");
                self.expr(*control);
                for association in associations {
                    self.write(" [");
                    match association.ty {
                        Some(ty) => self.type_expr(ty),
                        None => self.write("default"),
                    }
                    self.write(": ");
                    self.expr(association.value);
                    self.write("]");
                }
                self.write(")");
            }
            ExprKind::Statement(body) => self.statement_expression(*body),
            ExprKind::LabelAddress(label) => {
                self.write("(&& ");
                self.name(*label);
                self.write(")");
            }
            ExprKind::Offsetof { ty, path } => {
                self.open_with_type("offsetof ", *ty);
                self.write(" ");
                self.designators(path);
                self.write(")");
            }
            ExprKind::VaArg { list, ty } => {
                self.write("(va_arg ");
                self.expr(*list);
                self.write(" ");
                self.type_expr(*ty);
                self.write(")");
            }
            ExprKind::TypesCompatible { left, right } => {
                self.open_with_type("types_compatible ", *left);
                self.write(", ");
                self.type_expr(*right);
                self.write(")");
            }
            ExprKind::Choose { condition, then, otherwise } => {
                self.applied("choose", &[*condition, *then, *otherwise]);
            }
        }
    }

    /// `(name a b)`.
    fn applied(&mut self, name: &str, operands: &[ExprId]) {
        self.write("(");
        self.write(name);
        self.operands(operands);
    }

    /// The rest of an application: ` a b)`.
    fn operands(&mut self, operands: &[ExprId]) {
        for &operand in operands {
            self.write(" ");
            self.expr(operand);
        }
        self.write(")");
    }

    fn open_with_type(&mut self, name: &str, ty: TypeExprId) {
        self.write("(");
        self.write(name);
        self.type_expr(ty);
    }

    fn of_type(&mut self, name: &str, ty: TypeExprId) {
        self.open_with_type(name, ty);
        self.write(")");
    }

    /// The statements stand on lines of their own.
    fn statement_expression(&mut self, body: StmtId) {
        self.write("({");
        self.end();
        self.indent += 2;
        match &self.unit[body].kind {
            StmtKind::Compound(block) => block.items.iter().for_each(|&item| self.stmt(item)),
            _ => self.stmt(body),
        }
        self.indent -= 2;
        self.begin("  })");
    }

    fn integer(&mut self, constant: &IntegerConstant) {
        let unsigned = if constant.unsigned { "u" } else { "" };
        let length = match constant.length {
            IntegerLength::Int => "",
            IntegerLength::Long => "l",
            IntegerLength::LongLong => "ll",
        };
        let imaginary = if constant.imaginary { "i" } else { "" };
        let _ = write!(self.out, "{}{unsigned}{length}{imaginary}", constant.value);
    }

    fn float(&mut self, constant: &FloatConstant) {
        let _ = match constant.suffix {
            FloatSuffix::None => write!(self.out, "{:?}", constant.value),
            FloatSuffix::Float => write!(self.out, "{:?}f", constant.single),
            FloatSuffix::Long => write!(self.out, "{:?}l", constant.value),
            FloatSuffix::Extended(basic) => write!(self.out, "{:?}{basic:?}", constant.value),
        };
        self.write(if constant.imaginary { "i" } else { "" });
    }

    fn string(&mut self, literal: &StringLiteral) {
        self.write(prefix(literal.encoding));
        match &literal.units {
            StringUnits::Bytes(bytes) => self.bytes(bytes),
            StringUnits::Wide(units) => {
                let characters = units.iter().map(|&unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
                let text = characters.collect::<String>();
                let _ = write!(self.out, "\"{}\"", text.escape_default());
            }
        }
    }
}

fn prefix(encoding: LiteralEncoding) -> &'static str {
    match encoding {
        LiteralEncoding::Narrow => "",
        LiteralEncoding::Utf8 => "u8",
        LiteralEncoding::Wide => "L",
        LiteralEncoding::Utf16 => "u",
        LiteralEncoding::Utf32 => "U",
    }
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::Not => "!",
        UnaryOp::BitNot => "~",
        UnaryOp::Dereference => "*",
        UnaryOp::AddressOf => "&",
        UnaryOp::PreIncrement => "++_",
        UnaryOp::PreDecrement => "--_",
        UnaryOp::PostIncrement => "_++",
        UnaryOp::PostDecrement => "_--",
        UnaryOp::Real => "real",
        UnaryOp::Imaginary => "imag",
    }
}

fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Less => "<",
        BinaryOp::Greater => ">",
        BinaryOp::LessEqual => "<=",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::LogicalAnd => "&&",
        BinaryOp::LogicalOr => "||",
    }
}

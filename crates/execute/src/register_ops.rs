//! Instructions that concern only the registers of one activation: the inner loop of the interpreter.

use program::{BinaryOp, CastOp, Rvalue};

use crate::arithmetic::{self, Fault};
use crate::code::{Arg, Code, Op};
use crate::thread::ExecThread;
use crate::value::{Value, mask, sign_extend};

/// What an assignment computes.
pub struct Computed {
    pub target: u32,
    pub value: Value,
    pub fault: Option<Fault>,
}

/// Nothing lies in the first page of memory, nor beyond what a process can have.
const PAGE: u64 = 4096;
const LAST_ADDRESS: u64 = 1 << 47;

/// How the number that an address is matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressUse {
    /// It is compared with another, of another object or of none.
    Equality(Value, Value),
    Number,
}

/// Whether two values are not of one object, and both are addresses or could be.
pub fn differ_in_address(left: Value, right: Value) -> bool {
    let is_plain = |value: Value| !value.has_object() && !(PAGE..LAST_ADDRESS).contains(&value.bits);
    !(left.same_object(right) || is_plain(left) || is_plain(right))
}

impl ExecThread {
    /// Executes assignments and jumps until something else comes, something is wrong, control arrives at `stop`, or
    /// `limit` instructions are executed. Returns how many were.
    pub fn run_registers(&mut self, code: &Code, stop: u32, limit: u64) -> u64 {
        self.run_registers_until::<false>(code, stop, limit)
    }

    /// As [`run_registers`](Self::run_registers), but stops before what depends on the number that an address is.
    pub fn run_registers_without_addresses(&mut self, code: &Code, stop: u32, limit: u64) -> u64 {
        self.run_registers_until::<true>(code, stop, limit)
    }

    fn run_registers_until<const ABSTRACT: bool>(&mut self, code: &Code, stop: u32, limit: u64) -> u64 {
        let mut executed = 0;
        while executed < limit {
            match &code.ops[self.pc as usize] {
                Op::Goto(target) => self.pc = *target,
                Op::Branch { condition, then, otherwise } => {
                    self.pc = if self.value(code, *condition).is_true() { *then } else { *otherwise };
                }
                Op::Switch { value, cases, default } => {
                    let value = self.value(code, *value);
                    self.pc = cases.get(&value.bits).copied().unwrap_or(*default);
                }
                op if ABSTRACT && self.address_in_use(code, op).is_some() => break,
                op => match self.compute(code, op) {
                    Some(Computed { target, value, fault: None }) => {
                        self.set(target, value);
                        self.pc += 1;
                    }
                    _ => break,
                },
            }
            executed += 1;
            if self.pc == stop {
                break;
            }
        }
        executed
    }

    /// What an assignment would make of the number that an address happens to be, if it does.
    pub fn address_in_use(&self, code: &Code, op: &Op) -> Option<AddressUse> {
        let arithmetic = |args: &[Arg]| {
            let any = args.iter().any(|&arg| self.value(code, arg).has_object());
            any.then_some(AddressUse::Number)
        };
        match *op {
            Op::Binary { op: BinaryOp::Eq | BinaryOp::Ne, left, right, .. } => {
                let (left, right) = (self.value(code, left), self.value(code, right));
                differ_in_address(left, right).then_some(AddressUse::Equality(left, right))
            }
            Op::Binary { op, left, right, .. } => {
                let is_inside = self.value(code, left).same_object(self.value(code, right));
                let is_relative = op.is_comparison() || op == BinaryOp::Sub;
                if is_inside && is_relative { None } else { arithmetic(&[left, right]) }
            }
            Op::PointerDifference { left, right, .. } => {
                let is_inside = self.value(code, left).same_object(self.value(code, right));
                if is_inside { None } else { arithmetic(&[left, right]) }
            }
            Op::Unary { operand, .. } => arithmetic(&[operand]),
            Op::Cast { op: CastOp::PointerToInt | CastOp::IntToPointer, .. } => None,
            Op::Cast { operand, .. } => arithmetic(&[operand]),
            _ => None,
        }
    }

    /// The effect of an assignment that needs nothing but registers; `None` for all other instructions.
    #[inline]
    pub fn compute(&self, code: &Code, op: &Op) -> Option<Computed> {
        let plain = |target: u32, value: Value| Some(Computed { target, value, fault: None });
        match *op {
            Op::Use { target, value } => plain(target, self.value(code, value)),
            Op::Binary { target, op, ty, left, right, signed } => {
                let (left, right) = (self.value(code, left), self.value(code, right));
                let (bits, fault) = arithmetic::binary(op, ty.ty, ty.bits, left.bits, right.bits, signed);
                Some(Computed { target, value: Value::int(bits), fault })
            }
            Op::Unary { target, op, ty, operand, signed } => {
                let operand = self.value(code, operand).bits;
                let (bits, fault) = arithmetic::unary(op, ty.ty, ty.bits, operand, signed);
                Some(Computed { target, value: Value::int(bits), fault })
            }
            Op::Cast { op: CastOp::PointerToInt | CastOp::IntToPointer, .. } => None,
            Op::Cast { target, op, from, to, operand } => {
                let operand = self.value(code, operand).bits;
                plain(target, Value::int(arithmetic::cast(op, (from.ty, from.bits), (to.ty, to.bits), operand)))
            }
            Op::PointerAdd { target, pointer, offset } => {
                let (pointer, offset) = (self.value(code, pointer), self.value(code, offset));
                let distance = Rvalue::distance(code.pointer_bits, offset.bits);
                let moved = pointer.bits.wrapping_add_signed(distance) & mask(code.pointer_bits);
                plain(target, pointer.with_bits(moved))
            }
            Op::PointerDifference { target, left, right } => {
                let (left, right) = (self.value(code, left), self.value(code, right));
                plain(target, Value::int(left.bits.wrapping_sub(right.bits) & mask(code.pointer_bits)))
            }
            Op::Select { target, condition, then, otherwise } => {
                let chosen = if self.value(code, condition).is_true() { then } else { otherwise };
                plain(target, self.value(code, chosen))
            }
            _ => None,
        }
    }

    /// What is wrong with an operation, in its numbers.
    pub fn describe_fault(&self, code: &Code, fault: Fault, op: &Op) -> String {
        let signed = |bits: u8, operand| sign_extend(self.value(code, operand).bits, bits);
        let (what, bits) = match *op {
            Op::Binary { op, ty, left, right, .. } => {
                let (left, right) = (signed(ty.bits, left), signed(ty.bits, right));
                let right = if right < 0 { format!("({right})") } else { right.to_string() };
                (format!("{left} {} {right}", c_operator(op)), ty.bits)
            }
            Op::Unary { ty, operand, .. } => (format!("-({})", signed(ty.bits, operand)), ty.bits),
            _ => (String::new(), 0),
        };
        match fault {
            Fault::Overflow => format!("overflow: {what} does not fit a signed {bits}-bit integer"),
            Fault::DivisionByZero => format!("division by zero: {what}"),
            Fault::ShiftCount => {
                format!("{what}: the shift count is negative or not less than the width of {bits} bits")
            }
            Fault::ShiftOfNegative => format!("{what}: left shift of a negative value"),
        }
    }
}

fn c_operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::UDiv | BinaryOp::SDiv => "/",
        BinaryOp::URem | BinaryOp::SRem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::LShr | BinaryOp::AShr => ">>",
        _ => "?",
    }
}

//! An assignment computed from bits alone, for whoever knows the registers of a thread without running it.

use program::{DataModel, Operand, Rvalue, Type};

use crate::arithmetic::{binary, cast, unary};

/// The bits that `value` gives, if `known` tells those of its operands. What is about addresses is not computed: they are
/// more than bits. An operation that C calls wrong has no result.
pub fn evaluate_bits(value: &Rvalue, model: DataModel, known: impl Fn(Operand) -> Option<u64>) -> Option<u64> {
    let bits = |ty: Type| ty.bits(model);
    let (result, fault) = match *value {
        Rvalue::Use(operand) => (known(operand)?, None),
        Rvalue::Unary { op, ty, operand, signed } => unary(op, ty, bits(ty), known(operand)?, signed),
        Rvalue::Binary { ty: Type::Pointer, .. } => return None,
        Rvalue::Binary { op, ty, left, right, signed } => binary(op, ty, bits(ty), known(left)?, known(right)?, signed),
        Rvalue::Cast { from: Type::Pointer, .. } | Rvalue::Cast { to: Type::Pointer, .. } => return None,
        Rvalue::Cast { op, from, to, operand } => (cast(op, (from, bits(from)), (to, bits(to)), known(operand)?), None),
        Rvalue::Select { condition, then, otherwise, .. } => {
            (known(if known(condition)? != 0 { then } else { otherwise })?, None)
        }
        Rvalue::PointerAdd { .. } | Rvalue::PointerDifference { .. } => return None,
    };
    fault.is_none().then_some(result)
}

#[cfg(test)]
mod tests {
    use program::{BinaryOp, RegisterId};

    use super::*;

    #[test]
    fn only_what_is_known_is_computed() {
        let (left, right) = (Operand::Register(RegisterId(0)), Operand::Double(2.5f64.to_bits()));
        let sum = Rvalue::Binary { op: BinaryOp::FloatAdd, ty: Type::Double, left, right, signed: false };
        let one = |operand| match operand {
            Operand::Register(_) => Some(1f64.to_bits()),
            Operand::Double(bits) => Some(bits),
            _ => None,
        };
        assert_eq!(evaluate_bits(&sum, DataModel::Lp64, one), Some(3.5f64.to_bits()));
        assert_eq!(evaluate_bits(&sum, DataModel::Lp64, |_| None), None);
        let zero = Operand::int(32, 0);
        let quotient = Rvalue::Binary { op: BinaryOp::SDiv, ty: Type::Int(32), left: zero, right: zero, signed: true };
        assert_eq!(evaluate_bits(&quotient, DataModel::Lp64, |_| Some(0)), None);
    }
}

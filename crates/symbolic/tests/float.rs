//! The circuits of floating-point arithmetic compute what the interpreter computes, bit for bit.

use execute::arithmetic;
use program::{BinaryOp, CastOp, Type};
use symbolic::float;
use terms::{Assignment, TermId, Terms, evaluate};

const OPERATIONS: [BinaryOp; 8] = [
    BinaryOp::FloatAdd,
    BinaryOp::FloatSub,
    BinaryOp::FloatMul,
    BinaryOp::FloatDiv,
    BinaryOp::FloatEq,
    BinaryOp::FloatNe,
    BinaryOp::FloatLt,
    BinaryOp::FloatLe,
];

/// A fixed sequence of numbers that look random (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn width(ty: Type) -> u32 {
    if ty == Type::Float { 32 } else { 64 }
}

/// Zeros, the smallest and largest of each kind, ones, halves, infinities and several that are not numbers.
fn special(ty: Type) -> Vec<u64> {
    let (exponent, fraction) = if ty == Type::Float { (8, 23) } else { (11, 52) };
    let bias = (1u64 << (exponent - 1)) - 1;
    let all = (1u64 << fraction) - 1;
    let mut values = Vec::new();
    let middle = [bias - 1, bias, bias + 1, bias + 30, bias + 31, bias + 32, bias + 62, bias + 63, bias + 64];
    let edges =
        [0, 1, 2, (1 << exponent) - 2, (1 << exponent) - 1, bias + fraction, bias - fraction, bias + fraction + 1];
    for field in middle.into_iter().chain(edges) {
        for digits in
            [0, 1, 2, 3, all, all - 1, 1 << (fraction - 1), (1 << (fraction - 1)) - 1, all & 0x5555_5555_5555_5555]
        {
            let magnitude = field << fraction | digits;
            values.push(magnitude);
            values.push(magnitude | 1 << (exponent + fraction));
        }
    }
    values
}

/// Pairs in which roundings, cancellations and the edges of the format are frequent.
fn pairs(ty: Type, count: usize) -> Vec<(u64, u64)> {
    let special = special(ty);
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mask = u64::MAX >> (64 - width(ty));
    let mut pairs = Vec::new();
    for (index, &a) in special.iter().enumerate() {
        pairs.extend(special.iter().skip(index % 3).step_by(3).map(|&b| (a, b)));
    }
    for round in 0..count {
        let a = numbers.next() & mask;
        let b = match round % 4 {
            0 => numbers.next() & mask,
            1 => special[numbers.next() as usize % special.len()],
            // Nearly the same, perhaps of the other sign.
            2 => (a ^ (numbers.next() % 16) ^ (numbers.next() % 2) << (width(ty) - 1)) & mask,
            _ => (a ^ (numbers.next() & (mask >> 5))) & mask,
        };
        pairs.push((a, b));
    }
    pairs
}

fn value(terms: &Terms, term: TermId, variables: &[u64]) -> u64 {
    let mut assignment = Assignment::new();
    for (variable, &value) in terms.variables().zip(variables) {
        assignment.set(variable, value);
    }
    evaluate(terms, term, &assignment)
}

#[test]
fn operations_on_unknown_numbers() {
    for ty in [Type::Float, Type::Double] {
        for op in OPERATIONS {
            let mut terms = Terms::new();
            let (a, b) = (terms.bv_variable("a", width(ty)), terms.bv_variable("b", width(ty)));
            let result = float::binary(&mut terms, op, ty, a, b).expect("every operation should have a circuit");
            for (left, right) in pairs(ty, 4000) {
                let (expected, _) = arithmetic::binary(op, ty, width(ty) as u8, left, right, false);
                let found = value(&terms, result, &[left, right]);
                assert_eq!(found, expected, "{op:?} of {left:#x} and {right:#x} ({ty}): {found:#x}, not {expected:#x}");
            }
        }
    }
}

#[test]
fn operations_on_known_numbers_are_constants() {
    for ty in [Type::Float, Type::Double] {
        for op in OPERATIONS {
            for (left, right) in pairs(ty, 50).into_iter().step_by(41) {
                let mut terms = Terms::new();
                let (a, b) = (terms.constant(width(ty), left), terms.constant(width(ty), right));
                let result = float::binary(&mut terms, op, ty, a, b).expect("every operation should have a circuit");
                let found = terms.as_constant(result).or(terms.as_boolean(result).map(u64::from));
                let (expected, _) = arithmetic::binary(op, ty, width(ty) as u8, left, right, false);
                assert_eq!(found, Some(expected), "{op:?} of {left:#x} and {right:#x} ({ty})");
            }
        }
    }
}

#[test]
fn conversions_from_numbers() {
    let targets = [1, 8, 16, 32, 64].map(Type::Int);
    for from in [Type::Float, Type::Double] {
        for op in [CastOp::FloatToSigned, CastOp::FloatToUnsigned, CastOp::FloatToFloat] {
            let targets = if op == CastOp::FloatToFloat { vec![Type::Float, Type::Double] } else { targets.to_vec() };
            for to in targets {
                compare_cast(op, (from, width(from)), to, pairs(from, 4000).into_iter().map(|(a, _)| a));
            }
        }
    }
}

#[test]
fn conversions_from_integers() {
    for bits in [1u32, 8, 16, 32, 64] {
        for op in [CastOp::SignedToFloat, CastOp::UnsignedToFloat] {
            for to in [Type::Float, Type::Double] {
                let mut numbers = Numbers(88_172_645_463_325_252);
                let mask = u64::MAX >> (64 - bits);
                let mut values: Vec<u64> =
                    (0..64).flat_map(|shift| [1 << shift, (1 << shift) - 1, !(1 << shift)]).collect();
                values.extend((0..4000).map(|_| numbers.next() >> (numbers.next() % 64)));
                values.extend([1 << 53, (1 << 53) + 1, (1 << 54) + 2, (1 << 54) + 6, (1 << 24) + 1, u64::MAX]);
                compare_cast(op, (Type::Int(bits as u8), bits), to, values.into_iter().map(|value| value & mask));
            }
        }
    }
}

fn compare_cast(op: CastOp, (from, from_bits): (Type, u32), to: Type, values: impl Iterator<Item = u64>) {
    let to_bits = if let Type::Int(bits) = to { u32::from(bits) } else { width(to) };
    let mut terms = Terms::new();
    let source = terms.bv_variable("a", from_bits);
    let result =
        float::cast(&mut terms, op, from, to, to_bits, source).expect("every conversion should have a circuit");
    for operand in values {
        let expected = arithmetic::cast(op, (from, from_bits as u8), (to, to_bits as u8), operand);
        let found = value(&terms, result, &[operand]);
        assert_eq!(found, expected, "{op:?} of {operand:#x} from {from} to {to}: {found:#x}, not {expected:#x}");
    }
}

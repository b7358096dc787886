//! The operators on numbers of a given width. Every result is brought back to that width, so that it describes exactly the
//! bits that a machine computes, or any bits.

use program::{BinaryOp, CastOp, UnaryOp};

use crate::range::Range;

pub fn unary(op: UnaryOp, bits: u8, operand: Range) -> Range {
    let operand = operand.signed(bits);
    match op {
        UnaryOp::Neg => operand.negate().fit(bits),
        UnaryOp::Not => operand.negate().add(Range::constant(-1)).fit(bits),
        UnaryOp::FloatNeg => any(bits),
    }
}

/// All operators but comparisons.
pub fn binary(op: BinaryOp, bits: u8, left: Range, right: Range) -> Range {
    use BinaryOp::*;
    let (signed, unsigned) = (|range: Range| range.signed(bits), |range: Range| range.unsigned(bits));
    let shift_count = unsigned(right).as_constant().filter(|&count| count < i128::from(bits)).map(|count| count as u32);
    let result = match op {
        Add => nearest(left, bits).add(nearest(right, bits)),
        Sub => nearest(left, bits).add(nearest(right, bits).negate()),
        Mul => nearest(left, bits).multiply(nearest(right, bits)),
        Scale => scaled(signed(left).multiply(signed(right)), bits),
        Shl => match shift_count {
            Some(count) if count < 63 => nearest(left, bits).multiply(Range::constant(1 << count)),
            _ => Range::ALL,
        },
        LShr => shift_count.map_or(Range::ALL, |count| unsigned(left).shift_right(count)),
        AShr => shift_count.map_or(Range::ALL, |count| signed(left).shift_right(count)),
        UDiv => quotient(unsigned(left), unsigned(right)),
        SDiv => quotient(signed(left), signed(right)),
        URem => remainder(unsigned(left), unsigned(right)),
        SRem => remainder(signed(left), signed(right)),
        And => masked(unsigned(left), unsigned(right)),
        Or | Xor => match (unsigned(left).as_constant(), unsigned(right).as_constant()) {
            (Some(left), Some(right)) if op == Or => Range::between(left | right, left | right),
            (Some(left), Some(right)) => Range::between(left ^ right, left ^ right),
            _ => Range::ALL,
        },
        _ => Range::ALL,
    };
    result.fit(bits)
}

pub fn cast(op: CastOp, from: u8, to: u8, operand: Range) -> Range {
    match op {
        CastOp::SignExtend => operand.signed(from).fit(to),
        CastOp::ZeroExtend | CastOp::Truncate | CastOp::PointerToInt | CastOp::IntToPointer => {
            if from < to {
                operand.unsigned(from)
            } else {
                operand.fit(to)
            }
        }
        CastOp::SignedToFloat
        | CastOp::UnsignedToFloat
        | CastOp::FloatToSigned
        | CastOp::FloatToUnsigned
        | CastOp::FloatToFloat => any(to),
    }
}

/// Whether the comparison holds, if that is certain.
pub fn compare(op: BinaryOp, bits: u8, left: Range, right: Range) -> Option<bool> {
    let less = |first: Range, second: Range| match () {
        () if first.high() < second.low() => Some(true),
        () if first.low() >= second.high() => Some(false),
        () => None,
    };
    match op {
        BinaryOp::Eq => equal(left.unsigned(bits), right.unsigned(bits)),
        BinaryOp::Ne => equal(left.unsigned(bits), right.unsigned(bits)).map(|equal| !equal),
        BinaryOp::Slt => less(left.signed(bits), right.signed(bits)),
        BinaryOp::Sle => less(right.signed(bits), left.signed(bits)).map(|less| !less),
        BinaryOp::Ult => less(left.unsigned(bits), right.unsigned(bits)),
        BinaryOp::Ule => less(right.unsigned(bits), left.unsigned(bits)).map(|less| !less),
        _ => None,
    }
}

fn equal(left: Range, right: Range) -> Option<bool> {
    match (left.as_constant(), right.as_constant()) {
        (Some(left), Some(right)) => Some(left == right),
        _ if left.is_disjoint(right) => Some(false),
        _ => None,
    }
}

/// Any bits of this width.
fn any(bits: u8) -> Range {
    Range::ALL.fit(bits)
}

/// The view of the bits that keeps a range which is already that of this width as it is.
fn nearest(range: Range, bits: u8) -> Range {
    range.fit(bits)
}

fn scaled(product: Range, bits: u8) -> Range {
    let half = 1i128 << (bits - 1);
    if -half <= product.low() && product.high() < half {
        return product;
    }
    product.fit(bits).join(Range::constant(BinaryOp::out_of_reach(bits) as i64).signed(bits))
}

/// By how much an offset of 64 bits moves a pointer of `bits` bits.
pub fn distance(bits: u8, offset: Range) -> Range {
    scaled(offset.signed(64), bits)
}

fn masked(left: Range, right: Range) -> Range {
    match (left.as_constant(), right.as_constant()) {
        (Some(left), Some(right)) => Range::between(left & right, left & right),
        (Some(mask), None) => Range::between(0, mask.min(right.high())),
        (None, Some(mask)) => Range::between(0, mask.min(left.high())),
        (None, None) => Range::between(0, left.high().min(right.high())),
    }
}

fn remainder(left: Range, right: Range) -> Range {
    match right.as_constant() {
        Some(divisor) if divisor != 0 => left.remainder(divisor.abs()),
        _ => Range::ALL,
    }
}

fn quotient(left: Range, right: Range) -> Range {
    match right.as_constant() {
        Some(divisor) if divisor > 0 => left.divide(divisor),
        Some(divisor) if divisor < 0 => left.divide(-divisor).negate(),
        _ => Range::ALL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers where wrapping, signs and limits meet.
    fn extremes(bits: u8) -> Vec<i128> {
        let (half, full) = (1i128 << (bits - 1), 1i128 << bits);
        let near = |at: i128| [at - 2, at - 1, at, at + 1, at + 2];
        [0, 3, 5, 7, 28, 33, half / 2, half, -half, full, half / 3].into_iter().flat_map(near).collect()
    }

    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0
        }

        fn pick<T: Copy>(&mut self, from: &[T]) -> T {
            from[(self.next() % from.len() as u64) as usize]
        }
    }

    /// A range of this width together with bits that it has.
    fn ranges(bits: u8, numbers: &mut Numbers) -> (Range, Vec<u64>) {
        let extremes = extremes(bits);
        let modulus = 1i128 << bits;
        let count = numbers.pick(&[1, 1, 2, 3, 5]);
        let (base, stride) = (numbers.pick(&extremes), numbers.pick(&[1, 2, 3, 4, 8, 12, 28, 33]));
        let random = i128::from(numbers.next()) % modulus;
        let members: Vec<i128> = match numbers.next() % 4 {
            0 => (0..count).map(|_| numbers.pick(&extremes).rem_euclid(modulus)).collect(),
            1 => vec![random],
            _ => (0..count).map(|k| (base + k * stride).clamp(-modulus / 2, modulus - 1)).collect(),
        };
        let range = members
            .iter()
            .map(|&member| Range::between(member, member).fit(bits))
            .reduce(Range::join)
            .expect("there should be a member");
        let range = if numbers.next().is_multiple_of(8) {
            range.widen(range.join(Range::constant(1))).fit(bits)
        } else {
            range
        };
        (range, members.iter().map(|member| member.rem_euclid(modulus) as u64).collect())
    }

    #[test]
    fn distances_are_those_of_the_interpreter() {
        let mut numbers = Numbers(7);
        for _ in 0..20_000 {
            let bits = numbers.pick(&[32, 64]);
            let width = numbers.pick(&[32, 64]);
            let (offset, offsets) = ranges(width, &mut numbers);
            let offset = cast(CastOp::SignExtend, width, 64, offset);
            let result = distance(bits, offset);
            for value in offsets {
                let moved = program::Rvalue::distance(bits, sign_extended(value, width) as u64);
                let moved = moved as u64 & (u64::MAX >> (64 - bits));
                assert!(result.contains_bits(moved, bits), "{value:#x}: {moved:#x} is not in {result:?} of {offset:?}");
            }
        }
    }

    fn sign_extended(value: u64, bits: u8) -> i128 {
        let value = i128::from(value);
        if value >= 1 << (bits - 1) { value - (1 << bits) } else { value }
    }

    /// What the machine computes; `None` where that is undefined.
    fn concrete(op: BinaryOp, bits: u8, a: u64, b: u64) -> Option<u64> {
        use BinaryOp::*;
        let (s, t) = (sign_extended(a, bits), sign_extended(b, bits));
        let (u, v) = (i128::from(a), i128::from(b));
        let result = match op {
            Add => u + v,
            Sub => u - v,
            Mul => u.wrapping_mul(v),
            Scale if bits < 8 => return None,
            Scale => i128::from(BinaryOp::scaled(bits, a, b)),
            UDiv => u.checked_div(v)?,
            SDiv => s.checked_div(t)?,
            URem => u.checked_rem(v)?,
            SRem => s.checked_rem(t)?,
            And => u & v,
            Or => u | v,
            Xor => u ^ v,
            Shl if v < i128::from(bits) => ((u as u128) << v) as i128,
            LShr if v < i128::from(bits) => u >> v,
            AShr if v < i128::from(bits) => s >> v,
            Eq => i128::from(u == v),
            Ne => i128::from(u != v),
            Ult => i128::from(u < v),
            Ule => i128::from(u <= v),
            Slt => i128::from(s < t),
            Sle => i128::from(s <= t),
            _ => return None,
        };
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        Some(result as u64 & mask)
    }

    const OPERATORS: [BinaryOp; 14] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Scale,
        BinaryOp::UDiv,
        BinaryOp::SDiv,
        BinaryOp::URem,
        BinaryOp::SRem,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Shl,
        BinaryOp::LShr,
        BinaryOp::AShr,
    ];

    const COMPARISONS: [BinaryOp; 6] =
        [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Ult, BinaryOp::Ule, BinaryOp::Slt, BinaryOp::Sle];

    #[test]
    fn operators_cover_what_the_machine_computes() {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        for turn in 0..60_000 {
            let bits = [1, 2, 3, 8, 16, 32, 64][turn % 7];
            let ((left, lefts), (right, rights)) = (ranges(bits, &mut numbers), ranges(bits, &mut numbers));
            for (&a, &b) in lefts.iter().flat_map(|a| rights.iter().map(move |b| (a, b))) {
                for op in OPERATORS {
                    if let Some(value) = concrete(op, bits, a, b) {
                        let result = binary(op, bits, left, right);
                        assert!(
                            result.contains_bits(value, bits),
                            "{op:?} of {bits} bits: {a:#x}, {b:#x} is {value:#x}, not in {result:?} of {left:?}, {right:?}"
                        );
                    }
                }
                for op in COMPARISONS {
                    let expected = concrete(op, bits, a, b).map(|truth| truth != 0);
                    let known = compare(op, bits, left, right);
                    assert!(known.is_none() || known == expected, "{op:?} of {bits} bits: {a:#x}, {b:#x}: {known:?}");
                }
            }
        }
    }

    #[test]
    fn one_operand_and_casts_cover_what_the_machine_computes() {
        let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
        let mask = |bits: u8| if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        for turn in 0..60_000 {
            let widths = [1, 8, 16, 32, 64];
            let (bits, to) = (widths[turn % 5], numbers.pick(&widths));
            let (range, members) = ranges(bits, &mut numbers);
            for &a in &members {
                let check = |what: &str, result: Range, value: u64, width: u8| {
                    let value = value & mask(width);
                    assert!(
                        result.contains_bits(value, width),
                        "{what} of {a:#x}: {value:#x} is not in {result:?} of {range:?}"
                    );
                };
                check("itself", range, a, bits);
                check("negation", unary(UnaryOp::Neg, bits, range), a.wrapping_neg(), bits);
                check("complement", unary(UnaryOp::Not, bits, range), !a, bits);
                check("signed", range.signed(bits), a, bits);
                check("unsigned", range.unsigned(bits), a, bits);
                if to > bits {
                    check("zero extension", cast(CastOp::ZeroExtend, bits, to, range), a, to);
                    let extended = sign_extended(a, bits) as u64;
                    check("sign extension", cast(CastOp::SignExtend, bits, to, range), extended, to);
                } else {
                    check("truncation", cast(CastOp::Truncate, bits, to, range), a, to);
                }
            }
        }
    }

    #[test]
    fn clipping_and_overlaps_cover_all_members() {
        let mut numbers = Numbers(0x1234_5678_9abc_def1);
        for turn in 0..40_000 {
            let bits = [8, 16, 32, 64][turn % 4];
            let ((range, members), (other, others)) = (ranges(bits, &mut numbers), ranges(bits, &mut numbers));
            let (view, bounds) = (range.signed(bits), other.signed(bits));
            let (low, high) = (bounds.low(), bounds.high());
            for &a in &members {
                let value = sign_extended(a, bits);
                let kept = view.clip(low, high).is_some_and(|clipped| clipped.contains_bits(a, bits));
                assert!(kept || value < low || value > high, "{value} is lost from {view:?} between {low} and {high}");
                for &b in &others {
                    let distance = value - sign_extended(b, bits);
                    let shares = distance < 8 && distance > -4;
                    let overlap = view.overlap(4, bounds, 8);
                    assert!(!shares || overlap != crate::range::Overlap::Never, "{value} meets {b}");
                    assert!(
                        !shares || distance == 0 || overlap == crate::range::Overlap::Possible,
                        "{value} meets {b}"
                    );
                    let inside = (0..=4).contains(&distance);
                    assert!(!shares || inside || !bounds.surrounds(8, view, 4), "{value} is not inside of {b}");
                }
            }
        }
    }

    #[test]
    fn a_chain_of_products_is_exact_modulo_the_width() {
        let mut hash = (Range::constant(5381), 5381u32);
        for byte in "a rather long key".bytes() {
            let product = binary(BinaryOp::Mul, 32, hash.0, Range::constant(33));
            hash.0 = binary(BinaryOp::Add, 32, product, Range::constant(byte.into()));
            hash.1 = hash.1.wrapping_mul(33).wrapping_add(byte.into());
        }
        assert_eq!(hash.0.unsigned(32).as_constant(), Some(i128::from(hash.1)));
    }

    #[test]
    fn comparisons_are_decided_only_where_they_must_be() {
        let number = Range::between;
        assert_eq!(compare(BinaryOp::Slt, 32, number(0, 3), number(4, 9)), Some(true));
        assert_eq!(compare(BinaryOp::Slt, 32, number(0, 4), number(4, 9)), None);
        assert_eq!(compare(BinaryOp::Ult, 32, number(-1, -1), number(4, 9)), Some(false));
        assert_eq!(compare(BinaryOp::Eq, 8, number(256, 256), number(0, 0)), Some(true));
    }
}

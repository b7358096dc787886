//! Arithmetic progressions: what is known of an offset or of a number that an offset is made of.

/// The numbers `first + k * step` for all integers k; only `first` if `step` is zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Progression {
    first: i128,
    step: i128,
}

impl Progression {
    pub const ANY: Self = Self { first: 0, step: 1 };

    pub fn exactly(number: i64) -> Self {
        Self { first: i128::from(number), step: 0 }
    }

    /// With the sign and size that the fields must have; beyond them nothing is known.
    fn new(first: i128, step: i128) -> Self {
        const LIMIT: i128 = 1 << 100;
        if first.abs() > LIMIT || step.abs() > LIMIT {
            return Self::ANY;
        }
        let step = step.abs();
        Self { first: if step == 0 { first } else { first.rem_euclid(step) }, step }
    }

    pub fn constant(self) -> Option<i128> {
        (self.step == 0).then_some(self.first)
    }

    pub fn join(self, other: Self) -> Self {
        Self::new(self.first, gcd(gcd(self.step, other.step), self.first - other.first))
    }

    pub fn plus(self, other: Self) -> Self {
        Self::new(self.first + other.first, gcd(self.step, other.step))
    }

    pub fn negated(self) -> Self {
        Self::new(-self.first, self.step)
    }

    pub fn times(self, other: Self) -> Self {
        match (self.constant(), other.constant()) {
            (_, Some(factor)) => {
                let scaled = self.first.checked_mul(factor).zip(self.step.checked_mul(factor));
                scaled.map_or(Self::ANY, |(first, step)| Self::new(first, step))
            }
            (Some(_), None) => other.times(self),
            (None, None) => Self::ANY,
        }
    }

    /// What is left if the number is only known modulo two to the power of `bits`.
    pub fn wrapped(self, bits: u8) -> Self {
        let modulus = 1_i128 << bits;
        if self.step == 0 && self.first >= 0 && self.first < modulus / 2 {
            return self;
        }
        Self::new(self.first, gcd(self.step, modulus))
    }

    /// What is left of a number of so many bits, as many as an address has or more: taken as a signed one, it is the offset
    /// by which it moves a pointer.
    pub fn wrapped_to_signed(self, bits: u8) -> Self {
        let modulus = 1_i128 << bits;
        if self.step == 0 && -modulus / 2 <= self.first && self.first < modulus / 2 {
            return self;
        }
        Self::new(self.first, gcd(self.step, modulus))
    }

    /// Whether some number is a multiple of `size`, and all are.
    pub fn is_multiple_of(self, size: u64) -> bool {
        let size = i128::from(size);
        self.first % size == 0 && self.step % size == 0
    }

    /// Whether `length` bytes from one of these on may overlap `other_length` bytes from one of the others on.
    pub fn may_overlap(self, length: u64, other: Self, other_length: u64) -> bool {
        let (length, other_length) = (i128::from(length), i128::from(other_length));
        let (step, distance) = (gcd(self.step, other.step), other.first - self.first);
        // Some distance with this remainder must lie between -other_length and length, both exclusive.
        match step {
            0 => -other_length < distance && distance < length,
            _ => distance.rem_euclid(step) < length || distance.rem_euclid(step) - step > -other_length,
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_elements_do_not_overlap() {
        let element = Progression::exactly(0).join(Progression::exactly(24));
        let (first, second) = (element, element.plus(Progression::exactly(8)));
        assert!(!first.may_overlap(8, second, 8));
        assert!(first.may_overlap(9, second, 8));
        assert!(second.may_overlap(4, element.plus(Progression::exactly(4)), 8));
        assert!(Progression::ANY.may_overlap(1, second, 8));
    }

    #[test]
    fn joins_and_sums() {
        let a = Progression::exactly(4).join(Progression::exactly(20));
        assert_eq!(a, Progression { first: 4, step: 16 });
        assert_eq!(a.plus(Progression::exactly(-8)), Progression { first: 12, step: 16 });
        assert_eq!(a.times(Progression::exactly(3)), Progression { first: 12, step: 48 });
        assert_eq!(a.join(Progression::exactly(5)), Progression::ANY);
        assert_eq!(Progression::ANY.times(Progression::exactly(24)).wrapped_to_signed(64).step, 8);
        assert_eq!(Progression::exactly(-24).wrapped_to_signed(64), Progression::exactly(-24));
        assert_eq!(Progression::exactly(-8).wrapped(32).plus(Progression::exactly(8)).first % 8, 0);
    }
}

//! Sets of integers as strided intervals: all `n` with `low <= n <= high` and `n ≡ residue (mod step)` (interval and
//! congruence domains combined, after Granger, *Static analysis of arithmetical congruences*, 1989).
//!
//! A register of `w` bits is described by mathematical integers whose class modulo 2ʷ are its bits: sums and products need
//! no care about wrapping; [`Range::signed`] and [`Range::unsigned`] pick representatives where the order matters.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Range {
    /// `i64::MIN` and `i64::MAX` stand for "without bound".
    low: i64,
    high: i64,
    /// 0 for a single number.
    step: u64,
    /// Below `step`; 0 for a single number.
    residue: u64,
}

/// How two stretches of bytes may lie to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlap {
    Never,
    /// If they share a byte they begin at the same byte.
    OnlyIfEqual,
    Possible,
}

impl Range {
    pub const ALL: Range = Range { low: i64::MIN, high: i64::MAX, step: 1, residue: 0 };
    pub const ZERO: Range = Range::constant(0);
    pub const TRUTH: Range = Range { low: 0, high: 1, step: 1, residue: 0 };

    pub const fn constant(value: i64) -> Self {
        Range { low: value, high: value, step: 0, residue: 0 }
    }

    fn new(low: i64, high: i64, step: u64, anchor: i128) -> Self {
        if low == high {
            return Self::constant(low);
        }
        let step = step.max(1);
        Range { low, high, step, residue: anchor.rem_euclid(i128::from(step)) as u64 }
    }

    pub fn as_constant(self) -> Option<i64> {
        (self.step == 0).then_some(self.low)
    }

    pub fn contains_zero_only(self) -> bool {
        self == Self::ZERO
    }

    /// Some member, or a number congruent to all of them.
    fn anchor(self) -> i128 {
        if self.step == 0 { i128::from(self.low) } else { i128::from(self.residue) }
    }

    pub fn join(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let distance = (self.anchor() - other.anchor()).unsigned_abs();
        let step = gcd(gcd(u128::from(self.step), u128::from(other.step)), distance);
        Self::new(self.low.min(other.low), self.high.max(other.high), narrow(step), self.anchor())
    }

    /// As [`join`](Self::join) with a larger `other`, but bounds that grow are given up.
    pub fn widen(self, other: Self) -> Self {
        let joined = self.join(other);
        let low = if joined.low < self.low { i64::MIN } else { joined.low };
        let high = if joined.high > self.high { i64::MAX } else { joined.high };
        Self::new(low, high, joined.step, joined.anchor())
    }

    pub fn add(self, other: Self) -> Self {
        let step = narrow(gcd(u128::from(self.step), u128::from(other.step)));
        Self::new(plus(self.low, other.low), plus(self.high, other.high), step, self.anchor() + other.anchor())
    }

    pub fn negate(self) -> Self {
        Self::new(minus(self.high), minus(self.low), self.step, -self.anchor())
    }

    pub fn multiply(self, other: Self) -> Self {
        match (self.as_constant(), other.as_constant()) {
            (_, Some(factor)) => self.scale(factor),
            (Some(factor), None) => other.scale(factor),
            (None, None) => Self::ALL,
        }
    }

    fn scale(self, factor: i64) -> Self {
        let Some(step) = self.step.checked_mul(factor.unsigned_abs()) else { return Self::ALL };
        let ends = [times(self.low, factor), times(self.high, factor)];
        Self::new(ends[0].min(ends[1]), ends[0].max(ends[1]), step, self.anchor() * i128::from(factor))
    }

    /// The same bits as numbers from `-2^(bits-1)` on.
    pub fn signed(self, bits: u8) -> Self {
        let half = 1i128 << (bits - 1);
        self.representatives(bits, -half, half - 1)
    }

    /// The same bits as numbers from 0 on.
    pub fn unsigned(self, bits: u8) -> Self {
        self.representatives(bits, 0, (1i128 << bits) - 1)
    }

    fn representatives(self, bits: u8, lowest: i128, highest: i128) -> Self {
        let (low, high) = (i128::from(self.low), i128::from(self.high));
        let bounded = self.low != i64::MIN && self.high != i64::MAX;
        if bounded && low >= lowest && high <= highest {
            return self;
        }
        let modulus = 1i128 << bits;
        let turns = (low - lowest).div_euclid(modulus);
        if bounded && (high - lowest).div_euclid(modulus) == turns {
            let shift = turns * modulus;
            if let (Ok(low), Ok(high)) = (i64::try_from(low - shift), i64::try_from(high - shift)) {
                return Self::new(low, high, self.step, self.anchor() - shift);
            }
        }
        let step = narrow(gcd(u128::from(self.step), modulus as u128));
        let clamp = |bound: i128| bound.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
        Self::new(clamp(lowest), clamp(highest), step, self.anchor())
    }

    pub fn low(self) -> i64 {
        self.low
    }

    pub fn high(self) -> i64 {
        self.high
    }

    /// The members from `low` to `high`; `None` if there is none.
    pub fn clip(self, low: i64, high: i64) -> Option<Self> {
        let (low, high) = (self.low.max(low), self.high.min(high));
        if low > high {
            return None;
        }
        if self.step <= 1 {
            return Some(Self::new(low, high, self.step, self.anchor()));
        }
        let (step, residue) = (i128::from(self.step), i128::from(self.residue));
        let first =
            if low == i64::MIN { low } else { (i128::from(low) + (residue - i128::from(low)).rem_euclid(step)) as i64 };
        let last = if high == i64::MAX {
            high
        } else {
            (i128::from(high) - (i128::from(high) - residue).rem_euclid(step)) as i64
        };
        (first <= last).then(|| Self::new(first, last, self.step, self.anchor()))
    }

    /// Whether no number is in both.
    pub fn is_disjoint(self, other: Self) -> bool {
        self.overlap(1, other, 1) == Overlap::Never
    }

    /// How `size` bytes from any of these offsets lie to `other_size` bytes from any of the other ones.
    pub fn overlap(self, size: u64, other: Self, other_size: u64) -> Overlap {
        let (size, other_size) = (i128::from(size), i128::from(other_size));
        let ends = |range: Self, size: i128| i128::from(range.high) + size;
        if ends(self, size) <= i128::from(other.low) || ends(other, other_size) <= i128::from(self.low) {
            return Overlap::Never;
        }
        let step = gcd(u128::from(self.step), u128::from(other.step)) as i128;
        if step == 0 {
            return if self == other { Overlap::OnlyIfEqual } else { Overlap::Possible };
        }
        let distance = (other.anchor() - self.anchor()).rem_euclid(step);
        match () {
            () if distance >= size && step - distance >= other_size => Overlap::Never,
            () if distance == 0 && step >= size && step >= other_size => Overlap::OnlyIfEqual,
            () => Overlap::Possible,
        }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A step that does not fit is replaced by its largest power of two that does, which divides it.
fn narrow(step: u128) -> u64 {
    u64::try_from(step).unwrap_or(1 << step.trailing_zeros().min(62))
}

fn plus(a: i64, b: i64) -> i64 {
    match (a, b) {
        (i64::MIN, _) | (_, i64::MIN) => i64::MIN,
        (i64::MAX, _) | (_, i64::MAX) => i64::MAX,
        _ => a.saturating_add(b),
    }
}

fn minus(a: i64) -> i64 {
    match a {
        i64::MIN => i64::MAX,
        i64::MAX => i64::MIN,
        _ => -a,
    }
}

fn times(a: i64, factor: i64) -> i64 {
    match (a, factor) {
        (_, 0) => 0,
        (i64::MIN | i64::MAX, _) if (a < 0) == (factor < 0) => i64::MAX,
        (i64::MIN | i64::MAX, _) => i64::MIN,
        _ => a.saturating_mul(factor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(low: i64, high: i64, step: u64, anchor: i64) -> Range {
        Range::new(low, high, step, i128::from(anchor))
    }

    #[test]
    fn joining_constants_finds_the_stride() {
        let range = Range::constant(4).join(Range::constant(28)).join(Range::constant(16));
        assert_eq!(range, set(4, 28, 12, 4));
        assert_eq!(range.add(Range::constant(1)), set(5, 29, 12, 5));
        assert_eq!(set(0, 9, 1, 0).scale(28), set(0, 252, 28, 0));
    }

    #[test]
    fn wrapping_keeps_only_powers_of_two() {
        let any_int = Range::ALL.signed(32);
        assert_eq!((any_int.low(), any_int.high()), (i64::from(i32::MIN), i64::from(i32::MAX)));
        let wrapped = any_int.scale(28).signed(32);
        assert_eq!(wrapped, set(i64::from(i32::MIN), i64::from(i32::MAX), 4, 0));
        assert_eq!(Range::constant(1 << 31).signed(32), Range::constant(-(1 << 31)));
        assert_eq!(Range::constant(-1).unsigned(8), Range::constant(255));
    }

    #[test]
    fn bytes_overlap_by_bounds_and_by_stride() {
        let elements = set(0, 252, 28, 0);
        assert_eq!(elements.overlap(4, Range::constant(4), 4), Overlap::Never);
        assert_eq!(elements.overlap(4, elements, 4), Overlap::OnlyIfEqual);
        assert_eq!(elements.overlap(4, Range::constant(30), 4), Overlap::Possible);
        assert_eq!(elements.overlap(4, Range::constant(256), 4), Overlap::Never);
        assert_eq!(Range::constant(0).overlap(4, Range::constant(2), 4), Overlap::Possible);
    }

    #[test]
    fn clipping_respects_the_stride() {
        assert_eq!(set(0, 100, 10, 0).clip(1, 29), Some(set(10, 20, 10, 0)));
        assert_eq!(set(0, 100, 10, 0).clip(1, 9), None);
        assert_eq!(Range::ALL.clip(3, 3), Some(Range::constant(3)));
    }

    #[test]
    fn widening_gives_up_the_bound_that_grows() {
        let widened = Range::constant(0).widen(set(0, 1, 1, 0));
        assert_eq!((widened.low(), widened.high()), (0, i64::MAX));
    }
}

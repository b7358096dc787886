//! Sets of integers as strided intervals: all `n` with `low <= n <= high` and `n ≡ residue (mod step)` (interval and
//! congruence domains combined, after Granger, *Static analysis of arithmetical congruences*, 1989).
//!
//! A register of `w` bits is described by integers whose classes modulo 2ʷ are its possible bits. Every set is finite and
//! lies in [`LOWEST`]`..=`[`HIGHEST`], which holds the signed and the unsigned numbers of every width up to 64: there is no
//! "without bound" that could be taken for a number. A result that leaves these limits is [`Range::ALL`], which keeps
//! nothing, for a congruence modulo something that does not divide 2ʷ is wrong after wrapping. [`Range::signed`],
//! [`Range::unsigned`] and [`Range::fit`] pick representatives.

/// The least signed number of 64 bits.
const LOWEST: i128 = -(1 << 63);
/// The greatest unsigned number of 64 bits.
const HIGHEST: i128 = (1 << 64) - 1;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Range {
    /// A member.
    low: i128,
    /// A member.
    high: i128,
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
    pub const ALL: Range = Range { low: LOWEST, high: HIGHEST, step: 1, residue: 0 };
    pub const ZERO: Range = Range::constant(0);
    pub const TRUTH: Range = Range { low: 0, high: 1, step: 1, residue: 0 };

    pub const fn constant(value: i64) -> Self {
        Range { low: value as i128, high: value as i128, step: 0, residue: 0 }
    }

    /// The members of `anchor + step * k` from `low` to `high`, of which there must be one.
    fn new(low: i128, high: i128, step: u64, anchor: i128) -> Self {
        if low < LOWEST || high > HIGHEST {
            return Self::ALL;
        }
        let step = i128::from(step.max(1));
        let (low, high) = (low + (anchor - low).rem_euclid(step), high - (high - anchor).rem_euclid(step));
        debug_assert!(low <= high, "a range should have a member");
        if low == high {
            return Range { low, high, step: 0, residue: 0 };
        }
        Range { low, high, step: step as u64, residue: anchor.rem_euclid(step) as u64 }
    }

    /// All numbers from `low` to `high`.
    pub fn between(low: i128, high: i128) -> Self {
        if low > high { Self::ALL } else { Self::new(low, high, 1, 0) }
    }

    pub fn as_constant(self) -> Option<i128> {
        (self.step == 0).then_some(self.low)
    }

    /// The only member, where it is small enough for the offset of a byte.
    pub fn as_offset(self) -> Option<i64> {
        self.as_constant().and_then(|value| i64::try_from(value).ok())
    }

    pub fn contains_zero_only(self) -> bool {
        self == Self::ZERO
    }

    /// Some member, or a number congruent to all of them.
    fn anchor(self) -> i128 {
        if self.step == 0 { self.low } else { i128::from(self.residue) }
    }

    pub fn join(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let distance = (self.anchor() - other.anchor()).unsigned_abs();
        let step = gcd(gcd(u128::from(self.step), u128::from(other.step)), distance);
        Self::new(self.low.min(other.low), self.high.max(other.high), narrow(step), self.anchor())
    }

    /// As [`join`](Self::join) with a larger `other`, but a bound that grows does so in few, large steps.
    pub fn widen(self, other: Self) -> Self {
        const LOW_BOUNDS: [i128; 2] = [0, -(1 << 31)];
        const HIGH_BOUNDS: [i128; 4] = [(1 << 31) - 1, (1 << 32) - 1, 1 << 62, (1 << 63) - 1];
        let joined = self.join(other);
        let lower = || LOW_BOUNDS.into_iter().find(|&bound| bound <= joined.low).unwrap_or(LOWEST);
        let higher = || HIGH_BOUNDS.into_iter().find(|&bound| bound >= joined.high).unwrap_or(HIGHEST);
        let low = if joined.low < self.low { lower() } else { joined.low };
        let high = if joined.high > self.high { higher() } else { joined.high };
        Self::new(low, high, joined.step, joined.anchor())
    }

    pub fn add(self, other: Self) -> Self {
        let step = gcd(u128::from(self.step), u128::from(other.step)) as u64;
        let (low, high) = (self.low + other.low, self.high + other.high);
        if low == high { Self::single(low) } else { Self::new(low, high, step, self.anchor() + other.anchor()) }
    }

    fn single(value: i128) -> Self {
        Self::new(value, value, 1, 0)
    }

    pub fn negate(self) -> Self {
        Self::new(-self.high, -self.low, self.step, -self.anchor())
    }

    pub fn multiply(self, other: Self) -> Self {
        match (self.as_constant(), other.as_constant()) {
            (_, Some(factor)) => self.scale(factor),
            (Some(factor), None) => other.scale(factor),
            (None, None) => self.product_bounds(other),
        }
    }

    fn scale(self, factor: i128) -> Self {
        let (Some(low), Some(high)) = (self.low.checked_mul(factor), self.high.checked_mul(factor)) else {
            return Self::ALL;
        };
        let step = u128::from(self.step).checked_mul(factor.unsigned_abs());
        let Some(step) = step.and_then(|step| u64::try_from(step).ok()) else { return Self::ALL };
        Self::new(low.min(high), low.max(high), step, low)
    }

    fn product_bounds(self, other: Self) -> Self {
        let corner = |a: i128, b: i128| a.checked_mul(b);
        let corners = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let products: Option<Vec<i128>> = corners.into_iter().map(|(a, b)| corner(a, b)).collect();
        let Some(products) = products else { return Self::ALL };
        let bound = |pick: fn(i128, i128) -> i128| products.iter().copied().reduce(pick).unwrap_or(0);
        Self::new(bound(i128::min), bound(i128::max), 1, 0)
    }

    /// Divided by a positive number, towards zero.
    pub fn divide(self, divisor: i128) -> Self {
        Self::between(self.low / divisor, self.high / divisor)
    }

    /// Divided by 2 to the `count`, downwards.
    pub fn shift_right(self, count: u32) -> Self {
        Self::between(self.low >> count, self.high >> count)
    }

    /// The remainder after [`divide`](Self::divide), with the sign of the dividend.
    pub fn remainder(self, divisor: i128) -> Self {
        let most = divisor - 1;
        match self.as_constant() {
            Some(value) => Self::single(value % divisor),
            None if self.low >= 0 && self.high <= most => self,
            None if self.low >= 0 => Self::between(0, most),
            None if self.high <= 0 => Self::between((-most).max(self.low), 0),
            None => Self::between((-most).max(self.low), most.min(self.high)),
        }
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

    /// The same bits as numbers that are signed or unsigned ones of this width. A truth value is 0 or 1.
    pub fn fit(self, bits: u8) -> Self {
        if bits == 1 {
            return self.unsigned(1);
        }
        let fits = self.low >= -(1i128 << (bits - 1)) && self.high < 1i128 << bits;
        if fits { self } else { self.signed(bits) }
    }

    fn representatives(self, bits: u8, lowest: i128, highest: i128) -> Self {
        if self.low >= lowest && self.high <= highest {
            return self;
        }
        let modulus = 1i128 << bits;
        let turns = (self.low - lowest).div_euclid(modulus);
        if (self.high - lowest).div_euclid(modulus) == turns {
            let shift = turns * modulus;
            return Self::new(self.low - shift, self.high - shift, self.step, self.low - shift);
        }
        let step = narrow(gcd(u128::from(self.step), modulus as u128));
        Self::new(lowest, highest, step, self.anchor())
    }

    pub fn low(self) -> i128 {
        self.low
    }

    pub fn high(self) -> i128 {
        self.high
    }

    /// The members from `low` to `high`; `None` if there is none.
    pub fn clip(self, low: i128, high: i128) -> Option<Self> {
        let (low, high) = (self.low.max(low), self.high.min(high));
        if low > high {
            return None;
        }
        let step = i128::from(self.step.max(1));
        let first = low + (self.anchor() - low).rem_euclid(step);
        (first <= high).then(|| Self::new(first, high, self.step, first))
    }

    /// Whether these bits of a register of this width are among those described.
    pub fn contains_bits(self, value: u64, bits: u8) -> bool {
        /// More multiples of the modulus are not tried one by one: the answer is then "maybe".
        const MOST_TRIED: i128 = 1 << 14;
        let modulus = 1i128 << bits;
        let value = i128::from(value).rem_euclid(modulus);
        let first = self.low + (value - self.low).rem_euclid(modulus);
        if first > self.high || self.step <= 1 {
            return first <= self.high;
        }
        let step = i128::from(self.step);
        let period = step / gcd(self.step.into(), modulus as u128) as i128;
        let tried = ((self.high - first) / modulus + 1).min(period);
        tried > MOST_TRIED || (0..tried).any(|turn| (first + turn * modulus - self.anchor()).rem_euclid(step) == 0)
    }

    /// Whether no number is in both.
    pub fn is_disjoint(self, other: Self) -> bool {
        self.overlap(1, other, 1) == Overlap::Never
    }

    /// How `size` bytes from any of these offsets lie to `other_size` bytes from any of the other ones.
    pub fn overlap(self, size: u64, other: Self, other_size: u64) -> Overlap {
        let (size, other_size) = (i128::from(size), i128::from(other_size));
        if self.high + size <= other.low || other.high + other_size <= self.low {
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

    /// Whether `size` bytes from any of these offsets that share a byte with `inner_size` bytes from any of the inner ones
    /// hold all of those.
    pub fn surrounds(self, size: u64, inner: Self, inner_size: u64) -> bool {
        let (size, inner_size) = (i128::from(size), i128::from(inner_size));
        if self.step == 0 {
            return self.low <= inner.low && inner.high + inner_size <= self.low + size;
        }
        let step = gcd(u128::from(self.step), u128::from(inner.step)) as i128;
        let distance = (inner.anchor() - self.anchor()).rem_euclid(step);
        size <= step && distance + inner_size <= size
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A step that does not fit is replaced by its largest power of two that does, which divides it.
fn narrow(step: u128) -> u64 {
    u64::try_from(step).unwrap_or(1 << step.trailing_zeros().min(62))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(low: i128, high: i128, step: u64, anchor: i128) -> Range {
        Range::new(low, high, step, anchor)
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
        assert_eq!((any_int.low(), any_int.high()), (i128::from(i32::MIN), i128::from(i32::MAX)));
        let wrapped = any_int.scale(28).signed(32);
        assert_eq!(wrapped, set(i128::from(i32::MIN), i128::from(i32::MAX), 4, 0));
        assert_eq!(Range::constant(1 << 31).signed(32), Range::constant(-(1 << 31)));
        assert_eq!(Range::constant(-1).unsigned(8), Range::constant(255));
        assert_eq!(Range::constant(-1).fit(1), Range::constant(1));
    }

    #[test]
    fn numbers_that_leave_all_limits_are_not_constants() {
        let large = Range::constant(i64::MAX);
        assert_eq!(large.multiply(large), Range::ALL);
        assert_eq!(large.add(large).add(large), Range::ALL);
        assert_eq!(Range::constant(i64::MIN).negate(), set(1 << 63, 1 << 63, 1, 0));
        assert_eq!(Range::ALL.negate(), Range::ALL);
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
    fn bytes_surround_by_bounds_and_by_stride() {
        let elements = set(0, 252, 28, 0);
        assert!(elements.surrounds(28, elements.add(Range::constant(8)), 8));
        assert!(!elements.surrounds(28, elements.add(Range::constant(24)), 8));
        assert!(!elements.surrounds(28, Range::ALL, 29));
        assert!(Range::ZERO.surrounds(8, Range::constant(4), 4) && !Range::ZERO.surrounds(8, Range::constant(5), 4));
    }

    #[test]
    fn clipping_respects_the_stride() {
        assert_eq!(set(0, 100, 10, 0).clip(1, 29), Some(set(10, 20, 10, 0)));
        assert_eq!(set(0, 100, 10, 0).clip(1, 9), None);
        assert_eq!(Range::ALL.clip(3, 3), Some(Range::constant(3)));
    }

    #[test]
    fn widening_reaches_an_end_in_few_steps() {
        let mut widened = Range::constant(0);
        let mut steps = 0;
        while widened.widen(widened.join(widened.add(Range::constant(1)))) != widened {
            widened = widened.widen(widened.join(widened.add(Range::constant(1))));
            steps += 1;
        }
        assert_eq!((widened.low(), steps <= 8), (LOWEST, true));
    }
}

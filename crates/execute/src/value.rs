//! Values of registers: bits, and the memory object that a pointer was made from (its *provenance*).
//!
//! Pointers carry their object, as in Miri, so that an access one past an object is invalid even where another object
//! happens to lie there. Integers may carry provenance too, so that `(T *)(uintptr_t)p` is `p` again.
//!
//! A value may be *opaque* instead: a token that a symbolic engine gave to the machine and that the machine moves about
//! without knowing what it means. Whoever makes such values must not let the machine compute with them.

/// The identity of a memory object inside one execution: a slot of the object table and the number of the object among
/// those its thread made. A slot is only ever used by one thread, so that the pair never names two objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Provenance {
    pub slot: u32,
    pub stamp: u32,
}

/// Bits above the width of the value's type are zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Value {
    pub bits: u64,
    /// Slot plus one; zero means that no object is known, [`OPAQUE`] that the stamp is a token.
    slot: u32,
    stamp: u32,
}

/// No slot has this number: there are fewer objects.
const OPAQUE: u32 = u32::MAX;

impl Value {
    pub const ZERO: Value = Value::int(0);

    #[inline]
    pub const fn int(bits: u64) -> Self {
        Self { bits, slot: 0, stamp: 0 }
    }

    #[inline]
    pub fn truth(value: bool) -> Self {
        Self::int(u64::from(value))
    }

    #[inline]
    pub fn pointer(bits: u64, provenance: Provenance) -> Self {
        Self { bits, slot: provenance.slot + 1, stamp: provenance.stamp }
    }

    #[inline]
    pub fn with_provenance(bits: u64, provenance: Option<Provenance>) -> Self {
        match provenance {
            Some(provenance) => Self::pointer(bits, provenance),
            None => Self::int(bits),
        }
    }

    #[inline]
    pub fn provenance(self) -> Option<Provenance> {
        (self.slot != 0 && self.slot != OPAQUE).then(|| Provenance { slot: self.slot - 1, stamp: self.stamp })
    }

    #[inline]
    pub const fn opaque(token: u32) -> Self {
        Self { bits: 0, slot: OPAQUE, stamp: token }
    }

    #[inline]
    pub fn is_opaque(self) -> bool {
        self.slot == OPAQUE
    }

    /// The token of an opaque value.
    pub fn token(self) -> Option<u32> {
        self.is_opaque().then_some(self.stamp)
    }

    /// The same object, other bits.
    #[inline]
    pub fn with_bits(self, bits: u64) -> Self {
        Self { bits, ..self }
    }

    #[inline]
    pub fn is_true(self) -> bool {
        self.bits & 1 != 0
    }

    /// Whether the value was made from an object.
    #[inline]
    pub fn has_object(self) -> bool {
        self.slot != 0
    }

    /// Whether both were made from one object, or from none.
    #[inline]
    pub fn same_object(self, other: Value) -> bool {
        self.slot == other.slot && self.stamp == other.stamp
    }
}

/// The bits of a type of `bits` width.
#[inline]
pub fn mask(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Reads the low `bits` of `value` as a signed number.
#[inline]
pub fn sign_extend(value: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits.clamp(1, 64));
    ((value << shift) as i64) >> shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_small() {
        assert_eq!(size_of::<Value>(), 16);
    }

    #[test]
    fn objects_of_values() {
        let a = Value::pointer(64, Provenance { slot: 0, stamp: 0 });
        let b = Value::pointer(64, Provenance { slot: 1, stamp: 0 });
        assert!(a.same_object(a) && !a.same_object(b) && !a.same_object(Value::int(64)));
        assert!(a.has_object() && !Value::int(64).has_object());
    }

    #[test]
    fn signs() {
        assert_eq!(sign_extend(0xff, 8), -1);
        assert_eq!(sign_extend(0x7f, 8), 127);
        assert_eq!(sign_extend(1, 1), -1);
        assert_eq!(sign_extend(u64::MAX, 64), -1);
    }
}

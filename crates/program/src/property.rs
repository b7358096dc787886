//! What can be asked of a program, one name each.

use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Property {
    /// No `assert` fails, no `__assert_fail` or `__VERIFIER_error` is called.
    Assert,
    /// `reach_error()` is not called.
    UnreachCall,
    NoDataRace,
    NoDeadlock,
    ValidDeref,
    ValidFree,
    ValidMemtrack,
    ValidMemcleanup,
    NoOverflow,
    NoDivByZero,
    NoBadShift,
    LockMisuse,
    NoThreadLeak,
    /// No thread lets the process exit while it holds a mutex, a read-write lock or a spin lock.
    NoExitWhileLocked,
    /// No other thread comes between the accesses of a transaction in a way that no serial execution has. Only
    /// predicted from recorded runs.
    Atomicity,
}

impl Property {
    pub const ALL: [Property; 15] = [
        Property::Assert,
        Property::UnreachCall,
        Property::NoDataRace,
        Property::NoDeadlock,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::ValidMemcleanup,
        Property::NoOverflow,
        Property::NoDivByZero,
        Property::NoBadShift,
        Property::LockMisuse,
        Property::NoThreadLeak,
        Property::NoExitWhileLocked,
        Property::Atomicity,
    ];

    /// Those that one execution decides; atomicity speaks of transactions in the runs that `predict` looks at.
    pub fn of_executions() -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(|&property| property != Property::Atomicity)
    }

    pub fn name(self) -> &'static str {
        match self {
            Property::Assert => "assert",
            Property::UnreachCall => "unreach-call",
            Property::NoDataRace => "no-data-race",
            Property::NoDeadlock => "no-deadlock",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::NoOverflow => "no-overflow",
            Property::NoDivByZero => "no-div-by-zero",
            Property::NoBadShift => "no-bad-shift",
            Property::LockMisuse => "lock-misuse",
            Property::NoThreadLeak => "no-thread-leak",
            Property::NoExitWhileLocked => "no-exit-while-locked",
            Property::Atomicity => "atomicity",
        }
    }

    /// Whether it is about the end of the process. Not every program has to clean up before it ends, so `check` looks for
    /// it only if asked to.
    pub fn is_about_the_end(self) -> bool {
        match self {
            Property::ValidMemtrack
            | Property::ValidMemcleanup
            | Property::NoThreadLeak
            | Property::NoExitWhileLocked => true,
            Property::Assert
            | Property::UnreachCall
            | Property::NoDataRace
            | Property::NoDeadlock
            | Property::ValidDeref
            | Property::ValidFree
            | Property::NoOverflow
            | Property::NoDivByZero
            | Property::NoBadShift
            | Property::LockMisuse
            | Property::Atomicity => false,
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Property {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Property::ALL.into_iter().find(|property| property.name() == name).ok_or(())
    }
}

/// A set of properties.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PropertySet(u16);

impl PropertySet {
    pub const EMPTY: PropertySet = PropertySet(0);

    pub fn of(properties: &[Property]) -> Self {
        properties.iter().copied().collect()
    }

    /// `valid-memsafety`, the competition's name for three properties at once.
    pub fn memsafety() -> Self {
        Self::of(&[Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack])
    }

    /// The set a name on the command line stands for: one property, or a group.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "valid-memsafety" => Some(Self::memsafety()),
            _ => name.parse().ok().map(|property| Self::of(&[property])),
        }
    }

    pub fn insert(&mut self, property: Property) {
        self.0 |= 1 << property as u16;
    }

    pub fn remove(&mut self, property: Property) {
        self.0 &= !(1 << property as u16);
    }

    #[inline]
    pub fn contains(self, property: Property) -> bool {
        self.0 & (1 << property as u16) != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |&property| self.contains(property))
    }
}

impl FromIterator<Property> for PropertySet {
    fn from_iter<I: IntoIterator<Item = Property>>(iter: I) -> Self {
        let mut set = Self::EMPTY;
        iter.into_iter().for_each(|property| set.insert(property));
        set
    }
}

impl fmt::Debug for PropertySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Property::name)).finish()
    }
}

//! What generated programs may contain. Globals, locals, branches, threads and assertions are always there.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Feature {
    Locks,
    Loops,
    Inputs,
    Assumes,
    AtomicSections,
    Helpers,
    EarlyExits,
    NestedCreation,
    Spins,
    Arrays,
    Pointers,
    AtomicBuiltins,
    TryLocks,
    Conditions,
    Semaphores,
    Barriers,
    Rwlocks,
    /// Locks without unlocks and the like: what `lock-misuse` is about.
    Misuses,
    /// Memory that is allocated and freed, and pointers to none.
    Heap,
    /// Pointers to locals, which may have ended.
    Stack,
    /// Indices that may be outside of their array.
    WildIndexes,
    /// Division, shifts by any count, large numbers.
    WildArithmetic,
    /// Computing with `float` and `double` on the way from one integer to the next.
    Floats,
    /// Unions, blocks of memory whose edges lie inside of numbers, hash sums.
    Bytes,
    /// Functions called through a table of pointers, whose entries change.
    FunctionTables,
    /// Locks that are initialised in every way, wherever they are, and copied.
    LockOrigins,
    /// Attempts at locks and semaphores, with and without a time limit, and what they return.
    Attempts,
    /// Memory and threads that are refused, an environment that is not set.
    FailingCalls,
    /// Arguments and results of threads; several threads with one function.
    ThreadArguments,
    /// Structures, global, local and on the heap, with pointers to each other.
    Structs,
    /// Pointers in unions, copied as a whole and in pieces.
    PointerUnions,
    /// Atomic objects, all memory orders, fences.
    Orders,
}

impl Feature {
    pub const ALL: [Feature; 32] = [
        Feature::Locks,
        Feature::Loops,
        Feature::Inputs,
        Feature::Assumes,
        Feature::AtomicSections,
        Feature::Helpers,
        Feature::EarlyExits,
        Feature::NestedCreation,
        Feature::Spins,
        Feature::Arrays,
        Feature::Pointers,
        Feature::AtomicBuiltins,
        Feature::TryLocks,
        Feature::Conditions,
        Feature::Semaphores,
        Feature::Barriers,
        Feature::Rwlocks,
        Feature::Misuses,
        Feature::Heap,
        Feature::Stack,
        Feature::WildIndexes,
        Feature::WildArithmetic,
        Feature::Floats,
        Feature::Bytes,
        Feature::FunctionTables,
        Feature::LockOrigins,
        Feature::Attempts,
        Feature::FailingCalls,
        Feature::ThreadArguments,
        Feature::Structs,
        Feature::PointerUnions,
        Feature::Orders,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Feature::Locks => "locks",
            Feature::Loops => "loops",
            Feature::Inputs => "inputs",
            Feature::Assumes => "assumes",
            Feature::AtomicSections => "atomic-sections",
            Feature::Helpers => "helpers",
            Feature::EarlyExits => "early-exits",
            Feature::NestedCreation => "nested-creation",
            Feature::Spins => "spins",
            Feature::Arrays => "arrays",
            Feature::Pointers => "pointers",
            Feature::AtomicBuiltins => "atomic-builtins",
            Feature::TryLocks => "try-locks",
            Feature::Conditions => "conditions",
            Feature::Semaphores => "semaphores",
            Feature::Barriers => "barriers",
            Feature::Rwlocks => "rwlocks",
            Feature::Misuses => "misuses",
            Feature::Heap => "heap",
            Feature::Stack => "stack",
            Feature::WildIndexes => "wild-indexes",
            Feature::WildArithmetic => "wild-arithmetic",
            Feature::Floats => "floats",
            Feature::Bytes => "bytes",
            Feature::FunctionTables => "function-tables",
            Feature::LockOrigins => "lock-origins",
            Feature::Attempts => "attempts",
            Feature::FailingCalls => "failing-calls",
            Feature::ThreadArguments => "thread-arguments",
            Feature::Structs => "structs",
            Feature::PointerUnions => "pointer-unions",
            Feature::Orders => "orders",
        }
    }
}

/// A set of features.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Features(u64);

impl Features {
    /// Globals, branches, threads and assertions only.
    pub const PLAIN: Features = Features(0);

    pub fn of(features: &[Feature]) -> Self {
        Self(features.iter().fold(0, |bits, &feature| bits | 1 << feature as u64))
    }

    /// What the first bounded engines were built for: ints, functions, loops, mutexes, inputs, atomic sections.
    pub fn core() -> Self {
        use Feature::*;
        Self::of(&[Locks, Loops, Inputs, Assumes, AtomicSections, Helpers, EarlyExits, NestedCreation, Spins])
    }

    pub fn all() -> Self {
        Self::of(&Feature::ALL)
    }

    pub fn contains(self, feature: Feature) -> bool {
        self.0 & (1 << feature as u64) != 0
    }

    pub fn without(self, feature: Feature) -> Self {
        Self(self.0 & !(1 << feature as u64))
    }

    fn with(self, feature: Feature) -> Self {
        Self(self.0 | 1 << feature as u64)
    }

    /// Reads a list such as `core,pointers` or `all,-barriers`: groups and names, a minus takes one away.
    pub fn parse(list: &str) -> Result<Self, String> {
        let mut features = Self::PLAIN;
        for word in list.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let named = |name: &str| {
                let found = Feature::ALL.into_iter().find(|feature| feature.name() == name);
                found.ok_or_else(|| format!("no feature is called `{name}`"))
            };
            features = match (word, word.strip_prefix('-')) {
                ("plain", _) => features,
                ("core", _) => Self(features.0 | Self::core().0),
                ("all", _) => Self::all(),
                (_, Some(taken)) => features.without(named(taken)?),
                (name, None) => features.with(named(name)?),
            };
        }
        Ok(features)
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> =
            Feature::ALL.into_iter().filter(|feature| self.contains(*feature)).map(Feature::name).collect();
        f.write_str(if names.is_empty() { "plain" } else { "" })?;
        f.write_str(&names.join(","))
    }
}

impl fmt::Debug for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_written() {
        assert_eq!(Features::parse("all,-locks").unwrap(), Features::all().without(Feature::Locks));
        assert_eq!(Features::parse(&Features::core().to_string()).unwrap(), Features::core());
        assert_eq!(Features::parse("plain").unwrap(), Features::PLAIN);
        assert!(Features::parse("core,lokcs").unwrap_err().contains("lokcs"));
    }
}

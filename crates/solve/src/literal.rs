//! Variables and literals in the DIMACS numbering that solvers speak.

use std::fmt;
use std::ops::Not;

/// A Boolean variable, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    /// # Panics
    /// `number` must lie in 1..=i32::MAX.
    pub fn new(number: u32) -> Self {
        assert!((1..=i32::MAX as u32).contains(&number), "a variable's number should be positive and fit an i32");
        Self(number)
    }

    #[inline]
    pub fn number(self) -> u32 {
        self.0
    }

    /// For dense tables: number of the variable minus one.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize - 1
    }

    #[inline]
    pub fn positive(self) -> Lit {
        Lit(self.0 as i32)
    }

    #[inline]
    pub fn negative(self) -> Lit {
        Lit(-(self.0 as i32))
    }

    #[inline]
    pub fn lit(self, truth: bool) -> Lit {
        if truth { self.positive() } else { self.negative() }
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(i32);

impl Lit {
    /// # Panics
    /// `dimacs` must not be zero.
    pub fn from_dimacs(dimacs: i32) -> Self {
        assert!(dimacs != 0 && dimacs != i32::MIN, "a literal should be a non-zero DIMACS number");
        Self(dimacs)
    }

    #[inline]
    pub fn to_dimacs(self) -> i32 {
        self.0
    }

    #[inline]
    pub fn var(self) -> Var {
        Var(self.0.unsigned_abs())
    }

    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// For dense tables: twice the variable's index, plus one for negative literals.
    #[inline]
    pub fn code(self) -> usize {
        self.var().index() * 2 + usize::from(self.0 < 0)
    }
}

impl Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

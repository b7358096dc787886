//! Random instances and brute force, shared by the conformance tests.

use solve::{ClauseSink, Lit, Var};

/// SplitMix64: small, and the same everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn literal(&mut self, vars: &[Var]) -> Lit {
        let var = vars[self.below(vars.len())];
        var.lit(self.below(2) == 0)
    }

    pub fn clause(&mut self, vars: &[Var]) -> Vec<Lit> {
        (0..1 + self.below(3)).map(|_| self.literal(vars)).collect()
    }
}

pub fn new_vars(sink: &mut dyn ClauseSink, count: usize) -> Vec<Var> {
    (0..count).map(|_| sink.new_var()).collect()
}

/// An assignment of the first variables as bits.
pub fn holds(bits: u32, lit: Lit) -> bool {
    (bits >> lit.var().index() & 1 == 1) == lit.is_positive()
}

pub fn satisfies(bits: u32, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
    assumptions.iter().all(|&lit| holds(bits, lit))
        && clauses.iter().all(|clause| clause.iter().any(|&lit| holds(bits, lit)))
}

/// Whether some assignment of the variables 1..=`vars` satisfies clauses, assumptions and `extra`.
pub fn brute_force(vars: usize, clauses: &[Vec<Lit>], assumptions: &[Lit], extra: impl Fn(u32) -> bool) -> bool {
    (0..1u32 << vars).any(|bits| satisfies(bits, clauses, assumptions) && extra(bits))
}

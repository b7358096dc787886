//! Pseudo-random choices for the generator (xorshift64*, Vigna 2016, seeded through a multiplicative hash). The same
//! seed gives the same program on every machine, so that a seed names a program.

#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        let mixed = (seed ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xd134_2543_de82_ef95);
        // Zero is the one state that xorshift never leaves.
        let mut random = Self { state: (mixed ^ (mixed >> 32)).max(1) };
        (0..4).for_each(|_| {
            random.next();
        });
        random
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `items`, which are not empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// One of the values, each as often as its weight says. At least one weight is not zero.
    pub fn weighted<T: Copy>(&mut self, items: &[(usize, T)]) -> T {
        let total = items.iter().map(|(weight, _)| weight).sum();
        let mut rest = self.below(total);
        for &(weight, item) in items {
            if rest < weight {
                return item;
            }
            rest -= weight;
        }
        unreachable!("the weights should add up to their sum")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_a_sequence_and_sequences_spread() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..20).map(|_| random.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        let mut random = Random::new(0);
        let mut counts = [0; 3];
        (0..3000).for_each(|_| counts[random.weighted(&[(1, 0), (0, 1), (3, 2)])] += 1);
        assert_eq!(counts[1], 0);
        assert!(counts[0] > 600 && counts[2] > 2000, "{counts:?}");
    }
}

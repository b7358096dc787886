//! What expressions of the table evaluate to: a number, or a set of threads of any size. Bit t of a set stands for
//! thread t; sets of the first 64 threads need no memory of their own.

use std::fmt;

#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word {
    low: u64,
    /// Bits from 64 on; the last is not zero.
    high: Vec<u64>,
}

impl Word {
    pub fn number(value: u64) -> Self {
        Self { low: value, high: Vec::new() }
    }

    /// The set of one thread.
    pub fn only(thread: u64) -> Self {
        Self::default().with(thread)
    }

    /// The number, or which of the first 64 threads are in the set.
    pub fn low(&self) -> u64 {
        self.low
    }

    /// All bits, 64 at a time.
    pub fn parts(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::once(self.low).chain(self.high.iter().copied())
    }

    pub fn is_zero(&self) -> bool {
        self.low == 0 && self.high.is_empty()
    }

    pub fn contains(&self, thread: u64) -> bool {
        let (part, bit) = position(thread);
        let bits = match part.checked_sub(1) {
            None => self.low,
            Some(part) => self.high.get(part).copied().unwrap_or(0),
        };
        bits & bit != 0
    }

    #[must_use]
    pub fn with(mut self, thread: u64) -> Self {
        let (part, bit) = position(thread);
        *self.part_mut(part) |= bit;
        self
    }

    #[must_use]
    pub fn without(mut self, thread: u64) -> Self {
        let (part, bit) = position(thread);
        if part <= self.high.len() {
            *self.part_mut(part) &= !bit;
            self.trim();
        }
        self
    }

    #[must_use]
    pub fn union(mut self, other: &Word) -> Self {
        for (part, bits) in other.parts().enumerate() {
            *self.part_mut(part) |= bits;
        }
        self
    }

    /// The threads of a set in ascending order.
    pub fn threads(&self) -> impl Iterator<Item = u32> + '_ {
        let starts = (0..).step_by(64);
        let members =
            |(start, bits): (u32, u64)| (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| start + bit);
        starts.zip(self.parts()).flat_map(members)
    }

    fn part_mut(&mut self, part: usize) -> &mut u64 {
        let Some(part) = part.checked_sub(1) else { return &mut self.low };
        if self.high.len() <= part {
            self.high.resize(part + 1, 0);
        }
        &mut self.high[part]
    }

    fn trim(&mut self) {
        while self.high.last() == Some(&0) {
            self.high.pop();
        }
    }
}

/// The part that the bit of a thread is in, and the bit.
fn position(thread: u64) -> (usize, u64) {
    ((thread / 64) as usize, 1 << (thread % 64))
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.high.is_empty() {
            true => write!(f, "{}", self.low),
            false => f.debug_set().entries(self.threads()).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_many_threads_are_sets() {
        let threads = [0, 5, 63, 64, 127, 128, 4095];
        let set = threads.iter().fold(Word::default(), |set, &thread| set.with(u64::from(thread)));
        assert_eq!(set.threads().collect::<Vec<_>>(), threads);
        assert!(threads.iter().all(|&thread| set.contains(u64::from(thread))));
        assert!(![1, 62, 65, 129, 5000].iter().any(|&thread| set.contains(thread)));
        let emptied = threads.iter().rev().fold(set.clone(), |set, &thread| set.without(u64::from(thread)));
        assert_eq!(emptied, Word::default(), "equal sets should be equal words");
        assert_eq!(Word::only(70).union(&Word::only(3)).threads().collect::<Vec<_>>(), [3, 70]);
        assert_eq!(Word::only(3).union(&Word::only(70)), Word::only(70).union(&Word::only(3)));
        assert_eq!(Word::only(3).without(1000), Word::only(3));
    }
}

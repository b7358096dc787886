//! Relations between what shared words hold at two moments, and invariants between words at one: candidates, of which Houdini
//! keeps those that every step of every thread keeps (see `invariants`).
//!
//! A relation says what other threads may have done meanwhile, in however many steps, none included. So each must be reflexive
//! and transitive by itself, whatever becomes of the other candidates: one that holds only before or after a flag is set also
//! says that the flag stays set.

use terms::{TermId, Terms};

/// Among the words that are followed, by number.
pub type WordIndex = usize;

/// More words than this are not followed.
pub const MOST_WORDS: usize = 32;
/// More flags than this are not tried, and none where there are more other words than this.
const MOST_FLAGS: usize = 4;
const MOST_BEHIND_FLAGS: usize = 10;
/// More locks than this are not tried, nor more words that they may protect.
const MOST_LOCKS: usize = 12;
/// More words than this are not compared with each other.
const MOST_COMPARED: usize = 8;

/// What the words are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WordKinds {
    /// Of each word, in bits.
    pub widths: Vec<u32>,
    /// Those that tell who holds a mutex.
    pub owners: Vec<WordIndex>,
    /// Of the others, those that hold one of few constants, zero among them.
    pub flags: Vec<WordIndex>,
    /// Words to which threads write nothing but one of two constants.
    pub constants: Vec<(WordIndex, [u64; 2])>,
}

impl WordKinds {
    /// The words that the program knows by a name.
    fn data(&self) -> impl Iterator<Item = WordIndex> + '_ {
        (0..self.widths.len()).filter(|word| !self.owners.contains(word))
    }

    fn flags(&self) -> impl Iterator<Item = WordIndex> + '_ {
        let most = if self.data().count() > MOST_BEHIND_FLAGS { 0 } else { MOST_FLAGS };
        self.flags.iter().copied().take(most)
    }

    fn owners(&self) -> impl Iterator<Item = WordIndex> + '_ {
        self.owners.iter().copied().take(MOST_LOCKS)
    }
}

/// How one word may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordCourse {
    UnsignedUp,
    UnsignedDown,
    SignedUp,
    SignedDown,
    /// Once it is not zero, it is never zero again.
    StaysSet,
    /// Once it is not zero, it does not change.
    WrittenOnce,
    /// Only behind a flag: what does not change at all is not shared.
    Unchanged,
    /// Whatever it was at first, nothing else is written than one of two constants.
    Becomes([u64; 2]),
}

impl WordCourse {
    const PLAIN: [WordCourse; 6] = [
        WordCourse::UnsignedUp,
        WordCourse::UnsignedDown,
        WordCourse::SignedUp,
        WordCourse::SignedDown,
        WordCourse::StaysSet,
        WordCourse::WrittenOnce,
    ];

    fn holds(self, terms: &mut Terms, before: TermId, after: TermId) -> TermId {
        match self {
            WordCourse::UnsignedUp => terms.ule(before, after),
            WordCourse::UnsignedDown => terms.ule(after, before),
            WordCourse::SignedUp => terms.sle(before, after),
            WordCourse::SignedDown => terms.sle(after, before),
            WordCourse::StaysSet => {
                let (was, is) = (is_set(terms, before), is_set(terms, after));
                terms.implies(was, is)
            }
            WordCourse::WrittenOnce => {
                let (was, same) = (is_set(terms, before), terms.eq(before, after));
                terms.implies(was, same)
            }
            WordCourse::Unchanged => terms.eq(before, after),
            WordCourse::Becomes(constants) => {
                let width = terms.width(after);
                let mut holds = terms.eq(before, after);
                for constant in constants {
                    let constant = terms.constant(width, constant);
                    let is_written = terms.eq(after, constant);
                    holds = terms.or(holds, is_written);
                }
                holds
            }
        }
    }
}

/// When a word keeps its course.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CourseCondition {
    Always,
    /// As long as this word is zero, which it is never again once it is not.
    Until(WordIndex),
    /// Once this word is not zero, as it stays then.
    Since(WordIndex),
}

/// How one word changes between two moments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WordRelation {
    word: WordIndex,
    course: WordCourse,
    when: CourseCondition,
}

impl WordRelation {
    pub fn mentions(&self, word: WordIndex) -> bool {
        self.word == word
            || matches!(self.when, CourseCondition::Until(flag) | CourseCondition::Since(flag) if flag == word)
    }

    pub fn holds(&self, terms: &mut Terms, before: &[TermId], after: &[TermId]) -> TermId {
        let course = self.course.holds(terms, before[self.word], after[self.word]);
        match self.when {
            CourseCondition::Always => course,
            CourseCondition::Until(flag) | CourseCondition::Since(flag) => {
                let (was, is) = (is_set(terms, before[flag]), is_set(terms, after[flag]));
                let stays = terms.implies(was, is);
                let relevant = match self.when {
                    CourseCondition::Since(_) => was,
                    _ => terms.not(is),
                };
                let course = terms.implies(relevant, course);
                terms.and(stays, course)
            }
        }
    }
}

/// What two words are to each other at every moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WordComparison {
    Equal,
    Distinct,
    UnsignedAtMost,
    SignedAtMost,
    /// If the first is not zero, neither is the second.
    SetWithSet,
    /// If the first is zero, so is the second.
    ClearWithClear,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WordInvariant {
    words: [WordIndex; 2],
    comparison: WordComparison,
}

impl WordInvariant {
    pub fn mentions(&self, word: WordIndex) -> bool {
        self.words.contains(&word)
    }

    pub fn holds(&self, terms: &mut Terms, values: &[TermId]) -> TermId {
        let [first, second] = self.words.map(|word| values[word]);
        match self.comparison {
            WordComparison::Equal => terms.eq(first, second),
            WordComparison::Distinct => terms.distinct(first, second),
            WordComparison::UnsignedAtMost => terms.ule(first, second),
            WordComparison::SignedAtMost => terms.sle(first, second),
            WordComparison::SetWithSet => {
                let (first, second) = (is_set(terms, first), is_set(terms, second));
                terms.implies(first, second)
            }
            WordComparison::ClearWithClear => {
                let (first, second) = (is_set(terms, first), is_set(terms, second));
                terms.implies(second, first)
            }
        }
    }
}

pub fn is_set(terms: &mut Terms, value: TermId) -> TermId {
    let zero = terms.constant(terms.width(value), 0);
    terms.distinct(value, zero)
}

/// The relations to try.
pub fn relations(kinds: &WordKinds) -> Vec<WordRelation> {
    let mut all = Vec::new();
    for &(word, constants) in &kinds.constants {
        all.push(WordRelation { word, course: WordCourse::Becomes(constants), when: CourseCondition::Always });
    }
    for word in kinds.data() {
        all.extend(WordCourse::PLAIN.map(|course| WordRelation { word, course, when: CourseCondition::Always }));
        for flag in kinds.flags().filter(|&flag| flag != word) {
            for course in WordCourse::PLAIN.into_iter().chain([WordCourse::Unchanged]) {
                all.extend([CourseCondition::Until(flag), CourseCondition::Since(flag)].map(|when| WordRelation {
                    word,
                    course,
                    when,
                }));
            }
        }
    }
    all
}

/// The invariants to try.
pub fn invariants(kinds: &WordKinds) -> Vec<WordInvariant> {
    let mut all = Vec::new();
    let mut add = |first, second, comparison| all.push(WordInvariant { words: [first, second], comparison });
    let compared: Vec<WordIndex> = kinds.data().take(MOST_COMPARED).collect();
    for &first in &compared {
        for &second in compared.iter().filter(|&&second| second != first) {
            if kinds.widths[first] != kinds.widths[second] {
                continue;
            }
            if first < second {
                add(first, second, WordComparison::Equal);
                add(first, second, WordComparison::Distinct);
            }
            add(first, second, WordComparison::UnsignedAtMost);
            add(first, second, WordComparison::SignedAtMost);
        }
    }
    for flag in kinds.flags() {
        for word in kinds.data().filter(|&word| word != flag) {
            add(flag, word, WordComparison::SetWithSet);
            add(flag, word, WordComparison::ClearWithClear);
        }
    }
    for owner in kinds.owners() {
        for word in kinds.data().take(MOST_LOCKS) {
            add(owner, word, WordComparison::ClearWithClear);
        }
    }
    all
}

/// The words that may be locks, each with one that it may protect.
pub fn locks(kinds: &WordKinds) -> Vec<[WordIndex; 2]> {
    let locks = kinds.owners().chain(kinds.flags());
    let protects = |lock| kinds.data().take(MOST_LOCKS).filter(move |&word| word != lock).map(move |word| [lock, word]);
    locks.flat_map(protects).collect()
}

#[cfg(test)]
mod tests {
    use terms::Terms;

    use super::{WordKinds, invariants, relations};

    /// All states of a flag of one bit and a word of three.
    fn states(terms: &mut Terms) -> Vec<[terms::TermId; 2]> {
        let mut all = Vec::new();
        for flag in 0..2 {
            for word in 0..8 {
                all.push([terms.constant(1, flag), terms.constant(3, word)]);
            }
        }
        all
    }

    #[test]
    fn every_relation_is_reflexive_and_transitive() {
        let mut terms = Terms::new();
        let states = states(&mut terms);
        let kinds = WordKinds { widths: vec![1, 3], owners: Vec::new(), flags: vec![0], constants: vec![(1, [2, 5])] };
        for relation in relations(&kinds) {
            let count = states.len();
            let mut table = vec![vec![false; count]; count];
            for (i, before) in states.iter().enumerate() {
                for (j, after) in states.iter().enumerate() {
                    let holds = relation.holds(&mut terms, before, after);
                    table[i][j] = terms.as_boolean(holds).expect("constants should have a truth value");
                }
            }
            for i in 0..count {
                assert!(table[i][i], "not reflexive: {relation:?}");
                for j in 0..count {
                    for k in 0..count {
                        assert!(!table[i][j] || !table[j][k] || table[i][k], "not transitive: {relation:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn words_of_different_widths_are_not_compared() {
        let of = |widths: &[u32]| invariants(&WordKinds { widths: widths.to_vec(), ..WordKinds::default() });
        assert!(of(&[8, 32]).is_empty());
        assert_eq!(of(&[32, 32]).len(), 6);
    }
}

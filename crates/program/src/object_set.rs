//! Sets of abstract objects as bit vectors that are as long as their largest member needs.

use base::Id;

use crate::points_to::ObjectId;

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ObjectSet {
    words: Vec<u64>,
}

impl ObjectSet {
    pub const EMPTY: ObjectSet = ObjectSet { words: Vec::new() };

    pub fn contains(&self, object: ObjectId) -> bool {
        let (word, bit) = position(object);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Tells whether the object is new.
    pub fn insert(&mut self, object: ObjectId) -> bool {
        let (index, bit) = position(object);
        let new = !self.contains(object);
        self.merge_word(index, bit);
        new
    }

    /// Adds all of `other` and tells whether any of them is new.
    pub fn extend(&mut self, other: &ObjectSet) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grown = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            grown |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        grown
    }

    /// Adds all of `other`, and those of them that are new also to `noted`.
    pub(crate) fn extend_noting(&mut self, other: &ObjectSet, noted: &mut ObjectSet) {
        for (index, &theirs) in other.words.iter().enumerate() {
            let new = theirs & !self.words.get(index).copied().unwrap_or(0);
            if new != 0 {
                self.merge_word(index, new);
                noted.merge_word(index, new);
            }
        }
    }

    fn merge_word(&mut self, index: usize, word: u64) {
        if self.words.len() <= index {
            self.words.resize(index + 1, 0);
        }
        self.words[index] |= word;
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// In ascending order.
    pub fn iter(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let rest = |word: &u64| Some(word & (word - 1)).filter(|&rest| rest != 0);
            let members = std::iter::successors(Some(word).filter(|&word| word != 0), rest);
            members.map(move |word| ObjectId::new(index * 64 + word.trailing_zeros() as usize))
        })
    }
}

impl FromIterator<ObjectId> for ObjectSet {
    fn from_iter<I: IntoIterator<Item = ObjectId>>(objects: I) -> Self {
        let mut set = Self::default();
        for object in objects {
            set.insert(object);
        }
        set
    }
}

fn position(object: ObjectId) -> (usize, u64) {
    (object.index() / 64, 1 << (object.index() % 64))
}

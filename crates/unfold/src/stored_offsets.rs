//! Where in an object the pointers lie that have been stored in a cell. A pointer that another thread has left is one of
//! those that passes have seen stored, so it means one of a few places, and not every place where something of its size
//! might lie: two kinds of structures from one allocator keep cells of their own.

use std::collections::BTreeSet;

use symbolic::ObjectId;
use terms::{TermId, Terms};

use crate::known_offsets::{PathKnowledge, known_offsets};

/// More offsets than this are not told apart.
const MOST: usize = 64;

/// A set that has grown so often is about a pointer that walks through its object: it is widened.
const MOST_GROWTHS: u32 = 4;

/// What is known of the offsets of all pointers into one object that a cell has held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoredOffsets {
    Few { offsets: BTreeSet<u64>, growths: u32 },
    Any,
}

impl Default for StoredOffsets {
    fn default() -> Self {
        StoredOffsets::Few { offsets: BTreeSet::new(), growths: 0 }
    }
}

impl StoredOffsets {
    /// Those that a pointer has while it points to `target`.
    pub fn of(terms: &Terms, known: &PathKnowledge, pointer: (TermId, TermId), target: ObjectId) -> Self {
        // What lies in no object is any number.
        if target == ObjectId::NONE {
            return StoredOffsets::Any;
        }
        match known_offsets(terms, known, pointer, target) {
            Some(offsets) if offsets.len() <= MOST => {
                StoredOffsets::Few { offsets: offsets.into_iter().collect(), growths: 0 }
            }
            _ => StoredOffsets::Any,
        }
    }

    /// Adds what another pointer may have, in an object of so many bytes; whether that changed anything.
    pub fn include(&mut self, other: &StoredOffsets, object_size: Option<u64>) -> bool {
        let StoredOffsets::Few { offsets, growths } = self else { return false };
        let StoredOffsets::Few { offsets: new, .. } = other else {
            *self = StoredOffsets::Any;
            return true;
        };
        if new.is_subset(offsets) {
            return false;
        }
        *growths += u32::from(!offsets.is_empty());
        offsets.extend(new);
        if *growths >= MOST_GROWTHS {
            match object_size.and_then(|size| progression(offsets, size)) {
                Some(all) if *growths == MOST_GROWTHS => *offsets = all,
                _ => *self = StoredOffsets::Any,
            }
        }
        if matches!(self, StoredOffsets::Few { offsets, .. } if offsets.len() > MOST) {
            *self = StoredOffsets::Any;
        }
        true
    }

    pub fn few(&self) -> Option<&BTreeSet<u64>> {
        match self {
            StoredOffsets::Few { offsets, .. } => Some(offsets),
            StoredOffsets::Any => None,
        }
    }
}

/// All offsets up to the end of an object whose distances from the known ones are multiples of the distances between
/// these.
fn progression(known: &BTreeSet<u64>, size: u64) -> Option<BTreeSet<u64>> {
    let first = *known.first()?;
    let step = known.iter().fold(0, |step, offset| greatest_common_divisor(step, offset - first));
    if step == 0 || size / step >= MOST as u64 || known.last().is_some_and(|&last| last > size) {
        return None;
    }
    Some((first % step..=size).step_by(step as usize).collect())
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// An offset that is one of these, chosen freely.
pub fn any_offset(terms: &mut Terms, bits: u32, offsets: &BTreeSet<u64>) -> Option<TermId> {
    let mut chosen = None;
    for &offset in offsets {
        let constant = terms.constant(bits, offset);
        chosen = Some(match chosen {
            None => constant,
            Some(others) => {
                let this = terms.bool_variable("place");
                terms.ite(this, constant, others)
            }
        });
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(offset: u64) -> StoredOffsets {
        few(&[offset])
    }

    fn few(offsets: &[u64]) -> StoredOffsets {
        StoredOffsets::Few { offsets: offsets.iter().copied().collect(), growths: 0 }
    }

    fn offsets(known: &StoredOffsets) -> Option<Vec<u64>> {
        known.few().map(|offsets| offsets.iter().copied().collect())
    }

    #[test]
    fn a_pointer_that_walks_is_widened_to_its_array() {
        let mut known = at(8);
        for step in 1..4 {
            assert!(known.include(&at(8 + 24 * step), Some(200)));
        }
        assert!(!known.include(&few(&[8, 32]), Some(200)));
        assert_eq!(offsets(&known), Some(vec![8, 32, 56, 80]));
        assert!(known.include(&at(104), Some(200)));
        assert_eq!(offsets(&known), Some(vec![8, 32, 56, 80, 104, 128, 152, 176, 200]));
        assert!(known.include(&at(9), Some(200)));
        assert_eq!(known, StoredOffsets::Any);
    }

    #[test]
    fn a_pointer_that_leaves_its_object_may_be_anywhere() {
        let mut known = at(0);
        for step in 1..=4 {
            known.include(&at(0u64.wrapping_sub(8 * step)), Some(64));
        }
        assert_eq!(known, StoredOffsets::Any);
    }
}

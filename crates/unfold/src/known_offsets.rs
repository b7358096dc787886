//! Where in one object a pointer may lie, read off the terms: a pointer that was chosen among several has the same
//! choices in its object and in its offset, and under those that lead to the object the offset is often constant, although
//! it is not in general. A null pointer beside one to the middle of a structure is the common case.

use rustc_hash::FxHashSet;
use symbolic::ObjectId;
use terms::{Term, TermId, Terms};

/// Pairs of terms that are looked at; beyond them the offset is taken to be anything.
const MAX_PAIRS: usize = 2_000;

/// All offsets that the pointer may have while its object is `target`, sorted; `None` if that is not known.
pub fn known_offsets(terms: &Terms, object: TermId, offset: TermId, target: ObjectId) -> Option<Vec<u64>> {
    let mut seen = FxHashSet::default();
    let mut open = vec![(object, offset)];
    let mut found = Vec::new();
    while let Some(pair) = open.pop() {
        if !seen.insert(pair) {
            continue;
        }
        if seen.len() > MAX_PAIRS {
            return None;
        }
        let (object, offset) = pair;
        match (terms.get(object), terms.get(offset)) {
            (Term::Constant { value, .. }, _) if value != u64::from(target.0) => {}
            (_, Term::Constant { value, .. }) => found.push(value),
            (Term::Ite(c, a, b), Term::Ite(d, x, y)) if c == d => open.extend([(a, x), (b, y)]),
            // The two may have been built of the same choices in different order, which is not worth finding out.
            (Term::Ite(_, a, b), _) => open.extend([(a, offset), (b, offset)]),
            (_, Term::Ite(_, x, y)) => open.extend([(object, x), (object, y)]),
            _ => return None,
        }
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolic::OBJECT_BITS;

    #[test]
    fn choices_that_lead_elsewhere_do_not_count() {
        let mut terms = Terms::new();
        let (first, second) = (terms.bool_variable("first"), terms.bool_variable("second"));
        let objects: Vec<TermId> = (0..3).map(|number| terms.constant(OBJECT_BITS, number)).collect();
        let (four, eight, any) = (terms.constant(64, 4), terms.constant(64, 8), terms.bv_variable("any", 64));
        let inner_object = terms.ite(second, objects[2], objects[0]);
        let inner_offset = terms.ite(second, eight, any);
        let object = terms.ite(first, objects[1], inner_object);
        let offset = terms.ite(first, four, inner_offset);
        assert_eq!(known_offsets(&terms, object, offset, ObjectId(1)), Some(vec![4]));
        assert_eq!(known_offsets(&terms, object, offset, ObjectId(2)), Some(vec![8]));
        assert_eq!(known_offsets(&terms, object, offset, ObjectId(0)), None);
        assert_eq!(known_offsets(&terms, object, offset, ObjectId(5)), Some(vec![]));
    }
}

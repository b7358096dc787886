//! Arrays of bit-vectors. They exist while terms are built and no longer: whoever reads an element gets a bit-vector, made
//! of what was stored and of the elements of array variables. So what is blasted, printed or evaluated has no arrays in it.
//!
//! - An element of what was stored is chosen by whether the indices are the same (read over write).
//! - An element of a variable is a new bit-vector variable, one for each index term. That equal indices have equal
//!   elements (congruence, Ackermann's reduction) is a condition for every two of them, which whoever builds the problem
//!   takes and adds to it: [`Terms::take_congruences`].
//!
//! Nothing can be asked about arrays as a whole; two that are the same term are equal, two others may be.

use rustc_hash::FxHashMap;

use crate::arena::Terms;
use crate::term::{Sort, Term, TermId};

/// What has been read of arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct ArrayReads {
    /// By array and index.
    known: FxHashMap<(TermId, TermId), TermId>,
    /// The indices at which each variable has been read, and its elements there.
    of_variable: FxHashMap<TermId, Vec<(TermId, TermId)>>,
    congruences: Vec<TermId>,
}

impl Terms {
    /// A new array of elements of `width` bits.
    pub fn array_variable(&mut self, name: impl Into<String>, width: u32) -> TermId {
        self.variable(name.into(), Sort::Array(width))
    }

    /// The array all of whose elements are the same.
    pub fn filled_array(&mut self, element: TermId) -> TermId {
        let sort = Sort::Array(self.width(element));
        self.intern(Term::Filled(element), sort)
    }

    /// The array with one element replaced.
    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        let sort = self.sort(array);
        assert!(sort == Sort::Array(self.width(element)), "an element of {sort} should have its width");
        let array = match self.get(array) {
            Term::Store(before, same, _) if same == index => before,
            _ => array,
        };
        self.intern(Term::Store(array, index, element), sort)
    }

    pub fn is_array(&self, term: TermId) -> bool {
        matches!(self.sort(term), Sort::Array(_))
    }

    /// The element of an array at an index.
    pub fn element(&mut self, array: TermId, index: TermId) -> TermId {
        let mut open = vec![array];
        while let Some(&next) = open.last() {
            if self.array_reads.known.contains_key(&(next, index)) {
                open.pop();
                continue;
            }
            match self.element_of_parts(next, index) {
                Ok(element) => {
                    self.array_reads.known.insert((next, index), element);
                    open.pop();
                }
                Err(missing) => open.extend(missing),
            }
        }
        self.array_reads.known[&(array, index)]
    }

    /// The element, or the parts of the array whose elements must be known before.
    fn element_of_parts(&mut self, array: TermId, index: TermId) -> Result<TermId, Vec<TermId>> {
        let known = |terms: &Terms, part| terms.array_reads.known.get(&(part, index)).copied().ok_or(vec![part]);
        match self.get(array) {
            Term::Filled(element) => Ok(element),
            Term::Variable(_) => Ok(self.element_of_variable(array, index)),
            Term::Ite(condition, a, b) => {
                let (a, b) = (known(self, a)?, known(self, b)?);
                Ok(self.ite(condition, a, b))
            }
            Term::Store(before, at, element) => {
                let same = self.eq(at, index);
                match self.as_boolean(same) {
                    Some(true) => Ok(element),
                    Some(false) => {
                        let before = self.without_stores_elsewhere(before, index);
                        known(self, before)
                    }
                    None => {
                        let before = known(self, before)?;
                        Ok(self.ite(same, element, before))
                    }
                }
            }
            other => unreachable!("{other:?} should not be an array"),
        }
    }

    /// The part of an array of stores that begins with the last one that may be at the index.
    fn without_stores_elsewhere(&mut self, mut array: TermId, index: TermId) -> TermId {
        while let Term::Store(before, at, _) = self.get(array) {
            let same = self.eq(at, index);
            if self.as_boolean(same) != Some(false) {
                break;
            }
            array = before;
        }
        array
    }

    fn element_of_variable(&mut self, array: TermId, index: TermId) -> TermId {
        let Sort::Array(width) = self.sort(array) else { unreachable!("{array} should be an array") };
        let element = self.bv_variable("element", width);
        let reads = self.array_reads.of_variable.remove(&array).unwrap_or_default();
        for &(other, found) in &reads {
            if self.as_constant(index).is_some() && self.as_constant(other).is_some() {
                continue;
            }
            let (same, equal) = (self.eq(index, other), self.eq(element, found));
            let congruence = self.implies(same, equal);
            if self.as_boolean(congruence) != Some(true) {
                self.array_reads.congruences.push(congruence);
            }
        }
        let reads = reads.into_iter().chain([(index, element)]).collect();
        self.array_reads.of_variable.insert(array, reads);
        element
    }

    /// What must hold of the elements that have been read since the last call, and of earlier ones.
    pub fn take_congruences(&mut self) -> Vec<TermId> {
        std::mem::take(&mut self.array_reads.congruences)
    }

    /// At which indices an array variable has been read, and what is there.
    pub fn elements_read(&self, array: TermId) -> impl Iterator<Item = (TermId, TermId)> + '_ {
        self.array_reads.of_variable.get(&array).into_iter().flatten().copied()
    }
}

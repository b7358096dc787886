//! Symbolic values: truth values, integers, and pointers as a pair of object and offset with the set of objects that
//! the pair may name. Integers made from pointers keep the pair, as the interpreter keeps provenance.

use std::rc::Rc;

use terms::{TermId, Terms};

use crate::object::ObjectId;

/// Width of the object part of a pointer.
pub const OBJECT_BITS: u32 = 16;

/// The objects that a pointer may name, sorted. [`ObjectId::NONE`] stands for null and bare integers.
pub type Targets = Rc<[ObjectId]>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SymValue {
    /// A truth value, type `i1`.
    Bool(TermId),
    /// An integer of 8 to 64 bits. In an unfolding also an array of them, and then both parts of a pointer are arrays, too.
    Int(TermId),
    /// A pointer, or an integer of pointer width that came from one. `object` has [`OBJECT_BITS`] bits, `offset`
    /// those of a pointer; the offset of no object is the integer itself.
    Pointer { object: TermId, offset: TermId, targets: Targets },
}

impl SymValue {
    /// The terms that the value consists of, to be compared one by one.
    pub fn components(&self) -> ([TermId; 2], usize) {
        match *self {
            SymValue::Bool(term) | SymValue::Int(term) => ([term, term], 1),
            SymValue::Pointer { object, offset, .. } => ([object, offset], 2),
        }
    }

    /// Whether the value is an integer without an object behind it, and which.
    pub fn as_int(&self) -> Option<TermId> {
        match self {
            SymValue::Bool(_) => None,
            SymValue::Int(term) => Some(*term),
            SymValue::Pointer { offset, targets, .. } => names_nothing(targets).then_some(*offset),
        }
    }

    /// The value as a pointer; an integer becomes a pointer to no object.
    pub fn to_pointer(&self, terms: &mut Terms) -> Option<SymValue> {
        match self {
            SymValue::Bool(_) => None,
            SymValue::Int(term) => Some(SymValue::raw(terms, *term)),
            pointer @ SymValue::Pointer { .. } => Some(pointer.clone()),
        }
    }

    /// The pointer to no object whose bits are `offset`.
    pub fn raw(terms: &mut Terms, offset: TermId) -> SymValue {
        let nothing = terms.constant(OBJECT_BITS, 0);
        let object = if terms.is_array(offset) { terms.filled_array(nothing) } else { nothing };
        SymValue::Pointer { object, offset, targets: Rc::new([ObjectId::NONE]) }
    }

    /// A pointer to `offset` in a known object.
    pub fn address(terms: &mut Terms, object: ObjectId, offset: TermId) -> SymValue {
        let targets = Rc::new([object]);
        SymValue::Pointer { object: terms.constant(OBJECT_BITS, u64::from(object.0)), offset, targets }
    }

    /// `self` where `condition` holds, else `other`. `None` if one is a truth value and the other is not.
    pub fn select(terms: &mut Terms, condition: TermId, then: &SymValue, otherwise: &SymValue) -> Option<SymValue> {
        if then == otherwise {
            return Some(then.clone());
        }
        match (then, otherwise) {
            (SymValue::Bool(a), SymValue::Bool(b)) => Some(SymValue::Bool(terms.ite(condition, *a, *b))),
            (SymValue::Int(a), SymValue::Int(b)) => Some(SymValue::Int(terms.ite(condition, *a, *b))),
            _ => {
                let (then, otherwise) = (then.to_pointer(terms)?, otherwise.to_pointer(terms)?);
                let SymValue::Pointer { object: o1, offset: f1, targets: t1 } = then else { return None };
                let SymValue::Pointer { object: o2, offset: f2, targets: t2 } = otherwise else { return None };
                let object = terms.ite(condition, o1, o2);
                let offset = terms.ite(condition, f1, f2);
                Some(SymValue::Pointer { object, offset, targets: union(&t1, &t2) })
            }
        }
    }
}

/// Whether the only target is "no object".
pub fn names_nothing(targets: &[ObjectId]) -> bool {
    targets.iter().all(|&target| target == ObjectId::NONE)
}

/// The union of two sorted sets.
pub fn union(a: &Targets, b: &Targets) -> Targets {
    if a == b || b.iter().all(|target| a.binary_search(target).is_ok()) {
        return a.clone();
    }
    let mut all: Vec<ObjectId> = a.iter().chain(b.iter()).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}

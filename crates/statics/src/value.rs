//! What a register or a cell of memory may hold: a plain number, an address in one of some objects, a function, the handle
//! of a thread. No possibility at all means that the place is not reached.

use std::collections::{BTreeMap, BTreeSet};

use program::FunctionId;

use crate::identity::{ObjectId, ThreadId};
use crate::name::Name;
use crate::range::Range;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Value {
    /// The numbers that carry no address, null among them.
    pub number: Option<Range>,
    /// The objects it may point into, each with the offsets.
    pub objects: BTreeMap<ObjectId, Range>,
    pub functions: BTreeSet<FunctionId>,
    pub threads: BTreeSet<ThreadId>,
    pub name: Option<Name>,
}

impl Value {
    pub fn number(range: Range) -> Self {
        Self { number: Some(range), ..Self::default() }
    }

    pub fn anything() -> Self {
        Self::number(Range::ALL)
    }

    pub fn address(object: ObjectId, offset: Range) -> Self {
        Self { objects: BTreeMap::from([(object, offset)]), ..Self::default() }
    }

    pub fn thread(thread: ThreadId) -> Self {
        Self { threads: BTreeSet::from([thread]), ..Self::default() }
    }

    pub fn function(function: FunctionId) -> Self {
        Self { functions: BTreeSet::from([function]), ..Self::default() }
    }

    pub fn named(mut self, name: Option<Name>) -> Self {
        self.name = name;
        self
    }

    /// The number, if it can be nothing else.
    pub fn as_constant(&self) -> Option<i64> {
        self.number.filter(|_| self.carries_nothing()).and_then(Range::as_constant)
    }

    /// The range of a value that is certainly a plain number; everything else may be any.
    pub fn as_number(&self) -> Range {
        self.number.filter(|_| self.carries_nothing()).unwrap_or(Range::ALL)
    }

    pub fn carries_nothing(&self) -> bool {
        self.objects.is_empty() && self.functions.is_empty() && self.threads.is_empty()
    }

    pub fn is_impossible(&self) -> bool {
        self.number.is_none() && self.carries_nothing()
    }

    /// Whether an access through it may go to wherever its number says.
    pub fn is_wild(&self) -> bool {
        self.number.is_some_and(|range| !range.contains_zero_only())
    }

    /// The one thread whose handle it is; null and other numbers name no thread only if they are zero.
    pub fn as_thread(&self) -> Option<ThreadId> {
        let only_this = self.number.is_none() && self.objects.is_empty() && self.functions.is_empty();
        match (only_this, self.threads.len()) {
            (true, 1) => self.threads.first().copied(),
            _ => None,
        }
    }

    pub fn join(&self, other: &Self) -> Self {
        self.combine(other, Range::join)
    }

    pub fn widen(&self, other: &Self) -> Self {
        self.combine(other, Range::widen)
    }

    fn combine(&self, other: &Self, ranges: fn(Range, Range) -> Range) -> Self {
        let mut result = self.clone();
        result.number = match (self.number, other.number) {
            (Some(mine), Some(theirs)) => Some(ranges(mine, theirs)),
            (mine, theirs) => mine.or(theirs),
        };
        for (&object, &offset) in &other.objects {
            result.objects.entry(object).and_modify(|known| *known = ranges(*known, offset)).or_insert(offset);
        }
        result.functions.extend(&other.functions);
        result.threads.extend(&other.threads);
        if self.name != other.name {
            result.name = None;
        }
        result
    }

    /// Every offset moved by one of `distance`; `pointer_bits` wide.
    pub fn moved(&self, distance: Range, pointer_bits: u8) -> Self {
        let mut result = Self { functions: self.functions.clone(), ..Self::default() };
        result.number = self.number.map(|number| number.add(distance));
        let distance = distance.signed(pointer_bits);
        result.objects = self.objects.iter().map(|(&o, &at)| (o, at.add(distance).signed(pointer_bits))).collect();
        result
    }
}

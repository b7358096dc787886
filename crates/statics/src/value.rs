//! What a register or a cell of memory may hold: a plain number, an address in one of some objects, a function, the handle
//! of a thread. There is always some possibility: a place that is not reached has no values.
//!
//! The parts are private, so that no operator can make a value that says less than its operands do: values are joined,
//! moved, or forgotten as a whole ([`AbstractInterpreter::forget`](crate::analysis::AbstractInterpreter::forget)).

use std::collections::{BTreeMap, BTreeSet};

use program::FunctionId;

use crate::identity::{ObjectId, ThreadId};
use crate::name::Name;
use crate::range::Range;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbsValue {
    /// The numbers that carry no address, null among them.
    number: Option<Range>,
    /// The objects it may point into, each with the offsets.
    objects: BTreeMap<ObjectId, Range>,
    functions: BTreeSet<FunctionId>,
    threads: BTreeSet<ThreadId>,
    name: Option<Name>,
}

impl AbsValue {
    /// No possibility yet.
    const fn empty() -> Self {
        Self {
            number: None,
            objects: BTreeMap::new(),
            functions: BTreeSet::new(),
            threads: BTreeSet::new(),
            name: None,
        }
    }

    pub fn number(range: Range) -> Self {
        Self { number: Some(range), ..Self::empty() }
    }

    /// Any number: what is left of a value of which nothing is known. What it may have carried must be exposed.
    pub fn anything() -> Self {
        Self::number(Range::ALL)
    }

    pub fn address(object: ObjectId, offset: Range) -> Self {
        Self { objects: BTreeMap::from([(object, offset)]), ..Self::empty() }
    }

    pub fn thread(thread: ThreadId) -> Self {
        Self { threads: BTreeSet::from([thread]), ..Self::empty() }
    }

    pub fn function(function: FunctionId) -> Self {
        Self { functions: BTreeSet::from([function]), ..Self::empty() }
    }

    /// What is one of these; `None` if there are none.
    pub fn one_of(values: impl IntoIterator<Item = AbsValue>) -> Option<AbsValue> {
        values.into_iter().reduce(|all, value| all.join(&value))
    }

    pub fn named(mut self, name: Option<Name>) -> Self {
        self.name = name;
        self
    }

    pub fn set_name(&mut self, name: Option<Name>) {
        self.name = name;
    }

    pub fn name(&self) -> Option<Name> {
        self.name
    }

    pub fn objects(&self) -> &BTreeMap<ObjectId, Range> {
        &self.objects
    }

    pub fn functions(&self) -> &BTreeSet<FunctionId> {
        &self.functions
    }

    pub fn threads(&self) -> &BTreeSet<ThreadId> {
        &self.threads
    }

    /// The numbers it may be, besides whatever else it may be.
    pub fn numbers(&self) -> Option<Range> {
        self.number
    }

    /// The range of a value that is certainly a plain number.
    pub fn plain_number(&self) -> Option<Range> {
        self.number.filter(|_| self.carries_nothing())
    }

    /// The number, if it can be nothing else.
    pub fn as_constant(&self) -> Option<i64> {
        self.plain_number().and_then(Range::as_offset)
    }

    /// Whether the truth value (of one bit) holds, if that is certain.
    pub fn as_truth(&self) -> Option<bool> {
        self.plain_number().and_then(|range| range.unsigned(1).as_constant()).map(|truth| truth != 0)
    }

    pub fn carries_nothing(&self) -> bool {
        self.objects.is_empty() && self.functions.is_empty() && self.threads.is_empty()
    }

    /// Whether an access through it may go to wherever its number says.
    pub fn is_wild(&self) -> bool {
        self.number.is_some_and(|range| !range.contains_zero_only())
    }

    /// Whether it is certainly not null: an address at or behind the beginning of an object, or that of a function.
    pub fn is_certainly_address(&self) -> bool {
        /// No object lies so high that it reaches the end of the address space from there.
        const MOST: i128 = 1 << 62;
        let ahead = |offset: &Range| offset.low() >= 0 && offset.high() <= MOST;
        let has_place = !self.objects.is_empty() || !self.functions.is_empty();
        self.number.is_none() && self.threads.is_empty() && has_place && self.objects.values().all(ahead)
    }

    /// The one thread whose handle it certainly is.
    pub fn as_thread(&self) -> Option<ThreadId> {
        let only_this = self.number.is_none() && self.objects.is_empty() && self.functions.is_empty();
        match (only_this, self.threads.len()) {
            (true, 1) => self.threads.first().copied(),
            _ => None,
        }
    }

    /// Whether it may be the handle of a thread that is not among [`threads`](Self::threads): a number that came from
    /// anywhere.
    pub fn may_be_any_handle(&self) -> bool {
        self.is_wild() || !self.objects.is_empty() || !self.functions.is_empty()
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

    /// Of a plain number that was compared: only these are possible.
    pub fn restrict(&mut self, range: Range) {
        debug_assert!(self.carries_nothing(), "only a plain number should be restricted");
        self.number = Some(range);
    }

    /// The same objects, each at its beginning.
    pub fn at_the_beginning(&self) -> Self {
        self.with_offsets(|_| Range::ZERO)
    }

    /// The same objects at any offset.
    pub fn anywhere(&self) -> Self {
        self.with_offsets(|_| Range::ALL).named(None)
    }

    /// Every offset and number moved by one of `distance`; `bits` wide. A handle of a thread becomes any number.
    pub fn moved(&self, distance: Range, bits: u8) -> Self {
        let distance = distance.signed(bits);
        let mut result = self.with_offsets(|at| at.add(distance).signed(bits)).named(None);
        result.number = self.number.map(|number| number.fit(bits).add(distance).fit(bits));
        if !result.threads.is_empty() {
            result.number = Some(Range::ALL);
        }
        result
    }

    fn with_offsets(&self, change: impl Fn(Range) -> Range) -> Self {
        let objects = self.objects.iter().map(|(&object, &at)| (object, change(at))).collect();
        Self { objects, ..self.clone() }
    }
}

//! The arena of terms: one dense array, each distinct term once.

use base::{Id, IdVec};
use rustc_hash::FxHashMap;

use crate::arrays::ArrayReads;
use crate::semantics;
use crate::term::{MAX_WIDTH, Sort, Term, TermId, VariableId};

/// What is known of a variable.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    term: TermId,
}

/// All terms of one problem. Builders (see the methods such as [`Terms::add`]) return the id of an equivalent term,
/// which is simplified on the way unless the arena was made by [`Terms::without_rewriting`].
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: IdVec<TermId, Term>,
    /// Width of each term; 0 for Booleans, and that of an element with [`ARRAY`] for arrays.
    widths: IdVec<TermId, u8>,
    known: FxHashMap<Term, TermId>,
    variables: IdVec<VariableId, Variable>,
    pub(crate) array_reads: ArrayReads,
    pub(crate) rewriting: bool,
}

/// Marks the width of an element.
const ARRAY: u8 = 0x80;

impl Terms {
    pub fn new() -> Self {
        let mut terms = Self {
            nodes: IdVec::new(),
            widths: IdVec::new(),
            known: FxHashMap::default(),
            variables: IdVec::new(),
            array_reads: ArrayReads::default(),
            rewriting: true,
        };
        terms.intern(Term::Boolean(false), Sort::Bool);
        terms.intern(Term::Boolean(true), Sort::Bool);
        terms
    }

    /// Builds terms as they are asked for: the yardstick for the simplifying arena.
    pub fn without_rewriting() -> Self {
        Self { rewriting: false, ..Self::new() }
    }

    /// The number of distinct terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the truth values are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn get(&self, term: TermId) -> Term {
        self.nodes[term]
    }

    pub fn sort(&self, term: TermId) -> Sort {
        match self.widths[term] {
            0 => Sort::Bool,
            width if width & ARRAY != 0 => Sort::Array(u32::from(width & !ARRAY)),
            width => Sort::BitVec(u32::from(width)),
        }
    }

    /// The width of a bit-vector term.
    pub fn width(&self, term: TermId) -> u32 {
        self.sort(term).width()
    }

    /// The value of a Boolean constant.
    pub fn as_boolean(&self, term: TermId) -> Option<bool> {
        match self.get(term) {
            Term::Boolean(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a bit-vector constant.
    pub fn as_constant(&self, term: TermId) -> Option<u64> {
        match self.get(term) {
            Term::Constant { value, .. } => Some(value),
            _ => None,
        }
    }

    pub fn boolean(&self, value: bool) -> TermId {
        TermId::new(usize::from(value))
    }

    /// The constant with the low `width` bits of `value`.
    pub fn constant(&mut self, width: u32, value: u64) -> TermId {
        let sort = bit_vector_sort(width);
        self.intern(Term::Constant { width: width as u8, value: value & semantics::mask(width) }, sort)
    }

    /// A new Boolean variable. Names are for printing; two variables may share one.
    pub fn bool_variable(&mut self, name: impl Into<String>) -> TermId {
        self.variable(name.into(), Sort::Bool)
    }

    /// A new bit-vector variable.
    pub fn bv_variable(&mut self, name: impl Into<String>, width: u32) -> TermId {
        self.variable(name.into(), bit_vector_sort(width))
    }

    pub fn variables(&self) -> impl DoubleEndedIterator<Item = VariableId> + ExactSizeIterator + use<> {
        self.variables.ids()
    }

    pub fn variable_name(&self, variable: VariableId) -> &str {
        &self.variables[variable].name
    }

    pub fn variable_term(&self, variable: VariableId) -> TermId {
        self.variables[variable].term
    }

    pub(crate) fn variable(&mut self, name: String, sort: Sort) -> TermId {
        let term = self.intern(Term::Variable(self.variables.next_id()), sort);
        self.variables.push(Variable { name, term });
        term
    }

    /// The id of `term`, adding it if it is new.
    pub(crate) fn intern(&mut self, term: Term, sort: Sort) -> TermId {
        let next = self.nodes.next_id();
        let id = *self.known.entry(term).or_insert(next);
        if id == next {
            self.nodes.push(term);
            self.widths.push(match sort {
                Sort::Bool => 0,
                Sort::BitVec(width) => width as u8,
                Sort::Array(width) => width as u8 | ARRAY,
            });
        }
        id
    }
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

fn bit_vector_sort(width: u32) -> Sort {
    assert!((1..=MAX_WIDTH).contains(&width), "a width should lie in 1..={MAX_WIDTH}, not be {width}");
    Sort::BitVec(width)
}

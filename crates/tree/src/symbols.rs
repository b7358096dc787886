//! What the tokens of opaque values stand for: a term, and the object behind it if it is a pointer.
//!
//! Tokens, terms and inputs are shared by all paths, so that equal values on different paths are the same token, and
//! the n-th input of a thread is one variable wherever it is asked for.

use execute::{Provenance, Value};
use program::{ObjectName, ThreadId};
use rustc_hash::FxHashMap;
use terms::{Sort, TermId, Terms};

/// A value that is not a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Symbol {
    /// Of sort `Bool` for truth values, else a bit-vector.
    pub term: TermId,
    pub provenance: Option<Provenance>,
}

/// Which input a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InputName {
    /// The n-th choice of a thread, of so many bits.
    Choice(ThreadId, u32, u8),
    /// Indeterminate bytes: object, offset, length.
    Memory(ObjectName, u64, u64),
}

#[derive(Default)]
pub struct Symbols {
    pub terms: Terms,
    table: Vec<Symbol>,
    tokens: FxHashMap<Symbol, u32>,
    inputs: FxHashMap<InputName, TermId>,
}

impl Symbols {
    pub fn new() -> Self {
        Self::default()
    }

    /// The value that `term` stands for: a constant if it is one.
    pub fn value(&mut self, term: TermId, provenance: Option<Provenance>) -> Value {
        let constant = self.terms.as_boolean(term).map(u64::from).or_else(|| self.terms.as_constant(term));
        if let Some(bits) = constant {
            return Value::with_provenance(bits, provenance);
        }
        let symbol = Symbol { term, provenance };
        let next = self.table.len() as u32;
        let token = *self.tokens.entry(symbol).or_insert(next);
        if token == next {
            self.table.push(symbol);
        }
        Value::opaque(token)
    }

    pub fn symbol(&self, value: Value) -> Option<Symbol> {
        value.token().map(|token| self.table[token as usize])
    }

    pub fn of_token(&self, token: u32) -> Symbol {
        self.table[token as usize]
    }

    /// The object that a value points to, as far as it is known.
    pub fn provenance(&self, value: Value) -> Option<Provenance> {
        self.symbol(value).map_or(value.provenance(), |symbol| symbol.provenance)
    }

    /// The bits of a value as a term of `bits` bits; a truth value if that is one bit.
    pub fn term(&mut self, value: Value, bits: u8) -> TermId {
        let Some(symbol) = self.symbol(value) else {
            return match bits {
                1 => self.terms.boolean(value.bits & 1 != 0),
                _ => self.terms.constant(u32::from(bits), value.bits),
            };
        };
        match (self.terms.sort(symbol.term), bits) {
            (Sort::Bool, 1) => symbol.term,
            (Sort::Bool, _) => self.terms.bool_to_bv(symbol.term, u32::from(bits)),
            (Sort::BitVec(_), 1) => {
                let lowest = self.terms.extract(symbol.term, 0, 0);
                self.terms.bv_to_bool(lowest)
            }
            (Sort::BitVec(_), _) => self.terms.resize(symbol.term, u32::from(bits), false),
            (Sort::Array(_), _) => unreachable!("a value should not be an array"),
        }
    }

    /// The variable of an input.
    pub fn input(&mut self, name: InputName) -> TermId {
        if let Some(&known) = self.inputs.get(&name) {
            return known;
        }
        let variable = match name {
            InputName::Choice(_, _, 1) => self.terms.bool_variable("input"),
            InputName::Choice(_, _, bits) => self.terms.bv_variable("input", u32::from(bits)),
            InputName::Memory(_, _, length) => self.terms.bv_variable("memory", length as u32 * 8),
        };
        self.inputs.insert(name, variable);
        variable
    }
}

//! Interned identifiers of one translation unit: equal names are equal [`Symbol`]s.

use base::define_id;
use base::ids::IdVec;
use rustc_hash::FxHashMap;

define_id!(
    /// An identifier, interned in the [`Interner`] of its translation unit.
    Symbol,
    "name"
);

/// The table behind [`Symbol`].
#[derive(Clone, Debug, Default)]
pub struct Interner {
    names: IdVec<Symbol, Box<str>>,
    index: FxHashMap<Box<str>, Symbol>,
}

impl Interner {
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.index.get(name) {
            return symbol;
        }
        let symbol = self.names.push(name.into());
        self.index.insert(name.into(), symbol);
        symbol
    }

    /// The symbol of `name`, if it occurs in this translation unit.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.index.get(name).copied()
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol]
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

//! Which identifiers name types at the current place: block scopes over typedef names and the variables hiding them.

use base::ids::Id;

use crate::ast::BasicType;
use crate::symbol::{Interner, Symbol};

/// What an identifier means to the grammar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdentifierMeaning {
    /// A variable, function, enumerator, or nothing known.
    Ordinary,
    /// A typedef name of the program.
    Typedef,
    /// A type name that compilers know without a declaration; programs may redeclare it.
    Builtin(BasicType),
}

const BUILTIN_TYPES: [(&str, BasicType); 17] = [
    ("__builtin_va_list", BasicType::VaList),
    ("__int128_t", BasicType::Int128),
    ("__uint128_t", BasicType::UnsignedInt128),
    ("_Float16", BasicType::Float16),
    ("__fp16", BasicType::Float16),
    ("__bf16", BasicType::Float16),
    ("_Float32", BasicType::Float32),
    ("_Float64", BasicType::Float64),
    ("_Float32x", BasicType::Float32x),
    ("_Float64x", BasicType::Float64x),
    ("_Float128", BasicType::Float128),
    ("_Float128x", BasicType::Float128),
    ("__float128", BasicType::Float128),
    ("__float80", BasicType::LongDouble),
    ("_Decimal32", BasicType::Decimal32),
    ("_Decimal64", BasicType::Decimal64),
    ("_Decimal128", BasicType::Decimal128),
];

pub struct Scopes {
    /// The meaning of each symbol now; symbols beyond the end are ordinary.
    meanings: Vec<IdentifierMeaning>,
    /// What to restore when scopes end.
    hidden: Vec<(Symbol, IdentifierMeaning)>,
    /// For each open scope, how much of `hidden` is older than it.
    marks: Vec<usize>,
}

impl Scopes {
    pub fn new(names: &mut Interner) -> Self {
        let builtins = BUILTIN_TYPES.map(|(name, basic)| (names.intern(name), basic));
        let mut scopes =
            Self { meanings: vec![IdentifierMeaning::Ordinary; names.len()], hidden: Vec::new(), marks: Vec::new() };
        for (symbol, basic) in builtins {
            scopes.declare(symbol, IdentifierMeaning::Builtin(basic));
        }
        scopes
    }

    #[inline]
    pub fn meaning(&self, symbol: Symbol) -> IdentifierMeaning {
        self.meanings.get(symbol.index()).copied().unwrap_or(IdentifierMeaning::Ordinary)
    }

    pub fn names_type(&self, symbol: Symbol) -> bool {
        self.meaning(symbol) != IdentifierMeaning::Ordinary
    }

    /// Declares a name in the innermost scope.
    pub fn declare(&mut self, symbol: Symbol, meaning: IdentifierMeaning) {
        if self.meaning(symbol) == meaning {
            return;
        }
        if symbol.index() >= self.meanings.len() {
            self.meanings.resize(symbol.index() + 1, IdentifierMeaning::Ordinary);
        }
        let outer = std::mem::replace(&mut self.meanings[symbol.index()], meaning);
        if !self.marks.is_empty() {
            self.hidden.push((symbol, outer));
        }
    }

    pub fn enter(&mut self) {
        self.marks.push(self.hidden.len());
    }

    pub fn leave(&mut self) {
        let mark = self.marks.pop().expect("every scope that is left should have been entered");
        while self.hidden.len() > mark {
            let (symbol, outer) = self.hidden.pop().expect("the mark should be below the length");
            self.meanings[symbol.index()] = outer;
        }
    }
}

//! What the syntax of a function body tells before any code is made of it.

mod address_taken;
mod backward_gotos;
mod escaping;
mod inspector;

use rustc_hash::FxHashSet;

use crate::ast::{StmtId, TranslationUnit};
use crate::symbol::Symbol;
pub use address_taken::plain_address;
pub use backward_gotos::BackwardGotos;
use escaping::Escaping;
pub use inspector::{Inspector, takes_unevaluated};

/// What is known of the names in a function body.
#[derive(Default)]
pub struct BodyFacts {
    /// Names whose address is taken, so that locals of that name need memory.
    pub address_taken: FxHashSet<Symbol>,
    /// Names whose objects code elsewhere may know. Only looked for where a goto leads back over declarations.
    pub escaping: Escaping,
}

impl BodyFacts {
    pub fn of(ast: &TranslationUnit, body: StmtId, gotos: &BackwardGotos) -> Self {
        let escaping = if gotos.has_any() { Escaping::of(ast, body) } else { Escaping::default() };
        Self { address_taken: address_taken::address_taken(ast, body), escaping }
    }
}

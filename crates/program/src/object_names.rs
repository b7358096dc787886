//! Names of objects that the front end makes and that later stages must know again.

use crate::program_::{Global, Local};

/// Where a caller keeps the extra arguments of a variadic call.
pub const VARIADIC_ARGUMENTS: &str = "(variadic arguments)";
pub const COMPOUND_LITERAL: &str = "(compound literal)";

impl Global {
    /// Whether this is a string literal: it may be a part of another one.
    pub fn is_string_literal(&self) -> bool {
        self.read_only && self.name.starts_with('"')
    }

    /// Whether this is a compound literal of a constant type: it may be the same object as other literals (C11 6.5.2.5p7).
    pub fn is_constant_literal(&self) -> bool {
        self.read_only && self.name == COMPOUND_LITERAL
    }
}

impl Local {
    /// As [`Global::is_constant_literal`].
    pub fn is_constant_literal(&self) -> bool {
        self.read_only && self.name == COMPOUND_LITERAL
    }
}

//! From C text to [`program::Program`]: preprocessing, parsing, types and lowering.
//!
//! Invariant: knows nothing of engines, and nothing here prints.

mod adapt;
pub mod ast;
pub mod ast_print;
mod basic_types;
mod columns;
pub mod compile;
pub mod compiler_options;
mod ctype;
mod declaration_features;
pub mod deep_stack;
pub mod dialect;
mod effects;
mod emit;
mod entry;
mod entry_parameters;
mod finish;
mod fold;
mod function_options;
mod hex_float;
mod inline_definitions;
pub mod invariant_candidates;
mod layout;
mod leaves;
pub mod lexer;
mod library;
mod link;
pub mod literal;
mod lower;
mod packing;
pub mod parser;
pub mod placed_check;
mod prelude;
pub mod preprocess;
mod process_end;
mod scopes;
pub mod source_text;
mod survey;
pub mod symbol;
mod sync_types;
pub mod token;
mod type_parts;
mod undefined_objects;
mod unsupported_uses;
mod visit;
mod weak_symbols;

pub use compile::{CompileFailure, CompileOptions, Compiled, MayFail, Stubs, compile, compile_text, defines_function};
pub use preprocess::PreprocessOptions;
pub use source_text::{ParsedUnit, parse_file, parse_text, token_dump};

//! Text forms of tokens and syntax trees, for people and tests.
//!
//! Statements are an indented tree; expressions are written with the operator in front, `(+ a (* b c))`; types are read
//! from the outside in, `array[3] of pointer to int`. A struct or enum shared by several declarators is written out once
//! and then referred to by its id.

mod declarations;
mod expressions;
mod statements;
mod types;

use std::fmt::Write;

use base::{FileId, Files};

use crate::ast::{FunctionDefinition, Item, StorageClass, TranslationUnit};
use crate::deep_stack::with_deep_stack;
use crate::symbol::Symbol;
use crate::token::{Token, TokenKind};

/// One line per token: its place, its kind and its text.
pub fn print_tokens(tokens: &[Token], source: &[u8], files: &Files) -> String {
    let mut out = String::new();
    for token in tokens.iter().filter(|token| token.kind != TokenKind::EndOfFile) {
        let text = token.text(source).escape_ascii();
        let _ = writeln!(out, "{}\t{:?}\t{text}", files.describe(token.span), token.kind);
    }
    out
}

/// The whole tree.
pub fn print_unit(unit: &TranslationUnit) -> String {
    print_items(unit, |_| true)
}

/// Only the items that begin in `file`: what the user wrote, without the headers.
pub fn print_items_of(unit: &TranslationUnit, file: FileId) -> String {
    print_items(unit, |item| item_file(item) == file)
}

/// One function definition.
pub fn print_function(unit: &TranslationUnit, definition: &FunctionDefinition) -> String {
    with_deep_stack(|| {
        let mut printer = Printer::new(unit);
        printer.item(&Item::Function(definition.clone()));
        printer.out
    })
}

/// What a name stands for at file scope, if it is an enumerator, a tag or the name of a type.
pub fn print_meaning(unit: &TranslationUnit, name: Symbol) -> String {
    with_deep_stack(|| {
        let mut printer = Printer::new(unit);
        for id in unit.enums.ids() {
            let enumerators = unit[id].enumerators.as_deref().unwrap_or_default();
            if enumerators.iter().any(|enumerator| enumerator.name == name) || unit[id].tag == Some(name) {
                printer.enumeration(id);
            }
        }
        for id in unit.records.ids().filter(|&id| unit[id].tag == Some(name) && unit[id].members.is_some()) {
            printer.record(id);
        }
        let declarations = unit.items.iter().filter_map(|item| match item {
            Item::Declaration(declaration) => Some(declaration),
            _ => None,
        });
        for declaration in declarations.filter(|one| one.specifiers.storage == Some(StorageClass::Typedef)) {
            for init in declaration.declarators.iter().filter(|init| init.declarator.name == name) {
                printer.type_expr(init.declarator.ty);
            }
        }
        printer.out
    })
}

fn print_items(unit: &TranslationUnit, is_wanted: impl Fn(&Item) -> bool + Sync) -> String {
    with_deep_stack(|| {
        let mut printer = Printer::new(unit);
        for item in unit.items.iter().filter(|item| is_wanted(item)) {
            printer.item(item);
        }
        printer.out
    })
}

fn item_file(item: &Item) -> FileId {
    let span = match item {
        Item::Declaration(declaration) => declaration.span,
        Item::Function(function) => function.span,
        Item::StaticAssert(assertion) => assertion.span,
        Item::Asm(asm) => asm.span,
    };
    span.file
}

struct Printer<'a> {
    unit: &'a TranslationUnit,
    out: String,
    indent: usize,
    /// Which records and enums have been written out, by id.
    records_written: Vec<bool>,
    enums_written: Vec<bool>,
}

impl<'a> Printer<'a> {
    fn new(unit: &'a TranslationUnit) -> Self {
        Self {
            unit,
            out: String::new(),
            indent: 0,
            records_written: vec![false; unit.records.len()],
            enums_written: vec![false; unit.enums.len()],
        }
    }

    fn write(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&mut self, symbol: Symbol) {
        self.out.push_str(self.unit.names.name(symbol));
    }

    /// Begins a line.
    fn begin(&mut self, text: &str) {
        self.out.extend(std::iter::repeat_n("  ", self.indent));
        self.out.push_str(text);
    }

    fn end(&mut self) {
        self.out.push('\n');
    }

    fn line(&mut self, text: &str) {
        self.begin(text);
        self.end();
    }

    /// Runs `print` one level further in.
    fn indented(&mut self, print: impl FnOnce(&mut Self)) {
        self.indent += 1;
        print(self);
        self.indent -= 1;
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let _ = write!(self.out, "\"{}\"", bytes.escape_ascii());
    }
}

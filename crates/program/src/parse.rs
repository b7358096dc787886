//! Reads the text form of a program (see `text`). What parses need not be well formed: `verify` tells.
//!
//! Guarantee: printing a program and reading it back gives the same program, but for the texts of the source files.
//! Any other text gives an error with its line, never a panic.

mod cursor;
mod instruction;

use std::fmt;
use std::str::FromStr;

use base::{Files, Id, IdVec};

use self::cursor::{Cursor, Parsed};
use crate::constant_parts::ConstantParts;
use crate::instruction::{Block, Terminator};
use crate::program_::{Function, FunctionId, Global, Initialiser, Local, Program, Register, Relocation};
use crate::shape::{Shape, ShapeField, ShapeId};
use crate::types::DataModel;

/// Why a text is not a program. Lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub line: usize,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

impl FromStr for Program {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut lines = Lines::new(text);
        let mut program = lines.parse_next(header)?.ok_or_else(|| lines.error("the text is empty"))?;
        while let Some(item) = lines.parse_next(|cursor| item(cursor, &mut program))? {
            if let ParsedItem::Function(function) = item {
                let function = body(&mut lines, function)?;
                program.functions.push(function);
            }
        }
        Ok(program)
    }
}

/// The lines that say something, with their numbers.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    number: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self { lines: text.lines().enumerate(), number: 0 }
    }

    /// Parses the next whole line; `None` at the end of the text.
    fn parse_next<T>(&mut self, parser: impl FnOnce(&mut Cursor<'a>) -> Parsed<T>) -> Result<Option<T>, ParseError> {
        let Some(line) = self.next_line() else { return Ok(None) };
        let mut cursor = Cursor::new(line);
        let parsed = parser(&mut cursor).and_then(|value| cursor.end().map(|()| value));
        parsed.map(Some).map_err(|message| self.error(message))
    }

    fn next_line(&mut self) -> Option<&'a str> {
        for (index, line) in self.lines.by_ref() {
            self.number = index + 1;
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                return Some(line);
            }
        }
        None
    }

    fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.number, message: message.into() }
    }
}

fn header(cursor: &mut Cursor<'_>) -> Parsed<Program> {
    cursor.keyword("program")?;
    let data_model = match cursor.word() {
        "lp64" => DataModel::Lp64,
        "ilp32" => DataModel::Ilp32,
        other => return Err(format!("`{other}` is not a data model")),
    };
    cursor.keyword("entry")?;
    Ok(Program { data_model, entry: FunctionId(cursor.id("f")?), ..Program::default() })
}

enum ParsedItem {
    Function(Function),
    Other,
}

fn item(cursor: &mut Cursor<'_>, program: &mut Program) -> Parsed<ParsedItem> {
    match cursor.word() {
        "file" => file(cursor, &mut program.files)?,
        "own-size" => {
            let kind = cursor.word();
            let size = cursor.number()?;
            let mut sizes = program.own_sizes.named().into_iter();
            let (_, known) =
                sizes.find(|(name, _)| *name == kind).ok_or_else(|| format!("`{kind}` is no kind of object"))?;
            *known = Some(size as u32);
        }
        "input-bound" => program.input_bounds.push(cursor.string()?),
        "shape" => {
            let shape = |cursor: &mut Cursor<'_>| cursor.expect("=").and_then(|()| shape(cursor));
            numbered(cursor, "shape", &mut program.shapes, shape)?
        }
        "global" => numbered(cursor, "g", &mut program.globals, global)?,
        "function" => {
            cursor.next_id("f", program.functions.len())?;
            return function(cursor).map(ParsedItem::Function);
        }
        other => return Err(format!("`{other}` is neither a file, a shape, a global nor a function")),
    }
    Ok(ParsedItem::Other)
}

/// Parses an entry of a table, which must be the next one.
fn numbered<'a, I: Id, T>(
    cursor: &mut Cursor<'a>,
    prefix: &str,
    table: &mut IdVec<I, T>,
    entry: impl FnOnce(&mut Cursor<'a>) -> Parsed<T>,
) -> Parsed<()> {
    cursor.next_id(prefix, table.len())?;
    table.push(entry(cursor)?);
    Ok(())
}

fn file(cursor: &mut Cursor<'_>, files: &mut Files) -> Parsed<()> {
    cursor.next_id("file", files.len())?;
    let path = cursor.string()?;
    let known = files.len();
    files.intern(&path);
    if files.len() == known {
        return Err(format!("file {path:?} is listed twice"));
    }
    Ok(())
}

fn shape(cursor: &mut Cursor<'_>) -> Parsed<Shape> {
    match cursor.word() {
        "scalar" => Ok(Shape::Scalar(cursor.ty()?)),
        "array" => Ok(Shape::Array {
            element: ShapeId(cursor.id("shape")?),
            stride: cursor.keyword("stride").and_then(|()| cursor.number())?,
            count: cursor.keyword("count").and_then(|()| cursor.number())?,
        }),
        "record" => Ok(Shape::Record {
            name: cursor.string()?,
            fields: cursor.list("{", "}", |cursor| {
                Ok(ShapeField { name: cursor.string()?, offset: cursor.number()?, shape: ShapeId(cursor.id("shape")?) })
            })?,
        }),
        "opaque" => Ok(Shape::Opaque),
        other => Err(format!("`{other}` is not a shape")),
    }
}

fn global(cursor: &mut Cursor<'_>) -> Parsed<Global> {
    let (name, size, align, shape) = object(cursor)?;
    let mut initial = Initialiser::default();
    if cursor.eat_keyword("bytes") {
        initial.bytes = cursor.hex_bytes()?;
    }
    if cursor.eat_keyword("addresses") {
        let relocation =
            |cursor: &mut Cursor<'_>| Ok(Relocation { offset: cursor.number()?, value: cursor.operand()? });
        initial.relocations = cursor.list("{", "}", relocation)?;
    }
    initial.indeterminate = cursor.eat_keyword("indeterminate");
    let thread_local = cursor.eat_keyword("thread-local");
    let read_only = cursor.eat_keyword("read-only");
    let constant_parts = constant_parts(cursor)?;
    Ok(Global { name, size, align, shape, initial, thread_local, read_only, constant_parts, span: cursor.span()? })
}

fn object(cursor: &mut Cursor<'_>) -> Parsed<(String, u64, u64, ShapeId)> {
    let name = cursor.string()?;
    cursor.keyword("size")?;
    let size = cursor.number()?;
    cursor.keyword("align")?;
    Ok((name, size, cursor.number()?, ShapeId(cursor.id("shape")?)))
}

fn function(cursor: &mut Cursor<'_>) -> Parsed<Function> {
    let name = cursor.string()?;
    let parameters = cursor.list("(", ")", Cursor::register)?;
    let result = if cursor.eat("->") { Some(cursor.ty()?) } else { None };
    let variadic = cursor.eat_keyword("variadic");
    let built_in = cursor.eat_keyword("built-in");
    let span = cursor.span()?;
    cursor.expect("{")?;
    let (registers, locals, blocks) = Default::default();
    Ok(Function { name, parameters, result, variadic, registers, locals, blocks, built_in, span })
}

/// A line inside a function.
enum Line {
    Declaration,
    Label,
    Instruction(crate::instruction::Instruction),
    Terminator(Terminator),
    End,
}

fn body(lines: &mut Lines<'_>, mut function: Function) -> Result<Function, ParseError> {
    // Instructions since the last label, if one is open.
    let mut open = None;
    loop {
        let line = lines.parse_next(|cursor| line(cursor, &mut function, open.is_some()))?;
        match line.ok_or_else(|| lines.error("the function is not closed"))? {
            Line::Declaration => {}
            Line::Label => open = Some(Vec::new()),
            Line::Instruction(instruction) => open.get_or_insert_default().push(instruction),
            Line::Terminator(terminator) => {
                function.blocks.push(Block { instructions: open.take().unwrap_or_default(), terminator });
            }
            Line::End => return Ok(function),
        }
    }
}

/// `in_block`: a label has been read and its terminator has not.
fn line(cursor: &mut Cursor<'_>, function: &mut Function, in_block: bool) -> Parsed<Line> {
    if in_block {
        return instruction::statement(cursor);
    }
    if cursor.eat("}") {
        return Ok(Line::End);
    }
    if cursor.eat_keyword("register") {
        numbered(cursor, "r", &mut function.registers, register)?;
        return Ok(Line::Declaration);
    }
    if cursor.eat_keyword("local") {
        numbered(cursor, "m", &mut function.locals, local)?;
        return Ok(Line::Declaration);
    }
    cursor.next_id("b", function.blocks.len())?;
    cursor.expect(":")?;
    Ok(Line::Label)
}

fn register(cursor: &mut Cursor<'_>) -> Parsed<Register> {
    let ty = cursor.ty()?;
    let name = if cursor.at_string() { Some(cursor.string()?) } else { None };
    Ok(Register { ty, name })
}

fn local(cursor: &mut Cursor<'_>) -> Parsed<Local> {
    let (name, size, align, shape) = object(cursor)?;
    let read_only = cursor.eat_keyword("read-only");
    let constant_parts = constant_parts(cursor)?;
    Ok(Local { name, size, align, shape, read_only, constant_parts, span: cursor.span()? })
}

fn constant_parts(cursor: &mut Cursor<'_>) -> Parsed<ConstantParts> {
    if !cursor.eat_keyword("constant") {
        return Ok(ConstantParts::default());
    }
    let parts = cursor.list("{", "}", |cursor| Ok((cursor.number()?, cursor.number()?)))?;
    Ok(ConstantParts::new(parts))
}

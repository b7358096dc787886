//! Words, numbers, strings and operands of one line.

use std::str::FromStr;

use base::{FileId, Span};

use crate::instruction::{MemoryOrder, Operand};
use crate::program_::{BlockId, FunctionId, GlobalId, LocalId, RegisterId};
use crate::types::Type;

/// A value, or what is wrong in words.
pub(super) type Parsed<T> = Result<T, String>;

#[derive(Clone)]
pub(super) struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    pub fn new(line: &'a str) -> Self {
        Self { rest: line.trim_start() }
    }

    pub fn end(&self) -> Parsed<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(format!("`{}` is too much", self.rest)) }
    }

    /// The word ahead: letters, digits, `-` and `_`; empty if something else is ahead.
    pub fn peek_word(&self) -> &'a str {
        let end = self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
        &self.rest[..end.unwrap_or(self.rest.len())]
    }

    pub fn word(&mut self) -> &'a str {
        let word = self.peek_word();
        self.skip(word.len());
        word
    }

    pub fn eat_keyword(&mut self, keyword: &str) -> bool {
        let found = self.peek_word() == keyword;
        if found {
            self.skip(keyword.len());
        }
        found
    }

    pub fn keyword(&mut self, keyword: &str) -> Parsed<()> {
        if self.eat_keyword(keyword) { Ok(()) } else { Err(self.expected(&format!("`{keyword}`"))) }
    }

    /// Takes exactly these characters if they are ahead.
    pub fn eat(&mut self, symbol: &str) -> bool {
        let found = self.rest.starts_with(symbol);
        if found {
            self.skip(symbol.len());
        }
        found
    }

    pub fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    pub fn expected(&self, what: &str) -> String {
        if self.rest.is_empty() {
            format!("{what} is expected at the end of the line")
        } else {
            format!("{what} is expected at `{}`", self.rest)
        }
    }

    fn skip(&mut self, length: usize) {
        self.rest = self.rest[length..].trim_start();
    }

    /// The digits ahead as a number.
    fn digits<T: FromStr>(&mut self) -> Parsed<T> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let number = self.rest[..end].parse().map_err(|_| self.expected("a number"))?;
        self.skip(end);
        Ok(number)
    }

    pub fn number(&mut self) -> Parsed<u64> {
        self.digits()
    }

    /// An id with this prefix.
    pub fn id(&mut self, prefix: &str) -> Parsed<u32> {
        let expected = || self.expected(&format!("`{prefix}` with a number"));
        let digits = self.rest.strip_prefix(prefix).ok_or_else(expected)?;
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(expected());
        }
        self.rest = digits;
        self.digits()
    }

    /// The id of the next entry of a table of which `known` entries are known.
    pub fn next_id(&mut self, prefix: &str, known: usize) -> Parsed<()> {
        let id = self.id(prefix)?;
        if id as usize == known { Ok(()) } else { Err(format!("{prefix}{id} found where {prefix}{known} is expected")) }
    }

    pub fn register(&mut self) -> Parsed<RegisterId> {
        self.id("r").map(RegisterId)
    }

    pub fn local(&mut self) -> Parsed<LocalId> {
        self.id("m").map(LocalId)
    }

    pub fn block(&mut self) -> Parsed<BlockId> {
        self.id("b").map(BlockId)
    }

    pub fn ty(&mut self) -> Parsed<Type> {
        let ty = match self.peek_word() {
            "f32" => Type::Float,
            "f64" => Type::Double,
            "ptr" => Type::Pointer,
            word => {
                let bits = word.strip_prefix('i').and_then(|bits| bits.parse().ok());
                Type::Int(bits.ok_or_else(|| self.expected("a type"))?)
            }
        };
        self.word();
        Ok(ty)
    }

    pub fn order(&mut self) -> Parsed<MemoryOrder> {
        let order = MemoryOrder::named(self.peek_word()).ok_or_else(|| self.expected("a memory order"))?;
        self.word();
        Ok(order)
    }

    pub fn operand(&mut self) -> Parsed<Operand> {
        let operand = match self.peek_word() {
            "true" => Some(Operand::TRUE),
            "false" => Some(Operand::FALSE),
            "null" => Some(Operand::Null),
            _ => None,
        };
        if let Some(operand) = operand {
            self.word();
            return Ok(operand);
        }
        match self.rest.as_bytes().first() {
            Some(b'r') => self.register().map(Operand::Register),
            Some(b'f') => self.id("f").map(|id| Operand::Function(FunctionId(id))),
            Some(b'g') => Ok(Operand::Global { global: GlobalId(self.id("g")?), offset: self.offset()? }),
            Some(b'm') => Ok(Operand::Local { local: self.local()?, offset: self.offset()? }),
            Some(b'-' | b'0'..=b'9') => self.constant(),
            _ => Err(self.expected("an operand")),
        }
    }

    fn offset(&mut self) -> Parsed<i64> {
        let signed = self.rest.starts_with(['+', '-']);
        if !signed {
            return Ok(0);
        }
        let end = self.rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(self.rest.len(), |end| end + 1);
        let offset = self.rest[..end].parse().map_err(|_| self.expected("an offset"))?;
        self.skip(end);
        Ok(offset)
    }

    fn constant(&mut self) -> Parsed<Operand> {
        let text = self.rest.split(':').next().unwrap_or_default();
        let bad = || self.expected("a constant with its type");
        let hexadecimal = text.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16));
        let value = match hexadecimal {
            Some(bits) => bits.map_err(|_| bad())?,
            None => match text.parse::<u64>() {
                Ok(value) => value,
                Err(_) => text.parse::<i64>().map_err(|_| bad())? as u64,
            },
        };
        let negative = text.starts_with('-');
        self.skip(text.len());
        self.expect(":")?;
        match self.ty()? {
            Type::Int(bits) if negative => Ok(Operand::int(bits, value)),
            Type::Int(bits) => Ok(Operand::Int { bits, value }),
            Type::Float => u32::try_from(value).map(Operand::Float).map_err(|_| "a float has 32 bits".to_owned()),
            Type::Double => Ok(Operand::Double(value)),
            Type::Pointer => Err("a pointer constant is `null` or an address".to_owned()),
        }
    }

    pub fn address(&mut self) -> Parsed<Operand> {
        self.expect("[")?;
        let address = self.operand()?;
        self.expect("]")?;
        Ok(address)
    }

    /// Items between brackets, separated by commas.
    pub fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Cursor<'a>) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.expect(open)?;
        let mut items = Vec::new();
        while !self.eat(close) {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    pub fn at_span_or_end(&self) -> bool {
        self.rest.is_empty() || self.rest.starts_with('@')
    }

    /// The span ahead; unknown where none is written.
    pub fn span(&mut self) -> Parsed<Span> {
        if !self.eat("@") {
            return Ok(Span::UNKNOWN);
        }
        let file = FileId(self.id("file")?);
        self.expect(":")?;
        let line = self.digits()?;
        self.expect(":")?;
        let column = self.digits()?;
        self.expect("+")?;
        Ok(Span { file, line, column, length: self.digits()? })
    }

    pub fn hex_bytes(&mut self) -> Parsed<Vec<u8>> {
        let word = self.word();
        let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
        let pairs = word.as_bytes().chunks(2);
        let bytes: Option<Vec<u8>> = pairs.map(|p| Some(digit(p[0])? << 4 | digit(*p.get(1)?)?)).collect();
        bytes.ok_or_else(|| format!("`{word}` is not a sequence of bytes"))
    }

    pub fn at_string(&self) -> bool {
        self.rest.starts_with('"')
    }

    pub fn string(&mut self) -> Parsed<String> {
        let inner = self.rest.strip_prefix('"').ok_or_else(|| self.expected("a string"))?;
        let mut text = String::new();
        let mut characters = inner.chars();
        loop {
            match characters.next().ok_or("the string is not closed")? {
                '"' => break,
                '\\' => text.push(escape(&mut characters)?),
                character => text.push(character),
            }
        }
        self.rest = characters.as_str().trim_start();
        Ok(text)
    }
}

fn escape(characters: &mut std::str::Chars<'_>) -> Parsed<char> {
    match characters.next() {
        Some('n') => Ok('\n'),
        Some('t') => Ok('\t'),
        Some(character @ ('"' | '\\')) => Ok(character),
        Some('u') => {
            let rest = characters.as_str();
            let code = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
            let (code, rest) = code.ok_or("`\\u` is expected to have a code in braces")?;
            *characters = rest.chars();
            let number = u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
            number.ok_or_else(|| format!("`{code}` is not a character"))
        }
        _ => Err("an unknown escape in a string".to_owned()),
    }
}

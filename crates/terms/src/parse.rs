//! Reads the text form of terms back (see [`TermText`](crate::TermText)). Terms are made as they are spelled, without
//! simplification, and only where sorts and widths fit.

use crate::arena::Terms;
use crate::operator_names::{BINARY, RELATIONS, UNARY, find};
use crate::semantics;
use crate::term::{MAX_WIDTH, Sort, Term, TermId};

/// What is wrong, in words.
pub type Parsed<T> = Result<T, String>;

/// Terms that nest more deeply than this are refused, so that no text can exhaust the stack.
const MAX_NESTING: u32 = 64;

/// Builds terms from text, with the names that the text has given so far.
#[derive(Default)]
pub struct TermReader {
    pub terms: Terms,
    defined: Vec<TermId>,
    variables: Vec<TermId>,
}

impl TermReader {
    /// `NAME#NUMBER SORT`, after the word `variable`.
    pub fn declare(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let symbol = tokens.word()?;
        let (name, number) = symbol.rsplit_once('#').ok_or_else(|| format!("`{symbol}` is no variable"))?;
        if number != self.variables.len().to_string() {
            return Err(format!("variable {number} should be number {}", self.variables.len()));
        }
        let variable = match tokens.word()? {
            "Bool" => self.terms.bool_variable(name),
            width => self.terms.bv_variable(name, bit_width(width)?),
        };
        self.variables.push(variable);
        tokens.end()
    }

    /// `%NUMBER = TERM`.
    pub fn define(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let name = tokens.word()?;
        if name != format!("%{}", self.defined.len()) {
            return Err(format!("`{name}` should be %{}", self.defined.len()));
        }
        tokens.expect("=")?;
        let term = self.term(tokens)?;
        self.defined.push(term);
        tokens.end()
    }

    pub fn term(&mut self, tokens: &mut Tokens<'_>) -> Parsed<TermId> {
        self.nested(tokens, 0)
    }

    /// A term that is a truth value.
    pub fn condition(&mut self, tokens: &mut Tokens<'_>) -> Parsed<TermId> {
        let term = self.term(tokens)?;
        if self.terms.sort(term) == Sort::Bool { Ok(term) } else { Err("a truth value should be here".to_owned()) }
    }

    fn nested(&mut self, tokens: &mut Tokens<'_>, depth: u32) -> Parsed<TermId> {
        if depth > MAX_NESTING {
            return Err("the term nests too deeply".to_owned());
        }
        match tokens.word()? {
            "(" => {
                let term = self.operation(tokens, depth + 1)?;
                tokens.expect(")")?;
                Ok(term)
            }
            "true" => Ok(self.terms.boolean(true)),
            "false" => Ok(self.terms.boolean(false)),
            leaf => self.leaf(leaf),
        }
    }

    fn leaf(&mut self, word: &str) -> Parsed<TermId> {
        let unknown = || format!("`{word}` is no term");
        if let Some(number) = word.strip_prefix('%') {
            let number: usize = number.parse().map_err(|_| unknown())?;
            return self.defined.get(number).copied().ok_or_else(unknown);
        }
        if let Some((_, number)) = word.rsplit_once('#') {
            let number: usize = number.parse().map_err(|_| unknown())?;
            return self.variables.get(number).copied().ok_or_else(unknown);
        }
        let (value, width) = word.split_once(':').ok_or_else(unknown)?;
        let (value, width): (u64, u32) = (value.parse().map_err(|_| unknown())?, bit_width(width)?);
        if value & semantics::mask(width) != value {
            return Err(format!("{value} has more than {width} bits"));
        }
        Ok(self.terms.constant(width, value))
    }

    fn operation(&mut self, tokens: &mut Tokens<'_>, depth: u32) -> Parsed<TermId> {
        let name = tokens.word()?;
        let (first, second) = match name {
            "extract" => (bit_number(tokens.word()?)?, bit_number(tokens.word()?)?),
            "sign_extend" => (bit_width(tokens.word()?)? as u8, 0),
            _ => (0, 0),
        };
        let a = self.nested(tokens, depth)?;
        let mut next = |reader: &mut Self| reader.nested(tokens, depth);
        let term = match name {
            "not" => Term::Not(a),
            "and" => Term::And(a, next(self)?),
            "xor" => Term::Xor(a, next(self)?),
            "ite" => {
                let then = next(self)?;
                Term::Ite(a, then, next(self)?)
            }
            "concat" => Term::Concat(a, next(self)?),
            "extract" => Term::Extract { arg: a, high: first, low: second },
            "sign_extend" => Term::SignExtend { arg: a, width: first },
            _ => match (find(&UNARY, name), find(&BINARY, name), find(&RELATIONS, name)) {
                (Some(op), ..) => Term::Unary(op, a),
                (_, Some(op), _) => Term::Binary(op, a, next(self)?),
                (.., Some(relation)) => Term::Compare(relation, a, next(self)?),
                _ => return Err(format!("`{name}` is no operator")),
            },
        };
        let sort = self.terms.sort_of(term).ok_or_else(|| format!("the operands of `{name}` do not fit"))?;
        Ok(self.terms.intern(term, sort))
    }
}

impl Terms {
    /// The sort of a term over terms that exist; `None` if the sorts or widths of its operands do not fit.
    pub(crate) fn sort_of(&self, term: Term) -> Option<Sort> {
        let sort = |id: TermId| self.sort(id);
        let both_bool = |a, b| sort(a) == Sort::Bool && sort(b) == Sort::Bool;
        let is_word = |a| matches!(sort(a), Sort::BitVec(_));
        let same_width = |a, b| sort(a) == sort(b) && is_word(a);
        match term {
            Term::Boolean(_) => Some(Sort::Bool),
            Term::Constant { width, .. } => Some(Sort::BitVec(u32::from(width))),
            Term::Variable(variable) => Some(sort(self.variable_term(variable))),
            Term::Not(a) => (sort(a) == Sort::Bool).then_some(Sort::Bool),
            Term::And(a, b) | Term::Xor(a, b) => both_bool(a, b).then_some(Sort::Bool),
            Term::Ite(c, a, b) => (sort(c) == Sort::Bool && sort(a) == sort(b)).then(|| sort(a)),
            Term::Unary(_, a) => is_word(a).then(|| sort(a)),
            Term::Binary(_, a, b) => same_width(a, b).then(|| sort(a)),
            Term::Compare(_, a, b) => same_width(a, b).then_some(Sort::Bool),
            Term::Concat(a, b) => match (sort(a), sort(b)) {
                (Sort::BitVec(a), Sort::BitVec(b)) if a + b <= MAX_WIDTH => Some(Sort::BitVec(a + b)),
                _ => None,
            },
            Term::Extract { arg, high, low } => match sort(arg) {
                Sort::BitVec(width) if low <= high && u32::from(high) < width => {
                    Some(Sort::BitVec(u32::from(high - low) + 1))
                }
                _ => None,
            },
            Term::SignExtend { arg, width } => match sort(arg) {
                Sort::BitVec(from) if from <= u32::from(width) && u32::from(width) <= MAX_WIDTH => {
                    Some(Sort::BitVec(u32::from(width)))
                }
                _ => None,
            },
            Term::Filled(_) | Term::Store(..) => None,
        }
    }
}

/// The words of one line; parentheses are words of their own.
#[derive(Clone)]
pub struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub fn new(line: &'a str) -> Self {
        Self { rest: line.trim() }
    }

    /// The next word; empty at the end.
    pub fn peek(&self) -> &'a str {
        let special = |c: char| c == '(' || c == ')';
        let end = match self.rest.find(|c: char| c.is_whitespace() || special(c)) {
            Some(0) => 1,
            Some(end) => end,
            None => self.rest.len(),
        };
        &self.rest[..end]
    }

    pub fn word(&mut self) -> Parsed<&'a str> {
        let word = self.peek();
        self.rest = self.rest[word.len()..].trim_start();
        if word.is_empty() { Err("something is missing at the end".to_owned()) } else { Ok(word) }
    }

    /// Takes this word if it is the next one.
    pub fn eat(&mut self, word: &str) -> bool {
        let found = self.peek() == word;
        if found {
            self.rest = self.rest[word.len()..].trim_start();
        }
        found
    }

    pub fn expect(&mut self, word: &str) -> Parsed<()> {
        if self.eat(word) { Ok(()) } else { Err(format!("`{word}` should be here, not `{}`", self.peek())) }
    }

    /// All that is left of the line.
    pub fn remainder(&mut self) -> &'a str {
        std::mem::take(&mut self.rest)
    }

    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub fn end(&self) -> Parsed<()> {
        if self.is_at_end() { Ok(()) } else { Err(format!("`{}` is too much", self.rest)) }
    }
}

fn bit_width(word: &str) -> Parsed<u32> {
    let width = word.parse().ok().filter(|width| (1..=MAX_WIDTH).contains(width));
    width.ok_or_else(|| format!("`{word}` is no width"))
}

fn bit_number(word: &str) -> Parsed<u8> {
    let bit = word.parse().ok().filter(|&bit: &u8| u32::from(bit) < MAX_WIDTH);
    bit.ok_or_else(|| format!("`{word}` is no number of a bit"))
}

//! Reading proofs. A file that was cut off, changed by accident or made by a later version is told apart from one that can be
//! checked.

use std::fmt;
use std::str::FromStr;

use base::Id;
use program::{BlockId, DataModel, FunctionId, GlobalId, LocalId, Location, Property, PropertySet, RegisterId};

use crate::file::{ProofClaim, ProofFile, ProofNode, ProofObject, ProofObjectKey, ProofStep, ProofTerm, ProofVariable};
use crate::header::{NAME, VERSION, checksum};
use crate::write::{BINARY, RELATIONS, UNARY};

/// No step of a proof has more instructions, so that a short line does not become a long trail.
const MAX_TRAIL: usize = 1_000;

/// Why a file is no proof that can be checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofDamage {
    /// It is something else.
    Foreign,
    /// It was made by a version that knows more.
    Newer(String),
    /// The end is missing, or something was changed.
    Incomplete,
    /// A line cannot be read.
    Line(usize, String),
}

impl fmt::Display for ProofDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofDamage::Foreign => write!(f, "it does not begin with `{NAME}`"),
            ProofDamage::Newer(version) => {
                write!(f, "it has version {version} of the format, and only version {VERSION} is known")
            }
            ProofDamage::Incomplete => f.write_str("its end is missing or does not fit the rest: the file is damaged"),
            ProofDamage::Line(line, what) => write!(f, "line {line}: {what}"),
        }
    }
}

pub fn read(text: &str) -> Result<ProofFile, ProofDamage> {
    let first = text.lines().next().unwrap_or_default();
    match first.split(' ').collect::<Vec<_>>()[..] {
        [NAME, version] if version.parse() == Ok(VERSION) => {}
        [NAME, version] if version.parse::<u32>().is_ok_and(|version| version > VERSION) => {
            return Err(ProofDamage::Newer(version.to_owned()));
        }
        [NAME, ..] => return Err(ProofDamage::Line(1, "the version is no number that is known".to_owned())),
        _ => return Err(ProofDamage::Foreign),
    }
    let Some((body, last)) = text.strip_suffix('\n').and_then(|text| text.rsplit_once('\n')) else {
        return Err(ProofDamage::Incomplete);
    };
    let body = format!("{body}\n");
    if last.strip_prefix("end ") != Some(checksum(&body).as_str()) {
        return Err(ProofDamage::Incomplete);
    }
    let mut file = ProofFile::default();
    for (index, line) in body.lines().enumerate().skip(1) {
        let mut words = Words { words: line.split(' ').filter(|word| !word.is_empty()).collect(), next: 0 };
        read_line(&mut file, &mut words).map_err(|what| ProofDamage::Line(index + 1, what))?;
    }
    Ok(file)
}

struct Words<'a> {
    words: Vec<&'a str>,
    next: usize,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.next).copied()
    }

    fn word(&mut self) -> Result<&'a str, String> {
        let word = self.peek().ok_or_else(|| "something is missing".to_owned())?;
        self.next += 1;
        Ok(word)
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        self.next += usize::from(found);
        found
    }

    fn number<T: FromStr>(&mut self) -> Result<T, String> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("`{word}` is no number that can be here"))
    }

    /// Numbers up to the next word or the end.
    fn numbers<T: FromStr>(&mut self) -> Result<Vec<T>, String> {
        let mut found = Vec::new();
        while self.peek().is_some_and(|word| word.starts_with(|first: char| first.is_ascii_digit())) {
            found.push(self.number()?);
        }
        Ok(found)
    }

    fn id<I: Id>(&mut self) -> Result<I, String> {
        self.number::<u32>().map(|number| I::new(number as usize))
    }

    fn place(&mut self) -> Result<Location, String> {
        Ok(Location { function: self.id::<FunctionId>()?, block: self.id::<BlockId>()?, index: self.number()? })
    }

    fn end(&self) -> Result<(), String> {
        self.peek().map_or(Ok(()), |word| Err(format!("`{word}` is too much")))
    }
}

fn read_line(file: &mut ProofFile, words: &mut Words<'_>) -> Result<(), String> {
    match words.word()? {
        "program" => {
            let model = words.word()?;
            let models = [DataModel::Ilp32, DataModel::Lp64];
            let found = models.into_iter().find(|one| one.to_string() == model);
            file.model = found.ok_or_else(|| format!("`{model}` is no data model"))?;
            file.program = words.word()?.to_owned();
        }
        "properties" => {
            let mut properties = PropertySet::EMPTY;
            while let Some(name) = words.peek() {
                properties.insert(Property::from_str(name).map_err(|()| format!("`{name}` is no property"))?);
                words.next += 1;
            }
            file.properties = properties;
        }
        "object" => {
            let is_array = words.eat("array");
            let key = object(words)?;
            file.objects.push(ProofObject { key, is_array });
        }
        "cell" => file.cells.push((words.number()?, words.number()?, words.number()?)),
        "sync-object" => file.sync_objects.push((words.number()?, words.number()?, words.number()?)),
        "term" => {
            let term = term(words)?;
            file.terms.push(term);
        }
        "predicate" => file.predicates.push(words.number()?),
        "claims" => {
            let mut claims = Vec::new();
            while words.peek().is_some() {
                claims.push((variable(words)?, claim(words)?));
            }
            file.claims.push(claims);
        }
        "step" => {
            let step = step(words)?;
            file.steps.push(step);
        }
        "node" => {
            let mut node = ProofNode { claims: words.number()?, ..ProofNode::default() };
            if words.eat("held") {
                node.held = words.numbers()?;
            }
            if words.eat("sleep") {
                node.sleep = words.numbers()?;
            }
            if words.eat("moves") {
                let numbers = words.numbers::<u32>()?;
                if numbers.len() % 2 != 0 {
                    return Err("a move leads nowhere".to_owned());
                }
                node.moves = numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect();
            }
            if words.eat("covered") {
                node.covered_by = Some(words.number()?);
            }
            file.nodes.push(node);
        }
        word => return Err(format!("`{word}` is not known")),
    }
    words.end()
}

fn object(words: &mut Words<'_>) -> Result<ProofObjectKey, String> {
    Ok(match words.word()? {
        "function" => ProofObjectKey::Function(words.id()?),
        "global" => ProofObjectKey::Global(words.id()?),
        "thread-local" => ProofObjectKey::ThreadLocal(words.id::<GlobalId>()?, words.number()?),
        "local" => ProofObjectKey::Local {
            thread: words.number()?,
            depth: words.number()?,
            function: words.id()?,
            local: words.id::<LocalId>()?,
        },
        "allocated" => {
            ProofObjectKey::Allocated { thread: words.number()?, location: words.place()?, ordinal: words.number()? }
        }
        word => return Err(format!("`{word}` is no object")),
    })
}

fn variable(words: &mut Words<'_>) -> Result<ProofVariable, String> {
    Ok(match words.word()? {
        "register" => ProofVariable::Register {
            thread: words.number()?,
            depth: words.number()?,
            function: words.id()?,
            register: words.id::<RegisterId>()?,
        },
        "cell" => ProofVariable::Cell { object: words.number()?, offset: words.number()?, bytes: words.number()? },
        "result" => ProofVariable::Result { thread: words.number()? },
        word => return Err(format!("`{word}` is no variable")),
    })
}

fn claim(words: &mut Words<'_>) -> Result<ProofClaim, String> {
    Ok(match words.word()? {
        "at" => ProofClaim::Pointer(words.number()?, Some(words.number()?)),
        "in" => ProofClaim::Pointer(words.number()?, None),
        "is" => ProofClaim::Number(words.number()?),
        "lost" => ProofClaim::Lost,
        word => return Err(format!("`{word}` is no claim")),
    })
}

fn term(words: &mut Words<'_>) -> Result<ProofTerm, String> {
    fn find<T: Copy>(table: &[(T, &'static str)], name: &str) -> Option<T> {
        table.iter().find(|(_, known)| *known == name).map(|(operator, _)| *operator)
    }
    Ok(match words.word()? {
        "true" => ProofTerm::Boolean(true),
        "false" => ProofTerm::Boolean(false),
        "constant" => ProofTerm::Constant { width: words.number()?, value: words.number()? },
        "variable" => {
            let bits = words.number()?;
            ProofTerm::Variable(variable(words)?, bits)
        }
        "element" => ProofTerm::Element { array: words.number()?, bytes: words.number()?, place: words.number()? },
        "not" => ProofTerm::Not(words.number()?),
        "and" => ProofTerm::And(words.number()?, words.number()?),
        "xor" => ProofTerm::Xor(words.number()?, words.number()?),
        "ite" => ProofTerm::Ite(words.number()?, words.number()?, words.number()?),
        "concat" => ProofTerm::Concat(words.number()?, words.number()?),
        "extract" => ProofTerm::Extract { arg: words.number()?, high: words.number()?, low: words.number()? },
        "sign-extend" => ProofTerm::SignExtend { arg: words.number()?, width: words.number()? },
        name => {
            if let Some(op) = find(&UNARY, name) {
                ProofTerm::Unary(op, words.number()?)
            } else if let Some(op) = find(&BINARY, name) {
                ProofTerm::Binary(op, words.number()?, words.number()?)
            } else if let Some(relation) = find(&RELATIONS, name) {
                ProofTerm::Compare(relation, words.number()?, words.number()?)
            } else {
                return Err(format!("`{name}` is no term"));
            }
        }
    })
}

fn step(words: &mut Words<'_>) -> Result<ProofStep, String> {
    let thread = words.number()?;
    let mut trail = Vec::new();
    let end = loop {
        match words.word()? {
            "to" => break Some(words.place()?),
            "ends" => break None,
            range => {
                let (first, last) = trail_range(range).ok_or_else(|| format!("`{range}` is no part of a step"))?;
                if trail.len() + (last - first.index) as usize >= MAX_TRAIL {
                    return Err("a step of too many instructions".to_owned());
                }
                trail.extend((first.index..=last).map(|index| Location { index, ..first }));
            }
        }
    };
    Ok(ProofStep { thread, trail, end, choices: words.numbers()? })
}

/// Function, block, first and last instruction.
fn trail_range(word: &str) -> Option<(Location, u32)> {
    let (place, last) = word.split_once('-')?;
    let numbers: Vec<u32> = place.split('.').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [function, block, index] = numbers[..] else { return None };
    let last = last.parse().ok().filter(|&last| last >= index)?;
    let (function, block) = (FunctionId::new(function as usize), BlockId::new(block as usize));
    Some((Location { function, block, index }, last))
}

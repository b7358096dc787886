//! Reads the text form of an [`OrderGraph`] back: `parse(graph.to_string()) == graph`.

use std::fmt;
use std::str::FromStr;

use base::{Id, IdVec};
use solve::Lit;

use crate::graph::{AddressId, ChainId, EventId, EventKind, MutexId, NodeId, OrderGraph, in_range};

/// What is wrong with a text, and where (lines count from 1).
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

impl FromStr for OrderGraph {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut graph: Option<OrderGraph> = None;
        for (index, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split('#').next().unwrap_or("").split_whitespace().collect();
            let Some((&keyword, arguments)) = words.split_first() else { continue };
            let at_line = |message| ParseError { line: index + 1, message };
            match &mut graph {
                None if keyword == "true" => {
                    graph = Some(OrderGraph::new(literal(arguments.first()).map_err(at_line)?));
                }
                None => return Err(at_line("the first line should be `true <literal>`".to_owned())),
                Some(graph) => read_line(graph, keyword, arguments).map_err(at_line)?,
            }
        }
        graph.ok_or(ParseError { line: 1, message: "the graph is empty".to_owned() })
    }
}

/// Counts beyond this are refused, so that a short text cannot ask for unbounded memory.
const MAX_COUNT: u32 = 10_000_000;

fn read_line(graph: &mut OrderGraph, keyword: &str, arguments: &[&str]) -> Result<(), String> {
    match (keyword, arguments) {
        ("addresses", [count]) => {
            for _ in 0..number(count)? {
                graph.add_address();
            }
        }
        ("mutexes", [count]) => {
            for _ in 0..number(count)? {
                graph.add_mutex();
            }
        }
        ("chains", [count]) => {
            for _ in 0..number(count)? {
                graph.add_chain();
            }
        }
        ("node", [id, chain, guard]) => {
            expect_next(id, graph.nodes())?;
            let chain: ChainId = known(chain, "c", graph.chains().len())?;
            graph.add_node(chain, literal(Some(guard))?);
        }
        ("read" | "write", [id, node, address, guard]) => {
            expect_next(id, graph.events())?;
            let node: NodeId = known(node, "n", graph.nodes().len())?;
            let address: AddressId = known(address, "x", graph.address_count())?;
            let kind = if keyword == "read" { EventKind::Read } else { EventKind::Write };
            graph.add_event(node, kind, address, literal(Some(guard))?);
        }
        ("from", [id, write, read, lit]) => {
            expect_next(id, graph.read_froms())?;
            let write: EventId = known(write, "e", graph.events().len())?;
            let read: EventId = known(read, "e", graph.events().len())?;
            graph.add_read_from(write, read, literal(Some(lit))?);
        }
        ("edge", [id, from, to, lit]) => {
            expect_next(id, graph.edges())?;
            let from: NodeId = known(from, "n", graph.nodes().len())?;
            let to: NodeId = known(to, "n", graph.nodes().len())?;
            graph.add_edge(from, to, literal(Some(lit))?);
        }
        ("section", [id, mutex, lock, unlocks @ ..]) => {
            expect_next(id, graph.sections())?;
            let mutex: MutexId = known(mutex, "m", graph.mutex_count())?;
            let lock: NodeId = known(lock, "n", graph.nodes().len())?;
            let unlocks = unlocks.iter().map(|node| known(node, "n", graph.nodes().len())).collect::<Result<_, _>>()?;
            graph.add_section(mutex, lock, unlocks);
        }
        _ => return Err(format!("`{keyword}` with {} arguments is not known", arguments.len())),
    }
    Ok(())
}

fn number(word: &str) -> Result<u32, String> {
    word.parse().ok().filter(|&n| n <= MAX_COUNT).ok_or_else(|| format!("`{word}` is not a count"))
}

fn literal(word: Option<&&str>) -> Result<Lit, String> {
    let word = word.ok_or("a literal is missing")?;
    match word.parse::<i32>() {
        Ok(dimacs) if dimacs != 0 && dimacs != i32::MIN => Ok(Lit::from_dimacs(dimacs)),
        _ => Err(format!("`{word}` is not a literal")),
    }
}

/// An id with the given prefix that lies within a table of `len` entries.
fn known<I: Id>(word: &str, prefix: &str, len: usize) -> Result<I, String> {
    let index = word.strip_prefix(prefix).and_then(|digits| digits.parse::<u32>().ok());
    let id = index.filter(|&index| in_range(I::new(index as usize), len));
    id.map(|index| I::new(index as usize)).ok_or_else(|| format!("`{word}` is not declared"))
}

/// Ids are listed so that a person can follow; they have to be dense and in order.
fn expect_next<I: Id + fmt::Display, T>(word: &str, table: &IdVec<I, T>) -> Result<(), String> {
    let next = table.next_id();
    if word == next.to_string() { Ok(()) } else { Err(format!("expected {next}, found `{word}`")) }
}

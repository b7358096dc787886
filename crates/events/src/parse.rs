//! Reads the text form of an event graph back: `parse(graph.to_string())` is the graph, but for terms and guards that nothing
//! refers to, and for the characters of variable names.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use base::{FileId, Id, IdVec, Span};
use program::{BlockId, ConstantParts, FunctionId, GlobalId, Location, Property, ShapeId};
use symbolic::{Life, Object, ObjectId, ObjectKey, Objects, SymValue};
use sync::{Field, ObjectKind};
use terms::{Parsed, Sort, TermId, TermReader, Terms, Tokens};

use crate::graph::*;
use crate::guard::{GuardId, Guards};
use crate::happens_before::{AtomicAccess, FencePoint, HappensBefore, HbSlot, Part, SlotUse};
use crate::text::life_word;

/// What is wrong with a text, and where (lines count from 1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphParseError {
    pub line: usize,
    pub message: String,
}

impl fmt::Display for GraphParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for GraphParseError {}

impl FromStr for EventGraph {
    type Err = GraphParseError;

    fn from_str(text: &str) -> Result<Self, GraphParseError> {
        let mut reader = Reader::new();
        let mut last = 1;
        for (index, line) in text.lines().enumerate() {
            last = index + 1;
            let mut tokens = Tokens::new(line);
            if !tokens.is_at_end() {
                reader.line(&mut tokens).map_err(|message| GraphParseError { line: last, message })?;
            }
        }
        reader.finish().map_err(|message| GraphParseError { line: last, message })
    }
}

struct Reader {
    terms: TermReader,
    graph: EventGraph,
    /// Nodes and events come instance by instance, not in the order of their numbers.
    nodes: BTreeMap<NodeId, Node>,
    events: BTreeMap<EventId, Event>,
}

impl Reader {
    fn new() -> Self {
        let mut terms = TermReader::default();
        let guards = Guards::new(&mut terms.terms);
        let graph = EventGraph::new(Terms::new(), guards, Objects::default());
        Self { terms, graph, nodes: BTreeMap::new(), events: BTreeMap::new() }
    }

    fn line(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        if tokens.peek().starts_with('%') {
            return self.terms.define(tokens);
        }
        match tokens.word()? {
            "variable" => return self.terms.declare(tokens),
            "guard" => self.guard_line(tokens)?,
            "object" => self.object(tokens)?,
            "cell" => self.cell(tokens)?,
            "instance" => self.instance(tokens)?,
            "allocation" => {
                let guard = self.guard(tokens)?;
                self.last_instance()?.allocations.push(guard);
            }
            "choice" => self.choice(tokens)?,
            "step" => self.step(tokens)?,
            "node" => self.node(tokens)?,
            "event" => self.event(tokens)?,
            "constraint" => {
                let constraint = self.terms.condition(tokens)?;
                self.graph.constraints.push(constraint);
            }
            "join" => {
                let (node, target) = (id(tokens)?, id(tokens)?);
                let condition = self.terms.condition(tokens)?;
                self.graph.joins.push(Join { node, target, condition });
            }
            "race-edge" => {
                let edge = self.race_edge(tokens)?;
                self.graph.race_edges.push(edge);
            }
            "access" => self.access(tokens)?,
            "happens-before" => {
                let racing = if tokens.eat("racing") { Some(self.terms.condition(tokens)?) } else { None };
                self.graph.happens_before = Some(HappensBefore { racing, ..HappensBefore::default() });
            }
            "slot" => self.slot_use(tokens)?,
            "atomic" => self.atomic(tokens)?,
            "fence" => {
                let (node, guard) = (id(tokens)?, self.guard(tokens)?);
                let (acquires, releases) = (tokens.eat("acquires"), tokens.eat("releases"));
                self.order()?.fences.push(FencePoint { node, guard, acquires, releases });
            }
            "unordered-edge" => {
                let edge = self.race_edge(tokens)?;
                self.order()?.race_edges.push(edge);
            }
            "section" => {
                let (lock, node) = (place(tokens)?, id(tokens)?);
                tokens.expect("unlocks")?;
                let unlocks = ids_to_end(tokens)?;
                self.graph.sections.push(LockSection { lock, node, unlocks });
            }
            "violation" => self.violation(tokens)?,
            "sought" => {
                let property = property(tokens)?;
                let sought = self.terms.condition(tokens)?;
                self.graph.sought.insert(property, sought);
            }
            "cut" => self.cut(tokens)?,
            "layout" => self.graph.layout = Some(self.terms.condition(tokens)?),
            "deadlock" => {
                let (node, deadlocked) = (id(tokens)?, self.terms.condition(tokens)?);
                self.graph.deadlock = Some(Deadlock { node, deadlocked, members: Vec::new() });
            }
            "member" => {
                let instance = id(tokens)?;
                let (stuck, ended) = (self.terms.condition(tokens)?, self.terms.condition(tokens)?);
                let deadlock = self.graph.deadlock.as_mut().ok_or("a `deadlock` should come first")?;
                deadlock.members.push(DeadlockMember { instance, stuck, ended });
            }
            "indeterminate" => self.indeterminate(tokens)?,
            "indeterminate-element" => self.indeterminate_element(tokens)?,
            "candidate" => {
                let (assumed, mut failures) = (self.terms.condition(tokens)?, Vec::new());
                while !tokens.is_at_end() {
                    failures.push(self.terms.condition(tokens)?);
                }
                self.graph.candidates.push(InvariantCandidate { assumed, failures });
            }
            kind => return Err(format!("`{kind}` is no kind of line")),
        }
        tokens.end()
    }

    fn finish(mut self) -> Parsed<EventGraph> {
        self.graph.terms = self.terms.terms;
        self.graph.nodes = in_order(self.nodes)?;
        self.graph.events = in_order(self.events)?;
        Ok(self.graph)
    }

    fn last_instance(&mut self) -> Parsed<&mut Instance> {
        let last = self.graph.instances.iter_mut().last();
        last.ok_or_else(|| "an `instance` should come first".to_owned())
    }

    fn order(&mut self) -> Parsed<&mut HappensBefore> {
        self.graph.happens_before.as_mut().ok_or_else(|| "`happens-before` should come first".to_owned())
    }

    fn guard(&mut self, tokens: &mut Tokens<'_>) -> Parsed<GuardId> {
        let guard: GuardId = id(tokens)?;
        if guard.index() < self.graph.guards.len() { Ok(guard) } else { Err(format!("there is no guard {guard} yet")) }
    }

    fn guard_line(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let own: GuardId = id(tokens)?;
        if own.index() != self.graph.guards.len() {
            return Err(format!("guard {own} should be number {}", self.graph.guards.len()));
        }
        let parent = self.guard(tokens)?;
        let (condition, term) = (self.terms.condition(tokens)?, self.terms.condition(tokens)?);
        self.graph.guards.add(parent, condition, term);
        Ok(())
    }

    fn object(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let own: ObjectId = id(tokens)?;
        let life = tokens.word()?;
        let life = LIVES.into_iter().find(|known| life_word(*known) == life).ok_or(format!("`{life}` is no life"))?;
        let size = if tokens.eat("?") { None } else { Some(number(tokens)?) };
        let key = match tokens.word()? {
            "function" => ObjectKey::Function(id(tokens)?),
            "global" => ObjectKey::Global(id(tokens)?),
            "thread-local" => ObjectKey::ThreadLocal { global: id(tokens)?, instance: number(tokens)? },
            "allocated" => {
                let (instance, location) = (number(tokens)?, location(tokens)?);
                ObjectKey::Allocated { instance, location, ordinal: number(tokens)? }
            }
            "result" => ObjectKey::Result { instance: number(tokens)? },
            key => return Err(format!("`{key}` is no kind of object")),
        };
        let shape: Option<ShapeId> = if tokens.peek().starts_with("shape") { Some(id(tokens)?) } else { None };
        let read_only = tokens.eat("read-only");
        let mut parts = Vec::new();
        while tokens.eat("constant") {
            parts.push((number(tokens)?, number(tokens)?));
        }
        let constant_parts = ConstantParts::new(parts);
        let made = self.graph.objects.intern(Object { key, size, shape, read_only, constant_parts, life });
        if made == own { Ok(()) } else { Err(format!("object {own} should be number {made}")) }
    }

    fn cell(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let own: CellId = id(tokens)?;
        let (object, offset) = place(tokens)?;
        let part = match tokens.word()? {
            "bytes" => CellPart::Bytes(number(tokens)?),
            "field" => CellPart::Field(kind(tokens)?, field(tokens)?),
            "member" => CellPart::Member(kind(tokens)?, field(tokens)?, id(tokens)?),
            "life" => CellPart::Life,
            "size" => CellPart::Size,
            "array" => CellPart::Array(number(tokens)?),
            "view" => CellPart::View(number(tokens)?),
            part => return Err(format!("`{part}` is no kind of cell")),
        };
        let made = self.graph.cells.push(CellKey { object, offset, part });
        if made == own { Ok(()) } else { Err(format!("cell {own} should be number {made}")) }
    }

    fn instance(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let own: InstanceId = id(tokens)?;
        let finished = self.terms.condition(tokens)?;
        let spawned_by = if tokens.eat("created") { Some((id(tokens)?, self.guard(tokens)?)) } else { None };
        tokens.expect("named")?;
        let name = tokens.remainder().to_owned();
        let (nodes, steps, choices, allocations) = Default::default();
        let made =
            self.graph.instances.push(Instance { name, spawned_by, nodes, steps, choices, allocations, finished });
        if made == own { Ok(()) } else { Err(format!("instance {own} should be number {made}")) }
    }

    fn choice(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let guard = self.guard(tokens)?;
        let (made, value) = (self.terms.condition(tokens)?, self.terms.term(tokens)?);
        let names_instance = tokens.eat("instance");
        self.last_instance()?.choices.push(GuardedChoice { guard, made, value, names_instance });
        Ok(())
    }

    fn step(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let (guard, completes, location) = (self.guard(tokens)?, self.guard(tokens)?, location(tokens)?);
        let node = if tokens.eat("node") { Some(id(tokens)?) } else { None };
        let abandoned = if tokens.eat("abandoned") { Some(self.terms.condition(tokens)?) } else { None };
        let mut spawns = Vec::new();
        while tokens.eat("creates") {
            spawns.push((self.guard(tokens)?, id(tokens)?));
        }
        self.last_instance()?.steps.push(InstanceStep { guard, completes, location, node, spawns, abandoned });
        Ok(())
    }

    fn node(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let (own, guard, span, steps) = (id(tokens)?, self.guard(tokens)?, span(tokens)?, number(tokens)?);
        let node_hb = NodeHb { acquires: tokens.eat("acquires"), releases: tokens.eat("releases") };
        self.last_instance()?.nodes.push(own);
        let instance = InstanceId::new(self.graph.instances.len() - 1);
        let node = Node { instance, guard, events: Vec::new(), span, node_hb, steps };
        if self.nodes.insert(own, node).is_some() { Err(format!("there are two nodes {own}")) } else { Ok(()) }
    }

    fn event(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let own: EventId = id(tokens)?;
        let access = if is_write(tokens)? { Access::Write } else { Access::Read };
        let (cell, guard, value) = (id(tokens)?, self.guard(tokens)?, self.value(tokens)?);
        let node = self.last_instance()?.nodes.last().copied();
        let node = node.ok_or("a `node` should come first")?;
        if let Some(node) = self.nodes.get_mut(&node) {
            node.events.push(own);
        }
        let event = Event { node, access, cell, guard, value };
        if self.events.insert(own, event).is_some() { Err(format!("there are two events {own}")) } else { Ok(()) }
    }

    /// A value is the last part of its line.
    fn value(&mut self, tokens: &mut Tokens<'_>) -> Parsed<SymValue> {
        if tokens.eat("pointer") {
            let (object, offset) = (self.terms.term(tokens)?, self.terms.term(tokens)?);
            let targets: Vec<ObjectId> = ids_to_end(tokens)?;
            return Ok(SymValue::Pointer { object, offset, targets: Rc::from(targets) });
        }
        let term: TermId = self.terms.term(tokens)?;
        Ok(if self.terms.terms.sort(term) == Sort::Bool { SymValue::Bool(term) } else { SymValue::Int(term) })
    }

    fn race_edge(&mut self, tokens: &mut Tokens<'_>) -> Parsed<RaceEdge> {
        let (from, to) = (id(tokens)?, id(tokens)?);
        Ok(RaceEdge { from, to, condition: self.terms.condition(tokens)? })
    }

    fn access(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let (node, (object, offset), length) = (id(tokens)?, place(tokens)?, number(tokens)?);
        let (writes, guard, location) = (is_write(tokens)?, self.guard(tokens)?, location(tokens)?);
        let (span, steps, mut locks) = (span(tokens)?, number(tokens)?, Vec::new());
        tokens.expect("locks")?;
        while !tokens.eat("joined") {
            locks.push(place(tokens)?);
        }
        let joined = ids_to_end(tokens)?;
        let access = AccessPoint { node, object, offset, length, writes, guard, locks, joined, location, span, steps };
        self.graph.accesses.push(access);
        Ok(())
    }

    fn slot_use(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let node = id(tokens)?;
        let releases = match tokens.word()? {
            "releases" => true,
            "acquires" => false,
            role => return Err(format!("`acquires` or `releases` should be here, not `{role}`")),
        };
        let object = |tokens: &mut Tokens<'_>, part| place(tokens).map(|(object, at)| HbSlot::Object(object, at, part));
        let slot = match tokens.word()? {
            "sections" => HbSlot::Sections,
            "object" => object(tokens, Part::Main)?,
            "readers" => object(tokens, Part::Readers)?,
            "thread" => {
                let thread = id(tokens)?;
                object(tokens, Part::Thread(thread))?
            }
            slot => return Err(format!("`{slot}` is no kind of slot")),
        };
        let condition = self.terms.condition(tokens)?;
        self.order()?.slot_uses.push(SlotUse { node, slot, releases, condition });
        Ok(())
    }

    fn atomic(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let (node, mut reads, mut writes) = (id(tokens)?, Vec::new(), Vec::new());
        while tokens.eat("reads") {
            reads.push(id(tokens)?);
        }
        while tokens.eat("writes") {
            writes.push(id(tokens)?);
        }
        let acquires_if_it_writes = tokens.eat("acquires-if-it-writes");
        let (releases, is_update) = (tokens.eat("releases"), tokens.eat("update"));
        let acquires = if tokens.eat("acquires") { Some(self.terms.condition(tokens)?) } else { None };
        let access = AtomicAccess { node, reads, writes, acquires, acquires_if_it_writes, releases, is_update };
        self.order()?.atomics.push(access);
        Ok(())
    }

    fn violation(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let (property, instance, location) = (property(tokens)?, id(tokens)?, location(tokens)?);
        let (span, steps, condition) = (span(tokens)?, number(tokens)?, self.terms.condition(tokens)?);
        let node = if tokens.eat("node") { Some(id(tokens)?) } else { None };
        self.graph.violations.push(ViolationPoint { property, condition, instance, location, span, steps, node });
        Ok(())
    }

    fn cut(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let span = span(tokens)?;
        let (literal, reached) = (self.terms.condition(tokens)?, self.terms.condition(tokens)?);
        let only_for = if tokens.eat("only") { Some(property(tokens)?) } else { None };
        let kind = match tokens.word()? {
            "loop" => CutKind::Loop { function: id(tokens)?, head: id(tokens)? },
            "recursion" => CutKind::Recursion { function: id(tokens)? },
            "allocation" => CutKind::Allocation { location: location(tokens)? },
            "threads" => CutKind::Threads,
            "race-gap" => CutKind::RaceGap { what: tokens.remainder().to_owned() },
            "unsupported" => CutKind::Unsupported { what: tokens.remainder().to_owned() },
            kind => return Err(format!("`{kind}` is no kind of cut")),
        };
        self.graph.cuts.push(Cut { kind, span, literal, reached, only_for });
        Ok(())
    }

    fn indeterminate(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let object = indeterminate_object(tokens)?;
        let (offset, value) = (number(tokens)?, self.value(tokens)?);
        self.graph.indeterminate.push(Indeterminate { object, offset, value });
        Ok(())
    }

    fn indeterminate_element(&mut self, tokens: &mut Tokens<'_>) -> Parsed<()> {
        let (object, object_size) = (indeterminate_object(tokens)?, number(tokens)?);
        let (offset, value) = (self.terms.term(tokens)?, self.terms.term(tokens)?);
        self.graph.indeterminate_elements.push(IndeterminateElement { object, object_size, offset, value });
        Ok(())
    }
}

fn indeterminate_object(tokens: &mut Tokens<'_>) -> Parsed<IndeterminateObject> {
    Ok(match tokens.word()? {
        "global" => IndeterminateObject::Global(id::<GlobalId>(tokens)?),
        "allocation" => IndeterminateObject::Allocation(id(tokens)?, number(tokens)?),
        object => return Err(format!("`global` or `allocation` should be here, not `{object}`")),
    })
}

const LIVES: [Life; 6] = [Life::Process, Life::Thread, Life::Scope, Life::Activation, Life::Heap, Life::Library];

/// A vector of what has a number each, if no number is missing.
fn in_order<I: Id + fmt::Display, T>(numbered: BTreeMap<I, T>) -> Parsed<IdVec<I, T>> {
    let mut items: IdVec<I, T> = IdVec::new();
    for (id, item) in numbered {
        let expected = items.push(item);
        if expected.index() != id.index() {
            return Err(format!("{expected} is missing"));
        }
    }
    Ok(items)
}

/// An id as it is printed: the letters of its kind, and a number.
fn id<I: Id + fmt::Display>(tokens: &mut Tokens<'_>) -> Parsed<I> {
    id_of_word(tokens.word()?)
}

fn id_of_word<I: Id + fmt::Display>(word: &str) -> Parsed<I> {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let id = digits.parse().ok().filter(|&index: &usize| index < MAX_INDEX).map(I::new);
    id.filter(|id| id.to_string() == word).ok_or_else(|| format!("`{word}` should be like `{}`", I::new(0)))
}

/// Ids beyond this are refused.
const MAX_INDEX: usize = 1 << 30;

fn ids_to_end<I: Id + fmt::Display>(tokens: &mut Tokens<'_>) -> Parsed<Vec<I>> {
    let mut ids = Vec::new();
    while !tokens.is_at_end() {
        ids.push(id(tokens)?);
    }
    Ok(ids)
}

fn number<T: FromStr>(tokens: &mut Tokens<'_>) -> Parsed<T> {
    let word = tokens.word()?;
    word.parse().map_err(|_| format!("`{word}` is no number that fits here"))
}

/// `OBJECT+OFFSET`.
fn place(tokens: &mut Tokens<'_>) -> Parsed<(ObjectId, u64)> {
    let word = tokens.word()?;
    let (object, offset) = word.split_once('+').ok_or_else(|| format!("`{word}` should be like `o1+0`"))?;
    let offset = offset.parse().map_err(|_| format!("`{offset}` is no offset"))?;
    Ok((id_of_word(object)?, offset))
}

/// `FUNCTION:BLOCK:INDEX`.
fn location(tokens: &mut Tokens<'_>) -> Parsed<Location> {
    let word = tokens.word()?;
    let wrong = || format!("`{word}` is no place in the program");
    let mut parts = word.split(':');
    let mut next = || parts.next().ok_or_else(wrong);
    let function: FunctionId = id_of_word(next()?)?;
    let block: BlockId = id_of_word(next()?)?;
    let index = next()?.parse().map_err(|_| wrong())?;
    Ok(Location { function, block, index })
}

/// `FILE:LINE:COLUMN:LENGTH` or `-`.
fn span(tokens: &mut Tokens<'_>) -> Parsed<Span> {
    let word = tokens.word()?;
    if word == "-" {
        return Ok(Span::UNKNOWN);
    }
    let numbers: Option<Vec<u32>> = word.split(':').map(|part| part.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[file, line, column, length]) => Ok(Span { file: FileId(file), line, column, length }),
        _ => Err(format!("`{word}` is no place in a file")),
    }
}

fn is_write(tokens: &mut Tokens<'_>) -> Parsed<bool> {
    match tokens.word()? {
        "read" => Ok(false),
        "write" => Ok(true),
        word => Err(format!("`read` or `write` should be here, not `{word}`")),
    }
}

fn property(tokens: &mut Tokens<'_>) -> Parsed<Property> {
    let word = tokens.word()?;
    word.parse().map_err(|()| format!("`{word}` is no property"))
}

fn kind(tokens: &mut Tokens<'_>) -> Parsed<ObjectKind> {
    let word = tokens.word()?;
    let found = ObjectKind::ALL.into_iter().find(|kind| format!("{kind:?}") == word);
    found.ok_or_else(|| format!("`{word}` is no kind of synchronisation object"))
}

fn field(tokens: &mut Tokens<'_>) -> Parsed<Field> {
    let word = tokens.word()?;
    let found = Field::ALL.into_iter().find(|field| format!("{field:?}") == word);
    found.ok_or_else(|| format!("`{word}` is no field of a synchronisation object"))
}

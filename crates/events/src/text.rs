//! The text form of an event graph, complete: [`parse`](mod@crate::parse) makes the graph of it again. One line is one fact, which
//! begins with its kind. Terms are spelled out (see [`TermText`]); of terms and guards only those that something refers to are
//! there, numbered anew. `docs/event-graph.md` describes the lines.

use std::cell::RefCell;
use std::fmt::{self, Write};

use base::Span;
use rustc_hash::FxHashMap;
use symbolic::{Life, Object, ObjectId, ObjectKey, SymValue};
use terms::{TermId, TermText};

use crate::graph::*;
use crate::guard::{GuardId, Guards};
use crate::happens_before::{HappensBefore, HbSlot, Part};

impl fmt::Display for EventGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Written once to see what is referred to, and once more with the names that follow from that.
        let uses = Uses::default();
        Writer { graph: self, names: &uses }.write(&mut String::new())?;
        let guards = guard_numbers(&self.guards, &uses.guards.borrow());
        let mut terms = uses.terms.into_inner();
        terms.extend(guards.iter().flat_map(|(guard, _)| [self.guards.condition(*guard), self.guards.term(*guard)]));
        let terms = TermText::new(&self.terms, terms);
        terms.write_definitions(f)?;
        let names = GraphNames { guards: guards.iter().copied().collect(), terms };
        for &(guard, number) in &guards {
            let parent = names.guards.get(&self.guards.parent(guard)).copied().unwrap_or(0);
            let [condition, whole] =
                [self.guards.condition(guard), self.guards.term(guard)].map(|t| names.terms.show(t));
            writeln!(f, "guard p{number} p{parent} {condition} {whole}")?;
        }
        Writer { graph: self, names: &names }.write(f)
    }
}

/// How lines refer to terms and guards.
trait Refer {
    fn term(&self, term: TermId, f: &mut dyn Write) -> fmt::Result;
    fn guard(&self, guard: GuardId, f: &mut dyn Write) -> fmt::Result;
}

/// Writes nothing, and keeps what is referred to.
#[derive(Default)]
struct Uses {
    terms: RefCell<Vec<TermId>>,
    guards: RefCell<Vec<GuardId>>,
}

impl Refer for Uses {
    fn term(&self, term: TermId, _: &mut dyn Write) -> fmt::Result {
        self.terms.borrow_mut().push(term);
        Ok(())
    }

    fn guard(&self, guard: GuardId, _: &mut dyn Write) -> fmt::Result {
        self.guards.borrow_mut().push(guard);
        Ok(())
    }
}

struct GraphNames<'a> {
    guards: FxHashMap<GuardId, usize>,
    terms: TermText<'a>,
}

impl Refer for GraphNames<'_> {
    fn term(&self, term: TermId, f: &mut dyn Write) -> fmt::Result {
        write!(f, "{}", self.terms.show(term))
    }

    fn guard(&self, guard: GuardId, f: &mut dyn Write) -> fmt::Result {
        write!(f, "p{}", self.guards.get(&guard).copied().unwrap_or(0))
    }
}

/// The guards in `used` and their ancestors without the root, in order, numbered from 1.
fn guard_numbers(guards: &Guards, used: &[GuardId]) -> Vec<(GuardId, usize)> {
    let mut reached = std::collections::BTreeSet::new();
    for &guard in used {
        let mut at = guard;
        while at != Guards::ROOT && reached.insert(at) {
            at = guards.parent(at);
        }
    }
    reached.into_iter().zip(1..).collect()
}

struct Writer<'a, R> {
    graph: &'a EventGraph,
    names: &'a R,
}

/// A part of a line.
enum TextWord<'a> {
    Text(&'a dyn fmt::Display),
    Term(TermId),
    Guard(GuardId),
    Value(&'a SymValue),
}

use TextWord::{Guard, Term, Text, Value};

impl<R: Refer> Writer<'_, R> {
    fn write(&self, f: &mut dyn Write) -> fmt::Result {
        let graph = self.graph;
        for id in graph.objects.ids().skip(1) {
            write_object(f, id, graph.objects.get(id))?;
        }
        for (id, cell) in graph.cells.iter_enumerated() {
            write_cell(f, id, cell)?;
        }
        for (id, instance) in graph.instances.iter_enumerated() {
            self.instance(f, id, instance)?;
        }
        for &constraint in &graph.constraints {
            self.line(f, &[Text(&"constraint"), Term(constraint)])?;
        }
        for Join { node, target, condition } in &graph.joins {
            self.line(f, &[Text(&"join"), Text(node), Text(target), Term(*condition)])?;
        }
        self.race_edges(f, "race-edge", &graph.race_edges)?;
        graph.accesses.iter().try_for_each(|access| self.access(f, access))?;
        if let Some(order) = &graph.happens_before {
            self.happens_before(f, order)?;
        }
        for LockSection { lock: (object, offset), node, unlocks } in &graph.sections {
            self.start(f, &[Text(&"section"), Text(&format_args!("{object}+{offset}")), Text(node), Text(&"unlocks")])?;
            words(f, unlocks)?;
        }
        graph.violations.iter().try_for_each(|violation| self.violation(f, violation))?;
        for (property, &sought) in &graph.sought {
            self.line(f, &[Text(&"sought"), Text(property), Term(sought)])?;
        }
        graph.cuts.iter().try_for_each(|cut| self.cut(f, cut))?;
        if let Some(layout) = graph.layout {
            self.line(f, &[Text(&"layout"), Term(layout)])?;
        }
        if let Some(deadlock) = &graph.deadlock {
            self.line(f, &[Text(&"deadlock"), Text(&deadlock.node), Term(deadlock.deadlocked)])?;
            for DeadlockMember { instance, stuck, ended } in &deadlock.members {
                self.line(f, &[Text(&"member"), Text(instance), Term(*stuck), Term(*ended)])?;
            }
        }
        for Indeterminate { object, offset, value } in &graph.indeterminate {
            let object = object_text(*object);
            self.line(f, &[Text(&"indeterminate"), Text(&object), Text(offset), Value(value)])?;
        }
        for &IndeterminateElement { object, object_size, offset, value } in &graph.indeterminate_elements {
            let (kind, object) = ("indeterminate-element", object_text(object));
            self.line(f, &[Text(&kind), Text(&object), Text(&object_size), Term(offset), Term(value)])?;
        }
        for InvariantCandidate { assumed, failures } in &graph.candidates {
            self.start(f, &[Text(&"candidate"), Term(*assumed)])?;
            for &failure in failures {
                self.word(f, &Term(failure))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn instance(&self, f: &mut dyn Write, id: InstanceId, instance: &Instance) -> fmt::Result {
        self.start(f, &[Text(&"instance"), Text(&id), Term(instance.finished)])?;
        if let Some((node, guard)) = instance.spawned_by {
            self.words(f, &[Text(&"created"), Text(&node), Guard(guard)])?;
        }
        writeln!(f, " named {}", instance.name)?;
        for &allocation in &instance.allocations {
            self.line(f, &[Text(&"  allocation"), Guard(allocation)])?;
        }
        for GuardedChoice { guard, made, value, names_instance } in &instance.choices {
            self.start(f, &[Text(&"  choice"), Guard(*guard), Term(*made), Term(*value)])?;
            writeln!(f, "{}", if *names_instance { " instance" } else { "" })?;
        }
        instance.steps.iter().try_for_each(|step| self.step(f, step))?;
        instance.nodes.iter().try_for_each(|&node| self.node(f, node))
    }

    fn step(&self, f: &mut dyn Write, step: &InstanceStep) -> fmt::Result {
        self.start(f, &[Text(&"  step"), Guard(step.guard), Guard(step.completes), Text(&step.location)])?;
        if let Some(node) = step.node {
            write!(f, " node {node}")?;
        }
        if let Some(abandoned) = step.abandoned {
            self.words(f, &[Text(&"abandoned"), Term(abandoned)])?;
        }
        for (guard, instance) in &step.spawns {
            self.words(f, &[Text(&"creates"), Guard(*guard), Text(instance)])?;
        }
        writeln!(f)
    }

    fn node(&self, f: &mut dyn Write, id: NodeId) -> fmt::Result {
        let Node { guard, events, span, node_hb, steps, instance: _ } = &self.graph.nodes[id];
        self.start(f, &[Text(&"  node"), Text(&id), Guard(*guard), Text(&SourcePos(*span)), Text(steps)])?;
        write!(f, "{}", if node_hb.acquires { " acquires" } else { "" })?;
        writeln!(f, "{}", if node_hb.releases { " releases" } else { "" })?;
        for &id in events {
            let Event { access, cell, guard, value, node: _ } = &self.graph.events[id];
            let access = access_word(*access == Access::Write);
            self.line(f, &[Text(&"    event"), Text(&id), Text(&access), Text(cell), Guard(*guard), Value(value)])?;
        }
        Ok(())
    }

    fn race_edges(&self, f: &mut dyn Write, kind: &str, edges: &[RaceEdge]) -> fmt::Result {
        edges.iter().try_for_each(|RaceEdge { from, to, condition }| {
            self.line(f, &[Text(&kind), Text(from), Text(to), Term(*condition)])
        })
    }

    fn access(&self, f: &mut dyn Write, access: &AccessPoint) -> fmt::Result {
        let AccessPoint { node, object, offset, length, writes, guard, locks, joined, location, span, steps } = access;
        let (place, access) = (format_args!("{object}+{offset}"), access_word(*writes));
        self.start(f, &[Text(&"access"), Text(node), Text(&place), Text(length), Text(&access), Guard(*guard)])?;
        self.words(f, &[Text(location), Text(&SourcePos(*span)), Text(steps), Text(&"locks")])?;
        for (object, offset) in locks {
            write!(f, " {object}+{offset}")?;
        }
        write!(f, " joined")?;
        words(f, joined)
    }

    fn happens_before(&self, f: &mut dyn Write, order: &HappensBefore) -> fmt::Result {
        self.start(f, &[Text(&"happens-before")])?;
        if let Some(racing) = order.racing {
            self.words(f, &[Text(&"racing"), Term(racing)])?;
        }
        writeln!(f)?;
        for slot_use in &order.slot_uses {
            let slot: &dyn fmt::Display = match slot_use.slot {
                HbSlot::Sections => &"sections",
                HbSlot::Object(object, offset, Part::Main) => &format!("object {object}+{offset}"),
                HbSlot::Object(object, offset, Part::Readers) => &format!("readers {object}+{offset}"),
                HbSlot::Object(object, offset, Part::Thread(thread)) => &format!("thread {thread} {object}+{offset}"),
            };
            let role = if slot_use.releases { "releases" } else { "acquires" };
            self.line(f, &[Text(&"slot"), Text(&slot_use.node), Text(&role), Text(slot), Term(slot_use.condition)])?;
        }
        for access in &order.atomics {
            self.start(f, &[Text(&"atomic"), Text(&access.node)])?;
            access.reads.iter().try_for_each(|read| write!(f, " reads {read}"))?;
            access.writes.iter().try_for_each(|write| write!(f, " writes {write}"))?;
            for (flag, name) in [
                (access.acquires_if_it_writes, "acquires-if-it-writes"),
                (access.releases, "releases"),
                (access.is_update, "update"),
            ] {
                write!(f, "{}{}", if flag { " " } else { "" }, if flag { name } else { "" })?;
            }
            if let Some(acquires) = access.acquires {
                self.words(f, &[Text(&"acquires"), Term(acquires)])?;
            }
            writeln!(f)?;
        }
        for fence in &order.fences {
            self.start(f, &[Text(&"fence"), Text(&fence.node), Guard(fence.guard)])?;
            write!(f, "{}", if fence.acquires { " acquires" } else { "" })?;
            writeln!(f, "{}", if fence.releases { " releases" } else { "" })?;
        }
        self.race_edges(f, "unordered-edge", &order.race_edges)
    }

    fn violation(&self, f: &mut dyn Write, violation: &ViolationPoint) -> fmt::Result {
        let ViolationPoint { property, condition, instance, location, span, steps, node } = violation;
        self.start(f, &[Text(&"violation"), Text(property), Text(instance), Text(location), Text(&SourcePos(*span))])?;
        self.words(f, &[Text(steps), Term(*condition)])?;
        if let Some(node) = node {
            write!(f, " node {node}")?;
        }
        writeln!(f)
    }

    fn cut(&self, f: &mut dyn Write, cut: &Cut) -> fmt::Result {
        self.start(f, &[Text(&"cut"), Text(&SourcePos(cut.span)), Term(cut.literal), Term(cut.reached)])?;
        if let Some(property) = cut.only_for {
            write!(f, " only {property}")?;
        }
        match &cut.kind {
            CutKind::Loop { function, head } => writeln!(f, " loop {function} {head}"),
            CutKind::Recursion { function } => writeln!(f, " recursion {function}"),
            CutKind::Allocation { location } => writeln!(f, " allocation {location}"),
            CutKind::Threads => writeln!(f, " threads"),
            CutKind::RaceGap { what } => writeln!(f, " race-gap {what}"),
            CutKind::Unsupported { what } => writeln!(f, " unsupported {what}"),
        }
    }

    fn line(&self, f: &mut dyn Write, parts: &[TextWord<'_>]) -> fmt::Result {
        self.start(f, parts)?;
        writeln!(f)
    }

    fn start(&self, f: &mut dyn Write, parts: &[TextWord<'_>]) -> fmt::Result {
        let Some((Text(kind), rest)) = parts.split_first() else { return Ok(()) };
        write!(f, "{kind}")?;
        self.words(f, rest)
    }

    fn words(&self, f: &mut dyn Write, parts: &[TextWord<'_>]) -> fmt::Result {
        parts.iter().try_for_each(|part| self.word(f, part))
    }

    fn word(&self, f: &mut dyn Write, part: &TextWord<'_>) -> fmt::Result {
        write!(f, " ")?;
        match part {
            Text(text) => write!(f, "{text}"),
            Term(term) => self.names.term(*term, f),
            Guard(guard) => self.names.guard(*guard, f),
            Value(SymValue::Bool(term) | SymValue::Int(term)) => self.names.term(*term, f),
            Value(SymValue::Pointer { object, offset, targets }) => {
                write!(f, "pointer ")?;
                self.names.term(*object, f)?;
                write!(f, " ")?;
                self.names.term(*offset, f)?;
                targets.iter().try_for_each(|target| write!(f, " {target}"))
            }
        }
    }
}

fn words<T: fmt::Display>(f: &mut dyn Write, items: &[T]) -> fmt::Result {
    items.iter().try_for_each(|item| write!(f, " {item}"))?;
    writeln!(f)
}

fn access_word(writes: bool) -> &'static str {
    if writes { "write" } else { "read" }
}

/// A place in a file: numbers of file, line, column and length, or `-`.
struct SourcePos(Span);

impl fmt::Display for SourcePos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Span { file, line, column, length } = self.0;
        if self.0 == Span::UNKNOWN { f.write_str("-") } else { write!(f, "{}:{line}:{column}:{length}", file.0) }
    }
}

fn write_object(f: &mut dyn Write, id: ObjectId, object: &Object) -> fmt::Result {
    let Object { key, size, shape, read_only, constant_parts, life } = object;
    write!(f, "object {id} {}", life_word(*life))?;
    match size {
        Some(size) => write!(f, " {size}")?,
        None => write!(f, " ?")?,
    }
    match key {
        ObjectKey::None => write!(f, " none")?,
        ObjectKey::Function(function) => write!(f, " function {function}")?,
        ObjectKey::Global(global) => write!(f, " global {global}")?,
        ObjectKey::ThreadLocal { global, instance } => write!(f, " thread-local {global} {instance}")?,
        ObjectKey::Allocated { instance, location, ordinal } => {
            write!(f, " allocated {instance} {location} {ordinal}")?;
        }
        ObjectKey::Result { instance } => write!(f, " result {instance}")?,
    }
    if let Some(shape) = shape {
        write!(f, " {shape}")?;
    }
    write!(f, "{}", if *read_only { " read-only" } else { "" })?;
    constant_parts.iter().try_for_each(|(offset, length)| write!(f, " constant {offset} {length}"))?;
    writeln!(f)
}

pub(crate) fn life_word(life: Life) -> &'static str {
    match life {
        Life::Process => "process",
        Life::Thread => "thread",
        Life::Scope => "scope",
        Life::Activation => "activation",
        Life::Heap => "heap",
        Life::Library => "library",
    }
}

fn write_cell(f: &mut dyn Write, id: CellId, cell: &CellKey) -> fmt::Result {
    let CellKey { object, offset, part } = cell;
    write!(f, "cell {id} {object}+{offset}")?;
    match part {
        CellPart::Bytes(size) => writeln!(f, " bytes {size}"),
        CellPart::Field(kind, field) => writeln!(f, " field {kind:?} {field:?}"),
        CellPart::Member(kind, field, thread) => writeln!(f, " member {kind:?} {field:?} {thread}"),
        CellPart::Life => writeln!(f, " life"),
        CellPart::Size => writeln!(f, " size"),
        CellPart::Array(size) => writeln!(f, " array {size}"),
        CellPart::View(size) => writeln!(f, " view {size}"),
    }
}

fn object_text(object: IndeterminateObject) -> String {
    match object {
        IndeterminateObject::Global(global) => format!("global {global}"),
        IndeterminateObject::Allocation(instance, index) => format!("allocation {instance} {index}"),
    }
}

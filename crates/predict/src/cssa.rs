//! The concurrent static single assignment form of a trace program, as text (§4.1 and Figures 3 and 4 of the paper).
//!
//! It is read off the event graph that is searched: writes are the definitions, numbered along the threads, reads are the
//! π-functions. A π-set is that of Definition 4.1: the last definition of the same thread and all of the others. The search
//! leaves out those that can never be seen. Long terms are shortened.

use std::fmt::Write;

use events::{Access, CellId, CellPart, EventGraph, EventId, InstanceId, NodeId};
use program::Program;
use rustc_hash::FxHashMap;
use symbolic::{ObjectKey, SymValue};
use terms::{BinaryOp, Relation, Term, TermId};

/// All threads, one line for each event, then the conditions and the order.
pub fn cssa(program: &Program, graph: &EventGraph) -> String {
    let names = CssaNames::new(program, graph);
    let mut out = String::new();
    for (id, instance) in graph.instances.iter_enumerated() {
        let _ = writeln!(out, "thread {} {}", id.0, instance.name);
        for &node in &instance.nodes {
            let _ = writeln!(out, "  {}", names.event(id, node));
        }
    }
    out += "path conditions and program order\n";
    for instance in &graph.instances {
        let mut before: Option<NodeId> = instance.spawned_by.map(|(node, _)| node);
        for &node in &instance.nodes {
            let guard = names.term(graph.guards.term(graph.nodes[node].guard), DEPTH);
            let order = before.map_or(String::new(), |before| format!("   HB(t{}, t{})", before.0, node.0));
            let _ = writeln!(out, "  t{} : g = {guard}{order}", node.0);
            before = Some(node);
        }
    }
    out
}

/// Operators below each other that are written out.
const DEPTH: u32 = 8;

struct CssaNames<'a> {
    program: &'a Program,
    graph: &'a EventGraph,
    /// The number of each definition among those of its cell, and of each π-function.
    numbers: FxHashMap<EventId, usize>,
    /// The π-function whose value a variable is.
    pi_of: FxHashMap<TermId, usize>,
    definitions: FxHashMap<CellId, Vec<EventId>>,
    /// The thread of each event, and its number along the threads.
    places: FxHashMap<EventId, (InstanceId, usize)>,
}

impl<'a> CssaNames<'a> {
    fn new(program: &'a Program, graph: &'a EventGraph) -> Self {
        let mut names = Self {
            program,
            graph,
            numbers: FxHashMap::default(),
            pi_of: FxHashMap::default(),
            definitions: FxHashMap::default(),
            places: FxHashMap::default(),
        };
        let mut reads = 0;
        let nodes = graph.instances.iter().flat_map(|instance| &instance.nodes);
        for &event in nodes.flat_map(|&node| &graph.nodes[node].events) {
            let body = &graph.events[event];
            names.places.insert(event, (graph.nodes[body.node].instance, names.places.len()));
            match body.access {
                Access::Read => {
                    reads += 1;
                    names.numbers.insert(event, reads);
                    if let SymValue::Int(term) | SymValue::Bool(term) = body.value {
                        names.pi_of.insert(term, reads);
                    }
                }
                Access::Write => {
                    let definitions = names.definitions.entry(body.cell).or_default();
                    names.numbers.insert(event, definitions.len());
                    definitions.push(event);
                }
            }
        }
        names
    }

    /// One event of the paper: `t2 : <1, {l_1 := π2 - 1}>   where π2 <- π(l_0, l_5)`.
    fn event(&self, instance: InstanceId, node: NodeId) -> String {
        let body = &self.graph.nodes[node];
        let (mut assignments, mut pis) = (Vec::new(), Vec::new());
        for &event in &body.events {
            let number = self.numbers[&event];
            match self.graph.events[event].access {
                Access::Write => {
                    let value = self.value(&self.graph.events[event].value);
                    assignments.push(format!("{} := {value}", self.definition(event)));
                }
                Access::Read => pis.push(format!("π{number} <- π({})", self.pi_set(event).join(", "))),
            }
        }
        let marker = if pis.is_empty() { "" } else { "   where " };
        let line = body.span.line;
        format!("t{} : <{}, {{{}}}> line {line}{marker}{}", node.0, instance.0, assignments.join(", "), pis.join(", "))
    }

    /// The last definition of the same thread, and all of other threads, in the order of their numbers.
    fn pi_set(&self, read: EventId) -> Vec<String> {
        let place = |event: EventId| self.places[&event];
        let here = place(read);
        let none = Vec::new();
        let all = self.definitions.get(&self.graph.events[read].cell).unwrap_or(&none);
        let own_last = all.iter().copied().rfind(|&write| place(write).0 == here.0 && place(write) < here);
        let seen = all.iter().copied().filter(|&write| place(write).0 != here.0 || Some(write) == own_last);
        seen.map(|write| self.definition(write)).collect()
    }

    fn definition(&self, write: EventId) -> String {
        format!("{}_{}", self.cell(self.graph.events[write].cell), self.numbers[&write])
    }

    fn cell(&self, cell: CellId) -> String {
        let key = self.graph.cells[cell];
        let object = match self.graph.objects.get(key.object).key {
            ObjectKey::Global(global) | ObjectKey::ThreadLocal { global, .. } => {
                self.program.globals[global].name.clone()
            }
            _ => key.object.to_string(),
        };
        let offset = if key.offset == 0 { String::new() } else { format!("+{}", key.offset) };
        match key.part {
            CellPart::Bytes(_) => format!("{object}{offset}"),
            CellPart::Field(_, sync::Field::Value) => format!("{object}{offset}"),
            CellPart::Field(_, field) => format!("{object}{offset}.{field:?}"),
            CellPart::Member(_, field, thread) => format!("{object}{offset}.{field:?}.{thread}"),
            CellPart::Life => format!("{object}.life"),
            CellPart::Size => format!("{object}.size"),
            CellPart::Array(_) => object,
            CellPart::View(_) => format!("{object}.view{}", key.offset),
        }
    }

    fn value(&self, value: &SymValue) -> String {
        match value {
            SymValue::Bool(term) | SymValue::Int(term) => self.term(*term, DEPTH),
            SymValue::Pointer { object, offset, .. } => {
                format!("&{}+{}", self.term(*object, DEPTH), self.term(*offset, DEPTH))
            }
        }
    }

    fn term(&self, term: TermId, depth: u32) -> String {
        if let Some(pi) = self.pi_of.get(&term) {
            return format!("π{pi}");
        }
        let terms = &self.graph.terms;
        let next = |term: TermId| match depth.checked_sub(1) {
            Some(depth) => self.term(term, depth),
            None => "…".to_owned(),
        };
        match terms.get(term) {
            Term::Boolean(value) => value.to_string(),
            Term::Constant { width, value } => signed(value, u32::from(width)).to_string(),
            Term::Variable(variable) => terms.variable_name(variable).to_owned(),
            Term::Not(a) => format!("¬{}", next(a)),
            Term::And(a, b) => format!("({} ∧ {})", next(a), next(b)),
            Term::Xor(a, b) => format!("({} ⊕ {})", next(a), next(b)),
            Term::Ite(c, a, b) => format!("({} ? {} : {})", next(c), next(a), next(b)),
            Term::Binary(BinaryOp::Add, a, b) => format!("({} + {})", next(a), next(b)),
            Term::Compare(Relation::Eq, a, b) => format!("({} = {})", next(a), next(b)),
            Term::Unary(op, a) => format!("{op:?}({})", next(a)),
            Term::Binary(op, a, b) => format!("{op:?}({}, {})", next(a), next(b)),
            Term::Compare(relation, a, b) => format!("{relation:?}({}, {})", next(a), next(b)),
            Term::Concat(a, b) => format!("concat({}, {})", next(a), next(b)),
            Term::Extract { arg, high, low } => format!("{}[{high}:{low}]", next(arg)),
            Term::SignExtend { arg, .. } => next(arg),
            Term::Filled(_) | Term::Store(..) => unreachable!("events should hold no arrays"),
        }
    }
}

fn signed(value: u64, width: u32) -> i64 {
    let unused = 64 - width.clamp(1, 64);
    ((value << unused) as i64) >> unused
}

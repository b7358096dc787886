//! What holds of every event graph, whoever made it.

use std::fmt::Display;

use base::{Id, IdVec};
use program::Property;
use symbolic::{OBJECT_BITS, ObjectId, ObjectKey, SymValue};
use sync::FieldSort;
use terms::{Sort, Term, TermId};

use crate::graph::*;
use crate::guard::{GuardId, Guards};
use crate::happens_before::{HappensBefore, HbSlot, Part};

/// More mistakes than this are not listed.
const MAX_MISTAKES: usize = 20;

impl EventGraph {
    /// What is wrong with the graph, in words; nothing if it is as it should be.
    pub fn verify(&self) -> Vec<String> {
        let mut verifier = Verifier { graph: self, mistakes: Vec::new() };
        verifier.graph();
        verifier.mistakes
    }

    /// In debug builds, stops where the graph is not as it should be.
    ///
    /// # Panics
    /// Only in debug builds.
    pub fn assert_valid(&self) {
        if cfg!(debug_assertions) {
            let mistakes = self.verify();
            assert!(mistakes.is_empty(), "the event graph should be valid: {}", mistakes.join("; "));
        }
    }
}

struct Verifier<'a> {
    graph: &'a EventGraph,
    mistakes: Vec<String>,
}

impl Verifier<'_> {
    fn graph(&mut self) {
        let graph = self.graph;
        self.references();
        // What follows looks things up.
        if !self.mistakes.is_empty() {
            return;
        }
        self.guards();
        for (id, instance) in graph.instances.iter_enumerated() {
            self.instance(id, instance);
        }
        self.chains();
        for (id, event) in graph.events.iter_enumerated() {
            self.event(id, event);
        }
        self.cells();
        self.sections();
        self.cuts();
    }

    fn require(&mut self, holds: bool, mistake: impl FnOnce() -> String) {
        if !holds && self.mistakes.len() < MAX_MISTAKES {
            self.mistakes.push(mistake());
        }
    }

    fn exists<I: Id + Display, T>(&mut self, table: &IdVec<I, T>, id: I, by: &str) {
        self.require(id.index() < table.len(), || format!("{by} refers to {id}, which does not exist"));
    }

    fn object(&mut self, id: ObjectId, by: &str) {
        let known = id.index() < self.graph.objects.len();
        self.require(known, || format!("{by} refers to {id}, which does not exist"));
    }

    fn guard(&mut self, id: GuardId, by: &str) {
        let known = id.index() < self.graph.guards.len();
        self.require(known, || format!("{by} refers to {id}, which does not exist"));
    }

    fn condition(&mut self, term: TermId, by: &str) {
        let fits = term.index() < self.graph.terms.len() && self.graph.terms.sort(term) == Sort::Bool;
        self.require(fits, || format!("{by} has {term}, which is no truth value"));
    }

    /// A Boolean that somebody else decides.
    fn free_literal(&mut self, term: TermId, by: &str) {
        self.condition(term, by);
        if term.index() < self.graph.terms.len() {
            let free = matches!(self.graph.terms.get(term), Term::Variable(_));
            self.require(free, || format!("{by} has {term}, which is no variable"));
        }
    }

    fn value(&mut self, value: &SymValue, by: &str) {
        let (components, count) = value.components();
        let terms = &self.graph.terms;
        if components[..count].iter().any(|term| term.index() >= terms.len()) {
            return self.require(false, || format!("{by} has a term that does not exist"));
        }
        let fits = match value {
            SymValue::Bool(term) => terms.sort(*term) == Sort::Bool,
            SymValue::Int(term) => matches!(terms.sort(*term), Sort::BitVec(_)),
            SymValue::Pointer { object, offset, targets } => {
                terms.sort(*object) == Sort::BitVec(OBJECT_BITS)
                    && matches!(terms.sort(*offset), Sort::BitVec(_))
                    && targets.is_sorted()
            }
        };
        self.require(fits, || format!("{by} has a value whose sort does not fit"));
        if let SymValue::Pointer { targets, .. } = value {
            targets.iter().for_each(|&target| self.object(target, by));
        }
    }

    /// Everything that is referred to exists, and conditions are truth values.
    fn references(&mut self) {
        let graph = self.graph;
        for (id, instance) in graph.instances.iter_enumerated() {
            self.instance_references(id, instance);
        }
        for (id, node) in graph.nodes.iter_enumerated() {
            let by = format!("node {id}");
            self.exists(&graph.instances, node.instance, &by);
            self.guard(node.guard, &by);
            node.events.iter().for_each(|&event| self.exists(&graph.events, event, &by));
        }
        for (id, event) in graph.events.iter_enumerated() {
            let by = format!("event {id}");
            self.exists(&graph.nodes, event.node, &by);
            self.exists(&graph.cells, event.cell, &by);
            self.guard(event.guard, &by);
            self.value(&event.value, &by);
        }
        for (id, cell) in graph.cells.iter_enumerated() {
            self.object(cell.object, &format!("cell {id}"));
        }
        graph.constraints.iter().for_each(|&constraint| self.condition(constraint, "a constraint"));
        for join in &graph.joins {
            self.exists(&graph.nodes, join.node, "a join");
            self.exists(&graph.instances, join.target, "a join");
            self.condition(join.condition, "a join");
        }
        self.race_edges(&graph.race_edges);
        for access in &graph.accesses {
            self.exists(&graph.nodes, access.node, "an access");
            self.object(access.object, "an access");
            self.guard(access.guard, "an access");
            access.locks.iter().for_each(|&(object, _)| self.object(object, "an access"));
            access.joined.iter().for_each(|&instance| self.exists(&graph.instances, instance, "an access"));
        }
        if let Some(order) = &graph.happens_before {
            self.order_references(order);
        }
        for section in &graph.sections {
            self.exists(&graph.nodes, section.node, "a section");
            section.unlocks.iter().for_each(|&node| self.exists(&graph.nodes, node, "a section"));
            self.object(section.lock.0, "a section");
        }
        for violation in &graph.violations {
            let by = format!("a violation of {}", violation.property);
            self.condition(violation.condition, &by);
            self.exists(&graph.instances, violation.instance, &by);
            violation.node.iter().for_each(|&node| self.exists(&graph.nodes, node, &by));
        }
        graph.sought.values().for_each(|&sought| self.free_literal(sought, "a property that is sought"));
        graph.layout.iter().for_each(|&layout| self.free_literal(layout, "the layout of memory"));
        for cut in &graph.cuts {
            self.free_literal(cut.literal, "a cut");
            self.condition(cut.reached, "a cut");
        }
        if let Some(deadlock) = &graph.deadlock {
            self.exists(&graph.nodes, deadlock.node, "a deadlock");
            self.condition(deadlock.deadlocked, "a deadlock");
            for member in &deadlock.members {
                self.exists(&graph.instances, member.instance, "a deadlock");
                self.condition(member.stuck, "a deadlock");
                self.condition(member.ended, "a deadlock");
            }
        }
        graph.indeterminate.iter().for_each(|memory| self.value(&memory.value, "indeterminate memory"));
        for element in &graph.indeterminate_elements {
            for term in [element.offset, element.value] {
                self.value(&SymValue::Int(term), "an indeterminate element");
            }
        }
        for candidate in &graph.candidates {
            self.free_literal(candidate.assumed, "a candidate");
            candidate.failures.iter().for_each(|&failure| self.condition(failure, "a candidate"));
        }
    }

    fn instance_references(&mut self, id: InstanceId, instance: &Instance) {
        let (graph, by) = (self.graph, format!("instance {id}"));
        self.condition(instance.finished, &by);
        if let Some((node, guard)) = instance.spawned_by {
            self.exists(&graph.nodes, node, &by);
            self.guard(guard, &by);
        }
        instance.nodes.iter().for_each(|&node| self.exists(&graph.nodes, node, &by));
        instance.allocations.iter().for_each(|&guard| self.guard(guard, &by));
        for choice in &instance.choices {
            self.guard(choice.guard, &by);
            self.condition(choice.made, &by);
            self.require(choice.value.index() < graph.terms.len(), || {
                format!("{by} chooses a term that does not exist")
            });
        }
        for step in &instance.steps {
            self.guard(step.guard, &by);
            self.guard(step.completes, &by);
            step.node.iter().for_each(|&node| self.exists(&graph.nodes, node, &by));
            step.abandoned.iter().for_each(|&abandoned| self.condition(abandoned, &by));
            for &(guard, spawned) in &step.spawns {
                self.guard(guard, &by);
                self.exists(&graph.instances, spawned, &by);
            }
        }
    }

    fn race_edges(&mut self, edges: &[RaceEdge]) {
        for edge in edges {
            self.exists(&self.graph.nodes, edge.from, "an edge of a race");
            self.exists(&self.graph.nodes, edge.to, "an edge of a race");
            self.condition(edge.condition, "an edge of a race");
        }
    }

    fn order_references(&mut self, order: &HappensBefore) {
        let graph = self.graph;
        order.racing.iter().for_each(|&racing| self.condition(racing, "happens-before"));
        for slot_use in &order.slot_uses {
            self.exists(&graph.nodes, slot_use.node, "the use of a slot");
            self.condition(slot_use.condition, "the use of a slot");
            if let HbSlot::Object(object, _, part) = slot_use.slot {
                self.object(object, "the use of a slot");
                if let Part::Thread(instance) = part {
                    self.exists(&graph.instances, instance, "the use of a slot");
                }
            }
        }
        for access in &order.atomics {
            self.exists(&graph.nodes, access.node, "an atomic access");
            access.reads.iter().for_each(|&event| self.exists(&graph.events, event, "an atomic access"));
            access.writes.iter().for_each(|&event| self.exists(&graph.events, event, "an atomic access"));
            access.acquires.iter().for_each(|&acquires| self.condition(acquires, "an atomic access"));
        }
        for fence in &order.fences {
            self.exists(&graph.nodes, fence.node, "a fence");
            self.guard(fence.guard, "a fence");
        }
        self.race_edges(&order.race_edges);
    }

    fn guards(&mut self) {
        let guards = &self.graph.guards;
        for guard in (1..guards.len()).map(GuardId::new) {
            self.condition(guards.term(guard), "a guard");
            self.condition(guards.condition(guard), "a guard");
            self.require(guards.parent(guard) < guard, || format!("guard {guard} comes before its parent"));
        }
        self.require(self.graph.terms.as_boolean(guards.term(Guards::ROOT)) == Some(true), || {
            "the first guard does not always hold".to_owned()
        });
    }

    fn instance(&mut self, id: InstanceId, instance: &Instance) {
        let graph = self.graph;
        self.require(instance.nodes.is_sorted(), || format!("the nodes of {id} are not in order"));
        for &node in &instance.nodes {
            let owner = graph.nodes[node].instance;
            self.require(owner == id, || format!("{node} of {id} says that it belongs to {owner}"));
        }
        if let Some((node, _)) = instance.spawned_by {
            let creator = graph.nodes[node].instance;
            self.require(creator < id, || format!("{id} is created by {creator}, which comes later"));
        }
        for step in &instance.steps {
            let never = graph.terms.as_boolean(graph.guards.term(step.completes)) == Some(false);
            let implied = never || graph.guards.implies(step.completes, step.guard);
            self.require(implied, || format!("a step of {id} at {} may complete without being taken", step.location));
            let own = step.node.is_none_or(|node| graph.nodes[node].instance == id);
            self.require(own, || format!("a step of {id} at {} has a node of another instance", step.location));
        }
    }

    /// Each node is in the chain of its instance once, each event in its node once.
    fn chains(&mut self) {
        let graph = self.graph;
        let mut nodes: IdVec<NodeId, u32> = graph.nodes.iter().map(|_| 0).collect();
        graph.instances.iter().flat_map(|instance| &instance.nodes).for_each(|&node| nodes[node] += 1);
        let mut events: IdVec<EventId, u32> = graph.events.iter().map(|_| 0).collect();
        for (id, node) in graph.nodes.iter_enumerated() {
            self.require(nodes[id] == 1, || format!("{id} is in {} chains", nodes[id]));
            let known = node.steps <= graph.instances[node.instance].steps.len();
            self.require(known, || format!("{id} comes after more steps than its instance has"));
            for &event in &node.events {
                events[event] += 1;
                let owner = graph.events[event].node;
                self.require(owner == id, || format!("{event} of {id} says that it belongs to {owner}"));
            }
        }
        for (id, count) in events.iter_enumerated() {
            self.require(*count == 1, || format!("{id} is in {count} nodes"));
        }
    }

    fn event(&mut self, id: EventId, event: &Event) {
        let graph = self.graph;
        let implied = graph.guards.implies(event.guard, graph.nodes[event.node].guard);
        self.require(implied, || format!("{id} may happen without its node {}", event.node));
        let cell = graph.cells[event.cell];
        let bits = |term: TermId| match graph.terms.sort(term) {
            Sort::Bool => 1,
            Sort::BitVec(width) => width,
            Sort::Array(_) => 0,
        };
        let fits = match (cell.part, &event.value) {
            (CellPart::Bytes(size), SymValue::Int(term)) => bits(*term) == u32::from(size) * 8,
            (CellPart::Bytes(size), SymValue::Pointer { offset, .. }) => bits(*offset) == u32::from(size) * 8,
            (CellPart::Bytes(_), SymValue::Bool(_)) => false,
            (CellPart::Member(..), SymValue::Int(term)) => bits(*term) == 1,
            (CellPart::Member(..), _) => false,
            (CellPart::Field(_, field), SymValue::Int(term)) => match field.sort() {
                FieldSort::Number(width) => bits(*term) <= u32::from(width),
                FieldSort::Owner | FieldSort::Threads => true,
            },
            (CellPart::Field(..) | CellPart::Life | CellPart::Size, _) => true,
            (CellPart::View(size), SymValue::Int(term)) => bits(*term) == u32::from(size) * 8,
            (CellPart::View(size), SymValue::Pointer { offset, .. }) => bits(*offset) == u32::from(size) * 8,
            (CellPart::View(_), SymValue::Bool(_)) | (CellPart::Array(_), _) => false,
        };
        self.require(fits, || format!("the value of {id} does not fit into {} {cell}", event.cell));
    }

    /// No two cells are the same, and bytes lie inside of their object.
    fn cells(&mut self) {
        let graph = self.graph;
        let mut seen = std::collections::BTreeSet::new();
        for (id, cell) in graph.cells.iter_enumerated() {
            self.require(seen.insert(*cell), || format!("{id} is another cell for {cell}"));
            let object = graph.objects.get(cell.object);
            // Behind the result of a thread is noted whether it has been joined.
            let is_result = matches!(object.key, ObjectKey::Result { .. });
            if let (CellPart::Bytes(length), Some(size), false) = (cell.part, object.size, is_result) {
                let inside = cell.offset.checked_add(u64::from(length)).is_some_and(|end| end <= size);
                self.require(inside, || format!("{id} {cell} is not inside of its object of {size} bytes"));
            }
        }
    }

    fn sections(&mut self) {
        let graph = self.graph;
        for LockSection { node, unlocks, .. } in &graph.sections {
            let own = unlocks.iter().all(|unlock| graph.nodes[*unlock].instance == graph.nodes[*node].instance);
            self.require(own && unlocks.is_sorted(), || format!("the section of {node} does not end in order"));
            let later = unlocks.first().is_none_or(|first| first > node);
            self.require(later, || format!("the section of {node} ends before it begins"));
        }
    }

    fn cuts(&mut self) {
        for cut in &self.graph.cuts {
            let gap = matches!(cut.kind, CutKind::RaceGap { .. });
            let fits = !gap || cut.only_for == Some(Property::NoDataRace);
            self.require(fits, || "a gap for races concerns other properties".to_owned());
        }
    }
}

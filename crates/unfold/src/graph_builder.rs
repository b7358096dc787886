//! The event graph that a pass builds. Everybody may read it; whatever is added to it is added here, so that a node is in
//! the chain of its instance, an event in its node, and a cell has one number.

use std::collections::BTreeMap;
use std::ops::Deref;

use base::Span;
use events::happens_before::HappensBefore;
use events::{
    Access, AccessPoint, CellId, CellKey, Cut, CutKind, Deadlock, Event, EventGraph, GuardId, GuardedChoice, Guards,
    Indeterminate, Instance, InstanceId, InstanceStep, InvariantCandidate, Join, LockSection, Node, NodeHb, NodeId,
    RaceEdge, ViolationPoint,
};
use program::Property;
use rustc_hash::FxHashMap;
use symbolic::{Objects, SymValue};
use terms::{TermId, Terms};

use crate::arrays::IndeterminateArray;
use crate::open_step::OpenStep;
use crate::state::SymState;

pub(crate) struct GraphBuilder {
    graph: EventGraph,
    cell_ids: FxHashMap<CellKey, CellId>,
    /// The literal of each bound.
    bound_literals: BTreeMap<CutKind, TermId>,
    /// For each instance, which may not exist yet, whether it has come to its end.
    finished: FxHashMap<InstanceId, TermId>,
    indeterminate_arrays: Vec<IndeterminateArray>,
}

impl Deref for GraphBuilder {
    type Target = EventGraph;

    fn deref(&self) -> &EventGraph {
        &self.graph
    }
}

impl GraphBuilder {
    pub fn new() -> Self {
        let mut terms = Terms::new();
        let guards = Guards::new(&mut terms);
        let graph = EventGraph::new(terms, guards, Objects::default());
        Self {
            graph,
            cell_ids: FxHashMap::default(),
            bound_literals: BTreeMap::new(),
            finished: FxHashMap::default(),
            indeterminate_arrays: Vec::new(),
        }
    }

    /// The graph, with the objects that its cells are parts of.
    pub fn finish(mut self, objects: Objects) -> EventGraph {
        self.graph.objects = objects;
        self.graph.constraints.extend(self.graph.terms.take_congruences());
        for array in self.indeterminate_arrays {
            self.graph.indeterminate_elements.extend(array.elements(&self.graph.terms));
        }
        self.graph.assert_valid();
        self.graph
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.graph.terms
    }

    pub fn terms_and_guards(&mut self) -> (&mut Terms, &mut Guards) {
        (&mut self.graph.terms, &mut self.graph.guards)
    }

    pub fn terms_and_constraints(&mut self) -> (&mut Terms, &mut Vec<TermId>) {
        (&mut self.graph.terms, &mut self.graph.constraints)
    }

    pub fn is_true(&self, condition: TermId) -> bool {
        self.graph.terms.as_boolean(condition) == Some(true)
    }

    pub fn is_false(&self, condition: TermId) -> bool {
        self.graph.terms.as_boolean(condition) == Some(false)
    }

    pub fn and_guard(&mut self, guard: GuardId, condition: TermId) -> GuardId {
        self.graph.guards.strengthen(&mut self.graph.terms, guard, condition)
    }

    /// The guard of what never happens.
    pub fn never(&mut self) -> GuardId {
        let never = self.graph.terms.boolean(false);
        self.and_guard(Guards::ROOT, never)
    }

    /// If it is true, executions to which it matters where memory lies are left out.
    pub fn layout(&mut self) -> TermId {
        let terms = &mut self.graph.terms;
        *self.graph.layout.get_or_insert_with(|| terms.bool_variable("layout"))
    }

    /// The condition holds in every execution.
    pub fn constrain(&mut self, condition: TermId) {
        self.graph.constraints.push(condition);
    }

    pub fn cell(&mut self, key: CellKey) -> CellId {
        let cells = &mut self.graph.cells;
        *self.cell_ids.entry(key).or_insert_with(|| cells.push(key))
    }

    /// The number of a cell that has events already.
    pub fn known_cell(&self, key: CellKey) -> Option<CellId> {
        self.cell_ids.get(&key).copied()
    }

    /// The literal that leaves out executions through bounds of this kind.
    pub fn bound_literal(&mut self, kind: &CutKind) -> TermId {
        if let Some(&literal) = self.bound_literals.get(kind) {
            return literal;
        }
        let literal = self.graph.terms.bool_variable("cut");
        self.bound_literals.insert(kind.clone(), literal);
        literal
    }

    pub fn add_bound(&mut self, bound: Cut) {
        self.graph.cuts.push(bound);
    }

    /// The variable for the end of an instance, which may not exist yet.
    pub fn finished(&mut self, instance: InstanceId) -> TermId {
        let terms = &mut self.graph.terms;
        *self.finished.entry(instance).or_insert_with(|| terms.bool_variable("finished"))
    }

    pub fn instance_count(&self) -> usize {
        self.graph.instances.len()
    }

    pub fn new_instance(&mut self, name: String, spawned_by: Option<(NodeId, GuardId)>) -> InstanceId {
        let finished = self.finished(self.graph.instances.next_id());
        self.graph.instances.push(Instance {
            name,
            spawned_by,
            nodes: Vec::new(),
            steps: Vec::new(),
            choices: Vec::new(),
            allocations: Vec::new(),
            finished,
        })
    }

    /// How many steps of an instance come up to here.
    pub fn steps_of(&self, instance: InstanceId) -> usize {
        self.graph.instances[instance].steps.len()
    }

    /// A visible instruction runs, which is a step of its own.
    pub fn add_step(&mut self, state: &SymState, step: &mut OpenStep) {
        let (guard, completes, location) = (state.guard, state.guard, step.site.location);
        let own = InstanceStep { guard, completes, location, node: None, spawns: Vec::new(), abandoned: None };
        let steps = &mut self.graph.instances[step.instance].steps;
        step.index = Some(steps.len());
        steps.push(own);
    }

    /// Takes back the steps from the n-th on.
    pub fn drop_steps(&mut self, instance: InstanceId, first: usize) {
        self.graph.instances[instance].steps.truncate(first);
    }

    pub fn step_mut(&mut self, instance: InstanceId, index: usize) -> Option<&mut InstanceStep> {
        self.graph.instances[instance].steps.get_mut(index)
    }

    pub fn last_step_mut(&mut self, instance: InstanceId) -> Option<&mut InstanceStep> {
        self.graph.instances[instance].steps.last_mut()
    }

    /// The step that an instruction belongs to. Not simply the last one: other paths have their steps, too.
    pub fn own_step(&mut self, step: &OpenStep) -> Option<&mut InstanceStep> {
        self.step_mut(step.instance, step.index?)
    }

    pub fn attach_to_step(&mut self, step: &OpenStep, node: NodeId) {
        if let Some(own) = self.own_step(step) {
            own.node = Some(node);
        }
    }

    /// Ties the node that the instruction has made, if any, to the instruction's step.
    pub fn attach_open_node(&mut self, step: &OpenStep) {
        if let Some(node) = step.node {
            self.attach_to_step(step, node);
        }
    }

    /// The node for what an instruction does.
    pub fn node(&mut self, state: &SymState, step: &OpenStep) -> NodeId {
        match state.atomic {
            Some(section) => section.node,
            None => self.new_node(state, step),
        }
    }

    pub fn new_node(&mut self, state: &SymState, step: &OpenStep) -> NodeId {
        let (instance, span, node_hb) = (step.instance, step.site.span, step.node_hb);
        self.add_node(Node {
            instance,
            guard: state.guard,
            events: Vec::new(),
            span,
            node_hb,
            steps: self.steps_of(instance),
        })
    }

    fn add_node(&mut self, node: Node) -> NodeId {
        let instance = node.instance;
        let node = self.graph.nodes.push(node);
        self.graph.instances[instance].nodes.push(node);
        node
    }

    /// The only node of an instance that executes nothing.
    pub fn add_observer(&mut self, name: &str, condition: TermId) -> NodeId {
        let instance = self.new_instance(name.to_owned(), None);
        let guard = self.and_guard(Guards::ROOT, condition);
        let (span, node_hb) = (Span::UNKNOWN, NodeHb::NONE);
        self.add_node(Node { instance, guard, events: Vec::new(), span, node_hb, steps: 0 })
    }

    /// The node of an instruction, which is made when it is first needed.
    pub fn node_of_access(&mut self, state: &SymState, step: &mut OpenStep) -> NodeId {
        match step.node {
            Some(node) if state.atomic.is_none() => node,
            _ => {
                let node = self.node(state, step);
                step.node = Some(node);
                node
            }
        }
    }

    pub fn add_event(&mut self, node: NodeId, access: Access, cell: CellKey, guard: GuardId, value: SymValue) {
        let cell = self.cell(cell);
        let event = self.graph.events.push(Event { node, access, cell, guard, value });
        self.graph.nodes[node].events.push(event);
    }

    pub fn add_choice(&mut self, instance: InstanceId, choice: GuardedChoice) {
        self.graph.instances[instance].choices.push(choice);
    }

    /// An allocation runs; returns how many came before it in its instance.
    pub fn add_allocation(&mut self, instance: InstanceId, guard: GuardId) -> usize {
        let allocations = &mut self.graph.instances[instance].allocations;
        allocations.push(guard);
        allocations.len() - 1
    }

    pub fn add_indeterminate(&mut self, indeterminate: Indeterminate) {
        self.graph.indeterminate.push(indeterminate);
    }

    pub fn add_indeterminate_array(&mut self, array: IndeterminateArray) {
        self.indeterminate_arrays.push(array);
    }

    /// Returns the number of the violation.
    pub fn add_violation(&mut self, violation: ViolationPoint) -> usize {
        self.graph.violations.push(violation);
        self.graph.violations.len() - 1
    }

    /// A violation counts only where `condition` holds as well.
    pub fn restrict_violation(&mut self, index: usize, condition: TermId) {
        let violation = &mut self.graph.violations[index];
        violation.condition = self.graph.terms.and(violation.condition, condition);
    }

    /// Whether the query looks for this property.
    pub fn sought(&mut self, property: Property) -> TermId {
        let terms = &mut self.graph.terms;
        *self.graph.sought.entry(property).or_insert_with(|| terms.bool_variable("sought"))
    }

    pub fn add_join(&mut self, join: Join) {
        self.graph.joins.push(join);
    }

    /// Keeps the joins that satisfy a predicate, and returns the others.
    pub fn extract_joins(&mut self, keep: impl Fn(&Join) -> bool) -> Vec<Join> {
        let (kept, others) = std::mem::take(&mut self.graph.joins).into_iter().partition(keep);
        self.graph.joins = kept;
        others
    }

    pub fn add_access(&mut self, access: AccessPoint) {
        self.graph.accesses.push(access);
    }

    pub fn add_section(&mut self, section: LockSection) {
        self.graph.sections.push(section);
    }

    pub fn add_race_edge(&mut self, from: NodeId, to: NodeId, condition: TermId) {
        self.graph.race_edges.push(RaceEdge { from, to, condition });
    }

    pub fn set_happens_before(&mut self, order: HappensBefore) {
        self.graph.happens_before = Some(order);
    }

    /// Happens-before must not order `from` after `to`, when the condition holds. Returns what switches that order on.
    pub fn add_unordered_edge(&mut self, from: NodeId, to: NodeId, condition: TermId) -> Option<TermId> {
        let order = self.graph.happens_before.as_mut()?;
        order.race_edges.push(RaceEdge { from, to, condition });
        order.racing
    }

    pub fn set_deadlock(&mut self, deadlock: Deadlock) {
        self.graph.deadlock = Some(deadlock);
    }

    pub fn add_candidate(&mut self) -> usize {
        let assumed = self.graph.terms.bool_variable("candidate");
        self.graph.candidates.push(InvariantCandidate { assumed, failures: Vec::new() });
        self.graph.candidates.len() - 1
    }

    /// A candidate for an invariant does not hold when the condition holds.
    pub fn add_failure(&mut self, candidate: usize, condition: TermId) {
        self.graph.candidates[candidate].failures.push(condition);
    }
}

//! From a model back to a schedule that the interpreter can replay.

use base::IdVec;
use program::{Choices, MemoryChoice, ObjectName, Property, Schedule, ThreadId};
use symbolic::SymValue;
use terms::{Assignment, Evaluator};

use crate::graph::{EventGraph, IndeterminateObject, InstanceId, NodeId, ViolationPoint};

/// The schedule of an execution in which `property` is violated. `order` lists the executed nodes in an order that
/// explains every read; `assignment` is the model. `None` if the model violates nothing.
pub fn decode(graph: &EventGraph, assignment: &Assignment, order: &[NodeId], property: Property) -> Option<Schedule> {
    decode_at(graph, assignment, order, property, &graph.violations)
}

/// As [`decode`], but only these violations end the schedule.
pub fn decode_at(
    graph: &EventGraph,
    assignment: &Assignment,
    order: &[NodeId],
    property: Property,
    points: &[ViolationPoint],
) -> Option<Schedule> {
    let mut decoder = ModelDecoder::new(graph, assignment);
    if property == Property::NoDeadlock {
        return decoder.run_to_deadlock(order).then(|| decoder.finish());
    }
    let violated: Vec<&ViolationPoint> = points
        .iter()
        .filter(|violation| violation.property == property && decoder.holds(violation.condition))
        .collect();
    if violated.is_empty() {
        return None;
    }
    decoder.ends = violated.iter().map(|violation| (violation.instance, violation.steps)).collect();
    for &node in order {
        if violated.iter().any(|violation| decoder.has_reached(violation)) {
            break;
        }
        decoder.run_up_to(node);
        decoder.passed[node] = true;
    }
    // What is left before the violation needs nobody else.
    let first = *violated.iter().find(|violation| decoder.has_reached(violation)).or(violated.first())?;
    decoder.run_steps(first.instance, first.steps);
    Some(decoder.finish())
}

struct ModelDecoder<'a> {
    graph: &'a EventGraph,
    values: Evaluator<'a>,
    /// Which thread of the execution an instance is, once it is created.
    threads: Vec<Option<ThreadId>>,
    /// How many steps of each instance have been dealt with.
    done: Vec<usize>,
    created: u32,
    passed: IdVec<NodeId, bool>,
    /// Where the schedule may end: the instance and how many of its steps.
    ends: Vec<(InstanceId, usize)>,
    schedule: Schedule,
}

impl<'a> ModelDecoder<'a> {
    fn new(graph: &'a EventGraph, assignment: &'a Assignment) -> Self {
        let mut threads = vec![None; graph.instances.len()];
        threads[0] = Some(ThreadId::MAIN);
        Self {
            graph,
            values: Evaluator::new(&graph.terms, assignment),
            threads,
            done: vec![0; graph.instances.len()],
            created: 1,
            passed: graph.nodes.iter().map(|_| false).collect(),
            ends: Vec::new(),
            schedule: Schedule::default(),
        }
    }

    fn holds(&mut self, term: terms::TermId) -> bool {
        self.values.value(term) != 0
    }

    fn runs(&mut self, guard: crate::guard::GuardId) -> bool {
        self.holds(self.graph.guards.term(guard))
    }

    /// Takes the steps of the node's instance up to the one that the node belongs to.
    fn run_up_to(&mut self, node: NodeId) {
        let instance = self.graph.nodes[node].instance;
        let steps = &self.graph.instances[instance].steps;
        let from = self.done[instance.0 as usize];
        // An attempt and the step itself share a node; only one of them is taken.
        match steps[from..].iter().rposition(|step| step.node == Some(node)) {
            Some(place) => self.run_steps(instance, from + place + 1),
            // No step of its own: it happens together with the one before it.
            None => self.run_steps(instance, self.graph.nodes[node].steps),
        }
    }

    fn run_steps(&mut self, instance: InstanceId, end: usize) {
        let graph = self.graph;
        let Some(thread) = self.threads[instance.0 as usize] else { return };
        for index in self.done[instance.0 as usize]..end {
            let step = &graph.instances[instance].steps[index];
            let ends_here = self.may_end_in(instance, index);
            // What a section that is not finished has done is seen only where the schedule ends in it.
            let is_void = step.abandoned.is_some_and(|abandoned| self.holds(abandoned)) && !ends_here;
            // A step in which something else is wrong is not taken: whoever comes to it stops before.
            let is_wrong = !self.runs(step.completes) && !ends_here;
            if is_void || is_wrong || !self.runs(step.guard) {
                continue;
            }
            self.finish_joined(step.node);
            self.schedule.steps.push(program::Step { thread, location: Some(step.location) });
            for &(guard, child) in &step.spawns {
                if self.runs(guard) {
                    self.threads[child.0 as usize] = Some(ThreadId(self.created));
                    self.created += 1;
                }
            }
        }
        let done = &mut self.done[instance.0 as usize];
        *done = (*done).max(end);
    }

    /// Whether the schedule may end in this step: no other step of the instance, which may be on another path, lies between
    /// it and the end.
    fn may_end_in(&mut self, instance: InstanceId, index: usize) -> bool {
        let graph = self.graph;
        let ends: Vec<usize> =
            self.ends.iter().filter(|(other, steps)| *other == instance && *steps > index).map(|end| end.1).collect();
        ends.into_iter().any(|end| {
            let later = &graph.instances[instance].steps[index + 1..end];
            !later.iter().any(|step| self.runs(step.guard))
        })
    }

    /// Before a join, the joined thread takes the steps that it has left: they have no nodes, or they would be done.
    fn finish_joined(&mut self, node: Option<NodeId>) {
        let graph = self.graph;
        for join in graph.joins.iter().filter(|join| Some(join.node) == node) {
            if self.holds(join.condition) {
                self.run_steps(join.target, graph.instances[join.target].steps.len());
            }
        }
    }

    /// Takes everything up to the snapshot of a deadlock, and all that stuck and ended threads do; `false` if there is no
    /// deadlock.
    fn run_to_deadlock(&mut self, order: &[NodeId]) -> bool {
        let graph = self.graph;
        let Some(deadlock) = graph.deadlock.as_ref().filter(|deadlock| self.holds(deadlock.deadlocked)) else {
            return false;
        };
        for &node in order.iter().take_while(|&&node| node != deadlock.node) {
            self.run_up_to(node);
        }
        for member in &deadlock.members {
            if self.holds(member.stuck) || self.holds(member.ended) {
                self.run_steps(member.instance, graph.instances[member.instance].steps.len());
            }
        }
        true
    }

    fn has_reached(&mut self, violation: &ViolationPoint) -> bool {
        let is_before_node = violation.node.is_some_and(|node| !self.passed[node]);
        if is_before_node || self.threads[violation.instance.0 as usize].is_none() {
            return false;
        }
        let done = self.done[violation.instance.0 as usize];
        let steps = &self.graph.instances[violation.instance].steps;
        let rest = done..violation.steps.max(done);
        // Steps without a node happen on the way.
        !steps[rest]
            .iter()
            .any(|step| step.node.is_some() && self.values.value(self.graph.guards.term(step.guard)) != 0)
    }

    fn finish(mut self) -> Schedule {
        let mut choices = Choices::default();
        for (instance, body) in self.graph.instances.iter_enumerated() {
            let Some(thread) = self.threads[instance.0 as usize] else { continue };
            for choice in &body.choices {
                if self.runs(choice.guard) && self.holds(choice.made) {
                    let value = self.values.value(choice.value);
                    let value = if choice.names_instance { self.thread_number(value) } else { value };
                    choices.push(thread, value);
                }
            }
        }
        for record in &self.graph.indeterminate {
            choices.memory.extend(self.memory_choice(record.object, record.offset, &record.value));
        }
        for element in &self.graph.indeterminate_elements {
            let (offset, value) = (self.values.value(element.offset), SymValue::Int(element.value));
            let bytes = u64::from(self.graph.terms.width(element.value) / 8);
            if offset.checked_add(bytes).is_some_and(|end| end <= element.object_size) {
                choices.memory.extend(self.memory_choice(element.object, offset, &value));
            }
        }
        self.schedule.choices = choices;
        self.schedule
    }

    fn thread_number(&self, instance: u64) -> u64 {
        let thread = self.threads.get(instance as usize).copied().flatten();
        thread.map_or(instance, |thread| u64::from(thread.0))
    }

    fn memory_choice(&mut self, object: IndeterminateObject, offset: u64, value: &SymValue) -> Option<MemoryChoice> {
        let object = match object {
            IndeterminateObject::Global(global) => ObjectName::Global(global),
            IndeterminateObject::Allocation(instance, index) => {
                let thread = self.threads[instance.0 as usize]?;
                let allocations = &self.graph.instances[instance].allocations;
                if !self.runs(allocations[index]) {
                    return None;
                }
                let before = allocations[..index].iter().filter(|&&guard| self.runs(guard)).count();
                ObjectName::Allocated(thread, before as u32)
            }
        };
        let term = value.as_int()?;
        let bytes = self.graph.terms.width(term).div_ceil(8) as usize;
        let number = self.values.value(term);
        (number != 0).then(|| MemoryChoice { object, offset, bytes: number.to_le_bytes()[..bytes].to_vec() })
    }
}

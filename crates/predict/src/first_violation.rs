//! A violation that comes before all others. Executions of the event graph go on after a violation, and the interpreter
//! stops at the first one; where two places go wrong in every execution, which one is found depends on the order. So a
//! place that is never found alone is looked for again, with the others after it.

use events::{EventGraph, InstanceId, NodeId, RaceEdge, ViolationPoint};
use program::Property;
use terms::TermId;

use crate::search::PredictionGoal;

/// More pairs of violations than this are not ordered.
const MAX_PAIRS: usize = 10_000;

/// Adds to the graph what it takes that `goal` comes before all `others`, and returns when it does. `None` if that would
/// be too much.
pub fn add_first_goal(graph: &mut EventGraph, goal: &PredictionGoal, others: &[&PredictionGoal]) -> Option<TermId> {
    let later: usize = others.iter().map(|other| other.points.len()).sum();
    if goal.points.is_empty() || goal.points.len() * later > MAX_PAIRS {
        return None;
    }
    let mut firsts = Vec::new();
    for point in &goal.points {
        let mut parts = vec![point.condition];
        for other in others.iter().flat_map(|other| &other.points) {
            parts.push(comes_first(graph, point, other));
        }
        firsts.push(graph.terms.and_all(&parts));
    }
    let first = graph.terms.or_all(&firsts);
    Some(graph.terms.and(goal.condition, first))
}

/// The other violation does not happen, or not before this one.
fn comes_first(graph: &mut EventGraph, point: &ViolationPoint, other: &ViolationPoint) -> TermId {
    let absent = graph.terms.not(other.condition);
    if other.property == Property::NoDeadlock {
        return absent;
    }
    if point.instance == other.instance {
        return if other.steps <= point.steps { absent } else { graph.terms.boolean(true) };
    }
    match (last_node(graph, point), moment(graph, other)) {
        (_, ViolationMoment::Delayed) | (None, ViolationMoment::At(_)) => graph.terms.boolean(true),
        (_, ViolationMoment::Beginning) => absent,
        (Some(from), ViolationMoment::At(to)) if from == to => absent,
        (Some(from), ViolationMoment::At(to)) => {
            let condition = graph.terms.bool_variable("comes first");
            graph.race_edges.push(RaceEdge { from, to, condition });
            graph.terms.or(absent, condition)
        }
    }
}

/// The last node that is executed before the violation; none if nothing is.
fn last_node(graph: &EventGraph, point: &ViolationPoint) -> Option<NodeId> {
    let instance = &graph.instances[point.instance];
    let own = instance.steps.iter().take(point.steps).rev().find_map(|step| step.node);
    own.or(created_by(graph, point.instance))
}

fn created_by(graph: &EventGraph, instance: InstanceId) -> Option<NodeId> {
    graph.instances[instance].spawned_by.map(|(node, _)| node)
}

/// When a violation happens.
enum ViolationMoment {
    /// Together with this node.
    At(NodeId),
    /// Before any node.
    Beginning,
    /// In a step without a node, which nobody waits for: the thread stops there.
    Delayed,
}

fn moment(graph: &EventGraph, point: &ViolationPoint) -> ViolationMoment {
    let steps = &graph.instances[point.instance].steps;
    match point.steps.checked_sub(1).and_then(|last| steps.get(last)) {
        Some(step) => step.node.map_or(ViolationMoment::Delayed, ViolationMoment::At),
        None => created_by(graph, point.instance).map_or(ViolationMoment::Beginning, ViolationMoment::At),
    }
}

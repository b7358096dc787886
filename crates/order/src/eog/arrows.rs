//! What a picture of an event order graph shows: its arrows by kind, and a shortest cycle among those that were there when
//! the first cycle closed. What is derived after it follows from a contradiction and explains nothing.

use std::collections::VecDeque;

use base::Id;

use super::closure::Closure;
use super::event_order_graph::EventOrderGraph;
use super::precedence::Place;
use crate::graph::{NodeId, ReadFromId};

/// The paper's three kinds of arrows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArrowKind {
    /// Within a thread, or between threads by creation and join.
    ProgramOrder,
    ReadFrom(ReadFromId),
    Derived,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrow {
    pub from: NodeId,
    pub to: NodeId,
    pub kind: ArrowKind,
    /// The arrow is part of the shown cycle.
    pub in_cycle: bool,
}

/// Program order, then read-from, then what `closure` derived; a shortest cycle is marked.
pub(crate) fn arrows(eog: &EventOrderGraph<'_>, closure: &Closure<'_>) -> Vec<Arrow> {
    let places = &eog.places;
    let mut ends: Vec<(Place, Place, ArrowKind)> = Vec::new();
    for chain in 0..places.chains() {
        let steps =
            (1..places.length(chain)).map(|position| (places.at(chain, position - 1), places.at(chain, position)));
        ends.extend(steps.map(|(from, to)| (from, to, ArrowKind::ProgramOrder)));
    }
    ends.extend(eog.edges.iter().map(|edge| (edge.from, edge.to, ArrowKind::ProgramOrder)));
    ends.extend(eog.links.iter().map(|link| (link.source, link.target, ArrowKind::ReadFrom(link.id))));
    ends.extend(closure.derived.iter().map(|&(from, to)| (from, to, ArrowKind::Derived)));
    let early = ends.len() - closure.derived_after_a_cycle();
    let cycle = shortest_cycle(places.len(), &ends[..early], |place| closure.order.is_on_cycle(place));
    let node = |place: Place| eog.node_at[place.index()];
    let arrow = |(index, &(from, to, kind)): (usize, &(Place, Place, ArrowKind))| Arrow {
        from: node(from),
        to: node(to),
        kind,
        in_cycle: cycle.contains(&index),
    };
    ends.iter().enumerate().map(arrow).collect()
}

/// Indices of the arrows of a shortest cycle, in its order; empty if there is none.
fn shortest_cycle(places: usize, arrows: &[(Place, Place, ArrowKind)], on_cycle: impl Fn(Place) -> bool) -> Vec<usize> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); places];
    for (index, &(from, to, _)) in arrows.iter().enumerate() {
        if on_cycle(from) && on_cycle(to) {
            out[from.index()].push(index);
        }
    }
    let mut best: Vec<usize> = Vec::new();
    for start in (0..places).map(Place::new).filter(|&place| on_cycle(place)) {
        if let Some(cycle) = shortest_way_back(start, arrows, &out)
            && (best.is_empty() || cycle.len() < best.len())
        {
            best = cycle;
        }
    }
    best
}

/// Breadth first from `start` until it is met again.
fn shortest_way_back(start: Place, arrows: &[(Place, Place, ArrowKind)], out: &[Vec<usize>]) -> Option<Vec<usize>> {
    let mut reached_by: Vec<Option<usize>> = vec![None; out.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(place) = queue.pop_front() {
        for &arrow in &out[place.index()] {
            let to = arrows[arrow].1;
            if reached_by[to.index()].is_some() {
                continue;
            }
            reached_by[to.index()] = Some(arrow);
            if to == start {
                return Some(way_back(start, arrows, &reached_by));
            }
            queue.push_back(to);
        }
    }
    None
}

fn way_back(start: Place, arrows: &[(Place, Place, ArrowKind)], reached_by: &[Option<usize>]) -> Vec<usize> {
    let mut way = Vec::new();
    let mut at = start;
    while let Some(arrow) = reached_by[at.index()] {
        way.push(arrow);
        at = arrows[arrow].0;
        if at == start {
            break;
        }
    }
    way.reverse();
    way
}

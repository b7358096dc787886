//! Deadlock freedom by an order of locks (Havender, IBM Systems Journal 1968): if the resources can be ordered so that
//! whoever owns one waits only for later ones, nobody waits in a circle.
//!
//! Resources are locks and the ends of threads: a thread owns the locks that it may hold, and its own end all the time.
//! Whoever waits for a resource waits for its owner, so in a deadlock as the design defines it every thread waits for a
//! resource that one of them owns (a lock is never left behind by a thread that ends, and joins do not wait for threads
//! that have ended). Following the owners leads into a circle, in which each resource is owned by somebody who waits for the
//! next one. The graph of "may be owned while waiting for" has all these edges; without a circle in it there is no
//! deadlock.
//!
//! Guarantee: if [`LockOrder::excludes_deadlock`], no execution reaches a deadlock, global or local. It says nothing
//! otherwise. Locks that may be one and the same are one resource, and an edge from a resource to itself is a circle:
//! that is what becomes of locks and threads of which there are many, and of locks taken twice.
//!
//! Waits without an owner (signals, semaphores, barriers) and `pthread_once` are not in the graph: wherever one may be
//! executed, nothing is excluded.

use std::collections::BTreeMap;

use base::Budget;
use program::{Location, Program};

use crate::analysis::{AbstractInterpreter, GivenUp};
use crate::survey::with_effort;
use crate::waiting::{Awaited, Obstacle, Wait, Waits};

/// What is known about the waiting of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LockOrder {
    pub obstacles: Vec<(Location, Obstacle)>,
    /// The places where threads wait on the way around a circle; empty if there is none.
    pub circle: Vec<Location>,
}

impl LockOrder {
    pub fn excludes_deadlock(&self) -> bool {
        self.obstacles.is_empty() && self.circle.is_empty()
    }
}

/// Surveys the waits of a well-formed program.
pub fn lock_order(program: &Program, budget: &Budget) -> Result<LockOrder, GivenUp> {
    with_effort(|effort| {
        let mut analysis = AbstractInterpreter::new(program, effort, budget);
        analysis.run()?;
        let Waits { waits, obstacles } = std::mem::take(&mut analysis.waits);
        let waits: Vec<Wait> = waits.into_iter().collect();
        Ok(LockOrder { obstacles: obstacles.into_iter().collect(), circle: circle(&waits) })
    })
}

/// The places on some circle of resources.
fn circle(waits: &[Wait]) -> Vec<Location> {
    let resources = Resources::new(waits);
    let mut edges: BTreeMap<usize, BTreeMap<usize, Location>> = BTreeMap::new();
    for wait in waits {
        let own_end = Awaited::EndOf(wait.thread);
        for owned in wait.held.iter().chain([&own_end]) {
            for awaited in &wait.awaited {
                let from = edges.entry(resources.class(owned)).or_default();
                from.entry(resources.class(awaited)).or_insert(wait.location);
            }
        }
    }
    edges.keys().find_map(|&start| way_back(&edges, start)).unwrap_or_default()
}

/// A way from a resource to itself, if there is one, by breadth-first search.
fn way_back(edges: &BTreeMap<usize, BTreeMap<usize, Location>>, start: usize) -> Option<Vec<Location>> {
    let mut reached: BTreeMap<usize, (usize, Location)> = BTreeMap::new();
    let mut work = std::collections::VecDeque::from([start]);
    while let Some(from) = work.pop_front() {
        for (&to, &location) in edges.get(&from).into_iter().flatten() {
            if reached.contains_key(&to) {
                continue;
            }
            reached.insert(to, (from, location));
            if to == start {
                return Some(retrace(&reached, start));
            }
            work.push_back(to);
        }
    }
    None
}

fn retrace(reached: &BTreeMap<usize, (usize, Location)>, start: usize) -> Vec<Location> {
    let mut way = Vec::new();
    let mut at = start;
    loop {
        let (from, location) = reached[&at];
        way.push(location);
        at = from;
        if at == start {
            way.reverse();
            return way;
        }
    }
}

/// Resources in classes: places of locks that may overlap are in one.
struct Resources {
    class_of: BTreeMap<Awaited, usize>,
}

impl Resources {
    fn new(waits: &[Wait]) -> Self {
        let mut class_of: BTreeMap<Awaited, usize> = BTreeMap::new();
        for wait in waits {
            for &one in wait.held.iter().chain(&wait.awaited).chain([&Awaited::EndOf(wait.thread)]) {
                let next = class_of.len();
                class_of.entry(one).or_insert(next);
            }
        }
        let known: Vec<Awaited> = class_of.keys().copied().collect();
        for (index, a) in known.iter().enumerate() {
            for b in &known[index + 1..] {
                if may_be_one(a, b) {
                    let (merged, kept) = (class_of[b], class_of[a]);
                    class_of.values_mut().filter(|class| **class == merged).for_each(|class| *class = kept);
                }
            }
        }
        Self { class_of }
    }

    fn class(&self, resource: &Awaited) -> usize {
        self.class_of[resource]
    }
}

fn may_be_one(a: &Awaited, b: &Awaited) -> bool {
    match (a, b) {
        (Awaited::Lock(_, object, offset), Awaited::Lock(_, other, at)) => object == other && !offset.is_disjoint(*at),
        _ => a == b,
    }
}

//! The abstract reachability tree: nodes, their successors, and covering.

use std::rc::Rc;

use base::{Budget, StopReason};
use rustc_hash::FxHashMap;

use crate::abstraction::{Held, PredicateAbstraction};
use crate::edge::{ControlId, EdgeEnd, EdgeId};
use crate::order::PreferenceOrder;

/// A state of the tree.
#[derive(Clone, Debug)]
pub struct ArtNode {
    pub control: ControlId,
    /// The state of the order.
    pub turn: u32,
    /// Edges that need not be taken here, since they are taken before in another place.
    pub sleep: Rc<[EdgeId]>,
    pub held: Held,
    pub parent: Option<(u32, EdgeId)>,
    /// The node that represents this one.
    pub covered_by: Option<u32>,
}

/// A path of the tree that ends with an error.
#[derive(Clone, Debug)]
pub struct AbstractPath {
    /// One more than edges: where each begins, and nothing after the last.
    pub edges: Vec<EdgeId>,
    pub held: Vec<Held>,
    pub controls: Vec<ControlId>,
    pub turns: Vec<u32>,
    pub sleep: Vec<Rc<[EdgeId]>>,
}

pub enum Exploration {
    /// No error is reachable.
    Safe,
    Error(AbstractPath),
    /// More cells are known than in the beginning.
    Outdated,
    TooManyNodes,
}

pub struct Tree {
    pub nodes: Vec<ArtNode>,
    order: PreferenceOrder,
    conditional: bool,
    /// Where a thread can go on by itself, only that is done.
    local_first: bool,
    by_place: FxHashMap<(ControlId, u32), Vec<u32>>,
}

impl Tree {
    pub fn new(order: PreferenceOrder, conditional: bool) -> Self {
        let local_first = order.reduces();
        Self { nodes: Vec::new(), order, conditional, local_first, by_place: FxHashMap::default() }
    }

    /// Every thread is followed from every node, as a proof file tells it.
    #[must_use]
    pub fn following_all(mut self) -> Self {
        self.local_first = false;
        self
    }

    /// Builds the tree breadth first, up to the first error.
    pub fn explore(
        &mut self,
        abstraction: &mut PredicateAbstraction<'_>,
        max_nodes: usize,
        budget: &Budget,
    ) -> Result<Exploration, StopReason> {
        let control = abstraction.machine.initial();
        let shared = abstraction.machine.control(control).clone();
        let held = abstraction.initial(&shared, budget)?;
        let sleep: Rc<[EdgeId]> = Rc::from([]);
        self.insert(ArtNode { control, turn: 0, sleep, held, parent: None, covered_by: None });
        let mut next = 0;
        while next < self.nodes.len() {
            budget.spend(20)?;
            if self.nodes[next].covered_by.is_none()
                && let Some(edge) = self.expand(abstraction, next as u32, budget)?
            {
                if abstraction.machine.vocabulary.layout_grew {
                    return Ok(Exploration::Outdated);
                }
                return Ok(Exploration::Error(self.path(next as u32, edge)));
            }
            if abstraction.machine.vocabulary.layout_grew {
                return Ok(Exploration::Outdated);
            }
            if self.nodes.len() > max_nodes {
                return Ok(Exploration::TooManyNodes);
            }
            next += 1;
        }
        Ok(Exploration::Safe)
    }

    /// Adds the successors of a node; an error that can be reached from it at once.
    fn expand(
        &mut self,
        abstraction: &mut PredicateAbstraction<'_>,
        index: u32,
        budget: &Budget,
    ) -> Result<Option<EdgeId>, StopReason> {
        let node = self.nodes[index as usize].clone();
        let machine = &abstraction.machine;
        let begins = |thread: u32| thread > 0 && machine.control(node.control).threads[thread as usize].is_at_start();
        let threads = self.order.preferred(node.turn, &machine.threads(node.control), &begins);
        for &thread in &threads {
            for one in abstraction.machine.moves(node.control, thread).iter() {
                let is_step = abstraction.machine.edge(one.edge).end == EdgeEnd::Step;
                if !is_step && abstraction.is_possible(&node.held, one.edge, budget)? {
                    return Ok(Some(one.edge));
                }
            }
        }
        // Others may wait for a thread that does something by itself: what they do is possible afterwards, too. That a loop begins
        // again is none of it, so that nobody waits for ever.
        let mut threads = threads;
        if self.local_first
            && let Some(&local) = threads.iter().find(|&&one| abstraction.machine.moves_are_local(node.control, one))
        {
            threads = vec![local];
        }
        let mut earlier: Vec<EdgeId> = node.sleep.to_vec();
        for &thread in &threads {
            let moves = abstraction.machine.moves(node.control, thread);
            let mut own = Vec::new();
            for &one in moves.iter() {
                let edge = abstraction.machine.edge(one.edge).clone();
                let Some(target) = one.target else { continue };
                own.push(one.edge);
                if node.sleep.contains(&one.edge) || !abstraction.is_possible(&node.held, one.edge, budget)? {
                    continue;
                }
                let mut sleep = Vec::new();
                if self.order.reduces() {
                    for &other in &earlier {
                        if abstraction.commutes(node.control, &node.held, one, other, self.conditional, budget)? {
                            sleep.push(other);
                        }
                    }
                }
                sleep.sort_unstable();
                sleep.dedup();
                let control = abstraction.machine.control(target).clone();
                let held = match node.parent {
                    None => abstraction.first_post(one.edge, &control, budget)?,
                    Some(_) => abstraction.post(&node.held, one.edge, &control, budget)?,
                };
                let turn = self.order.next(node.turn, thread, edge.loop_entry);
                let parent = Some((index, one.edge));
                self.insert(ArtNode { control: target, turn, sleep: sleep.into(), held, parent, covered_by: None });
            }
            earlier.extend(own);
        }
        Ok(None)
    }

    fn insert(&mut self, mut node: ArtNode) {
        let same_place = self.by_place.entry((node.control, node.turn)).or_default();
        node.covered_by = same_place.iter().copied().find(|&other| {
            let other = &self.nodes[other as usize];
            is_subset(&other.held, &node.held) && is_subset(&other.sleep, &node.sleep)
        });
        if node.covered_by.is_none() {
            same_place.push(self.nodes.len() as u32);
        }
        self.nodes.push(node);
    }

    fn path(&self, last: u32, error: EdgeId) -> AbstractPath {
        let (mut edges, mut at) = (vec![error], last);
        let mut nodes = vec![last];
        while let Some((parent, edge)) = self.nodes[at as usize].parent {
            edges.push(edge);
            nodes.push(parent);
            at = parent;
        }
        edges.reverse();
        nodes.reverse();
        let of = |index: &u32| &self.nodes[*index as usize];
        AbstractPath {
            edges,
            held: nodes.iter().map(|index| of(index).held.clone()).collect(),
            controls: nodes.iter().map(|index| of(index).control).collect(),
            turns: nodes.iter().map(|index| of(index).turn).collect(),
            sleep: nodes.iter().map(|index| of(index).sleep.clone()).collect(),
        }
    }
}

fn is_subset<T: Ord>(small: &[T], large: &[T]) -> bool {
    small.len() <= large.len() && small.iter().all(|one| large.binary_search(one).is_ok())
}

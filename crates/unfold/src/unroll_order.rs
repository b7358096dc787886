//! The order in which the blocks of a function are visited when its loops are unrolled.
//!
//! A weak topological order (Bourdoncle, FMPA 1993) nests the blocks into components, each with a head; every edge
//! that goes backwards leads to the head of a component around its source. A *visit* is a block together with one
//! round number per component around it. Visits ordered by [`VisitKey`] are topologically sorted: all predecessors of
//! a visit come before it, so that states can be merged when it is reached. Irreducible loops need no special care.

use base::{Id, IdVec};
use program::{BlockId, Function};
use smallvec::SmallVec;

/// Compares as the topological order of the unrolled graph: position and round of each component from the outermost
/// inwards, then the position of the block.
pub type VisitKey = SmallVec<[u32; 8]>;

/// The rounds of the components around a block, outermost first.
pub type Rounds = SmallVec<[u32; 4]>;

#[derive(Clone, Debug)]
pub struct UnrollOrder {
    /// Place of each block in the weak topological order; `None` for blocks that cannot be reached.
    position: IdVec<BlockId, Option<u32>>,
    /// The heads of the components around each block, outermost first; a head is in its own component.
    heads: IdVec<BlockId, SmallVec<[BlockId; 4]>>,
}

/// Where an edge of the unrolled graph leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FlowEdge {
    To {
        rounds: Rounds,
    },
    /// The loop with this head has done as many rounds as it may.
    Cut {
        head: BlockId,
    },
}

impl UnrollOrder {
    pub fn new(function: &Function) -> Self {
        let mut order = Self {
            position: function.blocks.iter().map(|_| None).collect(),
            heads: function.blocks.iter().map(|_| SmallVec::new()).collect(),
        };
        let successors: IdVec<BlockId, Vec<BlockId>> =
            function.blocks.iter().map(|block| block.terminator.kind.successors()).collect();
        let reachable = depth_first(&successors);
        let mut next = 0;
        order.decompose(&successors, &reachable, &mut SmallVec::new(), &mut next);
        order
    }

    /// The heads of the loops around a block, outermost first.
    pub fn heads(&self, block: BlockId) -> &[BlockId] {
        &self.heads[block]
    }

    /// How many of the loops around `from` an edge to `to` stays in.
    pub fn shared_loops(&self, from: BlockId, to: BlockId) -> usize {
        self.heads[from].iter().zip(&self.heads[to]).take_while(|(a, b)| a == b).count()
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block].is_some()
    }

    /// Whether an edge leads back to the head of a loop around its source.
    pub fn goes_back(&self, from: BlockId, to: BlockId) -> bool {
        self.place(to) <= self.place(from)
    }

    pub fn key(&self, block: BlockId, rounds: &Rounds) -> VisitKey {
        let mut key = VisitKey::new();
        for (head, round) in self.heads[block].iter().zip(rounds) {
            key.push(self.place(*head));
            key.push(*round);
        }
        key.push(self.place(block));
        key
    }

    /// Follows the edge from a visit to a successor block. `may_go_on` says whether the loop with a head may do this round.
    pub fn follow(
        &self,
        from: BlockId,
        rounds: &Rounds,
        to: BlockId,
        may_go_on: impl FnOnce(BlockId, u32) -> bool,
    ) -> FlowEdge {
        // A head in its last round may leave its loop but not go on inside it.
        if let Some(level) = self.heads[from].iter().position(|&head| head == from)
            && self.heads[to].contains(&from)
            && !may_go_on(from, rounds[level])
        {
            return FlowEdge::Cut { head: from };
        }
        let mut next: Rounds = rounds[..self.shared_loops(from, to)].into();
        if self.goes_back(from, to) {
            let level = self.heads[to].len() - 1;
            debug_assert!(level < next.len() && self.heads[to][level] == to, "a backward edge should lead to a head");
            next.truncate(level + 1);
            next[level] += 1;
        }
        next.resize(self.heads[to].len(), 0);
        FlowEdge::To { rounds: next }
    }

    fn place(&self, block: BlockId) -> u32 {
        self.position[block].expect("a visited block should be reachable")
    }

    /// Orders `blocks` (given in depth-first order), all of which lie in the components `around`.
    fn decompose(
        &mut self,
        successors: &IdVec<BlockId, Vec<BlockId>>,
        blocks: &[BlockId],
        around: &mut SmallVec<[BlockId; 4]>,
        next: &mut u32,
    ) {
        for component in components(successors, blocks) {
            let head = component[0];
            let is_loop = component.len() > 1 || successors[head].contains(&head);
            if is_loop {
                around.push(head);
            }
            self.position[head] = Some(*next);
            self.heads[head] = around.clone();
            *next += 1;
            if is_loop {
                self.decompose(successors, &component[1..], around, next);
                around.pop();
            }
        }
    }
}

/// The reachable blocks in depth-first preorder.
fn depth_first(successors: &IdVec<BlockId, Vec<BlockId>>) -> Vec<BlockId> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut stack = vec![Function::ENTRY];
    while let Some(block) = stack.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        order.push(block);
        stack.extend(successors[block].iter().rev());
    }
    order
}

/// The strongly connected components of the graph induced by `blocks`, in topological order. Within each, blocks keep
/// the order of `blocks`, so that the first is the one that a depth-first search enters first. (Tarjan, iterative.)
fn components(successors: &IdVec<BlockId, Vec<BlockId>>, blocks: &[BlockId]) -> Vec<Vec<BlockId>> {
    const OUTSIDE: u32 = u32::MAX;
    let mut local = vec![OUTSIDE; successors.len()];
    for (index, block) in blocks.iter().enumerate() {
        local[block.index()] = index as u32;
    }
    let mut number = vec![OUTSIDE; blocks.len()];
    let mut low = vec![0; blocks.len()];
    let mut on_stack = vec![false; blocks.len()];
    let (mut stack, mut found, mut counter) = (Vec::new(), Vec::new(), 0);
    for root in 0..blocks.len() {
        if number[root] != OUTSIDE {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((at, edge)) = calls.pop() {
            if edge == 0 {
                (number[at], low[at], on_stack[at]) = (counter, counter, true);
                counter += 1;
                stack.push(at);
            }
            let targets = &successors[blocks[at]];
            match targets[edge.min(targets.len())..].iter().position(|target| local[target.index()] != OUTSIDE) {
                Some(skipped) => {
                    let edge = edge + skipped;
                    let target = local[targets[edge].index()] as usize;
                    calls.push((at, edge + 1));
                    if number[target] == OUTSIDE {
                        calls.push((target, 0));
                    } else if on_stack[target] {
                        low[at] = low[at].min(number[target]);
                    }
                }
                None => {
                    if low[at] == number[at] {
                        let start = stack.iter().rposition(|&member| member == at).expect("the root is on the stack");
                        let mut members: Vec<usize> = stack.drain(start..).collect();
                        members.iter().for_each(|&member| on_stack[member] = false);
                        members.sort_unstable();
                        found.push(members.into_iter().map(|member| blocks[member]).collect());
                    }
                    if let Some(&(parent, _)) = calls.last() {
                        low[parent] = low[parent].min(low[at]);
                    }
                }
            }
        }
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use base::Span;
    use program::{Block, Operand, Terminator, TerminatorKind};

    use super::*;

    fn function(edges: &[Vec<u32>]) -> Function {
        let terminator = |targets: &Vec<u32>| match targets[..] {
            [] => TerminatorKind::Return(None),
            [one] => TerminatorKind::Goto(BlockId(one)),
            [then, otherwise, ..] => {
                let (then, otherwise) = (BlockId(then), BlockId(otherwise));
                TerminatorKind::Branch { condition: Operand::TRUE, then, otherwise }
            }
        };
        let block = |targets| {
            let terminator = Terminator { kind: terminator(targets), span: Span::UNKNOWN };
            Block { instructions: Vec::new(), terminator }
        };
        Function {
            name: "f".to_owned(),
            parameters: Vec::new(),
            result: None,
            variadic: false,
            registers: IdVec::new(),
            locals: IdVec::new(),
            blocks: edges.iter().map(block).collect(),
            built_in: false,
            span: Span::UNKNOWN,
        }
    }

    /// Visits everything within the bound and returns how often each block was visited.
    fn visit_all(function: &Function, bound: u32) -> Vec<usize> {
        let order = UnrollOrder::new(function);
        let mut visits = vec![0; function.blocks.len()];
        let rounds = Rounds::from_elem(0, order.heads(Function::ENTRY).len());
        let mut pending = BTreeSet::from([(order.key(Function::ENTRY, &rounds), Function::ENTRY, rounds)]);
        while let Some((key, block, rounds)) = pending.pop_first() {
            visits[block.index()] += 1;
            for target in function.blocks[block].terminator.kind.successors() {
                if let FlowEdge::To { rounds } = order.follow(block, &rounds, target, |_, round| round < bound) {
                    let next = order.key(target, &rounds);
                    assert!(next > key, "{target} after {block} should come later: {next:?} {key:?}");
                    pending.insert((next, target, rounds));
                }
            }
        }
        visits
    }

    #[test]
    fn a_while_loop_runs_its_body_as_often_as_the_bound_says() {
        // b0 → b1 (head) → b2 (body) → b1, b1 → b3
        let visits = visit_all(&function(&[vec![1], vec![2, 3], vec![1], vec![]]), 3);
        assert_eq!(visits, [1, 4, 3, 1]);
    }

    #[test]
    fn nested_loops_multiply() {
        // outer head 1, inner head 2, inner body 3, back to 1 from 4, exit 5
        let visits = visit_all(&function(&[vec![1], vec![2, 5], vec![3, 4], vec![2], vec![1], vec![]]), 2);
        assert_eq!(visits, [1, 3, 6, 4, 2, 1]);
    }

    #[test]
    fn any_control_flow_is_visited_in_topological_order() {
        let mut seed = 7u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % below
        };
        for _ in 0..2000 {
            let size = 2 + random(7);
            let edges: Vec<Vec<u32>> =
                (0..size).map(|_| (0..random(3)).map(|_| random(size) as u32).collect()).collect();
            visit_all(&function(&edges), 1 + random(3) as u32);
        }
    }
}

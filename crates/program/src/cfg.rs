//! The control-flow graph of a function: neighbours, orders, dominators, and a picture.
//!
//! Dominators by Cooper, Harvey and Kennedy, *A simple, fast dominance algorithm*. Blocks that control cannot reach
//! have neighbours but no place in orders and dominator trees.

use std::fmt::Write;

use base::{Id, IdVec};

use crate::instruction::TerminatorKind;
use crate::program_::{BlockId, Function, FunctionId, Program};

#[derive(Clone, Debug)]
pub struct Cfg {
    successors: IdVec<BlockId, Vec<BlockId>>,
    predecessors: IdVec<BlockId, Vec<BlockId>>,
    reverse_postorder: Vec<BlockId>,
    /// Position in `reverse_postorder`; `None` for unreachable blocks.
    position: IdVec<BlockId, Option<usize>>,
    /// The parent in the dominator tree; `None` for the entry and for unreachable blocks.
    dominator: IdVec<BlockId, Option<BlockId>>,
}

impl Cfg {
    /// Of a well-formed function.
    pub fn new(function: &Function) -> Self {
        let successors = function.blocks.iter().map(|block| distinct(block.terminator.kind.successors())).collect();
        Self::from_successors(successors)
    }

    /// Of a graph whose entry is block 0; it has at least one block.
    pub fn from_successors(successors: IdVec<BlockId, Vec<BlockId>>) -> Self {
        let mut predecessors: IdVec<BlockId, Vec<BlockId>> = successors.ids().map(|_| Vec::new()).collect();
        for (block, targets) in successors.iter_enumerated() {
            targets.iter().for_each(|&target| predecessors[target].push(block));
        }
        let reverse_postorder = reverse_postorder(&successors);
        let mut position: IdVec<BlockId, Option<usize>> = successors.ids().map(|_| None).collect();
        for (index, &block) in reverse_postorder.iter().enumerate() {
            position[block] = Some(index);
        }
        let dominator = dominators(&predecessors, &reverse_postorder, &position);
        Self { successors, predecessors, reverse_postorder, position, dominator }
    }

    /// Where control may go next, each block once, in the order of the terminator.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block]
    }

    /// Where control may come from, each block once, in ascending order.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block]
    }

    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        self.successors.ids()
    }

    /// The reachable blocks, each before its successors but for edges that close a cycle.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.reverse_postorder
    }

    /// The place of a block in [`reverse_postorder`](Self::reverse_postorder).
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.position[block]
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block].is_some()
    }

    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.dominator[block]
    }

    /// Whether every path from the entry to `block` passes `other`. Blocks dominate themselves.
    pub fn dominates(&self, other: BlockId, block: BlockId) -> bool {
        let mut ancestor = Some(block).filter(|&block| self.is_reachable(block));
        while let Some(current) = ancestor {
            if current == other {
                return true;
            }
            ancestor = self.dominator[current];
        }
        false
    }
}

fn distinct(targets: Vec<BlockId>) -> Vec<BlockId> {
    let mut result = Vec::with_capacity(targets.len());
    for target in targets {
        if !result.contains(&target) {
            result.push(target);
        }
    }
    result
}

fn reverse_postorder(successors: &IdVec<BlockId, Vec<BlockId>>) -> Vec<BlockId> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut stack = vec![(Function::ENTRY, 0)];
    seen[Function::ENTRY.index()] = true;
    while let Some((block, next)) = stack.last_mut() {
        match successors[*block].get(*next) {
            Some(&target) => {
                *next += 1;
                if !std::mem::replace(&mut seen[target.index()], true) {
                    stack.push((target, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn dominators(
    predecessors: &IdVec<BlockId, Vec<BlockId>>,
    order: &[BlockId],
    position: &IdVec<BlockId, Option<usize>>,
) -> IdVec<BlockId, Option<BlockId>> {
    // By position; the entry is its own parent until the end.
    let mut parent: Vec<Option<usize>> = vec![None; order.len()];
    parent[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for (index, &block) in order.iter().enumerate().skip(1) {
            let known = predecessors[block].iter().filter_map(|&p| position[p]).filter(|&p| parent[p].is_some());
            let common = known.reduce(|left, right| common_ancestor(&parent, left, right));
            changed |= parent[index] != common;
            parent[index] = common;
        }
    }
    let mut dominator: IdVec<BlockId, Option<BlockId>> = position.ids().map(|_| None).collect();
    for (index, &block) in order.iter().enumerate().skip(1) {
        dominator[block] = parent[index].map(|parent| order[parent]);
    }
    dominator
}

fn common_ancestor(parent: &[Option<usize>], mut left: usize, mut right: usize) -> usize {
    while left != right {
        let later = if left > right { &mut left } else { &mut right };
        *later = parent[*later].expect("a processed block should have a parent");
    }
    left
}

/// The graph of a function in the language of Graphviz.
pub fn dot(program: &Program, id: FunctionId) -> String {
    let function = &program.functions[id];
    let mut text =
        format!("digraph {id} {{\n  label=\"{}\"\n  node [shape=box fontname=monospace]\n", escape(&function.name));
    for (block, body) in function.blocks.iter_enumerated() {
        let mut label = format!("{block}:\\l");
        for instruction in &body.instructions {
            label += &format!("{}\\l", escape(&instruction.kind.to_string()));
        }
        label += &format!("{}\\l", escape(&body.terminator.kind.to_string()));
        writeln!(text, "  {block} [label=\"{label}\"]").expect("writing to a string should succeed");
        for (target, name) in labelled_successors(&body.terminator.kind) {
            writeln!(text, "  {block} -> {target} [label=\"{name}\"]").expect("writing to a string should succeed");
        }
    }
    text + "}\n"
}

fn labelled_successors(kind: &TerminatorKind) -> Vec<(BlockId, String)> {
    match kind {
        TerminatorKind::Branch { then, otherwise, .. } => {
            vec![(*then, "true".to_owned()), (*otherwise, "false".to_owned())]
        }
        TerminatorKind::Switch { cases, default, .. } => {
            let cases = cases.iter().map(|(value, block)| (*block, value.to_string()));
            cases.chain([(*default, "default".to_owned())]).collect()
        }
        other => other.successors().into_iter().map(|block| (block, String::new())).collect(),
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}

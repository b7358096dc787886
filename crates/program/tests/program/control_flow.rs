//! Dominators and loops against their definitions.

use std::collections::BTreeSet;

use base::{Id, IdVec};
use program::BlockId;
use program::cfg::{Cfg, dot};
use program::loops::Loops;

use crate::generator::Random;

fn graph(edges: &[&[u32]]) -> Cfg {
    Cfg::from_successors(edges.iter().map(|targets| targets.iter().map(|&t| BlockId(t)).collect()).collect())
}

fn random_graph(seed: u64) -> Cfg {
    let mut random = Random::new(seed);
    let size = 1 + random.below(9);
    let targets = |random: &mut Random| {
        let set: BTreeSet<usize> = (0..random.below(4)).map(|_| random.below(size)).collect();
        set.into_iter().map(BlockId::new).collect()
    };
    Cfg::from_successors((0..size).map(|_| targets(&mut random)).collect())
}

/// The blocks reachable from `start` without passing `avoided` or an edge that `keep` refuses.
fn reachable(
    cfg: &Cfg,
    start: BlockId,
    avoided: Option<BlockId>,
    keep: impl Fn(BlockId, BlockId) -> bool,
) -> BTreeSet<BlockId> {
    let mut seen = BTreeSet::new();
    let mut work = vec![start];
    while let Some(block) = work.pop() {
        if Some(block) != avoided && seen.insert(block) {
            work.extend(cfg.successors(block).iter().copied().filter(|&target| keep(block, target)));
        }
    }
    seen
}

#[test]
fn orders_and_dominators_are_as_defined() {
    for seed in 0..500 {
        let cfg = random_graph(seed);
        let entry = BlockId(0);
        let all = reachable(&cfg, entry, None, |_, _| true);
        assert_eq!(cfg.reverse_postorder().iter().copied().collect::<BTreeSet<_>>(), all);
        assert_eq!(cfg.reverse_postorder()[0], entry);
        for block in cfg.blocks() {
            assert_eq!(cfg.is_reachable(block), all.contains(&block));
            for other in cfg.blocks() {
                let avoiding = reachable(&cfg, entry, Some(other), |_, _| true);
                let expected = all.contains(&block) && !avoiding.contains(&block);
                assert_eq!(cfg.dominates(other, block), expected, "seed {seed}: {other} {block} {cfg:?}");
            }
            for &predecessor in cfg.predecessors(block) {
                assert!(cfg.successors(predecessor).contains(&block));
            }
        }
    }
}

#[test]
fn loops_are_nested_connected_and_cut_every_cycle() {
    let (mut irreducible, mut nested) = (0, 0);
    for seed in 0..1500 {
        let cfg = random_graph(seed);
        let loops = Loops::new(&cfg);
        for (id, one) in loops.iter() {
            let body: BTreeSet<BlockId> = one.body.iter().copied().collect();
            for &block in &one.body {
                let back = reachable(&cfg, block, None, |_, target| body.contains(&target));
                assert!(body.is_subset(&back), "seed {seed}: {id} is not strongly connected");
            }
            if let Some(parent) = one.parent {
                nested += 1;
                assert!(one.body.iter().all(|block| loops.get(parent).body.contains(block)));
                assert!(parent < id && loops.get(parent).depth + 1 == one.depth);
            }
            if one.is_irreducible() {
                irreducible += 1;
            } else {
                assert!(one.body.iter().all(|&block| cfg.dominates(one.header, block)));
                assert_eq!(body, natural_loop(&cfg, one.header), "seed {seed}");
            }
        }
        every_cycle_is_cut(&cfg, &loops);
        for block in cfg.blocks() {
            let deepest = loops.iter().filter(|(_, one)| one.body.contains(&block)).max_by_key(|(_, one)| one.depth);
            assert_eq!(loops.innermost(block), deepest.map(|(id, _)| id));
        }
    }
    assert!(irreducible > 100 && nested > 100, "{irreducible} irreducible, {nested} nested");
}

/// All blocks that reach an edge back to the header without passing it.
fn natural_loop(cfg: &Cfg, header: BlockId) -> BTreeSet<BlockId> {
    let mut body = BTreeSet::from([header]);
    let backs = cfg.predecessors(header).iter().copied().filter(|&block| cfg.dominates(header, block));
    let mut work: Vec<BlockId> = backs.collect();
    while let Some(block) = work.pop() {
        if body.insert(block) {
            work.extend(cfg.predecessors(block).iter().copied().filter(|&block| cfg.is_reachable(block)));
        }
    }
    body
}

fn every_cycle_is_cut(cfg: &Cfg, loops: &Loops) {
    let cut: BTreeSet<(BlockId, BlockId)> = loops.iter().flat_map(|(_, one)| one.back_edges.clone()).collect();
    for &block in cfg.reverse_postorder() {
        for &target in cfg.successors(block).iter().filter(|&&target| !cut.contains(&(block, target))) {
            let beyond = reachable(cfg, target, None, |from, to| !cut.contains(&(from, to)));
            assert!(!beyond.contains(&block), "a cycle through {block} is not cut: {cfg:?}");
        }
    }
}

#[test]
fn a_nest_and_a_butterfly() {
    // b1 is the header of an outer loop with the inner self-loop b2.
    let loops = Loops::new(&graph(&[&[1], &[2, 3], &[2, 1], &[]]));
    let shape: Vec<_> = loops.iter().map(|(_, one)| (one.header, one.body.len(), one.depth, one.parent)).collect();
    let outer = loops.iter().next().map(|(id, _)| id);
    assert_eq!(shape, [(BlockId(1), 2, 1, None), (BlockId(2), 1, 2, outer)]);
    // Two entries.
    let loops = Loops::new(&graph(&[&[1, 2], &[2], &[1]]));
    assert_eq!(loops.len(), 1);
    assert!(loops.iter().all(|(_, one)| one.is_irreducible() && one.back_edges.len() == 2));
}

#[test]
fn a_long_chain_does_not_exhaust_the_stack() {
    let size = 200_000;
    let successors: IdVec<BlockId, Vec<BlockId>> = (0..size).map(|i| vec![BlockId((i + 1) % size)]).collect();
    let cfg = Cfg::from_successors(successors);
    assert_eq!(cfg.reverse_postorder().len(), size as usize);
    assert_eq!(cfg.immediate_dominator(BlockId(size - 1)), Some(BlockId(size - 2)));
}

#[test]
fn picture() {
    let program = crate::program(
        "program lp64 entry f0\nfunction f0 \"main\" () {\nregister r0 i1\nb0:\n  assert r0 assert \"a \\\"b\\\"\"\n  \
         branch r0, b0, b1\nb1:\n  return\n}",
    );
    let expected = r#"digraph f0 {
  label="main"
  node [shape=box fontname=monospace]
  b0 [label="b0:\lassert r0 assert \"a \\\"b\\\"\"\lbranch r0, b0, b1\l"]
  b0 -> b0 [label="true"]
  b0 -> b1 [label="false"]
  b1 [label="b1:\lreturn\l"]
}
"#;
    assert_eq!(dot(&program, program.entry), expected);
}

//! The loops of a function, nested.
//!
//! A loop is a strongly connected part of the graph. Its entries are the blocks that control enters it by, its back
//! edges the edges from inside to an entry; inner loops are what is strongly connected when the back edges are gone
//! (the decomposition of Steensgaard, *Sequentializing program dependence graphs for irreducible programs*). For a
//! loop with one entry this is the natural loop of its header, where loops that share a header are one.
//!
//! Guarantee: every cycle of the graph contains a back edge of some loop.

use base::{IdVec, define_id};

use crate::cfg::Cfg;
use crate::program_::BlockId;

define_id!(
    /// A loop of one function; outer loops come before the loops in them.
    LoopId,
    "loop"
);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The entry that comes first in reverse postorder.
    pub header: BlockId,
    /// In reverse postorder. A loop with several is irreducible.
    pub entries: Vec<BlockId>,
    /// In reverse postorder, with the blocks of inner loops.
    pub body: Vec<BlockId>,
    /// From a block of the body to an entry.
    pub back_edges: Vec<(BlockId, BlockId)>,
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
}

impl Loop {
    pub fn is_irreducible(&self) -> bool {
        self.entries.len() > 1
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loops {
    loops: IdVec<LoopId, Loop>,
    innermost: IdVec<BlockId, Option<LoopId>>,
}

impl Loops {
    pub fn new(cfg: &Cfg) -> Self {
        let mut finder = LoopFinder {
            cfg,
            removed: cfg.blocks().map(|_| false).collect(),
            loops: Self { loops: IdVec::new(), innermost: cfg.blocks().map(|_| None).collect() },
        };
        finder.run();
        finder.loops
    }

    pub fn iter(&self) -> impl Iterator<Item = (LoopId, &Loop)> {
        self.loops.iter_enumerated()
    }

    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id]
    }

    pub fn len(&self) -> usize {
        self.loops.len()
    }

    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// The innermost loop that contains the block.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block]
    }
}

struct LoopFinder<'a> {
    cfg: &'a Cfg,
    /// Entries of loops that are found: edges to them from inside are gone.
    removed: IdVec<BlockId, bool>,
    loops: Loops,
}

impl LoopFinder<'_> {
    fn run(&mut self) {
        let mut work = vec![(self.cfg.reverse_postorder().to_vec(), None)];
        while let Some((blocks, parent)) = work.pop() {
            for component in self.components(&blocks) {
                let (id, body) = self.add(component, parent);
                work.push((body, Some(id)));
            }
        }
        self.outer_first();
    }

    fn add(&mut self, mut body: Vec<BlockId>, parent: Option<LoopId>) -> (LoopId, Vec<BlockId>) {
        body.sort_by_key(|&block| self.cfg.position(block));
        let mut inside: IdVec<BlockId, bool> = self.cfg.blocks().map(|_| false).collect();
        body.iter().for_each(|&block| inside[block] = true);
        let entered = |block: &BlockId| {
            let from_outside = self.cfg.predecessors(*block).iter().any(|&p| self.cfg.is_reachable(p) && !inside[p]);
            from_outside || self.cfg.position(*block) == Some(0)
        };
        let entries: Vec<BlockId> = body.iter().copied().filter(entered).collect();
        let back_edges = body.iter().flat_map(|&block| {
            let targets = self.cfg.successors(block).iter().filter(|target| entries.contains(target));
            targets.map(move |&target| (block, target))
        });
        let back_edges = back_edges.collect();
        let depth = parent.map_or(1, |parent: LoopId| self.loops.loops[parent].depth + 1);
        let header = entries[0];
        entries.iter().for_each(|&entry| self.removed[entry] = true);
        let found = Loop { header, entries, body: body.clone(), back_edges, parent, depth };
        let id = self.loops.loops.push(found);
        body.iter().for_each(|&block| self.loops.innermost[block] = Some(id));
        (id, body)
    }

    /// The strongly connected components with a cycle among `blocks`, without edges to removed entries. Tarjan's
    /// algorithm with an explicit stack.
    fn components(&self, blocks: &[BlockId]) -> Vec<Vec<BlockId>> {
        let mut search = LoopSearch {
            member: self.cfg.blocks().map(|_| false).collect(),
            number: self.cfg.blocks().map(|_| None).collect(),
            low: self.cfg.blocks().map(|_| 0).collect(),
            open: self.cfg.blocks().map(|_| false).collect(),
            path: Vec::new(),
            counter: 0,
            components: Vec::new(),
        };
        blocks.iter().for_each(|&block| search.member[block] = true);
        for &block in blocks {
            if search.number[block].is_none() {
                search.visit(self, block);
            }
        }
        search.components
    }

    fn inner_successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.cfg.successors(block).iter().copied().filter(|&target| !self.removed[target])
    }

    /// Numbers loops so that outer ones come first, in the order of their headers.
    fn outer_first(&mut self) {
        let loops = &self.loops.loops;
        let mut order: Vec<LoopId> = loops.ids().collect();
        order.sort_by_key(|&id| (loops[id].depth, self.cfg.position(loops[id].header)));
        let mut renamed: IdVec<LoopId, LoopId> = loops.ids().collect();
        for (new, &old) in order.iter().enumerate() {
            renamed[old] = LoopId(new as u32);
        }
        let mut sorted = IdVec::new();
        for &old in &order {
            let parent = loops[old].parent.map(|parent| renamed[parent]);
            sorted.push(Loop { parent, ..loops[old].clone() });
        }
        self.loops.innermost.iter_mut().flatten().for_each(|id| *id = renamed[*id]);
        self.loops.loops = sorted;
    }
}

struct LoopSearch {
    member: IdVec<BlockId, bool>,
    number: IdVec<BlockId, Option<u32>>,
    low: IdVec<BlockId, u32>,
    open: IdVec<BlockId, bool>,
    path: Vec<BlockId>,
    counter: u32,
    components: Vec<Vec<BlockId>>,
}

impl LoopSearch {
    fn visit(&mut self, finder: &LoopFinder<'_>, root: BlockId) {
        let mut stack = vec![(root, self.enter(finder, root))];
        while let Some((block, targets)) = stack.last_mut() {
            let block = *block;
            match targets.pop() {
                Some(target) => match self.number[target] {
                    None => stack.push((target, self.enter(finder, target))),
                    Some(number) if self.open[target] => self.low[block] = self.low[block].min(number),
                    Some(_) => {}
                },
                None => {
                    stack.pop();
                    if let Some(&(caller, _)) = stack.last() {
                        self.low[caller] = self.low[caller].min(self.low[block]);
                    }
                    if self.number[block] == Some(self.low[block]) {
                        self.close(finder, block);
                    }
                }
            }
        }
    }

    fn enter(&mut self, finder: &LoopFinder<'_>, block: BlockId) -> Vec<BlockId> {
        self.number[block] = Some(self.counter);
        self.low[block] = self.counter;
        self.counter += 1;
        self.open[block] = true;
        self.path.push(block);
        finder.inner_successors(block).filter(|&target| self.member[target]).collect()
    }

    fn close(&mut self, finder: &LoopFinder<'_>, root: BlockId) {
        let start = self.path.iter().rposition(|&block| block == root).expect("the root should be on the path");
        let component = self.path.split_off(start);
        component.iter().for_each(|&block| self.open[block] = false);
        let cyclic = component.len() > 1 || finder.inner_successors(root).any(|target| target == root);
        if cyclic {
            self.components.push(component);
        }
    }
}

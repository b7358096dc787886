//! Inclusion constraints between sets of objects, solved in waves (Pereira and Berlin, *Wave propagation and deep
//! propagation for pointer analysis*): collapse the cycles of the flow graph, pass what is new on in topological order,
//! then look at what is done with the objects that pointers have gained, which adds edges; until nothing is new.

use base::{Id, IdVec, define_id};
use rustc_hash::FxHashSet;

use super::{ObjectId, ObjectSet};
use crate::program_::Location;

define_id!(
    /// Something that may hold addresses.
    Node,
    "n"
);

/// What is done with each object that a node turns out to point to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// Its contents flow into the node.
    Load(Node),
    /// The node flows into its contents.
    Store(Node),
    /// It is called or spawned there.
    Run(Location),
}

pub(super) struct PointsToSolver {
    /// The contents of each object.
    contents: IdVec<ObjectId, Node>,
    /// A node of the same cycle, towards the one that stands for all of it.
    parent: Vec<Node>,
    points: Vec<ObjectSet>,
    /// Members that have not been passed on yet.
    pending: Vec<ObjectSet>,
    /// Members that no use has been told of yet.
    unused: Vec<ObjectSet>,
    flows: Vec<Vec<Node>>,
    known_flows: FxHashSet<(Node, Node)>,
    uses: Vec<Vec<Use>>,
    runs: Vec<(Location, ObjectId)>,
    /// For `contents_of`; all false between calls.
    marked: Vec<bool>,
}

/// The sets that were found.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    parent: Vec<Node>,
    points: Vec<ObjectSet>,
}

impl Solution {
    pub fn of(&self, node: Node) -> &ObjectSet {
        &self.points[self.parent[node.index()].index()]
    }
}

impl PointsToSolver {
    pub fn new(nodes: usize, contents: IdVec<ObjectId, Node>) -> Self {
        Self {
            contents,
            parent: (0..nodes).map(Node::new).collect(),
            points: vec![ObjectSet::default(); nodes],
            pending: vec![ObjectSet::default(); nodes],
            unused: vec![ObjectSet::default(); nodes],
            flows: vec![Vec::new(); nodes],
            known_flows: FxHashSet::default(),
            uses: vec![Vec::new(); nodes],
            runs: Vec::new(),
            marked: vec![false; nodes],
        }
    }

    pub fn finish(mut self) -> Solution {
        let parent = (0..self.parent.len()).map(|index| self.find(Node::new(index))).collect();
        Solution { parent, points: self.points }
    }

    /// A new node.
    pub fn intermediate(&mut self) -> Node {
        let node = Node::new(self.parent.len());
        self.parent.push(node);
        self.points.push(ObjectSet::default());
        self.pending.push(ObjectSet::default());
        self.unused.push(ObjectSet::default());
        self.flows.push(Vec::new());
        self.uses.push(Vec::new());
        self.marked.push(false);
        node
    }

    pub fn insert(&mut self, node: Node, object: ObjectId) {
        let node = self.find(node);
        self.add(node, &ObjectSet::from_iter([object]));
    }

    pub fn flow(&mut self, from: Node, to: Node) {
        let (from, to) = (self.find(from), self.find(to));
        if from != to && self.known_flows.insert((from, to)) {
            self.flows[from.index()].push(to);
            let present = std::mem::take(&mut self.points[from.index()]);
            self.add(to, &present);
            self.points[from.index()] = present;
        }
    }

    pub fn use_of(&mut self, pointer: Node, one: Use) {
        let pointer = self.find(pointer);
        self.uses[pointer.index()].push(one);
        let present = self.points[pointer.index()].clone();
        self.apply_all(&[one], &present);
    }

    /// Where functions may be run that were not known to be run there.
    pub fn take_runs(&mut self) -> Vec<(Location, ObjectId)> {
        std::mem::take(&mut self.runs)
    }

    /// Passes on what is new and tells whether anything was.
    pub fn wave(&mut self) -> bool {
        let order = self.collapse_cycles();
        let mut grown = false;
        for &node in &order {
            let new = std::mem::take(&mut self.pending[node.index()]);
            if new.is_empty() {
                continue;
            }
            grown = true;
            for index in 0..self.flows[node.index()].len() {
                self.add(self.flows[node.index()][index], &new);
            }
            self.unused[node.index()].extend(&new);
        }
        for node in order {
            let new = std::mem::take(&mut self.unused[node.index()]);
            let uses = std::mem::take(&mut self.uses[node.index()]);
            self.apply_all(&uses, &new);
            self.uses[node.index()] = uses;
        }
        grown
    }

    /// `node` stands for its cycle.
    fn add(&mut self, node: Node, objects: &ObjectSet) {
        let index = node.index();
        self.points[index].extend_noting(objects, &mut self.pending[index]);
    }

    fn apply_all(&mut self, uses: &[Use], objects: &ObjectSet) {
        if uses.is_empty() || objects.is_empty() {
            return;
        }
        let contents = self.contents_of(objects);
        for &one in uses {
            match one {
                Use::Load(into) => contents.iter().for_each(|&contents| self.flow(contents, into)),
                Use::Store(value) => contents.iter().for_each(|&contents| self.flow(value, contents)),
                Use::Run(location) => self.runs.extend(objects.iter().map(|object| (location, object))),
            }
        }
    }

    /// The contents of all the objects, each node once.
    fn contents_of(&mut self, objects: &ObjectSet) -> Vec<Node> {
        let mut contents = Vec::new();
        for object in objects.iter() {
            let node = self.find(self.contents[object]);
            if !std::mem::replace(&mut self.marked[node.index()], true) {
                contents.push(node);
            }
        }
        contents.iter().for_each(|node| self.marked[node.index()] = false);
        contents
    }

    fn find(&mut self, node: Node) -> Node {
        let mut root = node;
        while self.parent[root.index()] != root {
            root = self.parent[root.index()];
        }
        let mut current = node;
        while current != root {
            current = std::mem::replace(&mut self.parent[current.index()], root);
        }
        root
    }

    /// Makes one node of each cycle and returns the nodes that remain in topological order.
    fn collapse_cycles(&mut self) -> Vec<Node> {
        let components = Components::of(&self.parent, &self.flows);
        let merged = components.iter().any(|component| component.len() > 1);
        for component in components.iter().filter(|component| component.len() > 1) {
            self.merge(component);
        }
        if merged {
            self.rename_edges(&components);
        }
        components.iter().rev().map(|component| component[0]).collect()
    }

    fn merge(&mut self, component: &[Node]) {
        let root = component[0];
        let mut points = ObjectSet::default();
        for &node in component {
            points.extend(&std::mem::take(&mut self.points[node.index()]));
            self.parent[node.index()] = root;
            self.pending[node.index()] = ObjectSet::default();
            let (flows, uses) =
                (std::mem::take(&mut self.flows[node.index()]), std::mem::take(&mut self.uses[node.index()]));
            self.flows[root.index()].extend(flows);
            self.uses[root.index()].extend(uses);
        }
        // Not every neighbour and use of the cycle has seen all of this.
        self.pending[root.index()] = points.clone();
        self.points[root.index()] = points;
    }

    fn rename_edges(&mut self, components: &[Vec<Node>]) {
        self.known_flows.clear();
        for root in components.iter().map(|component| component[0]) {
            let mut flows = std::mem::take(&mut self.flows[root.index()]);
            flows.iter_mut().for_each(|target| *target = self.find(*target));
            flows.sort_unstable();
            flows.dedup();
            flows.retain(|&target| target != root);
            self.known_flows.extend(flows.iter().map(|&target| (root, target)));
            self.flows[root.index()] = flows;
            let mut uses = std::mem::take(&mut self.uses[root.index()]);
            uses.iter_mut().for_each(|one| match one {
                Use::Load(node) | Use::Store(node) => *node = self.find(*node),
                Use::Run(_) => {}
            });
            uses.sort_unstable();
            uses.dedup();
            self.uses[root.index()] = uses;
        }
    }
}

/// Tarjan's algorithm with an explicit stack.
struct Components<'a> {
    flows: &'a [Vec<Node>],
    number: Vec<u32>,
    low: Vec<u32>,
    open: Vec<bool>,
    path: Vec<Node>,
    counter: u32,
    components: Vec<Vec<Node>>,
}

/// Not visited yet.
const NEW: u32 = u32::MAX;

impl<'a> Components<'a> {
    /// The strongly connected components of the nodes that stand for themselves, each after those it flows into.
    fn of(parent: &[Node], flows: &'a [Vec<Node>]) -> Vec<Vec<Node>> {
        let size = parent.len();
        let (number, low, open) = (vec![NEW; size], vec![0; size], vec![false; size]);
        let mut search = Self { flows, number, low, open, path: Vec::new(), counter: 0, components: Vec::new() };
        for (index, root) in parent.iter().enumerate() {
            if root.index() == index && search.number[index] == NEW {
                search.visit(*root);
            }
        }
        search.components
    }

    fn visit(&mut self, root: Node) {
        self.enter(root);
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            let Some(&target) = self.flows[node.index()].get(*next) else {
                stack.pop();
                if let Some(&(caller, _)) = stack.last() {
                    self.low[caller.index()] = self.low[caller.index()].min(self.low[node.index()]);
                }
                if self.low[node.index()] == self.number[node.index()] {
                    self.close(node);
                }
                continue;
            };
            *next += 1;
            if self.number[target.index()] == NEW {
                self.enter(target);
                stack.push((target, 0));
            } else if self.open[target.index()] {
                self.low[node.index()] = self.low[node.index()].min(self.number[target.index()]);
            }
        }
    }

    fn enter(&mut self, node: Node) {
        self.number[node.index()] = self.counter;
        self.low[node.index()] = self.counter;
        self.counter += 1;
        self.open[node.index()] = true;
        self.path.push(node);
    }

    fn close(&mut self, root: Node) {
        let start = self.path.iter().rposition(|&node| node == root).expect("the root should be on the path");
        let component = self.path.split_off(start);
        component.iter().for_each(|node| self.open[node.index()] = false);
        self.components.push(component);
    }
}

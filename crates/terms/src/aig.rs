//! And-inverter graphs with structural hashing and the local two-level simplifications of Brummayer and Biere (Local
//! Two-Level And-Inverter Graph Minimization without Blowup, 2006), except those that need new nodes.

use rustc_hash::FxHashMap;

/// A node, or its complement if the lowest bit is set. Node 0 is the constant false.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct AigEdge(u32);

impl AigEdge {
    pub(crate) const FALSE: AigEdge = AigEdge(0);
    pub(crate) const TRUE: AigEdge = AigEdge(1);

    pub(crate) fn constant(value: bool) -> AigEdge {
        AigEdge(u32::from(value))
    }

    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_complemented(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn complement_if(self, condition: bool) -> AigEdge {
        AigEdge(self.0 ^ u32::from(condition))
    }

    pub(crate) fn is_constant(self) -> bool {
        self.0 < 2
    }

    fn of_node(node: usize) -> AigEdge {
        AigEdge((node as u32) << 1)
    }
}

impl std::ops::Not for AigEdge {
    type Output = AigEdge;
    fn not(self) -> AigEdge {
        AigEdge(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gate {
    /// The constant node, or a free input.
    Leaf,
    And(AigEdge, AigEdge),
    /// `if .0 { .1 } else { .2 }`, recognised from three and-nodes.
    Mux(AigEdge, AigEdge, AigEdge),
    /// Exclusive or, recognised from three and-nodes.
    Xor(AigEdge, AigEdge),
}

#[derive(Clone, Debug)]
pub(crate) struct Aig {
    /// The operands of each and-node; equal operands mark a leaf.
    nodes: Vec<(AigEdge, AigEdge)>,
    known: FxHashMap<(AigEdge, AigEdge), u32>,
}

const LEAF: (AigEdge, AigEdge) = (AigEdge::FALSE, AigEdge::FALSE);

impl Aig {
    pub(crate) fn new() -> Self {
        Self { nodes: vec![LEAF], known: FxHashMap::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn input(&mut self) -> AigEdge {
        let node = self.nodes.len();
        assert!(node < 1 << 31, "a graph should have fewer than 2³¹ nodes");
        self.nodes.push(LEAF);
        AigEdge::of_node(node)
    }

    pub(crate) fn and(&mut self, a: AigEdge, b: AigEdge) -> AigEdge {
        let (mut a, mut b) = (a.min(b), a.max(b));
        loop {
            match self.simplify(a, b) {
                Simplified::To(edge) => return edge,
                Simplified::Retry(x, y) => (a, b) = (x.min(y), x.max(y)),
                Simplified::No => break,
            }
        }
        if let Some(&node) = self.known.get(&(a, b)) {
            return AigEdge::of_node(node as usize);
        }
        let edge = self.input();
        self.nodes[edge.node()] = (a, b);
        self.known.insert((a, b), edge.node() as u32);
        edge
    }

    pub(crate) fn or(&mut self, a: AigEdge, b: AigEdge) -> AigEdge {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: AigEdge, b: AigEdge) -> AigEdge {
        // One graph for all complementations, so that hashing finds it again.
        let complemented = a.is_complemented() != b.is_complemented();
        let (a, b) = (a.complement_if(a.is_complemented()), b.complement_if(b.is_complemented()));
        let (a, b) = (a.min(b), a.max(b));
        let (both, neither) = (self.and(a, b), self.and(!a, !b));
        self.and(!both, !neither).complement_if(complemented)
    }

    pub(crate) fn iff(&mut self, a: AigEdge, b: AigEdge) -> AigEdge {
        !self.xor(a, b)
    }

    pub(crate) fn mux(&mut self, condition: AigEdge, a: AigEdge, b: AigEdge) -> AigEdge {
        if a == b {
            return a;
        }
        if a == !b {
            return self.iff(condition, a);
        }
        let (then, otherwise) = (self.and(condition, a), self.and(!condition, b));
        self.or(then, otherwise)
    }

    /// The node's meaning, with multiplexers and exclusive ors recognised.
    pub(crate) fn gate(&self, node: usize) -> Gate {
        let (a, b) = self.nodes[node];
        if (a, b) == LEAF {
            return Gate::Leaf;
        }
        self.as_mux(a, b).unwrap_or(Gate::And(a, b))
    }

    /// ¬(c ∧ x) ∧ ¬(¬c ∧ y) = if c { ¬x } else { ¬y }
    fn as_mux(&self, a: AigEdge, b: AigEdge) -> Option<Gate> {
        if !a.is_complemented() || !b.is_complemented() {
            return None;
        }
        let ((p, q), (r, s)) = (self.operands(a)?, self.operands(b)?);
        let (condition, then, otherwise) = match () {
            _ if p == !r => (p, !q, !s),
            _ if p == !s => (p, !q, !r),
            _ if q == !r => (q, !p, !s),
            _ if q == !s => (q, !p, !r),
            _ => return None,
        };
        Some(if then == !otherwise { Gate::Xor(condition, otherwise) } else { Gate::Mux(condition, then, otherwise) })
    }

    /// The operands of the and-node under an edge, whatever the edge's complement.
    fn operands(&self, edge: AigEdge) -> Option<(AigEdge, AigEdge)> {
        let operands = self.nodes[edge.node()];
        (operands != LEAF).then_some(operands)
    }

    fn simplify(&self, a: AigEdge, b: AigEdge) -> Simplified {
        match () {
            _ if a == AigEdge::FALSE || a == !b => Simplified::To(AigEdge::FALSE),
            _ if a == AigEdge::TRUE || a == b => Simplified::To(b),
            _ => self
                .simplify_one_side(a, b)
                .or_else(|| self.simplify_one_side(b, a))
                .or_else(|| self.simplify_both(a, b)),
        }
    }

    /// Rules with one operand's inner structure.
    fn simplify_one_side(&self, a: AigEdge, b: AigEdge) -> Simplified {
        let Some((x, y)) = self.operands(b) else { return Simplified::No };
        match (b.is_complemented(), a) {
            // a ∧ (a ∧ y) = a ∧ y; a ∧ (¬a ∧ y) = false
            (false, a) if a == x || a == y => Simplified::To(b),
            (false, a) if a == !x || a == !y => Simplified::To(AigEdge::FALSE),
            // ¬x ∧ ¬(x ∧ y) = ¬x; x ∧ ¬(x ∧ y) = x ∧ ¬y
            (true, a) if a == !x || a == !y => Simplified::To(a),
            (true, a) if a == x => Simplified::Retry(a, !y),
            (true, a) if a == y => Simplified::Retry(a, !x),
            _ => Simplified::No,
        }
    }

    /// Rules with both operands' inner structure.
    fn simplify_both(&self, a: AigEdge, b: AigEdge) -> Simplified {
        let (Some((p, q)), Some((r, s))) = (self.operands(a), self.operands(b)) else { return Simplified::No };
        let meets = |edge: AigEdge| edge == r || edge == s;
        match (a.is_complemented(), b.is_complemented()) {
            // (p ∧ q) ∧ (¬p ∧ s) = false
            (false, false) if meets(!p) || meets(!q) => Simplified::To(AigEdge::FALSE),
            // (p ∧ q) ∧ ¬(¬p ∧ s) = p ∧ q
            (false, true) if meets(!p) || meets(!q) => Simplified::To(a),
            (true, false) if meets(!p) || meets(!q) => Simplified::To(b),
            // (p ∧ q) ∧ ¬(p ∧ s) = (p ∧ q) ∧ ¬s
            (false, true) if r == p || r == q => Simplified::Retry(a, !s),
            (false, true) if s == p || s == q => Simplified::Retry(a, !r),
            (true, false) if p == r || p == s => Simplified::Retry(b, !q),
            (true, false) if q == r || q == s => Simplified::Retry(b, !p),
            // ¬(p ∧ q) ∧ ¬(p ∧ ¬q) = ¬p
            (true, true) if meets(p) && meets(!q) => Simplified::To(!p),
            (true, true) if meets(q) && meets(!p) => Simplified::To(!q),
            _ => Simplified::No,
        }
    }
}

enum Simplified {
    To(AigEdge),
    /// The conjunction of these two instead.
    Retry(AigEdge, AigEdge),
    No,
}

impl Simplified {
    fn or_else(self, next: impl FnOnce() -> Simplified) -> Simplified {
        match self {
            Simplified::No => next(),
            found => found,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every graph of two levels over three inputs against its truth table.
    #[test]
    fn two_level_graphs_keep_their_meaning() {
        let mut aig = Aig::new();
        let inputs = [aig.input(), aig.input(), aig.input()];
        let mut layer = vec![(AigEdge::FALSE, 0u8)];
        layer.extend(inputs.iter().zip([0b1010_1010u8, 0b1100_1100, 0b1111_0000]).map(|(&edge, table)| (edge, table)));
        for _ in 0..2 {
            let literals: Vec<(AigEdge, u8)> = layer.iter().flat_map(|&(e, t)| [(e, t), (!e, !t)]).collect();
            let mut next = Vec::new();
            for &(a, ta) in &literals {
                for &(b, tb) in &literals {
                    next.push((aig.and(a, b), ta & tb));
                    next.push((aig.xor(a, b), ta ^ tb));
                }
            }
            layer.extend(next);
            layer.sort();
            layer.dedup();
            // A node has one table: were a rule wrong, two tables would meet on one node.
            assert!(layer.windows(2).all(|pair| pair[0].0 != pair[1].0));
            assert!(
                layer
                    .iter()
                    .all(|&(edge, table)| !edge.is_constant() || table == if edge == AigEdge::TRUE { 255 } else { 0 })
            );
        }
        let tables = tables(&aig);
        for (edge, table) in layer {
            assert_eq!(tables[edge.node()] ^ if edge.is_complemented() { 255 } else { 0 }, table);
        }
    }

    fn tables(aig: &Aig) -> Vec<u8> {
        let mut tables = vec![0, 0b1010_1010u8, 0b1100_1100, 0b1111_0000];
        for node in 4..aig.len() {
            let of = |edge: AigEdge| tables[edge.node()] ^ if edge.is_complemented() { 255 } else { 0 };
            tables.push(match aig.gate(node) {
                Gate::Leaf => unreachable!("all inputs come first"),
                Gate::And(a, b) => of(a) & of(b),
                Gate::Xor(a, b) => of(a) ^ of(b),
                Gate::Mux(c, a, b) => of(c) & of(a) | !of(c) & of(b),
            });
        }
        tables
    }
}

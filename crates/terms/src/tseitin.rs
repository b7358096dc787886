//! Clauses for and-inverter graphs, after Tseitin (1968), made only for nodes that are asked for. Exclusive ors and
//! multiplexers are one gate each, and their inner nodes get no variable.

use solve::{ClauseSink, Lit};

use crate::aig::{Aig, AigEdge, Gate};

/// Remembers which nodes have a literal, so that later calls extend the formula.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tseitin {
    /// By node.
    literals: Vec<Option<Lit>>,
    stack: Vec<usize>,
}

impl Tseitin {
    /// A literal that is always true.
    pub(crate) fn true_literal(&mut self, sink: &mut dyn ClauseSink) -> Lit {
        if let Some(constant) = self.get(AigEdge::TRUE) {
            return constant;
        }
        let literal = sink.new_var().positive();
        sink.add_clause(&[literal]);
        self.set(AigEdge::TRUE, literal);
        literal
    }

    /// The literal of an edge, if it has one.
    pub(crate) fn get(&self, edge: AigEdge) -> Option<Lit> {
        let literal = self.literals.get(edge.node()).copied().flatten()?;
        Some(if edge.is_complemented() { !literal } else { literal })
    }

    /// Makes `literal` the literal of an edge that has none yet.
    pub(crate) fn set(&mut self, edge: AigEdge, literal: Lit) {
        debug_assert!(self.get(edge).is_none(), "a node should get one literal");
        if self.literals.len() <= edge.node() {
            self.literals.resize(edge.node() + 1, None);
        }
        self.literals[edge.node()] = Some(if edge.is_complemented() { !literal } else { literal });
    }

    /// The literal of an edge, with all clauses that define it.
    pub(crate) fn encode(&mut self, aig: &Aig, edge: AigEdge, sink: &mut dyn ClauseSink) -> Lit {
        if edge.is_constant() {
            let constant = self.true_literal(sink);
            return if edge == AigEdge::TRUE { constant } else { !constant };
        }
        self.literals.resize(self.literals.len().max(aig.len()), None);
        self.stack.push(edge.node());
        while let Some(&node) = self.stack.last() {
            if self.literals[node].is_none() {
                let gate = aig.gate(node);
                if self.push_open_operands(gate) {
                    continue;
                }
                self.literals[node] = Some(self.define(gate, sink));
            }
            self.stack.pop();
        }
        self.get(edge).expect("the edge should have just been encoded")
    }

    fn push_open_operands(&mut self, gate: Gate) -> bool {
        let before = self.stack.len();
        let operands: [Option<AigEdge>; 3] = match gate {
            Gate::Leaf => [None; 3],
            Gate::And(a, b) | Gate::Xor(a, b) => [Some(a), Some(b), None],
            Gate::Mux(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        let open = operands.into_iter().flatten().map(AigEdge::node).filter(|&node| self.literals[node].is_none());
        self.stack.extend(open);
        self.stack.len() > before
    }

    fn define(&self, gate: Gate, sink: &mut dyn ClauseSink) -> Lit {
        let of = |edge: AigEdge| self.get(edge).expect("operands should be encoded first");
        let n = sink.new_var().positive();
        match gate {
            Gate::Leaf => {}
            Gate::And(a, b) => {
                let (a, b) = (of(a), of(b));
                sink.add_clause(&[!n, a]);
                sink.add_clause(&[!n, b]);
                sink.add_clause(&[n, !a, !b]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (of(a), of(b));
                sink.add_clause(&[!n, a, b]);
                sink.add_clause(&[!n, !a, !b]);
                sink.add_clause(&[n, !a, b]);
                sink.add_clause(&[n, a, !b]);
            }
            Gate::Mux(c, a, b) => {
                let (c, a, b) = (of(c), of(a), of(b));
                sink.add_clause(&[!c, !a, n]);
                sink.add_clause(&[!c, a, !n]);
                sink.add_clause(&[c, !b, n]);
                sink.add_clause(&[c, b, !n]);
                // Redundant, but they propagate when both branches agree.
                sink.add_clause(&[!a, !b, n]);
                sink.add_clause(&[a, b, !n]);
            }
        }
        n
    }
}

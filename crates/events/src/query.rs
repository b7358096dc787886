//! The question about an event graph as terms: what `encode` says in clauses, as far as terms can say it. Values and
//! control are complete; of read-from, only that an executed read has the value of some executed candidate. The order of
//! events is missing, so a model is a counterexample of the abstraction, and no model means that there is none.

use program::Property;
use symbolic::SymValue;
use terms::{TermId, Terms};

use crate::candidates::candidates;
use crate::graph::{EventGraph, EventId};

/// The terms of `graph`, some more, and those that must all be true: `property` is violated or an execution goes
/// through a cut, where cuts whose literal is in `left_out` do not count.
pub fn query_terms(graph: &EventGraph, property: Property, left_out: &[TermId]) -> (Terms, Vec<TermId>) {
    let mut terms = graph.terms.clone();
    let mut assertions = graph.constraints.clone();
    for (read, writes) in candidates(graph) {
        let sources: Vec<TermId> = writes.iter().map(|&write| source(graph, &mut terms, write, read)).collect();
        let seen = terms.or_all(&sources);
        let executed = graph.guards.term(graph.events[read].guard);
        assertions.push(terms.implies(executed, seen));
    }
    assertions.extend(graph.question(&mut terms, property));
    assertions.extend_from_slice(left_out);
    (terms, assertions)
}

/// The read sees the write: a choice that implies that the write is executed and the values are the same.
fn source(graph: &EventGraph, terms: &mut Terms, write: EventId, read: EventId) -> TermId {
    let chosen = terms.bool_variable(format!("rf_{write}_{read}"));
    let executed = graph.guards.term(graph.events[write].guard);
    let same = equal(terms, &graph.events[write].value, &graph.events[read].value);
    let facts = terms.and(executed, same);
    terms.and(chosen, facts)
}

fn equal(terms: &mut Terms, a: &SymValue, b: &SymValue) -> TermId {
    let ((a, a_object), (b, b_object)) = (parts(terms, a), parts(terms, b));
    let (same, same_object) = (terms.eq(a, b), terms.eq(a_object, b_object));
    terms.and(same, same_object)
}

/// The number or offset, and the object.
fn parts(terms: &mut Terms, value: &SymValue) -> (TermId, TermId) {
    match value {
        SymValue::Bool(term) | SymValue::Int(term) => (*term, terms.constant(symbolic::OBJECT_BITS, 0)),
        SymValue::Pointer { object, offset, .. } => (*offset, *object),
    }
}

//! Candidate invariants for a thread-modular unfolding: simple inequalities that may hold at the head of a loop in every
//! round, and of what threads share at all times. Which of them do hold is for a solver to find out (Flanagan and Leino's
//! Houdini, FME 2001): all are assumed, those that fail somewhere are dropped, and so on until none fails.

use events::{CellKey, CellPart};
use program::{BinaryOp, BlockId, Function, InstructionKind, Operand, RegisterId, Rvalue};
use symbolic::{OBJECT_BITS, ObjectId, ObjectKey, SymValue};
use terms::{TermId, Terms};

use crate::state::State;
use crate::unfolder::Unfolder;
use crate::unroll_order::UnrollOrder;

/// More variables of a loop than this are not related to each other.
const MOST_RELATED: usize = 6;

/// What a round of a loop carries along: a register or a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variable {
    Register(RegisterId),
    Cell(CellKey),
}

/// A candidate for the head of a loop.
#[derive(Clone, Copy, Debug)]
pub struct LoopCandidate {
    relation: Relation,
    /// Its number in the event graph.
    index: usize,
}

/// The other side of an inequality is the same in every round.
#[derive(Clone, Copy, Debug)]
enum Relation {
    AtLeast(Variable, TermId),
    AtMost(Variable, TermId),
    UnsignedAtMost(Variable, TermId),
    /// Two variables have moved by the same distance since the loop was entered.
    SameDistance {
        variables: [Variable; 2],
        entered: [TermId; 2],
    },
}

impl Relation {
    /// Whether it holds in a state; `None` if that cannot be said with a term.
    fn holds(self, terms: &mut Terms, state: &State) -> Option<TermId> {
        let value = |variable| value_of(state, variable);
        let fits = |terms: &Terms, a: TermId, b: TermId| terms.width(a) == terms.width(b);
        match self {
            Relation::AtLeast(variable, bound) => {
                value(variable).filter(|&own| fits(terms, own, bound)).map(|own| terms.sle(bound, own))
            }
            Relation::AtMost(variable, bound) => {
                value(variable).filter(|&own| fits(terms, own, bound)).map(|own| terms.sle(own, bound))
            }
            Relation::UnsignedAtMost(variable, bound) => {
                value(variable).filter(|&own| fits(terms, own, bound)).map(|own| terms.ule(own, bound))
            }
            Relation::SameDistance { variables: [a, b], entered } => {
                let (a, b) = (value(a)?, value(b)?);
                if !fits(terms, a, entered[0]) || !fits(terms, b, entered[1]) || !fits(terms, a, b) {
                    return None;
                }
                let (first, second) = (terms.sub(a, entered[0]), terms.sub(b, entered[1]));
                Some(terms.eq(first, second))
            }
        }
    }
}

fn value_of(state: &State, variable: Variable) -> Option<TermId> {
    let value = match variable {
        Variable::Register(register) => state.registers[register.0 as usize].as_ref(),
        Variable::Cell(cell) => state.memory.get(&cell),
    };
    match value {
        Some(SymValue::Int(term)) => Some(*term),
        _ => None,
    }
}

/// What the registers that a loop carries along are compared with in it: constants and registers that stay as they are.
pub fn comparisons(
    function: &Function,
    order: &UnrollOrder,
    head: BlockId,
    carried: &[RegisterId],
) -> Vec<(RegisterId, Operand)> {
    let inside = function.blocks.iter_enumerated().filter(|(block, _)| order.heads(*block).contains(&head));
    let mut found = Vec::new();
    for instruction in inside.flat_map(|(_, body)| &body.instructions) {
        let InstructionKind::Assign { value: Rvalue::Binary { op, left, right, .. }, .. } = &instruction.kind else {
            continue;
        };
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Slt | BinaryOp::Sle | BinaryOp::Ult | BinaryOp::Ule) {
            continue;
        }
        for (one, other) in [(*left, *right), (*right, *left)] {
            let stays = match other {
                Operand::Int { .. } => true,
                Operand::Register(register) => !carried.contains(&register),
                _ => false,
            };
            if let (Operand::Register(register), true) = (one, stays)
                && carried.contains(&register)
                && !found.contains(&(register, other))
            {
                found.push((register, other));
            }
        }
    }
    found
}

impl Unfolder<'_> {
    /// Candidates for a loop that is entered in the state `before` and whose rounds begin in the state `any`. They are
    /// assumed there, and must hold where the loop is entered.
    pub fn loop_candidates(
        &mut self,
        before: &State,
        any: &mut State,
        variables: &[Variable],
        compared: &[(RegisterId, Operand)],
    ) -> Vec<LoopCandidate> {
        let mut relations = Vec::new();
        let moving: Vec<(Variable, TermId)> = variables
            .iter()
            .filter(|&&variable| {
                value_of(any, variable).is_some_and(|term| self.graph.terms.as_constant(term).is_none())
            })
            .filter_map(|&variable| value_of(before, variable).map(|entered| (variable, entered)))
            .collect();
        for &(variable, entered) in &moving {
            relations.push(Relation::AtLeast(variable, entered));
            relations.push(Relation::AtMost(variable, entered));
            relations.push(Relation::UnsignedAtMost(variable, entered));
        }
        for &(register, other) in compared {
            let variable = Variable::Register(register);
            let Some((_, entered)) = moving.iter().find(|(known, _)| *known == variable) else { continue };
            let bound = match other {
                Operand::Int { bits, value } if u32::from(bits) == self.graph.terms.width(*entered) => {
                    Some(self.terms().constant(u32::from(bits), value))
                }
                Operand::Register(register) => value_of(any, Variable::Register(register)),
                _ => None,
            };
            if let Some(bound) = bound {
                relations.push(Relation::AtMost(variable, bound));
                relations.push(Relation::AtLeast(variable, bound));
                relations.push(Relation::UnsignedAtMost(variable, bound));
            }
        }
        if moving.len() <= MOST_RELATED {
            for (index, &(a, entered_a)) in moving.iter().enumerate() {
                for &(b, entered_b) in &moving[index + 1..] {
                    relations.push(Relation::SameDistance { variables: [a, b], entered: [entered_a, entered_b] });
                }
            }
        }
        relations.into_iter().filter_map(|relation| self.loop_candidate(relation, before, any)).collect()
    }

    fn loop_candidate(&mut self, relation: Relation, before: &State, any: &mut State) -> Option<LoopCandidate> {
        let holds = relation.holds(&mut self.graph.terms, any)?;
        let at_first = relation.holds(&mut self.graph.terms, before)?;
        if self.graph.terms.as_boolean(holds) == Some(true) {
            return None;
        }
        let index = self.new_candidate();
        self.assume_candidate(index, any, holds);
        self.check_candidate(index, before, at_first);
        Some(LoopCandidate { relation, index })
    }

    /// A round that comes back to the head must leave the candidates true.
    pub fn check_loop_candidates(&mut self, candidates: &[LoopCandidate], state: &State) {
        for candidate in candidates {
            let falsity = self.graph.terms.boolean(false);
            let holds = candidate.relation.holds(&mut self.graph.terms, state).unwrap_or(falsity);
            self.check_candidate(candidate.index, state, holds);
        }
    }

    fn new_candidate(&mut self) -> usize {
        let assumed = self.terms().bool_variable("candidate");
        self.graph.candidates.push(events::InvariantCandidate { assumed, failures: Vec::new() });
        self.graph.candidates.len() - 1
    }

    /// Only executions in which the candidate holds go on: what came before is not affected, so that a candidate that
    /// is wrong from the beginning is seen to fail.
    fn assume_candidate(&mut self, index: usize, state: &mut State, holds: TermId) {
        let assumed = self.graph.candidates[index].assumed;
        let goes_on = self.terms().implies(assumed, holds);
        self.restrict(state, goes_on);
    }

    fn check_candidate(&mut self, index: usize, state: &State, holds: TermId) {
        let fails = self.terms().not(holds);
        let guard = self.guard_term(state);
        let failure = self.terms().and(guard, fails);
        self.graph.candidates[index].failures.push(failure);
    }

    /// What is read from a shared cell when `condition` holds satisfies the candidates for that cell. Elsewhere nothing is
    /// known: the object may not even exist yet.
    pub fn assume_shared_candidates(&mut self, state: &mut State, cell: CellKey, condition: TermId, value: &SymValue) {
        let Some(relations) = self.shared_relations(cell, value) else { return };
        let indices = self.shared_candidates_of(cell);
        for (index, holds) in indices.into_iter().zip(relations) {
            let holds = self.terms().implies(condition, holds);
            self.assume_candidate(index, state, holds);
        }
    }

    /// What is left in a shared cell when `condition` holds must satisfy the candidates for that cell.
    pub fn check_shared_candidates(&mut self, state: &State, cell: CellKey, condition: TermId, value: &SymValue) {
        if !matches!(cell.part, CellPart::Bytes(_)) {
            return;
        }
        let indices = self.shared_candidates_of(cell);
        let falsity = self.graph.terms.boolean(false);
        let holds = self.shared_relations(cell, value).unwrap_or_else(|| vec![falsity; indices.len()]);
        for (index, holds) in indices.into_iter().zip(holds) {
            let holds = self.terms().implies(condition, holds);
            self.check_candidate(index, state, holds);
        }
    }

    fn shared_candidates_of(&mut self, cell: CellKey) -> Vec<usize> {
        if let Some(known) = self.shared_candidates.get(&cell) {
            return known.clone();
        }
        let count = 2 + 2 * self.likely_limits(cell).len();
        let new: Vec<usize> = (0..count).map(|_| self.new_candidate()).collect();
        self.shared_candidates.insert(cell, new.clone());
        new
    }

    /// Of a number: not zero, not negative, and on each side of what it is compared with somewhere. Of a pointer: not to
    /// nothing, and whatever offset. As many as [`Self::shared_candidates_of`] the cell.
    fn shared_relations(&mut self, cell: CellKey, value: &SymValue) -> Option<Vec<TermId>> {
        if !matches!(cell.part, CellPart::Bytes(_)) {
            return None;
        }
        let limits = self.likely_limits(cell);
        let terms = &mut self.graph.terms;
        match self.survey.as_contents(terms, cell, value) {
            SymValue::Int(number) => {
                let width = terms.width(number);
                let zero = terms.constant(width, 0);
                let mut relations = vec![terms.distinct(number, zero), terms.sle(zero, number)];
                for limit in limits {
                    let limit = terms.constant(width, limit as u64);
                    relations.extend([terms.sle(number, limit), terms.sle(limit, number)]);
                }
                Some(relations)
            }
            SymValue::Pointer { object, .. } => {
                let nothing = terms.constant(OBJECT_BITS, u64::from(ObjectId::NONE.0));
                let mut relations = vec![terms.boolean(true); 2 + 2 * limits.len()];
                relations[0] = terms.distinct(object, nothing);
                Some(relations)
            }
            SymValue::Bool(_) => None,
        }
    }

    fn likely_limits(&self, cell: CellKey) -> Vec<i64> {
        match (self.survey.objects.get(cell.object).key, cell.part) {
            (ObjectKey::Global(global), CellPart::Bytes(bytes)) => {
                self.compared_constants.at(global, cell.offset, u32::from(bytes) * 8)
            }
            _ => Vec::new(),
        }
    }
}

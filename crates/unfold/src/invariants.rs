//! Candidate invariants for a thread-modular unfolding: simple inequalities that may hold at the head of a loop in every
//! round, and of what threads share at all times. Which of them do hold is for a solver to find out (Flanagan and Leino's
//! Houdini, FME 2001): all are assumed, those that fail somewhere are dropped, and so on until none fails.

use events::{CellKey, CellPart};
use program::{BinaryOp, BlockId, Function, InstructionKind, Operand, Program, RegisterId, Rvalue};
use rustc_hash::FxHashMap;
use symbolic::{OBJECT_BITS, ObjectId, ObjectKey, SymValue};
use terms::{TermId, Terms};

use crate::compared_constants::ComparedConstants;
use crate::pass::Pass;
use crate::state::SymState;
use crate::unroll_order::UnrollOrder;

/// More variables of a loop than this are not related to each other.
const MOST_RELATED: usize = 6;

/// What a round of a loop carries along: a register or a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopVariable {
    Register(RegisterId),
    Cell(CellKey),
}

/// A candidate for the head of a loop.
#[derive(Clone, Copy, Debug)]
pub struct LoopCandidate {
    relation: InvariantRelation,
    /// Its number in the event graph.
    index: usize,
}

/// The other side of an inequality is the same in every round.
#[derive(Clone, Copy, Debug)]
enum InvariantRelation {
    AtLeast(LoopVariable, TermId),
    AtMost(LoopVariable, TermId),
    UnsignedAtMost(LoopVariable, TermId),
    /// Two variables have moved by the same distance since the loop was entered.
    SameDistance {
        variables: [LoopVariable; 2],
        entered: [TermId; 2],
    },
}

impl InvariantRelation {
    /// Whether it holds in a state; `None` if that cannot be said with a term.
    fn holds(self, terms: &mut Terms, state: &SymState) -> Option<TermId> {
        let value = |variable| value_of(state, variable);
        let fits = |terms: &Terms, a: TermId, b: TermId| terms.width(a) == terms.width(b);
        match self {
            InvariantRelation::AtLeast(variable, bound) => {
                value(variable).filter(|&own| fits(terms, own, bound)).map(|own| terms.sle(bound, own))
            }
            InvariantRelation::AtMost(variable, bound) => {
                value(variable).filter(|&own| fits(terms, own, bound)).map(|own| terms.sle(own, bound))
            }
            InvariantRelation::UnsignedAtMost(variable, bound) => {
                value(variable).filter(|&own| fits(terms, own, bound)).map(|own| terms.ule(own, bound))
            }
            InvariantRelation::SameDistance { variables: [a, b], entered } => {
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

fn contents_of(state: &SymState, variable: LoopVariable) -> Option<&SymValue> {
    match variable {
        LoopVariable::Register(register) => state.registers[register.0 as usize].as_ref(),
        LoopVariable::Cell(cell) => state.memory.get(&cell),
    }
}

/// The number, or where in its object a pointer is.
fn value_of(state: &SymState, variable: LoopVariable) -> Option<TermId> {
    match contents_of(state, variable) {
        Some(SymValue::Int(term)) => Some(*term),
        Some(SymValue::Pointer { offset, .. }) => Some(*offset),
        _ => None,
    }
}

/// What the registers that a loop carries along are compared with in it: constants, addresses, and registers that stay
/// as they are.
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
                Operand::Int { .. } | Operand::Global { .. } | Operand::Local { .. } => true,
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

/// The candidates for what threads share.
#[derive(Default)]
pub(crate) struct SharedCandidates {
    /// Their numbers, by cell.
    candidates: FxHashMap<CellKey, Vec<usize>>,
    compared: ComparedConstants,
}

impl SharedCandidates {
    pub fn new(program: &Program) -> Self {
        Self { candidates: FxHashMap::default(), compared: ComparedConstants::of(program) }
    }

    /// What is read from a shared cell when `condition` holds satisfies the candidates for that cell. Elsewhere nothing is
    /// known: the object may not even exist yet.
    pub fn assume(
        &mut self,
        pass: &mut Pass<'_>,
        state: &mut SymState,
        cell: CellKey,
        condition: TermId,
        value: &SymValue,
    ) {
        let mut assumed = Vec::new();
        self.assumptions(pass, cell, value, &mut assumed);
        let assumed = pass.terms().and_all(&assumed);
        let goes_on = pass.terms().implies(condition, assumed);
        pass.restrict(state, goes_on);
    }

    /// What the candidates that are assumed say of a value read from a shared cell.
    pub fn assumptions(&mut self, pass: &mut Pass<'_>, cell: CellKey, value: &SymValue, assumed: &mut Vec<TermId>) {
        let Some(relations) = self.relations(pass, cell, value) else { return };
        let indices = self.numbers_of(pass, cell);
        for (index, holds) in indices.into_iter().zip(relations) {
            let candidate = pass.graph.candidates[index].assumed;
            assumed.push(pass.terms().implies(candidate, holds));
        }
    }

    /// What is left in a shared cell when `condition` holds must satisfy the candidates for that cell.
    pub fn check(&mut self, pass: &mut Pass<'_>, state: &SymState, cell: CellKey, condition: TermId, value: &SymValue) {
        if !matches!(cell.part, CellPart::Bytes(_)) {
            return;
        }
        let indices = self.numbers_of(pass, cell);
        let falsity = pass.graph.terms.boolean(false);
        let holds = self.relations(pass, cell, value).unwrap_or_else(|| vec![falsity; indices.len()]);
        for (index, holds) in indices.into_iter().zip(holds) {
            let holds = pass.terms().implies(condition, holds);
            check_candidate(pass, index, state, holds);
        }
    }

    fn numbers_of(&mut self, pass: &mut Pass<'_>, cell: CellKey) -> Vec<usize> {
        if let Some(known) = self.candidates.get(&cell) {
            return known.clone();
        }
        let count = 2 + 2 * self.likely_limits(pass, cell).len();
        let new: Vec<usize> = (0..count).map(|_| pass.graph.add_candidate()).collect();
        self.candidates.insert(cell, new.clone());
        new
    }

    /// Of a number: not zero, not negative, and on each side of what it is compared with somewhere. Of a pointer: not to
    /// nothing, and whatever offset. As many as [`Self::numbers_of`] the cell.
    fn relations(&mut self, pass: &mut Pass<'_>, cell: CellKey, value: &SymValue) -> Option<Vec<TermId>> {
        if !matches!(cell.part, CellPart::Bytes(_)) {
            return None;
        }
        let limits = self.likely_limits(pass, cell);
        let value = pass.as_contents(cell, value);
        let terms = pass.graph.terms();
        match value {
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

    fn likely_limits(&self, pass: &Pass<'_>, cell: CellKey) -> Vec<i64> {
        match (pass.survey.objects.get(cell.object).key, cell.part) {
            (ObjectKey::Global(global), CellPart::Bytes(bytes)) => {
                self.compared.at(global, cell.offset, u32::from(bytes) * 8)
            }
            _ => Vec::new(),
        }
    }
}

/// Candidates for a loop that is entered in the state `before` and whose rounds begin in the state `any`. They are
/// assumed there, and must hold where the loop is entered.
pub fn loop_candidates(
    pass: &mut Pass<'_>,
    before: &SymState,
    any: &mut SymState,
    variables: &[LoopVariable],
    compared: &[(RegisterId, Operand)],
) -> Vec<LoopCandidate> {
    let mut relations = Vec::new();
    let moving: Vec<(LoopVariable, TermId)> = variables
        .iter()
        .filter(|&&variable| value_of(any, variable).is_some_and(|term| pass.graph.terms.as_constant(term).is_none()))
        .filter_map(|&variable| value_of(before, variable).map(|entered| (variable, entered)))
        .collect();
    for &(variable, entered) in &moving {
        relations.push(InvariantRelation::AtLeast(variable, entered));
        relations.push(InvariantRelation::AtMost(variable, entered));
        relations.push(InvariantRelation::UnsignedAtMost(variable, entered));
    }
    for &(register, other) in compared {
        let variable = LoopVariable::Register(register);
        let Some((_, entered)) = moving.iter().find(|(known, _)| *known == variable) else { continue };
        let bound = match other {
            Operand::Int { bits, value } if u32::from(bits) == pass.graph.terms.width(*entered) => {
                Some(pass.terms().constant(u32::from(bits), value))
            }
            Operand::Register(register) => value_of(any, LoopVariable::Register(register)),
            Operand::Global { offset, .. } | Operand::Local { offset, .. } => {
                Some(pass.pointer_constant(offset as u64))
            }
            _ => None,
        };
        if let Some(bound) = bound {
            relations.push(InvariantRelation::AtMost(variable, bound));
            relations.push(InvariantRelation::AtLeast(variable, bound));
            relations.push(InvariantRelation::UnsignedAtMost(variable, bound));
        }
    }
    let is_number =
        |&&(variable, _): &&(LoopVariable, TermId)| matches!(contents_of(before, variable), Some(SymValue::Int(_)));
    let numbers: Vec<(LoopVariable, TermId)> = moving.iter().filter(is_number).copied().collect();
    if numbers.len() <= MOST_RELATED {
        for (index, &(a, entered_a)) in numbers.iter().enumerate() {
            for &(b, entered_b) in &numbers[index + 1..] {
                relations.push(InvariantRelation::SameDistance { variables: [a, b], entered: [entered_a, entered_b] });
            }
        }
    }
    relations.into_iter().filter_map(|relation| loop_candidate(pass, relation, before, any)).collect()
}

fn loop_candidate(
    pass: &mut Pass<'_>,
    relation: InvariantRelation,
    before: &SymState,
    any: &mut SymState,
) -> Option<LoopCandidate> {
    let holds = relation.holds(pass.graph.terms(), any)?;
    let at_first = relation.holds(pass.graph.terms(), before)?;
    if pass.graph.is_true(holds) {
        return None;
    }
    let index = pass.graph.add_candidate();
    assume_candidate(pass, index, any, holds);
    check_candidate(pass, index, before, at_first);
    Some(LoopCandidate { relation, index })
}

/// A round that comes back to the head must leave the candidates true.
pub fn check_loop_candidates(pass: &mut Pass<'_>, candidates: &[LoopCandidate], state: &SymState) {
    for candidate in candidates {
        let falsity = pass.graph.terms.boolean(false);
        let holds = candidate.relation.holds(pass.graph.terms(), state).unwrap_or(falsity);
        check_candidate(pass, candidate.index, state, holds);
    }
}

/// Only executions in which the candidate holds go on: what came before is not affected, so that a candidate that
/// is wrong from the beginning is seen to fail.
fn assume_candidate(pass: &mut Pass<'_>, index: usize, state: &mut SymState, holds: TermId) {
    let assumed = pass.graph.candidates[index].assumed;
    let goes_on = pass.terms().implies(assumed, holds);
    pass.restrict(state, goes_on);
}

pub(crate) fn check_candidate(pass: &mut Pass<'_>, index: usize, state: &SymState, holds: TermId) {
    let fails = pass.terms().not(holds);
    let guard = pass.guard_term(state);
    let failure = pass.terms().and(guard, fails);
    pass.graph.add_failure(index, failure);
}

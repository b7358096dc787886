//! Loops of a thread-modular unfolding: entered once, in *any* of their rounds. Registers that a loop carries along and memory
//! that it writes have unknown values there, and edges back to its head lead nowhere.

use std::rc::Rc;

use base::Span;
use events::{CellKey, CellPart, CutKind};
use program::{BlockId, Location, Operand, RegisterId};
use symbolic::ObjectId;

use crate::abstraction::{LoopEdge, LoopHead, LoopPolicy};
use crate::cells::Cells;
use crate::critical_section::Locks;
use crate::invariants::{LoopCandidate, LoopVariable, check_loop_candidates, comparisons, loop_candidates};
use crate::lifetimes::{death, life_cell};
use crate::modular_facts::{LoopKey, learn_of_loop, note_carried, note_contents};
use crate::open_step::OpenStep;
use crate::shared_words::KeptLock;
use crate::state::{AtomicSection, SymState, ThreadPosition};
use crate::survey::CellClass;
use crate::unfolder::{Site, UnfoldFailure};
use crate::unroll_order::UnrollOrder;

/// How the head of a loop was entered.
#[derive(Clone, Debug)]
struct Entered {
    head: BlockId,
    locks: Locks,
    atomic: Option<AtomicSection>,
    living: Rc<Vec<ObjectId>>,
    /// What may hold in every round.
    candidates: Vec<LoopCandidate>,
    kept: Vec<KeptLock>,
}

/// The loops of one activation.
#[derive(Default)]
pub(crate) struct AnyRound {
    entered: Vec<Entered>,
}

impl LoopPolicy for AnyRound {
    fn enter(
        &mut self,
        cells: &mut Cells<'_>,
        states: Vec<SymState>,
        head: &LoopHead<'_>,
    ) -> Result<Vec<SymState>, UnfoldFailure> {
        let LoopHead { key, order, carried, location } = *head;
        let compared = comparisons(&cells.program.functions[key.function], order, key.head, carried);
        let site = Site { location, span: cells.program.span(location) };
        let mut rounds = Vec::new();
        for state in merge_into_one_entry(cells, states, location) {
            if let Some((any, how)) = enter_any_round(cells, state, key, carried, &compared, site)? {
                self.entered.push(how);
                rounds.push(any);
            }
        }
        Ok(rounds)
    }

    fn follow(
        &mut self,
        cells: &mut Cells<'_>,
        state: SymState,
        edge: &LoopEdge<'_>,
    ) -> Result<Option<SymState>, UnfoldFailure> {
        let LoopEdge { key, order, from, carried, site } = *edge;
        if order.goes_back(from, key.head) {
            close_round(cells, state, key, carried, &self.entered, site)?;
            return Ok(None);
        }
        let is_cut = cut_sideways_entry(cells, order, from, key.head, &state, site.span);
        Ok((!is_cut).then_some(state))
    }
}

/// The one state in which a loop is entered. A second entry would have path conditions of its own, and a round that began
/// from one and ends in the atomic section of the other would seem to be among the rounds of the other.
fn merge_into_one_entry(cells: &mut Cells<'_>, mut states: Vec<SymState>, location: Location) -> Vec<SymState> {
    let synchronised = states.iter().flat_map(|state| state.atomic).any(|section| section.synchronised);
    if states.len() > 1 {
        for section in states.iter_mut().flat_map(|state| &mut state.atomic) {
            section.synchronised = synchronised;
        }
        states = cells.merge_all(states, location);
    }
    let span = cells.program.span(location);
    for other in states.drain(1.min(states.len())..) {
        let what = "a loop entered from different atomic sections".to_owned();
        cells.cut(other.standing(), CutKind::Unsupported { what }, span);
    }
    states
}

/// Turns a state that enters a loop into one in which any of its rounds begins; `None` if the path ends here.
fn enter_any_round(
    cells: &mut Cells<'_>,
    state: SymState,
    key: LoopKey,
    carried: &[RegisterId],
    compared: &[(RegisterId, Operand)],
    site: Site,
) -> Result<Option<(SymState, Entered)>, UnfoldFailure> {
    let before = state.clone();
    let (mut any, kept) = match any_round(cells, state, key, carried, site) {
        Ok(any) => any,
        Err(failure) => return cut_failed(cells, failure, before.standing(), site.span).map(|()| None),
    };
    let mut variables: Vec<LoopVariable> = carried.iter().copied().map(LoopVariable::Register).collect();
    let written = cells.survey.modular.of_loop(key).into_iter().flat_map(|facts| &facts.cells);
    let is_variable = |cell: &&CellKey| before.memory.contains_key(cell) && !matches!(cell.part, CellPart::Array(_));
    variables.extend(written.filter(is_variable).map(|&cell| LoopVariable::Cell(cell)));
    let candidates = loop_candidates(cells, &before, &mut any, &variables, compared);
    let (locks, atomic, living) = (any.locks.clone(), any.atomic, any.living.clone());
    let entered = Entered { head: key.head, locks, atomic, living, candidates, kept };
    Ok(Some((any, entered)))
}

/// What cannot be followed is a cut.
fn cut_failed(
    cells: &mut Cells<'_>,
    failure: UnfoldFailure,
    standing: ThreadPosition,
    span: Span,
) -> Result<(), UnfoldFailure> {
    match failure {
        UnfoldFailure::NotSupported(what) => {
            cells.cut(standing, CutKind::Unsupported { what }, span);
            Ok(())
        }
        stopped => Err(stopped),
    }
}

fn any_round(
    cells: &mut Cells<'_>,
    mut state: SymState,
    key: LoopKey,
    carried: &[RegisterId],
    site: Site,
) -> Result<(SymState, Vec<KeptLock>), UnfoldFailure> {
    let step = &mut OpenStep::between(&state, site);
    note_carried(cells, &state, key, carried);
    let facts = cells.survey.modular.of_loop(key).cloned().unwrap_or_default();
    if facts.creates_threads && state.single {
        cells.publish(&mut state, step);
    }
    cells.divide_steps(&mut state);
    let kept: Locks = state.locks.iter().copied().filter(|(lock, _)| !facts.lost.contains(lock)).collect();
    if kept != state.locks {
        cells.leave_sections(&mut state, &kept, step)?;
    }
    cells.forget_sections(&mut state, &facts.forgotten, step)?;
    for register in carried {
        if let Some(form) = facts.registers.get(register) {
            let value = form.any_value(cells.graph.terms_and_constraints());
            state.set_register(*register, value);
        }
    }
    for &cell in &facts.cells {
        if cells.is_in_section(&state, cell) {
            let value = cells.fresh_contents(cell);
            cells.hold_changed(&mut state, cell, value);
        } else if is_known(cells, &state, cell) {
            let value = cells.fresh_contents(cell);
            state.set_cell(cell, value);
        }
    }
    let kept = cells.begin_round(&mut state, key);
    Ok((state, kept))
}

/// Whether the state may hold a value for the cell.
fn is_known(cells: &Cells<'_>, state: &SymState, cell: CellKey) -> bool {
    state.single || cells.survey.class(cell) == CellClass::Folded || state.memory.contains_key(&cell)
}

/// A round comes back to the head of its loop: what it leaves must be among what rounds begin with.
fn close_round(
    cells: &mut Cells<'_>,
    mut state: SymState,
    key: LoopKey,
    carried: &[RegisterId],
    entered: &[Entered],
    site: Site,
) -> Result<(), UnfoldFailure> {
    let standing = state.standing();
    let entered = entered.iter().rfind(|one| one.head == key.head).filter(|one| one.atomic == state.atomic);
    let Some(entered) = entered else {
        let what = "an atomic section that begins or ends inside a loop iteration".to_owned();
        return cut_failed(cells, UnfoldFailure::NotSupported(what), standing, site.span);
    };
    cells.divide_steps(&mut state);
    note_carried(cells, &state, key, carried);
    note_left_living(cells, &state, &entered.living);
    check_loop_candidates(cells, &entered.candidates, &state);
    cells.end_round(&state, &entered.kept);
    let kept: Locks = entered.locks.iter().copied().filter(|lock| state.locks.contains(lock)).collect();
    for (lock, _) in entered.locks.iter().filter(|lock| !kept.contains(lock)) {
        learn_of_loop(&mut cells.survey, key, |facts| facts.lost.insert(*lock));
    }
    let step = &mut OpenStep::between(&state, site);
    let left = cells.leave_sections(&mut state, &kept, step);
    left.or_else(|failure| cut_failed(cells, failure, standing, site.span))
}

/// What a round leaves on the stack dies at a time that no later round knows.
fn note_left_living(cells: &mut Cells<'_>, state: &SymState, entered: &[ObjectId]) {
    let left: Vec<ObjectId> = state.living.iter().copied().filter(|object| !entered.contains(object)).collect();
    for object in left {
        // It may be dead whenever somebody looks who does not know better.
        let dead = death(cells.terms());
        note_contents(cells, life_cell(object), &dead);
        cells.survey.note_plural(object);
    }
}

/// A jump into the middle of a loop, which this kind of unfolding does not follow.
fn cut_sideways_entry(
    cells: &mut Cells<'_>,
    order: &UnrollOrder,
    from: BlockId,
    to: BlockId,
    state: &SymState,
    span: Span,
) -> bool {
    let entered = order.heads(to).iter().filter(|head| !order.heads(from).contains(head));
    let is_sideways = entered.into_iter().any(|&head| head != to);
    if is_sideways {
        let what = "a jump into a loop".to_owned();
        cells.cut(state.standing(), CutKind::Unsupported { what }, span);
    }
    is_sideways
}

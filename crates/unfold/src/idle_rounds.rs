//! Rounds of a loop that leave no trace. A thread that waits (`while (!flag) ;`) goes round and round without changing
//! anything; an execution in which it does so is also one in which it got to the loop later. So a round that comes
//! back to the head of its loop with the same registers that matter and with nothing changed in memory is not followed,
//! and needs no cut: whatever happens after it also happens without it. That holds of any loop, round by round, under a
//! condition: a failed compare-exchange is idle, a successful one is not.
//!
//! Not to be used where executions are counted.

use std::rc::Rc;

use events::CellKey;
use program::{BlockId, Function, RegisterId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symbolic::{ObjectId, SymValue, evaluate};
use terms::{TermId, Terms};

use crate::liveness::Liveness;
use crate::state::SymState;
use crate::unroll_order::UnrollOrder;

/// For every loop around a place, innermost last, and across calls: what the current round has done.
pub type Activity = SmallVec<[Round; 2]>;

/// What one round of a loop has done so far.
#[derive(Clone, Debug)]
pub struct Round {
    /// It has done something that others can see.
    active: TermId,
    /// The registers with which it began.
    registers: Rc<Vec<Option<SymValue>>>,
    /// What the cells of this thread's own that it has written held when it began.
    before: Rc<Vec<(CellKey, Option<SymValue>)>>,
    /// Objects that began to live in it. Nothing outside refers to them, or that reference is a change.
    born: SmallVec<[ObjectId; 2]>,
    /// Those of them that are locals and live still: the next round would find them alive.
    alive: SmallVec<[ObjectId; 2]>,
}

/// A round that writes more cells than this counts as active: comparing them all would cost more than it is worth.
const MAX_CELLS: usize = 32;

/// The registers that each loop carries from one round to the next.
pub fn carried_registers(
    function: &Function,
    order: &UnrollOrder,
    liveness: &Liveness,
) -> FxHashMap<BlockId, Vec<RegisterId>> {
    let heads =
        function.blocks.ids().filter(|&block| order.is_reachable(block) && order.heads(block).last() == Some(&block));
    heads.map(|head| (head, carried_by(function, order, liveness, head))).collect()
}

fn carried_by(function: &Function, order: &UnrollOrder, liveness: &Liveness, head: BlockId) -> Vec<RegisterId> {
    let inside = function.blocks.iter_enumerated().filter(|(block, _)| order.heads(*block).contains(&head));
    let assigned = inside.flat_map(|(_, body)| &body.instructions).flat_map(|one| one.kind.targets());
    let mut carried: Vec<RegisterId> = assigned.filter(|&register| liveness.is_live(head, register)).collect();
    carried.sort_unstable();
    carried.dedup();
    carried
}

impl Round {
    pub fn new(terms: &Terms, registers: Rc<Vec<Option<SymValue>>>) -> Self {
        let (before, born, alive) = (Rc::default(), SmallVec::new(), SmallVec::new());
        Self { active: terms.boolean(false), registers, before, born, alive }
    }

    /// Begins anew, with the registers of before.
    pub fn forget_deeds(&mut self, terms: &Terms) {
        *self = Self::new(terms, self.registers.clone());
    }

    fn note_own_write(&mut self, terms: &Terms, cell: CellKey, old: Option<&SymValue>) {
        if self.born.contains(&cell.object) || terms.as_boolean(self.active) == Some(true) {
            return;
        }
        if self.before.iter().any(|(known, _)| *known == cell) {
            return;
        }
        if self.before.len() >= MAX_CELLS {
            self.active = terms.boolean(true);
        } else {
            Rc::make_mut(&mut self.before).push((cell, old.cloned()));
        }
    }

    fn note_birth(&mut self, object: ObjectId, is_local: bool) {
        self.born.push(object);
        if is_local {
            self.alive.push(object);
        }
    }

    /// One round of the same loop that took different ways.
    pub fn merge(terms: &mut Terms, condition: TermId, a: &Round, b: &Round) -> Round {
        let mut merged = a.clone();
        merged.active = terms.ite(condition, a.active, b.active);
        for (cell, old) in b.before.iter() {
            match a.before.iter().find(|(known, _)| known == cell) {
                None => Rc::make_mut(&mut merged.before).push((*cell, old.clone())),
                Some((_, known)) if known != old => merged.active = terms.boolean(true),
                Some(_) => {}
            }
        }
        if !Rc::ptr_eq(&a.registers, &b.registers) {
            merged.active = terms.boolean(true);
        }
        merged.born.retain(|object| b.born.contains(object));
        merged.alive.extend(b.alive.iter().copied().filter(|object| !a.alive.contains(object)));
        merged
    }
}

impl SymState {
    /// Something happened, when `condition` holds, that a round cannot have done in vain.
    pub fn note_activity(&mut self, terms: &mut Terms, condition: TermId) {
        for round in self.rounds_mut() {
            round.active = terms.or(round.active, condition);
        }
    }

    /// Whatever has a beginning and may turn out to be idle: rounds of loops, and the time since the last wake-up.
    fn rounds_mut(&mut self) -> impl Iterator<Item = &mut Round> {
        self.activity.iter_mut().chain(self.last_wake_up.as_mut().map(|last| &mut last.since))
    }

    /// A cell is about to be written that no other thread looks at.
    pub fn note_own_write(&mut self, terms: &Terms, cell: CellKey) {
        let (old, certain) = self.own_value(terms, cell);
        if !certain {
            let truth = terms.boolean(true);
            self.rounds_mut().for_each(|round| round.active = truth);
            return;
        }
        let old = old.cloned();
        let old = old.as_ref();
        self.rounds_mut().for_each(|round| round.note_own_write(terms, cell, old));
    }

    /// What the thread knows a cell of its own to hold, and whether that holds in every execution.
    fn own_value(&self, terms: &Terms, cell: CellKey) -> (Option<&SymValue>, bool) {
        match self.held.get(&cell) {
            Some(held) => (held.certain_value(terms), held.certain_value(terms).is_some()),
            None => (self.memory.get(&cell), true),
        }
    }

    pub fn note_birth(&mut self, object: ObjectId, is_local: bool) {
        self.rounds_mut().for_each(|round| round.note_birth(object, is_local));
    }

    /// A local's life has ended.
    pub fn note_death(&mut self, object: ObjectId) {
        self.rounds_mut().for_each(|round| round.alive.retain(|alive| *alive != object));
    }

    /// Adjusts to a place with `loops` loops around it, of which the outer `shared` go on in their round. Their rounds begin at
    /// their heads: what comes to a head from elsewhere in its loop, where it entered, has not been there before and is not idle.
    pub fn enter_loops(&mut self, terms: &Terms, shared: usize, loops: usize) {
        self.activity.truncate(shared);
        let registers = self.registers.clone();
        let entered = || Round { active: terms.boolean(true), ..Round::new(terms, registers.clone()) };
        self.activity.resize_with(loops, entered);
    }

    /// A round of the loop at `level` begins here.
    pub fn begin_round(&mut self, terms: &Terms, level: usize) {
        self.activity[level] = Round::new(terms, self.registers.clone());
    }

    /// Whether the round of the loop at `level` that comes back to its head now has done anything.
    pub fn was_active(&self, terms: &mut Terms, level: usize, carried: &[RegisterId]) -> TermId {
        self.has_acted(terms, &self.activity[level], carried)
    }

    /// Whether a round has done anything so far, or left one of these registers other than it found it.
    pub fn has_acted(&self, terms: &mut Terms, round: &Round, carried: &[RegisterId]) -> TermId {
        if !round.alive.is_empty() {
            return terms.boolean(true);
        }
        let registers = carried.iter().map(|register| register.0 as usize);
        let registers = registers.map(|index| (round.registers[index].as_ref(), self.registers[index].as_ref()));
        let now = |cell: CellKey| self.own_value(terms, cell);
        if round.before.iter().any(|(cell, _)| !now(*cell).1) {
            return terms.boolean(true);
        }
        let cells: Vec<_> = round.before.iter().map(|(cell, old)| (old.as_ref(), now(*cell).0)).collect();
        let mut active = round.active;
        for (old, new) in registers.chain(cells) {
            if terms.as_boolean(active) == Some(true) {
                break;
            }
            let differs = differs(terms, old, new);
            active = terms.or(active, differs);
        }
        active
    }
}

/// Whether two values, of which either may be unknown, can be told apart.
pub fn differs(terms: &mut Terms, old: Option<&SymValue>, new: Option<&SymValue>) -> TermId {
    match (old, new) {
        (None, None) => terms.boolean(false),
        (Some(SymValue::Bool(old)), Some(SymValue::Bool(new))) => {
            let same = terms.iff(*old, *new);
            terms.not(same)
        }
        // Arrays are not compared.
        (Some(old), Some(new)) if terms.is_array(old.components().0[0]) => terms.boolean(old != new),
        (Some(old), Some(new)) => match evaluate::equal(terms, old, new) {
            Ok(equal) => terms.not(equal),
            Err(_) => terms.boolean(true),
        },
        _ => terms.boolean(true),
    }
}

/// The level of the loop that an edge goes back in, if it does.
pub fn level_of(order: &UnrollOrder, from: BlockId, to: BlockId) -> Option<usize> {
    order.goes_back(from, to).then(|| order.heads(to).len() - 1)
}

/// How many loops go on in their round along an edge.
pub fn shared_loops(order: &UnrollOrder, from: BlockId, to: BlockId) -> usize {
    let shared = order.shared_loops(from, to);
    level_of(order, from, to).map_or(shared, |level| level.min(shared))
}

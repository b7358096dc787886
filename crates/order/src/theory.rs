//! The ordering theory on the solver's hook.
//!
//! Assignments are collected and worked off in batches: first everything a literal says directly, then Rules 2 and 3 and
//! the lock rule to a fixpoint, then propagation. A batch is undone as a whole, by popping trails, when one of its
//! literals is; a conflict undoes its batch at once, after its clause is built, so that the state between calls is
//! always closed. A reason that is asked for later is built from the edges older than the propagation, which are still
//! there as long as the propagated literal is assigned.

use base::{Id, Statistics};
use solve::{Lit, Theory, TheoryContext, Var};

use crate::counters::Counters;
use crate::explain::{Cause, Explainer};
use crate::goals::GoalAlternatives;
use crate::graph::{EventId, NodeId, OrderGraph, ReadFromId, SectionId};
use crate::layout::{Layout, Read, ReadId, Role, SlotId};
use crate::reachability::{EdgeCause, Place, Reachability, ReachabilityMark};
use crate::simulate::{Simulated, Simulation};
use crate::verify::Defect;

/// What the theory does beyond the rules it needs to be complete. Everything is on by default; switching something off
/// never changes answers, only time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TheoryOptions {
    /// rf(w, r) is false when r must precede w. Without it such an rf is a conflict once it is tried.
    pub after_read: bool,
    /// rf(w, r) is false when an executed write must lie between w and r.
    pub overwritten: bool,
    /// rf(w, r) is false when it would reach into or around the interval of another rf on the same address.
    pub interval: bool,
    /// Two executed read-modify-writes never share a source.
    pub exclusive: bool,
    /// The guard of a write that must lie between the ends of an rf is false.
    pub guards: bool,
    /// A pair literal takes the only direction left.
    pub pair_direction: bool,
    /// Decide the sources of executed reads first, in program order, for a few backtracks at a time. Without it the
    /// solver's own order is used throughout. It finds schedules quickly where many exist, and is in the way where a
    /// proof is needed (docs/decisions/0001-ordering-theory.md), so it takes turns with the solver's order.
    pub decide: bool,
    /// Repeat a stuck simulation with commitment before creating a pair literal.
    pub commitment: bool,
}

impl Default for TheoryOptions {
    fn default() -> Self {
        Self {
            after_read: true,
            overwritten: true,
            interval: true,
            exclusive: true,
            guards: true,
            pair_direction: true,
            decide: true,
            commitment: true,
        }
    }
}

/// The current assignment cannot be ordered; the clause is noted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conflict;

/// The end of an intrusive list, or no entry.
pub(crate) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TheoryValue {
    True,
    False,
    Unassigned,
}

/// What the assignment says directly, in tables that `activations` undoes.
pub(crate) struct Active {
    /// By slot: number of executed writes.
    pub executed: Vec<u32>,
    /// By event.
    pub write_executed: Vec<bool>,
    /// By section.
    pub locked: Vec<bool>,
    /// By section: the first unlock candidate not known to be skipped.
    pub section_end: Vec<u32>,
    /// Lists of active rf by place of the read, by slot of the write, and by address.
    pub into_place: Vec<u32>,
    pub next_into: Vec<u32>,
    pub out_of_slot: Vec<u32>,
    pub next_out_of: Vec<u32>,
    pub of_address: Vec<u32>,
    pub next_of_address: Vec<u32>,
    /// By read: its active rf.
    pub of_read: Vec<u32>,
    /// By read and chain: the sources that are not yet dead, as a range in `Layout::sources_of`.
    pub window_low: Vec<u32>,
    pub window_high: Vec<u32>,
}

/// A change of [`Active`] with what is needed to take it back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ActiveChange {
    Write(EventId),
    ReadFrom { rf: ReadFromId, old: u32 },
    Lock(SectionId),
    SectionEnd { section: SectionId, old: u32 },
    WindowLow { row: u32, old: u32 },
    WindowHigh { row: u32, old: u32 },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Propagation {
    pub lit: Lit,
    pub cause: Cause,
    /// Number of edges when it was found.
    pub time: u32,
}

/// A lazily created decision: `lit` is true iff `first` comes before `second`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub first: Place,
    pub second: Place,
    pub lit: Lit,
}

#[derive(Clone, Copy)]
struct Batch {
    start: usize,
    end: usize,
    reach: ReachabilityMark,
    activations: usize,
    propagated: usize,
}

#[derive(Clone, Copy)]
struct Level {
    assigned: usize,
    queue_head: usize,
    cursor: usize,
}

/// Decides sequential consistency of an [`OrderGraph`] inside the solver. The clauses of
/// [`OrderGraph::encode_read_from`] must be in the solver too.
pub struct OrderTheory {
    pub(crate) layout: Layout,
    pub(crate) options: TheoryOptions,
    pub(crate) counters: Counters,
    pub(crate) reach: Reachability,
    pub(crate) active: Active,
    pub(crate) activations: Vec<ActiveChange>,
    pub(crate) explainer: Explainer,
    pub(crate) simulation: Simulation,
    pub(crate) linearisation: Vec<NodeId>,
    /// By variable: 1 true, -1 false, 0 unassigned.
    pub(crate) values: Vec<i8>,
    assigned: Vec<Lit>,
    head: usize,
    levels: Vec<Level>,
    batches: Vec<Batch>,
    pub(crate) propagated: Vec<Propagation>,
    queue_head: usize,
    /// By variable: index in `propagated`.
    pub(crate) propagation_of: Vec<u32>,
    pub(crate) clause: Vec<Lit>,
    pub(crate) conflict: Vec<Lit>,
    pub(crate) has_conflict: bool,
    /// The unconditional part of the graph has no order.
    contradiction: bool,
    pub(crate) trial: bool,
    pub(crate) pairs: Vec<Pair>,
    /// By variable.
    pair_of: Vec<u32>,
    new_slots: Vec<SlotId>,
    new_read_froms: Vec<ReadFromId>,
    new_mutexes: Vec<u32>,
    /// By place: a linear extension of the unconditional order, the schedule that decisions start from.
    rank: Vec<u64>,
    cursor: usize,
    turns: Turns,
    goals: Vec<GoalAlternatives>,
}

/// Whose turn it is to decide. The theory gives up after some backtracks, and each rest is twice as long as the last.
struct Turns {
    deciding: bool,
    backtracks_left: u64,
    rest: u64,
}

impl Turns {
    const PATIENCE: u64 = 32;

    fn new() -> Self {
        Self { deciding: true, backtracks_left: Self::PATIENCE, rest: 4 * Self::PATIENCE }
    }

    fn note_backtrack(&mut self) {
        self.backtracks_left -= 1;
        if self.backtracks_left > 0 {
            return;
        }
        self.deciding = !self.deciding;
        if self.deciding {
            self.backtracks_left = Self::PATIENCE;
        } else {
            self.backtracks_left = self.rest;
            self.rest = self.rest.saturating_mul(2);
        }
    }
}

impl OrderTheory {
    /// A theory for `graph`, which must pass its verifier.
    pub fn new(graph: &OrderGraph, options: TheoryOptions) -> Result<Self, Vec<Defect>> {
        graph.verify()?;
        let layout = Layout::new(graph);
        let chains = layout.chains;
        let variables = layout.observed.iter().map(|var| var.index() + 1).max().unwrap_or(0);
        let variables = variables.max(layout.true_lit.var().index() + 1);
        let window = |end: bool| {
            let rows = 0..layout.reads.len() * chains;
            let bound = |row| if end { layout.sources_of.range(row).end } else { layout.sources_of.range(row).start };
            rows.map(|row| bound(row) as u32).collect::<Vec<_>>()
        };
        let active = Active {
            executed: vec![0; layout.slots.len()],
            write_executed: vec![false; layout.guards.len()],
            locked: vec![false; layout.sections.len()],
            section_end: vec![0; layout.sections.len()],
            into_place: vec![NONE; layout.node_at.len()],
            next_into: vec![NONE; layout.candidates.len()],
            out_of_slot: vec![NONE; layout.slots.len()],
            next_out_of: vec![NONE; layout.candidates.len()],
            of_address: vec![NONE; graph.address_count()],
            next_of_address: vec![NONE; layout.candidates.len()],
            of_read: vec![NONE; layout.reads.len()],
            window_low: window(false),
            window_high: window(true),
        };
        let mut theory = Self {
            reach: Reachability::new(&layout.chain_lengths),
            explainer: Explainer::new(layout.guards.len(), chains),
            simulation: Simulation::new(chains, graph.address_count(), graph.mutex_count()),
            active,
            options,
            counters: Counters::default(),
            activations: Vec::new(),
            linearisation: Vec::new(),
            values: vec![0; variables],
            assigned: Vec::new(),
            head: 0,
            levels: Vec::new(),
            batches: Vec::new(),
            propagated: Vec::new(),
            queue_head: 0,
            propagation_of: vec![NONE; variables],
            clause: Vec::new(),
            conflict: Vec::new(),
            has_conflict: false,
            contradiction: false,
            trial: false,
            pairs: Vec::new(),
            pair_of: vec![NONE; variables],
            new_slots: Vec::new(),
            new_read_froms: Vec::new(),
            new_mutexes: Vec::new(),
            rank: Vec::new(),
            cursor: 0,
            turns: Turns::new(),
            goals: Vec::new(),
            layout,
        };
        theory.settle_unconditional();
        Ok(theory)
    }

    /// Lets the search look for one of `alternatives` at a time wherever `goal` is true. Only a strategy, and only
    /// before the theory is attached to a solver.
    pub fn seek(&mut self, goal: Lit, alternatives: Vec<Lit>) {
        if !self.options.decide || alternatives.len() < 2 {
            return;
        }
        let goal = GoalAlternatives::new(goal, alternatives);
        let variables = goal.literals().map(|lit| lit.var().index() + 1).max().unwrap_or(0);
        self.make_room_for(variables);
        self.goals.push(goal);
    }

    /// The executed nodes in a valid total order. Only after a model was accepted.
    pub fn linearisation(&self) -> &[NodeId] {
        &self.linearisation
    }

    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    pub fn statistics(&self) -> Statistics {
        self.counters.statistics()
    }

    /// Whether `a` must precede `b` under the assignment so far, as far as the rules tell.
    pub fn must_precede(&self, a: NodeId, b: NodeId) -> bool {
        self.reach.precedes(self.layout.place_of[a.index()], self.layout.place_of[b.index()])
    }

    /// The nodes whose order a pair literal decides (first before second iff true), if `var` is one.
    pub fn pair(&self, var: Var) -> Option<(NodeId, NodeId)> {
        let index = *self.pair_of.get(var.index()).filter(|&&index| index != NONE)?;
        let pair = self.pairs[index as usize];
        Some((self.layout.node_at[pair.first.index()], self.layout.node_at[pair.second.index()]))
    }

    /// Everything that holds without any decision: it is never undone.
    fn settle_unconditional(&mut self) {
        let true_lit = self.layout.true_lit;
        self.values[true_lit.var().index()] = if true_lit.is_positive() { 1 } else { -1 };
        for index in 0..self.layout.sections.len() {
            self.update_section_end(SectionId::new(index));
        }
        let settled = self.activate(true_lit).and_then(|()| self.draw_consequences(0));
        if settled.is_err() {
            self.contradiction = true;
        }
        self.activations.clear();
        let chains = self.layout.chains as u64;
        self.rank = (0..self.layout.node_at.len())
            .map(Place::new)
            .map(|place| {
                let before: i64 = self.reach.pred(place).iter().map(|&last| i64::from(last) + 1).sum();
                before as u64 * chains + self.reach.chain(place) as u64
            })
            .collect();
        let (rank, reads) = (&self.rank, &self.layout.reads);
        self.layout.decision_order.sort_by_key(|read| rank[reads[read.index()].place.index()]);
    }

    #[inline]
    pub(crate) fn value(&self, lit: Lit) -> TheoryValue {
        let value = self.values.get(lit.var().index()).copied().unwrap_or(0);
        match (value, lit.is_positive()) {
            (0, _) => TheoryValue::Unassigned,
            (1, true) | (-1, false) => TheoryValue::True,
            _ => TheoryValue::False,
        }
    }

    /// Works off all assignments that are new. On a conflict the state is as before, and the clause is noted.
    fn process_batch(&mut self) -> Result<(), Conflict> {
        let batch = Batch {
            start: self.head,
            end: self.assigned.len(),
            reach: self.reach.mark(),
            activations: self.activations.len(),
            propagated: self.propagated.len(),
        };
        let processed = self.process_literals(batch.start..batch.end);
        let processed = processed.and_then(|()| self.draw_consequences(batch.reach.trail));
        if processed.is_err() {
            self.undo_batch(batch);
            return Err(Conflict);
        }
        self.head = batch.end;
        self.batches.push(batch);
        Ok(())
    }

    fn process_literals(&mut self, range: std::ops::Range<usize>) -> Result<(), Conflict> {
        for index in range {
            self.activate(self.assigned[index])?;
        }
        Ok(())
    }

    fn undo_batch(&mut self, batch: Batch) {
        self.reach.undo(batch.reach);
        while self.activations.len() > batch.activations {
            let Some(activation) = self.activations.pop() else { break };
            self.undo_activation(activation);
        }
        while self.propagated.len() > batch.propagated {
            let Some(propagation) = self.propagated.pop() else { break };
            self.propagation_of[propagation.lit.var().index()] = NONE;
        }
        self.queue_head = self.queue_head.min(self.propagated.len());
        self.new_slots.clear();
        self.new_read_froms.clear();
        self.new_mutexes.clear();
        self.head = batch.start;
    }

    /// Applies what `lit` says directly.
    fn activate(&mut self, lit: Lit) -> Result<(), Conflict> {
        for index in 0..self.layout.roles.row(lit.code()).len() {
            match self.layout.roles.row(lit.code())[index] {
                Role::Write(event) => self.activate_write(event),
                Role::ReadFrom(rf) => self.activate_read_from(rf)?,
                Role::Edge { from, to } => self.add_edge(from, to, EdgeCause::Literal(lit))?,
                Role::Lock(section) => {
                    self.active.locked[section.index()] = true;
                    self.activations.push(ActiveChange::Lock(section));
                    self.new_mutexes.push(self.layout.sections[section.index()].mutex);
                }
                Role::NoUnlock(section) => self.update_section_end(section),
            }
        }
        let pair = self.pair_of[lit.var().index()];
        if pair != NONE {
            let Pair { first, second, lit: first_comes_first } = self.pairs[pair as usize];
            let (from, to) = if lit == first_comes_first { (first, second) } else { (second, first) };
            self.add_edge(from, to, EdgeCause::Literal(lit))?;
        }
        Ok(())
    }

    fn activate_write(&mut self, event: EventId) {
        let Some(slot) = self.layout.slot_of[event.index()] else { return };
        self.active.write_executed[event.index()] = true;
        self.active.executed[slot.index()] += 1;
        self.activations.push(ActiveChange::Write(event));
        if self.active.executed[slot.index()] == 1 {
            self.new_slots.push(slot);
        }
    }

    fn activate_read_from(&mut self, rf: ReadFromId) -> Result<(), Conflict> {
        let candidate = self.layout.candidates[rf.index()];
        let address = self.layout.slots[candidate.slot.index()].address as usize;
        let active = &mut self.active;
        let index = rf.index();
        active.next_into[index] = std::mem::replace(&mut active.into_place[candidate.target.index()], rf.0);
        active.next_out_of[index] = std::mem::replace(&mut active.out_of_slot[candidate.slot.index()], rf.0);
        active.next_of_address[index] = std::mem::replace(&mut active.of_address[address], rf.0);
        let old = std::mem::replace(&mut active.of_read[candidate.read.index()], rf.0);
        self.activations.push(ActiveChange::ReadFrom { rf, old });
        self.new_read_froms.push(rf);
        self.add_edge(candidate.source, candidate.target, EdgeCause::ReadFrom(rf))
    }

    fn update_section_end(&mut self, section: SectionId) {
        let old = self.active.section_end[section.index()];
        let places = &self.layout.sections[section.index()];
        let end = Self::first_open_end(places, old, |guard| self.value(guard) == TheoryValue::False);
        if end != old {
            self.active.section_end[section.index()] = end;
            self.activations.push(ActiveChange::SectionEnd { section, old });
            self.new_mutexes.push(self.layout.sections[section.index()].mutex);
        }
    }

    fn undo_activation(&mut self, activation: ActiveChange) {
        let active = &mut self.active;
        match activation {
            ActiveChange::Write(event) => {
                active.write_executed[event.index()] = false;
                if let Some(slot) = self.layout.slot_of[event.index()] {
                    active.executed[slot.index()] -= 1;
                }
            }
            ActiveChange::ReadFrom { rf, old } => {
                let candidate = self.layout.candidates[rf.index()];
                let address = self.layout.slots[candidate.slot.index()].address as usize;
                active.into_place[candidate.target.index()] = active.next_into[rf.index()];
                active.out_of_slot[candidate.slot.index()] = active.next_out_of[rf.index()];
                active.of_address[address] = active.next_of_address[rf.index()];
                active.of_read[candidate.read.index()] = old;
            }
            ActiveChange::Lock(section) => active.locked[section.index()] = false,
            ActiveChange::SectionEnd { section, old } => active.section_end[section.index()] = old,
            ActiveChange::WindowLow { row, old } => active.window_low[row as usize] = old,
            ActiveChange::WindowHigh { row, old } => active.window_high[row as usize] = old,
        }
    }

    /// Closes the order and propagates; the vectors' changes from `first_change` on are new.
    fn draw_consequences(&mut self, first_change: usize) -> Result<(), Conflict> {
        for index in 0..self.new_slots.len() {
            let address = self.layout.slots[self.new_slots[index].index()].address as usize;
            let mut rf = self.active.of_address[address];
            while rf != NONE {
                self.rule_2(ReadFromId(rf))?;
                self.rule_3(ReadFromId(rf))?;
                rf = self.active.next_of_address[rf as usize];
            }
        }
        for index in 0..self.new_read_froms.len() {
            self.rule_2(self.new_read_froms[index])?;
            self.rule_3(self.new_read_froms[index])?;
        }
        while let Some(mutex) = self.new_mutexes.pop() {
            if !self.new_mutexes.contains(&mutex) {
                self.lock_rule_of_mutex(mutex as usize)?;
            }
        }
        self.close()?;
        self.propagate_new()?;
        self.propagate_changes(first_change)
    }

    /// Propagation that new writes and new rf start, besides what changed places start.
    fn propagate_new(&mut self) -> Result<(), Conflict> {
        while let Some(slot) = self.new_slots.pop() {
            self.propagate_new_write(slot)?;
            if self.options.exclusive {
                self.propagate_modification(slot)?;
            }
        }
        while let Some(rf) = self.new_read_froms.pop() {
            if self.options.interval {
                self.propagate_new_read_from(rf)?;
            }
            if self.options.guards {
                for chain in 0..self.layout.chains {
                    self.propagate_guards(rf, chain)?;
                }
            }
            if self.options.exclusive {
                self.propagate_exclusive(rf)?;
            }
        }
        Ok(())
    }

    /// A node has become a read-modify-write: it competes with those that already have a source.
    fn propagate_modification(&mut self, slot: SlotId) -> Result<(), Conflict> {
        let (place, address) = (self.layout.slots[slot.index()].place, self.layout.slots[slot.index()].address);
        let modifies = |read: &ReadId| self.layout.reads[read.index()].modifies == Some(slot);
        if !self.layout.reads_at.row(place.index()).iter().any(modifies) {
            return Ok(());
        }
        let mut rf = self.active.of_address[address as usize];
        while rf != NONE {
            self.propagate_exclusive(ReadFromId(rf))?;
            rf = self.active.next_of_address[rf as usize];
        }
        Ok(())
    }

    /// The source to try for an executed read without one: the latest before it in the initial schedule, else the
    /// earliest after it; sources that contradict the order come last.
    fn choose_source(&self, read: ReadId) -> Option<Lit> {
        let Read { place, address, .. } = self.layout.reads[read.index()];
        let own_rank = self.rank[place.index()];
        let mut best: Option<((u8, u64), Lit)> = None;
        for chain in 0..self.layout.chains {
            let row = read.index() * self.layout.chains + chain;
            let floor = self.floor(place, address, chain);
            for &rf in self.layout.sources_of.row(row) {
                let candidate = self.layout.candidates[rf.index()];
                match self.value(candidate.lit) {
                    TheoryValue::True => return None,
                    TheoryValue::False => continue,
                    TheoryValue::Unassigned => {}
                }
                let rank = self.rank[candidate.source.index()];
                let position = self.reach.position(candidate.source);
                let dead = position <= floor || self.reach.precedes(place, candidate.source);
                let key = if dead {
                    (2, rank)
                } else if rank <= own_rank {
                    (0, own_rank - rank)
                } else {
                    (1, rank)
                };
                if best.is_none_or(|(least, _)| key < least) {
                    best = Some((key, candidate.lit));
                }
            }
        }
        best.map(|(_, lit)| lit)
    }

    fn decide_goal(&mut self) -> Option<Lit> {
        let values = &self.values;
        let value = |lit: Lit| match values[lit.var().index()] {
            0 => None,
            value => Some((value > 0) == lit.is_positive()),
        };
        self.goals.iter_mut().find_map(|goal| goal.decide(value))
    }

    fn note_reason_as_conflict(&mut self, propagation: Propagation) {
        self.explain_propagation(propagation.lit, propagation.cause, propagation.time);
        std::mem::swap(&mut self.conflict, &mut self.clause);
        self.has_conflict = true;
    }

    fn make_room_for(&mut self, variables: usize) {
        let variables = variables.max(self.values.len());
        self.values.resize(variables, 0);
        self.propagation_of.resize(variables, NONE);
        self.pair_of.resize(variables, NONE);
    }

    fn create_pair(&mut self, first: Place, second: Place, context: &mut dyn TheoryContext) {
        let lit = context.new_observed_var().positive();
        self.make_room_for(lit.var().index() + 1);
        self.pair_of[lit.var().index()] = self.pairs.len() as u32;
        self.pairs.push(Pair { first, second, lit });
        self.counters.pair_literals += 1;
    }
}

impl Theory for OrderTheory {
    fn observed(&self) -> Vec<Var> {
        let pairs = self.pairs.iter().map(|pair| pair.lit.var());
        let goals = self.goals.iter().flat_map(GoalAlternatives::literals).map(Lit::var);
        self.layout.observed.iter().copied().chain(pairs).chain(goals).collect()
    }

    fn assign(&mut self, literals: &[Lit]) {
        for &lit in literals {
            let known = lit.var().index() < self.values.len();
            if known && self.value(lit) == TheoryValue::Unassigned {
                self.values[lit.var().index()] = if lit.is_positive() { 1 } else { -1 };
                self.assigned.push(lit);
            }
        }
    }

    fn new_level(&mut self) {
        let level = Level { assigned: self.assigned.len(), queue_head: self.queue_head, cursor: self.cursor };
        self.levels.push(level);
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&kept) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        for lit in self.assigned.drain(kept.assigned..) {
            self.values[lit.var().index()] = 0;
        }
        while let Some(&batch) = self.batches.last() {
            if batch.end <= kept.assigned {
                break;
            }
            self.batches.pop();
            self.undo_batch(batch);
        }
        // What was handed out at a deeper level has been unassigned with it, even if its premises still hold.
        self.queue_head = self.queue_head.min(kept.queue_head);
        self.cursor = kept.cursor;
        self.turns.note_backtrack();
        self.goals.iter_mut().for_each(GoalAlternatives::note_backtrack);
    }

    fn propagate(&mut self) -> Option<Lit> {
        if self.contradiction {
            self.has_conflict = true;
        }
        while !self.has_conflict {
            while let Some(propagation) = self.propagated.get(self.queue_head) {
                let lit = propagation.lit;
                self.queue_head += 1;
                if self.value(lit) != TheoryValue::True {
                    return Some(lit);
                }
            }
            if self.head == self.assigned.len() || self.process_batch().is_err() {
                break;
            }
        }
        None
    }

    fn reason(&mut self, literal: Lit, clause: &mut Vec<Lit>) {
        let index = self.propagation_of[literal.var().index()] as usize;
        let propagation = *self.propagated.get(index).expect("a reason should be asked for what was propagated");
        assert!(propagation.lit == literal, "a reason should be asked for the literal that was propagated");
        self.explain_propagation(literal, propagation.cause, propagation.time);
        clause.clear();
        clause.extend_from_slice(&self.clause);
    }

    fn next_clause(&mut self, clause: &mut Vec<Lit>) -> bool {
        let found = std::mem::take(&mut self.has_conflict);
        if found {
            clause.clear();
            clause.extend_from_slice(&self.conflict);
        }
        found
    }

    fn decide(&mut self) -> Option<Lit> {
        if let Some(lit) = self.decide_goal() {
            return Some(lit);
        }
        if !self.options.decide || !self.turns.deciding {
            return None;
        }
        let mut contiguous = true;
        for index in self.cursor..self.layout.decision_order.len() {
            let read = self.layout.decision_order[index];
            let done = self.active.of_read[read.index()] != NONE;
            match self.value(self.layout.reads[read.index()].guard) {
                TheoryValue::True if !done => {
                    if let Some(lit) = self.choose_source(read) {
                        self.counters.decisions += 1;
                        return Some(lit);
                    }
                }
                TheoryValue::Unassigned => contiguous = false,
                _ => {}
            }
            if contiguous {
                self.cursor = index + 1;
            }
        }
        None
    }

    fn check_model(&mut self, context: &mut dyn TheoryContext) -> bool {
        self.counters.model_checks += 1;
        while self.propagate().is_some() {
            let propagation = self.propagated[self.queue_head - 1];
            if self.value(propagation.lit) == TheoryValue::False {
                self.note_reason_as_conflict(propagation);
            }
        }
        if self.has_conflict {
            return false;
        }
        match self.simulate() {
            Simulated::Scheduled => {
                self.note_linearisation();
                true
            }
            Simulated::Stuck(first, second) => {
                self.create_pair(first, second, context);
                false
            }
        }
    }
}

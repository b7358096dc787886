//! Memory that is lost or left behind: `valid-memtrack` and `valid-memcleanup`, looked for where the process ends, as are
//! threads that nobody has claimed (`thread_leaks`).
//!
//! Left behind is what was born and is not dead when the process exits. Lost is what cannot be reached then from a global
//! through pointers in memory; what is lost stays lost, so that the end shows what was lost on the way.
//!
//! Guarantee: a violation is one for the interpreter. Where the end cannot be looked at in this way, there is a cut, so
//! that nothing is proved:
//! - an execution that allocates memory and may not come to an exit, because a thread is stopped, waits or is wrong,
//!   because the process is aborted, or because the main thread ends alone;
//! - lost memory, if the process exits inside of a function or while other threads may run, whose registers count;
//! - lost memory, if the program makes numbers from addresses, or stores them in single bytes: such objects never count
//!   as lost.

use events::{CellKey, CutKind, Guards};
use program::{CastOp, InstructionKind, Property, Rvalue};
use symbolic::{Life, OBJECT_BITS, ObjectId, ObjectKey, SymValue};
use terms::TermId;

use crate::state::{Standing, State};
use crate::thread_leaks::ThreadRecord;
use crate::unfolder::{Failure, Site, Unfolder};

/// With more objects than this at the end, reachability is not followed.
const MAX_OBJECTS: usize = 32;

/// What one pass of the unfolding has met that matters for leaks.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeakRecord {
    /// When memory is allocated.
    births: Vec<TermId>,
    /// When a thread is stopped by an assume.
    stopped: Vec<TermId>,
    /// When a thread may not get further although nothing is assumed.
    stuck: Vec<TermId>,
    /// When the main thread ends, but not the process.
    orphaned: Vec<TermId>,
    /// The index of each violation, which counts only if no thread is stopped.
    found: Vec<usize>,
    pub threads: ThreadRecord,
}

/// A heap object that may live at the end of the process.
struct Remaining {
    object: ObjectId,
    alive: TermId,
    reached: TermId,
}

impl Unfolder<'_> {
    /// Whether it matters which memory is allocated.
    pub fn looks_for_lost_memory(&self) -> bool {
        let properties = self.options.properties;
        properties.contains(Property::ValidMemtrack) || properties.contains(Property::ValidMemcleanup)
    }

    /// Whether it matters how the process ends.
    fn looks_at_the_end(&self) -> bool {
        self.looks_for_lost_memory() || self.looks_for_lost_threads()
    }

    pub fn note_allocation(&mut self, state: &State) {
        let guard = self.guard_term(state);
        self.leaks.births.push(guard);
    }

    /// A thread in `state` is stopped by an assume unless `condition` holds.
    pub fn note_stopped(&mut self, state: &State, condition: TermId) {
        if self.looks_at_the_end() && state.atomic.is_none() {
            let stopped = self.fails(state, condition);
            self.leaks.stopped.push(stopped);
        }
    }

    /// A thread in `state` may not get further unless `condition` holds.
    pub fn note_stuck(&mut self, state: &State, condition: TermId) {
        if self.looks_for_lost_memory() {
            let stuck = self.fails(state, condition);
            self.leaks.stuck.push(stuck);
        }
    }

    /// The process does not come to an exit from here: it is aborted, or something undefined happens.
    pub fn note_stuck_here(&mut self, state: &State) {
        let never = self.graph.terms.boolean(false);
        self.note_stuck(state, never);
    }

    /// A thread ends in `state`, and not because it returns.
    pub fn note_thread_exit(&mut self, state: &State) {
        if self.looks_at_the_end() && self.instance.0 == 0 {
            let guard = self.guard_term(state);
            self.leaks.orphaned.push(guard);
        }
    }

    fn fails(&mut self, state: &State, condition: TermId) -> TermId {
        let (guard, fails) = (self.guard_term(state), self.terms().not(condition));
        self.terms().and(guard, fails)
    }

    /// The process exits normally.
    pub fn check_exit(&mut self, state: &mut State, site: &Site) -> Result<(), Failure> {
        if !self.looks_at_the_end() {
            return Ok(());
        }
        self.open_node = None;
        self.record_step(state, site);
        self.check_unclaimed(state, site)?;
        if self.looks_for_lost_memory() {
            self.check_memory(state, site)?;
        }
        self.attach_open_node();
        if state.atomic.is_none() {
            // Who looks for something else does not come to the end of the process.
            let never = self.graph.terms.boolean(false);
            let never = self.and_guard(Guards::ROOT, never);
            if let Some(step) = self.own_step() {
                step.completes = never;
            }
        }
        Ok(())
    }

    fn check_memory(&mut self, state: &mut State, site: &Site) -> Result<(), Failure> {
        let mut remaining = self.remaining(state, site)?;
        let alive: Vec<TermId> = remaining.iter().map(|one| one.alive).collect();
        let left = self.terms().or_all(&alive);
        if state.atomic.is_some() {
            for property in [Property::ValidMemtrack, Property::ValidMemcleanup] {
                self.cut_leak(state, left, property, "the end of the process in an atomic section", site);
            }
            return Ok(());
        }
        self.found_leak(state, left, Property::ValidMemcleanup, site);
        if self.options.properties.contains(Property::ValidMemtrack) {
            self.check_lost(state, left, &mut remaining, site)?;
        }
        Ok(())
    }

    fn check_lost(
        &mut self,
        state: &mut State,
        left: TermId,
        remaining: &mut [Remaining],
        site: &Site,
    ) -> Result<(), Failure> {
        let property = Property::ValidMemtrack;
        let hidden = match () {
            () if self.is_nested() => Some("memory that may be lost where the process exits inside of a function"),
            () if !self.is_alone(state) => Some("memory that may be lost while other threads run"),
            () if remaining.len() > MAX_OBJECTS => Some("too many objects that may be lost"),
            () => None,
        };
        if let Some(what) = hidden {
            self.cut_leak(state, left, property, what, site);
            return Ok(());
        }
        self.follow_pointers(state, remaining, site)?;
        let mut lost = self.graph.terms.boolean(false);
        for one in remaining.iter() {
            let unreached = self.terms().not(one.reached);
            let this = self.terms().and(one.alive, unreached);
            lost = self.terms().or(lost, this);
        }
        if self.makes_numbers_of_addresses() || self.survey.has_address_bytes() {
            self.cut_leak(state, lost, property, "memory that may be lost and whose address is a number", site);
        } else {
            self.found_leak(state, lost, property, site);
        }
        Ok(())
    }

    /// The heap objects that may live.
    fn remaining(&mut self, state: &mut State, site: &Site) -> Result<Vec<Remaining>, Failure> {
        let truth = self.graph.terms.boolean(true);
        let ids: Vec<ObjectId> = self.survey.objects.ids().collect();
        let mut remaining = Vec::new();
        for object in ids {
            if self.survey.objects.get(object).life != Life::Heap {
                continue;
            }
            let fate = self.fate(state, object, truth, site)?;
            let lives = self.terms().not(fate.dead);
            let alive = self.terms().and(fate.born, lives);
            if self.graph.terms.as_boolean(alive) != Some(false) {
                let reached = self.graph.terms.boolean(false);
                remaining.push(Remaining { object, alive, reached });
            }
        }
        Ok(remaining)
    }

    /// Finds out which of the objects can be reached from globals.
    fn follow_pointers(&mut self, state: &mut State, remaining: &mut [Remaining], site: &Site) -> Result<(), Failure> {
        let truth = self.graph.terms.boolean(true);
        let roots: Vec<ObjectId> = self.survey.objects.ids().filter(|&object| self.is_root(object)).collect();
        for root in roots {
            for one in remaining.iter_mut() {
                let points = self.points_to(state, root, truth, one.object, site)?;
                one.reached = self.terms().or(one.reached, points);
            }
        }
        let mut edges = Vec::new();
        for from in 0..remaining.len() {
            for to in (0..remaining.len()).filter(|&to| to != from) {
                let (object, alive) = (remaining[from].object, remaining[from].alive);
                let points = self.points_to(state, object, alive, remaining[to].object, site)?;
                if self.graph.terms.as_boolean(points) != Some(false) {
                    edges.push((from, to, points));
                }
            }
        }
        for _ in 0..remaining.len() {
            let before: Vec<TermId> = remaining.iter().map(|one| one.reached).collect();
            for &(from, to, points) in &edges {
                let source = self.terms().and(remaining[from].alive, remaining[from].reached);
                let through = self.terms().and(source, points);
                remaining[to].reached = self.terms().or(remaining[to].reached, through);
            }
            if remaining.iter().map(|one| one.reached).eq(before) {
                break;
            }
        }
        Ok(())
    }

    /// Whether an object keeps what it points to from being lost: a global, or one of the thread that exits.
    fn is_root(&self, object: ObjectId) -> bool {
        match self.survey.objects.get(object).key {
            ObjectKey::Global(_) => true,
            ObjectKey::ThreadLocal { instance, .. } => instance == self.instance.0,
            _ => false,
        }
    }

    /// Whether a pointer to `to` lies in `from`, which lives when `alive`.
    fn points_to(
        &mut self,
        state: &mut State,
        from: ObjectId,
        alive: TermId,
        to: ObjectId,
        site: &Site,
    ) -> Result<TermId, Failure> {
        let cells: Vec<CellKey> = self.survey.cells_of(from).collect();
        let number = self.terms().constant(OBJECT_BITS, u64::from(to.0));
        let mut points = self.graph.terms.boolean(false);
        for cell in cells {
            if !self.survey.targets(cell).any(|target| target == to) {
                continue;
            }
            if let SymValue::Pointer { object, .. } = self.read_cell(state, cell, alive, site)? {
                let this = self.terms().eq(object, number);
                points = self.terms().or(points, this);
            }
        }
        Ok(points)
    }

    /// Whether every other thread has certainly been joined.
    fn is_alone(&self, state: &State) -> bool {
        let own = self.instance;
        let mut others = self.survey.instances().filter(|&other| other != own);
        state.single || (own.0 == 0 && others.all(|other| state.joined.contains(&other)))
    }

    fn makes_numbers_of_addresses(&self) -> bool {
        let is_cast = |kind: &InstructionKind| {
            matches!(kind, InstructionKind::Assign { value: Rvalue::Cast { op: CastOp::PointerToInt, .. }, .. })
        };
        let blocks = self.program.functions.iter().flat_map(|function| &function.blocks);
        blocks.flat_map(|block| &block.instructions).any(|instruction| is_cast(&instruction.kind))
    }

    pub fn found_leak(&mut self, state: &State, leak: TermId, property: Property, site: &Site) {
        let fine = self.terms().not(leak);
        if self.record_violation(state, fine, property, site).is_some() {
            self.leaks.found.push(self.graph.violations.len() - 1);
        }
    }

    pub fn cut_leak(&mut self, state: &State, leak: TermId, property: Property, what: &str, site: &Site) {
        if self.options.properties.contains(property) {
            let mut standing = state.standing();
            standing.guard = self.and_guard(standing.guard, leak);
            self.cut_for(standing, property, what, site);
        }
    }

    /// After the last thread: what was found counts only where nobody is stopped, and executions without an exit are cut.
    pub fn settle_leaks(&mut self) {
        let record = std::mem::take(&mut self.leaks);
        let allocates = self.terms().or_all(&record.births);
        let [stopped, stuck, orphaned] =
            [&record.stopped, &record.stuck, &record.orphaned].map(|all| self.terms().or_all(all));
        let nobody = self.terms().not(stopped);
        let site = self.nowhere();
        for index in record.found {
            let (condition, property) = (self.graph.violations[index].condition, self.graph.violations[index].property);
            self.graph.violations[index].condition = self.terms().and(condition, nobody);
            let unclear = self.terms().and(condition, stopped);
            self.cut_execution(unclear, property, "the end of the process while a thread is stopped", &site);
        }
        let endless = self.terms().or_all(&[stopped, stuck, orphaned]);
        let what = "memory in an execution that may not come to its end";
        for (property, without_end) in [(Property::ValidMemtrack, endless), (Property::ValidMemcleanup, orphaned)] {
            let unclear = self.terms().and(allocates, without_end);
            self.cut_execution(unclear, property, what, &site);
        }
        self.settle_claims(orphaned, &record.threads, &site);
    }

    pub fn cut_execution(&mut self, when: TermId, property: Property, what: &str, site: &Site) {
        if self.options.properties.contains(property) && self.graph.terms.as_boolean(when) != Some(false) {
            let guard = self.and_guard(Guards::ROOT, when);
            self.cut_for(Standing { guard, atomic: None }, property, what, site);
        }
    }

    /// A cut that matters for one property only.
    fn cut_for(&mut self, mut standing: Standing, property: Property, what: &str, site: &Site) {
        if let Some(sought) = self.sought(property) {
            standing.guard = self.and_guard(standing.guard, sought);
        }
        self.cut(standing, CutKind::Unsupported { what: what.to_owned() }, site.span);
    }
}

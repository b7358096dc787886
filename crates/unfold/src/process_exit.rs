//! What is looked at where the process exits: memory that is left behind or lost, threads that nobody has claimed, locks
//! that are held. What
//! counts of it is for `monitor::leaks` and `monitor::thread_leaks` to say.

use base::Span;
use events::{CellKey, CellPart, CutKind, Guards, InstanceId};
use program::{CastOp, InstructionKind, Property, Rvalue};
use symbolic::{Life, OBJECT_BITS, ObjectId, ObjectKey, SymValue};
use sync::Field;
use terms::TermId;

use crate::joins::Claim;
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::state::{SymState, ThreadPosition};
use crate::threads::Threads;
use crate::unfolder::UnfoldFailure;

/// With more objects than this at the end, reachability is not followed.
const MAX_OBJECTS: usize = 32;

/// A heap object that may live at the end of the process.
struct Remaining {
    object: ObjectId,
    alive: TermId,
    reached: TermId,
}

impl Pass<'_> {
    /// Whether it matters which memory is allocated.
    pub fn looks_for_lost_memory(&self) -> bool {
        let properties = self.options.properties;
        properties.contains(Property::ValidMemtrack) || properties.contains(Property::ValidMemcleanup)
    }

    /// Whether it matters how the process ends.
    pub fn looks_at_the_end(&self) -> bool {
        self.options.properties.iter().any(Property::is_about_the_end)
    }

    /// Whether any lock is used.
    pub fn has_locks(&self) -> bool {
        self.survey.objects.ids().any(|object| self.holds_locks(object))
    }

    /// Whether any lock in the object is used.
    pub fn holds_locks(&self, object: ObjectId) -> bool {
        let is_lock = |cell: CellKey| matches!(cell.part, CellPart::Field(kind, _) if kind.is_lock());
        self.survey.cells_of(object).any(is_lock)
    }

    pub fn cut_leak(&mut self, state: &SymState, leak: TermId, property: Property, what: &str, step: &mut OpenStep) {
        if self.looks_for(property) {
            let mut standing = state.standing();
            standing.guard = self.and_guard(standing.guard, leak);
            self.cut_for(standing, property, what, step.site.span);
        }
    }

    pub fn cut_execution(&mut self, when: TermId, property: Property, what: &str, span: Span) {
        if self.looks_for(property) && !self.graph.is_false(when) {
            let guard = self.and_guard(Guards::ROOT, when);
            self.cut_for(ThreadPosition { guard, atomic: None }, property, what, span);
        }
    }

    /// A cut that matters for one property only.
    fn cut_for(&mut self, mut standing: ThreadPosition, property: Property, what: &str, span: Span) {
        if let Some(sought) = self.sought(property) {
            standing.guard = self.and_guard(standing.guard, sought);
        }
        self.cut(standing, CutKind::Unsupported { what: what.to_owned() }, span);
    }
}

impl Threads<'_> {
    /// The process exits normally, inside of a function that another one has called or not.
    pub fn check_exit(
        &mut self,
        state: &mut SymState,
        is_nested: bool,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        if !self.looks_at_the_end() {
            return Ok(());
        }
        if state.atomic.is_some() {
            // What the section did is seen by nobody but who looks at the end of the process.
            let what = "the end of the process in an atomic section".to_owned();
            self.cut(state.standing(), CutKind::Unsupported { what }, step.site.span);
            return Ok(());
        }
        self.record_step(state, step);
        self.check_locks(state, step)?;
        self.check_unclaimed(state, step)?;
        if self.looks_for_lost_memory() {
            self.check_memory(state, is_nested, step)?;
        }
        self.graph.attach_open_node(step);
        // Who looks for something else does not come to the end of the process.
        let never = self.graph.never();
        if let Some(step) = self.graph.own_step(step) {
            step.completes = never;
        }
        Ok(())
    }

    /// The process begins to exit, and goes on with its handlers.
    pub fn check_leaving(&mut self, state: &mut SymState, step: &mut OpenStep) -> Result<(), UnfoldFailure> {
        if self.looks_for(Property::NoExitWhileLocked) {
            let held = self.holds_some_lock(state, step)?;
            let free = self.terms().not(held);
            self.demand_harmless(state, free, Property::NoExitWhileLocked, step);
            self.graph.attach_open_node(step);
        }
        Ok(())
    }

    /// The process exits.
    fn check_locks(&mut self, state: &mut SymState, step: &mut OpenStep) -> Result<(), UnfoldFailure> {
        if !self.looks_for(Property::NoExitWhileLocked) {
            return Ok(());
        }
        let held = self.holds_some_lock(state, step)?;
        let free = self.terms().not(held);
        self.record_violation(state, free, Property::NoExitWhileLocked, step);
        Ok(())
    }

    /// Whether the thread holds a lock that lives.
    fn holds_some_lock(&mut self, state: &mut SymState, step: &mut OpenStep) -> Result<TermId, UnfoldFailure> {
        let own = state.instance;
        let truth = self.graph.terms.boolean(true);
        let mut held = Vec::new();
        let objects: Vec<ObjectId> = self.survey.objects.ids().collect();
        for object in objects {
            let cells: Vec<CellKey> =
                self.survey.cells_of(object).filter(|cell| tells_holder(cell.part, own)).collect();
            if cells.is_empty() {
                continue;
            }
            // Nobody holds a lock that has not begun to live, whatever lies there.
            let fate = self.fate(state, object, truth, step)?;
            let undead = self.terms().not(fate.dead);
            let lives = self.terms().and(fate.born, undead);
            if self.graph.is_false(lives) {
                continue;
            }
            for cell in cells {
                let value = self.read_cell(state, cell, lives, step)?;
                let value = value.as_int().expect("the holder of a lock should be a number");
                let is_own = match cell.part {
                    CellPart::Member(..) => self.terms().bv_to_bool(value),
                    _ => {
                        let width = self.graph.terms.width(value);
                        let code = self.terms().constant(width, sync::owner_code(own.0));
                        self.terms().eq(value, code)
                    }
                };
                held.push(self.terms().and(lives, is_own));
            }
        }
        Ok(self.terms().or_all(&held))
    }

    fn check_memory(
        &mut self,
        state: &mut SymState,
        is_nested: bool,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let mut remaining = self.remaining(state, step)?;
        let alive: Vec<TermId> = remaining.iter().map(|one| one.alive).collect();
        let left = self.terms().or_all(&alive);
        self.found_leak(state, left, Property::ValidMemcleanup, step);
        if self.looks_for(Property::ValidMemtrack) {
            self.check_lost(state, (left, is_nested), &mut remaining, step)?;
        }
        Ok(())
    }

    fn check_lost(
        &mut self,
        state: &mut SymState,
        (left, is_nested): (TermId, bool),
        remaining: &mut [Remaining],
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let property = Property::ValidMemtrack;
        let hidden = match () {
            () if is_nested => Some("possible memory leak where the process exits inside a function"),
            () if !self.is_alone(state) => Some("possible memory leak while other threads run"),
            () if remaining.len() > MAX_OBJECTS => Some("too many objects for the leak check"),
            () => None,
        };
        if let Some(what) = hidden {
            self.cut_leak(state, left, property, what, step);
            return Ok(());
        }
        self.follow_pointers(state, remaining, step)?;
        let mut lost = self.graph.terms.boolean(false);
        for one in remaining.iter() {
            let unreached = self.terms().not(one.reached);
            let this = self.terms().and(one.alive, unreached);
            lost = self.terms().or(lost, this);
        }
        if self.makes_numbers_of_addresses() || self.survey.has_address_bytes() {
            self.cut_leak(
                state,
                lost,
                property,
                "possible memory leak of a block whose address was converted to an integer",
                step,
            );
        } else {
            self.found_leak(state, lost, property, step);
        }
        Ok(())
    }

    /// The heap objects that may live.
    fn remaining(&mut self, state: &mut SymState, step: &mut OpenStep) -> Result<Vec<Remaining>, UnfoldFailure> {
        let truth = self.graph.terms.boolean(true);
        let ids: Vec<ObjectId> = self.survey.objects.ids().collect();
        let mut remaining = Vec::new();
        for object in ids {
            if self.survey.objects.get(object).life != Life::Heap {
                continue;
            }
            let fate = self.fate(state, object, truth, step)?;
            let lives = self.terms().not(fate.dead);
            let alive = self.terms().and(fate.born, lives);
            if !self.graph.is_false(alive) {
                let reached = self.graph.terms.boolean(false);
                remaining.push(Remaining { object, alive, reached });
            }
        }
        Ok(remaining)
    }

    /// Finds out which of the objects can be reached from globals.
    fn follow_pointers(
        &mut self,
        state: &mut SymState,
        remaining: &mut [Remaining],
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let truth = self.graph.terms.boolean(true);
        let roots: Vec<ObjectId> = self.survey.objects.ids().filter(|&object| self.is_root(state, object)).collect();
        for root in roots {
            for one in remaining.iter_mut() {
                let points = self.points_to(state, root, truth, one.object, step)?;
                one.reached = self.terms().or(one.reached, points);
            }
        }
        let mut edges = Vec::new();
        for from in 0..remaining.len() {
            for to in (0..remaining.len()).filter(|&to| to != from) {
                let (object, alive) = (remaining[from].object, remaining[from].alive);
                let points = self.points_to(state, object, alive, remaining[to].object, step)?;
                if !self.graph.is_false(points) {
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
    fn is_root(&self, state: &SymState, object: ObjectId) -> bool {
        match self.survey.objects.get(object).key {
            ObjectKey::Global(_) => true,
            ObjectKey::ThreadLocal { instance, .. } => instance == state.instance.0,
            _ => false,
        }
    }

    /// Whether a pointer to `to` lies in `from`, which lives when `alive`.
    fn points_to(
        &mut self,
        state: &mut SymState,
        from: ObjectId,
        alive: TermId,
        to: ObjectId,
        step: &mut OpenStep,
    ) -> Result<TermId, UnfoldFailure> {
        let cells: Vec<CellKey> = self.survey.cells_of(from).collect();
        let number = self.terms().constant(OBJECT_BITS, u64::from(to.0));
        let mut points = self.graph.terms.boolean(false);
        for cell in cells {
            if !self.survey.targets(cell).any(|target| target == to) {
                continue;
            }
            if let CellPart::Array(_) = cell.part {
                return Err(self.refuse_array(from, "a leak check of what a large array points to"));
            }
            if let SymValue::Pointer { object, .. } = self.read_cell(state, cell, alive, step)? {
                let this = self.terms().eq(object, number);
                points = self.terms().or(points, this);
            }
        }
        Ok(points)
    }

    /// Whether every other thread has certainly been joined.
    fn is_alone(&self, state: &SymState) -> bool {
        let own = state.instance;
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

    /// Before anything else happens, no thread but the first one exists.
    pub fn deny_threads(&mut self, state: &mut SymState, step: &mut OpenStep) -> Result<(), UnfoldFailure> {
        if !self.looks_for(Property::NoThreadLeak) {
            return Ok(());
        }
        let others: Vec<InstanceId> = self.survey.instances().filter(|instance| instance.0 != 0).collect();
        let truth = self.graph.terms.boolean(true);
        others.into_iter().try_for_each(|instance| {
            let nobody = self.terms().constant(8, 0);
            self.write_claim_cell(state, instance, truth, nobody, step)
        })
    }

    /// The process exits.
    pub fn check_unclaimed(&mut self, state: &mut SymState, step: &mut OpenStep) -> Result<(), UnfoldFailure> {
        if !self.looks_for(Property::NoThreadLeak) {
            return Ok(());
        }
        let truth = self.graph.terms.boolean(true);
        let others: Vec<InstanceId> = self.survey.instances().filter(|instance| instance.0 != 0).collect();
        let mut left = Vec::new();
        for instance in others {
            let claim = self.read_claim(state, instance, truth, step)?;
            left.push(self.is_left_behind(claim));
        }
        let left = self.terms().or_all(&left);
        self.found_leak(state, left, Property::NoThreadLeak, step);
        Ok(())
    }

    fn is_left_behind(&mut self, claim: Claim) -> TermId {
        let free = self.terms().not(claim.claimed);
        self.terms().and(claim.created, free)
    }
}

/// Whether a cell of a lock says that the instance holds it.
fn tells_holder(part: CellPart, instance: InstanceId) -> bool {
    match part {
        CellPart::Field(kind, field) => kind.is_lock() && field == Field::Owner,
        CellPart::Member(kind, field, member) => {
            let counts_readers = matches!(field, Field::Readers0 | Field::Readers1 | Field::Readers2);
            kind.is_lock() && counts_readers && member == instance
        }
        CellPart::Bytes(_) | CellPart::Life | CellPart::Size | CellPart::Array(_) | CellPart::View(_) => false,
    }
}

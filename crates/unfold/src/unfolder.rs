//! The unfolding itself: every thread instance is executed symbolically once, all its paths side by side, functions
//! inlined, loops unrolled up to their bounds.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use base::{Budget, Span, StopReason};
use events::happens_before::HappensBefore;
use events::{CellId, CellKey, Cut, CutKind, EventGraph, GuardId, Guards, InstanceId, NodeHb};
use program::{
    BlockId, ConstantParts, DataModel, Function, FunctionId, Location, Operand, Program, Property, PropertySet,
    RegisterId, TerminatorKind, limits, visible::Visibility,
};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolic::{Evaluator, Life, NotSupported, Object, ObjectId, ObjectKey, SymValue, evaluate};
use terms::{TermId, Terms};

use crate::address_bytes::AddressBytes;
use crate::compared_constants::ComparedConstants;
use crate::critical_section::{self, Locks, common_locks};
use crate::deadlock::Waits;
use crate::idle_rounds::{self, carried_registers};
use crate::idle_wake_ups;
use crate::invariants::comparisons;
use crate::leaks::LeakRecord;
use crate::liveness::Liveness;
use crate::lock_sections::LockLog;
use crate::modular::LoopKey;
use crate::race::RaceAccess;
use crate::state::{self, Standing, State};
use crate::survey::Survey;
use crate::threads::PendingThread;
use crate::unroll_order::{Edge, Rounds, UnrollOrder, VisitKey};

/// How far to unfold.
#[derive(Clone, Debug)]
pub struct UnfoldOptions {
    /// Rounds of each loop and depth of each recursion, unless `bounds` says otherwise. At least 1.
    pub unwind: u32,
    pub bounds: BTreeMap<CutKind, u32>,
    /// Threads besides the main thread, at most 63. Default 63.
    pub threads: u32,
    /// What to look for.
    pub properties: PropertySet,
    pub optimisations: Optimisations,
    /// Every access that another thread may be in conflict with has a node, also where no value depends on its place in
    /// the order. Default no.
    pub every_access: bool,
    /// Cover every execution, and some that do not exist: no event is made, and loops have no bounds.
    pub modular: bool,
}

/// What makes an unfolding smaller without changing the answer. All can be switched off, to be cross-checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Optimisations {
    /// Rounds that change nothing are left out.
    pub idle_rounds: bool,
    /// Protected cells are folded inside of critical sections.
    pub critical_sections: bool,
}

impl Optimisations {
    pub const ALL: Optimisations = Optimisations { idle_rounds: true, critical_sections: true };
    pub const NONE: Optimisations = Optimisations { idle_rounds: false, critical_sections: false };
}

impl Default for Optimisations {
    fn default() -> Self {
        Self::ALL
    }
}

impl UnfoldOptions {
    pub fn new(unwind: u32, properties: PropertySet) -> Self {
        Self {
            unwind,
            bounds: BTreeMap::new(),
            threads: sync::MASK_THREADS - 1,
            properties,
            optimisations: Optimisations::ALL,
            every_access: false,
            modular: false,
        }
    }

    /// For an unfolding that covers every execution.
    pub fn modular(properties: PropertySet) -> Self {
        let optimisations = Optimisations { idle_rounds: false, ..Optimisations::ALL };
        Self { modular: true, optimisations, ..Self::new(1, properties) }
    }

    pub fn bound(&self, kind: &CutKind) -> u32 {
        self.bounds.get(kind).copied().unwrap_or(self.unwind).max(1)
    }
}

/// Why there is no event graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped(pub StopReason);

/// Unfolds `program` within the bounds.
pub fn unfold(
    program: &Program,
    visibility: &Visibility,
    options: &UnfoldOptions,
    budget: &Budget,
) -> Result<EventGraph, Stopped> {
    let mut survey = Survey::default();
    let has_locks = critical_section::has_locks(program);
    loop {
        let mut unfolder = Unfolder::new(program, visibility, options, budget, survey);
        match unfolder.run() {
            Ok(()) => {}
            Err(Failure::Stopped(reason)) => return Err(Stopped(reason)),
            Err(Failure::NotSupported(what)) => unreachable!("{what} should have become a cut"),
        }
        if !unfolder.survey.take_growth() {
            return Ok(unfolder.finish());
        }
        survey = unfolder.survey;
        if has_locks || options.modular {
            survey.forget_accesses();
        }
    }
}

/// Why a path cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    Stopped(StopReason),
    NotSupported(String),
}

impl From<NotSupported> for Failure {
    fn from(NotSupported(what): NotSupported) -> Self {
        Failure::NotSupported(what)
    }
}

/// A place in the program, for what is recorded there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub location: Location,
    pub span: Span,
}

pub(crate) struct Unfolder<'a> {
    pub program: &'a Program,
    pub visibility: &'a Visibility,
    pub options: &'a UnfoldOptions,
    pub budget: &'a Budget,
    pub survey: Survey,
    pub graph: EventGraph,
    pub threads: VecDeque<PendingThread>,
    /// For each instance, whether it has come to its end.
    pub finished: FxHashMap<InstanceId, TermId>,
    /// The instance being unfolded.
    pub instance: InstanceId,
    /// The node of the instruction being executed, once it has an event.
    pub open_node: Option<events::NodeId>,
    /// The step of the instance that the current instruction belongs to: its own, or that of its atomic section.
    pub own_step: Option<usize>,
    /// What the instruction being executed does for happens-before, and whether it accesses memory atomically.
    pub node_hb: NodeHb,
    pub atomic_access: bool,
    /// Whether the accesses of the instruction are those of a thread that may yet have to wait.
    pub is_attempt: bool,
    pub race_accesses: Vec<RaceAccess>,
    pub happens_before: HappensBefore,
    /// Where that is not followed exactly, and why.
    pub order_gaps: Vec<(Standing, &'static str, Span)>,
    /// How many objects each instruction has made so far in this instance.
    pub made: FxHashMap<Location, u32>,
    /// Sizes in bytes of objects whose size is not constant.
    pub sizes: FxHashMap<ObjectId, TermId>,
    /// The guards of the ends of this instance.
    pub exits: Vec<TermId>,
    /// Activations of each function that are under way.
    depth: FxHashMap<FunctionId, u32>,
    /// Activations of the current thread that are under way.
    nesting: u32,
    shapes_of_control: FxHashMap<FunctionId, Rc<ControlShape>>,
    cut_literals: BTreeMap<CutKind, TermId>,
    pub leaks: LeakRecord,
    pub cell_ids: FxHashMap<CellKey, CellId>,
    pub address_bytes: AddressBytes,
    /// The objects made so far that count for the room that memory takes.
    pub large_objects: Vec<ObjectId>,
    /// The loops around the place where the unfolding is, across calls.
    pub open_loops: Vec<LoopKey>,
    /// The candidates for each shared cell.
    pub shared_candidates: FxHashMap<CellKey, Vec<usize>>,
    pub compared_constants: ComparedConstants,
    /// Objects that others than their makers may know.
    pub escaped: BTreeSet<ObjectId>,
    /// What a deadlock is made of, where that is asked about.
    pub waits: Waits,
    pub lock_log: LockLog,
    /// What stands for bytes that nothing has written.
    pub indeterminate_values: FxHashSet<TermId>,
    /// How many activations there have been.
    activations: u32,
    /// Whether operations may find out that a mutex is held without waiting for it.
    pub has_probes: bool,
    /// How many signals have got a number of their own.
    pub signals: u64,
}

/// What is known of a function once and for all.
struct ControlShape {
    order: UnrollOrder,
    liveness: Liveness,
    /// By its head, what each loop carries from one round to the next.
    carried: FxHashMap<BlockId, Vec<RegisterId>>,
}

/// One activation of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Activation {
    pub function: FunctionId,
    /// How many of the living objects on the thread's stack belong to its callers.
    pub callers_objects: usize,
    /// The thread ends when it returns.
    pub is_outermost: bool,
    /// Tells it from all others of this pass.
    pub number: u32,
}

/// What a function returned with, merged over its returns: one state for each way to stand in atomic sections.
type Returned = Vec<(State, Option<SymValue>)>;

impl<'a> Unfolder<'a> {
    fn new(
        program: &'a Program,
        visibility: &'a Visibility,
        options: &'a UnfoldOptions,
        budget: &'a Budget,
        survey: Survey,
    ) -> Self {
        let mut terms = Terms::new();
        let guards = Guards::new(&mut terms);
        let graph = EventGraph::new(terms, guards, Default::default());
        Self {
            program,
            visibility,
            options,
            budget,
            survey,
            graph,
            threads: VecDeque::new(),
            finished: FxHashMap::default(),
            instance: InstanceId(0),
            open_node: None,
            own_step: None,
            node_hb: NodeHb::NONE,
            atomic_access: false,
            is_attempt: false,
            race_accesses: Vec::new(),
            happens_before: HappensBefore::default(),
            order_gaps: Vec::new(),
            made: FxHashMap::default(),
            sizes: FxHashMap::default(),
            exits: Vec::new(),
            depth: FxHashMap::default(),
            nesting: 0,
            shapes_of_control: FxHashMap::default(),
            cut_literals: BTreeMap::new(),
            leaks: LeakRecord::default(),
            cell_ids: FxHashMap::default(),
            address_bytes: AddressBytes::default(),
            large_objects: Vec::new(),
            open_loops: Vec::new(),
            shared_candidates: FxHashMap::default(),
            compared_constants: if options.modular {
                ComparedConstants::of(program)
            } else {
                ComparedConstants::default()
            },
            escaped: BTreeSet::new(),
            waits: Waits::default(),
            lock_log: LockLog::default(),
            indeterminate_values: FxHashSet::default(),
            activations: 0,
            has_probes: idle_wake_ups::has_probes(program),
            signals: 0,
        }
    }

    fn run(&mut self) -> Result<(), Failure> {
        if self.is_modular() {
            self.escaped = self.find_escaped();
        }
        self.start_main()?;
        while let Some(thread) = self.threads.pop_front() {
            self.run_thread(thread)?;
        }
        self.settle_joins();
        self.settle_sections();
        self.take_snapshot();
        self.settle_leaks();
        Ok(())
    }

    fn finish(mut self) -> EventGraph {
        self.pair_accesses();
        self.graph.objects = std::mem::take(&mut self.survey.objects);
        self.graph.assert_valid();
        self.graph
    }

    /// Whether the current thread is in a function that another one has called.
    pub fn is_nested(&self) -> bool {
        self.nesting > 1
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.graph.terms
    }

    pub fn guard_term(&self, state: &State) -> TermId {
        self.graph.guards.term(state.guard)
    }

    /// Restricts the state to where `condition` holds.
    pub fn restrict(&mut self, state: &mut State, condition: TermId) {
        state.guard = self.and_guard(state.guard, condition);
    }

    pub fn and_guard(&mut self, guard: GuardId, condition: TermId) -> GuardId {
        self.graph.guards.strengthen(&mut self.graph.terms, guard, condition)
    }

    /// Whether no execution gets into this state.
    pub fn is_dead(&self, state: &State) -> bool {
        self.graph.terms.as_boolean(self.guard_term(state)) == Some(false)
    }

    pub fn object(&mut self, key: ObjectKey) -> ObjectId {
        let global = |global| {
            let global: &program::Global = &self.program.globals[global];
            (Some(global.size), Some(global.shape), global.read_only, global.constant_parts.clone())
        };
        let life = if matches!(key, ObjectKey::ThreadLocal { .. }) { Life::Thread } else { Life::Process };
        let (size, shape, read_only, constant_parts) = match key {
            ObjectKey::Global(id) | ObjectKey::ThreadLocal { global: id, .. } => global(id),
            ObjectKey::None | ObjectKey::Function(_) => (Some(0), None, true, ConstantParts::default()),
            ObjectKey::Result { .. } => {
                (Some(self.program.data_model.pointer_bytes()), None, false, ConstantParts::default())
            }
            ObjectKey::Allocated { .. } => unreachable!("an allocated object should be made where it is allocated"),
        };
        self.survey.objects.intern(Object { key, size, shape, read_only, constant_parts, life })
    }

    pub fn cell(&mut self, key: CellKey) -> CellId {
        let cells = &mut self.graph.cells;
        *self.cell_ids.entry(key).or_insert_with(|| cells.push(key))
    }

    /// Ends a path: an execution that gets here is not followed further.
    pub fn cut(&mut self, standing: Standing, kind: CutKind, span: Span) {
        let reached = self.graph.guards.term(standing.guard);
        let literal = self.cut_literal(&kind);
        if let Some(section) = standing.atomic {
            // Left out, the section is not entered at all.
            self.survey.note_refusable(section.begin);
            let counts = self.counts(standing.atomic);
            let both = self.terms().and_all(&[reached, literal, counts]);
            let constraint = self.terms().not(both);
            self.graph.constraints.push(constraint);
        }
        let only_for = matches!(kind, CutKind::RaceGap { .. }).then_some(Property::NoDataRace);
        self.graph.cuts.push(Cut { kind, span, literal, reached, only_for });
    }

    /// The literal that leaves out executions through cuts of this kind.
    pub fn cut_literal(&mut self, kind: &CutKind) -> TermId {
        if let Some(&literal) = self.cut_literals.get(kind) {
            return literal;
        }
        let literal = self.terms().bool_variable("cut");
        self.cut_literals.insert(kind.clone(), literal);
        literal
    }

    /// Executes `function` from `state`, whose registers are the caller's, and returns the merged state at its returns
    /// with the caller's registers restored.
    pub fn call(
        &mut self,
        mut state: State,
        function: FunctionId,
        arguments: &[SymValue],
        span: Span,
    ) -> Result<Returned, Failure> {
        let kind = CutKind::Recursion { function };
        let depth = self.depth.get(&function).copied().unwrap_or(0);
        if depth > self.options.bound(&kind) {
            self.cut(state.standing(), kind, span);
            return Ok(Vec::new());
        }
        if let Some(what) = limits::too_deep(self.nesting as usize + 1) {
            return Err(Failure::NotSupported(what));
        }
        let body = &self.program.functions[function];
        let mut registers = vec![None; body.registers.len()];
        for (parameter, argument) in body.parameters.iter().zip(arguments) {
            registers[parameter.0 as usize] = Some(argument.clone());
        }
        let caller = std::mem::replace(&mut state.registers, Rc::new(registers));
        let locals = std::mem::replace(&mut state.locals, Rc::new(vec![None; body.locals.len()]));
        self.depth.insert(function, depth + 1);
        self.nesting += 1;
        let returned = self.run_function(state, function);
        self.nesting -= 1;
        self.depth.insert(function, depth);
        let restore = |(state, value)| (State { registers: caller.clone(), locals: locals.clone(), ..state }, value);
        Ok(returned?.into_iter().map(restore).collect())
    }

    fn run_function(&mut self, entry: State, function: FunctionId) -> Result<Returned, Failure> {
        let body = &self.program.functions[function];
        let shape = self.control_shape(function);
        self.activations += 1;
        let (callers_objects, number) = (entry.living.len(), self.activations);
        let activation = Activation { function, callers_objects, is_outermost: self.nesting == 1, number };
        let mut pending: BTreeMap<VisitKey, (BlockId, Rounds, Vec<State>)> = BTreeMap::new();
        let mut returns = Vec::new();
        let mut entered = Vec::new();
        let first = Function::ENTRY;
        let rounds = Rounds::from_elem(0, shape.order.heads(first).len());
        let outer_loops = entry.activity.len();
        let mut entry = entry;
        entry.enter_loops(&self.graph.terms, outer_loops, outer_loops + rounds.len());
        pending.insert(shape.order.key(first, &rounds), (first, rounds, vec![entry]));
        while let Some((_, (block, rounds, states))) = pending.pop_first() {
            self.budget.check().map_err(Failure::Stopped)?;
            let location = Location { function, block, index: 0 };
            let mut successors = Vec::new();
            self.open_loops.truncate(outer_loops);
            let instance = self.instance;
            self.open_loops.extend(shape.order.heads(block).iter().map(|&head| LoopKey { instance, function, head }));
            let mut states = self.merge_all(states, location);
            if self.is_modular() && shape.carried.contains_key(&block) {
                states = self.merge_into_one_entry(states, location);
            }
            for mut state in states {
                if self.is_modular()
                    && let Some(carried) = shape.carried.get(&block)
                {
                    let site = Site { location, span: self.program.span(location) };
                    let key = LoopKey { instance, function, head: block };
                    let compared = comparisons(body, &shape.order, block, carried);
                    let Some((any, how)) = self.enter_any_round(state, key, carried, &compared, &site)? else {
                        continue;
                    };
                    entered.push(how);
                    state = any;
                }
                if shape.carried.contains_key(&block) {
                    state.begin_round(&self.graph.terms, outer_loops + rounds.len() - 1);
                }
                for state in self.run_block(state, &activation, block)? {
                    successors.extend(self.leave_block(state, &activation, block, &mut returns)?);
                }
            }
            for (target, mut state) in successors {
                if self.options.optimisations.idle_rounds
                    && let Some(level) = idle_rounds::level_of(&shape.order, block, target)
                {
                    // An idle round is not followed.
                    let level = outer_loops + level;
                    let active = state.was_active(&mut self.graph.terms, level, &shape.carried[&target]);
                    self.assume(&mut state, active);
                    if self.is_dead(&state) {
                        continue;
                    }
                }
                if self.is_modular() {
                    let span = body.blocks[block].terminator.span;
                    let site = Site { location, span };
                    if shape.order.goes_back(block, target) {
                        let key = LoopKey { instance, function, head: target };
                        self.close_round(state, key, &shape.carried[&target], &entered, &site)?;
                        continue;
                    }
                    if self.cut_sideways_entry(&shape.order, block, target, &state, span) {
                        continue;
                    }
                }
                let bound = |head| self.options.bound(&CutKind::Loop { function, head });
                match shape.order.follow(block, &rounds, target, bound) {
                    Edge::Cut { head } => {
                        let span = body.blocks[block].terminator.span;
                        self.cut(state.standing(), CutKind::Loop { function, head }, span);
                    }
                    Edge::To { rounds } => {
                        let mut state = forget_dead_registers(state, &shape.liveness, target);
                        let shared = outer_loops + idle_rounds::shared_loops(&shape.order, block, target);
                        state.enter_loops(&self.graph.terms, shared, outer_loops + rounds.len());
                        let key = shape.order.key(target, &rounds);
                        pending.entry(key).or_insert_with(|| (target, rounds, Vec::new())).2.push(state);
                    }
                }
            }
        }
        self.open_loops.truncate(outer_loops);
        Ok(self.merge_returns(returns, function, outer_loops))
    }

    /// Executes the instructions of a block. A call may come back in several states, which go on one after the other.
    fn run_block(&mut self, state: State, activation: &Activation, block: BlockId) -> Result<Vec<State>, Failure> {
        let program = self.program;
        let function = activation.function;
        let instructions = &program.functions[function].blocks[block].instructions;
        let mut finished = Vec::new();
        let mut open = vec![(state, 0)];
        while let Some((state, index)) = open.pop() {
            let Some(instruction) = instructions.get(index) else {
                finished.push(state);
                continue;
            };
            let location = Location { function, block, index: index as u32 };
            let site = Site { location, span: instruction.span };
            let before = state.standing();
            match self.step(state, activation, &site, &instruction.kind) {
                Ok(next) => {
                    open.extend(
                        next.into_iter().rev().filter(|next| !self.is_dead(next)).map(|next| (next, index + 1)),
                    );
                }
                Err(Failure::NotSupported(what)) => self.cut(before, CutKind::Unsupported { what }, site.span),
                Err(stopped) => return Err(stopped),
            }
        }
        Ok(finished)
    }

    /// The states in which the block's successors are entered. Returns are collected in `returns`.
    fn leave_block(
        &mut self,
        mut state: State,
        activation: &Activation,
        block: BlockId,
        returns: &mut Vec<(State, Option<SymValue>)>,
    ) -> Result<Vec<(BlockId, State)>, Failure> {
        let program = self.program;
        let body = &program.functions[activation.function].blocks[block];
        let terminator = &body.terminator;
        let location = Location { function: activation.function, block, index: body.instructions.len() as u32 };
        let site = Site { location, span: terminator.span };
        match self.successors(&state, activation, &terminator.kind) {
            Ok(Leaving::Blocks(conditions)) => {
                let mut successors = Vec::new();
                for (target, condition) in conditions {
                    let mut next = state.clone();
                    self.restrict(&mut next, condition);
                    if !self.is_dead(&next) {
                        successors.push((target, next));
                    }
                }
                Ok(successors)
            }
            Ok(Leaving::Return(value)) => {
                self.leave_activation(&mut state, activation.callers_objects, activation.is_outermost, &site)?;
                returns.push((state, value));
                Ok(Vec::new())
            }
            Ok(Leaving::ThreadExit(value)) => {
                self.note_thread_exit(&state);
                self.leave_activation(&mut state, 0, true, &site)?;
                self.end_thread(state, value);
                Ok(Vec::new())
            }
            Ok(Leaving::Nowhere) => {
                if let TerminatorKind::ProcessExit { abnormal: false, .. } = terminator.kind {
                    self.check_exit(&mut state, &site)?;
                } else {
                    self.note_stuck_here(&state);
                }
                // Inside an atomic section nobody sees what it did before.
                if state.atomic.is_some() {
                    let never = self.graph.terms.boolean(false);
                    self.require(&state, never);
                }
                Ok(Vec::new())
            }
            Err(Failure::NotSupported(what)) => {
                self.cut(state.standing(), CutKind::Unsupported { what }, terminator.span);
                Ok(Vec::new())
            }
            Err(stopped) => Err(stopped),
        }
    }

    /// Ends the objects on the thread's stack but for the first `kept`, and with the thread its thread-local globals.
    fn leave_activation(
        &mut self,
        state: &mut State,
        kept: usize,
        ends_thread: bool,
        site: &Site,
    ) -> Result<(), Failure> {
        self.open_node = None;
        self.record_step(state, site);
        self.end_living(state, kept, site)?;
        if ends_thread {
            self.end_thread_locals(state, site)?;
        }
        Ok(())
    }

    fn successors(
        &mut self,
        state: &State,
        activation: &Activation,
        terminator: &TerminatorKind,
    ) -> Result<Leaving, Failure> {
        let truth = self.graph.terms.boolean(true);
        match terminator {
            TerminatorKind::Goto(target) => Ok(Leaving::Blocks(vec![(*target, truth)])),
            TerminatorKind::Branch { condition, then, otherwise } => {
                let condition = self.condition(state, activation, *condition)?;
                let negation = self.terms().not(condition);
                if then == otherwise {
                    return Ok(Leaving::Blocks(vec![(*then, truth)]));
                }
                Ok(Leaving::Blocks(vec![(*then, condition), (*otherwise, negation)]))
            }
            TerminatorKind::Switch { value, cases, default, .. } => {
                let value = self.operand(state, activation, *value)?;
                let Some(value) = value.as_int() else {
                    return Err(Failure::NotSupported("a switch over the bits of an address".to_owned()));
                };
                Ok(Leaving::Blocks(self.switch(value, cases, *default)))
            }
            TerminatorKind::Return(value) => {
                let value = value.map(|value| self.operand(state, activation, value)).transpose()?;
                Ok(Leaving::Return(value))
            }
            TerminatorKind::ThreadExit(value) => Ok(Leaving::ThreadExit(self.operand(state, activation, *value)?)),
            // The others could as well be scheduled before this happens: no violation is lost by stopping here alone.
            TerminatorKind::ProcessExit { .. } | TerminatorKind::Unreachable => Ok(Leaving::Nowhere),
        }
    }

    /// One successor per distinct target, with the condition for going there.
    fn switch(&mut self, value: TermId, cases: &[(u64, BlockId)], default: BlockId) -> Vec<(BlockId, TermId)> {
        let width = self.graph.terms.width(value);
        let falsity = self.graph.terms.boolean(false);
        let mut targets: Vec<(BlockId, TermId)> = Vec::new();
        let mut any = falsity;
        for &(case, target) in cases {
            let constant = self.terms().constant(width, case);
            let matches = self.terms().eq(value, constant);
            any = self.terms().or(any, matches);
            add_target(self.terms(), &mut targets, target, matches);
        }
        let none = self.terms().not(any);
        add_target(self.terms(), &mut targets, default, none);
        targets
    }

    /// Merges states that meet at one place. Those inside and outside of an atomic section stay apart.
    pub fn merge_all(&mut self, states: Vec<State>, location: Location) -> Vec<State> {
        let several = states.iter().any(|state| state.single) && states.iter().any(|state| !state.single);
        let locks = common_locks(&states);
        let mut merged: Vec<State> = Vec::new();
        for mut state in states {
            let site = Site { location, span: self.program.span(location) };
            if several && state.single {
                self.publish(&mut state, None, site.span);
            }
            if state.locks != locks && !self.keep_locks(&mut state, &locks, &site) {
                continue;
            }
            match merged.iter().position(|other| other.atomic == state.atomic) {
                None => merged.push(state),
                Some(place) => {
                    let other = merged.swap_remove(place);
                    merged.extend(self.merge(other, state, location));
                }
            }
        }
        merged
    }

    /// Leaves the critical sections that not all of the paths to here are in; `false` if that cannot be done.
    fn keep_locks(&mut self, state: &mut State, locks: &Locks, site: &Site) -> bool {
        self.open_node = None;
        let left = self.leave_sections(state, locks, site);
        self.open_node = None;
        if let Err(Failure::NotSupported(what)) = &left {
            self.cut(state.standing(), CutKind::Unsupported { what: what.clone() }, site.span);
        }
        left.is_ok()
    }

    fn merge(&mut self, a: State, b: State, location: Location) -> Option<State> {
        let graph = &mut self.graph;
        let standings = [a.standing(), b.standing()];
        match state::merge(&mut graph.terms, &mut graph.guards, &self.survey, a, b) {
            Ok(state) => Some(state),
            Err(state::CannotMerge) => {
                let what = "values of different kinds in one place".to_owned();
                let span = self.program.span(location);
                for standing in standings {
                    self.cut(standing, CutKind::Unsupported { what: what.clone() }, span);
                }
                None
            }
        }
    }

    /// Merges the states at the returns; the value is carried along in a register of its own.
    fn merge_returns(
        &mut self,
        returns: Vec<(State, Option<SymValue>)>,
        function: FunctionId,
        outer_loops: usize,
    ) -> Returned {
        let location = Location { function, block: Function::ENTRY, index: 0 };
        let mut states = Vec::new();
        for (mut state, value) in returns {
            state.locals = Rc::default();
            state.enter_loops(&self.graph.terms, outer_loops, outer_loops);
            states.push(State { registers: Rc::new(vec![value]), ..state });
        }
        let merged = self.merge_all(states, location).into_iter();
        merged.map(|state| (state.registers[0].clone(), state)).map(|(value, state)| (state, value)).collect()
    }

    /// The registers that matter before an instruction.
    pub fn live_registers(&mut self, location: Location) -> Vec<RegisterId> {
        let shape = self.control_shape(location.function);
        let function = &self.program.functions[location.function];
        shape.liveness.live_registers(function, location.block, location.index as usize)
    }

    fn control_shape(&mut self, function: FunctionId) -> Rc<ControlShape> {
        let body = &self.program.functions[function];
        let shape = self.shapes_of_control.entry(function).or_insert_with(|| {
            let (order, liveness) = (UnrollOrder::new(body), Liveness::new(body));
            let carried = carried_registers(body, &order, &liveness);
            Rc::new(ControlShape { order, liveness, carried })
        });
        shape.clone()
    }

    pub fn operand(&mut self, state: &State, activation: &Activation, operand: Operand) -> Result<SymValue, Failure> {
        Ok(evaluate::operand(&mut self.evaluator(state, activation), operand)?)
    }

    pub fn condition(&mut self, state: &State, activation: &Activation, operand: Operand) -> Result<TermId, Failure> {
        Ok(evaluate::condition(&mut self.evaluator(state, activation), operand)?)
    }

    pub fn evaluator<'b>(&'b mut self, state: &'b State, activation: &'b Activation) -> InActivation<'a, 'b> {
        InActivation { unfolder: self, state, activation }
    }
}

/// Where a terminator leads.
enum Leaving {
    Blocks(Vec<(BlockId, TermId)>),
    Return(Option<SymValue>),
    ThreadExit(SymValue),
    Nowhere,
}

fn add_target(terms: &mut Terms, targets: &mut Vec<(BlockId, TermId)>, target: BlockId, condition: TermId) {
    match targets.iter_mut().find(|(known, _)| *known == target) {
        Some((_, known)) => *known = terms.or(*known, condition),
        None => targets.push((target, condition)),
    }
}

fn forget_dead_registers(mut state: State, liveness: &Liveness, block: BlockId) -> State {
    let is_dead = |index: usize| !liveness.is_live(block, RegisterId(index as u32));
    if state.registers.iter().enumerate().any(|(index, value)| value.is_some() && is_dead(index)) {
        let registers = Rc::make_mut(&mut state.registers);
        registers.iter_mut().enumerate().filter(|(index, _)| is_dead(*index)).for_each(|(_, value)| *value = None);
    }
    state
}

/// Evaluation of operands in one state.
pub(crate) struct InActivation<'a, 'b> {
    unfolder: &'b mut Unfolder<'a>,
    state: &'b State,
    activation: &'b Activation,
}

impl Evaluator for InActivation<'_, '_> {
    fn terms(&mut self) -> &mut Terms {
        self.unfolder.terms()
    }

    fn data_model(&self) -> DataModel {
        self.unfolder.program.data_model
    }

    fn register(&self, register: RegisterId) -> Option<SymValue> {
        self.state.registers[register.0 as usize].clone()
    }

    fn address(&mut self, operand: Operand) -> Result<SymValue, NotSupported> {
        let start = self.unfolder.pointer_constant(0);
        let key = match operand {
            Operand::Global { global, .. } if self.unfolder.program.globals[global].thread_local => {
                ObjectKey::ThreadLocal { global, instance: self.unfolder.instance.0 }
            }
            Operand::Global { global, .. } => ObjectKey::Global(global),
            Operand::Function(function) => ObjectKey::Function(function),
            Operand::Local { local, .. } => {
                let locals = &self.unfolder.program.functions[self.activation.function].locals;
                debug_assert_eq!(self.state.locals.len(), locals.len(), "a state should belong to its activation");
                let address = self.state.locals[local.0 as usize].clone();
                return Ok(address.unwrap_or_else(|| SymValue::raw(self.unfolder.terms(), start)));
            }
            _ => return Err(NotSupported("an address that is none".to_owned())),
        };
        let object = self.unfolder.object(key);
        Ok(SymValue::address(self.unfolder.terms(), object, start))
    }

    /// A proof for objects of every size is one for those that nobody executes, too.
    fn may_be_huge(&self, object: ObjectId) -> bool {
        let size = self.unfolder.survey.objects.get(object).size;
        self.unfolder.is_modular() && size.is_none_or(|size| size > limits::OBJECT_BYTES)
    }
}

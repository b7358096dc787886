//! The unfolding itself: every thread instance is executed symbolically once, all its paths side by side, functions
//! inlined, loops unrolled up to their bounds.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use base::{Budget, Span, StopReason};
use events::{CutKind, EventGraph};
use program::{
    BlockId, Function, FunctionId, Location, Program, PropertySet, RegisterId, TerminatorKind, limits,
    visible::Visibility,
};
use rustc_hash::FxHashMap;
use symbolic::{NotSupported, SymValue};
use terms::{TermId, Terms};

use crate::abstraction::{AbstractionKind, LoopEdge, LoopHead};
use crate::allocator::Allocator;
use crate::cells::Cells;
use crate::counted_loops::{CountedLoops, Exits};
use crate::critical_section::{self};
use crate::idle_rounds::{self};
use crate::liveness::Liveness;
use crate::memory::Memory;
use crate::modular_facts::LoopKey;
use crate::monitor::Monitors;
use crate::monitor::happens_before::HbOrder;
use crate::open_step::OpenStep;
use crate::pass::Pass;
use crate::paths::Paths;
use crate::state::SymState;
use crate::survey::PassFacts;
use crate::synchroniser::Synchroniser;
use crate::threads::{PendingThread, Threads};
use crate::unroll_order::{FlowEdge, Rounds, UnrollOrder, VisitKey};

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
    pub coverage: AbstractionKind,
    /// Instructions that may be executed beyond the bounds in loops with a constant number of iterations. Default 0.
    pub counted: u64,
    /// Of a bounded unfolding, bounds that do not hold because what they would cut is summarised, see `summarised_loops`.
    /// Default none.
    pub summarised: BTreeSet<CutKind>,
}

/// What makes an unfolding smaller without changing the answer. All can be switched off, to be cross-checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Optimisations {
    /// Rounds that change nothing are left out.
    pub idle_rounds: bool,
    /// Protected cells are folded inside of critical sections.
    pub critical_sections: bool,
    /// Objects that are accessed at symbolic offsets are divided into cells if these are few. Otherwise they are arrays.
    pub cells: bool,
}

impl Optimisations {
    pub const ALL: Optimisations = Optimisations { idle_rounds: true, critical_sections: true, cells: true };
    pub const NONE: Optimisations = Optimisations { idle_rounds: false, critical_sections: false, cells: false };
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
            coverage: AbstractionKind::Bounded,
            counted: 0,
            summarised: BTreeSet::new(),
        }
    }

    /// For an unfolding that covers every execution.
    pub fn modular(properties: PropertySet) -> Self {
        let optimisations = Optimisations { idle_rounds: false, ..Optimisations::ALL };
        Self { coverage: AbstractionKind::ThreadModular, optimisations, ..Self::new(1, properties) }
    }

    /// As [`modular`](Self::modular), and what shared words hold at different moments is related.
    pub fn relating_moments(properties: PropertySet) -> Self {
        Self { coverage: AbstractionKind::RelatedMoments, ..Self::modular(properties) }
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
    let mut survey = PassFacts::default();
    let mut counted = CountedLoops::new(options.counted);
    let has_locks = critical_section::has_locks(program);
    loop {
        let mut unfolder = Unfolder::new(program, visibility, options, budget, survey, counted);
        match unfolder.run() {
            Ok(()) => {}
            Err(UnfoldFailure::Stopped(reason)) => return Err(Stopped(reason)),
            Err(UnfoldFailure::NotSupported(what)) => unreachable!("{what} should have become a cut"),
        }
        counted = std::mem::take(&mut unfolder.counted);
        if counted.renew() {
            survey = PassFacts::default();
            continue;
        }
        if !unfolder.survey.take_growth() {
            return Ok(unfolder.finish());
        }
        let forgets_accesses = unfolder.abstraction().forgets_accesses(has_locks);
        survey = unfolder.into_paths().into_pass().survey;
        survey.forget_doubtful(forgets_accesses);
    }
}

/// Why a path cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum UnfoldFailure {
    Stopped(StopReason),
    NotSupported(String),
}

impl From<NotSupported> for UnfoldFailure {
    fn from(NotSupported(what): NotSupported) -> Self {
        UnfoldFailure::NotSupported(what)
    }
}

/// A place in the program, for what is recorded there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub location: Location,
    pub span: Span,
}

pub(crate) struct Unfolder<'a> {
    threads: Threads<'a>,
    /// Activations of each function that are under way.
    depth: FxHashMap<FunctionId, u32>,
    /// Activations of the current thread that are under way.
    nesting: u32,
    /// How many activations there have been.
    activations: u32,
    counted: CountedLoops,
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
type Returned = Vec<(SymState, Option<SymValue>)>;

impl<'a> Deref for Unfolder<'a> {
    type Target = Threads<'a>;

    fn deref(&self) -> &Threads<'a> {
        &self.threads
    }
}

impl<'a> DerefMut for Unfolder<'a> {
    fn deref_mut(&mut self) -> &mut Threads<'a> {
        &mut self.threads
    }
}

impl<'a> Unfolder<'a> {
    fn new(
        program: &'a Program,
        visibility: &'a Visibility,
        options: &'a UnfoldOptions,
        budget: &'a Budget,
        survey: PassFacts,
        counted: CountedLoops,
    ) -> Self {
        let pass = Pass::new(program, visibility, options, budget, survey);
        let abstraction = options.coverage.abstraction(program, !options.summarised.is_empty());
        let monitors = Monitors::new(HbOrder::new(abstraction.follows_order()));
        let cells = Cells::new(Paths::new(pass, monitors), abstraction);
        let threads = Threads::new(Synchroniser::new(Memory::new(Allocator::new(cells))));
        Self { threads, depth: FxHashMap::default(), nesting: 0, activations: 0, counted }
    }

    fn run(&mut self) -> Result<(), UnfoldFailure> {
        let (abstraction, paths) = self.abstraction_and_paths();
        abstraction.begin_pass(&mut paths.survey);
        self.start_main()?;
        while let Some(thread) = self.next_pending() {
            self.run_thread(thread)?;
        }
        self.settle_joins();
        self.settle_arrays();
        self.settle();
        Ok(())
    }

    fn into_paths(self) -> Paths<'a> {
        self.threads.into_synchroniser().into_memory().into_allocator().into_cells().into_paths()
    }

    fn finish(self) -> EventGraph {
        let pass = self.into_paths().finish();
        pass.graph.finish(pass.survey.objects)
    }

    fn run_thread(&mut self, thread: PendingThread) -> Result<(), UnfoldFailure> {
        let PendingThread { instance, function, arguments, mut state, span } = thread;
        self.begin_thread(&mut state)?;
        for (state, value) in self.call(state, function, &arguments, span)? {
            let null = SymValue::Int(self.pointer_constant(0));
            self.end_thread(state, value.unwrap_or(null));
        }
        self.note_ends(instance);
        Ok(())
    }

    /// Executes `function` from `state`, whose registers are the caller's, and returns the merged state at its returns
    /// with the caller's registers restored.
    pub fn call(
        &mut self,
        mut state: SymState,
        function: FunctionId,
        arguments: &[SymValue],
        span: Span,
    ) -> Result<Returned, UnfoldFailure> {
        let kind = CutKind::Recursion { function };
        let depth = self.depth.get(&function).copied().unwrap_or(0);
        if depth > self.options.bound(&kind) {
            self.cut(state.standing(), kind, span);
            return Ok(Vec::new());
        }
        if let Some(what) = limits::too_deep(self.nesting as usize + 1) {
            return Err(UnfoldFailure::NotSupported(what));
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
        let restore = |(state, value)| (SymState { registers: caller.clone(), locals: locals.clone(), ..state }, value);
        Ok(returned?.into_iter().map(restore).collect())
    }

    fn run_function(&mut self, entry: SymState, function: FunctionId) -> Result<Returned, UnfoldFailure> {
        let body = &self.program.functions[function];
        let shape = self.control_shape(function);
        self.activations += 1;
        let (callers_objects, number) = (entry.living.len(), self.activations);
        let activation = Activation { function, callers_objects, is_outermost: self.nesting == 1, number };
        let mut pending: BTreeMap<VisitKey, (BlockId, Rounds, Vec<SymState>)> = BTreeMap::new();
        let mut returns = Vec::new();
        let mut loops = self.abstraction().loops();
        let mut exits = Exits::default();
        let beyond = self.counted.is_beyond_bounds();
        let first = Function::ENTRY;
        let rounds = Rounds::from_elem(0, shape.order.heads(first).len());
        let (instance, outer_loops) = (entry.instance, entry.activity.len());
        let mut entry = entry;
        entry.enter_loops(&self.graph.terms, outer_loops, outer_loops + rounds.len());
        pending.insert(shape.order.key(first, &rounds), (first, rounds, vec![entry]));
        while let Some((_, (block, rounds, states))) = pending.pop_first() {
            let instructions = 1 + self.program.functions[function].blocks[block].instructions.len() as u64;
            self.counted.begin_block(beyond || self.is_beyond_bounds(function, &shape.order, block, &rounds));
            self.counted.spend(instructions);
            self.budget.spend(instructions).map_err(UnfoldFailure::Stopped)?;
            let location = Location { function, block, index: 0 };
            let mut successors = Vec::new();
            self.abstraction_and_paths().0.enter_block(outer_loops, shape.order.heads(block), function, instance);
            let mut states = self.merge_all(states, location);
            if let Some(carried) = shape.carried.get(&block) {
                let key = LoopKey { instance, function, head: block };
                states = loops.enter(self, states, &LoopHead { key, order: &shape.order, carried, location })?;
            }
            for mut state in states {
                if shape.carried.contains_key(&block) {
                    state.begin_round(&self.graph.terms, outer_loops + rounds.len() - 1);
                }
                let instances = self.graph.instance_count();
                let states = self.run_block(state, &activation, block)?;
                self.counted.note_threads(self.graph.instance_count() - instances);
                for state in states {
                    successors.extend(self.leave_block(state, &activation, block, &mut returns)?);
                }
            }
            for (target, _) in &successors {
                exits.note_edge(&shape.order, block, &rounds, *target);
            }
            for (target, mut state) in successors {
                if self.options.optimisations.idle_rounds
                    && let Some(level) = idle_rounds::level_of(&shape.order, block, target)
                {
                    // An idle round is not followed.
                    let level = outer_loops + level;
                    let active = state.was_active(self.graph.terms(), level, &shape.carried[&target]);
                    self.assume(&mut state, active);
                    if self.is_dead(&state) {
                        continue;
                    }
                }
                let site = Site { location, span: body.blocks[block].terminator.span };
                let edge = LoopEdge {
                    key: LoopKey { instance, function, head: target },
                    order: &shape.order,
                    from: block,
                    carried: shape.carried.get(&target).map_or(&[], Vec::as_slice),
                    site,
                };
                let Some(state) = loops.follow(self, state, &edge)? else { continue };
                let may_go_on = |head, round| {
                    round < self.options.bound(&CutKind::Loop { function, head })
                        || shape.with_exit.contains(&head) && exits.goes_on(&mut self.counted, function, head, &rounds)
                };
                match shape.order.follow(block, &rounds, target, may_go_on) {
                    FlowEdge::Cut { head } => {
                        self.cut(state.standing(), CutKind::Loop { function, head }, site.span);
                    }
                    FlowEdge::To { rounds } => {
                        let mut state = forget_dead_registers(state, &shape.liveness, target);
                        let shared = outer_loops + idle_rounds::shared_loops(&shape.order, block, target);
                        state.enter_loops(&self.graph.terms, shared, outer_loops + rounds.len());
                        let key = shape.order.key(target, &rounds);
                        pending.entry(key).or_insert_with(|| (target, rounds, Vec::new())).2.push(state);
                    }
                }
            }
        }
        self.counted.begin_block(beyond);
        self.abstraction_and_paths().0.enter_block(outer_loops, &[], function, instance);
        Ok(self.merge_returns(returns, function, outer_loops))
    }

    /// Whether a loop around the block would have been cut before it; its head is visited once more than its body.
    fn is_beyond_bounds(&self, function: FunctionId, order: &UnrollOrder, block: BlockId, rounds: &Rounds) -> bool {
        let is_beyond = |(head, round): (&BlockId, &u32)| {
            let bound = self.options.bound(&CutKind::Loop { function, head: *head });
            if *head == block { *round > bound } else { *round >= bound }
        };
        order.heads(block).iter().zip(rounds).any(is_beyond)
    }

    /// Executes the instructions of a block. A call may come back in several states, which go on one after the other.
    fn run_block(
        &mut self,
        state: SymState,
        activation: &Activation,
        block: BlockId,
    ) -> Result<Vec<SymState>, UnfoldFailure> {
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
            match self.step(state, activation, site, &instruction.kind) {
                Ok(next) => {
                    open.extend(
                        next.into_iter().rev().filter(|next| !self.is_dead(next)).map(|next| (next, index + 1)),
                    );
                }
                Err(UnfoldFailure::NotSupported(what)) => self.cut(before, CutKind::Unsupported { what }, site.span),
                Err(stopped) => return Err(stopped),
            }
        }
        Ok(finished)
    }

    /// The states in which the block's successors are entered. Returns are collected in `returns`.
    fn leave_block(
        &mut self,
        state: SymState,
        activation: &Activation,
        block: BlockId,
        returns: &mut Vec<(SymState, Option<SymValue>)>,
    ) -> Result<Vec<(BlockId, SymState)>, UnfoldFailure> {
        let program = self.program;
        let body = &program.functions[activation.function].blocks[block];
        let location = Location { function: activation.function, block, index: body.instructions.len() as u32 };
        let site = Site { location, span: body.terminator.span };
        let before = state.standing();
        match self.follow_terminator(state, activation, (&body.terminator.kind, site), returns) {
            Err(UnfoldFailure::NotSupported(what)) => {
                self.cut(before, CutKind::Unsupported { what }, site.span);
                Ok(Vec::new())
            }
            left => left,
        }
    }

    fn follow_terminator(
        &mut self,
        mut state: SymState,
        activation: &Activation,
        (terminator, site): (&TerminatorKind, Site),
        returns: &mut Vec<(SymState, Option<SymValue>)>,
    ) -> Result<Vec<(BlockId, SymState)>, UnfoldFailure> {
        match self.successors(&state, activation, terminator)? {
            Leaving::Blocks(conditions) => {
                let mut successors = Vec::new();
                for (target, condition) in conditions {
                    let mut next = state.clone();
                    self.restrict(&mut next, condition);
                    if !self.is_dead(&next) {
                        successors.push((target, next));
                    }
                }
                return Ok(successors);
            }
            Leaving::Return(value) => {
                let step = &mut OpenStep::between(&state, site);
                self.leave_activation(&mut state, activation.callers_objects, activation.is_outermost, step)?;
                returns.push((state, value));
            }
            Leaving::ThreadExit(value) => {
                self.note_thread_exit(&state);
                let step = &mut OpenStep::between(&state, site);
                self.leave_activation(&mut state, 0, true, step)?;
                self.end_thread(state, value);
            }
            Leaving::Nowhere => {
                let exits = matches!(terminator, TerminatorKind::ProcessExit { abnormal: false, .. });
                if exits {
                    let step = &mut OpenStep::between(&state, site);
                    // Whether a function that another one has called exits.
                    let is_nested = self.nesting > 1;
                    self.check_exit(&mut state, is_nested, step)?;
                } else {
                    self.note_stuck_here(&state);
                }
                // Inside an atomic section nobody sees what it did before, and who looks at the end of the process has cut it.
                if state.atomic.is_some() && !(exits && self.looks_at_the_end()) {
                    let never = self.graph.terms.boolean(false);
                    self.require(&state, never);
                }
            }
        }
        Ok(Vec::new())
    }

    /// Ends the objects on the thread's stack but for the first `kept`, and with the thread its thread-local globals.
    fn leave_activation(
        &mut self,
        state: &mut SymState,
        kept: usize,
        ends_thread: bool,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        self.record_step(state, step);
        self.end_living(state, kept, step)?;
        if ends_thread {
            self.end_thread_locals(state, step)?;
        }
        Ok(())
    }

    fn successors(
        &mut self,
        state: &SymState,
        activation: &Activation,
        terminator: &TerminatorKind,
    ) -> Result<Leaving, UnfoldFailure> {
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
                    return Err(UnfoldFailure::NotSupported("a switch on a pointer value".to_owned()));
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

    /// Merges the states at the returns; the value is carried along in a register of its own.
    fn merge_returns(
        &mut self,
        returns: Vec<(SymState, Option<SymValue>)>,
        function: FunctionId,
        outer_loops: usize,
    ) -> Returned {
        let location = Location { function, block: Function::ENTRY, index: 0 };
        let mut states = Vec::new();
        for (mut state, value) in returns {
            state.locals = Rc::default();
            state.enter_loops(&self.graph.terms, outer_loops, outer_loops);
            states.push(SymState { registers: Rc::new(vec![value]), ..state });
        }
        let merged = self.merge_all(states, location).into_iter();
        merged.map(|state| (state.registers[0].clone(), state)).map(|(value, state)| (state, value)).collect()
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

fn forget_dead_registers(mut state: SymState, liveness: &Liveness, block: BlockId) -> SymState {
    let is_dead = |index: usize| !liveness.is_live(block, RegisterId(index as u32));
    if state.registers.iter().enumerate().any(|(index, value)| value.is_some() && is_dead(index)) {
        let registers = Rc::make_mut(&mut state.registers);
        registers.iter_mut().enumerate().filter(|(index, _)| is_dead(*index)).for_each(|(_, value)| *value = None);
    }
    state
}

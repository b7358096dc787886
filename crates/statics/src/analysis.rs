//! The abstract interpreter: follows every thread of the program through its control flow, one state per place and context,
//! until nothing new is learned; then goes over all places once more and notes the accesses.
//!
//! Calls are followed in contexts of their own. Loops are followed round by round as long as every branch out of them is
//! decided; the rest of the rounds share one context. What threads tell each other is in [`World`], which only grows; the
//! whole is repeated until it is stable, so the last repetition has seen all that it assumes.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use base::{Budget, IdVec, StopReason};
use program::cfg::Cfg;
use program::instruction::TerminatorKind as Terminator;
use program::loops::{LoopId, Loops};
use program::{BlockId, Function, FunctionId, InstructionKind, LocalId, Location, Program, RegisterId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::access::AbstractAccess;
use crate::claims::Notebook;
use crate::identity::{AbsThread, Context, ContextId, ContextKind, Identities, ObjectId, ThreadId};
use crate::name::{Name, NameId, NameKind, Names};
use crate::ordering::{Moment, precedes_creation};
use crate::state::AbsState;
use crate::value::AbsValue;
use crate::waiting::Waits;
use crate::world::{ThreadEnding, World};

/// How closely to look.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Effort {
    /// So many rounds of a loop are followed one by one, if all branches out of it are decided.
    pub rounds: u32,
    /// Loops known to have more rounds than that: they are not followed at all.
    pub long_loops: BTreeSet<(FunctionId, LoopId)>,
    /// Calls that are nested deeper than this share a context with all others of the same function and thread.
    pub call_depth: usize,
    /// Give up after so many instructions.
    pub instructions: u64,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GivenUp {
    Stopped(StopReason),
    /// The program needs more than the effort allows.
    TooLarge,
    /// The loop has more rounds than are followed.
    LongLoop(FunctionId, LoopId),
    /// A construct that is not supported may be executed.
    Unsupported(Location),
    /// A number that may be the address of anything is used as one.
    WildPointer,
}

/// More threads than this are not told apart.
const MOST_THREADS: usize = 160;
const MOST_CONTEXTS: usize = 30_000;

/// Of the budget.
const WORK_PER_INSTRUCTION: u64 = 2;
/// A state that changes more often than this at one place is widened.
const VISITS: u32 = 6;
/// The whole is repeated at most so often.
const REPETITIONS: usize = 80;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct FlowNode {
    context: ContextId,
    block: BlockId,
    index: u32,
}

/// An instruction in its context.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContextLocation {
    pub context: ContextId,
    pub location: Location,
}

/// Whether a thread goes on after an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    On,
    Stop,
}

/// A call whose return is waited for.
#[derive(Clone)]
struct Caller {
    state: AbsState,
    target: Option<RegisterId>,
}

/// What one repetition has found.
#[derive(Default)]
struct Repetition {
    states: FxHashMap<FlowNode, (AbsState, u32)>,
    work: VecDeque<FlowNode>,
    waiting: FxHashSet<FlowNode>,
    /// Per frame: the calls that entered it, and how it returns.
    callers: FxHashMap<ContextId, Vec<FlowNode>>,
    calls: FxHashMap<FlowNode, Caller>,
    returns: FxHashMap<ContextId, (AbsState, AbsValue)>,
    /// Rounds of loops in which a branch out of the loop was decided, and in which one was not.
    decided: FxHashSet<ContextId>,
    undecided: FxHashSet<ContextId>,
    unsupported: Option<Location>,
    long_loop: Option<(FunctionId, LoopId)>,
}

struct Flows {
    loops: Loops,
}

pub struct AbstractInterpreter<'p> {
    pub(crate) program: &'p Program,
    effort: Effort,
    budget: &'p Budget,
    flows: IdVec<FunctionId, Option<Rc<Flows>>>,
    pub(crate) identities: Identities,
    pub(crate) names: Names,
    pub(crate) world: World,
    now: Repetition,
    executed: u64,
    /// Of these, what the budget knows of.
    charged: u64,
    /// The accesses, once they are being noted.
    pub(crate) accesses: Option<Vec<AbstractAccess>>,
    /// What else is noted then, where it is wanted.
    pub(crate) notebook: Option<Notebook>,
    /// Who may wait for what, noted together with the accesses.
    pub(crate) waits: Waits,
    /// The roots that are addresses of objects this thread makes, with the objects.
    pub(crate) makers: FxHashMap<NameId, ObjectId>,
    /// Locals that may begin more than once in an activation.
    pub(crate) begun_again: IdVec<FunctionId, BTreeSet<LocalId>>,
    /// Per frame: what `alloca` and the like made there.
    pub(crate) stack_objects: FxHashMap<ContextId, BTreeSet<ObjectId>>,
}

impl<'p> AbstractInterpreter<'p> {
    pub fn new(program: &'p Program, effort: Effort, budget: &'p Budget) -> Self {
        Self {
            program,
            effort,
            budget,
            flows: program.functions.iter().map(|_| None).collect(),
            identities: Identities::default(),
            names: Names::default(),
            world: World::default(),
            now: Repetition::default(),
            executed: 0,
            charged: 0,
            accesses: None,
            notebook: None,
            waits: Waits::default(),
            makers: FxHashMap::default(),
            begun_again: program.functions.iter().map(begun_again).collect(),
            stack_objects: FxHashMap::default(),
        }
    }

    /// All accesses that the program may make.
    pub fn run(&mut self) -> Result<Vec<AbstractAccess>, GivenUp> {
        self.make_globals();
        for _ in 0..REPETITIONS {
            let before = self.world.version() + self.identities.version();
            self.repeat()?;
            self.spread_escapes();
            if self.world.version() + self.identities.version() == before {
                return self.note_accesses();
            }
        }
        Err(GivenUp::TooLarge)
    }

    fn make_globals(&mut self) {
        for (id, global) in self.program.globals.iter_enumerated() {
            if !global.thread_local {
                self.identities.make_object(crate::identity::Object::Global(id));
            }
        }
    }

    fn repeat(&mut self) -> Result<(), GivenUp> {
        self.now = Repetition::default();
        let main = self.identities.make_thread(AbsThread { origin: None, function: self.program.entry });
        self.start(main, AbsState::default());
        while let Some(node) = self.now.work.pop_front() {
            self.now.waiting.remove(&node);
            let state = self.now.states[&node].0.clone();
            self.block(node, state);
            self.check_effort()?;
        }
        Ok(())
    }

    fn check_effort(&mut self) -> Result<(), GivenUp> {
        let since = self.executed - std::mem::replace(&mut self.charged, self.executed);
        self.budget.spend(since * WORK_PER_INSTRUCTION).map_err(GivenUp::Stopped)?;
        if let Some((function, id)) = self.now.long_loop {
            return Err(GivenUp::LongLoop(function, id));
        }
        let too_large = self.executed > self.effort.instructions || self.identities.context_count() > MOST_CONTEXTS;
        if too_large { Err(GivenUp::TooLarge) } else { Ok(()) }
    }

    fn note_accesses(&mut self) -> Result<Vec<AbstractAccess>, GivenUp> {
        if let Some(location) = self.now.unsupported {
            return Err(GivenUp::Unsupported(location));
        }
        if self.world.wild && self.world.is_anything_exposed() {
            return Err(GivenUp::WildPointer);
        }
        self.accesses = Some(Vec::new());
        let mut nodes: Vec<FlowNode> = self.now.states.keys().copied().collect();
        nodes.sort_unstable();
        for node in nodes {
            let state = self.now.states[&node].0.clone();
            self.block(node, state);
        }
        Ok(self.accesses.take().unwrap_or_default())
    }

    /// Lets a thread begin in this state, or in this one, too.
    pub(crate) fn start(&mut self, thread: ThreadId, state: AbsState) {
        let function = self.identities.thread(thread).function;
        let root = Context { thread, function, kind: ContextKind::Root, parent: None };
        let context = self.identities.make_context(root);
        let context = self.context_in_loops(context, context, None, Function::ENTRY);
        self.arrive(FlowNode { context, block: Function::ENTRY, index: 0 }, state);
    }

    /// The thread that a spawn there creates.
    pub(crate) fn created_thread(&mut self, at: ContextLocation, function: FunctionId) -> ThreadId {
        let creator = self.identities.context(at.context).thread;
        let ancestors = std::iter::successors(Some(creator), |&thread| self.identities.creator(thread));
        let kin: Vec<ThreadId> = ancestors.filter(|&t| self.identities.thread(t).function == function).collect();
        if let Some(&same) = kin.first() {
            self.identities.make_plural(same);
            return same;
        }
        let mut origin = (at.context, at.location);
        if self.identities.thread_count() > MOST_THREADS {
            let root =
                Context { thread: creator, function: at.location.function, kind: ContextKind::Recursion, parent: None };
            origin.0 = self.identities.make_context(root);
        }
        self.identities.make_thread(AbsThread { origin: Some(origin), function })
    }

    fn arrive(&mut self, node: FlowNode, state: AbsState) {
        if self.accesses.is_some() {
            return;
        }
        let frame = self.identities.frame(node.context);
        let widens = self.closes_cycle(node);
        let changed = match self.now.states.get_mut(&node) {
            None => {
                self.now.states.insert(node, (state, 0));
                true
            }
            Some((known, visits)) => {
                let joined = known.clone().join(state, &self.names, frame, widens && *visits > VISITS);
                let changed = joined != *known;
                if changed {
                    *known = joined;
                    *visits += 1;
                }
                changed
            }
        };
        if changed && self.now.waiting.insert(node) {
            self.now.work.push_back(node);
        }
    }

    /// Whether every cycle through this place can be cut here: the head of a loop's later rounds, a shared frame.
    fn closes_cycle(&mut self, node: FlowNode) -> bool {
        let Context { kind, function, .. } = self.identities.context(node.context);
        match kind {
            ContextKind::Round(id, None) => self.flows(function).loops.get(id).entries.contains(&node.block),
            ContextKind::Recursion => node.block == Function::ENTRY && node.index == 0,
            _ => false,
        }
    }

    fn block(&mut self, node: FlowNode, mut state: AbsState) {
        let function = self.identities.context(node.context).function;
        let program = self.program;
        let block = &program.functions[function].blocks[node.block];
        for (index, instruction) in block.instructions.iter().enumerate().skip(node.index as usize) {
            self.executed += 1;
            let location = Location { function, block: node.block, index: index as u32 };
            let at = ContextLocation { context: node.context, location };
            self.note_reached(location);
            if self.instruction(&mut state, at, &instruction.kind) == Flow::Stop {
                return;
            }
        }
        let location = Location { function, block: node.block, index: block.instructions.len() as u32 };
        self.note_reached(location);
        self.terminator(state, ContextLocation { context: node.context, location }, &block.terminator.kind);
    }

    fn terminator(&mut self, mut state: AbsState, at: ContextLocation, kind: &Terminator) {
        match kind {
            Terminator::Goto(target) => self.go(state, at, *target),
            Terminator::Branch { condition, then, otherwise } => {
                let condition = self.operand(&mut state, at.context, *condition);
                let known = condition.as_truth();
                self.note_decision(at, &[*then, *otherwise], known.is_some());
                for (target, truth) in [(*then, true), (*otherwise, false)] {
                    let mut branch = state.clone();
                    let possible = known.is_none_or(|known| known == truth)
                        && condition.name().is_none_or(|name| self.assume(&mut branch, name, truth));
                    if possible {
                        self.go(branch, at, target);
                    }
                }
            }
            Terminator::Switch { value, ty, cases, default } => {
                let value = self.operand(&mut state, at.context, *value);
                let bits = ty.bits(self.program.data_model);
                let known = value.plain_number().and_then(|range| range.unsigned(bits).as_constant());
                let targets: Vec<BlockId> = cases.iter().map(|(_, block)| *block).chain([*default]).collect();
                self.note_decision(at, &targets, known.is_some());
                match known {
                    Some(known) => {
                        let case = cases.iter().find(|(case, _)| i128::from(*case) == known);
                        self.go(state, at, case.map_or(*default, |(_, block)| *block));
                    }
                    None => self.switch(&state, at, (&value, bits), cases, *default),
                }
            }
            Terminator::Return(value) => {
                let value = value.map(|value| self.operand(&mut state, at.context, value));
                self.leave(state, at, value.unwrap_or_else(AbsValue::anything));
            }
            Terminator::ThreadExit(value) => {
                let value = self.operand(&mut state, at.context, *value);
                self.end_all_frames(&mut state, at);
                self.end_thread(state, at, value);
            }
            Terminator::ProcessExit { .. } | Terminator::Unreachable => {}
        }
    }

    /// Goes wherever a value that is not known may lead.
    fn switch(
        &mut self,
        state: &AbsState,
        at: ContextLocation,
        (value, bits): (&AbsValue, u8),
        cases: &[(u64, BlockId)],
        default: BlockId,
    ) {
        let all: Vec<u64> = cases.iter().map(|&(case, _)| case).collect();
        let ways = cases.iter().map(|&(case, target)| (vec![case], target, true)).chain([(all, default, false)]);
        for (cases, target, equal) in ways.collect::<Vec<_>>() {
            let mut branch = state.clone();
            if value.name().is_none_or(|name| self.assume_case(&mut branch, bits, name, &cases, equal)) {
                self.go(branch, at, target);
            }
        }
    }

    fn go(&mut self, state: AbsState, at: ContextLocation, target: BlockId) {
        let frame = self.identities.frame(at.context);
        let context = self.context_in_loops(frame, at.context, Some(at.location.block), target);
        self.arrive(FlowNode { context, block: target, index: 0 }, state);
    }

    fn flows(&mut self, function: FunctionId) -> Rc<Flows> {
        let program = self.program;
        let make = || Rc::new(Flows { loops: Loops::new(&Cfg::new(&program.functions[function])) });
        self.flows[function].get_or_insert_with(make).clone()
    }

    /// The context at the beginning of `to`, coming from block `from` in context `old`.
    fn context_in_loops(&mut self, frame: ContextId, old: ContextId, from: Option<BlockId>, to: BlockId) -> ContextId {
        let function = self.identities.context(frame).function;
        let flows = self.flows(function);
        let mut context = frame;
        for id in around(&flows.loops, to) {
            let known = flows.loops.get(id);
            let round = match self.round(old, id) {
                Some((inside, round)) => {
                    let again = known.entries.contains(&to) && from.is_some_and(|from| known.body.contains(&from));
                    if again { self.next_round(inside, round, (function, id)) } else { round }
                }
                None if known.is_irreducible() || known.header != to => None,
                None if self.effort.long_loops.contains(&(function, id)) => None,
                None => Some(0),
            };
            let Context { thread, function, .. } = self.identities.context(frame);
            let kind = ContextKind::Round(id, round);
            context = self.identities.make_context(Context { thread, function, kind, parent: Some(context) });
        }
        context
    }

    /// The round of the loop that a context is in, and the context of just that.
    fn round(&self, mut context: ContextId, id: LoopId) -> Option<(ContextId, Option<u32>)> {
        loop {
            let known = self.identities.context(context);
            match known.kind {
                ContextKind::Round(own, round) if own == id => return Some((context, round)),
                ContextKind::Round(..) => context = known.parent?,
                _ => return None,
            }
        }
    }

    fn next_round(&mut self, inside: ContextId, round: Option<u32>, of: (FunctionId, LoopId)) -> Option<u32> {
        let is_followed = self.now.decided.contains(&inside) && !self.now.undecided.contains(&inside);
        let next = round.filter(|_| is_followed)? + 1;
        if next > self.effort.rounds {
            self.now.long_loop.get_or_insert(of);
            return None;
        }
        Some(next)
    }

    /// Notes, for every loop that some of the targets leave, whether it was decided which.
    fn note_decision(&mut self, at: ContextLocation, targets: &[BlockId], decided: bool) {
        let flows = self.flows(at.location.function);
        for id in around(&flows.loops, at.location.block) {
            let inside = |target: &BlockId| flows.loops.get(id).body.contains(target);
            if targets.iter().any(inside)
                && !targets.iter().all(inside)
                && let Some((context, _)) = self.round(at.context, id)
            {
                let set = if decided { &mut self.now.decided } else { &mut self.now.undecided };
                set.insert(context);
            }
        }
    }

    /// Enters a function; the call goes on when that returns.
    pub(crate) fn call(
        &mut self,
        state: &AbsState,
        at: ContextLocation,
        function: FunctionId,
        arguments: &[AbsValue],
        target: Option<RegisterId>,
    ) {
        let frame = self.callee_frame(at, function);
        let mut inner = AbsState { registers: Default::default(), ..state.clone() };
        let shared = self.identities.context(frame).kind == ContextKind::Recursion;
        for (&parameter, argument) in self.program.functions[function].parameters.iter().zip(arguments) {
            self.note_value(function, parameter, argument);
            inner.registers.insert(parameter, Rc::new(argument.clone()));
        }
        // What an earlier activation of this frame meant by its names is not what the new one means.
        let identities = &self.identities;
        inner.forget_if(&self.names, |context| shared || identities.is_inside(context, frame));
        let node = FlowNode { context: at.context, block: at.location.block, index: at.location.index };
        self.now.calls.insert(node, Caller { state: state.clone(), target });
        let callers = self.now.callers.entry(frame).or_default();
        if !callers.contains(&node) {
            callers.push(node);
        }
        let entry = self.context_in_loops(frame, frame, None, Function::ENTRY);
        self.arrive(FlowNode { context: entry, block: Function::ENTRY, index: 0 }, inner);
        if let Some((state, value)) = self.now.returns.get(&frame).cloned() {
            self.resume(frame, node, &state, &value);
        }
    }

    fn callee_frame(&mut self, at: ContextLocation, function: FunctionId) -> ContextId {
        let thread = self.identities.context(at.context).thread;
        let shared = self.identities.is_active(at.context, function)
            || self.identities.depth(at.context) > self.effort.call_depth;
        let context = match shared {
            true => Context { thread, function, kind: ContextKind::Recursion, parent: None },
            false => Context { thread, function, kind: ContextKind::Call(at.location), parent: Some(at.context) },
        };
        self.identities.make_context(context)
    }

    fn leave(&mut self, state: AbsState, at: ContextLocation, value: AbsValue) {
        let frame = self.identities.frame(at.context);
        let mut state = state;
        self.end_frame(&mut state, at, frame);
        if self.identities.context(frame).kind == ContextKind::Root {
            self.end_thread(state, at, value);
            return;
        }
        let mut state = AbsState { registers: Default::default(), ..state };
        let mut value = value;
        // Two activations of a shared frame may not mean the same by a name.
        if self.identities.context(frame).kind == ContextKind::Recursion {
            state.forget_if(&self.names, |_| true);
            value.set_name(None);
        }
        let (state, value) = match self.now.returns.remove(&frame) {
            Some((known, result)) => {
                // Returns of a shared frame may feed each other.
                let widens = self.identities.context(frame).kind == ContextKind::Recursion;
                let result = if widens { result.widen(&value) } else { result.join(&value) };
                (known.join(state, &self.names, frame, widens), result)
            }
            None => (state, value),
        };
        self.now.returns.insert(frame, (state.clone(), value.clone()));
        for caller in self.now.callers.get(&frame).cloned().unwrap_or_default() {
            self.resume(frame, caller, &state, &value);
        }
    }

    fn resume(&mut self, callee: ContextId, call: FlowNode, state: &AbsState, value: &AbsValue) {
        let Caller { state: before, target } = self.now.calls[&call].clone();
        let mut before = AbsState { registers: before.registers, ..AbsState::default() };
        let shared = self.identities.context(callee).kind == ContextKind::Recursion;
        let identities = &self.identities;
        before.forget_if(&self.names, |context| shared || identities.is_inside(context, callee));
        let mut after = AbsState { registers: before.registers, ..state.clone() };
        if let Some(target) = target {
            self.assign(&mut after, call.context, target, value.clone());
        }
        self.arrive(FlowNode { index: call.index + 1, ..call }, after);
    }

    fn end_thread(&mut self, mut state: AbsState, at: ContextLocation, result: AbsValue) {
        self.note_end(&state, at);
        let thread = self.identities.context(at.context).thread;
        self.end_thread_locals(&mut state, at);
        self.world.end(thread, ThreadEnding { joined: state.joined, result: result.named(None) });
    }

    /// Sets a register; nothing that was said of its old value may be believed of the new one.
    pub(crate) fn assign(&mut self, state: &mut AbsState, context: ContextId, target: RegisterId, mut value: AbsValue) {
        let frame = self.identities.frame(context);
        if let Some(root) = self.names.find(&NameKind::Register(frame, target)) {
            state.forget(&self.names, root);
            if value.name().is_some_and(|name| self.names.depends(name, root)) {
                value.set_name(None);
            }
        }
        self.note_value(self.identities.context(frame).function, target, &value);
        state.registers.insert(target, Rc::new(value));
    }

    fn note_reached(&mut self, location: Location) {
        if let (Some(_), Some(notebook)) = (&self.accesses, &mut self.notebook) {
            notebook.reached.insert(location);
        }
    }

    pub(crate) fn note_value(&mut self, function: FunctionId, register: RegisterId, value: &AbsValue) {
        if let (Some(_), Some(notebook)) = (&self.accesses, &mut self.notebook) {
            notebook.note_value(function, register, value);
        }
    }

    /// The name of what the instruction produces now.
    pub(crate) fn result_name(&mut self, state: &mut AbsState, at: ContextLocation, which: u8) -> Name {
        let name = self.names.name(NameKind::Result(at.context, at.location, which));
        state.forget(&self.names, name.base);
        name
    }

    pub(crate) fn reach_unsupported(&mut self, location: Location) {
        self.now.unsupported.get_or_insert(location);
    }

    /// Whether no other thread can run at this moment.
    pub(crate) fn is_alone(&self, state: &AbsState, context: ContextId) -> bool {
        let thread = self.identities.context(context).thread;
        let here = Moment { thread, created: &state.created, joined: &state.joined };
        self.identities.is_unique_thread(thread)
            && self.identities.threads().all(|other| {
                other == thread || state.joined.contains(&other) || precedes_creation(&self.identities, here, other)
            })
    }
}

/// Locals whose life begins at several places, or in a loop.
fn begun_again(function: &Function) -> BTreeSet<LocalId> {
    let loops = Loops::new(&Cfg::new(function));
    let (mut once, mut again) = (BTreeSet::new(), BTreeSet::new());
    for (block, body) in function.blocks.iter_enumerated() {
        for instruction in &body.instructions {
            if let InstructionKind::Begin { local } = instruction.kind
                && (!once.insert(local) || loops.innermost(block).is_some())
            {
                again.insert(local);
            }
        }
    }
    again
}

/// The loops around a block, outer ones first.
fn around(loops: &Loops, block: BlockId) -> Vec<LoopId> {
    let mut path: Vec<LoopId> = std::iter::successors(loops.innermost(block), |&id| loops.get(id).parent).collect();
    path.reverse();
    path
}

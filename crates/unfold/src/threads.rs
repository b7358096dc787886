//! Thread instances: creating them, running them one after the other, their ends, and joins.

use std::rc::Rc;

use base::Span;
use events::{CutKind, GuardId, Guards, Instance, InstanceId, NodeHb, NodeId};
use program::{Function, FunctionId, Location, limits};
use rustc_hash::FxHashMap;
use symbolic::{ObjectKey, SymValue};
use terms::TermId;

use crate::critical_section::Locks;
use crate::idle_rounds::Activity;
use crate::state::State;
use crate::unfolder::{Failure, Site, Unfolder};

/// An instance that is still to be unfolded.
pub(crate) struct PendingThread {
    pub instance: InstanceId,
    pub function: FunctionId,
    pub arguments: Vec<SymValue>,
    pub state: State,
    pub span: Span,
}

/// What a `pthread_t` of an instance holds. The interpreter numbers differently; no program depends on the numbers (see
/// `program::handles`).
pub(crate) fn handle(instance: InstanceId) -> u64 {
    program::handles::handle_number(u64::from(instance.0))
}

/// What a thread waits for where it may be left waiting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WaitsFor {
    /// A thread that does not wait for this one: if it never ends, that is its own doing.
    LaterThread,
    Anything,
}

impl Unfolder<'_> {
    pub fn start_main(&mut self) -> Result<(), Failure> {
        let mut state = State {
            guard: Guards::ROOT,
            registers: Rc::default(),
            locals: Rc::default(),
            living: Rc::default(),
            memory: Rc::new(FxHashMap::default()),
            held: Rc::default(),
            locks: Locks::new(),
            joined: Rc::default(),
            single: true,
            atomic: None,
            activity: Activity::new(),
            last_wake_up: None,
            overwritten: Vec::new(),
        };
        for (global, body) in self.program.globals.iter_enumerated() {
            if !body.thread_local {
                let object = self.object(ObjectKey::Global(global));
                self.initialise_global(&mut state, global, object)?;
            }
        }
        let nowhere = self.nowhere();
        self.deny_threads(&mut state, &nowhere)?;
        let function = self.program.entry;
        let instance = self.new_instance("main".to_owned(), None);
        let (truth, joinable, site) = (self.graph.terms.boolean(true), self.graph.terms.boolean(false), self.nowhere());
        self.write_claim(&mut state, instance, truth, joinable, &site)?;
        let span = self.program.functions[function].span;
        if !self.is_modular() && limits::global_bytes(self.program) > limits::GLOBAL_BYTES {
            let always = self.graph.terms.boolean(true);
            let what = format!("more than {} bytes of global variables", limits::GLOBAL_BYTES);
            self.cut_where(&mut state, always, &what, &Site { span, ..nowhere });
        }
        self.threads.push_back(PendingThread { instance, function, arguments: Vec::new(), state, span });
        Ok(())
    }

    pub fn new_instance(&mut self, name: String, spawned_by: Option<(NodeId, GuardId)>) -> InstanceId {
        let finished = self.finished(self.graph.instances.next_id());
        self.graph.instances.push(Instance {
            name,
            spawned_by,
            nodes: Vec::new(),
            steps: Vec::new(),
            choices: Vec::new(),
            allocations: Vec::new(),
            finished,
        })
    }

    /// The handle of an instance; unknown if it is only one of many of its kind.
    pub fn handle_of(&mut self, instance: InstanceId, is_one_of_many: bool) -> SymValue {
        let bits = u32::from(self.program.data_model.pointer_bits());
        SymValue::Int(match is_one_of_many {
            true => self.terms().bv_variable("handle", bits),
            false => self.pointer_constant(handle(instance)),
        })
    }

    pub fn run_thread(&mut self, thread: PendingThread) -> Result<(), Failure> {
        let PendingThread { instance, function, arguments, mut state, span } = thread;
        self.instance = instance;
        self.made.clear();
        self.open_node = None;
        for (global, body) in self.program.globals.iter_enumerated() {
            if body.thread_local {
                let object = self.object(ObjectKey::ThreadLocal { global, instance: instance.0 });
                self.initialise_global(&mut state, global, object)?;
            }
        }
        for (state, value) in self.call(state, function, &arguments, span)? {
            let null = SymValue::Int(self.pointer_constant(0));
            self.end_thread(state, value.unwrap_or(null));
        }
        let ends = std::mem::take(&mut self.exits);
        let ends = self.terms().or_all(&ends);
        let finished = self.graph.instances[instance].finished;
        let constraint = self.terms().iff(finished, ends);
        self.graph.constraints.push(constraint);
        Ok(())
    }

    /// The thread has come to its end in `state` and leaves `value` to those who join it.
    pub fn end_thread(&mut self, mut state: State, value: SymValue) {
        let cell = self.result_cell(self.instance);
        let truth = self.graph.terms.boolean(true);
        let site = self.nowhere();
        self.open_node = None;
        self.keep_section(&mut state);
        self.leave_gap_at_thread_locals(&state, &site);
        self.node_hb = NodeHb::BOTH;
        let left = self.leave_sections(&mut state, &Locks::new(), &site);
        debug_assert!(left.is_ok(), "what a section wrote should fit where it is written");
        self.open_node = None;
        let written = self.write_cell(&mut state, cell, truth, &value, &site);
        debug_assert!(written.is_ok(), "the result of a thread should be written whole");
        self.open_node = None;
        let guard = self.guard_term(&state);
        self.exits.push(guard);
    }

    /// Creates, when `condition` holds, a thread that runs `function`, the next instance.
    pub fn spawn(
        &mut self,
        state: &mut State,
        condition: TermId,
        function: FunctionId,
        argument: SymValue,
        detached: TermId,
        site: &Site,
    ) -> Result<(), Failure> {
        self.keep_section_with_gap(state, "a thread created in an atomic section that may fail", site.span);
        if self.graph.instances.len() as u32 > self.options.threads {
            let mut missed = state.standing();
            missed.guard = self.and_guard(missed.guard, condition);
            self.cut(missed, CutKind::Threads, site.span);
            let otherwise = self.terms().not(condition);
            self.restrict(state, otherwise);
            return Ok(());
        }
        let node = match self.open_node {
            Some(node) => node,
            None => self.node(state, site.span),
        };
        if state.single {
            self.publish(state, Some(node), site.span);
        }
        self.open_node = Some(node);
        state.note_activity(&mut self.graph.terms, condition);
        let guard = self.and_guard(state.guard, condition);
        let name = self.program.functions[function].name.clone();
        let instance = self.new_instance(name, Some((node, guard)));
        self.survey.note_parent(instance, self.instance);
        self.note_creation(instance, &argument);
        self.write_claim(state, instance, condition, detached, site)?;
        let exists = self.graph.guards.term(guard);
        self.note_thread_created(instance, exists, detached);
        let (held, locks) = (Rc::default(), Locks::new());
        let (activity, living) = (Activity::new(), Rc::default());
        let (last_wake_up, overwritten) = (None, Vec::new());
        let mut start =
            State { atomic: None, guard, activity, living, held, locks, last_wake_up, overwritten, ..state.clone() };
        start.forget_shared(&self.survey);
        let arguments = vec![argument];
        self.threads.push_back(PendingThread { instance, function, arguments, state: start, span: site.span });
        self.attach_to_step(node);
        if let Some(step) = self.own_step() {
            step.spawns.push((guard, instance));
        }
        Ok(())
    }

    /// A thread that could go on may still be left waiting for ever: whether it goes on here is free, unless it stands
    /// inside an atomic section, which is entered only if it can be left. Returns when it stays.
    pub fn block_until_scheduled(&mut self, state: &mut State, waits_for: WaitsFor) -> TermId {
        if state.atomic.is_some() {
            return self.graph.terms.boolean(false);
        }
        let proceeds = self.terms().bool_variable("proceeds");
        if waits_for == WaitsFor::Anything {
            self.note_stuck(state, proceeds);
        }
        let (stays, guard) = (self.terms().not(proceeds), self.guard_term(state));
        self.restrict(state, proceeds);
        self.terms().and(guard, stays)
    }

    /// `condition` must hold for the thread to be where it is: it was blocked otherwise.
    pub fn require(&mut self, state: &State, condition: TermId) {
        if let Some(section) = state.atomic {
            self.survey.note_refusable(section.begin);
        }
        let (guard, counts) = (self.guard_term(state), self.counts(state.atomic));
        let guard = self.terms().and(guard, counts);
        let constraint = self.terms().implies(guard, condition);
        self.graph.constraints.push(constraint);
    }

    /// The site of what the user did not write.
    pub fn nowhere(&self) -> Site {
        let location = Location { function: self.program.entry, block: Function::ENTRY, index: 0 };
        Site { location, span: Span::UNKNOWN }
    }

    pub fn pointer_constant(&mut self, value: u64) -> TermId {
        let bits = u32::from(self.program.data_model.pointer_bits());
        self.terms().constant(bits, value)
    }
}

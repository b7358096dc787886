//! Thread instances: creating them, running them one after the other, their ends, and joins.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use base::Span;
use events::{CutKind, Guards, InstanceId, NodeHb};
use program::FunctionId;
use rustc_hash::FxHashMap;
use symbolic::{ObjectKey, SymValue};
use terms::TermId;

use crate::critical_section::Locks;
use crate::idle_rounds::Activity;
use crate::joins::JoinPoint;
use crate::open_step::OpenStep;
use crate::state::SymState;
use crate::synchroniser::Synchroniser;
use crate::unfolder::UnfoldFailure;

/// An instance that is still to be unfolded.
pub(crate) struct PendingThread {
    pub instance: InstanceId,
    pub function: FunctionId,
    pub arguments: Vec<SymValue>,
    pub state: SymState,
    pub span: Span,
}

/// What a `pthread_t` of an instance holds. The interpreter numbers differently; no program depends on the numbers (see
/// `program::handles`).
pub(crate) fn handle(instance: InstanceId) -> u64 {
    program::handles::handle_number(u64::from(instance.0))
}

pub(crate) struct Threads<'a> {
    synchroniser: Synchroniser<'a>,
    pending: VecDeque<PendingThread>,
    /// The guards of the ends of the instance at work.
    exits: Vec<TermId>,
    pub join_points: Vec<JoinPoint>,
}

impl<'a> Deref for Threads<'a> {
    type Target = Synchroniser<'a>;

    fn deref(&self) -> &Synchroniser<'a> {
        &self.synchroniser
    }
}

impl<'a> DerefMut for Threads<'a> {
    fn deref_mut(&mut self) -> &mut Synchroniser<'a> {
        &mut self.synchroniser
    }
}

impl<'a> Threads<'a> {
    pub fn new(synchroniser: Synchroniser<'a>) -> Self {
        Self { synchroniser, pending: VecDeque::new(), exits: Vec::new(), join_points: Vec::new() }
    }

    pub fn into_synchroniser(self) -> Synchroniser<'a> {
        self.synchroniser
    }

    pub fn next_pending(&mut self) -> Option<PendingThread> {
        self.pending.pop_front()
    }
}

impl Threads<'_> {
    pub fn start_main(&mut self) -> Result<(), UnfoldFailure> {
        let mut state = SymState {
            instance: InstanceId(0),
            guard: Guards::ROOT,
            registers: Rc::default(),
            locals: Rc::default(),
            living: Rc::default(),
            memory: Rc::new(FxHashMap::default()),
            held: Rc::default(),
            locks: Locks::new(),
            joined: Rc::default(),
            words: None,
            single: true,
            atomic: None,
            activity: Activity::new(),
            last_wake_up: None,
            overwritten: Vec::new(),
        };
        let mut step = OpenStep::between(&state, self.nowhere());
        for (global, body) in self.program.globals.iter_enumerated() {
            if !body.thread_local {
                let object = self.object(ObjectKey::Global(global));
                self.initialise_global(&mut state, global, object, &mut step)?;
            }
        }
        self.deny_threads(&mut state, &mut step)?;
        let function = self.program.entry;
        let instance = self.graph.new_instance("main".to_owned(), None);
        let (truth, joinable) = (self.graph.terms.boolean(true), self.graph.terms.boolean(false));
        self.write_claim(&mut state, instance, truth, joinable, &mut step)?;
        let span = self.program.functions[function].span;
        if let Some(what) = self.abstraction().lack_of_room_for_globals(self.program) {
            let always = self.graph.terms.boolean(true);
            step.site.span = span;
            self.cut_where(&mut state, always, &what, &step);
        }
        self.pending.push_back(PendingThread { instance, function, arguments: Vec::new(), state, span });
        Ok(())
    }

    /// The handle of an instance; unknown if it is only one of many of its kind.
    pub fn handle_of(&mut self, instance: InstanceId, is_one_of_many: bool) -> SymValue {
        let bits = u32::from(self.program.data_model.pointer_bits());
        SymValue::Int(match is_one_of_many {
            true => self.terms().bv_variable("handle", bits),
            false => self.pointer_constant(handle(instance)),
        })
    }

    /// The thread has come to its end in `state` and leaves `value` to those who join it.
    pub fn end_thread(&mut self, mut state: SymState, value: SymValue) {
        let cell = self.result_cell(state.instance);
        let truth = self.graph.terms.boolean(true);
        let mut step = OpenStep { node_hb: NodeHb::BOTH, ..OpenStep::between(&state, self.nowhere()) };
        self.keep_section(&mut state);
        self.divide_steps(&mut state);
        self.leave_gap_at_thread_locals(&state, &mut step);
        let left = self.leave_sections(&mut state, &Locks::new(), &mut step.clone());
        debug_assert!(left.is_ok(), "what a section wrote should fit where it is written");
        let written = self.write_cell(&mut state, cell, truth, &value, &mut step);
        debug_assert!(written.is_ok(), "the result of a thread should be written whole");
        let guard = self.guard_term(&state);
        self.exits.push(guard);
    }

    /// Creates, when `condition` holds, a thread that runs `function`, the next instance.
    pub fn spawn(
        &mut self,
        state: &mut SymState,
        condition: TermId,
        function: FunctionId,
        argument: SymValue,
        detached: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        self.keep_section_with_gap(state, "a thread created in an atomic section that may fail", step.site.span);
        if self.graph.instances.len() as u32 > self.options.threads {
            let mut missed = state.standing();
            missed.guard = self.and_guard(missed.guard, condition);
            self.cut(missed, CutKind::Threads, step.site.span);
            let otherwise = self.terms().not(condition);
            self.restrict(state, otherwise);
            return Ok(());
        }
        let node = match step.node {
            Some(node) => node,
            None => self.graph.node(state, step),
        };
        step.node = Some(node);
        if state.single {
            self.publish(state, step);
        }
        self.divide_steps(state);
        state.note_activity(self.graph.terms(), condition);
        let guard = self.and_guard(state.guard, condition);
        let name = self.program.functions[function].name.clone();
        let instance = self.graph.new_instance(name, Some((node, guard)));
        self.survey.note_parent(instance, step.instance);
        let (abstraction, paths) = self.abstraction_and_paths();
        abstraction.note_creation(&mut paths.survey, step.instance, instance, &argument);
        self.write_claim(state, instance, condition, detached, step)?;
        let exists = self.graph.guards.term(guard);
        self.note_thread_created(instance, exists, detached);
        let (held, locks) = (Rc::default(), Locks::new());
        let (activity, living) = (Activity::new(), Rc::default());
        let (last_wake_up, overwritten) = (None, Vec::new());
        let words = state.words.as_ref().map(|words| Rc::new(words.for_created(&self.graph.terms)));
        let mut start = SymState {
            instance,
            atomic: None,
            guard,
            activity,
            living,
            held,
            locks,
            last_wake_up,
            overwritten,
            words,
            ..state.clone()
        };
        start.forget_shared(&self.survey);
        let arguments = vec![argument];
        self.pending.push_back(PendingThread { instance, function, arguments, state: start, span: step.site.span });
        self.graph.attach_to_step(step, node);
        if let Some(own) = self.graph.own_step(step) {
            own.spawns.push((guard, instance));
        }
        Ok(())
    }

    /// An instance begins, in this state.
    pub fn begin_thread(&mut self, state: &mut SymState) -> Result<(), UnfoldFailure> {
        self.births.forget();
        let instance = state.instance;
        let mut step = OpenStep::between(state, self.nowhere());
        for (global, body) in self.program.globals.iter_enumerated() {
            if body.thread_local {
                let object = self.object(ObjectKey::ThreadLocal { global, instance: instance.0 });
                self.initialise_global(state, global, object, &mut step)?;
            }
        }
        Ok(())
    }

    /// All paths of an instance have been followed.
    pub fn note_ends(&mut self, instance: InstanceId) {
        let ends = std::mem::take(&mut self.exits);
        let ends = self.terms().or_all(&ends);
        let finished = self.graph.instances[instance].finished;
        let constraint = self.terms().iff(finished, ends);
        self.graph.constrain(constraint);
    }
}

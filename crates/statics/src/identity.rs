//! Who is who in the analysis: calling contexts, threads and memory objects, each a number for a description.
//!
//! A *context* is a path of calls from the start of a thread, with the round of each loop that is being followed round by
//! round. A context is *repeated* if an execution may pass it more than once: in the later rounds of a loop, which share one
//! context, and in recursion, where all deeper activations of a function share one.
//!
//! A *thread* is the place that creates it, in its context; an *object* is its declaration or allocation in its context.
//! Each stands for one concrete thread or object per execution if it is *unique*, else for any number.

use std::collections::BTreeSet;

use base::{Id, IdVec, define_id};
use program::loops::LoopId;
use program::{FunctionId, GlobalId, LocalId, Location, Program};
use rustc_hash::FxHashMap;

define_id!(
    /// A context.
    ContextId,
    "c"
);
define_id!(
    /// A thread of the analysis; 0 is the main thread.
    ThreadId,
    "t"
);
define_id!(
    /// An object of the analysis.
    ObjectId,
    "o"
);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ContextKind {
    /// The thread's first activation.
    Root,
    /// Called from there.
    Call(Location),
    /// Any activation of a function that is active already.
    Recursion,
    /// Inside a loop: in one of the first rounds, or (`None`) in any later one.
    Round(LoopId, Option<u32>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Context {
    pub thread: ThreadId,
    pub function: FunctionId,
    pub kind: ContextKind,
    /// The caller's context, or the one around the loop.
    pub parent: Option<ContextId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AbsThread {
    /// The creating thread's context and place; `None` for the main thread.
    pub origin: Option<(ContextId, Location)>,
    pub function: FunctionId,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Object {
    Global(GlobalId),
    ThreadLocal(GlobalId, ThreadId),
    /// Of the activation whose frame this is.
    Local(ContextId, LocalId),
    Allocation(ContextId, Location),
}

#[derive(Default)]
pub struct Identities {
    contexts: Interned<ContextId, Context>,
    threads: Interned<ThreadId, AbsThread>,
    objects: Interned<ObjectId, Object>,
    repeated: IdVec<ContextId, bool>,
    /// Threads of which there may be several for another reason than where they are created.
    plural: BTreeSet<ThreadId>,
}

impl Identities {
    pub fn context(&self, id: ContextId) -> Context {
        self.contexts.items[id]
    }

    pub fn thread(&self, id: ThreadId) -> AbsThread {
        self.threads.items[id]
    }

    pub fn object(&self, id: ObjectId) -> Object {
        self.objects.items[id]
    }

    pub fn threads(&self) -> impl Iterator<Item = ThreadId> + use<> {
        self.threads.items.ids()
    }

    pub fn thread_count(&self) -> usize {
        self.threads.items.len()
    }

    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + use<> {
        self.objects.items.ids()
    }

    pub fn make_context(&mut self, context: Context) -> ContextId {
        let id = self.contexts.intern(context);
        if self.repeated.len() <= id.index() {
            let own = matches!(context.kind, ContextKind::Recursion | ContextKind::Round(_, None));
            self.repeated.push(own || context.parent.is_some_and(|parent| self.repeated[parent]));
        }
        id
    }

    pub fn make_thread(&mut self, thread: AbsThread) -> ThreadId {
        self.threads.intern(thread)
    }

    pub fn make_object(&mut self, object: Object) -> ObjectId {
        self.objects.intern(object)
    }

    pub fn find_object(&self, object: Object) -> Option<ObjectId> {
        self.objects.find(&object)
    }

    pub fn is_repeated(&self, context: ContextId) -> bool {
        self.repeated[context]
    }

    /// Changes whenever there is a new thread, or one becomes plural.
    pub fn version(&self) -> u64 {
        (self.threads.items.len() + self.plural.len()) as u64
    }

    pub fn context_count(&self) -> usize {
        self.contexts.items.len()
    }

    pub fn make_plural(&mut self, thread: ThreadId) {
        self.plural.insert(thread);
    }

    /// Whether at most one thread of an execution is this one.
    pub fn is_unique_thread(&self, thread: ThreadId) -> bool {
        if self.plural.contains(&thread) {
            return false;
        }
        match self.thread(thread).origin {
            None => true,
            Some((context, _)) => !self.is_repeated(context) && self.is_unique_thread(self.context(context).thread),
        }
    }

    /// Whether at most one object of an execution is this one.
    pub fn is_unique_object(&self, object: ObjectId) -> bool {
        match self.object(object) {
            Object::Global(_) => true,
            Object::ThreadLocal(_, thread) => self.is_unique_thread(thread),
            Object::Local(context, _) | Object::Allocation(context, _) => {
                !self.is_repeated(context) && self.is_unique_thread(self.context(context).thread)
            }
        }
    }

    /// The thread that makes the object, if one does.
    pub fn maker(&self, object: ObjectId) -> Option<ThreadId> {
        match self.object(object) {
            Object::Global(_) => None,
            Object::ThreadLocal(_, thread) => Some(thread),
            Object::Local(context, _) | Object::Allocation(context, _) => Some(self.context(context).thread),
        }
    }

    pub fn creator(&self, thread: ThreadId) -> Option<ThreadId> {
        self.thread(thread).origin.map(|(context, _)| self.context(context).thread)
    }

    /// The frame that a context belongs to: the context without the loops around.
    pub fn frame(&self, mut context: ContextId) -> ContextId {
        while let Context { kind: ContextKind::Round(..), parent: Some(parent), .. } = self.context(context) {
            context = parent;
        }
        context
    }

    /// Whether `inner` is `outer` or was entered from it.
    pub fn is_inside(&self, inner: ContextId, outer: ContextId) -> bool {
        let mut context = Some(inner);
        while let Some(current) = context {
            if current == outer {
                return true;
            }
            context = self.context(current).parent;
        }
        false
    }

    /// Whether `function` is active in the context, as far as the context knows.
    pub fn is_active(&self, context: ContextId, function: FunctionId) -> bool {
        let mut context = Some(context);
        while let Some(current) = context {
            let known = self.context(current);
            if known.function == function {
                return true;
            }
            context = known.parent;
        }
        false
    }

    pub fn depth(&self, context: ContextId) -> usize {
        std::iter::successors(Some(context), |&current| self.context(current).parent).count()
    }

    /// The object as a user would name it.
    pub fn describe(&self, program: &Program, object: ObjectId) -> String {
        match self.object(object) {
            Object::Global(global) | Object::ThreadLocal(global, _) => program.globals[global].name.clone(),
            Object::Local(context, local) => {
                let function = &program.functions[self.context(context).function];
                format!("{} of {}", function.locals[local].name, function.name)
            }
            Object::Allocation(_, location) => {
                format!("the allocation at {}", program.files.describe(program.span(location)))
            }
        }
    }
}

/// Values numbered in the order of their first appearance.
pub struct Interned<I, T> {
    pub items: IdVec<I, T>,
    index: FxHashMap<T, I>,
}

impl<I: Id, T: Clone + Eq + std::hash::Hash> Interned<I, T> {
    pub fn intern(&mut self, item: T) -> I {
        if let Some(&known) = self.index.get(&item) {
            return known;
        }
        let id = self.items.push(item.clone());
        self.index.insert(item, id);
        id
    }

    pub fn find(&self, item: &T) -> Option<I> {
        self.index.get(item).copied()
    }
}

impl<I: Id, T> Default for Interned<I, T> {
    fn default() -> Self {
        Self { items: IdVec::new(), index: FxHashMap::default() }
    }
}

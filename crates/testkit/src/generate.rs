//! Random multi-threaded C programs, small enough for the explorer and rich enough to tell a wrong engine from a right
//! one. A seed and a set of features name a program.
//!
//! Every loop ends after at most [`MAX_ROUNDS`] rounds, except spin loops, whose rounds change nothing; every input is
//! masked to [`INPUTS`].

use base::Id;

use crate::c_program::{
    ArrayVar, AtomicVar, BareOperation, Barrier, Block, CExpr, CNode, COperator, CPlace, CProgram, CTarget, CVariable,
    Condition, GlobalVar, Helper, HelperBody, LocalVar, LockKind, LockOrigin, LoopForm, MemoryOrder, Mutex, NodeTarget,
    NodeVar, PointerVar, ReferenceCopy, ReferenceVar, Rwlock, Semaphore, Statement, Stretch, Thread, ThreadArgument,
    ThreadStart, TryAcquire, UnionMember, UnionVar, UpdateBuiltin,
};
use crate::features::{Feature, Features};
use crate::random::Random;

/// No loop of a generated program has more rounds than this.
pub const MAX_ROUNDS: u32 = 3;

/// Inputs are masked so that these cover all that can happen.
pub const INPUTS: std::ops::RangeInclusive<i64> = 0..=3;

const MUTEXES: usize = 2;
const CONDITIONS: usize = 1;
const RWLOCKS: usize = 1;
const NODES: usize = 2;
const REFERENCES: usize = 2;

/// How much a thread does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreadSize {
    /// A few statements: the explorer is done within some milliseconds.
    Small,
    Usual,
}

/// The program that `seed` and `features` name. It has about two thirds of the features.
pub fn generate(seed: u64, features: Features) -> CProgram {
    generate_sized(seed, features, ThreadSize::Usual)
}

/// As [`generate`], in a size.
pub fn generate_sized(seed: u64, features: Features, size: ThreadSize) -> CProgram {
    let mut random = Random::new(seed);
    // Programs with a few features each differ more than programs with all of them.
    // Later features are drawn apart, so that a seed names the same program with and without them.
    let mut later = Random::new(seed ^ 0x9e37_79b9);
    let drawn = |feature: &Feature| match feature {
        Feature::Misuses => true,
        Feature::Bytes => later.chance(65),
        new if *new as u8 > Feature::Bytes as u8 => later.chance(30),
        _ => random.chance(65),
    };
    let features = Feature::ALL.into_iter().filter(drawn).filter(|&feature| features.contains(feature));
    let features = Features::of(&features.collect::<Vec<_>>());
    let mut generator = Generator { random, features, size, program: CProgram::default(), fuel: 0 };
    generator.declare();
    generator.helpers();
    generator.threads();
    generator.main();
    generator.program
}

struct Generator {
    random: Random,
    features: Features,
    size: ThreadSize,
    program: CProgram,
    /// About how many accesses to shared memory the current body may still make.
    fuel: usize,
}

/// Where a statement will stand.
#[derive(Clone, Copy)]
struct GeneratorScope {
    locals: u32,
    /// Helpers with a smaller number may be called.
    helpers: usize,
    depth: u32,
    /// How often the statement runs in the worst case.
    rounds: usize,
    in_loop: bool,
    in_atomic: bool,
    in_helper: bool,
    argument: ArgumentKind,
}

/// What the argument of the function is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentKind {
    Unused,
    Number,
    Pointer,
}

impl GeneratorScope {
    fn of_function(locals: u32, helpers: usize, in_helper: bool) -> Self {
        let argument = ArgumentKind::Unused;
        Self { locals, helpers, depth: 0, rounds: 1, in_loop: false, in_atomic: false, in_helper, argument }
    }

    fn inner(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }

    fn atomic(self) -> Self {
        Self { in_atomic: true, in_loop: false, ..self.inner() }
    }

    fn looping(self, rounds: u32) -> Self {
        Self { in_loop: true, rounds: self.rounds * rounds as usize, ..self.inner() }
    }
}

/// The kinds of statements, to be drawn by weight.
#[derive(Clone, Copy)]
enum StatementKind {
    Assign,
    Compound,
    Increment,
    Fill,
    Copy,
    Point,
    Free,
    If,
    Loop,
    Spin,
    Leave,
    Atomic,
    Lock,
    Misnest,
    TryLock,
    ReadLock,
    WriteLock,
    Wait,
    Notify,
    SemaphoreWait,
    SemaphorePost,
    Barrier,
    Bare,
    Assume,
    Assert,
    Call,
    Attempt,
    TimedWait,
    CopyLock,
    SetEntry,
    AtomicStore,
    Fence,
    Node,
    Reference,
}

impl Generator {
    fn has(&self, feature: Feature) -> bool {
        self.features.contains(feature)
    }

    fn declare(&mut self) {
        let globals = 2 + self.random.below(3);
        self.program.globals = (0..globals).map(|_| self.random.weighted(&[(4, 0), (2, 1), (1, 2)])).collect();
        if self.has(Feature::Arrays) {
            let length = self.random.pick(&[2, 4]);
            self.program.arrays = vec![(0..length).map(|_| self.random.below(2) as i32).collect()];
        }
        if self.has(Feature::Pointers) {
            let pointers = 1 + self.random.below(2);
            self.program.pointers = (0..pointers).map(|_| self.initial_target()).collect();
        }
        if self.has(Feature::Bytes) {
            self.program.unions = vec![self.random.below(3) as i32, -1];
        }
        if self.has(Feature::Semaphores) {
            self.program.semaphores = vec![1 + self.random.below(2) as u32];
        }
        if self.has(Feature::Barriers) {
            self.program.barriers = vec![2];
        }
        if self.has(Feature::Orders) {
            self.program.atomics = vec![self.random.below(2) as i32];
        }
        if self.has(Feature::FailingCalls) {
            self.program.options.failures.allocation = self.random.chance(60);
            self.program.options.failures.creation = self.random.chance(30);
        }
        if self.has(Feature::LockOrigins) {
            self.program.mutexes = (0..MUTEXES).map(|_| self.mutex_origin()).collect();
            self.program.rwlocks = (0..RWLOCKS).map(|_| self.lock_origin()).collect();
            self.program.conditions = (0..CONDITIONS).map(|_| self.lock_origin()).collect();
        }
    }

    fn mutex_origin(&mut self) -> LockOrigin {
        let kind = self.random.weighted(&[(3, LockKind::Normal), (2, LockKind::Recursive), (2, LockKind::ErrorCheck)]);
        match self.random.below(6) {
            0 => LockOrigin::Static(kind),
            1 => LockOrigin::Attributes(kind),
            2 => LockOrigin::Copied(kind),
            3 => self.random.pick(&[LockOrigin::Heap(kind), LockOrigin::HeapCopied(kind)]),
            4 => self.random.pick(&[LockOrigin::Local(kind), LockOrigin::LocalCall(kind)]),
            _ => self.lock_origin(),
        }
    }

    /// A way that leads to any kind of lock, without attributes.
    fn lock_origin(&mut self) -> LockOrigin {
        use LockOrigin::*;
        let normal = LockKind::Normal;
        self.random.pick(&[
            Static(normal),
            Attributes(normal),
            Filled,
            Member,
            Element,
            Calloc,
            Heap(normal),
            HeapFilled,
            Local(normal),
            LocalCall(normal),
        ])
    }

    fn initial_target(&mut self) -> CTarget {
        if self.has(Feature::Heap) && self.random.chance(40) {
            return CTarget::Null;
        }
        if !self.program.arrays.is_empty() && self.random.chance(40) {
            CTarget::Element(ArrayVar(0), Box::new(CExpr::Constant(self.random.below(2) as i32)))
        } else {
            CTarget::Global(self.global())
        }
    }

    fn helpers(&mut self) {
        let is_tabled = self.has(Feature::FunctionTables);
        if !self.has(Feature::Helpers) && !is_tabled {
            return;
        }
        let count = if is_tabled { 1 + self.random.below(2) } else { self.random.below(3) };
        for index in 0..count {
            let parameters = if is_tabled { 1 } else { self.random.below(3) as u32 };
            let atomic = self.has(Feature::AtomicSections) && self.random.chance(30);
            let mut scope = GeneratorScope::of_function(parameters + 1, index, true);
            scope.in_atomic = atomic;
            self.fuel = 3;
            let body = self.block(scope, 2);
            let result = self.expression(scope, 1);
            self.program.helpers.push(HelperBody { parameters, atomic, body, result });
        }
        if is_tabled {
            self.program.table = (0..2).map(|_| self.table_entry()).collect();
        }
    }

    /// Mostly a function.
    fn table_entry(&mut self) -> Option<Helper> {
        let helper = Helper::new(self.random.below(self.program.helpers.len()));
        self.random.chance(95).then_some(helper)
    }

    fn threads(&mut self) {
        let count = if self.random.chance(70) { 2 } else { 3 };
        let mut kinds = Vec::new();
        for index in 0..count {
            self.fuel = match (count, self.size) {
                (2, ThreadSize::Usual) => 12,
                (2, ThreadSize::Small) => 7,
                (_, ThreadSize::Usual) => 7,
                (_, ThreadSize::Small) => 3,
            };
            let argument = self.argument_kind();
            let scope =
                GeneratorScope { argument, ..GeneratorScope::of_function(2, self.program.helpers.len(), false) };
            kinds.push(argument);
            let statements = match self.size {
                ThreadSize::Usual => 2 + self.random.below(4),
                ThreadSize::Small => 1 + self.random.below(3),
            };
            let mut body = self.block(scope, statements);
            if self.has(Feature::NestedCreation) && index == 0 && self.random.chance(15) {
                let at = self.random.below(body.len() + 1);
                body.insert(at, Statement::Create(Thread::new(count)));
            }
            self.program.threads.push(body);
        }
        let nested = self.program.threads[0].contains(&Statement::Create(Thread::new(count)));
        if nested {
            self.fuel = 4;
            let scope = GeneratorScope::of_function(1, self.program.helpers.len(), false);
            let mut body = self.block(scope, 2);
            // Only main and the threads it starts create threads.
            body.retain(|statement| !matches!(statement, Statement::Create(_)));
            self.program.threads.push(body);
            if self.random.chance(50) {
                let first = &mut self.program.threads[0];
                let created = first.iter().position(|statement| matches!(statement, Statement::Create(_)));
                let at = created.map_or(0, |at| at + 1) + self.random.below(1 + first.len() - created.unwrap_or(0) - 1);
                first.insert(at, Statement::Join(Thread::new(count)));
            }
        }
        if self.has(Feature::ThreadArguments) || self.has(Feature::FailingCalls) {
            self.program.starts = (0..count).map(|index| self.start(index, &kinds, nested)).collect();
        }
    }

    fn argument_kind(&mut self) -> ArgumentKind {
        match self.has(Feature::ThreadArguments) {
            true => self.random.weighted(&[
                (3, ArgumentKind::Pointer),
                (2, ArgumentKind::Number),
                (1, ArgumentKind::Unused),
            ]),
            false => ArgumentKind::Unused,
        }
    }

    fn start(&mut self, index: usize, kinds: &[ArgumentKind], nested: bool) -> ThreadStart {
        let has_arguments = self.has(Feature::ThreadArguments);
        let runs = if has_arguments && !nested && self.random.chance(40) { 0 } else { index };
        let argument = match kinds[runs] {
            ArgumentKind::Unused => ThreadArgument::Null,
            ArgumentKind::Number => ThreadArgument::Number(self.random.below(3) as i32),
            ArgumentKind::Pointer if self.random.chance(5) => ThreadArgument::Null,
            ArgumentKind::Pointer => ThreadArgument::Pointer(self.argument_target()),
        };
        let result = (has_arguments && self.random.chance(40)).then_some(LocalVar(0));
        let checked = self.has(Feature::FailingCalls) && self.random.chance(85);
        ThreadStart { runs: Thread::new(runs), argument, checked, result }
    }

    fn argument_target(&mut self) -> CTarget {
        let element = if self.program.arrays.is_empty() { 0 } else { 3 };
        let node = if self.has(Feature::Structs) { 2 } else { 0 };
        match self.random.weighted(&[(3, 0), (element, 1), (3, 2), (3, 3), (node, 4)]) {
            0 => CTarget::Global(self.global()),
            1 => CTarget::Element(ArrayVar(0), Box::new(CExpr::Constant(self.random.below(2) as i32))),
            2 => CTarget::Own(LocalVar(0)),
            3 => CTarget::Fresh,
            _ => CTarget::Value(CNode::Global),
        }
    }

    fn main(&mut self) {
        let scope = GeneratorScope::of_function(1, self.program.helpers.len(), false);
        let started_by_threads = self.program.threads[0].iter().any(|s| matches!(s, Statement::Create(_)));
        let count = self.program.threads.len() - usize::from(started_by_threads);
        let mut main = Block::new();
        for thread in 0..count {
            if self.random.chance(15) {
                self.fuel = 3;
                main.extend(self.statement(scope));
            }
            main.push(Statement::Create(Thread::new(thread)));
        }
        if self.random.chance(35) {
            self.fuel = 3;
            main.extend(self.statement(scope));
        }
        if self.random.chance(25) {
            // Before the joins, where no thread that waits for ever can keep main from it.
            main.push(Statement::Assert(self.assertion(scope)));
        }
        let joins_all = self.random.chance(75);
        for thread in 0..count {
            if joins_all || self.random.chance(50) {
                let thread = Thread::new(thread);
                main.push(match self.has(Feature::ThreadArguments) && self.random.chance(30) {
                    true => Statement::JoinInto(thread, self.assigned(scope)),
                    false => Statement::Join(thread),
                });
            }
        }
        if self.has(Feature::Misuses) && self.random.chance(30) {
            let thread = Thread::new(self.random.below(count));
            let claim = if self.random.chance(50) { Statement::Join(thread) } else { Statement::Detach(thread) };
            let at =
                main.iter().rposition(|statement| matches!(statement, Statement::Create(_))).map_or(0, |at| at + 1);
            let at = at + self.random.below(main.len() + 1 - at);
            main.insert(at, claim);
        }
        if self.random.chance(70) || !self.asserts_anywhere() {
            main.push(Statement::Assert(self.assertion(scope)));
        }
        self.program.main = main;
    }

    fn asserts_anywhere(&self) -> bool {
        fn asserts(block: &Block) -> bool {
            block.iter().any(|statement| {
                matches!(statement, Statement::Assert(_)) || statement.blocks().into_iter().any(asserts)
            })
        }
        self.program.threads.iter().any(asserts)
    }

    fn block(&mut self, scope: GeneratorScope, statements: usize) -> Block {
        (0..statements).filter_map(|_| self.statement(scope)).collect()
    }

    /// A statement, unless the fuel is used up.
    fn statement(&mut self, scope: GeneratorScope) -> Option<Statement> {
        self.fuel = self.fuel.checked_sub(scope.rounds)?;
        let kind = self.kind(scope);
        Some(self.statement_of(kind, scope))
    }

    fn kind(&mut self, scope: GeneratorScope) -> StatementKind {
        let when = |condition: bool, weight: usize| if condition { weight } else { 0 };
        let nests = scope.depth < 2;
        // A blocked action inside an atomic section keeps the whole section from being entered, as a failed assume
        // does; bracketing keeps to the simple cases.
        let blocks = !scope.in_atomic;
        let locks = self.has(Feature::Locks) && nests && blocks;
        let weights = [
            (26, StatementKind::Assign),
            (10, StatementKind::Compound),
            (14, StatementKind::Increment),
            (when(self.has(Feature::Bytes), 12), StatementKind::Fill),
            (when(self.has(Feature::Bytes), 14), StatementKind::Copy),
            (when(self.has(Feature::Pointers), 10), StatementKind::Point),
            (when(self.has(Feature::Pointers) && self.has(Feature::Heap), 8), StatementKind::Free),
            (when(nests, 14), StatementKind::If),
            (when(self.has(Feature::Loops) && scope.depth < 1, 9), StatementKind::Loop),
            (when(self.has(Feature::Spins) && blocks && !scope.in_helper && !scope.in_loop, 3), StatementKind::Spin),
            (when(self.has(Feature::EarlyExits) && scope.depth > 0 && !scope.in_atomic, 4), StatementKind::Leave),
            (when(self.has(Feature::AtomicSections) && nests && !scope.in_atomic, 9), StatementKind::Atomic),
            (when(locks, 16), StatementKind::Lock),
            (when(locks, 3), StatementKind::Misnest),
            (when(self.has(Feature::TryLocks) && nests && blocks, 6), StatementKind::TryLock),
            (when(self.has(Feature::Rwlocks) && nests && blocks, 8), StatementKind::ReadLock),
            (when(self.has(Feature::Rwlocks) && nests && blocks, 8), StatementKind::WriteLock),
            (when(self.has(Feature::Conditions) && nests && blocks && !scope.in_loop, 5), StatementKind::Wait),
            (when(self.has(Feature::Conditions) && nests && blocks && !scope.in_loop, 9), StatementKind::Notify),
            (when(self.has(Feature::Semaphores) && blocks, 4), StatementKind::SemaphoreWait),
            (when(self.has(Feature::Semaphores) && blocks, 7), StatementKind::SemaphorePost),
            (
                when(self.has(Feature::Barriers) && blocks && scope.depth == 0 && !scope.in_helper, 4),
                StatementKind::Barrier,
            ),
            (when(self.has(Feature::Misuses) && blocks, 8), StatementKind::Bare),
            (when(self.has(Feature::Assumes), 4), StatementKind::Assume),
            (7, StatementKind::Assert),
            (when(scope.helpers > 0, 8), StatementKind::Call),
            (when(self.has(Feature::Attempts) && nests && blocks, 14), StatementKind::Attempt),
            (when(self.has(Feature::Attempts) && nests && blocks && !scope.in_loop, 3), StatementKind::TimedWait),
            (when(self.has(Feature::LockOrigins) && self.has(Feature::Misuses) && blocks, 3), StatementKind::CopyLock),
            (when(self.has(Feature::FunctionTables) && !scope.in_helper, 6), StatementKind::SetEntry),
            (when(self.has(Feature::Orders), 10), StatementKind::AtomicStore),
            (when(self.has(Feature::Orders), 4), StatementKind::Fence),
            (when(self.has(Feature::Structs), 12), StatementKind::Node),
            (when(self.has(Feature::PointerUnions), 12), StatementKind::Reference),
        ];
        self.random.weighted(&weights)
    }

    fn statement_of(&mut self, kind: StatementKind, scope: GeneratorScope) -> Statement {
        let size = 1 + self.random.below(2);
        match kind {
            StatementKind::Assign => Statement::Assign(self.assigned(scope), self.expression(scope, 2)),
            StatementKind::Compound => {
                let operators =
                    [COperator::Add, COperator::Subtract, COperator::Xor, COperator::Or, COperator::Multiply];
                Statement::Compound(self.assigned(scope), self.random.pick(&operators), self.expression(scope, 1))
            }
            StatementKind::Increment => Statement::Increment(self.assigned(scope)),
            StatementKind::Fill => {
                let (target, length) = self.stretch();
                Statement::Fill { target, length, value: self.leaf(scope) }
            }
            StatementKind::Copy => self.copy(),
            StatementKind::Point => Statement::Point(self.pointer(), self.target(scope)),
            StatementKind::Free => Statement::Free(self.pointer()),
            StatementKind::If => {
                let then = self.block(scope.inner(), size);
                let otherwise = if self.random.chance(50) { self.block(scope.inner(), 1) } else { Block::new() };
                Statement::If { condition: self.condition(scope), then, otherwise }
            }
            StatementKind::Loop => self.counted_loop(scope, size),
            StatementKind::Spin => Statement::Spin(self.comparison_with_constant()),
            StatementKind::Leave if scope.in_loop && self.random.chance(60) => Statement::Break,
            StatementKind::Leave => Statement::Return,
            StatementKind::Atomic => Statement::Atomic(self.block(scope.atomic(), 1 + size)),
            StatementKind::Lock => Statement::Locked(self.mutex(), self.block(scope.inner(), 1 + size)),
            StatementKind::Misnest => Statement::Misnested {
                mutexes: if self.random.chance(50) { (Mutex(0), Mutex(1)) } else { (Mutex(1), Mutex(0)) },
                first: self.block(scope.inner(), size - 1),
                second: self.block(scope.inner(), 1),
                third: self.block(scope.inner(), size - 1),
            },
            StatementKind::TryLock => Statement::TryLocked(self.mutex(), self.block(scope.inner(), size)),
            StatementKind::ReadLock => Statement::ReadLocked(self.rwlock(), self.block(scope.inner(), size)),
            StatementKind::WriteLock => Statement::WriteLocked(self.rwlock(), self.block(scope.inner(), size)),
            StatementKind::Wait => Statement::WaitFor {
                mutex: self.mutex(),
                event: Condition::new(self.random.below(CONDITIONS)),
                again: self.random.chance(70),
                condition: self.comparison_with_constant(),
                body: self.block(scope.inner(), size - 1),
            },
            StatementKind::Notify => Statement::Notify {
                mutex: self.mutex(),
                event: Condition::new(self.random.below(CONDITIONS)),
                broadcast: self.random.chance(40),
                body: self.block(scope.inner(), size),
            },
            StatementKind::SemaphoreWait => Statement::SemaphoreWait(Semaphore(0)),
            StatementKind::SemaphorePost => Statement::SemaphorePost(Semaphore(0)),
            StatementKind::Barrier => Statement::BarrierWait(Barrier(0)),
            StatementKind::Bare => {
                use BareOperation::*;
                let fill = usize::from(self.has(Feature::LockOrigins));
                let operations = [(4, Lock), (5, Unlock), (1, Initialise), (1, Destroy), (fill, Fill)];
                let operation = self.random.weighted(&operations);
                Statement::Bare(operation, self.mutex())
            }
            StatementKind::Assume => Statement::Assume(self.condition(scope)),
            StatementKind::Assert => Statement::Assert(self.assertion(scope)),
            StatementKind::Call => {
                let (helper, arguments) = self.call(scope, 1);
                Statement::Call(helper, arguments)
            }
            StatementKind::Attempt => Statement::Attempt {
                attempt: self.attempt(),
                result: self.local_variable(scope),
                then: self.block(scope.inner(), size),
                otherwise: if self.random.chance(60) { self.block(scope.inner(), 1) } else { Block::new() },
            },
            StatementKind::TimedWait => Statement::TimedWait {
                mutex: self.mutex(),
                event: Condition::new(self.random.below(CONDITIONS)),
                condition: self.comparison_with_constant(),
                result: self.local_variable(scope),
                body: self.block(scope.inner(), size - 1),
            },
            StatementKind::CopyLock => Statement::CopyLock {
                target: self.mutex(),
                source: self.mutex(),
                by_assignment: self.random.chance(50),
            },
            StatementKind::SetEntry => Statement::SetEntry(Box::new(self.index(scope)), self.table_entry()),
            StatementKind::AtomicStore => Statement::AtomicStore(
                self.atomic_place(scope),
                self.random.pick(&[MemoryOrder::Relaxed, MemoryOrder::Release, MemoryOrder::SequentiallyConsistent]),
                self.leaf(scope),
            ),
            StatementKind::Fence => Statement::Fence(self.order()),
            StatementKind::Node => self.node_statement(),
            StatementKind::Reference => self.reference_statement(scope),
        }
    }

    fn attempt(&mut self) -> TryAcquire {
        let timed = self.random.chance(40);
        let rwlocks = if self.has(Feature::Rwlocks) { 2 } else { 0 };
        let semaphores = if self.program.semaphores.is_empty() { 0 } else { 2 };
        match self.random.weighted(&[(4, 0), (rwlocks, 1), (rwlocks, 2), (semaphores, 3)]) {
            0 => TryAcquire::Mutex { lock: self.mutex(), timed },
            1 => TryAcquire::Read { lock: self.rwlock(), timed },
            2 => TryAcquire::Write { lock: self.rwlock(), timed },
            _ => TryAcquire::Semaphore { semaphore: Semaphore(0), timed },
        }
    }

    fn order(&mut self) -> MemoryOrder {
        use MemoryOrder::*;
        self.random.pick(&[Relaxed, Acquire, Release, AcquireRelease, SequentiallyConsistent])
    }

    /// Mostly an atomic object, but atomic operations have other objects, too.
    fn atomic_place(&mut self, scope: GeneratorScope) -> CPlace {
        if self.random.chance(75) { CPlace::Atomic(AtomicVar(0)) } else { self.shared_int(scope) }
    }

    fn node_statement(&mut self) -> Statement {
        let heap = if self.has(Feature::Heap) { 2 } else { 0 };
        match self.random.weighted(&[(6, 0), (3, 1), (4, 2), (heap, 3)]) {
            0 => Statement::PointNode(self.node_pointer(), self.node_target()),
            1 => Statement::Link(self.node(), self.node_target()),
            2 => Statement::CopyNode(self.node(), self.node()),
            _ => Statement::FreeNode(self.node_pointer()),
        }
    }

    fn node_pointer(&mut self) -> NodeVar {
        NodeVar::new(self.random.below(NODES))
    }

    fn node(&mut self) -> CNode {
        match self.random.weighted(&[(5, 0), (3, 1), (3, 2)]) {
            0 => CNode::Behind(self.node_pointer()),
            1 => CNode::Global,
            _ => CNode::Local,
        }
    }

    fn node_target(&mut self) -> NodeTarget {
        let heap = if self.has(Feature::Heap) { 6 } else { 0 };
        let stack = if self.has(Feature::Stack) { 3 } else { 0 };
        match self.random.weighted(&[(1, 0), (heap, 1), (4, 2), (stack, 3), (3, 4), (2, 5)]) {
            0 => NodeTarget::Null,
            1 => NodeTarget::Fresh,
            2 => NodeTarget::Global,
            3 => NodeTarget::Local,
            4 => NodeTarget::Same(self.node_pointer()),
            _ => NodeTarget::Next(self.node()),
        }
    }

    fn reference_statement(&mut self, scope: GeneratorScope) -> Statement {
        use ReferenceCopy::*;
        if self.random.chance(50) {
            return Statement::Refer(self.reference(), self.target(scope));
        }
        let how = self.random.weighted(&[
            (4, Assignment),
            (3, Block),
            (2, Number),
            (1, BlockHalves),
            (1, NumberHalves),
            (1, LowerHalf),
        ]);
        Statement::CopyReference { target: self.reference(), source: self.reference(), how }
    }

    fn reference(&mut self) -> ReferenceVar {
        ReferenceVar::new(self.random.below(REFERENCES))
    }

    fn counted_loop(&mut self, scope: GeneratorScope, size: usize) -> Statement {
        let rounds = 2 + self.random.below(MAX_ROUNDS as usize - 1) as u32;
        Statement::Loop {
            form: self.random.pick(&[LoopForm::For, LoopForm::While, LoopForm::DoWhile]),
            rounds,
            condition: self.random.chance(40).then(|| self.condition(scope)),
            body: self.block(scope.looping(rounds), size),
        }
    }

    fn union(&mut self) -> UnionVar {
        UnionVar::new(self.random.below(self.program.unions.len()))
    }

    fn variable(&mut self) -> CVariable {
        if self.random.chance(70) { CVariable::Union(self.union()) } else { CVariable::Global(self.global()) }
    }

    fn stretch(&mut self) -> (Stretch, u32) {
        let variable = self.variable();
        let offset = self.random.below(variable.size() as usize) as u32;
        let length = 1 + self.random.below((variable.size() - offset) as usize) as u32;
        (Stretch { variable, offset }, length)
    }

    fn copy(&mut self) -> Statement {
        let (target, length) = self.stretch();
        let variable = self.variable();
        let length = length.min(variable.size());
        let offset = self.random.below((variable.size() - length + 1) as usize) as u32;
        Statement::Copy { target, source: Stretch { variable, offset }, length }
    }

    fn global(&mut self) -> GlobalVar {
        GlobalVar::new(self.random.below(self.program.globals.len()))
    }

    fn pointer(&mut self) -> PointerVar {
        PointerVar::new(self.random.below(self.program.pointers.len()))
    }

    fn mutex(&mut self) -> Mutex {
        Mutex::new(self.random.below(MUTEXES))
    }

    fn rwlock(&mut self) -> Rwlock {
        Rwlock::new(self.random.below(RWLOCKS))
    }

    fn target(&mut self, scope: GeneratorScope) -> CTarget {
        let element = if self.program.arrays.is_empty() { 0 } else { 4 };
        let heap = if self.has(Feature::Heap) { 2 } else { 0 };
        let stack = if self.has(Feature::Stack) { 4 } else { 0 };
        let same = if self.program.pointers.is_empty() { 0 } else { 1 };
        let grown = if self.program.pointers.is_empty() { 0 } else { heap / 2 };
        let value = if self.has(Feature::Structs) { 3 } else { 0 };
        let referred = if self.has(Feature::PointerUnions) { 3 } else { 0 };
        let weights = [
            (5, 0),
            (element, 1),
            (same, 2),
            (4 * heap, 3),
            (grown, 4),
            (heap, 5),
            (stack, 6),
            (value, 7),
            (referred, 8),
        ];
        match self.random.weighted(&weights) {
            0 => CTarget::Global(self.global()),
            1 => CTarget::Element(ArrayVar(0), Box::new(self.index(scope))),
            2 => CTarget::Same(self.pointer()),
            3 => CTarget::Fresh,
            4 => CTarget::Grown(self.pointer()),
            5 => CTarget::Null,
            6 => CTarget::Own(self.local_variable(scope)),
            7 => CTarget::Value(self.node()),
            _ => CTarget::Referred(self.reference()),
        }
    }

    fn index(&mut self, scope: GeneratorScope) -> CExpr {
        if self.random.chance(50) { CExpr::Constant(self.random.below(2) as i32) } else { self.leaf(scope) }
    }

    fn assigned(&mut self, scope: GeneratorScope) -> CPlace {
        let percent = if scope.in_helper { 35 } else { 25 };
        if self.random.chance(percent) { self.local(scope) } else { self.shared(scope) }
    }

    fn local(&mut self, scope: GeneratorScope) -> CPlace {
        CPlace::Local(self.local_variable(scope))
    }

    fn local_variable(&mut self, scope: GeneratorScope) -> LocalVar {
        LocalVar::new(self.random.below(scope.locals as usize))
    }

    fn shared(&mut self, scope: GeneratorScope) -> CPlace {
        let element = if self.program.arrays.is_empty() { 0 } else { 4 };
        let behind = if self.program.pointers.is_empty() { 0 } else { 4 };
        let piece = if self.program.unions.is_empty() { 0 } else { 8 };
        let atomic = if self.has(Feature::Orders) { 5 } else { 0 };
        let argument = if scope.argument == ArgumentKind::Pointer { 12 } else { 0 };
        let value = if self.has(Feature::Structs) { 7 } else { 0 };
        let referred = if self.has(Feature::PointerUnions) { 6 } else { 0 };
        let weights =
            [(8, 0), (element, 1), (behind, 2), (piece, 3), (atomic, 4), (argument, 5), (value, 6), (referred, 7)];
        match self.random.weighted(&weights) {
            0 => CPlace::Global(self.global()),
            1 if self.has(Feature::WildIndexes) && self.random.chance(50) => {
                CPlace::Anywhere(ArrayVar(0), Box::new(self.expression(GeneratorScope { helpers: 0, ..scope }, 1)))
            }
            1 => CPlace::Element(ArrayVar(0), Box::new(self.index(scope))),
            2 => CPlace::Behind(self.pointer()),
            4 => CPlace::Atomic(AtomicVar(0)),
            5 => CPlace::Argument,
            6 => CPlace::Value(self.node()),
            7 => CPlace::Referred(self.reference()),
            _ => {
                let member =
                    self.random.pick(&[UnionMember::Ints, UnionMember::Ints, UnionMember::Shorts, UnionMember::Bytes]);
                let index = CExpr::Constant(self.random.below(8) as i32);
                CPlace::Piece(self.union(), member, Box::new(index))
            }
        }
    }

    /// A place that is an `int`.
    fn shared_int(&mut self, scope: GeneratorScope) -> CPlace {
        match self.shared(scope) {
            CPlace::Piece(..) => CPlace::Global(self.global()),
            place => place,
        }
    }

    fn leaf(&mut self, scope: GeneratorScope) -> CExpr {
        let input = if self.has(Feature::Inputs) { 2 } else { 0 };
        if self.has(Feature::WildArithmetic) && self.random.chance(12) {
            return CExpr::Constant(self.random.pick(&[i32::MAX, i32::MAX - 1, i32::MIN + 1, 31, 32, 1 << 30]));
        }
        if self.has(Feature::FailingCalls) && self.random.chance(2) {
            return CExpr::IsSet(self.random.pick(&["HOME", "USER"]));
        }
        let number = if scope.argument == ArgumentKind::Number { 6 } else { 0 };
        match self.random.weighted(&[(7, 0), (6, 1), (3, 2), (input, 3), (number, 4)]) {
            4 => CExpr::ArgumentNumber,
            0 => CExpr::Place(CPlace::Global(self.global())),
            1 => CExpr::Constant(self.random.weighted(&[(3, 0), (5, 1), (4, 2), (1, 3), (1, -1)])),
            2 => CExpr::Place(self.local(scope)),
            _ => CExpr::Input { mask: self.random.pick(&[1, 1, 3]) },
        }
    }

    fn expression(&mut self, scope: GeneratorScope, depth: u32) -> CExpr {
        if depth == 0 {
            return self.leaf(scope);
        }
        let builtins = match (self.has(Feature::AtomicBuiltins), self.has(Feature::Orders)) {
            (false, false) => 0,
            (true, false) => 5,
            (_, true) => 8,
        };
        let calls = if scope.helpers > 0 { 2 } else { 0 };
        let shared = [
            Feature::Arrays,
            Feature::Pointers,
            Feature::Bytes,
            Feature::Structs,
            Feature::PointerUnions,
            Feature::Orders,
        ];
        let has_shared = shared.into_iter().any(|one| self.has(one)) || scope.argument == ArgumentKind::Pointer;
        let shares = if has_shared { 4 } else { 0 };
        let tables = if self.program.table.is_empty() || scope.in_helper { 0 } else { 6 };
        let weights = [(9, 0), (9, 1), (2, 2), (1, 3), (calls, 4), (builtins, 5), (shares, 6), (tables, 7)];
        match self.random.weighted(&weights) {
            0 => self.leaf(scope),
            1 => self.arithmetic(scope, depth),
            2 => self.condition(scope),
            3 => CExpr::Conditional(
                Box::new(self.condition(scope)),
                Box::new(self.leaf(scope)),
                Box::new(self.expression(scope, depth - 1)),
            ),
            4 => {
                let (helper, arguments) = self.call(scope, depth - 1);
                CExpr::Call(helper, arguments)
            }
            5 => self.builtin(scope),
            7 => {
                self.fuel = self.fuel.saturating_sub(2 * scope.rounds);
                CExpr::Dispatch(Box::new(self.index(scope)), Box::new(self.leaf(scope)))
            }
            _ => CExpr::Place(self.shared(scope)),
        }
    }

    fn arithmetic(&mut self, scope: GeneratorScope, depth: u32) -> CExpr {
        use COperator::*;
        let weights =
            [(8, Add), (4, Subtract), (2, Multiply), (2, And), (1, Or), (2, Xor), (1, ShiftLeft), (1, ShiftRight)];
        let wild = [(3, Divide), (2, Remainder), (3, WildShiftLeft), (2, WildShiftRight), (2, Multiply)];
        let operator = if self.has(Feature::WildArithmetic) && self.random.chance(40) {
            self.random.weighted(&wild)
        } else if self.has(Feature::Floats) && self.random.chance(15) {
            self.random.pick(&[Mean, TenthLess, QuotientIsSmall])
        } else if self.has(Feature::Bytes) && self.random.chance(10) {
            Hash
        } else {
            self.random.weighted(&weights)
        };
        CExpr::Binary(operator, Box::new(self.expression(scope, depth - 1)), Box::new(self.leaf(scope)))
    }

    fn call(&mut self, scope: GeneratorScope, depth: u32) -> (Helper, Vec<CExpr>) {
        let helper = self.random.below(scope.helpers);
        self.fuel = self.fuel.saturating_sub(2 * scope.rounds);
        let parameters = self.program.helpers[helper].parameters;
        let arguments =
            (0..parameters).map(|_| self.expression(GeneratorScope { helpers: 0, ..scope }, depth)).collect();
        (Helper::new(helper), arguments)
    }

    fn builtin(&mut self, scope: GeneratorScope) -> CExpr {
        use UpdateBuiltin::*;
        let updates = [
            FetchAdd,
            AddFetch,
            FetchSub,
            FetchOr,
            FetchAnd,
            FetchXor,
            Exchange,
            Exchange,
            SyncFetchAndAdd,
            SyncSubAndFetch,
        ];
        if self.has(Feature::Orders) {
            return self.ordered_builtin(scope, &updates);
        }
        let place = self.shared_int(scope);
        let order = MemoryOrder::SequentiallyConsistent;
        match self.random.weighted(&[(5, 0), (4, 1), (2, 2)]) {
            0 => CExpr::Update(self.random.pick(&updates), place, order, Box::new(self.leaf(scope))),
            1 => CExpr::Swap {
                gives_success: self.random.chance(50),
                place,
                expected: Box::new(self.leaf(scope)),
                desired: Box::new(self.leaf(scope)),
            },
            _ => CExpr::AtomicLoad(place, order),
        }
    }

    fn ordered_builtin(&mut self, scope: GeneratorScope, updates: &[UpdateBuiltin]) -> CExpr {
        use MemoryOrder::*;
        let place = self.atomic_place(scope);
        match self.random.weighted(&[(4, 0), (3, 1), (5, 2)]) {
            0 => CExpr::Update(self.random.pick(updates), place, self.order(), Box::new(self.leaf(scope))),
            1 => CExpr::OrderedSwap {
                place,
                expected: Box::new(self.leaf(scope)),
                desired: Box::new(self.leaf(scope)),
                orders: self.random.pick(&[
                    (Relaxed, Relaxed),
                    (Acquire, Relaxed),
                    (Release, Relaxed),
                    (AcquireRelease, Acquire),
                    (SequentiallyConsistent, SequentiallyConsistent),
                ]),
            },
            _ => {
                let order = self.random.pick(&[Relaxed, Relaxed, Consume, Acquire, Acquire, SequentiallyConsistent]);
                CExpr::AtomicLoad(place, order)
            }
        }
    }

    fn condition(&mut self, scope: GeneratorScope) -> CExpr {
        match self.random.weighted(&[(8, 0), (3, 1), (3, 2), (2, 3), (2, 4)]) {
            0 => self.comparison_with_constant(),
            1 => self.comparison(COperator::LessEqual, scope),
            2 => self.leaf(scope),
            3 => {
                let operator = self.random.pick(&[COperator::LogicalAnd, COperator::LogicalOr]);
                let (left, right) = (self.comparison_with_constant(), self.comparison(COperator::Less, scope));
                CExpr::Binary(operator, Box::new(left), Box::new(right))
            }
            _ => CExpr::Not(Box::new(self.comparison(COperator::Equal, scope))),
        }
    }

    fn comparison(&mut self, operator: COperator, scope: GeneratorScope) -> CExpr {
        CExpr::Binary(operator, Box::new(self.leaf(scope)), Box::new(self.leaf(scope)))
    }

    fn comparison_with_constant(&mut self) -> CExpr {
        use COperator::*;
        let place = CExpr::Place(CPlace::Global(self.global()));
        let constant = CExpr::Constant(self.random.weighted(&[(4, 0), (5, 1), (3, 2)]));
        CExpr::Binary(self.random.pick(&[Equal, Unequal, Less, LessEqual]), Box::new(place), Box::new(constant))
    }

    /// Assertions of which about half hold: excluding one combination of values is mostly true, fixing one is not.
    fn assertion(&mut self, scope: GeneratorScope) -> CExpr {
        let place = |place| Box::new(CExpr::Place(place));
        let (first, second) = (self.shared(scope), self.shared(scope));
        let value = Box::new(CExpr::Constant(self.random.weighted(&[(3, 0), (5, 1), (4, 2), (3, 3), (1, 4)])));
        let binary = |operator, left, right| Box::new(CExpr::Binary(operator, left, right));
        match self.random.weighted(&[(8, 0), (7, 1), (8, 2), (5, 3), (6, 4), (4, 5)]) {
            0 => {
                let other = Box::new(CExpr::Constant(self.random.weighted(&[(2, 0), (4, 1), (4, 2), (2, 3)])));
                let left = binary(COperator::Equal, place(first), value);
                let right = binary(COperator::Equal, place(second), other);
                CExpr::Not(binary(COperator::LogicalAnd, left, right))
            }
            1 => CExpr::Binary(COperator::Unequal, place(first), value),
            2 => CExpr::Binary(COperator::LessEqual, place(first), value),
            3 => CExpr::Binary(COperator::Unequal, binary(COperator::Add, place(first), place(second)), value),
            4 => {
                CExpr::Binary(self.random.pick(&[COperator::Equal, COperator::LessEqual]), place(first), place(second))
            }
            _ => {
                let local = self.local(scope);
                let left = binary(COperator::LessEqual, place(local), value);
                CExpr::Binary(COperator::LogicalOr, left, binary(COperator::Unequal, place(first), place(second)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_a_program_and_features_switch_what_it_contains() {
        assert_eq!(generate(5, Features::all()), generate(5, Features::all()));
        let texts = |features| (0..200).map(move |seed| generate(seed, features).to_string()).collect::<String>();
        let body = |text: &str, word: &str| text.lines().any(|line| line.starts_with(' ') && line.contains(word));
        let words = [
            (Feature::Locks, "pthread_mutex_lock"),
            (Feature::Loops, "do {"),
            (Feature::Inputs, "__VERIFIER_nondet_int"),
            (Feature::Assumes, "__VERIFIER_assume"),
            (Feature::AtomicSections, "__VERIFIER_atomic_begin"),
            (Feature::Helpers, "helper0("),
            (Feature::Spins, ") ;"),
            (Feature::Arrays, "a0["),
            (Feature::Pointers, "*p0"),
            (Feature::AtomicBuiltins, "__sync_"),
            (Feature::TryLocks, "trylock"),
            (Feature::Conditions, "pthread_cond_wait"),
            (Feature::Semaphores, "sem_wait"),
            (Feature::Barriers, "pthread_barrier_wait"),
            (Feature::Rwlocks, "pthread_rwlock_wrlock"),
            (Feature::Misuses, "pthread_mutex_destroy"),
            (Feature::Heap, "free(p0)"),
            (Feature::Stack, "= &l"),
            (Feature::WildArithmetic, " / "),
            (Feature::Floats, "(double)"),
            (Feature::FunctionTables, "table["),
            (Feature::LockOrigins, "pthread_mutexattr_settype"),
            (Feature::Attempts, "pthread_rwlock_timedwrlock"),
            (Feature::FailingCalls, "getenv"),
            (Feature::ThreadArguments, "*(int *)arg"),
            (Feature::Structs, "n0->value"),
            (Feature::PointerUnions, "*r0.pointer"),
            (Feature::Orders, "__atomic_thread_fence"),
        ];
        let (plain, all) = (texts(Features::PLAIN), texts(Features::all()));
        for (feature, word) in words {
            assert!(body(&all, word), "{} never shows {word}", feature.name());
            assert!(!body(&plain, word), "{word} without {}", feature.name());
        }
    }
}

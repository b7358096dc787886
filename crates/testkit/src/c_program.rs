//! Multi-threaded C programs as the generator makes them and the shrinker cuts them down: a small tree in which every
//! part can be taken away and what is left is still a program that means something. Locking is bracketed, loops have a
//! counter, indices are masked, so that no cut makes an undefined program, unless wildness is asked for.

use base::{Id, define_id};

use crate::expectation::ExpectationOptions;

define_id!(
    /// A global `int`.
    GlobalVar,
    "x"
);
define_id!(
    /// A local `int`, or a parameter.
    LocalVar,
    "l"
);
define_id!(
    /// A global array of `int`.
    ArrayVar,
    "a"
);
define_id!(
    /// A global pointer to `int`.
    PointerVar,
    "p"
);
define_id!(
    /// A global union of numbers and bytes.
    UnionVar,
    "u"
);
define_id!(
    /// A global `_Atomic int`.
    AtomicVar,
    "f"
);
define_id!(
    /// A global pointer to a structure.
    NodeVar,
    "n"
);
define_id!(
    /// A global union of a pointer, a number and bytes.
    ReferenceVar,
    "r"
);
define_id!(
    /// A global mutex.
    Mutex,
    "m"
);
define_id!(
    /// A global condition variable.
    Condition,
    "c"
);
define_id!(
    /// A global semaphore.
    Semaphore,
    "s"
);
define_id!(
    /// A global reader-writer lock.
    Rwlock,
    "rw"
);
define_id!(
    /// A global barrier.
    Barrier,
    "b"
);
define_id!(
    /// A thread; its body is a function of its own.
    Thread,
    "thread"
);
define_id!(
    /// A function that threads call.
    Helper,
    "helper"
);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CProgram {
    pub options: ExpectationOptions,
    /// Initial values.
    pub globals: Vec<i32>,
    pub arrays: Vec<Vec<i32>>,
    /// The first number of each union at the start.
    pub unions: Vec<i32>,
    /// What each pointer points to at the start.
    pub pointers: Vec<CTarget>,
    /// Initial values.
    pub atomics: Vec<i32>,
    /// How each mutex comes into being; those without an entry are zeroed globals.
    pub mutexes: Vec<LockOrigin>,
    /// As `mutexes`, of reader-writer locks.
    pub rwlocks: Vec<LockOrigin>,
    /// As `mutexes`, of condition variables.
    pub conditions: Vec<LockOrigin>,
    /// The helpers, all with one parameter, that a table of pointers holds at the start; a power of two, or none.
    pub table: Vec<Option<Helper>>,
    /// Initial values.
    pub semaphores: Vec<u32>,
    /// How many threads meet at each barrier.
    pub barriers: Vec<u32>,
    pub helpers: Vec<HelperBody>,
    pub threads: Vec<Block>,
    /// How each thread is started; those without an entry run their own body without an argument.
    pub starts: Vec<ThreadStart>,
    pub main: Block,
}

/// How a thread is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadStart {
    /// The thread whose body it runs: its own, or that of one before.
    pub runs: Thread,
    pub argument: ThreadArgument,
    /// Whether the process ends if the thread cannot be created.
    pub checked: bool,
    /// The local whose value the body returns.
    pub result: Option<LocalVar>,
}

/// What a thread is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThreadArgument {
    Null,
    Number(i32),
    Pointer(CTarget),
}

/// Where a lock is, and what makes it one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LockOrigin {
    /// A global without an initialiser.
    #[default]
    Zeroed,
    /// A global with a static initialiser.
    Static(LockKind),
    /// A global, initialised by a call with attributes.
    Attributes(LockKind),
    /// A global that `memset` makes all zero, as it was.
    Filled,
    /// A global, copied from another.
    Copied(LockKind),
    /// A member of a global structure.
    Member,
    /// An element of a global array.
    Element,
    /// On the heap, from `calloc`.
    Calloc,
    /// On the heap, initialised by a call.
    Heap(LockKind),
    /// On the heap, all bytes set to zero.
    HeapFilled,
    /// On the heap, copied from a static initialiser.
    HeapCopied(LockKind),
    /// A local of `main` with a static initialiser.
    Local(LockKind),
    /// A local of `main`, initialised by a call.
    LocalCall(LockKind),
}

/// What a mutex does when its owner locks it again. Other locks have no kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockKind {
    Normal,
    Recursive,
    ErrorCheck,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HelperBody {
    pub parameters: u32,
    /// Named so that the whole body is atomic.
    pub atomic: bool,
    pub body: Block,
    pub result: CExpr,
}

pub type Block = Vec<Statement>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    Assign(CPlace, CExpr),
    /// `place op= value`.
    Compound(CPlace, COperator, CExpr),
    /// `place++`.
    Increment(CPlace),
    /// `pointer = &target`.
    Point(PointerVar, CTarget),
    Free(PointerVar),
    /// Sets bytes of a variable to the lowest byte of a value.
    Fill {
        target: Stretch,
        length: u32,
        value: CExpr,
    },
    /// Copies bytes, also inside of one variable.
    Copy {
        target: Stretch,
        source: Stretch,
        length: u32,
    },
    If {
        condition: CExpr,
        then: Block,
        otherwise: Block,
    },
    Loop {
        form: LoopForm,
        rounds: u32,
        /// Leaves the loop early when false.
        condition: Option<CExpr>,
        body: Block,
    },
    /// `while (!(condition)) ;`
    Spin(CExpr),
    /// Leaves the innermost loop.
    Break,
    /// Ends the function.
    Return,
    Atomic(Block),
    Locked(Mutex, Block),
    /// lock a; `first`; lock b; `second`; unlock a; `third`; unlock b.
    Misnested {
        mutexes: (Mutex, Mutex),
        first: Block,
        second: Block,
        third: Block,
    },
    TryLocked(Mutex, Block),
    /// An attempt whose result is kept; `then` where it succeeds, and the lock is given back; otherwise `otherwise`.
    Attempt {
        attempt: TryAcquire,
        result: LocalVar,
        then: Block,
        otherwise: Block,
    },
    /// lock; wait with a time limit unless `condition`, the result is kept; `body`; unlock.
    TimedWait {
        mutex: Mutex,
        event: Condition,
        condition: CExpr,
        result: LocalVar,
        body: Block,
    },
    ReadLocked(Rwlock, Block),
    WriteLocked(Rwlock, Block),
    /// lock; wait until `condition` (checked again after each wake-up only if `again`); `body`; unlock.
    WaitFor {
        mutex: Mutex,
        event: Condition,
        again: bool,
        condition: CExpr,
        body: Block,
    },
    /// lock; `body`; signal or broadcast; unlock.
    Notify {
        mutex: Mutex,
        event: Condition,
        broadcast: bool,
        body: Block,
    },
    SemaphoreWait(Semaphore),
    SemaphorePost(Semaphore),
    BarrierWait(Barrier),
    /// An operation on a mutex by itself, wherever it stands.
    Bare(BareOperation, Mutex),
    /// One lock becomes what another is.
    CopyLock {
        target: Mutex,
        source: Mutex,
        by_assignment: bool,
    },
    Assume(CExpr),
    Assert(CExpr),
    Call(Helper, Vec<CExpr>),
    /// Changes an entry of the table.
    SetEntry(Box<CExpr>, Option<Helper>),
    AtomicStore(CPlace, MemoryOrder, CExpr),
    Fence(MemoryOrder),
    /// `node = target`.
    PointNode(NodeVar, NodeTarget),
    /// `node->next = target`.
    Link(CNode, NodeTarget),
    /// Copies a whole structure.
    CopyNode(CNode, CNode),
    FreeNode(NodeVar),
    /// Sets the pointer in a union.
    Refer(ReferenceVar, CTarget),
    CopyReference {
        target: ReferenceVar,
        source: ReferenceVar,
        how: ReferenceCopy,
    },
    Create(Thread),
    Join(Thread),
    /// Joins, and keeps what the thread returned.
    JoinInto(Thread, CPlace),
    Detach(Thread),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BareOperation {
    Lock,
    Unlock,
    Initialise,
    Destroy,
    /// All bytes are set to zero.
    Fill,
}

/// An operation that takes something if it can.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TryAcquire {
    Mutex { lock: Mutex, timed: bool },
    Read { lock: Rwlock, timed: bool },
    Write { lock: Rwlock, timed: bool },
    Semaphore { semaphore: Semaphore, timed: bool },
}

/// A structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CNode {
    /// What a pointer points to.
    Behind(NodeVar),
    /// The global one.
    Global,
    /// The function's own.
    Local,
}

/// What a pointer to a structure can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeTarget {
    Null,
    /// A new one on the heap.
    Fresh,
    Global,
    Local,
    Same(NodeVar),
    Next(CNode),
}

/// How a union with a pointer is copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReferenceCopy {
    Assignment,
    Block,
    Number,
    /// Two blocks of four bytes.
    BlockHalves,
    /// Two numbers of four bytes.
    NumberHalves,
    /// The lower four bytes only.
    LowerHalf,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryOrder {
    Relaxed,
    Consume,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

impl MemoryOrder {
    /// The number of `__ATOMIC_...`.
    pub fn number(self) -> u32 {
        self as u32
    }
}

/// Bytes of a variable, from an offset on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    pub variable: CVariable,
    pub offset: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CVariable {
    Union(UnionVar),
    Global(GlobalVar),
}

impl CVariable {
    pub fn size(self) -> u32 {
        match self {
            CVariable::Union(_) => 8,
            CVariable::Global(_) => 4,
        }
    }
}

/// The sizes in which a union can be accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnionMember {
    Ints,
    Shorts,
    Bytes,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopForm {
    For,
    While,
    DoWhile,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CPlace {
    Global(GlobalVar),
    Local(LocalVar),
    /// The index is masked to the array's length, a power of two.
    Element(ArrayVar, Box<CExpr>),
    /// As `Element`, but the index is taken as it is.
    Anywhere(ArrayVar, Box<CExpr>),
    /// `*pointer`.
    Behind(PointerVar),
    /// An element of a union, in one of its sizes; the index is masked.
    Piece(UnionVar, UnionMember, Box<CExpr>),
    Atomic(AtomicVar),
    /// What the argument of the thread points to.
    Argument,
    /// `node->value`.
    Value(CNode),
    /// What the pointer in a union points to.
    Referred(ReferenceVar),
}

/// What a pointer can point to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CTarget {
    Global(GlobalVar),
    Element(ArrayVar, Box<CExpr>),
    /// A copy of another pointer.
    Same(PointerVar),
    Null,
    /// A new `int` on the heap.
    Fresh,
    /// What `realloc` makes of what another pointer points to.
    Grown(PointerVar),
    /// A local of the function.
    Own(LocalVar),
    /// The number in a structure.
    Value(CNode),
    /// The pointer in a union.
    Referred(ReferenceVar),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CExpr {
    Constant(i32),
    Place(CPlace),
    /// An input from 0 to `mask`, which is one less than a power of two.
    Input {
        mask: i32,
    },
    Not(Box<CExpr>),
    Binary(COperator, Box<CExpr>, Box<CExpr>),
    Conditional(Box<CExpr>, Box<CExpr>, Box<CExpr>),
    Call(Helper, Vec<CExpr>),
    /// A call through an entry of the table; the index is masked.
    Dispatch(Box<CExpr>, Box<CExpr>),
    /// The argument of the thread, which is a number.
    ArgumentNumber,
    /// Whether a variable of the environment is set.
    IsSet(&'static str),
    AtomicLoad(CPlace, MemoryOrder),
    /// A read-modify-write builtin; the value is the old or the new one, as the builtin says.
    Update(UpdateBuiltin, CPlace, MemoryOrder, Box<CExpr>),
    /// A compare-and-swap with orders for success and failure; the value is whether it succeeded.
    OrderedSwap {
        place: CPlace,
        expected: Box<CExpr>,
        desired: Box<CExpr>,
        orders: (MemoryOrder, MemoryOrder),
    },
    /// A compare-and-swap builtin.
    Swap {
        gives_success: bool,
        place: CPlace,
        expected: Box<CExpr>,
        desired: Box<CExpr>,
    },
}

impl Default for CExpr {
    fn default() -> Self {
        CExpr::Constant(0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UpdateBuiltin {
    FetchAdd,
    AddFetch,
    FetchSub,
    FetchOr,
    FetchAnd,
    FetchXor,
    Exchange,
    SyncFetchAndAdd,
    SyncSubAndFetch,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum COperator {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Equal,
    Unequal,
    Less,
    LessEqual,
    LogicalAnd,
    LogicalOr,
    Divide,
    Remainder,
    /// The shift count is taken as it is.
    WildShiftLeft,
    WildShiftRight,
    /// Half of the sum, computed in `double`.
    Mean,
    /// A tenth of the left side less the right side, computed in `float`.
    TenthLess,
    /// Whether the quotient, which may be infinite or no number at all, is less than a half.
    QuotientIsSmall,
    /// A step of a hash function, computed without sign.
    Hash,
}

impl COperator {
    pub fn symbol(self) -> &'static str {
        match self {
            COperator::Add | COperator::Mean | COperator::Hash => "+",
            COperator::Subtract | COperator::TenthLess => "-",
            COperator::Multiply => "*",
            COperator::And => "&",
            COperator::Or => "|",
            COperator::Xor => "^",
            COperator::ShiftLeft | COperator::WildShiftLeft => "<<",
            COperator::ShiftRight | COperator::WildShiftRight => ">>",
            COperator::Equal => "==",
            COperator::Unequal => "!=",
            COperator::Less => "<",
            COperator::LessEqual => "<=",
            COperator::LogicalAnd => "&&",
            COperator::LogicalOr => "||",
            COperator::Divide | COperator::QuotientIsSmall => "/",
            COperator::Remainder => "%",
        }
    }
}

impl LockKind {
    /// The number of `PTHREAD_MUTEX_...`.
    pub fn number(self) -> u8 {
        self as u8
    }
}

impl LockOrigin {
    /// Whether the lock's name is a pointer to it.
    pub fn is_behind_pointer(self) -> bool {
        use LockOrigin::*;
        matches!(self, Calloc | Heap(_) | HeapFilled | HeapCopied(_) | Local(_) | LocalCall(_))
    }
}

impl CProgram {
    pub fn mutex(&self, id: Mutex) -> LockOrigin {
        self.mutexes.get(id.index()).copied().unwrap_or_default()
    }

    pub fn rwlock(&self, id: Rwlock) -> LockOrigin {
        self.rwlocks.get(id.index()).copied().unwrap_or_default()
    }

    pub fn condition(&self, id: Condition) -> LockOrigin {
        self.conditions.get(id.index()).copied().unwrap_or_default()
    }

    /// How a thread is started.
    pub fn start(&self, thread: Thread) -> ThreadStart {
        let plain = ThreadStart { runs: thread, argument: ThreadArgument::Null, checked: false, result: None };
        self.starts.get(thread.index()).cloned().unwrap_or(plain)
    }
}

impl Statement {
    /// The blocks inside, in textual order.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Statement::If { then, otherwise, .. } | Statement::Attempt { then, otherwise, .. } => vec![then, otherwise],
            Statement::Misnested { first, second, third, .. } => vec![first, second, third],
            Statement::Loop { body, .. }
            | Statement::Atomic(body)
            | Statement::Locked(_, body)
            | Statement::TryLocked(_, body)
            | Statement::ReadLocked(_, body)
            | Statement::WriteLocked(_, body)
            | Statement::WaitFor { body, .. }
            | Statement::TimedWait { body, .. }
            | Statement::Notify { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// As [`blocks`](Self::blocks).
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Statement::If { then, otherwise, .. } | Statement::Attempt { then, otherwise, .. } => vec![then, otherwise],
            Statement::Misnested { first, second, third, .. } => vec![first, second, third],
            Statement::Loop { body, .. }
            | Statement::Atomic(body)
            | Statement::Locked(_, body)
            | Statement::TryLocked(_, body)
            | Statement::ReadLocked(_, body)
            | Statement::WriteLocked(_, body)
            | Statement::WaitFor { body, .. }
            | Statement::TimedWait { body, .. }
            | Statement::Notify { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement itself, not of the blocks inside.
    pub fn expressions_mut(&mut self) -> Vec<&mut CExpr> {
        match self {
            Statement::Assign(place, value)
            | Statement::Compound(place, _, value)
            | Statement::AtomicStore(place, _, value) => place.index_mut().into_iter().chain([value]).collect(),
            Statement::Increment(place) | Statement::JoinInto(_, place) => place.index_mut().into_iter().collect(),
            Statement::Fill { value, .. } => vec![value],
            Statement::Point(_, CTarget::Element(_, index)) | Statement::SetEntry(index, _) => vec![index],
            Statement::If { condition, .. }
            | Statement::Spin(condition)
            | Statement::WaitFor { condition, .. }
            | Statement::TimedWait { condition, .. }
            | Statement::Assume(condition)
            | Statement::Assert(condition) => vec![condition],
            Statement::Loop { condition, .. } => condition.iter_mut().collect(),
            Statement::Call(_, arguments) => arguments.iter_mut().collect(),
            _ => Vec::new(),
        }
    }
}

impl CPlace {
    fn index_mut(&mut self) -> Option<&mut CExpr> {
        match self {
            CPlace::Element(_, index) | CPlace::Anywhere(_, index) | CPlace::Piece(_, _, index) => Some(index),
            _ => None,
        }
    }
}

impl CExpr {
    pub fn children_mut(&mut self) -> Vec<&mut CExpr> {
        match self {
            CExpr::Constant(_) | CExpr::Input { .. } | CExpr::ArgumentNumber | CExpr::IsSet(_) => Vec::new(),
            CExpr::Place(place) | CExpr::AtomicLoad(place, _) => place.index_mut().into_iter().collect(),
            CExpr::Not(operand) => vec![operand],
            CExpr::Binary(_, left, right) | CExpr::Dispatch(left, right) => vec![left, right],
            CExpr::Conditional(condition, then, otherwise) => vec![condition, then, otherwise],
            CExpr::Call(_, arguments) => arguments.iter_mut().collect(),
            CExpr::Update(_, place, _, value) => place.index_mut().into_iter().chain([&mut **value]).collect(),
            CExpr::Swap { place, expected, desired, .. } | CExpr::OrderedSwap { place, expected, desired, .. } => {
                place.index_mut().into_iter().chain([&mut **expected, &mut **desired]).collect()
            }
        }
    }
}

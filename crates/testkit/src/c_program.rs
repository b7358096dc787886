//! Multi-threaded C programs as the generator makes them and the shrinker cuts them down: a small tree in which every
//! part can be taken away and what is left is still a program that means something. Locking is bracketed, loops have a
//! counter, indices are masked, so that no cut makes an undefined program, unless wildness is asked for.

use base::define_id;

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
    /// Initial values.
    pub globals: Vec<i32>,
    pub arrays: Vec<Vec<i32>>,
    /// The first number of each union at the start.
    pub unions: Vec<i32>,
    /// What each pointer points to at the start.
    pub pointers: Vec<Target>,
    /// Initial values.
    pub semaphores: Vec<u32>,
    /// How many threads meet at each barrier.
    pub barriers: Vec<u32>,
    pub helpers: Vec<HelperBody>,
    pub threads: Vec<Block>,
    pub main: Block,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HelperBody {
    pub parameters: u32,
    /// Named so that the whole body is atomic.
    pub atomic: bool,
    pub body: Block,
    pub result: Expr,
}

pub type Block = Vec<Statement>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    Assign(Place, Expr),
    /// `place op= value`.
    Compound(Place, Operator, Expr),
    /// `place++`.
    Increment(Place),
    /// `pointer = &target`.
    Point(PointerVar, Target),
    Free(PointerVar),
    /// Sets bytes of a variable to the lowest byte of a value.
    Fill {
        target: Stretch,
        length: u32,
        value: Expr,
    },
    /// Copies bytes, also inside of one variable.
    Copy {
        target: Stretch,
        source: Stretch,
        length: u32,
    },
    If {
        condition: Expr,
        then: Block,
        otherwise: Block,
    },
    Loop {
        form: LoopForm,
        rounds: u32,
        /// Leaves the loop early when false.
        condition: Option<Expr>,
        body: Block,
    },
    /// `while (!(condition)) ;`
    Spin(Expr),
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
    ReadLocked(Rwlock, Block),
    WriteLocked(Rwlock, Block),
    /// lock; wait until `condition` (checked again after each wake-up only if `again`); `body`; unlock.
    WaitFor {
        mutex: Mutex,
        event: Condition,
        again: bool,
        condition: Expr,
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
    Assume(Expr),
    Assert(Expr),
    Call(Helper, Vec<Expr>),
    Create(Thread),
    Join(Thread),
    Detach(Thread),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BareOperation {
    Lock,
    Unlock,
    Initialise,
    Destroy,
}

/// Bytes of a variable, from an offset on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stretch {
    pub variable: Variable,
    pub offset: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variable {
    Union(UnionVar),
    Global(GlobalVar),
}

impl Variable {
    pub fn size(self) -> u32 {
        match self {
            Variable::Union(_) => 8,
            Variable::Global(_) => 4,
        }
    }
}

/// The sizes in which a union can be accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Member {
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
pub enum Place {
    Global(GlobalVar),
    Local(LocalVar),
    /// The index is masked to the array's length, a power of two.
    Element(ArrayVar, Box<Expr>),
    /// As `Element`, but the index is taken as it is.
    Anywhere(ArrayVar, Box<Expr>),
    /// `*pointer`.
    Behind(PointerVar),
    /// An element of a union, in one of its sizes; the index is masked.
    Piece(UnionVar, Member, Box<Expr>),
}

/// What a pointer can point to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    Global(GlobalVar),
    Element(ArrayVar, Box<Expr>),
    /// A copy of another pointer.
    Same(PointerVar),
    Null,
    /// A new `int` on the heap.
    Fresh,
    /// What `realloc` makes of what another pointer points to.
    Grown(PointerVar),
    /// A local of the function.
    Own(LocalVar),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    Constant(i32),
    Place(Place),
    /// An input from 0 to `mask`, which is one less than a power of two.
    Input {
        mask: i32,
    },
    Not(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Call(Helper, Vec<Expr>),
    AtomicLoad(Place),
    /// A read-modify-write builtin; the value is the old or the new one, as the builtin says.
    Update(UpdateBuiltin, Place, Box<Expr>),
    /// A compare-and-swap builtin.
    Swap {
        gives_success: bool,
        place: Place,
        expected: Box<Expr>,
        desired: Box<Expr>,
    },
}

impl Default for Expr {
    fn default() -> Self {
        Expr::Constant(0)
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
pub enum Operator {
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

impl Operator {
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Add | Operator::Mean | Operator::Hash => "+",
            Operator::Subtract | Operator::TenthLess => "-",
            Operator::Multiply => "*",
            Operator::And => "&",
            Operator::Or => "|",
            Operator::Xor => "^",
            Operator::ShiftLeft | Operator::WildShiftLeft => "<<",
            Operator::ShiftRight | Operator::WildShiftRight => ">>",
            Operator::Equal => "==",
            Operator::Unequal => "!=",
            Operator::Less => "<",
            Operator::LessEqual => "<=",
            Operator::LogicalAnd => "&&",
            Operator::LogicalOr => "||",
            Operator::Divide | Operator::QuotientIsSmall => "/",
            Operator::Remainder => "%",
        }
    }
}

impl Statement {
    /// The blocks inside, in textual order.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::Misnested { first, second, third, .. } => vec![first, second, third],
            Statement::Loop { body, .. }
            | Statement::Atomic(body)
            | Statement::Locked(_, body)
            | Statement::TryLocked(_, body)
            | Statement::ReadLocked(_, body)
            | Statement::WriteLocked(_, body)
            | Statement::WaitFor { body, .. }
            | Statement::Notify { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// As [`blocks`](Self::blocks).
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::Misnested { first, second, third, .. } => vec![first, second, third],
            Statement::Loop { body, .. }
            | Statement::Atomic(body)
            | Statement::Locked(_, body)
            | Statement::TryLocked(_, body)
            | Statement::ReadLocked(_, body)
            | Statement::WriteLocked(_, body)
            | Statement::WaitFor { body, .. }
            | Statement::Notify { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement itself, not of the blocks inside.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Statement::Assign(place, value) | Statement::Compound(place, _, value) => {
                place.index_mut().into_iter().chain([value]).collect()
            }
            Statement::Increment(place) => place.index_mut().into_iter().collect(),
            Statement::Fill { value, .. } => vec![value],
            Statement::Point(_, Target::Element(_, index)) => vec![index],
            Statement::If { condition, .. }
            | Statement::Spin(condition)
            | Statement::WaitFor { condition, .. }
            | Statement::Assume(condition)
            | Statement::Assert(condition) => vec![condition],
            Statement::Loop { condition, .. } => condition.iter_mut().collect(),
            Statement::Call(_, arguments) => arguments.iter_mut().collect(),
            _ => Vec::new(),
        }
    }
}

impl Place {
    fn index_mut(&mut self) -> Option<&mut Expr> {
        match self {
            Place::Element(_, index) | Place::Anywhere(_, index) | Place::Piece(_, _, index) => Some(index),
            _ => None,
        }
    }
}

impl Expr {
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Expr::Constant(_) | Expr::Input { .. } => Vec::new(),
            Expr::Place(place) | Expr::AtomicLoad(place) => place.index_mut().into_iter().collect(),
            Expr::Not(operand) => vec![operand],
            Expr::Binary(_, left, right) => vec![left, right],
            Expr::Conditional(condition, then, otherwise) => vec![condition, then, otherwise],
            Expr::Call(_, arguments) => arguments.iter_mut().collect(),
            Expr::Update(_, place, value) => place.index_mut().into_iter().chain([&mut **value]).collect(),
            Expr::Swap { place, expected, desired, .. } => {
                place.index_mut().into_iter().chain([&mut **expected, &mut **desired]).collect()
            }
        }
    }
}

//! What an instruction does beyond its registers: which memory it accesses and how, what kind of step it is, how it orders
//! threads, and which properties it can violate. Whoever asks one of these questions asks here; the match over the kinds of
//! instructions has no wildcard, so that a new kind does not compile before all of them are answered.
//!
//! The interpreter has its own code and judges this table: the soundness monitor compares every access that it makes with
//! the accesses listed here. What a synchronisation operation means is said in crate `sync`, and only named here.

use smallvec::{SmallVec, smallvec};

use crate::arithmetic_obligations::violated_by;
use crate::instruction::{
    AllocationKind, Callee, InstructionKind, LibraryFunction, MemoryOrder, Operand, SyncOp, TerminatorKind,
};
use crate::printed;
use crate::program_::Program;
use crate::property::{Property, PropertySet};
use crate::types::Type;

/// All that an instruction does beyond its registers.
#[derive(Clone, PartialEq, Debug)]
pub struct Effects {
    pub accesses: Accesses,
    pub class: StepClass,
    /// What the instruction can violate, wherever it stands: an access may still be valid because of its place, and an
    /// operation may be one that never waits.
    pub can_violate: PropertySet,
}

pub type Accesses = SmallVec<[MemoryAccess; 2]>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryAccess {
    pub address: AccessAddress,
    pub extent: ByteExtent,
    pub kind: AccessKind,
    pub order: MemoryOrder,
    /// Of an update that may not take place: the order of the read that it is then.
    pub failure: Option<MemoryOrder>,
}

/// Where an access goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessAddress {
    /// To where the operand points.
    Operand(Operand),
    /// To where some pointer points that lies in the object to which the operand points.
    Inside(Operand),
}

/// How many bytes an access has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteExtent {
    Bytes(u64),
    /// As many as the operand says.
    Count(Operand),
    /// The whole object.
    Object,
    /// Those of the synchronisation object that is this operand of the operation.
    SyncObject(SyncOp, usize),
    /// As many as are found: a string ends with its zero, variadic arguments with what the format says.
    Unbounded,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    Read,
    Write,
    /// Reads and writes as one.
    Update,
    /// An operation on a synchronisation object.
    Synchronise,
    /// Ends the object's life by `free` or the like; `realloc` has read it then.
    Free,
    /// Ends the life of an object that has a name, if it lives.
    LifetimeEnd,
    /// Touches what the instructions before have accessed, in the same step: it can neither fail nor race.
    Repeat,
}

impl AccessKind {
    /// Whether the bytes may change while the object lives.
    pub fn writes(self) -> bool {
        match self {
            AccessKind::Write | AccessKind::Update | AccessKind::Synchronise => true,
            AccessKind::Read | AccessKind::Free | AccessKind::LifetimeEnd | AccessKind::Repeat => false,
        }
    }

    /// Whether the life of the object ends.
    pub fn ends_life(self) -> bool {
        matches!(self, AccessKind::Free | AccessKind::LifetimeEnd)
    }

    /// Whether the access is invalid where its bytes do not lie in a living object.
    pub fn needs_valid_bytes(self) -> bool {
        !self.ends_life() && self != AccessKind::Repeat
    }
}

impl MemoryAccess {
    fn new(address: Operand, extent: ByteExtent, kind: AccessKind) -> Self {
        Self { address: AccessAddress::Operand(address), extent, kind, order: MemoryOrder::NonAtomic, failure: None }
    }

    fn scalar(program: &Program, address: Operand, ty: Type, kind: AccessKind, order: MemoryOrder) -> Self {
        Self { order, ..Self::new(address, ByteExtent::Bytes(ty.bytes(program.data_model)), kind) }
    }

    /// The operand that leads to the memory, directly or through a pointer that lies there.
    pub fn base(&self) -> Operand {
        match self.address {
            AccessAddress::Operand(operand) | AccessAddress::Inside(operand) => operand,
        }
    }

    pub fn is_atomic(&self) -> bool {
        self.order.is_atomic()
    }

    /// The number of bytes, if it is known without the sizes of objects.
    pub fn bytes(&self) -> Option<u64> {
        match self.extent {
            ByteExtent::Bytes(bytes) | ByteExtent::Count(Operand::Int { value: bytes, .. }) => Some(bytes),
            ByteExtent::Count(_) | ByteExtent::Object | ByteExtent::SyncObject(..) | ByteExtent::Unbounded => None,
        }
    }

    /// Whether this is an atomic access that may pass a value on, or let a thread see one, without ordering the reader after
    /// the writer.
    pub fn reveals_without_ordering(&self) -> bool {
        let (acquires, releases) = (self.order.acquires(), self.order.releases());
        self.order.is_atomic()
            && match self.kind {
                AccessKind::Read => !acquires,
                AccessKind::Write => !releases,
                AccessKind::Update => !acquires || !releases || self.failure.is_some_and(|order| !order.acquires()),
                AccessKind::Synchronise | AccessKind::Free | AccessKind::LifetimeEnd | AccessKind::Repeat => false,
            }
    }
}

/// What kind of step an instruction is, its accesses to memory apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepClass {
    /// Nothing that another thread can notice or hinder.
    Local,
    /// Calls a function.
    Calls,
    /// Ends the life of memory that would be left behind if the process ended before.
    Frees,
    /// The environment chooses how it ends.
    Chooses,
    Prints,
    Fences(MemoryOrder),
    /// Begins or ends an atomic section.
    Section,
    Synchronises(SyncOp),
    Creates,
    /// Waits for the end of a thread.
    Joins,
    Detaches,
    /// Begins the exit of the process.
    Leaves,
    /// Nobody knows what it does.
    Unsupported,
}

impl StepClass {
    /// Whether other threads may act in between, whatever memory it accesses.
    pub fn is_always_visible(self) -> bool {
        match self {
            StepClass::Chooses
            | StepClass::Section
            | StepClass::Synchronises(_)
            | StepClass::Creates
            | StepClass::Joins
            | StepClass::Detaches
            | StepClass::Leaves => true,
            StepClass::Local
            | StepClass::Calls
            | StepClass::Frees
            | StepClass::Prints
            | StepClass::Fences(_)
            | StepClass::Unsupported => false,
        }
    }

    /// Whether it makes other threads wait for it or itself for others, as far as can be told without knowing the operation.
    pub fn may_block(self) -> bool {
        matches!(self, StepClass::Synchronises(_) | StepClass::Joins)
    }
}

/// What else than atomic accesses an instruction does for happens-before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HbEffect {
    None,
    Fence(MemoryOrder),
    /// As the operation's action says.
    Sync(SyncOp),
    /// What came before happens before all that the new thread does.
    Create,
    /// All that the thread did happens before what follows.
    Join,
    /// The sections of all threads have an order.
    Section,
}

impl Effects {
    pub fn happens_before(&self) -> HbEffect {
        match self.class {
            StepClass::Fences(order) => HbEffect::Fence(order),
            StepClass::Synchronises(op) => HbEffect::Sync(op),
            StepClass::Creates => HbEffect::Create,
            StepClass::Joins => HbEffect::Join,
            StepClass::Section => HbEffect::Section,
            StepClass::Local
            | StepClass::Calls
            | StepClass::Frees
            | StepClass::Chooses
            | StepClass::Prints
            | StepClass::Detaches
            | StepClass::Leaves
            | StepClass::Unsupported => HbEffect::None,
        }
    }

    /// The one access of an instruction that accesses memory atomically.
    pub fn atomic_access(&self) -> Option<&MemoryAccess> {
        self.accesses.iter().find(|access| access.is_atomic())
    }

    fn local(accesses: Accesses) -> Self {
        Self::new(accesses, StepClass::Local, PropertySet::EMPTY)
    }

    /// Accesses bring their own properties with them.
    fn new(accesses: Accesses, class: StepClass, mut can_violate: PropertySet) -> Self {
        for access in accesses.iter().filter(|access| access.kind != AccessKind::Repeat) {
            can_violate.insert(Property::NoDataRace);
            can_violate.insert(Property::Atomicity);
            if access.kind.needs_valid_bytes() {
                can_violate.insert(Property::ValidDeref);
            }
        }
        Self { accesses, class, can_violate }
    }
}

/// What the instruction does beyond its registers.
pub fn effects(program: &Program, kind: &InstructionKind) -> Effects {
    use AccessKind::{Free, LifetimeEnd, Read, Update, Write};
    let scalar = |address: Operand, ty: Type, kind: AccessKind, order: MemoryOrder| {
        MemoryAccess::scalar(program, address, ty, kind, order)
    };
    let none = Accesses::new;
    let leaks = || PropertySet::of(&[Property::ValidMemtrack, Property::ValidMemcleanup]);
    match kind {
        InstructionKind::Assign { value, .. } => Effects::new(none(), StepClass::Local, violated_by(value)),
        InstructionKind::Load { address, ty, order, .. } => {
            Effects::local(smallvec![scalar(*address, *ty, Read, *order)])
        }
        InstructionKind::Store { address, ty, order, .. } => {
            Effects::local(smallvec![scalar(*address, *ty, Write, *order)])
        }
        InstructionKind::ReadModifyWrite { address, ty, order, .. } => {
            Effects::local(smallvec![scalar(*address, *ty, Update, *order)])
        }
        InstructionKind::CompareExchange { address, ty, weak, order, failure, .. } => {
            let access = MemoryAccess { failure: Some(*failure), ..scalar(*address, *ty, Update, *order) };
            let class = if *weak { StepClass::Chooses } else { StepClass::Local };
            Effects::new(smallvec![access], class, PropertySet::EMPTY)
        }
        InstructionKind::Fence { order } => Effects::new(none(), StepClass::Fences(*order), PropertySet::EMPTY),
        InstructionKind::Nondet { .. } => Effects::new(none(), StepClass::Chooses, PropertySet::EMPTY),
        InstructionKind::Assume { .. } | InstructionKind::CurrentThread { .. } | InstructionKind::Yield => {
            Effects::local(none())
        }
        InstructionKind::Assert { property, .. } => {
            Effects::new(none(), StepClass::Local, PropertySet::of(&[*property]))
        }
        // The memory of a stack ends with its activation, and what the library keeps for itself is never lost.
        InstructionKind::Allocate { kind: AllocationKind::Heap, .. } => Effects::new(none(), StepClass::Local, leaks()),
        InstructionKind::Allocate { kind: AllocationKind::Stack | AllocationKind::Library, .. } => {
            Effects::local(none())
        }
        InstructionKind::Free { address, .. } => {
            let freed = MemoryAccess::new(*address, ByteExtent::Object, Free);
            Effects::new(smallvec![freed], StepClass::Frees, PropertySet::of(&[Property::ValidFree]))
        }
        InstructionKind::Reallocate { address, .. } => {
            // Whether the old memory is there is a matter of `valid-free`.
            let moved = MemoryAccess::new(*address, ByteExtent::Object, Free);
            let can_violate = leaks().union(PropertySet::of(&[Property::ValidFree]));
            Effects::new(smallvec![moved], StepClass::Frees, can_violate)
        }
        InstructionKind::Begin { local } | InstructionKind::End { local } => {
            let address = Operand::Local { local: *local, offset: 0 };
            Effects::local(smallvec![MemoryAccess::new(address, ByteExtent::Object, LifetimeEnd)])
        }
        InstructionKind::CopyMemory { target, source, size, .. } => Effects::local(smallvec![
            MemoryAccess::new(*target, ByteExtent::Count(*size), Write),
            MemoryAccess::new(*source, ByteExtent::Count(*size), Read),
        ]),
        InstructionKind::SetMemory { target, size, .. } => {
            Effects::local(smallvec![MemoryAccess::new(*target, ByteExtent::Count(*size), Write)])
        }
        InstructionKind::Call { callee, .. } => Effects::new(none(), StepClass::Calls, violated_by_callee(callee)),
        InstructionKind::Spawn { store, function, .. } => {
            let handle = ByteExtent::Bytes(program.data_model.pointer_bytes());
            let stored = store.iter().map(|&address| MemoryAccess::new(address, handle, Write)).collect();
            let can_violate = violated_by_callee(function).union(PropertySet::of(&[Property::NoThreadLeak]));
            Effects::new(stored, StepClass::Creates, can_violate)
        }
        InstructionKind::Join { .. } => {
            let can_violate = PropertySet::of(&[Property::NoDeadlock, Property::LockMisuse]);
            Effects::new(none(), StepClass::Joins, can_violate)
        }
        InstructionKind::Detach { .. } => Effects::new(none(), StepClass::Detaches, PropertySet::EMPTY),
        // What is violated there is the taking of a lock that is never released, see `Sync`.
        InstructionKind::LeaveProcess => Effects::new(none(), StepClass::Leaves, PropertySet::EMPTY),
        InstructionKind::AtomicBegin | InstructionKind::AtomicEnd => {
            Effects::new(none(), StepClass::Section, PropertySet::EMPTY)
        }
        InstructionKind::Sync { op, operands, .. } => {
            let can_violate =
                PropertySet::of(&[Property::NoDeadlock, Property::LockMisuse, Property::NoExitWhileLocked]);
            Effects::new(sync_accesses(*op, operands), StepClass::Synchronises(*op), can_violate)
        }
        InstructionKind::Library { function, arguments, .. } => {
            Effects::new(library_accesses(program, *function, arguments), StepClass::Prints, PropertySet::EMPTY)
        }
        InstructionKind::Unsupported { .. } => {
            Effects::new(none(), StepClass::Unsupported, Property::ALL.into_iter().collect())
        }
    }
}

/// A pointer that is called need not be the address of a function.
fn violated_by_callee(callee: &Callee) -> PropertySet {
    match callee {
        Callee::Direct(_) => PropertySet::EMPTY,
        Callee::Indirect(_) => PropertySet::of(&[Property::ValidDeref]),
    }
}

/// The objects that an operation is about. Whoever has been woken does not look at what it waited for any more, except to
/// note that it waits no longer.
fn sync_accesses(op: SyncOp, operands: &[Operand]) -> Accesses {
    let objects = operands.iter().zip(op.operand_types()).filter(|(_, ty)| **ty == Type::Pointer);
    let access = |(index, (&operand, _)): (usize, (&Operand, &Type))| {
        let kind = if index == 0 && op.is_completion() { AccessKind::Repeat } else { AccessKind::Synchronise };
        MemoryAccess::new(operand, ByteExtent::SyncObject(op, index), kind)
    };
    objects.enumerate().map(access).collect()
}

fn library_accesses(program: &Program, function: LibraryFunction, arguments: &[Operand]) -> Accesses {
    use AccessKind::{Read, Repeat, Write};
    let string = |address: Operand, kind: AccessKind| MemoryAccess::new(address, ByteExtent::Unbounded, kind);
    let strings_inside = |slots: Operand, kind: AccessKind| MemoryAccess {
        address: AccessAddress::Inside(slots),
        ..MemoryAccess::new(slots, ByteExtent::Unbounded, kind)
    };
    match (function, arguments) {
        (LibraryFunction::Putchar, _) => Accesses::new(),
        (LibraryFunction::Puts, &[text, ..]) => smallvec![string(text, Repeat)],
        (LibraryFunction::Printf, &[format, slots]) => {
            let extent = match printed::argument_slots(program, format) {
                Some(0) => return smallvec![string(format, Repeat)],
                Some(count) => ByteExtent::Bytes(count * printed::SLOT_BYTES),
                None => ByteExtent::Unbounded,
            };
            smallvec![MemoryAccess::new(slots, extent, Read), string(format, Repeat), strings_inside(slots, Repeat),]
        }
        (LibraryFunction::Vprintf | LibraryFunction::ReadPrinted, &[format, slots]) => {
            smallvec![string(format, Read), string(slots, Read), strings_inside(slots, Read)]
        }
        (LibraryFunction::Snprintf, &[buffer, size, format, slots]) => smallvec![
            MemoryAccess::new(buffer, ByteExtent::Count(size), Write),
            string(format, Read),
            string(slots, Read),
            strings_inside(slots, Read),
        ],
        // The verifier of programs refuses other numbers of arguments.
        (
            LibraryFunction::Puts
            | LibraryFunction::Printf
            | LibraryFunction::Vprintf
            | LibraryFunction::ReadPrinted
            | LibraryFunction::Snprintf,
            _,
        ) => arguments.iter().map(|&argument| string(argument, AccessKind::Update)).collect(),
    }
}

/// What ends with a terminator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TerminatorEnding {
    Nothing,
    /// The activation, and the thread if it was its first one.
    Activation,
    Thread,
    Process,
}

pub fn ending(kind: &TerminatorKind) -> TerminatorEnding {
    match kind {
        TerminatorKind::Goto(_)
        | TerminatorKind::Branch { .. }
        | TerminatorKind::Switch { .. }
        | TerminatorKind::Unreachable => TerminatorEnding::Nothing,
        TerminatorKind::Return(_) => TerminatorEnding::Activation,
        TerminatorKind::ThreadExit(_) => TerminatorEnding::Thread,
        TerminatorKind::ProcessExit { .. } => TerminatorEnding::Process,
    }
}

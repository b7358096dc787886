//! The table of effects (`program::effects`) against the interpreter: every access that an instruction makes must be one of
//! those that the table lists, in kind, place and number of bytes.

use execute::{LoggedAccess, LoggedKind, Machine, Place, Value};
use program::effects::{AccessAddress, AccessKind, ByteExtent, MemoryAccess, TerminatorEnding, effects, ending};
use program::{At, Program};

use crate::monitor::operand_value;

/// What the instruction at a place may access, with the addresses that its operands have before it is executed.
#[derive(Clone, Default)]
pub struct ExpectedAccesses {
    listed: Vec<(MemoryAccess, Option<Place>, Option<u64>)>,
    /// Objects of the activation or the thread may come to their end.
    ends_objects: bool,
    /// The accesses that were made before.
    made: usize,
}

impl ExpectedAccesses {
    pub fn before(machine: &Machine<'_>, program: &Program, at: At<'_>) -> Self {
        let made = machine.logged_accesses().len();
        match at {
            At::Terminator(terminator) => {
                let ends_objects =
                    matches!(ending(&terminator.kind), TerminatorEnding::Activation | TerminatorEnding::Thread);
                Self { listed: Vec::new(), ends_objects, made }
            }
            At::Instruction(instruction) => {
                let accesses = effects(program, &instruction.kind).accesses;
                let listed = accesses.into_iter().map(|access| located(machine, program, access)).collect();
                Self { listed, ends_objects: false, made }
            }
        }
    }

    /// The accesses made since then that the table does not list.
    pub fn unlisted<'m>(&self, machine: &'m Machine<'_>) -> impl Iterator<Item = &'m LoggedAccess> {
        machine.logged_accesses()[self.made..].iter().filter(|made| !self.lists(made))
    }

    fn lists(&self, made: &LoggedAccess) -> bool {
        (self.ends_objects && made.kind == LoggedKind::End)
            || self
                .listed
                .iter()
                .any(|(access, place, bytes)| is_of_kind(access, made.kind) && is_there(access, *place, *bytes, made))
    }
}

fn located(
    machine: &Machine<'_>,
    program: &Program,
    access: MemoryAccess,
) -> (MemoryAccess, Option<Place>, Option<u64>) {
    // An object without bytes can come to its end all the same.
    let beginning = |address: Value| address.provenance().map(|object| Place { slot: object.slot, offset: 0 });
    let place = |address: Value| machine.state.memory.place(address, 1, false).ok().or_else(|| beginning(address));
    let bytes = match access.extent {
        ByteExtent::Count(size) => operand_value(machine, size).map(|size| size.bits),
        _ => sync::accessed_bytes(&access, program),
    };
    (access, operand_value(machine, access.base()).and_then(place), bytes)
}

fn is_of_kind(access: &MemoryAccess, made: LoggedKind) -> bool {
    match (access.kind, made) {
        (AccessKind::Synchronise, LoggedKind::Access { .. }) => true,
        (AccessKind::Read, LoggedKind::Access { writes: false, atomic })
        | (AccessKind::Write, LoggedKind::Access { writes: true, atomic })
        | (AccessKind::Update, LoggedKind::Access { atomic, .. }) => atomic == access.is_atomic(),
        (AccessKind::Free | AccessKind::LifetimeEnd, LoggedKind::End) => true,
        (AccessKind::Repeat, LoggedKind::Repeat) => true,
        _ => false,
    }
}

fn is_there(access: &MemoryAccess, place: Option<Place>, bytes: Option<u64>, made: &LoggedAccess) -> bool {
    let AccessAddress::Operand(_) = access.address else { return true };
    let Some(place) = place else { return false };
    place.slot == made.place.slot
        && match access.extent {
            ByteExtent::Object => true,
            ByteExtent::Unbounded => made.place.offset >= place.offset,
            // A text may be shorter than its buffer.
            ByteExtent::Count(_) => made.place.offset == place.offset && bytes.is_some_and(|bytes| made.bytes <= bytes),
            ByteExtent::SyncObject(..) => made.place.offset == place.offset && bytes == Some(made.bytes),
            // Variadic arguments are read one by one.
            ByteExtent::Bytes(bytes) => {
                let end = place.offset + bytes;
                made.place.offset >= place.offset && made.place.offset + made.bytes <= end
            }
        }
}

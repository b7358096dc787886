//! The effects of single instructions, from the IR's table.

use program::effects::{AccessAddress, AccessKind, MemoryAccess, StepClass, effects};
use program::{Callee, InstructionKind, Operand, Program, Property, PropertySet, TerminatorKind};

use super::roots::{Root, Roots};
use super::{AccessedMemory, EvaluationEffects};

/// What the operands of the code at hand stand for.
pub trait Scene {
    /// `None` for memory that nobody else can know, or that nobody can change.
    fn location(&self, root: Root) -> Option<AccessedMemory>;

    /// What a function does, with locations as its parameters.
    fn called(&self, callee: Callee) -> EvaluationEffects;
}

/// What the instruction does. `program` need not contain it: only its data model matters.
pub fn of_instruction(
    program: &Program,
    kind: &InstructionKind,
    roots: &Roots,
    scene: &impl Scene,
) -> EvaluationEffects {
    let table = effects(program, kind);
    let mut found = EvaluationEffects::default();
    for access in &table.accesses {
        add_access(access, roots, scene, &mut found);
    }
    found.synchronises |= synchronises(table.class);
    found.may_stop = sync::may_block(table.class) || matches!(kind, InstructionKind::Assume { .. });
    found.may_violate =
        table.class != StepClass::Unsupported && may_violate(sync::can_violate(program, kind), &table.accesses);
    if let InstructionKind::Call { callee, arguments, .. } = kind {
        found.add(&of_call(&scene.called(*callee), arguments, roots, scene));
    }
    found
}

pub fn of_terminator(kind: &TerminatorKind) -> EvaluationEffects {
    let may_end_process = matches!(kind, TerminatorKind::ProcessExit { .. });
    let may_stop = may_end_process || matches!(kind, TerminatorKind::ThreadExit(_) | TerminatorKind::Unreachable);
    EvaluationEffects { may_stop, may_end_process, ..EvaluationEffects::default() }
}

fn add_access(access: &MemoryAccess, roots: &Roots, scene: &impl Scene, found: &mut EvaluationEffects) {
    let root = match access.address {
        AccessAddress::Operand(operand) => roots.of(operand),
        AccessAddress::Inside(_) => Root::Anything,
    };
    let (reads, writes) = match access.kind {
        AccessKind::Read => (true, false),
        AccessKind::Write | AccessKind::Free => (false, true),
        AccessKind::Update | AccessKind::Synchronise => (true, true),
        AccessKind::LifetimeEnd | AccessKind::Repeat => return,
    };
    let Some(location) = scene.location(root) else { return };
    found.synchronises |= access.is_atomic();
    if writes {
        found.writes.insert(location.clone());
    }
    if reads {
        found.reads.insert(location);
    }
}

fn synchronises(class: StepClass) -> bool {
    match class {
        StepClass::Fences(_)
        | StepClass::Section
        | StepClass::Synchronises(_)
        | StepClass::Creates
        | StepClass::Joins
        | StepClass::Detaches
        | StepClass::Leaves => true,
        StepClass::Local
        | StepClass::Calls
        | StepClass::Frees
        | StepClass::Chooses
        | StepClass::Prints
        | StepClass::Unsupported => false,
    }
}

/// Whether the evaluation itself may be wrong. Of data races the accesses tell, and threads are left behind elsewhere.
fn may_violate(mut properties: PropertySet, accesses: &[MemoryAccess]) -> bool {
    for property in [Property::NoDataRace, Property::Atomicity, Property::NoThreadLeak] {
        properties.remove(property);
    }
    let is_named = |access: &MemoryAccess| matches!(access.base(), Operand::Global { .. } | Operand::Local { .. });
    if !accesses.is_empty() && accesses.iter().all(is_named) {
        properties.remove(Property::ValidDeref);
    }
    !properties.is_empty()
}

/// What a call does of which the callee does this.
fn of_call(callee: &EvaluationEffects, arguments: &[Operand], roots: &Roots, scene: &impl Scene) -> EvaluationEffects {
    let locate = |location: &AccessedMemory| match location {
        AccessedMemory::Parameter(index) => match arguments.get(*index) {
            Some(&argument) => scene.location(roots.of(argument)),
            None => Some(AccessedMemory::Pointed),
        },
        other => Some(other.clone()),
    };
    EvaluationEffects {
        reads: callee.reads.iter().filter_map(locate).collect(),
        writes: callee.writes.iter().filter_map(locate).collect(),
        ..*callee
    }
}

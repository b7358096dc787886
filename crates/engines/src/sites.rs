//! Where a property can be violated at all, told from the instructions alone. A property without a site holds, whatever
//! else the program does and however often.
//!
//! What an unsupported construct does is unknown, so it is a site of every property: code that only it may reach (labels
//! of a computed `goto`, functions whose addresses it was given) needs no attention then.
//!
//! An access to a named object is no site of `valid-deref` if it lies inside the object, does not write to a constant,
//! and the object certainly lives there. Allocations are no sites of `valid-memtrack` if all of them are kept for good
//! (`kept_memory`).

use base::Statistics;
use program::points_to::PointsTo;
use program::printed;
use program::{
    AllocationKind, Argument, BinaryOp, Block, BlockId, Callee, Function, FunctionId, InstructionKind, LibraryFunction,
    LocalId, Operand, Program, Property, PropertySet, Rvalue, UnaryOp,
};

use crate::engine::{Engine, EngineBug, Job, Report};
use crate::kept_memory::keeps_all_memory;
use crate::lock_sites;
use crate::prover;

/// The properties of those given for which the program has a site.
pub fn properties_with_sites(program: &Program, properties: PropertySet) -> PropertySet {
    survey(program, properties, true)
}

/// As [`properties_with_sites`], where what is not supported leads to no code beyond the program: it is no site.
pub fn properties_with_supported_sites(program: &Program, properties: PropertySet) -> PropertySet {
    survey(program, properties, false)
}

fn survey(program: &Program, properties: PropertySet, unsupported_is_site: bool) -> PropertySet {
    let points_to = PointsTo::new(program);
    let mut found = PropertySet::EMPTY;
    for (id, function) in program.functions.iter_enumerated().filter(|&(id, _)| points_to.is_reached(id)) {
        let lives = Lives::new(function);
        for (block, body) in function.blocks.iter_enumerated() {
            let Some(mut living) = lives.at_entry(block) else { continue };
            for instruction in &body.instructions {
                if !unsupported_is_site && matches!(instruction.kind, InstructionKind::Unsupported { .. }) {
                    continue;
                }
                let at = Place { program, function: id, living: &living };
                let sites = properties.iter().filter(|&property| at.is_site(property, &instruction.kind));
                found = sites.fold(found, |found, property| found.union(PropertySet::of(&[property])));
                step(&mut living, &instruction.kind);
            }
        }
    }
    if found.contains(Property::ValidMemtrack) && keeps_all_memory(program, &points_to) {
        found.remove(Property::ValidMemtrack);
    }
    found
}

/// The properties of those given that the engine of this job has to decide: those with a site, or all of them if it
/// answers alone.
pub fn in_question(job: &Job<'_>, properties: PropertySet) -> PropertySet {
    if job.options.only { properties } else { properties_with_sites(job.program, properties) }
}

/// Proves the properties that have no site.
pub struct ViolationSites;

impl Engine for ViolationSites {
    fn name(&self) -> &'static str {
        "violation-sites"
    }

    fn summary(&self) -> &'static str {
        "proves what no instruction of the program can violate"
    }

    fn argument(&self) -> Argument {
        Argument::NoViolationSite
    }

    fn check(&self, job: &Job<'_>) -> Result<Report, EngineBug> {
        let sites = properties_with_sites(job.program, job.properties);
        let proof = |property| (!sites.contains(property)).then(|| self.provenance());
        Ok(prover::report(self, job, job.properties, proof, Statistics::new()))
    }
}

/// A place in a function, and which locals certainly live there.
struct Place<'a> {
    program: &'a Program,
    function: FunctionId,
    living: &'a [bool],
}

impl Place<'_> {
    fn is_site(&self, property: Property, kind: &InstructionKind) -> bool {
        match property {
            _ if matches!(kind, InstructionKind::Unsupported { .. }) => true,
            Property::Assert | Property::UnreachCall => {
                matches!(kind, InstructionKind::Assert { property: asserted, .. } if *asserted == property)
            }
            Property::ValidDeref => self.may_access_badly(kind),
            Property::ValidFree => matches!(kind, InstructionKind::Free { .. } | InstructionKind::Reallocate { .. }),
            Property::ValidMemtrack | Property::ValidMemcleanup => matches!(
                kind,
                InstructionKind::Allocate { kind: AllocationKind::Heap, .. } | InstructionKind::Reallocate { .. }
            ),
            Property::NoOverflow | Property::NoDivByZero | Property::NoBadShift => match kind {
                InstructionKind::Assign { value, .. } => may_compute_badly(property, value),
                _ => false,
            },
            // One thread alone does not race.
            Property::NoDataRace | Property::NoThreadLeak => matches!(kind, InstructionKind::Spawn { .. }),
            Property::NoDeadlock => lock_sites::may_block(kind),
            Property::LockMisuse => lock_sites::may_be_misuse(kind),
            // Only predictions know of transactions: nobody has said when it cannot be violated.
            Property::Atomicity => true,
        }
    }

    fn may_access_badly(&self, kind: &InstructionKind) -> bool {
        let model = self.program.data_model;
        match kind {
            InstructionKind::Load { address, ty, .. } => !self.is_valid(*address, ty.bytes(model), false),
            InstructionKind::Store { address, ty, .. }
            | InstructionKind::ReadModifyWrite { address, ty, .. }
            | InstructionKind::CompareExchange { address, ty, .. } => !self.is_valid(*address, ty.bytes(model), true),
            InstructionKind::SetMemory { target, size, .. } => !self.is_valid_area(*target, *size, true),
            // Areas that overlap are bad, too.
            InstructionKind::CopyMemory { target, source, size, overlap } => {
                let apart = *overlap || base(*target) != base(*source);
                !(apart && self.is_valid_area(*target, *size, true) && self.is_valid_area(*source, *size, false))
            }
            InstructionKind::Spawn { store, function, .. } => {
                let stored = store.is_none_or(|address| self.is_valid(address, model.pointer_bytes(), true));
                !stored || matches!(function, Callee::Indirect(_))
            }
            InstructionKind::Call { callee, .. } => matches!(callee, Callee::Indirect(_)),
            InstructionKind::Sync { op, operands, .. } => {
                let layouts = self.program.sync_layouts();
                let mut objects = operands.iter().zip(&sync::action(*op).objects);
                !objects.all(|(&operand, &kind)| self.is_valid(operand, sync::object_bytes(kind, layouts), true))
            }
            InstructionKind::Library { function, arguments, .. } => !self.prints_harmlessly(*function, arguments),
            _ => false,
        }
    }

    fn is_valid_area(&self, address: Operand, size: Operand, write: bool) -> bool {
        matches!(size, Operand::Int { value, .. } if self.is_valid(address, value, write))
    }

    /// Whether these bytes certainly lie in a living object.
    fn is_valid(&self, address: Operand, bytes: u64, write: bool) -> bool {
        let inside = |offset: i64, size: u64| {
            u64::try_from(offset).ok().and_then(|offset| offset.checked_add(bytes)).is_some_and(|end| end <= size)
        };
        match address {
            Operand::Global { global, offset } => {
                let global = &self.program.globals[global];
                let is_constant = global.read_only || global.constant_parts.touches(offset.max(0) as u64, bytes);
                inside(offset, global.size) && !(write && is_constant)
            }
            Operand::Local { local, offset } => {
                let size = self.program.functions[self.function].locals[local].size;
                inside(offset, size) && self.living[local.0 as usize]
            }
            _ => false,
        }
    }

    fn prints_harmlessly(&self, function: LibraryFunction, arguments: &[Operand]) -> bool {
        match (function, arguments) {
            (LibraryFunction::Putchar | LibraryFunction::Puts, _) => true,
            (LibraryFunction::Printf, &[format, arguments]) => match printed::argument_slots(self.program, format) {
                Some(0) => true,
                Some(slots) => self.is_valid(arguments, slots * printed::SLOT_BYTES, false),
                None => false,
            },
            _ => false,
        }
    }
}

fn base(address: Operand) -> Option<Operand> {
    match address {
        Operand::Global { global, .. } => Some(Operand::Global { global, offset: 0 }),
        Operand::Local { local, .. } => Some(Operand::Local { local, offset: 0 }),
        _ => None,
    }
}

fn may_compute_badly(property: Property, value: &Rvalue) -> bool {
    match *value {
        Rvalue::Unary { op: UnaryOp::Neg, signed, .. } => signed && property == Property::NoOverflow,
        Rvalue::Binary { op, left, right, signed, .. } => match (op, property) {
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, Property::NoOverflow) => signed,
            (BinaryOp::SDiv | BinaryOp::SRem, Property::NoOverflow) => !is_ordinary_divisor(right),
            (BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem, Property::NoDivByZero) => {
                !matches!(right, Operand::Int { value: 1.., .. })
            }
            (BinaryOp::Shl, Property::NoOverflow) => signed,
            (BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, Property::NoBadShift) => {
                let in_range = matches!(right, Operand::Int { bits, value } if value < u64::from(bits));
                let negative = op == BinaryOp::Shl && signed && !is_never_negative(left);
                !in_range || negative
            }
            _ => false,
        },
        _ => false,
    }
}

fn is_never_negative(operand: Operand) -> bool {
    matches!(operand, Operand::Int { bits, value } if value >> (bits - 1) == 0)
}

/// Neither -1, with which division may overflow, nor unknown.
fn is_ordinary_divisor(operand: Operand) -> bool {
    matches!(operand, Operand::Int { bits, value } if value != u64::MAX >> (64 - u32::from(bits)))
}

/// The locals that certainly live where each block begins: begun on every path to there and not ended since.
struct Lives {
    /// `None` where no path is known to lead.
    at_entry: Vec<Option<Vec<bool>>>,
}

impl Lives {
    fn new(function: &Function) -> Self {
        let none = vec![false; function.locals.len()];
        let mut lives = Self { at_entry: vec![None; function.blocks.len()] };
        lives.at_entry[Function::ENTRY.0 as usize] = Some(none);
        let mut work = vec![Function::ENTRY];
        while let Some(block) = work.pop() {
            let body: &Block = &function.blocks[block];
            let mut living = lives.at_entry(block).unwrap_or_default();
            body.instructions.iter().for_each(|instruction| step(&mut living, &instruction.kind));
            work.extend(body.terminator.kind.successors().into_iter().filter(|&next| lives.meet(next, &living)));
        }
        lives
    }

    fn at_entry(&self, block: BlockId) -> Option<Vec<bool>> {
        self.at_entry[block.0 as usize].clone()
    }

    /// Adds a path to the block; whether that changed anything.
    fn meet(&mut self, block: BlockId, living: &[bool]) -> bool {
        let known = &mut self.at_entry[block.0 as usize];
        match known {
            None => {
                *known = Some(living.to_vec());
                true
            }
            Some(known) => {
                let mut changed = false;
                for (own, other) in known.iter_mut().zip(living) {
                    changed |= *own && !other;
                    *own &= other;
                }
                changed
            }
        }
    }
}

fn step(living: &mut [bool], kind: &InstructionKind) {
    let (local, lives): (LocalId, bool) = match kind {
        InstructionKind::Begin { local } => (*local, true),
        InstructionKind::End { local } => (*local, false),
        _ => return,
    };
    if let Some(entry) = living.get_mut(local.0 as usize) {
        *entry = lives;
    }
}

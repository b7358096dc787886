//! Where a property can be violated at all, told from the instructions alone. A property without a site holds, whatever
//! else the program does and however often.
//!
//! What an unsupported construct does is unknown, so it is a site of every property: code that only it may reach (labels
//! of a computed `goto`, functions whose addresses it was given) needs no attention then.
//!
//! An access to a named object is no site of `valid-deref` if it lies inside the object, does not write to a constant,
//! and the object certainly lives there. Allocations are no sites of `valid-memtrack` if all of them are kept for good
//! (`kept_memory`).

use program::effects::{AccessAddress, Effects, MemoryAccess, StepClass, effects};
use program::points_to::PointsTo;
use program::{
    Analyses, Analysis, Block, BlockId, Callee, Function, FunctionId, InstructionKind, LocalId, Operand, Program,
    Property, PropertySet, VerdictArgument,
};

use crate::engine::{Engine, Job, Run};
use crate::kept_memory::keeps_all_memory;
use crate::prover::OneAttempt;

/// The properties of those given for which the program has a site.
pub fn properties_with_sites(analyses: &Analyses<'_>, properties: PropertySet) -> PropertySet {
    analyses.get::<Sites>().all.intersection(properties)
}

/// As [`properties_with_sites`], where what is not supported leads to no code beyond the program: it is no site.
pub fn properties_with_supported_sites(analyses: &Analyses<'_>, properties: PropertySet) -> PropertySet {
    analyses.get::<Sites>().supported.intersection(properties)
}

/// The properties for which the program has a site.
struct Sites {
    all: PropertySet,
    /// Without what is not supported.
    supported: PropertySet,
}

impl Analysis for Sites {
    const NAME: &'static str = "violation site analyses";

    fn run(analyses: &Analyses<'_>) -> Self {
        let points_to = analyses.get::<PointsTo>();
        let find = |unsupported_is_site| find_sites(analyses.program, &points_to, unsupported_is_site);
        Self { all: find(true), supported: find(false) }
    }
}

fn find_sites(program: &Program, points_to: &PointsTo, unsupported_is_site: bool) -> PropertySet {
    let properties: PropertySet = Property::ALL.into_iter().collect();
    let mut found = PropertySet::EMPTY;
    for (id, function) in program.functions.iter_enumerated().filter(|&(id, _)| points_to.is_reached(id)) {
        let lives = Lives::new(function);
        for (block, body) in function.blocks.iter_enumerated() {
            let Some(mut living) = lives.at_entry(block) else { continue };
            for instruction in &body.instructions {
                if !unsupported_is_site && matches!(instruction.kind, InstructionKind::Unsupported { .. }) {
                    continue;
                }
                let at = SitePlace {
                    program,
                    function: id,
                    living: &living,
                    effects: &effects(program, &instruction.kind),
                    can_violate: sync::can_violate(program, &instruction.kind),
                };
                let sites = properties.iter().filter(|&property| at.is_site(property, &instruction.kind));
                found = sites.fold(found, |found, property| found.union(PropertySet::of(&[property])));
                step(&mut living, &instruction.kind);
            }
        }
    }
    if found.contains(Property::ValidMemtrack) && keeps_all_memory(program, points_to) {
        found.remove(Property::ValidMemtrack);
    }
    found
}

/// Proves the properties that have no site.
pub struct ViolationSites;

impl Engine for ViolationSites {
    fn name(&self) -> &'static str {
        "violation-sites"
    }

    fn summary(&self) -> &'static str {
        "proves properties that no instruction of the program can violate"
    }

    fn argument(&self) -> VerdictArgument {
        VerdictArgument::NoViolationSite
    }

    fn properties(&self) -> PropertySet {
        Property::of_executions().collect()
    }

    fn start<'a>(&'a self, job: Job<'a>) -> Box<dyn Run + 'a> {
        OneAttempt::new(move |open, _, _| {
            let sites = properties_with_sites(job.analyses, open);
            Ok(open.iter().filter(|&property| !sites.contains(property)).collect())
        })
    }
}

/// An instruction of a function, and which locals certainly live there.
struct SitePlace<'a> {
    program: &'a Program,
    function: FunctionId,
    living: &'a [bool],
    effects: &'a Effects,
    can_violate: PropertySet,
}

impl SitePlace<'_> {
    fn is_site(&self, property: Property, kind: &InstructionKind) -> bool {
        if !self.can_violate.contains(property) && property != Property::NoDataRace {
            return false;
        }
        match property {
            Property::ValidDeref => self.may_access_badly(kind),
            // One thread alone does not race.
            Property::NoDataRace => matches!(self.effects.class, StepClass::Creates | StepClass::Unsupported),
            _ => true,
        }
    }

    fn may_access_badly(&self, kind: &InstructionKind) -> bool {
        let is_unknown = match kind {
            InstructionKind::Unsupported { .. } => true,
            InstructionKind::Call { callee, .. } | InstructionKind::Spawn { function: callee, .. } => {
                matches!(callee, Callee::Indirect(_))
            }
            // Areas that overlap are bad, too.
            InstructionKind::CopyMemory { target, source, overlap, .. } => !overlap && base(*target) == base(*source),
            _ => false,
        };
        let mut accesses = self.effects.accesses.iter().filter(|access| access.kind.needs_valid_bytes());
        is_unknown || accesses.any(|access| !self.is_valid(access, kind))
    }

    /// Whether the bytes of an access certainly lie in a living object, which may be written if they are.
    fn is_valid(&self, access: &MemoryAccess, kind: &InstructionKind) -> bool {
        let Some(bytes) = sync::accessed_bytes(access, self.program) else { return false };
        let inside = |offset: i64, size: u64| {
            u64::try_from(offset).ok().and_then(|offset| offset.checked_add(bytes)).is_some_and(|end| end <= size)
        };
        match access.address {
            AccessAddress::Operand(Operand::Global { global, offset }) => {
                let global = &self.program.globals[global];
                let is_constant = global.read_only || global.constant_parts.touches(offset.max(0) as u64, bytes);
                inside(offset, global.size) && !(access.kind.writes() && is_constant)
            }
            AccessAddress::Operand(Operand::Local { local, offset }) => {
                let object = &self.program.functions[self.function].locals[local];
                let is_constant = object.read_only || object.constant_parts.touches(offset.max(0) as u64, bytes);
                let may_write = !is_constant || kind.initialised_local() == Some(local);
                inside(offset, object.size) && self.living[local.0 as usize] && (may_write || !access.kind.writes())
            }
            AccessAddress::Operand(_) | AccessAddress::Inside(_) => false,
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

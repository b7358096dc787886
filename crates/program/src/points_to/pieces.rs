//! Where pointers may be put together from pieces: places that are read as pointers and written otherwise.
//!
//! The constraints follow whole addresses. A pointer whose bytes were stored one by one, or as numbers, was found by its
//! address: it may point to any exposed object. Objects in which that may happen are found by comparing where in them
//! pointers are read with where other things are written, by the remainders of offsets ([`Progression`]): the fields of
//! structures and of elements of arrays are told apart, so that the counter beside a pointer does not matter.

use base::{Id, IdVec};

use super::progression::Progression;
use super::targets::Targets;
use super::{MemoryObject, ObjectId, ObjectSet, PointsTo};
use crate::effects::{ByteExtent, MemoryAccess, effects};
use crate::instruction::{BinaryOp, CastOp, InstructionKind, Operand, Rvalue, TerminatorKind, UnaryOp};
use crate::program_::{At, FunctionId, Location, Program, RegisterId};
use crate::types::Type;

/// Objects with more places than this are not told apart any further.
const MANY_PLACES: usize = 64;

/// Bytes that are written or read: from where on, and how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PiecePlace {
    start: Progression,
    length: u64,
}

impl PiecePlace {
    pub(crate) const EVERYWHERE: Self = Self { start: Progression::ANY, length: 1 };

    pub(crate) fn exactly(start: i64, length: u64) -> Self {
        Self { start: Progression::exactly(start), length }
    }

    pub(crate) fn overlaps(self, other: Self) -> bool {
        self.start.may_overlap(self.length, other.start, other.length)
    }

    pub(crate) fn length(self) -> u64 {
        self.length
    }
}

/// What is known of the offsets of pointers and of numbers, for all executions alike.
pub(crate) struct Offsets<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// Objects in which pointers may be put together: their offsets are not known.
    assembled: ObjectSet,
    registers: IdVec<FunctionId, Vec<Option<Progression>>>,
    results: IdVec<FunctionId, Option<Progression>>,
    thread_results: Option<Progression>,
    /// The offsets of the pointers that lie in an object, by their place.
    contents: IdVec<ObjectId, Vec<(PiecePlace, Progression)>>,
    changed: bool,
}

/// The objects in which pointers may be put together, beyond those known to be `assembled`.
pub(super) fn assembled(program: &Program, points_to: &PointsTo, assembled: &ObjectSet) -> ObjectSet {
    let offsets = Offsets::new(program, points_to, assembled.clone());
    let met = offsets.met(None);
    if met.is_empty() {
        return met;
    }
    // Pointers whose targets are told apart by fields, too, meet less.
    let targets = Targets::new(program, points_to, &offsets);
    offsets.met(Some(&targets))
}

type Places = IdVec<ObjectId, Vec<PiecePlace>>;

impl<'a> Offsets<'a> {
    /// Of a whole program, once it is known what points to what.
    pub(crate) fn of(program: &'a Program, points_to: &'a PointsTo) -> Self {
        Self::new(program, points_to, points_to.assembled.clone())
    }

    fn new(program: &'a Program, points_to: &'a PointsTo, assembled: ObjectSet) -> Self {
        let mut offsets = Self {
            program,
            points_to,
            assembled,
            registers: program.functions.iter().map(|function| vec![None; function.registers.len()]).collect(),
            results: program.functions.iter().map(|_| None).collect(),
            thread_results: None,
            contents: points_to.objects().map(|_| Vec::new()).collect(),
            changed: false,
        };
        offsets.initial_contents();
        offsets.solve();
        offsets
    }

    fn initial_contents(&mut self) {
        for (id, global) in self.program.globals.iter_enumerated() {
            let Some(object) = self.points_to.id(MemoryObject::Global(id)) else { continue };
            for relocation in &global.initial.relocations {
                let value = self.operand(FunctionId(0), relocation.value);
                let place = self.pointer_at(Progression::exactly(relocation.offset as i64));
                self.put(object, place, value);
            }
        }
    }

    fn pointer_at(&self, start: Progression) -> PiecePlace {
        PiecePlace { start, length: self.program.data_model.pointer_bytes() }
    }

    fn solve(&mut self) {
        loop {
            self.changed = false;
            for (location, at) in self.reached() {
                match at {
                    At::Instruction(instruction) => self.instruction(location, &instruction.kind),
                    At::Terminator(terminator) => self.terminator(location.function, &terminator.kind),
                }
            }
            if !self.changed {
                return;
            }
        }
    }

    /// The bytes that an access of so many bytes at the address touches.
    pub(crate) fn place(&self, function: FunctionId, address: Operand, length: u64) -> PiecePlace {
        PiecePlace { start: self.operand(function, address).unwrap_or(Progression::ANY), length }
    }

    /// The offset of this address, if there is only one.
    pub(crate) fn constant(&self, function: FunctionId, address: Operand) -> Option<i64> {
        self.operand(function, address)?.constant().and_then(|offset| i64::try_from(offset).ok())
    }

    /// Whether this number is any multiple of `size`, not a certain one.
    pub(crate) fn is_unknown_multiple_of(&self, function: FunctionId, number: Operand, size: u64) -> bool {
        self.operand(function, number).is_some_and(|known| known.constant().is_none() && known.is_multiple_of(size))
    }

    /// Where bytes come to lie that a block copy between these addresses moves.
    pub(crate) fn moved(
        &self,
        place: PiecePlace,
        function: FunctionId,
        source: Operand,
        target: Operand,
    ) -> PiecePlace {
        let distance = self.distance(function, source, target).unwrap_or(Progression::ANY);
        moved(place, distance)
    }

    pub(crate) fn reached(&self) -> impl Iterator<Item = (Location, At<'a>)> + use<'a> {
        let (program, points_to) = (self.program, self.points_to);
        let functions = program.functions.iter_enumerated().filter(|(id, _)| points_to.is_reached(*id));
        functions.flat_map(|(id, body)| body.locations(id)).map(|location| (location, program.at(location)))
    }

    fn instructions(&self) -> impl Iterator<Item = (Location, &'a InstructionKind)> + use<'a> {
        self.reached().filter_map(|(location, at)| match at {
            At::Instruction(instruction) => Some((location, &instruction.kind)),
            At::Terminator(_) => None,
        })
    }

    fn operand(&self, function: FunctionId, operand: Operand) -> Option<Progression> {
        match operand {
            Operand::Register(register) => self.registers[function][register.index()],
            Operand::Global { offset, .. } | Operand::Local { offset, .. } => Some(Progression::exactly(offset)),
            Operand::Function(_) | Operand::Null => Some(Progression::exactly(0)),
            Operand::Int { bits, value } => {
                let shift = 64 - u32::from(bits.clamp(1, 64));
                Some(Progression::exactly(((value << shift) as i64) >> shift))
            }
            Operand::Float(_) | Operand::Double(_) => Some(Progression::ANY),
        }
    }

    fn set(&mut self, function: FunctionId, register: RegisterId, value: Option<Progression>) {
        let slot = &mut self.registers[function][register.index()];
        let joined = join(*slot, value);
        self.changed |= joined != *slot;
        *slot = joined;
    }

    fn put(&mut self, object: ObjectId, place: PiecePlace, value: Option<Progression>) {
        let Some(value) = value else { return };
        let contents = &mut self.contents[object];
        let is_known = |known: PiecePlace| known == place || known == PiecePlace::EVERYWHERE;
        match contents.iter_mut().find(|(known, _)| is_known(*known)) {
            Some((_, known)) => {
                let joined = known.join(value);
                self.changed |= joined != *known;
                *known = joined;
            }
            None => {
                self.changed = true;
                if contents.len() >= MANY_PLACES {
                    let all = contents.drain(..).fold(value, |all, (_, one)| all.join(one));
                    contents.push((PiecePlace::EVERYWHERE, all));
                } else {
                    contents.push((place, value));
                }
            }
        }
    }

    fn get(&self, object: ObjectId, place: PiecePlace) -> Option<Progression> {
        if self.assembled.contains(object) {
            return Some(Progression::ANY);
        }
        let found = self.contents[object].iter().filter(|(known, _)| known.overlaps(place));
        found.fold(None, |all, &(_, one)| join(all, Some(one)))
    }

    fn load(&mut self, function: FunctionId, target: RegisterId, address: Operand, ty: Type) {
        if ty != Type::Pointer {
            return self.set(function, target, Some(Progression::ANY));
        }
        let Some(start) = self.operand(function, address) else { return };
        let place = self.pointer_at(start);
        let points_to = self.points_to;
        let found = points_to.operand(function, address).iter();
        let value = found.fold(None, |all, object| join(all, self.get(object, place)));
        self.set(function, target, value);
    }

    fn store(&mut self, function: FunctionId, address: Operand, value: Operand, ty: Type) {
        if ty != Type::Pointer {
            return;
        }
        let (Some(start), value) = (self.operand(function, address), self.operand(function, value)) else { return };
        let place = self.pointer_at(start);
        let points_to = self.points_to;
        points_to.operand(function, address).iter().for_each(|object| self.put(object, place, value));
    }

    fn instruction(&mut self, location: Location, kind: &InstructionKind) {
        let function = location.function;
        match kind {
            InstructionKind::Nondet { target, .. } => self.set(function, *target, Some(Progression::ANY)),
            InstructionKind::Assign { target, value } => {
                let ty = self.program.functions[function].registers[*target].ty;
                let value = self.rvalue(function, value, ty);
                self.set(function, *target, value);
            }
            InstructionKind::Load { target, address, ty, .. } => self.load(function, *target, *address, *ty),
            InstructionKind::Store { address, value, ty, .. } => self.store(function, *address, *value, *ty),
            InstructionKind::ReadModifyWrite { target, address, value, ty, op, .. } => {
                if let Some(target) = target {
                    self.load(function, *target, *address, *ty);
                }
                match op {
                    crate::instruction::RmwOp::Exchange => self.store(function, *address, *value, *ty),
                    _ => self.forget_offsets(function, *address),
                }
            }
            InstructionKind::CompareExchange { old, success, address, desired, ty, .. } => {
                self.load(function, *old, *address, *ty);
                self.set(function, *success, Some(Progression::ANY));
                self.store(function, *address, *desired, *ty);
            }
            InstructionKind::Allocate { target, .. } => {
                self.set(function, *target, Some(Progression::exactly(0)));
            }
            InstructionKind::Reallocate { target, address, .. } => {
                self.set(function, *target, Some(Progression::exactly(0)));
                let made = self.points_to.id(MemoryObject::Allocation(location)).into_iter().collect();
                let start = Progression::exactly(0);
                self.copy_contents(self.points_to.operand(function, *address), &made, start);
            }
            InstructionKind::CopyMemory { target, source, .. } => {
                let points_to = self.points_to;
                let (from, to) = (points_to.operand(function, *source), points_to.operand(function, *target));
                if let Some(distance) = self.distance(function, *source, *target) {
                    self.copy_contents(from, to, distance);
                }
            }
            InstructionKind::Call { .. } | InstructionKind::Spawn { .. } => self.call(location, kind),
            InstructionKind::Join { target: Some(target), .. } => {
                self.set(function, *target, self.thread_results);
            }
            _ => {}
        }
        for &target in kind.targets().iter() {
            if self.is_number(function, target) {
                self.set_unknown_number(function, target, kind);
            }
        }
    }

    /// Numbers that an instruction other than an assignment makes are not followed.
    fn set_unknown_number(&mut self, function: FunctionId, target: RegisterId, kind: &InstructionKind) {
        if !matches!(kind, InstructionKind::Assign { .. }) {
            self.set(function, target, Some(Progression::ANY));
        }
    }

    fn is_number(&self, function: FunctionId, register: RegisterId) -> bool {
        self.program.functions[function].registers[register].ty != Type::Pointer
    }

    fn terminator(&mut self, function: FunctionId, kind: &TerminatorKind) {
        match *kind {
            TerminatorKind::Return(Some(value)) => {
                let joined = join(self.results[function], self.operand(function, value));
                self.changed |= joined != self.results[function];
                self.results[function] = joined;
            }
            TerminatorKind::ThreadExit(value) => self.leave_result(self.operand(function, value)),
            _ => {}
        }
    }

    fn leave_result(&mut self, value: Option<Progression>) {
        let joined = join(self.thread_results, value);
        self.changed |= joined != self.thread_results;
        self.thread_results = joined;
    }

    fn call(&mut self, location: Location, kind: &InstructionKind) {
        let (arguments, target) = match kind {
            InstructionKind::Call { target, arguments, .. } => (arguments.as_slice(), *target),
            InstructionKind::Spawn { argument, .. } => (std::slice::from_ref(argument), None),
            _ => return,
        };
        let points_to = self.points_to;
        for &callee in points_to.callees(location) {
            let parameters = &self.program.functions[callee].parameters;
            for (&argument, &parameter) in arguments.iter().zip(parameters) {
                self.set(callee, parameter, self.operand(location.function, argument));
            }
            // Missing arguments are zero.
            for &parameter in parameters.iter().skip(arguments.len()) {
                self.set(callee, parameter, Some(Progression::exactly(0)));
            }
            match target {
                Some(target) => self.set(location.function, target, self.results[callee]),
                None => self.leave_result(self.results[callee]),
            }
        }
    }

    fn forget_offsets(&mut self, function: FunctionId, address: Operand) {
        let points_to = self.points_to;
        for object in points_to.operand(function, address).iter() {
            self.put(object, PiecePlace::EVERYWHERE, Some(Progression::ANY));
        }
    }

    fn distance(&self, function: FunctionId, source: Operand, target: Operand) -> Option<Progression> {
        let (source, target) = (self.operand(function, source)?, self.operand(function, target)?);
        Some(target.plus(source.negated()))
    }

    fn copy_contents(&mut self, from: &ObjectSet, to: &ObjectSet, distance: Progression) {
        let contents: Vec<(PiecePlace, Progression)> =
            from.iter().flat_map(|object| self.contents[object].iter().copied()).collect();
        let assembled = from.iter().any(|object| self.assembled.contains(object));
        for object in to.iter() {
            for &(place, value) in &contents {
                self.put(object, moved(place, distance), Some(value));
            }
            if assembled {
                self.put(object, PiecePlace::EVERYWHERE, Some(Progression::ANY));
            }
        }
    }

    fn rvalue(&self, function: FunctionId, value: &Rvalue, ty: Type) -> Option<Progression> {
        let of = |operand: Operand| self.operand(function, operand);
        let model = self.program.data_model;
        let bits = ty.bits(model);
        let wrapped = |number: Progression, bits| match () {
            () if bits < model.pointer_bits() => number.wrapped(bits),
            () => number.wrapped_to_signed(bits),
        };
        match *value {
            Rvalue::Use(operand) => of(operand),
            Rvalue::PointerAdd { pointer, offset } => Some(of(pointer)?.plus(of(offset)?)),
            Rvalue::Select { then, otherwise, .. } => join(of(then), of(otherwise)),
            Rvalue::Unary { op: UnaryOp::Neg, operand, .. } => Some(wrapped(of(operand)?.negated(), bits)),
            // It does not wrap; what is out of reach is in no object.
            Rvalue::Binary { op: BinaryOp::Scale, left, right, .. } => Some(of(left)?.times(of(right)?)),
            Rvalue::Binary { op, left, right, .. } => {
                let (left, right) = (of(left)?, of(right)?);
                Some(wrapped(binary(op, left, right), bits))
            }
            // Also of a number as wide as an address: taken as a signed one it may have been negative.
            Rvalue::Cast { op: CastOp::ZeroExtend, from, operand, .. } => Some(of(operand)?.wrapped(from.bits(model))),
            Rvalue::Cast { op: CastOp::SignExtend, operand, .. } => of(operand),
            Rvalue::Cast { op: CastOp::Truncate, operand, .. } => Some(wrapped(of(operand)?, bits)),
            Rvalue::Cast { .. } | Rvalue::Unary { .. } | Rvalue::PointerDifference { .. } => Some(Progression::ANY),
        }
    }

    pub(crate) fn is_assembled(&self, object: ObjectId) -> bool {
        self.assembled.contains(object)
    }

    /// The objects in which pointers are read where other things are written, beyond those that are known to be assembled.
    fn met(&self, targets: Option<&Targets<'_>>) -> ObjectSet {
        let (reads, writes) = (self.pointer_reads(targets), self.other_writes(targets));
        let is_met = |object: ObjectId| {
            let met = |read: &PiecePlace| writes[object].iter().any(|write| write.overlaps(*read));
            reads[object].iter().any(met)
        };
        self.points_to.objects().filter(|&object| !self.assembled.contains(object) && is_met(object)).collect()
    }

    fn objects<'b>(
        &'b self,
        targets: Option<&'b Targets<'_>>,
        function: FunctionId,
        address: Operand,
    ) -> &'b ObjectSet {
        match targets {
            Some(targets) => targets.operand(function, address),
            None => self.points_to.operand(function, address),
        }
    }

    fn no_places(&self) -> Places {
        self.points_to.objects().map(|_| Vec::new()).collect()
    }

    /// Where pointers are read.
    fn pointer_reads(&self, targets: Option<&Targets<'_>>) -> Places {
        let mut places = self.no_places();
        for (location, kind) in self.instructions() {
            if let InstructionKind::Load { address, ty: Type::Pointer, .. }
            | InstructionKind::ReadModifyWrite { address, ty: Type::Pointer, .. }
            | InstructionKind::CompareExchange { address, ty: Type::Pointer, .. } = kind
            {
                let start = self.operand(location.function, *address).unwrap_or(Progression::ANY);
                let objects = self.objects(targets, location.function, *address);
                note(&mut places, objects, self.pointer_at(start));
            }
        }
        places
    }

    /// Where anything else than whole pointers is written, directly or by copying.
    fn other_writes(&self, targets: Option<&Targets<'_>>) -> Places {
        let mut places = self.no_places();
        for (location, kind) in self.instructions() {
            self.note_write(targets, &mut places, location.function, kind);
        }
        while self.copy_writes(targets, &mut places) {}
        places
    }

    fn note_write(
        &self,
        targets: Option<&Targets<'_>>,
        places: &mut Places,
        function: FunctionId,
        kind: &InstructionKind,
    ) {
        match kind {
            InstructionKind::Store { ty: Type::Pointer, .. }
            | InstructionKind::ReadModifyWrite { ty: Type::Pointer, .. }
            | InstructionKind::CompareExchange { ty: Type::Pointer, .. }
            // What is copied is passed on later, and a handle is as little an address as the state of a lock is.
            | InstructionKind::CopyMemory { .. }
            | InstructionKind::Spawn { .. }
            | InstructionKind::Sync { .. } => return,
            InstructionKind::SetMemory { target, size, .. } if self.fills_whole_pointers(function, *target, *size) => {
                return;
            }
            _ => {}
        }
        let length = |access: &MemoryAccess| match access.extent {
            ByteExtent::Bytes(bytes) => Some(bytes),
            ByteExtent::Count(size) => {
                let size = self.operand(function, size).and_then(Progression::constant);
                size.and_then(|size| u64::try_from(size).ok())
            }
            ByteExtent::Object | ByteExtent::SyncObject(..) | ByteExtent::Unbounded => None,
        };
        for access in effects(self.program, kind).accesses.iter().filter(|access| access.kind.writes()) {
            let start = self.operand(function, access.base()).unwrap_or(Progression::ANY);
            let place = length(access).map_or(PiecePlace::EVERYWHERE, |length| PiecePlace { start, length });
            note(places, self.objects(targets, function, access.base()), place);
        }
    }

    /// Whether whole pointers are overwritten by bytes that are all the same, which is no address.
    fn fills_whole_pointers(&self, function: FunctionId, target: Operand, size: Operand) -> bool {
        let width = self.program.data_model.pointer_bytes();
        let is_multiple =
            |operand: Operand| self.operand(function, operand).is_some_and(|number| number.is_multiple_of(width));
        is_multiple(target) && is_multiple(size)
    }

    /// Passes on what block copies move; tells whether anything is new.
    fn copy_writes(&self, refined: Option<&Targets<'_>>, places: &mut Places) -> bool {
        let mut grown = false;
        for (location, kind) in self.instructions() {
            let function = location.function;
            let (source, targets, distance) = match kind {
                InstructionKind::CopyMemory { target, source, .. } => {
                    let Some(distance) = self.distance(function, *source, *target) else { continue };
                    (*source, self.objects(refined, function, *target).clone(), distance)
                }
                InstructionKind::Reallocate { address, .. } => {
                    let made = self.points_to.id(MemoryObject::Allocation(location)).into_iter().collect();
                    (*address, made, Progression::exactly(0))
                }
                _ => continue,
            };
            let mut moved_places = Vec::new();
            for object in self.objects(refined, function, source).iter() {
                places[object].iter().for_each(|&place| _ = insert(&mut moved_places, moved(place, distance)));
            }
            for object in targets.iter() {
                moved_places.iter().for_each(|&place| grown |= insert(&mut places[object], place));
            }
        }
        grown
    }
}

fn moved(place: PiecePlace, distance: Progression) -> PiecePlace {
    PiecePlace { start: place.start.plus(distance), ..place }
}

fn note(places: &mut Places, objects: &ObjectSet, place: PiecePlace) {
    objects.iter().for_each(|object| _ = insert(&mut places[object], place));
}

/// Tells whether the place is new.
fn insert(places: &mut Vec<PiecePlace>, place: PiecePlace) -> bool {
    if places.contains(&place) || places.contains(&PiecePlace::EVERYWHERE) {
        return false;
    }
    if places.len() >= MANY_PLACES {
        places.clear();
        places.push(PiecePlace::EVERYWHERE);
    } else {
        places.push(place);
    }
    true
}

fn join(a: Option<Progression>, b: Option<Progression>) -> Option<Progression> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b)),
        (one, None) | (None, one) => one,
    }
}

fn binary(op: BinaryOp, left: Progression, right: Progression) -> Progression {
    match op {
        BinaryOp::Add => left.plus(right),
        BinaryOp::Sub => left.plus(right.negated()),
        BinaryOp::Mul => left.times(right),
        BinaryOp::Shl => match right.constant().and_then(|count| u32::try_from(count).ok()) {
            Some(count @ 0..=62) => left.times(Progression::exactly(1 << count)),
            _ => Progression::ANY,
        },
        _ => Progression::ANY,
    }
}

//! Rules 10 and 11: objects, their initial contents, and shapes.

use base::Id;

use super::{VerifiedPlace, Verifier, is_valid};
use crate::instruction::Operand;
use crate::program_::{Global, Initialiser};
use crate::shape::{Shape, ShapeId};
use crate::types::Type;

impl Verifier<'_> {
    pub(super) fn shapes(&mut self) {
        for (id, shape) in self.program.shapes.iter_enumerated() {
            let place = VerifiedPlace::Shape(id);
            for part in parts(shape) {
                self.shape_exists(place, part);
            }
            if let Shape::Scalar(ty) = shape {
                self.require(place, is_valid(*ty), || format!("{ty} is not a type"));
            }
        }
        self.shapes_are_finite();
    }

    pub(super) fn shape_exists(&mut self, place: VerifiedPlace, shape: ShapeId) {
        self.require(place, self.program.shapes.get(shape).is_some(), || format!("{shape} does not exist"));
    }

    /// Takes away shapes all of whose parts are taken away already; what remains contains itself.
    fn shapes_are_finite(&mut self) {
        let shapes = &self.program.shapes;
        let mut users = vec![Vec::new(); shapes.len()];
        let mut missing = vec![0usize; shapes.len()];
        for (id, shape) in shapes.iter_enumerated() {
            for part in parts(shape).filter(|&part| shapes.get(part).is_some()) {
                users[part.index()].push(id);
                missing[id.index()] += 1;
            }
        }
        let mut finished: Vec<ShapeId> = shapes.ids().filter(|id| missing[id.index()] == 0).collect();
        while let Some(id) = finished.pop() {
            for &user in &users[id.index()] {
                missing[user.index()] -= 1;
                if missing[user.index()] == 0 {
                    finished.push(user);
                }
            }
        }
        for id in shapes.ids().filter(|id| missing[id.index()] != 0) {
            self.flaw(VerifiedPlace::Shape(id), "the shape contains itself");
        }
    }

    pub(super) fn globals(&mut self) {
        for (id, global) in self.program.globals.iter_enumerated() {
            let place = VerifiedPlace::Global(id);
            self.object(place, global.size, global.align, global.shape);
            self.span(place, global.span);
            self.initialiser(place, global, &global.initial);
        }
    }

    pub(super) fn object(&mut self, place: VerifiedPlace, size: u64, align: u64, shape: ShapeId) {
        self.shape_exists(place, shape);
        self.require(place, align.is_power_of_two(), || format!("alignment {align} is not a power of two"));
        let half = 1u64 << (self.program.data_model.pointer_bits() - 1);
        self.require(place, size < half, || format!("size {size} is too large"));
    }

    fn initialiser(&mut self, place: VerifiedPlace, global: &Global, initial: &Initialiser) {
        let inside = initial.bytes.len() as u64 <= global.size;
        self.require(place, inside, || format!("{} initial bytes do not fit {}", initial.bytes.len(), global.size));
        let pointer = self.program.data_model.pointer_bytes();
        let mut taken: Vec<u64> = Vec::new();
        for relocation in &initial.relocations {
            let end = relocation.offset.checked_add(pointer);
            self.require(place, end.is_some_and(|end| end <= global.size), || {
                format!("an initial address at {} lies outside", relocation.offset)
            });
            taken.push(relocation.offset);
            self.initial_address(place, relocation.value);
        }
        taken.sort_unstable();
        let overlap = taken.windows(2).any(|pair| pair[1] - pair[0] < pointer);
        self.require(place, !overlap, || "initial addresses overlap".to_owned());
    }

    fn initial_address(&mut self, place: VerifiedPlace, value: Operand) {
        match value {
            Operand::Function(function) => {
                let exists = self.program.functions.get(function).is_some();
                self.require(place, exists, || format!("{function} does not exist"));
            }
            Operand::Global { global, .. } => match self.program.globals.get(global) {
                None => self.flaw(place, format!("{global} does not exist")),
                Some(target) => self.require(place, !target.thread_local, || {
                    format!("the address of {global}, which is thread-local, is not constant")
                }),
            },
            _ => self.flaw(place, "an initial address is neither of a global nor of a function"),
        }
    }
}

fn parts(shape: &Shape) -> impl Iterator<Item = ShapeId> + '_ {
    let element = match shape {
        Shape::Array { element, .. } => Some(*element),
        _ => None,
    };
    let fields = match shape {
        Shape::Record { fields, .. } => fields.as_slice(),
        _ => &[],
    };
    element.into_iter().chain(fields.iter().map(|field| field.shape))
}

/// What may be loaded and stored.
pub(super) fn lives_in_memory(ty: Type) -> bool {
    is_valid(ty) && ty != Type::BOOL
}

//! Events, and the names of places and values in them, as a C programmer would write them: `queue.items[3].next`,
//! `heap#1+8`, `&counter`, `-1`. Only computed where somebody wants events.

use program::block_pieces::SCRATCH;
use program::{InstructionKind, ObjectName, Program, Shape, ShapeId, TraceEvent, TraceEventKind, Type};

use crate::code::AccessCode;
use crate::machine::Machine;
use crate::memory::Place;
use crate::object::{Object, StorageKind};
use crate::value::{Provenance, Value, sign_extend};

impl Machine<'_> {
    /// Records an event of the current instruction, if events are wanted and the user wrote the instruction.
    pub(crate) fn log(&mut self, kind: impl FnOnce(&Self) -> TraceEventKind) {
        let site = self.thread().site();
        if self.events.is_none() || !self.code.is_users(site) {
            return;
        }
        let kind = kind(self);
        self.push_event(kind);
    }

    /// An input belongs to the trace even where a library function takes it; its place is the user's call.
    pub(crate) fn log_input(&mut self, kind: impl FnOnce(&Self) -> TraceEventKind) {
        if self.events.is_some() {
            let kind = kind(self);
            self.push_event(kind);
        }
    }

    pub(crate) fn push_event(&mut self, kind: TraceEventKind) {
        let location = self.code.location(self.thread().site());
        let event = TraceEvent {
            step: self.step_number,
            thread: self.thread_id(),
            location,
            span: self.code.span(self.thread().users_site(self.code)),
            kind,
        };
        if let Some(events) = &mut self.events {
            events.push(event);
        }
    }

    /// Memory that only one thread knows is not worth an event.
    fn log_access(&mut self, kind: impl FnOnce(&Self) -> TraceEventKind) {
        if self.code.visible[self.thread().pc as usize] {
            self.log(kind);
        }
    }

    pub(crate) fn log_read(&mut self, place: Place, access: AccessCode, value: Value) {
        self.log_access(|machine| TraceEventKind::Read {
            place: machine.place_name_for(place, u64::from(access.bytes)),
            value: machine.value_text(value, access.ty),
        });
    }

    pub(crate) fn log_write(&mut self, place: Place, access: AccessCode, value: Value) {
        self.log_access(|machine| TraceEventKind::Write {
            place: machine.place_name_for(place, u64::from(access.bytes)),
            value: machine.value_text(value, access.ty),
        });
    }

    pub(crate) fn log_update(&mut self, place: Place, access: AccessCode, old: Value, new: Option<Value>) {
        self.log_access(|machine| TraceEventKind::Update {
            place: machine.place_name_for(place, u64::from(access.bytes)),
            old: machine.value_text(old, access.ty),
            new: new.map(|new| machine.value_text(new, access.ty)),
        });
    }

    /// A piece of a block that is read in one step and written in another is told by its value.
    pub(crate) fn log_copy(&mut self, to: Place, from: Place, size: u64) {
        self.log_access(|machine| {
            let is_scratch = |place: Place| {
                let stamp = machine.state.memory.object(place.slot).stamp;
                machine.object_label(Provenance { slot: place.slot, stamp }) == SCRATCH
            };
            let (place, source) = (machine.stretch_name(to, size), machine.stretch_name(from, size));
            match machine.number_text(from, size) {
                Some(value) if is_scratch(to) => TraceEventKind::Read { place: source, value },
                Some(value) if is_scratch(from) => TraceEventKind::Write { place, value },
                _ => TraceEventKind::Write { place, value: source },
            }
        });
    }

    /// The number that the bytes at a place are, if they are one.
    fn number_text(&self, place: Place, size: u64) -> Option<String> {
        let object = self.state.memory.object(place.slot);
        let is_number = matches!(size, 1 | 2 | 4 | 8)
            && object.indeterminate_stretch(place.offset, size).is_none()
            && object.opaque_inside(place.offset, size).is_empty()
            && object.pointers().iter().all(|&(at, _)| at + 8 <= place.offset || place.offset + size <= at);
        let bytes = object.bytes().get(place.offset as usize..(place.offset + size) as usize)?;
        let bits = bytes.iter().rev().fold(0, |value: u64, &byte| value << 8 | u64::from(byte));
        is_number.then(|| sign_extend(bits, size as u8 * 8).to_string())
    }

    pub(crate) fn log_fill(&mut self, place: Place, size: u64, byte: u8) {
        self.log_access(|machine| TraceEventKind::Write {
            place: machine.stretch_name(place, size),
            value: format!("{size} bytes of {byte}"),
        });
    }

    pub(crate) fn log_string(&mut self, place: Place, text: &[u8]) {
        self.log_access(|machine| TraceEventKind::Write {
            place: machine.stretch_name(place, text.len() as u64 + 1),
            value: format!("{:?}", String::from_utf8_lossy(text)),
        });
    }

    /// A stretch that is not a scalar: the whole object where it is that.
    fn stretch_name(&self, place: Place, size: u64) -> String {
        let object = self.state.memory.object(place.slot);
        if place.offset == 0 && size == object.size {
            return self.object_label(Provenance { slot: place.slot, stamp: object.stamp });
        }
        self.place_name_for(place, size)
    }

    /// The outermost member at the place: for objects that are no scalars.
    pub(crate) fn place_name(&self, place: Place) -> String {
        let object = self.state.memory.object(place.slot);
        let label = self.object_label(Provenance { slot: place.slot, stamp: object.stamp });
        let mut path = label;
        match object.shape {
            Some(shape) => describe(self.code.program, shape, place.offset, None, &mut path),
            None => add_offset(place.offset, &mut path),
        }
        path
    }

    /// The scalar of `length` bytes at the place.
    pub(crate) fn place_name_for(&self, place: Place, length: u64) -> String {
        let object = self.state.memory.object(place.slot);
        let mut path = self.object_label(Provenance { slot: place.slot, stamp: object.stamp });
        match object.shape {
            Some(shape) => describe(self.code.program, shape, place.offset, Some(length), &mut path),
            None => add_offset(place.offset, &mut path),
        }
        path
    }

    /// The variable, or `heap#1` for the first heap object.
    pub(crate) fn object_label(&self, provenance: Provenance) -> String {
        let program = self.code.program;
        match self.state.memory.name(provenance) {
            ObjectName::Global(id) => match program.globals.get(id) {
                Some(global) if !global.name.is_empty() => global.name.clone(),
                Some(_) => "a string literal".to_owned(),
                None => program.functions[program::FunctionId(provenance.slot)].name.clone(),
            },
            ObjectName::ThreadLocal(id, _) => program.globals[id].name.clone(),
            ObjectName::Allocated(..) => match self.state.memory.known_object(provenance) {
                Some(object) => self.allocated_label(object, provenance),
                None => "an object".to_owned(),
            },
        }
    }

    fn allocated_label(&self, object: &Object, provenance: Provenance) -> String {
        if object.kind == StorageKind::Heap {
            let number = self.heap_labels.iter().position(|&label| label == provenance);
            return number.map_or_else(|| "a heap object".to_owned(), |number| format!("heap#{}", number + 1));
        }
        if object.kind == StorageKind::Library {
            return "a stream".to_owned();
        }
        let local = object.origin.and_then(|site| {
            let at = self.code.location(site);
            let function = &self.code.program.functions[at.function];
            match function.blocks[at.block].instructions.get(at.index as usize).map(|i| &i.kind) {
                Some(InstructionKind::Begin { local }) => Some(function.locals[*local].name.clone()),
                _ => None,
            }
        });
        local.filter(|name| !name.is_empty()).unwrap_or_else(|| "a stack object".to_owned())
    }

    pub(crate) fn value_text(&self, value: Value, ty: Type) -> String {
        match ty {
            Type::Int(1) => value.bits.to_string(),
            Type::Int(_) if value.provenance().is_some() => self.pointer_text(value),
            Type::Int(bits) => sign_extend(value.bits, bits).to_string(),
            Type::Float => format!("{:?}", f32::from_bits(value.bits as u32)),
            Type::Double => format!("{:?}", f64::from_bits(value.bits)),
            Type::Pointer => self.pointer_text(value),
        }
    }

    fn pointer_text(&self, value: Value) -> String {
        let Some(provenance) = value.provenance() else {
            return if value.bits == 0 { "NULL".to_owned() } else { format!("{:#x}", value.bits) };
        };
        let Some(object) = self.state.memory.known_object(provenance) else {
            return format!("{:#x} (dangling)", value.bits);
        };
        let label = self.object_label(provenance);
        if object.kind == StorageKind::Function {
            return label;
        }
        let offset = value.bits.wrapping_sub(object.base);
        let mut path = if object.kind == StorageKind::Heap { label } else { format!("&{label}") };
        match object.shape {
            Some(shape) if offset < object.size && object.is_alive() => {
                describe(self.code.program, shape, offset, None, &mut path);
            }
            _ => {
                let offset = sign_extend(offset, self.code.pointer_bits);
                if offset != 0 {
                    path.push_str(&format!("{offset:+}"));
                }
            }
        }
        if !object.is_alive() {
            path.push_str(" (dangling)");
        }
        path
    }
}

fn add_offset(offset: u64, path: &mut String) {
    if offset != 0 {
        path.push_str(&format!("+{offset}"));
    }
}

/// Appends the member at `offset`: the scalar of `length` bytes there, or the outermost member if no length is given.
fn describe(program: &Program, shape: ShapeId, offset: u64, length: Option<u64>, path: &mut String) {
    let (mut shape, mut rest) = (shape, offset);
    while rest != 0 || length.is_some() {
        match &program.shapes[shape] {
            Shape::Scalar(_) | Shape::Opaque => break,
            Shape::Array { element, stride, .. } => {
                let index = rest.checked_div(*stride).unwrap_or(0);
                rest -= index * stride;
                path.push_str(&format!("[{index}]"));
                shape = *element;
            }
            Shape::Record { fields, .. } => {
                let before = fields.iter().filter(|field| field.offset <= rest);
                let Some(nearest) = before.clone().map(|field| field.offset).max() else { break };
                let mut candidates = before.filter(|field| field.offset == nearest);
                let fits = |field: &&program::ShapeField| match program.shapes[field.shape] {
                    Shape::Scalar(ty) => length == Some(ty.bytes(program.data_model)),
                    _ => true,
                };
                let first = candidates.clone().next();
                let Some(field) = candidates.find(fits).or(first) else { break };
                rest -= field.offset;
                if !field.name.is_empty() {
                    path.push('.');
                    path.push_str(&field.name);
                }
                shape = field.shape;
            }
        }
    }
    add_offset(rest, path);
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::ShapeField;

    #[test]
    fn members_are_named_as_in_c() {
        let mut program = Program::default();
        let int = program.shapes.push(Shape::Scalar(Type::Int(32)));
        let pointer = program.shapes.push(Shape::Scalar(Type::Pointer));
        let field = |name: &str, offset, shape| ShapeField { name: name.to_owned(), offset, shape };
        let fields = vec![field("value", 0, int), field("next", 8, pointer)];
        let node = program.shapes.push(Shape::Record { name: "struct node".to_owned(), fields });
        let items = program.shapes.push(Shape::Array { element: node, stride: 16, count: 4 });
        let fields = vec![field("count", 0, int), field("items", 8, items)];
        let queue = program.shapes.push(Shape::Record { name: "struct queue".to_owned(), fields });
        let name = |offset, length| {
            let mut path = "q".to_owned();
            describe(&program, queue, offset, length, &mut path);
            path
        };
        assert_eq!(name(0, Some(4)), "q.count");
        assert_eq!(name(8 + 3 * 16 + 8, Some(8)), "q.items[3].next");
        assert_eq!(name(8 + 16 + 1, Some(1)), "q.items[1].value+1");
        assert_eq!(name(0, None), "q");
        assert_eq!(name(8 + 16, None), "q.items[1]");
    }
}

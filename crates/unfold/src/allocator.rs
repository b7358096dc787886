//! The objects in memory: what they hold when they are born or when the program starts, how large they are, and what becomes
//! of them (`lifetimes`).

use std::ops::{Deref, DerefMut};

use events::{CellKey, CellPart, Indeterminate, IndeterminateObject};
use rustc_hash::FxHashSet;
use symbolic::{ObjectId, SymValue};
use sync::{Field, SyncState};
use terms::TermId;

use crate::address_bytes::AddressBytes;
use crate::cells::{Cells, bits_of};
use crate::known_offsets::PathKnowledge;
use crate::lifetimes::{Births, no_life_yet};
use crate::memory::CellRef;
use crate::open_step::OpenStep;
use crate::room::Room;
use crate::state::SymState;
use crate::sync_bytes::SyncPlace;
use crate::unfolder::UnfoldFailure;
use crate::unknown_size::Sizes;

/// What the contents of a new object are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Contents {
    Zero,
    Indeterminate,
}

pub(crate) struct Allocator<'a> {
    cells: Cells<'a>,
    pub births: Births,
    pub sizes: Sizes,
    pub room: Room,
    address_bytes: AddressBytes,
    /// What stands for bytes that nothing has written.
    indeterminate: FxHashSet<TermId>,
}

impl<'a> Deref for Allocator<'a> {
    type Target = Cells<'a>;

    fn deref(&self) -> &Cells<'a> {
        &self.cells
    }
}

impl<'a> DerefMut for Allocator<'a> {
    fn deref_mut(&mut self) -> &mut Cells<'a> {
        &mut self.cells
    }
}

impl<'a> Allocator<'a> {
    pub fn new(cells: Cells<'a>) -> Self {
        Self {
            cells,
            births: Births::default(),
            sizes: Sizes::default(),
            room: Room::default(),
            address_bytes: AddressBytes::default(),
            indeterminate: FxHashSet::default(),
        }
    }

    pub fn into_cells(self) -> Cells<'a> {
        self.cells
    }

    /// Whether a value stands for bytes that nothing has written.
    pub fn is_indeterminate(&self, value: TermId) -> bool {
        self.indeterminate.contains(&value)
    }

    /// Byte `index` of a pointer, counted from the lowest, as contents of a cell of one byte.
    pub fn byte_of_address(&mut self, address: &SymValue, index: u32, cell: CellKey) -> SymValue {
        if let SymValue::Pointer { targets, .. } = address {
            self.note_address_bytes(cell, targets);
        }
        self.address_bytes.byte_of_address(&mut self.cells, address, index)
    }

    /// A byte of the addresses of these objects may lie in the cell.
    pub fn note_address_bytes(&mut self, cell: CellKey, targets: &[ObjectId]) {
        self.survey.note_address_bytes(cell, targets);
        self.note_kept(targets);
    }

    /// What has been read from these cells, lowest first. The state is restricted to executions in which it is known.
    pub fn put_together(
        &mut self,
        state: &mut SymState,
        place: &CellRef,
        cells: &[(CellKey, TermId)],
        step: &mut OpenStep,
    ) -> Result<SymValue, UnfoldFailure> {
        self.address_bytes.put_together(&mut self.cells, state, place, cells, step)
    }

    /// A new object is born: its cells get their first contents.
    pub fn give_birth(
        &mut self,
        state: &mut SymState,
        object: ObjectId,
        contents: Contents,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let index = self.graph.add_allocation(step.instance, state.guard);
        let truth = self.graph.terms.boolean(true);
        let cells: Vec<CellKey> = self.survey.cells_of(object).collect();
        // What a new object holds is nobody's doing: the next round makes a new one.
        let activity = state.activity.clone();
        for cell in cells {
            let value = match (cell.part, contents) {
                (CellPart::Bytes(_), Contents::Zero) => self.constant_contents(cell, 0),
                (CellPart::Bytes(_), Contents::Indeterminate) => {
                    let value = SymValue::Int(self.fresh_number(cell));
                    let object = IndeterminateObject::Allocation(step.instance, index);
                    let record = Indeterminate { object, offset: cell.offset, value: value.clone() };
                    self.graph.add_indeterminate(record);
                    value
                }
                (CellPart::Member(..), _) => self.constant_contents(cell, 0),
                (CellPart::Field(_, Field::Signals), _) => self.constant_contents(cell, 0),
                (CellPart::Field(kind, field), Contents::Zero) => {
                    self.constant_contents(cell, sync::zeroed(kind).get(field).low())
                }
                (CellPart::Field(kind, field), Contents::Indeterminate) => {
                    self.constant_contents(cell, SyncState::uninitialised(kind).get(field).low())
                }
                (CellPart::Array(_), contents) => {
                    let made = IndeterminateObject::Allocation(step.instance, index);
                    let size = self.survey.objects.get(object).size.unwrap_or(0);
                    let value = self.first_array(cell, contents, made, size);
                    self.write_array(state, cell, &value, step)?;
                    continue;
                }
                (CellPart::Life | CellPart::Size | CellPart::View(_), _) => continue,
            };
            self.write_cell(state, cell, truth, &value, step)?;
        }
        state.activity = activity;
        Ok(())
    }

    fn fresh_number(&mut self, cell: CellKey) -> TermId {
        let value = self.terms().bv_variable("indeterminate", bits_of(cell));
        self.indeterminate.insert(value);
        value
    }

    fn constant_contents(&mut self, cell: CellKey, value: u64) -> SymValue {
        SymValue::Int(self.terms().constant(bits_of(cell), value))
    }

    /// The contents of all known cells of a global (or of the thread's instance of it) at the start.
    pub fn initialise_global(
        &mut self,
        state: &mut SymState,
        global: program::GlobalId,
        object: ObjectId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let truth = self.graph.terms.boolean(true);
        let cells: Vec<CellKey> = self.survey.cells_of(object).collect();
        if self.survey.is_blended(object) {
            let (abstraction, paths) = self.abstraction_and_paths();
            abstraction.note_blended_contents(paths, global, &cells);
            return self.note_birth_of_locks(state, object, step);
        }
        for cell in cells {
            if let CellPart::Array(_) = cell.part {
                let value = self.initial_array(global, cell);
                self.write_array(state, cell, &value, step)?;
                continue;
            }
            let value = self.initial_contents(global, cell);
            self.write_cell(state, cell, truth, &value, step)?;
        }
        self.note_birth_of_locks(state, object, step)
    }

    fn initial_contents(&mut self, global: program::GlobalId, cell: CellKey) -> SymValue {
        let body = &self.program.globals[global];
        let model = self.program.data_model;
        let bytes = |offset: u64, size: u64| -> Vec<u8> {
            (offset..offset + size).map(|at| body.initial.bytes.get(at as usize).copied().unwrap_or(0)).collect()
        };
        match cell.part {
            // Whatever the bytes say, nobody is in the set.
            CellPart::Member(..) => self.constant_contents(cell, 0),
            CellPart::Life => no_life_yet(self.terms()),
            CellPart::Size => self.constant_contents(cell, body.size),
            CellPart::Array(_) | CellPart::View(_) => unreachable!("an array should be initialised as a whole"),
            CellPart::Field(_, Field::Signals) => self.constant_contents(cell, 0),
            CellPart::Field(kind, field) => {
                let layouts = self.program.sync_layouts();
                let size = sync::object_bytes(kind, layouts);
                let bytes = (!body.initial.indeterminate).then(|| bytes(cell.offset, size));
                let state = sync::initial_state(kind, layouts, bytes.as_deref());
                if state.is_unclear() {
                    self.survey.note_unclear(cell.object, SyncPlace { offset: cell.offset, kind });
                }
                self.constant_contents(cell, state.get(field).low())
            }
            CellPart::Bytes(_) if body.initial.indeterminate => {
                let value = SymValue::Int(self.fresh_number(cell));
                let object = IndeterminateObject::Global(global);
                self.graph.add_indeterminate(Indeterminate { object, offset: cell.offset, value: value.clone() });
                value
            }
            CellPart::Bytes(size) => {
                let (start, end) = (cell.offset, cell.offset + u64::from(size));
                let overlaps = |at: u64| at < end && start < at + model.pointer_bytes();
                let relocation = body.initial.relocations.iter().find(|relocation| overlaps(relocation.offset));
                if let Some(relocation) = relocation {
                    return self.initial_address(cell, (relocation.offset, relocation.value));
                }
                let mut value = [0; 8];
                let bytes = bytes(cell.offset, u64::from(size.min(8)));
                value[..bytes.len()].copy_from_slice(&bytes);
                self.constant_contents(cell, u64::from_le_bytes(value))
            }
        }
    }

    /// What a cell that overlaps an address in an initialiser holds: the address, or a byte of it. Any other cell is divided
    /// into bytes, together with the address, for the next pass.
    fn initial_address(&mut self, cell: CellKey, (offset, address): (u64, program::Operand)) -> SymValue {
        let pointer_bytes = self.program.data_model.pointer_bytes();
        let (_, value) = self.constant_address(address);
        match cell.part {
            CellPart::Bytes(1) => self.byte_of_address(&value, (cell.offset - offset) as u32, cell),
            CellPart::Bytes(size) if (cell.offset, u64::from(size)) == (offset, pointer_bytes) => {
                let (terms, survey) = self.terms_and_survey();
                survey.note_targets(terms, &PathKnowledge::default(), cell, &value);
                value
            }
            CellPart::Bytes(size) => {
                self.survey.divide_into_bytes(cell.object, offset, pointer_bytes);
                self.survey.divide_into_bytes(cell.object, cell.offset, u64::from(size));
                self.constant_contents(cell, 0)
            }
            _ => unreachable!("only bytes should be initialised with an address"),
        }
    }
}

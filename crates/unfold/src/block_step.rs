//! Operations on blocks of memory: `memset`, `memcpy`, assignments of structures, what `realloc` keeps.
//!
//! A block is the cells that lie in it. A cell that lies across the edge of a block, or that the two sides of a copy divide
//! in different ways, is divided into its bytes, which the next pass of the unfolding knows; so every byte of the block
//! that anybody ever looks at is in exactly one of the cells that are written.

use std::collections::BTreeSet;

use events::{Access, CellKey, CellPart, CutKind};
use program::{Operand, Property};
use symbolic::{ObjectId, SymValue};
use terms::TermId;

use crate::contact::Stretch;
use crate::memory::{Extent, Place};
use crate::state::State;
use crate::step::Next;
use crate::survey::CellClass;
use crate::unfolder::{Activation, Failure, Site, Unfolder};

/// Scalars, and the pieces into which blocks are divided, have at most so many bytes.
const PIECE: u64 = 8;

/// Where a block begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Start {
    object: ObjectId,
    offset: u64,
}

impl Start {
    fn stretch(self, length: u64) -> Stretch {
        Stretch { object: self.object, offset: self.offset, length }
    }

    fn cell(self, (at, width): (u64, u8)) -> CellKey {
        CellKey { object: self.object, offset: self.offset + at, part: CellPart::Bytes(width) }
    }
}

/// What a cell holds, to be put somewhere else.
struct Copied {
    value: SymValue,
    /// The objects of which it may be a byte of the address.
    address_bytes: Vec<ObjectId>,
}

impl Unfolder<'_> {
    /// One known place and a constant size, or not supported.
    fn constant_area(
        &mut self,
        state: &mut State,
        activation: &Activation,
        address: Operand,
        size: Operand,
        access: Access,
        site: &Site,
    ) -> Result<Option<(Start, u64)>, Failure> {
        let size = self.operand(state, activation, size)?.as_int();
        let Some(size) = size.and_then(|size| self.graph.terms.as_constant(size)) else {
            return Err(Failure::NotSupported("a memory operation whose size is not constant".to_owned()));
        };
        let address = self.operand(state, activation, address)?;
        if size == 0 {
            return Ok(None);
        }
        match self.resolve(state, &address, Extent::of(size), access, site)?[..] {
            [place] if self.is_blended(place.object) => {
                Err(Failure::NotSupported("a memory operation on an object with unknown places".to_owned()))
            }
            [Place { object, offset, .. }] => Ok(Some((Start { object, offset }, size))),
            [] => Ok(None),
            _ => Err(Failure::NotSupported("a memory operation on one of several objects".to_owned())),
        }
    }

    /// The cells in which blocks of `size` bytes, between which bytes are copied, are read and written: their offsets in
    /// the blocks and their widths. They do not overlap, and lie inside of the blocks.
    fn block_cells(&mut self, blocks: &[Start], size: u64) -> Vec<(u64, u8)> {
        let mut cells = BTreeSet::new();
        for &Start { object, offset } in blocks {
            debug_assert!(!self.is_blended(object), "the places of a blended object are not known");
            let end = offset + size;
            for (start, width) in self.survey.byte_cells_within(object, offset, size) {
                let stop = start + u64::from(width);
                if start >= offset && stop <= end {
                    cells.insert((start - offset, width));
                } else {
                    self.survey.divide_into_bytes(object, start, u64::from(width));
                    cells.extend((start.max(offset)..stop.min(end)).map(|byte| (byte - offset, 1)));
                }
            }
        }
        let mut disjoint = Vec::new();
        let mut rest = cells.into_iter().peekable();
        while let Some((start, width)) = rest.next() {
            let (mut end, mut several) = (start + u64::from(width), false);
            while let Some((_, width)) =
                rest.next_if(|&(next, _)| next < end).map(|(at, width)| (at, at + u64::from(width)))
            {
                (end, several) = (end.max(width), true);
            }
            let is_bytewise = width > 1
                && blocks
                    .iter()
                    .any(|block| self.survey.is_bytewise(block.object, block.offset + start, u64::from(width)));
            if several || is_bytewise {
                for block in blocks {
                    self.survey.divide_into_bytes(block.object, block.offset + start, end - start);
                }
                disjoint.extend((start..end).map(|byte| (byte, 1)));
            } else {
                disjoint.push((start, width));
            }
        }
        debug_assert!(
            self.survey.has_grown() || blocks.iter().all(|block| self.is_all_there(*block, size, &disjoint)),
            "a block should be written whole"
        );
        disjoint
    }

    /// A block of memory that others change or look at meanwhile is read or written here in one step, which it is not in a
    /// run. Mostly such a block has been divided before (see `program::block_pieces`); where it was not, nothing is proved.
    fn leave_block_gap(&mut self, state: &State, blocks: &[Start], cells: &[(u64, u8)], site: &Site) {
        if state.single || state.atomic.is_some() || self.is_modular() || self.options.every_access {
            return;
        }
        let all = blocks.iter().flat_map(|block| cells.iter().map(|&cell| block.cell(cell)));
        let is_open = |cell: &CellKey| {
            self.survey.class(*cell) == CellClass::Shared
                && !self.is_in_section(state, *cell)
                && !self.is_quiet(state, *cell)
        };
        if all.filter(is_open).count() > 1 {
            let what = "a block of shared memory in one step".to_owned();
            self.cut(state.standing(), CutKind::Unsupported { what }, site.span);
        }
    }

    /// Whether the cells are all that is ever accessed of a block, and nothing else.
    fn is_all_there(&self, block: Start, size: u64, cells: &[(u64, u8)]) -> bool {
        let accessed = self.survey.byte_cells_within(block.object, block.offset, size);
        accessed
            .iter()
            .all(|&(start, width)| start >= block.offset && cells.binary_search(&(start - block.offset, width)).is_ok())
            && cells.iter().all(|&(at, width)| at + u64::from(width) <= size)
    }

    pub fn set_memory(
        &mut self,
        mut state: State,
        activation: &Activation,
        target: Operand,
        byte: Operand,
        size: Operand,
        site: &Site,
    ) -> Next {
        let byte = self.operand(&state, activation, byte)?.as_int();
        let Some(byte) = byte else { return Err(Failure::NotSupported("memset with an address".to_owned())) };
        let area = self.constant_area(&mut state, activation, target, size, Access::Write, site)?;
        let Some((block, size)) = area else {
            return Ok(Some(state));
        };
        let truth = self.graph.terms.boolean(true);
        self.touch(&mut state, Stretch { object: block.object, offset: block.offset, length: size }, truth, true, site);
        let cells = self.block_cells(&[block], size);
        if size > PIECE {
            self.leave_block_gap(&state, &[block], &cells, site);
        }
        let spoiled = self.spoiled_sync(&mut state, block.stretch(size), truth, site)?;
        for cell in cells {
            let value = (1..cell.1).fold(byte, |value, _| self.terms().concat(byte, value));
            self.write_cell(&mut state, block.cell(cell), truth, &SymValue::Int(value), site)?;
        }
        self.overwrite_sync(&mut state, block.stretch(size), &spoiled, truth, site)?;
        self.attach_open_node();
        Ok(Some(state))
    }

    pub fn copy_memory(
        &mut self,
        mut state: State,
        activation: &Activation,
        target: Operand,
        source: Operand,
        size: Operand,
        overlap: bool,
        site: &Site,
    ) -> Next {
        let read = self.constant_area(&mut state, activation, source, size, Access::Read, site)?;
        let Some((from, bytes)) = read else {
            return Ok(Some(state));
        };
        let written = self.constant_area(&mut state, activation, target, size, Access::Write, site)?;
        let Some((to, _)) = written else {
            return Ok(Some(state));
        };
        if !overlap && from.object == to.object && from != to && from.offset.abs_diff(to.offset) < bytes {
            let never = self.graph.terms.boolean(false);
            self.demand(&mut state, never, Property::ValidDeref, site);
            return Ok(None);
        }
        let truth = self.graph.terms.boolean(true);
        self.touch(&mut state, Stretch { object: from.object, offset: from.offset, length: bytes }, truth, false, site);
        self.touch(&mut state, Stretch { object: to.object, offset: to.offset, length: bytes }, truth, true, site);
        let is_undivided = !overlap || bytes > PIECE;
        self.copy_block(&mut state, (from, to), bytes, is_undivided, truth, site)?;
        self.attach_open_node();
        Ok(Some(state))
    }

    /// Copies the first bytes of one object to another when `condition` holds.
    pub fn copy_beginning(
        &mut self,
        state: &mut State,
        (from, to): (ObjectId, ObjectId),
        bytes: u64,
        condition: TermId,
        site: &Site,
    ) -> Result<(), Failure> {
        let (from, to) = (Start { object: from, offset: 0 }, Start { object: to, offset: 0 });
        self.copy_block(state, (from, to), bytes, false, condition, site)
    }

    /// All bytes are read before the first one is written.
    fn copy_block(
        &mut self,
        state: &mut State,
        (from, to): (Start, Start),
        bytes: u64,
        is_undivided: bool,
        condition: TermId,
        site: &Site,
    ) -> Result<(), Failure> {
        let cells = self.block_cells(&[from, to], bytes);
        if is_undivided {
            self.leave_block_gap(state, &[from, to], &cells, site);
        }
        let mut copied = Vec::with_capacity(cells.len());
        for &cell in &cells {
            let address_bytes = self.survey.address_bytes_in(from.cell(cell)).collect();
            let value = self.read_cell(state, from.cell(cell), condition, site)?;
            copied.push(Copied { value, address_bytes });
        }
        let (source, target) = (from.stretch(bytes), to.stretch(bytes));
        let spoiled = self.spoiled_sync(state, target, condition, site)?;
        for (&cell, Copied { value, address_bytes }) in cells.iter().zip(&copied) {
            if !address_bytes.is_empty() {
                self.note_address_bytes(to.cell(cell), address_bytes);
            }
            self.write_cell(state, to.cell(cell), condition, value, site)?;
        }
        self.copy_sync(state, (source, target), &spoiled, condition, site)
    }
}

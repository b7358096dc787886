//! Operations on blocks of memory: `memset`, `memcpy`, assignments of structures, what `realloc` keeps.
//!
//! A block is the cells that lie in it. A cell that lies across the edge of a block, or that the two sides of a copy divide
//! in different ways, is divided into its bytes, which the next pass of the unfolding knows; so every byte of the block
//! that anybody ever looks at is in exactly one of the cells that are written.

use std::collections::BTreeSet;

use events::{Access, CellKey, CellPart};
use program::{Operand, Property};
use symbolic::{ObjectId, SymValue};
use terms::TermId;

use crate::abstraction::AbstractionKind;
use crate::contact::ByteRange;
use crate::memory::Memory;
use crate::memory::{CellExtent, CellRef};
use crate::open_step::OpenStep;
use crate::state::SymState;
use crate::step::Next;
use crate::survey::CellClass;
use crate::unfolder::{Activation, UnfoldFailure};

/// Scalars, and the pieces into which blocks are divided, have at most so many bytes.
pub(crate) const PIECE: u64 = 8;

/// An operation may be about one of so many blocks.
pub(crate) const MOST_BLOCKS: usize = 64;

/// No synchronisation object has more bytes.
const MOST_SYNC_BYTES: u64 = 64;

/// Where a block begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BlockStart {
    pub object: ObjectId,
    pub offset: u64,
}

impl BlockStart {
    fn stretch(self, length: u64) -> ByteRange {
        ByteRange { object: self.object, offset: self.offset, length }
    }

    pub fn cell(self, (at, width): (u64, u8)) -> CellKey {
        CellKey { object: self.object, offset: self.offset + at, part: CellPart::Bytes(width) }
    }
}

/// A block that an operation may be about, and when it is.
#[derive(Clone, Copy, Debug)]
struct GuardedBlock {
    start: BlockStart,
    condition: TermId,
}

fn starts(blocks: &[GuardedBlock]) -> Vec<BlockStart> {
    blocks.iter().map(|block| block.start).collect()
}

/// What a cell holds, to be put somewhere else.
pub(crate) struct Copied {
    pub value: SymValue,
    /// The objects of which it may be a byte of the address.
    pub address_bytes: Vec<ObjectId>,
}

impl Memory<'_> {
    /// The places that a block of a constant size may begin at, each with its condition; none if it is empty.
    fn constant_area(
        &mut self,
        state: &mut SymState,
        activation: &Activation,
        address: Operand,
        size: Operand,
        access: Access,
        step: &mut OpenStep,
    ) -> Result<Option<(Vec<GuardedBlock>, u64)>, UnfoldFailure> {
        let size = self.operand(state, activation, size)?.as_int();
        let Some(size) = size.and_then(|size| self.graph.terms.as_constant(size)) else {
            return Err(UnfoldFailure::NotSupported("a memory operation whose size is not constant".to_owned()));
        };
        let address = self.operand(state, activation, address)?;
        if size == 0 {
            return Ok(None);
        }
        let places = self.resolve(state, &address, CellExtent::of(size), access, step)?;
        if let Some(place) = places.iter().find(|place| place.element.is_some()) {
            return Err(self.refuse_array(place.object, "a memory operation on a large array"));
        }
        if places.iter().any(|place| self.survey.is_blended(place.object)) {
            let what = "memory operation on an object accessed at symbolic offsets";
            return Err(UnfoldFailure::NotSupported(what.to_owned()));
        }
        let block = |place: CellRef| GuardedBlock {
            start: BlockStart { object: place.object, offset: place.offset },
            condition: place.condition,
        };
        let mut blocks: Vec<GuardedBlock> = places.into_iter().map(block).collect();
        match &mut blocks[..] {
            [] => return Ok(None),
            // Only valid accesses go on.
            [only] => only.condition = self.graph.terms.boolean(true),
            several => {
                let has_locks = |block: &GuardedBlock| {
                    let end = block.start.offset + size;
                    let mut places = self.survey.sync_places(block.start.object);
                    places.any(|place| place.offset < end && place.offset + MOST_SYNC_BYTES > block.start.offset)
                };
                if several.iter().any(has_locks) {
                    let what = "a memory operation on one of several objects with locks";
                    return Err(UnfoldFailure::NotSupported(what.to_owned()));
                }
                if several.len() > MOST_BLOCKS {
                    let what = "a memory operation on one of many objects";
                    return Err(UnfoldFailure::NotSupported(what.to_owned()));
                }
            }
        }
        Ok(Some((blocks, size)))
    }

    /// The size of a block, if it is a number that is not constant and such blocks are followed.
    fn inconstant(
        &mut self,
        state: &SymState,
        activation: &Activation,
        size: Operand,
    ) -> Result<Option<TermId>, UnfoldFailure> {
        let size = self.operand(state, activation, size)?.as_int();
        let is_exact = self.options.coverage == AbstractionKind::Bounded;
        Ok(size.filter(|&size| is_exact && self.graph.terms.as_constant(size).is_none()))
    }

    /// The cells in which blocks of `size` bytes, between which bytes are copied, are read and written: their offsets in
    /// the blocks and their widths. They do not overlap, and lie inside of the blocks.
    pub fn block_cells(&mut self, blocks: &[BlockStart], size: u64) -> Vec<(u64, u8)> {
        let mut cells = BTreeSet::new();
        for &BlockStart { object, offset } in blocks {
            debug_assert!(!self.survey.is_blended(object), "the places of a blended object are not known");
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
    /// run.
    pub fn leave_block_gap(
        &mut self,
        state: &SymState,
        blocks: &[BlockStart],
        cells: &[(u64, u8)],
        step: &mut OpenStep,
    ) {
        if state.single || state.atomic.is_some() || self.options.every_access {
            return;
        }
        let all = blocks.iter().flat_map(|block| cells.iter().map(|&cell| block.cell(cell)));
        let is_open = |cell: &CellKey| {
            self.survey.class(*cell) == CellClass::Shared
                && !self.is_in_section(state, *cell)
                && !self.is_quiet(state, *cell)
        };
        if all.filter(is_open).count() > 1 {
            let (abstraction, paths) = self.abstraction_and_paths();
            abstraction.cut_block_in_one_step(paths, state.standing(), step.site.span);
        }
    }

    /// Whether the cells are all that is ever accessed of a block, and nothing else.
    fn is_all_there(&self, block: BlockStart, size: u64, cells: &[(u64, u8)]) -> bool {
        let accessed = self.survey.byte_cells_within(block.object, block.offset, size);
        accessed
            .iter()
            .all(|&(start, width)| start >= block.offset && cells.binary_search(&(start - block.offset, width)).is_ok())
            && cells.iter().all(|&(at, width)| at + u64::from(width) <= size)
    }

    pub fn set_memory(
        &mut self,
        mut state: SymState,
        activation: &Activation,
        target: Operand,
        byte: Operand,
        size: Operand,
        step: &mut OpenStep,
    ) -> Next {
        let byte = self.operand(&state, activation, byte)?.as_int();
        let Some(byte) = byte else { return Err(UnfoldFailure::NotSupported("memset with an address".to_owned())) };
        if let Some(any) = self.inconstant(&state, activation, size)? {
            let target = self.operand(&state, activation, target)?;
            return self.set_any_length(state, (target, byte, any), step);
        }
        let area = self.constant_area(&mut state, activation, target, size, Access::Write, step)?;
        let Some((blocks, size)) = area else {
            return Ok(Some(state));
        };
        for block in &blocks {
            self.touch(&mut state, block.start.stretch(size), block.condition, true, step);
        }
        let cells = self.block_cells(&starts(&blocks), size);
        if size > PIECE {
            self.leave_block_gap(&state, &starts(&blocks), &cells, step);
        }
        for &GuardedBlock { start, condition } in &blocks {
            let spoiled = self.spoiled_sync(&mut state, start.stretch(size), condition, step)?;
            for &cell in &cells {
                let value = (1..cell.1).fold(byte, |value, _| self.terms().concat(byte, value));
                self.write_cell(&mut state, start.cell(cell), condition, &SymValue::Int(value), step)?;
            }
            self.overwrite_sync(&mut state, start.stretch(size), &spoiled, condition, step)?;
        }
        self.graph.attach_open_node(step);
        Ok(Some(state))
    }

    pub fn copy_memory(
        &mut self,
        mut state: SymState,
        activation: &Activation,
        target: Operand,
        source: Operand,
        size: Operand,
        overlap: bool,
        step: &mut OpenStep,
    ) -> Next {
        if let Some(any) = self.inconstant(&state, activation, size)? {
            let (target, source) =
                (self.operand(&state, activation, target)?, self.operand(&state, activation, source)?);
            return self.copy_any_length(state, (target, source, any), overlap, step);
        }
        let read = self.constant_area(&mut state, activation, source, size, Access::Read, step)?;
        let Some((from, bytes)) = read else {
            return Ok(Some(state));
        };
        let written = self.constant_area(&mut state, activation, target, size, Access::Write, step)?;
        let Some((to, _)) = written else {
            return Ok(Some(state));
        };
        if !overlap {
            self.demand_apart(&mut state, &from, &to, bytes, step);
            if self.is_dead(&state) {
                return Ok(None);
            }
        }
        for (blocks, writes) in [(&from, false), (&to, true)] {
            for block in blocks {
                self.touch(&mut state, block.start.stretch(bytes), block.condition, writes, step);
            }
        }
        let is_undivided = !overlap || bytes > PIECE;
        match (&from[..], &to[..]) {
            ([from], [to]) => {
                let truth = self.graph.terms.boolean(true);
                self.copy_block(&mut state, (from.start, to.start), bytes, is_undivided, truth, step)?;
            }
            _ => self.copy_one_of(&mut state, (&from, &to), bytes, is_undivided, step)?,
        }
        self.graph.attach_open_node(step);
        Ok(Some(state))
    }

    /// Blocks between which bytes are copied must not overlap, unless they are the same.
    fn demand_apart(
        &mut self,
        state: &mut SymState,
        from: &[GuardedBlock],
        to: &[GuardedBlock],
        bytes: u64,
        step: &mut OpenStep,
    ) {
        let overlap = |from: BlockStart, to: BlockStart| {
            from.object == to.object && from != to && from.offset.abs_diff(to.offset) < bytes
        };
        let mut overlaps = Vec::new();
        for source in from {
            for target in to.iter().filter(|target| overlap(source.start, target.start)) {
                overlaps.push(self.terms().and(source.condition, target.condition));
            }
        }
        if !overlaps.is_empty() {
            let overlaps = self.terms().or_all(&overlaps);
            let apart = self.terms().not(overlaps);
            self.demand(state, apart, Property::ValidDeref, step);
        }
    }

    /// Copies one of several blocks to one of several, none of them with synchronisation objects. All bytes are read before the
    /// first one is written.
    fn copy_one_of(
        &mut self,
        state: &mut SymState,
        (from, to): (&[GuardedBlock], &[GuardedBlock]),
        bytes: u64,
        is_undivided: bool,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let all: Vec<BlockStart> = starts(from).into_iter().chain(starts(to)).collect();
        let cells = self.block_cells(&all, bytes);
        if is_undivided {
            self.leave_block_gap(state, &all, &cells, step);
        }
        let mut copied = Vec::with_capacity(cells.len());
        for &cell in &cells {
            let mut read: Option<Copied> = None;
            for block in from {
                let key = block.start.cell(cell);
                let mut address_bytes: Vec<ObjectId> = self.survey.address_bytes_in(key).collect();
                let mut value = self.read_cell(state, key, block.condition, step)?;
                if let Some(others) = read {
                    value = self.select(block.condition, &value, &others.value)?;
                    address_bytes.extend(others.address_bytes);
                }
                read = Some(Copied { value, address_bytes });
            }
            copied.extend(read);
        }
        for block in to {
            for (&cell, Copied { value, address_bytes }) in cells.iter().zip(&copied) {
                if !address_bytes.is_empty() {
                    self.note_address_bytes(block.start.cell(cell), address_bytes);
                }
                self.write_cell(state, block.start.cell(cell), block.condition, value, step)?;
            }
        }
        Ok(())
    }

    /// Copies the first bytes of one object to another when `condition` holds.
    pub fn copy_beginning(
        &mut self,
        state: &mut SymState,
        (from, to): (ObjectId, ObjectId),
        bytes: u64,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let (from, to) = (BlockStart { object: from, offset: 0 }, BlockStart { object: to, offset: 0 });
        self.copy_block(state, (from, to), bytes, false, condition, step)
    }

    /// All bytes are read before the first one is written.
    fn copy_block(
        &mut self,
        state: &mut SymState,
        (from, to): (BlockStart, BlockStart),
        bytes: u64,
        is_undivided: bool,
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let cells = self.block_cells(&[from, to], bytes);
        if is_undivided {
            self.leave_block_gap(state, &[from, to], &cells, step);
        }
        let mut copied = Vec::with_capacity(cells.len());
        for &cell in &cells {
            let address_bytes = self.survey.address_bytes_in(from.cell(cell)).collect();
            let value = self.read_cell(state, from.cell(cell), condition, step)?;
            copied.push(Copied { value, address_bytes });
        }
        let (source, target) = (from.stretch(bytes), to.stretch(bytes));
        let spoiled = self.spoiled_sync(state, target, condition, step)?;
        for (&cell, Copied { value, address_bytes }) in cells.iter().zip(&copied) {
            if !address_bytes.is_empty() {
                self.note_address_bytes(to.cell(cell), address_bytes);
            }
            self.write_cell(state, to.cell(cell), condition, value, step)?;
        }
        self.copy_sync(state, (source, target), &spoiled, condition, step)
    }
}

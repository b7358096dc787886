//! Operations on blocks of memory whose length is a term. Each cell that may lie in the block is accessed under the condition
//! that it does; a cell in which the block may end is divided into its bytes, which the next pass knows.

use events::Access;
use program::Property;
use symbolic::{OBJECT_BITS, ObjectId, ObjectKey, SymValue};
use terms::{BinaryOp, Term, TermId, Terms};

use crate::block_step::{BlockStart, Copied, MOST_BLOCKS, PIECE};
use crate::contact::ByteRange;
use crate::known_offsets::known_offsets;
use crate::memory::Memory;
use crate::open_step::OpenStep;
use crate::state::SymState;
use crate::step::Next;
use crate::unfolder::UnfoldFailure;

/// Of a block with more bytes, its length must be constant.
const MOST_BYTES: u64 = 1024;

/// Where nothing is known of the beginning of a block, it may be one of so many places of an object.
const MOST_PLACES: u64 = 16;

/// A block that an operation may be about, when it is, and how much room there is from its beginning to the end of the object.
#[derive(Clone, Copy, Debug)]
struct RoomyBlock {
    start: BlockStart,
    condition: TermId,
    room: u64,
}

/// The length of a block in bytes.
#[derive(Clone, Copy, Debug)]
struct BlockLength {
    bytes: TermId,
    /// A power of two, at most [`PIECE`], of which it is a multiple.
    unit: u64,
}

impl BlockLength {
    fn new(terms: &Terms, bytes: TermId) -> Self {
        Self { bytes, unit: 1 << low_zeros(terms, bytes, 8).min(PIECE.trailing_zeros()) }
    }
}

fn not_supported<T>(what: &str) -> Result<T, UnfoldFailure> {
    Err(UnfoldFailure::NotSupported(what.to_owned()))
}

/// At least so many of the lowest bits are zero.
fn low_zeros(terms: &Terms, term: TermId, depth: u32) -> u32 {
    let Some(depth) = depth.checked_sub(1) else { return 0 };
    let of = |term| low_zeros(terms, term, depth);
    match terms.get(term) {
        Term::Constant { width, value } => value.trailing_zeros().min(u32::from(width)),
        Term::Ite(_, a, b) | Term::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => of(a).min(of(b)),
        Term::Binary(BinaryOp::Mul, a, b) => of(a) + of(b),
        Term::Binary(BinaryOp::And, a, b) => of(a).max(of(b)),
        Term::Binary(BinaryOp::Shl, a, b) => of(a) + terms.as_constant(b).map_or(0, |count| count.min(64) as u32),
        Term::Concat(high, low) => match of(low) {
            zeros if zeros >= terms.width(low) => zeros + of(high),
            zeros => zeros,
        },
        Term::Extract { arg, low: 0, .. } | Term::SignExtend { arg, .. } => of(arg),
        _ => 0,
    }
}

impl Memory<'_> {
    /// The places at which a block of this length may begin. The state is restricted to blocks that lie in living objects.
    fn roomy_blocks(
        &mut self,
        state: &mut SymState,
        address: &SymValue,
        length: BlockLength,
        access: Access,
        step: &mut OpenStep,
    ) -> Result<Vec<RoomyBlock>, UnfoldFailure> {
        let address = self.found(state, address, step)?;
        let Some(SymValue::Pointer { object, offset, targets }) = address.to_pointer(self.terms()) else {
            return not_supported("access with a Boolean operand as address");
        };
        let zero = self.pointer_constant(0);
        let is_empty = self.terms().eq(length.bytes, zero);
        let known = self.known(state);
        let mut blocks = Vec::new();
        for &target in targets.iter() {
            let number = self.terms().constant(OBJECT_BITS, u64::from(target.0));
            let here = self.terms().eq(object, number);
            let body = self.survey.objects.get(target).clone();
            let is_memory = !matches!(body.key, ObjectKey::None | ObjectKey::Function(_));
            if self.graph.is_false(here) || !is_memory || (access == Access::Write && body.read_only) {
                continue;
            }
            if access == Access::Write && !body.constant_parts.is_empty() {
                return not_supported("a memory operation of any length on an object with constant parts");
            }
            let fate = self.fate(state, target, here, step)?;
            let dead_here = self.terms().and(here, fate.dead);
            if !self.graph.is_false(dead_here) && (self.follows_happens_before() || state.atomic.is_some()) {
                let mut standing = state.standing();
                standing.guard = self.and_guard(standing.guard, dead_here);
                self.leave_race_gap(standing, "a memory operation of any length on a dead object", step.site.span);
            }
            let alive = self.terms().not(fate.dead);
            let here = self.terms().and(here, alive);
            let Some(size) = body.size else { return not_supported("an object whose size is not constant") };
            if self.survey.array_unit(target).is_some() {
                return Err(self.refuse_array(target, "a memory operation on a large array"));
            }
            if self.survey.is_blended(target) {
                return not_supported("memory operation on an object accessed at symbolic offsets");
            }
            if self.survey.sync_places(target).next().is_some() {
                return not_supported("a memory operation of any length on an object with locks");
            }
            let actual = self.actual_size(state, target, here, step)?;
            let end = match actual {
                Some(actual) => actual,
                None => self.pointer_constant(size),
            };
            let offsets = match known_offsets(&self.graph.terms, &known, (object, offset), target) {
                Some(offsets) => offsets,
                None => {
                    let step = 1 << low_zeros(&self.graph.terms, offset, 8).min(PIECE.trailing_zeros());
                    if size / step > MOST_PLACES {
                        return not_supported("a memory operation of any length at any place of an object");
                    }
                    (0..=size).step_by(step as usize).collect()
                }
            };
            for at in offsets.into_iter().filter(|&at| at <= size) {
                let begin = self.pointer_constant(at);
                let terms = self.terms();
                let (there, in_object) = (terms.eq(offset, begin), terms.ule(begin, end));
                let room = terms.sub(end, begin);
                let fits = terms.ule(length.bytes, room);
                let condition = terms.and_all(&[here, there, in_object, fits]);
                if !self.graph.is_false(condition) {
                    blocks.push(RoomyBlock {
                        start: BlockStart { object: target, offset: at },
                        condition,
                        room: size - at,
                    });
                }
            }
        }
        if blocks.len() > MOST_BLOCKS {
            return not_supported("a memory operation on one of many objects");
        }
        let conditions: Vec<TermId> =
            [is_empty].into_iter().chain(blocks.iter().map(|block| block.condition)).collect();
        let valid = self.terms().or_all(&conditions);
        self.demand(state, valid, Property::ValidDeref, step);
        Ok(blocks)
    }

    /// When the byte at `at` lies in a block of this length.
    fn is_within(&mut self, length: BlockLength, at: u64) -> TermId {
        let at = self.pointer_constant(at);
        self.terms().ult(at, length.bytes)
    }

    /// The cells of blocks that the operation may end in or behind, each of which is in the operation or not as a whole.
    fn whole_cells(&mut self, blocks: &[RoomyBlock], length: BlockLength) -> Vec<(u64, u8)> {
        let starts: Vec<BlockStart> = blocks.iter().map(|block| block.start).collect();
        let most = blocks.iter().map(|block| block.room).max().unwrap_or(0);
        let mut cells = Vec::new();
        for (at, width) in self.block_cells(&starts, most) {
            let last = at + u64::from(width) - 1;
            if at / length.unit == last / length.unit {
                cells.push((at, width));
                continue;
            }
            for block in blocks.iter().filter(|block| last < block.room) {
                self.survey.divide_into_bytes(block.start.object, block.start.offset + at, u64::from(width));
            }
            cells.extend((at..=last).map(|byte| (byte, 1)));
        }
        cells
    }

    fn touch_roomy(
        &mut self,
        state: &mut SymState,
        blocks: &[RoomyBlock],
        length: BlockLength,
        writes: bool,
        step: &mut OpenStep,
    ) {
        for &RoomyBlock { start: BlockStart { object, offset }, condition, room } in blocks {
            for at in (0..room).step_by(length.unit as usize) {
                let within = self.is_within(length, at);
                let condition = self.terms().and(condition, within);
                let stretch = ByteRange { object, offset: offset + at, length: length.unit.min(room - at) };
                if !self.graph.is_false(condition) {
                    self.touch(state, stretch, condition, writes, step);
                }
            }
        }
    }

    /// The length, if this follows blocks of it.
    fn any_length(&mut self, size: TermId) -> BlockLength {
        let bits = u32::from(self.program.data_model.pointer_bits());
        let bytes = self.terms().resize(size, bits, false);
        BlockLength::new(&self.graph.terms, bytes)
    }

    pub fn set_any_length(
        &mut self,
        mut state: SymState,
        (target, byte, size): (SymValue, TermId, TermId),
        step: &mut OpenStep,
    ) -> Next {
        let length = self.any_length(size);
        let blocks = self.roomy_blocks(&mut state, &target, length, Access::Write, step)?;
        let starts = follow(&blocks)?;
        self.touch_roomy(&mut state, &blocks, length, true, step);
        let cells = self.whole_cells(&blocks, length);
        self.leave_block_gap(&state, &starts, &cells, step);
        for block in &blocks {
            for &(at, width) in cells.iter().filter(|&&cell| is_in_room(cell, block)) {
                let value = (1..width).fold(byte, |value, _| self.terms().concat(byte, value));
                let within = self.is_within(length, at);
                let condition = self.terms().and(block.condition, within);
                self.write_cell(&mut state, block.start.cell((at, width)), condition, &SymValue::Int(value), step)?;
            }
        }
        self.graph.attach_open_node(step);
        Ok(Some(state))
    }

    pub fn copy_any_length(
        &mut self,
        mut state: SymState,
        (target, source, size): (SymValue, SymValue, TermId),
        overlap: bool,
        step: &mut OpenStep,
    ) -> Next {
        let length = self.any_length(size);
        let from = self.roomy_blocks(&mut state, &source, length, Access::Read, step)?;
        let to = self.roomy_blocks(&mut state, &target, length, Access::Write, step)?;
        follow(&from)?;
        follow(&to)?;
        if !overlap {
            self.demand_any_apart(&mut state, (&from, &to), length, step);
        }
        if self.is_dead(&state) {
            return Ok(None);
        }
        self.touch_roomy(&mut state, &from, length, false, step);
        self.touch_roomy(&mut state, &to, length, true, step);
        self.copy_roomy(&mut state, (&from, &to), length, true, step)?;
        self.graph.attach_open_node(step);
        Ok(Some(state))
    }

    /// Blocks between which bytes are copied must not overlap, unless they are the same.
    fn demand_any_apart(
        &mut self,
        state: &mut SymState,
        (from, to): (&[RoomyBlock], &[RoomyBlock]),
        length: BlockLength,
        step: &mut OpenStep,
    ) {
        let mut overlaps = Vec::new();
        for source in from {
            for target in to.iter().filter(|to| to.start.object == source.start.object && to.start != source.start) {
                let distance = source.start.offset.abs_diff(target.start.offset);
                let meets = self.is_within(length, distance);
                overlaps.push(self.terms().and_all(&[source.condition, target.condition, meets]));
            }
        }
        if !overlaps.is_empty() {
            let overlaps = self.terms().or_all(&overlaps);
            let apart = self.terms().not(overlaps);
            self.demand(state, apart, Property::ValidDeref, step);
        }
    }

    /// All bytes are read before the first one is written.
    fn copy_roomy(
        &mut self,
        state: &mut SymState,
        (from, to): (&[RoomyBlock], &[RoomyBlock]),
        length: BlockLength,
        is_undivided: bool,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let all: Vec<RoomyBlock> = from.iter().chain(to).copied().collect();
        let starts: Vec<BlockStart> = all.iter().map(|block| block.start).collect();
        let cells = self.whole_cells(&all, length);
        if is_undivided {
            self.leave_block_gap(state, &starts, &cells, step);
        }
        let mut copied = Vec::with_capacity(cells.len());
        for &cell in &cells {
            let within = self.is_within(length, cell.0);
            let mut read: Option<Copied> = None;
            for block in from.iter().filter(|block| is_in_room(cell, block)) {
                let key = block.start.cell(cell);
                let condition = self.terms().and(block.condition, within);
                let mut address_bytes: Vec<ObjectId> = self.survey.address_bytes_in(key).collect();
                let mut value = self.read_cell(state, key, condition, step)?;
                if let Some(others) = read {
                    value = self.select(block.condition, &value, &others.value)?;
                    address_bytes.extend(others.address_bytes);
                }
                read = Some(Copied { value, address_bytes });
            }
            copied.push(read);
        }
        for block in to {
            for (&cell, copied) in cells.iter().zip(&copied).filter(|&(&cell, _)| is_in_room(cell, block)) {
                let Some(Copied { value, address_bytes }) = copied else { continue };
                if !address_bytes.is_empty() {
                    self.note_address_bytes(block.start.cell(cell), address_bytes);
                }
                let within = self.is_within(length, cell.0);
                let condition = self.terms().and(block.condition, within);
                self.write_cell(state, block.start.cell(cell), condition, value, step)?;
            }
        }
        Ok(())
    }

    /// Copies the first bytes of one object to another when `condition` holds, as many as both have.
    pub fn copy_common_beginning(
        &mut self,
        state: &mut SymState,
        (from, to): (ObjectId, ObjectId),
        condition: TermId,
        step: &mut OpenStep,
    ) -> Result<(), UnfoldFailure> {
        let mut sizes = Vec::new();
        let mut blocks = Vec::new();
        for object in [from, to] {
            let size = self.survey.objects.get(object).size.unwrap_or(0);
            if self.survey.array_unit(object).is_some() {
                return Err(self.refuse_array(object, "realloc of a large array"));
            }
            if self.survey.sync_places(object).next().is_some() {
                return not_supported("realloc to any size of an object with locks");
            }
            let actual = self.actual_size(state, object, condition, step)?;
            sizes.push(actual.unwrap_or_else(|| self.pointer_constant(size)));
            blocks.push(RoomyBlock { start: BlockStart { object, offset: 0 }, condition, room: size });
        }
        follow(&blocks)?;
        let smaller = self.terms().ult(sizes[0], sizes[1]);
        let common = self.terms().ite(smaller, sizes[0], sizes[1]);
        let length = BlockLength::new(&self.graph.terms, common);
        self.copy_roomy(state, (&blocks[..1], &blocks[1..]), length, false, step)
    }
}

/// The beginnings of the blocks, if these are not too large.
fn follow(blocks: &[RoomyBlock]) -> Result<Vec<BlockStart>, UnfoldFailure> {
    if blocks.iter().any(|block| block.room > MOST_BYTES) {
        return not_supported("a memory operation of any length on a large object");
    }
    Ok(blocks.iter().map(|block| block.start).collect())
}

fn is_in_room((at, width): (u64, u8), block: &RoomyBlock) -> bool {
    at + u64::from(width) <= block.room
}

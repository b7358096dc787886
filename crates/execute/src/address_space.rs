//! Where objects lie. Addresses are only numbers that a program may look at; validity comes from provenance.
//!
//! Each thread allocates from an arena of its own, so that addresses do not depend on the interleaving. Stack addresses
//! are reused in the manner of a stack; heap addresses never. Under ILP32, where address space is scarce, a thread
//! whose arena is full continues in a common one.

use program::{DataModel, Program, limits};

/// Distance between neighbours, so that one past an object is never the address of the next.
const GAP: u64 = 16;
const FUNCTIONS: u64 = 0x0001_0000;
const GLOBALS: u64 = 0x0100_0000;

/// The fixed addresses of a program, and where its arenas lie.
#[derive(Clone, Debug)]
pub struct AddressSpace {
    arenas: u64,
    arena_bytes: u64,
    /// Where the arenas end and the common overflow area begins.
    common: u64,
    end: u64,
    pub globals: Vec<u64>,
}

/// A thread's place in the address space.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arena {
    heap: u64,
    heap_end: u64,
    pub stack: u64,
    stack_end: u64,
}

impl AddressSpace {
    /// `None` if the globals alone do not fit, or are more than we can hold.
    pub fn new(program: &Program) -> Option<Self> {
        let mut next = GLOBALS.max(Self::function_address(program.functions.len()));
        let mut globals = Vec::with_capacity(program.globals.len());
        for global in &program.globals {
            let base = next.checked_next_multiple_of(global.align.max(1))?;
            globals.push(base);
            next = base.checked_add(global.size)?.checked_add(GAP)?;
        }
        if limits::global_bytes(program) > limits::GLOBAL_BYTES {
            return None;
        }
        let (arena_bytes, common, end) = match program.data_model {
            DataModel::Ilp32 => (1 << 21, 0x8000_0000, 0xffff_0000),
            DataModel::Lp64 => (1 << 40, 1 << 62, 1 << 63),
        };
        let arenas = next.checked_next_multiple_of(arena_bytes)?;
        let common = common.max(arenas);
        (common < end).then_some(Self { arenas, arena_bytes, common, end, globals })
    }

    pub fn function_address(index: usize) -> u64 {
        FUNCTIONS + 16 * index as u64
    }

    /// The arena of the n-th thread; empty if there is no room for another.
    pub fn arena(&self, thread: usize) -> Arena {
        let start = self.arenas.saturating_add(self.arena_bytes.saturating_mul(thread as u64));
        let end = start.saturating_add(self.arena_bytes);
        if end > self.common {
            return Arena { heap: 0, heap_end: 0, stack: 0, stack_end: 0 };
        }
        let middle = start + self.arena_bytes / 2;
        Arena { heap: start, heap_end: middle, stack: middle, stack_end: end }
    }

    pub fn common_area(&self) -> CommonArea {
        CommonArea { next: self.common, end: self.end }
    }
}

impl Arena {
    pub fn heap(&mut self, common: &mut CommonArea, size: u64, align: u64) -> Option<u64> {
        bump(&mut self.heap, self.heap_end, size, align).or_else(|| bump(&mut common.next, common.end, size, align))
    }

    pub fn stack(&mut self, common: &mut CommonArea, size: u64, align: u64) -> Option<u64> {
        bump(&mut self.stack, self.stack_end, size, align).or_else(|| bump(&mut common.next, common.end, size, align))
    }
}

/// What is left of the overflow area.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CommonArea {
    pub next: u64,
    end: u64,
}

fn bump(next: &mut u64, end: u64, size: u64, align: u64) -> Option<u64> {
    let base = next.checked_next_multiple_of(align.max(1))?;
    let after = base.checked_add(size)?.checked_add(GAP)?;
    if after > end {
        return None;
    }
    *next = after;
    Some(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_arenas_overflow_into_the_common_area() {
        let program = Program { data_model: DataModel::Ilp32, ..Program::default() };
        let space = AddressSpace::new(&program).expect("an empty program fits");
        let mut common = space.common_area();
        let mut arena = space.arena(3);
        let first = arena.heap(&mut common, 1 << 19, 16).expect("fits the arena");
        let second = arena.heap(&mut common, 1 << 20, 16).expect("fits the common area");
        assert!(first < 0x8000_0000 && second >= 0x8000_0000 && second <= u64::from(u32::MAX));
        assert_eq!(arena.heap(&mut common, 1 << 32, 1), None);
        assert_eq!(space.arena(5000).stack, 0);
    }
}

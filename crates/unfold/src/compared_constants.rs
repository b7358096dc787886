//! The numbers that globals are compared with somewhere in the program: where a shared counter stops is most often written
//! there, so that they make good candidates for its range.

use std::collections::{BTreeMap, BTreeSet};

use program::{BinaryOp, GlobalId, InstructionKind, Operand, Program, RegisterId, Rvalue};

/// By global and offset, constants as they are written and their neighbours.
#[derive(Clone, Debug, Default)]
pub struct ComparedConstants(BTreeMap<(GlobalId, u64), BTreeSet<i64>>);

/// A global that is compared with more numbers than this is not a counter.
const MOST: usize = 12;

impl ComparedConstants {
    pub fn of(program: &Program) -> Self {
        let mut found = Self::default();
        for function in program.functions.iter() {
            for block in function.blocks.iter() {
                // Which register holds what was read from where, inside of a block.
                let mut read: BTreeMap<RegisterId, (GlobalId, u64)> = BTreeMap::new();
                for instruction in &block.instructions {
                    match &instruction.kind {
                        InstructionKind::Load { target, address: Operand::Global { global, offset }, .. }
                            if *offset >= 0 =>
                        {
                            read.insert(*target, (*global, *offset as u64));
                        }
                        InstructionKind::Assign { target, value } => {
                            found.note(value, &read);
                            read.remove(target);
                        }
                        _ => {}
                    }
                }
            }
        }
        found.0.retain(|_, constants| constants.len() <= MOST);
        found
    }

    fn note(&mut self, value: &Rvalue, read: &BTreeMap<RegisterId, (GlobalId, u64)>) {
        let Rvalue::Binary { op, left, right, .. } = *value else { return };
        use BinaryOp::{Eq, Ne, Sle, Slt, Ule, Ult};
        if !matches!(op, Eq | Ne | Sle | Slt | Ule | Ult) {
            return;
        }
        for (variable, constant) in [(left, right), (right, left)] {
            if let (Operand::Register(register), Operand::Int { bits, value }) = (variable, constant)
                && let Some(&place) = read.get(&register)
                && bits > 1
            {
                let number = (value << (64 - bits)) as i64 >> (64 - bits);
                let near = [number.saturating_sub(1), number, number.saturating_add(1)];
                self.0.entry(place).or_default().extend(near);
            }
        }
    }

    /// The numbers for a cell of so many bits, in ascending order.
    pub fn at(&self, global: GlobalId, offset: u64, bits: u32) -> Vec<i64> {
        let fits = |number: &i64| bits >= 64 || (-(1 << (bits - 1))..1 << (bits - 1)).contains(number);
        self.0.get(&(global, offset)).map_or(Vec::new(), |numbers| numbers.iter().copied().filter(fits).collect())
    }
}

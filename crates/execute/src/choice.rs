//! Where nondeterministic values come from: inputs, wake-ups, weak failures and the contents of indeterminate memory.

use program::{Choices, ObjectName, ThreadId, Type};
use rustc_hash::FxHashMap;

use crate::random::Random;
use crate::value::mask;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask<'a> {
    /// Any value of the type.
    Input(Type),
    /// One of these values, in ascending order and never empty: the thread to wake up; whether a weak
    /// compare-exchange fails (1) although it could succeed (0).
    OneOf(&'a [u64]),
}

/// Marks the choice of a freed object's address among the choices of a thread, which are numbers otherwise: choosing a new
/// address is not recorded, so that who knows nothing of addresses need not say so.
pub const REUSE: u64 = 0x7265_7573_6500_0000;

pub trait ChoiceSource {
    fn choose(&mut self, thread: ThreadId, ask: Ask<'_>) -> u64;

    /// Where a new object lies: 0 for a new address, or one of the others, which have the bits of [`REUSE`].
    fn choose_address(&mut self, thread: ThreadId, alternatives: &[u64]) -> u64 {
        self.choose(thread, Ask::OneOf(alternatives))
    }

    /// The contents of `length` indeterminate bytes, which stay fixed from now on.
    fn memory(&mut self, object: ObjectName, offset: u64, length: u64) -> Vec<u8>;
}

/// Random values, with a liking for small and extreme ones.
#[derive(Clone, Debug)]
pub struct RandomChoices {
    random: Random,
}

impl RandomChoices {
    pub fn new(seed: u64) -> Self {
        Self { random: Random::new(seed ^ 0x6368_6f69_6365) }
    }

    /// For a type of so many bits; what is beyond them is cut off by whoever asks.
    fn integer(&mut self, bits: u8) -> u64 {
        match self.random.below(8) {
            0..=3 => self.random.below(4),
            4 => self.random.below(16),
            5 => self.random.below(256),
            6 => (self.random.below(4) as i64).wrapping_neg() as u64,
            _ => match self.random.below(4) {
                0 => 1u64 << self.random.below(64),
                1 => (1u64 << self.random.below(64)) - 1,
                2 => self.random.next(),
                // The least and the greatest signed number.
                _ => (mask(bits) >> 1).wrapping_add(self.random.below(2)),
            },
        }
    }
}

impl ChoiceSource for RandomChoices {
    fn choose(&mut self, _: ThreadId, ask: Ask<'_>) -> u64 {
        match ask {
            Ask::OneOf(values) => values[self.random.below(values.len() as u64) as usize],
            Ask::Input(Type::Int(bits)) => self.integer(bits) & mask(bits),
            Ask::Input(Type::Float) => u64::from((self.integer(64) as i64 as f32).to_bits()),
            Ask::Input(Type::Double) => (self.integer(64) as i64 as f64).to_bits(),
            Ask::Input(Type::Pointer) => 0,
        }
    }

    fn memory(&mut self, _: ObjectName, _: u64, length: u64) -> Vec<u8> {
        let mut bytes = self.integer(64).to_le_bytes().to_vec();
        bytes.resize_with(length as usize, || self.random.next() as u8);
        bytes
    }
}

/// The choices of a schedule. What is missing there is zero, or the first alternative.
#[derive(Clone, Debug)]
pub struct ReplayedChoices {
    by_thread: Vec<std::iter::Peekable<std::vec::IntoIter<u64>>>,
    memory: FxHashMap<(ObjectName, u64), u8>,
}

impl ReplayedChoices {
    pub fn new(choices: &Choices) -> Self {
        let by_thread = choices.by_thread.iter().map(|values| values.clone().into_iter().peekable()).collect();
        let mut memory = FxHashMap::default();
        for choice in &choices.memory {
            for (index, &byte) in choice.bytes.iter().enumerate() {
                memory.insert((choice.object, choice.offset + index as u64), byte);
            }
        }
        Self { by_thread, memory }
    }
}

impl ChoiceSource for ReplayedChoices {
    fn choose(&mut self, thread: ThreadId, ask: Ask<'_>) -> u64 {
        let value = self.by_thread.get_mut(thread.0 as usize).and_then(Iterator::next).unwrap_or(0);
        match ask {
            Ask::Input(_) => value,
            Ask::OneOf(values) if values.contains(&value) => value,
            Ask::OneOf(values) => values[0],
        }
    }

    fn choose_address(&mut self, thread: ThreadId, alternatives: &[u64]) -> u64 {
        let next = self.by_thread.get_mut(thread.0 as usize);
        next.and_then(|values| values.next_if(|value| *value != 0 && alternatives.contains(value))).unwrap_or(0)
    }

    fn memory(&mut self, object: ObjectName, offset: u64, length: u64) -> Vec<u8> {
        (offset..offset + length).map(|at| self.memory.get(&(object, at)).copied().unwrap_or(0)).collect()
    }
}

/// Always the same value for inputs and memory bytes, and the first alternative: for programs that ask nothing that
/// matters, and for tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct FixedChoices(pub u64);

impl ChoiceSource for FixedChoices {
    fn choose(&mut self, _: ThreadId, ask: Ask<'_>) -> u64 {
        match ask {
            Ask::Input(Type::Int(bits)) => self.0 & mask(bits),
            Ask::Input(Type::Float) => u64::from((self.0 as f32).to_bits()),
            Ask::Input(Type::Double) => (self.0 as f64).to_bits(),
            Ask::Input(Type::Pointer) => 0,
            Ask::OneOf(values) => values[0],
        }
    }

    fn memory(&mut self, _: ObjectName, _: u64, length: u64) -> Vec<u8> {
        vec![self.0 as u8; length as usize]
    }
}

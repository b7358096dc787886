//! Copy on write: states of neighbouring places share what neither has changed, so that cloning a state costs little and joining
//! two of them looks only at what differs.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use base::Id;
use program::RegisterId;

use crate::value::AbsValue;

/// A part of a state. Reading shares it; writing (by `DerefMut`) makes a copy of its own first, if others have it too.
#[derive(Debug, Default)]
pub struct Shared<T>(Rc<T>);

impl<T> Shared<T> {
    /// Whether both are the same part, without looking into it.
    pub fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Rc::new(value))
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || *self.0 == *other.0
    }
}

impl<T: Eq> Eq for Shared<T> {}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Rc::make_mut(&mut self.0)
    }
}

const CHUNK: usize = 16;

type Chunk = [Option<Rc<AbsValue>>; CHUNK];

/// The registers of a frame that have been assigned, with their values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Registers {
    chunks: Vec<Shared<Chunk>>,
}

impl Registers {
    pub fn get(&self, register: RegisterId) -> Option<&Rc<AbsValue>> {
        self.chunks.get(register.index() / CHUNK)?[register.index() % CHUNK].as_ref()
    }

    pub fn insert(&mut self, register: RegisterId, value: Rc<AbsValue>) {
        let chunk = register.index() / CHUNK;
        if self.chunks.len() <= chunk {
            self.chunks.resize_with(chunk + 1, Shared::default);
        }
        self.chunks[chunk][register.index() % CHUNK] = Some(value);
    }

    pub fn values(&self) -> impl Iterator<Item = &Rc<AbsValue>> {
        self.chunks.iter().flat_map(|chunk| chunk.iter().flatten())
    }

    /// Changes the values that `concerns` selects.
    pub fn change(&mut self, concerns: impl Fn(&AbsValue) -> bool, mut change: impl FnMut(&mut Rc<AbsValue>)) {
        for chunk in &mut self.chunks {
            if chunk.iter().flatten().any(|value| concerns(value)) {
                chunk.iter_mut().flatten().filter(|value| concerns(value)).for_each(&mut change);
            }
        }
    }

    /// The registers that one of the two has assigned, where they do not share the values, in ascending order.
    pub fn unshared<'a>(&'a self, other: &'a Registers) -> impl Iterator<Item = RegisterId> + 'a {
        let chunks = (0..self.chunks.len().max(other.chunks.len())).filter(|&index| {
            match (self.chunks.get(index), other.chunks.get(index)) {
                (Some(mine), Some(theirs)) => !mine.is_same(theirs),
                _ => true,
            }
        });
        let registers = chunks.flat_map(|chunk| (chunk * CHUNK..(chunk + 1) * CHUNK).map(RegisterId::new));
        registers.filter(|&register| self.get(register).is_some() || other.get(register).is_some())
    }
}

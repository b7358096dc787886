//! The memory objects that a symbolic execution knows, numbered so that a pointer term can name them.

use base::{Id, IdVec, define_id};
use program::{FunctionId, GlobalId, ShapeId};
use rustc_hash::FxHashMap;

define_id!(
    /// A memory object. Number 0 is no object: null and bare integers.
    ObjectId,
    "o"
);

impl ObjectId {
    pub const NONE: ObjectId = ObjectId(0);
}

/// What an object is, independent of when it was first seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKey {
    /// Null and bare integers.
    None,
    Function(FunctionId),
    Global(GlobalId),
    ThreadLocal {
        global: GlobalId,
        instance: u32,
    },
    /// The n-th allocation met while unfolding one thread instance.
    Allocated {
        instance: u32,
        ordinal: u32,
    },
    /// Where a thread leaves its result for those who join it.
    Result {
        instance: u32,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    pub key: ObjectKey,
    /// Size in bytes; `None` if it is not a constant.
    pub size: Option<u64>,
    pub shape: Option<ShapeId>,
    pub read_only: bool,
}

/// The table behind [`ObjectId`].
#[derive(Clone, Debug)]
pub struct Objects {
    table: IdVec<ObjectId, Object>,
    by_key: FxHashMap<ObjectKey, ObjectId>,
}

impl Default for Objects {
    fn default() -> Self {
        let mut objects = Self { table: IdVec::new(), by_key: FxHashMap::default() };
        objects.intern(Object { key: ObjectKey::None, size: Some(0), shape: None, read_only: true });
        objects
    }
}

impl Objects {
    /// The id of the object with this key; a known object keeps its id, and loses its size if the sizes differ.
    pub fn intern(&mut self, object: Object) -> ObjectId {
        if let Some(&id) = self.by_key.get(&object.key) {
            if self.table[id].size != object.size {
                self.table[id].size = None;
            }
            return id;
        }
        let key = object.key;
        let id = self.table.push(object);
        self.by_key.insert(key, id);
        id
    }

    pub fn find(&self, key: ObjectKey) -> Option<ObjectId> {
        self.by_key.get(&key).copied()
    }

    pub fn get(&self, id: ObjectId) -> &Object {
        &self.table[id]
    }

    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    pub fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.table.len()).map(ObjectId::new)
    }
}

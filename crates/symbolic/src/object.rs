//! The memory objects that a symbolic execution knows, numbered so that a pointer term can name them.

use base::{Id, IdVec, define_id};
use program::{ConstantParts, FunctionId, GlobalId, Location, ShapeId};
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
    /// What the instruction at `location` makes the n-th time that it is met while unfolding one thread instance.
    Allocated {
        instance: u32,
        location: Location,
        ordinal: u32,
    },
    /// Where a thread leaves its result for those who join it.
    Result {
        instance: u32,
    },
}

/// How long an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// As long as the process.
    Process,
    /// As long as its thread.
    Thread,
    /// A local: up to the end of its scope.
    Scope,
    /// Made by `alloca` and the like: up to the end of its activation.
    Activation,
    /// Until it is freed.
    Heap,
    /// As [`Life::Heap`], but kept by the library for itself: never lost.
    Library,
}

impl Life {
    pub fn can_end(self) -> bool {
        self != Life::Process
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    pub key: ObjectKey,
    /// Size in bytes; `None` if it is not a constant.
    pub size: Option<u64>,
    pub shape: Option<ShapeId>,
    pub read_only: bool,
    pub constant_parts: ConstantParts,
    pub life: Life,
}

/// A size that changes more often than this counts as not constant.
const MAX_RESIZES: u32 = 4;

/// The table behind [`ObjectId`].
#[derive(Clone, Debug)]
pub struct Objects {
    table: IdVec<ObjectId, Object>,
    /// How often the size of each object has changed.
    resized: IdVec<ObjectId, u32>,
    changed: bool,
    by_key: FxHashMap<ObjectKey, ObjectId>,
}

impl Default for Objects {
    fn default() -> Self {
        let (table, resized) = (IdVec::new(), IdVec::new());
        let mut objects = Self { table, resized, changed: false, by_key: FxHashMap::default() };
        objects.intern(Object {
            key: ObjectKey::None,
            size: Some(0),
            shape: None,
            read_only: true,
            constant_parts: ConstantParts::default(),
            life: Life::Process,
        });
        objects
    }
}

impl Objects {
    /// The id of the object with this key. A known object keeps its id and takes the new size, as what is known of
    /// memory grows; one that changes its size again and again has none.
    pub fn intern(&mut self, object: Object) -> ObjectId {
        if let Some(&id) = self.by_key.get(&object.key) {
            let known = &mut self.table[id];
            if known.size != object.size && known.size.is_some() {
                self.changed = true;
                self.resized[id] += 1;
                known.size = if self.resized[id] > MAX_RESIZES { None } else { object.size };
            }
            return id;
        }
        let key = object.key;
        let id = self.table.push(object);
        self.resized.push(0);
        self.by_key.insert(key, id);
        id
    }

    /// Whether any size has changed since the last call.
    pub fn take_change(&mut self) -> bool {
        std::mem::take(&mut self.changed)
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

//! How large a program declares its synchronisation objects to be.
//!
//! A program that comes with headers of its own may have a `pthread_mutex_t` of any size. Its state is kept beside its bytes, so
//! that any size will do; what counts is which bytes belong to it.

use crate::types::DataModel;

/// The sizes of synchronisation objects whose declaration is not that of glibc, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OwnSizes {
    pub mutex: Option<u32>,
    pub rwlock: Option<u32>,
    pub spin: Option<u32>,
    pub cond: Option<u32>,
    pub barrier: Option<u32>,
    pub semaphore: Option<u32>,
    pub once: Option<u32>,
}

impl OwnSizes {
    /// Each size with its name in the text form of programs.
    pub fn named(&mut self) -> [(&'static str, &mut Option<u32>); 7] {
        [
            ("mutex", &mut self.mutex),
            ("rwlock", &mut self.rwlock),
            ("spin", &mut self.spin),
            ("cond", &mut self.cond),
            ("barrier", &mut self.barrier),
            ("semaphore", &mut self.semaphore),
            ("once", &mut self.once),
        ]
    }
}

/// What decides about the bytes of synchronisation objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyncLayouts {
    pub model: DataModel,
    pub own: OwnSizes,
}

//! How a program declares synchronisation objects: as glibc does, or in its own way.
//!
//! Programs with headers written by hand, and headers of other systems, have a `pthread_mutex_t` of another size. Objects have the size
//! that is declared. Two sizes for one kind of object in one program are unsupported where the second one is used.

use program::{DataModel, OwnSizes};
use sync::ObjectKind;

use crate::ctype::{CType, TypeId, TypeTable};

/// The declaration of a kind of synchronisation objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SyncType {
    Glibc,
    /// Another one, of so many bytes.
    Own(u32),
}

/// What the program has used so far.
#[derive(Default)]
pub struct SyncTypes(Vec<(ObjectKind, SyncType)>);

impl SyncTypes {
    /// Notes a use of an object of this type. `false` if other uses are of another type.
    pub fn note(&mut self, kind: ObjectKind, ty: SyncType) -> bool {
        match self.0.iter().find(|(known, _)| *known == kind) {
            Some((_, known)) => *known == ty,
            None => {
                self.0.push((kind, ty));
                true
            }
        }
    }

    pub fn own_sizes(&self) -> OwnSizes {
        let mut sizes = OwnSizes::default();
        for &(kind, ty) in &self.0 {
            if let SyncType::Own(size) = ty {
                *kind.own_size(&mut sizes) = Some(size);
            }
        }
        sizes
    }
}

/// The kinds of objects that the first arguments of a library function point to.
pub fn objects_of(function: &str) -> &'static [ObjectKind] {
    const PREFIXES: [(&str, ObjectKind); 11] = [
        ("pthread_mutex_", ObjectKind::Mutex),
        ("mtx_", ObjectKind::Mutex),
        ("pthread_rwlock_", ObjectKind::Rwlock),
        ("pthread_spin_", ObjectKind::Spin),
        ("pthread_cond_", ObjectKind::Cond),
        ("cnd_", ObjectKind::Cond),
        ("pthread_barrier_", ObjectKind::Barrier),
        ("sem_", ObjectKind::Semaphore),
        ("pthread_once", ObjectKind::Once),
        ("call_once", ObjectKind::Once),
        ("__pthread_mutex_", ObjectKind::Mutex),
    ];
    match function {
        "pthread_cond_wait" | "pthread_cond_timedwait" | "pthread_cond_clockwait" | "cnd_wait" | "cnd_timedwait" => {
            &[ObjectKind::Cond, ObjectKind::Mutex]
        }
        _ => {
            let kind = PREFIXES.iter().find(|(prefix, _)| function.starts_with(prefix));
            kind.map_or(&[], |(_, kind)| std::slice::from_ref(kind))
        }
    }
}

/// How objects of this type are declared; `None` if their size is not known or too odd: the state is looked at in words.
pub fn declaration(types: &TypeTable, ty: TypeId, kind: ObjectKind) -> Option<SyncType> {
    let size = types.size_of(ty)?;
    if size == sync::glibc_bytes(kind, types.model) && has_members_of_glibc(types, ty, kind) {
        return Some(SyncType::Glibc);
    }
    let is_usable = size > 0 && size % 4 == 0 && size <= 4096;
    is_usable.then_some(SyncType::Own(size as u32))
}

/// glibc's types are unions with `__size` for access to their bytes; those of one word have no structure to recognise.
fn has_members_of_glibc(types: &TypeTable, ty: TypeId, kind: ObjectKind) -> bool {
    if matches!(kind, ObjectKind::Spin | ObjectKind::Once) {
        return true;
    }
    let CType::Record(record) = types.kind(ty) else { return false };
    let layout = types.records[*record].layout.as_ref();
    layout.is_some_and(|layout| layout.members.iter().any(|member| member.name == "__size"))
}

/// Whether the type is one of glibc's own for synchronisation objects that have a structure.
pub fn is_object_of_glibc(types: &TypeTable, ty: TypeId) -> bool {
    const KINDS: [ObjectKind; 5] =
        [ObjectKind::Mutex, ObjectKind::Rwlock, ObjectKind::Cond, ObjectKind::Barrier, ObjectKind::Semaphore];
    let is_union = types.record(ty).is_some_and(|record| types.records[record].union);
    is_union && KINDS.iter().any(|&kind| declaration(types, ty, kind) == Some(SyncType::Glibc))
}

/// Whether a thread handle of this type holds the number of a thread.
pub fn holds_handle(types: &TypeTable, ty: TypeId) -> bool {
    types.is_scalar(ty) && types.size_of(ty).is_some_and(|size| size >= 4 || types.model == DataModel::Ilp32)
}

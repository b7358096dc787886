//! What the bytes of an object say before anybody has called its init function: the layouts of glibc on Linux.

use program::{DataModel, SyncLayouts};

use crate::object::{Field, ObjectKind, SyncState};
use crate::word::Word;

/// `sizeof` of the C type behind an object.
pub fn object_bytes(kind: ObjectKind, layouts: SyncLayouts) -> u64 {
    own_bytes(kind, layouts).unwrap_or_else(|| glibc_bytes(kind, layouts.model))
}

/// The size that the program declares, if its layout is not that of glibc.
fn own_bytes(kind: ObjectKind, layouts: SyncLayouts) -> Option<u64> {
    let mut sizes = layouts.own;
    (*kind.own_size(&mut sizes)).map(u64::from)
}

/// `sizeof` in glibc.
pub fn glibc_bytes(kind: ObjectKind, model: DataModel) -> u64 {
    let (ilp32, lp64) = match kind {
        ObjectKind::Mutex => (24, 40),
        ObjectKind::Rwlock => (32, 56),
        ObjectKind::Spin => (4, 4),
        ObjectKind::Cond => (48, 48),
        ObjectKind::Barrier => (20, 32),
        ObjectKind::Semaphore => (16, 32),
        ObjectKind::Once => (4, 4),
    };
    match model {
        DataModel::Ilp32 => ilp32,
        DataModel::Lp64 => lp64,
    }
}

/// Readers wait while a writer does, which is not modelled.
const PREFER_WRITER_NONRECURSIVE: u32 = 2;

/// The state of an object in memory with these contents; `None` where they are indeterminate.
///
/// All zero is what [`zeroed`] says. A mutex may carry its kind (`PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP` and the
/// like), a semaphore its value. An rwlock that prefers writers is unclear. Anything else is not initialised.
///
/// What bytes mean in a layout of the program's own is its own business: unless they are zero, the state is unclear.
pub fn initial_state(kind: ObjectKind, layouts: SyncLayouts, bytes: Option<&[u8]>) -> SyncState {
    let Some(bytes) = bytes else { return SyncState::uninitialised(kind) };
    if bytes.iter().all(|&byte| byte == 0) {
        return zeroed(kind);
    }
    if own_bytes(kind, layouts).is_some() {
        return SyncState::unclear(kind);
    }
    recognised(kind, layouts.model, bytes).unwrap_or_else(|| SyncState::uninitialised(kind))
}

/// The state of an object whose bytes are all zero: initialised and at rest, but for a spin lock, which has no static
/// initialiser. On x86, glibc takes such a one for locked.
pub fn zeroed(kind: ObjectKind) -> SyncState {
    match kind {
        ObjectKind::Spin => SyncState::uninitialised(kind),
        _ => SyncState::initialised(kind),
    }
}

fn recognised(kind: ObjectKind, model: DataModel, bytes: &[u8]) -> Option<SyncState> {
    let mut state = SyncState::initialised(kind);
    let lp64 = model == DataModel::Lp64;
    match kind {
        ObjectKind::Mutex => {
            let mutex_kind = only_word_at(bytes, if lp64 { 16 } else { 12 })?;
            let known = match mutex_kind {
                1 | 2 => mutex_kind,
                0 | 3 => 0,
                _ => return None,
            };
            state.set(Field::Kind, Word::number(u64::from(known)));
        }
        ObjectKind::Rwlock => {
            // Other preferences make no difference in glibc.
            if only_word_at(bytes, if lp64 { 48 } else { 24 })? == PREFER_WRITER_NONRECURSIVE {
                return Some(SyncState::unclear(kind));
            }
        }
        ObjectKind::Semaphore => {
            let value = only_word_at(bytes, 0)?;
            state.set(Field::Value, Word::number(u64::from(value)));
        }
        ObjectKind::Spin | ObjectKind::Cond | ObjectKind::Barrier | ObjectKind::Once => return None,
    }
    Some(state)
}

/// The little-endian word at `offset` (0 where the bytes end before it), if all other bytes are zero.
fn only_word_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let mut word = [0; 4];
    for (index, &byte) in bytes.iter().enumerate() {
        match index.checked_sub(offset) {
            Some(digit) if digit < 4 => word[digit] = byte,
            _ if byte != 0 => return None,
            _ => {}
        }
    }
    Some(u32::from_le_bytes(word))
}

//! How large an execution may be. The interpreter goes no further, and what it cannot repeat no engine may claim: for both,
//! an execution beyond one of these limits is not supported.

/// Bytes of one object.
pub const OBJECT_BYTES: u64 = 1 << 28;

/// Bytes that threads have allocated and not freed, all together; globals have a limit of their own.
pub const LIVE_BYTES: u64 = 1 << 30;

/// Bytes of all globals together.
pub const GLOBAL_BYTES: u64 = 1 << 30;

/// Threads, the main thread included.
pub const THREADS: usize = 4096;

/// Activations that a thread may have at a time.
pub const NESTED_CALLS: usize = 50_000;

/// The bytes of all globals of a program.
pub fn global_bytes(program: &crate::Program) -> u64 {
    program.globals.iter().fold(0, |bytes: u64, global| bytes.saturating_add(global.size))
}

/// What is not supported about an object of so many bytes, if anything.
pub fn too_large(size: u64) -> Option<String> {
    (size > OBJECT_BYTES).then(|| format!("an object of {size} bytes"))
}

/// What is not supported about so many bytes being allocated at a time, if anything.
pub fn too_much(live: u64) -> Option<String> {
    (live > LIVE_BYTES).then(|| format!("more than {LIVE_BYTES} bytes of memory at a time"))
}

/// What is not supported about calls that are nested so deeply, if anything.
pub fn too_deep(calls: usize) -> Option<String> {
    (calls > NESTED_CALLS).then(|| format!("more than {NESTED_CALLS} nested calls"))
}

//! A stack deep enough for recursion over a syntax tree of the greatest permitted height.

use std::thread;

/// Enough for about 16 KiB of stack per level of the highest tree the parser accepts.
pub const STACK_SIZE: usize = 64 << 20;

/// Runs `work` on a thread with [`STACK_SIZE`] bytes of stack and returns its result.
///
/// A panic inside `work` goes on in the caller.
pub fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let worker = thread::Builder::new().name("frontend".to_owned()).stack_size(STACK_SIZE);
        let handle = worker.spawn_scoped(scope, work).expect("a thread should start");
        handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

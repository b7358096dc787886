//! What every POSIX synchronisation primitive means, once: each [`program::SyncOp`] is a *guarded atomic action* on the
//! integer fields of its objects, in data form ([`Action`]). The interpreter evaluates it, symbolic engines translate
//! it, the deadlock and race checks read who is waited for and what is ordered from the same table. The idea of
//! modelling primitives as `(assume(guard), {assignments})` over auxiliary variables is that of Wang, Kundu, Limaye,
//! Ganai and Gupta, *Symbolic predictive analysis for concurrent programs*, section 2.
//!
//! How an action is executed by a thread, in one atomic step:
//! 1. If a [`limit`](Action::limits) holds, the model ends here: the answer is unknown, not wrong.
//! 2. If a [`misuse`](Action::misuses) holds, `lock-misuse` is violated. Where that is not asked for, the action goes on
//!    as the following points say: every action is defined in every state.
//! 3. If the [`guard`](Action::guard) does not hold, the thread cannot go on; it waits for the threads in
//!    [`owners`](Action::owners), or for nobody in particular if that set is empty. For deadlocks it counts as blocked
//!    unless [`Action::goes_on`]: a spurious wake-up may come, but need not.
//! 4. Otherwise a choice is made if there is one, all expressions are evaluated in the old state, the happens-before
//!    edges take effect (acquires before releases), the updates are done at once, and the result is returned.
//!
//! Deviations from POSIX and glibc, numbered:
//! 1. Waiting has no order: any waiter may get a lock or a wake-up; rwlocks prefer nobody.
//! 2. A wait on a condition may wake up spuriously, at any time and any number of times, unless it ends with
//!    `CondSignalledWaitEnd`.
//! 3. Timed operations never block on their own account: one that runs while it cannot succeed times out. That a
//!    time-out may come at any moment is the scheduler's freedom.
//! 4. Locking a normal mutex or a spin lock that the thread holds itself blocks for ever, and so does the write lock for
//!    a reader. The writer of an rwlock counts as blocked before any lock of it, and may go on with EDEADLK.
//! 5. `pthread_cond_wait` releases one level of a recursive mutex, like glibc.
//! 6. Semaphore operations return the error code (0 for success) that C has in `errno`; `SemGetValue` returns the value.
//! 7. Recursion of mutexes and of read locks is limited (see [`Action::limits`]).
//!
//! Invariant: knows no C syntax, no solver, no memory; an object is its kind and its fields.

mod action;
mod barrier;
mod builder;
mod class;
mod condition_variable;
mod effects;
pub mod errno;
mod expression;
mod mutex;
mod object;
mod once;
mod rwlock;
mod semaphore;
mod spin;
mod static_initialiser;
mod table;
mod unordered_influence;
mod word;
mod writes;

pub use action::{Action, Call, Channel, Choice, Edge, Misuse, MisuseCheck, Slot, Update};
pub use class::{Blocking, LockEffect, Mode, OpClass, class};
pub use effects::{accessed_bytes, can_violate, may_block};
pub use expression::{Condition, SyncValue};
pub use object::{Field, FieldSort, MASK_THREADS, ObjectKind, Phase, SyncState, owner_code};
pub use static_initialiser::{glibc_bytes, initial_state, object_bytes, zeroed};
pub use table::action;
pub use word::Word;
pub use writes::{writes, writes_to};

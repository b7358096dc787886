//! How each library function is treated. What the functions demand and promise is said in the crate `library`, and most
//! are lowered by what stands there; here are those that code of its own lowers. Functions that C can express are in
//! `prelude/`.

mod atomics;
mod attributes;
mod builtins;
mod call;
mod constant_calls;
mod contract;
mod environment;
mod errno;
mod failing;
mod intrinsics;
mod lock_free;
mod memory;
mod nondet;
mod output;
mod overflow;
mod print_plan;
mod scan;
mod scan_format;
mod sync_objects;
mod synchronisation;
mod text;
mod threads;
mod varargs;

use library::{FunctionMeaning, LibraryRow};
use program::{FunctionId, SyncOp};

use crate::emit::value::{CValue, Lowered};
pub use builtins::builtin_call;
pub use call::{CallLowering, CallSite, ResultUse};
pub use errno::spoils_errno_in_model;
pub use nondet::{NamedType, input_name, is_input, type_of_undeclared_input};
pub use output::need_standard_stream;
pub use overflow::stores_checked_result;
pub use sync_objects::note_sync_types;

type Lower = fn(&mut CallLowering) -> Lowered<CValue>;

pub enum Treatment {
    /// Lowered by code of its own.
    Special(Lower),
    /// Lowered by code of its own; if the user defines the function, its body is called afterwards.
    ThenBody(Lower),
    /// Lowered by what its row says.
    Row(&'static LibraryRow),
}

/// Functions that keep their meaning even if the program defines them.
pub fn is_always_intrinsic(name: &str) -> bool {
    matches!(name, "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" | "__VERIFIER_error" | "reach_error")
}

/// Whether it is known what the library's function of this name does.
pub fn is_known(name: &str) -> bool {
    treatment(name).is_some() || library::row(name).is_some() || crate::prelude::defines(name)
}

pub fn treatment(name: &str) -> Option<Treatment> {
    use Treatment::*;
    let row = match name {
        // Verification intrinsics
        "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" => Special(intrinsics::verifier_assume),
        "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin" => {
            Special(intrinsics::atomic_begin)
        }
        "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" | "__ESBMC_atomic_end" => Special(intrinsics::atomic_end),
        "__CPROVER_assert" | "__ESBMC_assert" => Special(intrinsics::told_assertion),
        "reach_error" => ThenBody(intrinsics::reach_error),
        "__VERIFIER_error" => Special(intrinsics::verifier_error),
        "assert" | "__VERIFIER_assert" => Special(intrinsics::assert_call),
        "__assert_fail" | "__assert" | "__assert_func" | "__assert_rtn" | "__assert_perror_fail" => {
            Special(intrinsics::assert_fail)
        }

        // For the prelude
        "__gordian_yield" | "__builtin_ia32_pause" => Special(threads::yield_call),
        "__gordian_library_memory" => Special(memory::library_memory),
        "__gordian_library_free" => Special(memory::library_free),
        "__gordian_unsupported" => Special(intrinsics::unsupported_call),

        // Ends
        "abort" => Special(intrinsics::abort_call),
        "exit" | "_exit" | "_Exit" | "quick_exit" => Special(intrinsics::exit_call),

        // Threads
        "pthread_create" => Special(threads::pthread_create),
        "pthread_join" => Special(threads::pthread_join),
        "pthread_detach" => Special(threads::pthread_detach),
        "pthread_exit" => Special(threads::pthread_exit),
        "pthread_self" | "thrd_current" => Special(threads::pthread_self),
        "pthread_equal" | "thrd_equal" => Special(threads::pthread_equal),
        "thrd_create" => Special(threads::thrd_create),
        "thrd_join" => Special(threads::thrd_join),
        "thrd_detach" => Special(threads::thrd_detach),
        "thrd_exit" => Special(threads::thrd_exit),
        "pthread_attr_init" => Special(attributes::attribute_init),
        "pthread_attr_setdetachstate" => Special(attributes::attribute_set),
        "pthread_attr_setschedpolicy" => Special(attributes::attribute_set),
        "pthread_attr_setschedparam" => Special(attributes::set_priority),
        "pthread_setname_np" => Special(attributes::set_thread_name),
        "pthread_attr_getdetachstate" => Special(attributes::attribute_get),
        "prctl" => Special(environment::prctl),
        // What `pthread_cleanup_push` and `pthread_cleanup_pop` consist of.
        "__pthread_register_cancel" | "__pthread_register_cancel_defer" => Special(threads::push_clean_up),
        "__pthread_unregister_cancel" | "__pthread_unregister_cancel_restore" => Special(threads::pop_clean_up),
        "__sigsetjmp" | "sigsetjmp" | "_setjmp" | "setjmp" | "__builtin_setjmp" => Special(intrinsics::first_return),

        // Mutexes
        "pthread_mutex_init" => Special(synchronisation::mutex_init),
        "mtx_init" => Special(synchronisation::mtx_init),
        "mtx_lock" => Special(|call| synchronisation::c11_sync(call, SyncOp::MutexLock)),
        "mtx_trylock" => Special(|call| synchronisation::c11_sync(call, SyncOp::MutexTryLock)),
        "mtx_timedlock" => Special(|call| synchronisation::c11_sync(call, SyncOp::MutexTimedLock)),
        "mtx_unlock" => Special(|call| synchronisation::c11_sync(call, SyncOp::MutexUnlock)),
        "pthread_mutexattr_init" | "pthread_rwlockattr_init" | "pthread_condattr_init" | "pthread_barrierattr_init" => {
            Special(attributes::attribute_init)
        }
        "pthread_mutexattr_settype" => Special(attributes::attribute_set),
        "pthread_mutexattr_gettype" => Special(attributes::attribute_get),

        // Condition variables
        "pthread_cond_wait" => Special(|call| synchronisation::cond_wait(call, SyncOp::CondWaitEnd)),
        "cnd_wait" => Special(|call| synchronisation::cnd_wait(call, SyncOp::CondWaitEnd)),
        "pthread_cond_timedwait" | "pthread_cond_clockwait" => {
            Special(|call| synchronisation::cond_wait(call, SyncOp::CondTimedWaitEnd))
        }
        "cnd_timedwait" => Special(|call| synchronisation::cnd_wait(call, SyncOp::CondTimedWaitEnd)),

        // Barriers
        "pthread_barrier_init" => Special(synchronisation::barrier_init),
        "pthread_barrier_wait" => Special(synchronisation::barrier_wait),

        // Semaphores
        "sem_init" => Special(synchronisation::sem_init),
        "sem_destroy" => Special(|call| synchronisation::sem_call(call, SyncOp::SemDestroy)),
        "sem_wait" => Special(|call| synchronisation::sem_call(call, SyncOp::SemWait)),
        "sem_trywait" => Special(|call| synchronisation::sem_call(call, SyncOp::SemTryWait)),
        "sem_timedwait" | "sem_clockwait" => Special(|call| synchronisation::sem_call(call, SyncOp::SemTimedWait)),
        "sem_post" => Special(|call| synchronisation::sem_call(call, SyncOp::SemPost)),
        "sem_getvalue" => Special(synchronisation::sem_getvalue),

        // Once
        "pthread_once" | "call_once" => Special(synchronisation::once),

        // Memory
        "malloc" | "kmalloc" => Special(memory::malloc),
        "calloc" => Special(memory::calloc),
        "realloc" => Special(memory::realloc),
        "aligned_alloc" | "memalign" => Special(memory::aligned_alloc),
        "valloc" => Special(memory::malloc),
        "posix_memalign" => Special(memory::posix_memalign),
        "alloca" => Special(memory::alloca),
        "free" | "cfree" => Special(memory::free),
        "memcpy" => Special(|call| memory::copy_memory(call, false)),
        "memmove" => Special(|call| memory::copy_memory(call, true)),
        "mempcpy" => Special(memory::mempcpy),
        "memset" => Special(memory::set_memory),
        "bzero" => Special(memory::bzero),

        // Output
        "printf" => Special(|call| output::printf(call, 0)),
        "vprintf" => Special(|call| output::vprintf(call, 0)),
        "fprintf" | "dprintf" => Special(output::fprintf),
        "vfprintf" => Special(output::vfprintf),
        "sprintf" => Special(output::sprintf),
        "snprintf" => Special(output::snprintf),
        "vsprintf" => Special(output::vsprintf),
        "vsnprintf" => Special(output::vsnprintf),
        "puts" => Special(output::puts),
        "putchar" => Special(output::putchar),
        "putchar_unlocked" => Special(output::putchar_unlocked),
        "fputs" => Special(output::fputs),
        "fflush" => Special(output::fflush),
        "fputc" | "putc" => Special(output::fputc),
        "fputc_unlocked" | "putc_unlocked" => Special(output::fputc_unlocked),
        "printk" | "_printk" => Special(|call| output::printk(call, 0)),
        "syslog" => Special(output::syslog),

        // Input
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => Special(|call| scan::scanf(call, 0)),
        "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => Special(|call| scan::scanf(call, 1)),

        // The environment
        "sysconf" => Special(environment::sysconf),
        "time" => Special(environment::time_call),
        "getenv" | "secure_getenv" => Special(environment::getenv),
        "setenv" | "unsetenv" => Special(environment::setenv),
        "__errno_location" | "__errno" => Special(errno::errno_location),
        "stat" | "lstat" | "fstat" | "stat64" | "fstat64" => Special(environment::file_status),
        "localtime_r" => Special(environment::broken_down_time),

        // Signals
        "signal" => Special(environment::signal_call),
        "sigaction" => Special(environment::sigaction),
        _ => return library::row(name).filter(|row| is_lowered_by_row(row)).map(Row),
    };
    Some(row)
}

fn is_lowered_by_row(row: &LibraryRow) -> bool {
    matches!(row.meaning, FunctionMeaning::Contract | FunctionMeaning::Yield | FunctionMeaning::Sync(_))
}

/// Lowers a call of a function that the library knows; `None` if its model, its body or nothing is to be called.
pub fn library_call(call: &mut CallLowering, function: FunctionId) -> Lowered<Option<CValue>> {
    if let Some(value) = builtin_call(call)? {
        return Ok(Some(value));
    }
    if input_name(call.site.name).is_some() {
        return nondet::nondet_call(call, function);
    }
    let Some(treatment) = treatment(call.site.name) else { return Ok(None) };
    if let Some(obstacle) = sync_objects::odd_declaration(call)? {
        return Ok(Some(call.unsupported(obstacle, call.site.result)));
    }
    let value = match treatment {
        Treatment::Special(lower) => lower(call)?,
        Treatment::Row(row) => match row.meaning {
            FunctionMeaning::Contract | FunctionMeaning::Yield => contract::contract_call(call, row)?,
            FunctionMeaning::Sync(op) => synchronisation::sync_call(call, op)?,
            FunctionMeaning::Model | FunctionMeaning::Lowered => return Ok(None),
        },
        Treatment::ThenBody(lower) => {
            let value = lower(call)?;
            return Ok((!call.link().functions[function].defined).then_some(value));
        }
    };
    errno::spoil_errno_after(call, value)?;
    Ok(Some(value))
}

//! How each library function is treated. What the functions demand and promise is said in the crate `library`, and most
//! are lowered by what stands there; here are those that code of its own lowers. Functions that C can express are in
//! `prelude/`.

use library::{Meaning, Row};
use program::SyncOp;

use crate::lower::{CallSite, Lowered, Lowerer, Value};

type Lower = for<'a, 'o, 's> fn(&mut Lowerer<'a, 'o>, &CallSite<'s>) -> Lowered<Value>;

pub enum Treatment {
    /// Lowered by code of its own.
    Special(Lower),
    /// Lowered by code of its own; if the user defines the function, its body is called afterwards.
    ThenBody(Lower),
    /// Lowered by what its row says.
    Row(&'static Row),
}

/// Functions that keep their meaning even if the program defines them.
pub fn is_always_intrinsic(name: &str) -> bool {
    matches!(name, "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" | "__VERIFIER_error" | "reach_error")
}

pub fn treatment(name: &str) -> Option<Treatment> {
    use Treatment::*;
    let row = match name {
        // Verification intrinsics
        "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" => Special(|l, s| l.verifier_assume(s)),
        "__VERIFIER_atomic_begin" | "__CPROVER_atomic_begin" | "__ESBMC_atomic_begin" => {
            Special(|l, s| l.atomic_begin(s))
        }
        "__VERIFIER_atomic_end" | "__CPROVER_atomic_end" | "__ESBMC_atomic_end" => Special(|l, s| l.atomic_end(s)),
        "__CPROVER_assert" | "__ESBMC_assert" => Special(|l, s| l.told_assertion(s)),
        "reach_error" => ThenBody(|l, s| l.reach_error(s)),
        "__VERIFIER_error" => Special(|l, s| l.verifier_error(s)),
        "assert" | "__VERIFIER_assert" => Special(|l, s| l.assert_call(s)),
        "__assert_fail" | "__assert" | "__assert_func" | "__assert_rtn" | "__assert_perror_fail" => {
            Special(|l, s| l.assert_fail(s))
        }

        // For the prelude
        "__gordian_yield" | "__builtin_ia32_pause" => Special(|l, s| l.yield_call(s)),
        "__gordian_library_memory" => Special(|l, s| l.library_memory(s)),
        "__gordian_library_free" => Special(|l, s| l.library_free(s)),
        "__gordian_unsupported" => Special(|l, s| l.unsupported_call(s)),

        // Ends
        "abort" => Special(|l, s| l.abort_call(s)),
        "exit" | "_exit" | "_Exit" | "quick_exit" => Special(|l, s| l.exit_call(s)),

        // Threads
        "pthread_create" => Special(|l, s| l.pthread_create(s)),
        "pthread_join" => Special(|l, s| l.pthread_join(s)),
        "pthread_detach" => Special(|l, s| l.pthread_detach(s)),
        "pthread_exit" => Special(|l, s| l.pthread_exit(s)),
        "pthread_self" | "thrd_current" => Special(|l, s| l.pthread_self(s)),
        "pthread_equal" | "thrd_equal" => Special(|l, s| l.pthread_equal(s)),
        "thrd_create" => Special(|l, s| l.thrd_create(s)),
        "thrd_join" => Special(|l, s| l.thrd_join(s)),
        "thrd_detach" => Special(|l, s| l.thrd_detach(s)),
        "thrd_exit" => Special(|l, s| l.thrd_exit(s)),
        "pthread_attr_init" => Special(|l, s| l.attribute_init(s)),
        "pthread_attr_setdetachstate" => Special(|l, s| l.attribute_set(s)),
        "pthread_attr_setschedpolicy" => Special(|l, s| l.attribute_set(s)),
        "pthread_attr_setschedparam" => Special(|l, s| l.set_priority(s)),
        "pthread_setname_np" => Special(|l, s| l.set_thread_name(s)),
        "pthread_attr_getdetachstate" => Special(|l, s| l.attribute_get(s)),
        "prctl" => Special(|l, s| l.prctl(s)),
        // What `pthread_cleanup_push` and `pthread_cleanup_pop` consist of.
        "__pthread_register_cancel" | "__pthread_register_cancel_defer" => Special(|l, s| l.push_clean_up(s)),
        "__pthread_unregister_cancel" | "__pthread_unregister_cancel_restore" => Special(|l, s| l.pop_clean_up(s)),
        "__sigsetjmp" | "sigsetjmp" | "_setjmp" | "setjmp" | "__builtin_setjmp" => Special(|l, s| l.first_return(s)),

        // Mutexes
        "pthread_mutex_init" => Special(|l, s| l.mutex_init(s)),
        "mtx_init" => Special(|l, s| l.mtx_init(s)),
        "mtx_lock" => Special(|l, s| l.c11_sync(s, SyncOp::MutexLock)),
        "mtx_trylock" => Special(|l, s| l.c11_sync(s, SyncOp::MutexTryLock)),
        "mtx_timedlock" => Special(|l, s| l.c11_sync(s, SyncOp::MutexTimedLock)),
        "mtx_unlock" => Special(|l, s| l.c11_sync(s, SyncOp::MutexUnlock)),
        "pthread_mutexattr_init" | "pthread_rwlockattr_init" | "pthread_condattr_init" | "pthread_barrierattr_init" => {
            Special(|l, s| l.attribute_init(s))
        }
        "pthread_mutexattr_settype" => Special(|l, s| l.attribute_set(s)),
        "pthread_mutexattr_gettype" => Special(|l, s| l.attribute_get(s)),

        // Condition variables
        "pthread_cond_wait" => Special(|l, s| l.cond_wait(s, SyncOp::CondWaitEnd)),
        "cnd_wait" => Special(|l, s| l.cnd_wait(s, SyncOp::CondWaitEnd)),
        "pthread_cond_timedwait" | "pthread_cond_clockwait" => Special(|l, s| l.cond_wait(s, SyncOp::CondTimedWaitEnd)),
        "cnd_timedwait" => Special(|l, s| l.cnd_wait(s, SyncOp::CondTimedWaitEnd)),

        // Barriers
        "pthread_barrier_init" => Special(|l, s| l.barrier_init(s)),
        "pthread_barrier_wait" => Special(|l, s| l.barrier_wait(s)),

        // Semaphores
        "sem_init" => Special(|l, s| l.sem_init(s)),
        "sem_destroy" => Special(|l, s| l.sem_call(s, SyncOp::SemDestroy)),
        "sem_wait" => Special(|l, s| l.sem_call(s, SyncOp::SemWait)),
        "sem_trywait" => Special(|l, s| l.sem_call(s, SyncOp::SemTryWait)),
        "sem_timedwait" | "sem_clockwait" => Special(|l, s| l.sem_call(s, SyncOp::SemTimedWait)),
        "sem_post" => Special(|l, s| l.sem_call(s, SyncOp::SemPost)),
        "sem_getvalue" => Special(|l, s| l.sem_getvalue(s)),

        // Once
        "pthread_once" | "call_once" => Special(|l, s| l.once(s)),

        // Memory
        "malloc" | "kmalloc" => Special(|l, s| l.malloc(s)),
        "calloc" => Special(|l, s| l.calloc(s)),
        "realloc" => Special(|l, s| l.realloc(s)),
        "aligned_alloc" | "memalign" => Special(|l, s| l.aligned_alloc(s)),
        "valloc" => Special(|l, s| l.malloc(s)),
        "posix_memalign" => Special(|l, s| l.posix_memalign(s)),
        "alloca" => Special(|l, s| l.alloca(s)),
        "free" | "cfree" => Special(|l, s| l.free(s)),
        "memcpy" => Special(|l, s| l.copy_memory(s, false)),
        "memmove" => Special(|l, s| l.copy_memory(s, true)),
        "mempcpy" => Special(|l, s| l.mempcpy(s)),
        "memset" => Special(|l, s| l.set_memory(s)),
        "bzero" => Special(|l, s| l.bzero(s)),

        // Output
        "printf" => Special(|l, s| l.printf(s, 0)),
        "vprintf" => Special(|l, s| l.vprintf(s, 0)),
        "fprintf" | "dprintf" => Special(|l, s| l.fprintf(s)),
        "vfprintf" => Special(|l, s| l.vfprintf(s)),
        "sprintf" => Special(|l, s| l.sprintf(s)),
        "snprintf" => Special(|l, s| l.snprintf(s)),
        "vsprintf" => Special(|l, s| l.vsprintf(s)),
        "vsnprintf" => Special(|l, s| l.vsnprintf(s)),
        "puts" => Special(|l, s| l.puts(s)),
        "putchar" => Special(|l, s| l.putchar(s)),
        "putchar_unlocked" => Special(|l, s| l.putchar_unlocked(s)),
        "fputs" => Special(|l, s| l.fputs(s)),
        "fflush" => Special(|l, s| l.fflush(s)),
        "fputc" | "putc" => Special(|l, s| l.fputc(s)),
        "fputc_unlocked" | "putc_unlocked" => Special(|l, s| l.fputc_unlocked(s)),
        "printk" | "_printk" => Special(|l, s| l.printk(s, 0)),
        "syslog" => Special(|l, s| l.syslog(s)),

        // Input
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => Special(|l, s| l.scanf(s, 0)),
        "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => Special(|l, s| l.scanf(s, 1)),

        // The environment
        "sysconf" => Special(|l, s| l.sysconf(s)),
        "time" => Special(|l, s| l.time_call(s)),
        "getenv" | "secure_getenv" => Special(|l, s| l.getenv(s)),
        "setenv" | "unsetenv" => Special(|l, s| l.setenv(s)),
        "__errno_location" | "__errno" => Special(|l, s| l.errno_location(s)),
        "stat" | "lstat" | "fstat" | "stat64" | "fstat64" => Special(|l, s| l.file_status(s)),
        "localtime_r" => Special(|l, s| l.broken_down_time(s)),

        // Signals
        "signal" => Special(|l, s| l.signal_call(s)),
        "sigaction" => Special(|l, s| l.sigaction(s)),
        _ => return library::row(name).filter(|row| is_lowered_by_row(row)).map(Row),
    };
    Some(row)
}

fn is_lowered_by_row(row: &Row) -> bool {
    matches!(row.meaning, Meaning::Contract | Meaning::Yield | Meaning::Sync(_))
}

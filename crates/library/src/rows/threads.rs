//! `<pthread.h>`, `<semaphore.h>`, `<threads.h>` and `<sched.h>`. Valid attributes are accepted, as glibc does.

use program::SyncOp;

use super::{EINVAL, ENOMEM, ENOTSUP, ERANGE, TEXT, number, object};
use crate::contract::{AccessExtent, Argument, CallOutcome, Demand, FunctionMeaning, LibraryRow};

const fn sync(names: &'static [&'static str], op: SyncOp, arguments: &'static [Argument]) -> LibraryRow {
    LibraryRow { meaning: FunctionMeaning::Sync(op), ..LibraryRow::new(names, arguments, CallOutcome::Model(None)) }
}

const CHECKED: CallOutcome = CallOutcome::ErrorNumber(&[]);
const SHARED_OR_NOT: &[Demand] = &[Demand::between(1, 0, 1, &[EINVAL])];
const ATTR: Argument = Argument::updates(object("pthread_attr_t"));
const MUTEX_ATTR: Argument = Argument::updates(object("pthread_mutexattr_t"));
const RWLOCK_ATTR: Argument = Argument::updates(object("pthread_rwlockattr_t"));
const COND_ATTR: Argument = Argument::updates(object("pthread_condattr_t"));
const BARRIER_ATTR: Argument = Argument::updates(object("pthread_barrierattr_t"));
const MUTEX: Argument = Argument::Other("&mutex");
const RWLOCK: Argument = Argument::Other("&rwlock");
const COND: Argument = Argument::Other("&cond");
const SEMAPHORE_POINTER: Argument = Argument::Other("&semaphore");
const DEADLINE: Argument = Argument::reads(object("struct timespec"));

pub const PTHREAD: &[LibraryRow] =
    &[
        // Attributes of threads
        LibraryRow::lowered(&["pthread_attr_init"], &[Argument::writes(object("pthread_attr_t"))], CHECKED),
        LibraryRow::new(&["pthread_attr_destroy"], &[ATTR], CHECKED),
        LibraryRow::lowered(&["pthread_attr_setdetachstate"], &[ATTR, number(0)], CHECKED)
            .demanding(&[Demand::between(1, 0, 1, &[EINVAL])]),
        LibraryRow::lowered(
            &["pthread_attr_getdetachstate"],
            &[Argument::reads(object("pthread_attr_t")), Argument::writes(object("int"))],
            CHECKED,
        ),
        LibraryRow::new(&["pthread_attr_setstacksize"], &[ATTR, number(65536)], CHECKED).demanding(&[Demand::between(
            1,
            16384,
            i64::MAX,
            &[EINVAL],
        )]),
        LibraryRow::new(&["pthread_attr_setguardsize"], &[ATTR, number(4096)], CHECKED),
        LibraryRow::new(&["pthread_attr_setscope"], &[ATTR, number(0)], CHECKED).demanding(&[Demand::between(
            1,
            0,
            0,
            &[EINVAL, ENOTSUP],
        )]),
        LibraryRow::lowered(&["pthread_attr_setschedpolicy"], &[ATTR, number(0)], CHECKED)
            .demanding(&[Demand::between(1, 0, 2, &[EINVAL])]),
        LibraryRow::new(&["pthread_attr_setinheritsched"], &[ATTR, number(0)], CHECKED).demanding(&[Demand::between(
            1,
            0,
            1,
            &[EINVAL],
        )]),
        LibraryRow::lowered(
            &["pthread_attr_setschedparam"],
            &[ATTR, Argument::reads(object("struct sched_param"))],
            CallOutcome::ErrorNumber(&[EINVAL]),
        ),
        // Settings of threads and of the process
        LibraryRow::new(&["pthread_setconcurrency"], &[number(1)], CHECKED).demanding(&[Demand::between(
            0,
            0,
            i32::MAX as i64,
            &[EINVAL],
        )]),
        LibraryRow::lowered(
            &["pthread_setname_np"],
            &[Argument::Other("pthread_self()"), TEXT],
            CallOutcome::ErrorNumber(&[ERANGE]),
        ),
        LibraryRow::new(
            &["pthread_setaffinity_np"],
            &[Argument::Other("pthread_self()"), number(8), Argument::reads(AccessExtent::Argument(1))],
            CallOutcome::ErrorNumber(&[EINVAL]),
        ),
        LibraryRow::new(
            &["pthread_setschedparam"],
            &[Argument::Other("pthread_self()"), number(0), Argument::reads(object("struct sched_param"))],
            CallOutcome::ErrorNumber(&[1, EINVAL]),
        ),
        LibraryRow::model(
            &["pthread_setcancelstate", "pthread_setcanceltype"],
            &[number(0), Argument::writes(object("int")).or_null()],
            CHECKED,
        )
        .demanding(&[Demand::between(0, 0, 1, &[EINVAL])]),
        LibraryRow::new(
            &["pthread_atfork"],
            &[Argument::Other("0"), Argument::Other("0"), Argument::Other("0")],
            CallOutcome::ErrorNumber(&[ENOMEM]),
        ),
        LibraryRow::new(&["pthread_testcancel"], &[], CallOutcome::Void),
        // Mutexes
        LibraryRow::lowered(
            &["pthread_mutex_init"],
            &[MUTEX, Argument::reads(object("pthread_mutexattr_t")).or_null()],
            CHECKED,
        ),
        sync(&["pthread_mutex_destroy"], SyncOp::MutexDestroy, &[MUTEX]),
        sync(&["pthread_mutex_lock"], SyncOp::MutexLock, &[MUTEX]),
        sync(&["pthread_mutex_trylock"], SyncOp::MutexTryLock, &[MUTEX]),
        sync(&["pthread_mutex_timedlock"], SyncOp::MutexTimedLock, &[MUTEX, DEADLINE]),
        sync(&["pthread_mutex_clocklock"], SyncOp::MutexTimedLock, &[MUTEX, number(0), DEADLINE]),
        sync(&["pthread_mutex_unlock"], SyncOp::MutexUnlock, &[MUTEX]),
        LibraryRow::lowered(&["pthread_mutexattr_init"], &[Argument::writes(object("pthread_mutexattr_t"))], CHECKED),
        LibraryRow::new(&["pthread_mutexattr_destroy"], &[MUTEX_ATTR], CHECKED),
        LibraryRow::lowered(&["pthread_mutexattr_settype"], &[MUTEX_ATTR, number(0)], CHECKED)
            .demanding(&[Demand::between(1, 0, 3, &[EINVAL])]),
        LibraryRow::lowered(
            &["pthread_mutexattr_gettype"],
            &[Argument::reads(object("pthread_mutexattr_t")), Argument::writes(object("int"))],
            CHECKED,
        ),
        LibraryRow::new(&["pthread_mutexattr_setpshared"], &[MUTEX_ATTR, number(0)], CHECKED).demanding(SHARED_OR_NOT),
        LibraryRow::new(&["pthread_mutexattr_setprotocol"], &[MUTEX_ATTR, number(0)], CHECKED)
            .demanding(&[Demand::between(1, 0, 2, &[EINVAL])]),
        LibraryRow::new(&["pthread_mutexattr_setprioceiling"], &[MUTEX_ATTR, number(1)], CHECKED)
            .demanding(&[Demand::between(1, 1, 99, &[EINVAL])]),
        // Read-write locks
        sync(
            &["pthread_rwlock_init"],
            SyncOp::RwlockInit,
            &[RWLOCK, Argument::reads(object("pthread_rwlockattr_t")).or_null()],
        ),
        sync(&["pthread_rwlock_destroy"], SyncOp::RwlockDestroy, &[RWLOCK]),
        sync(&["pthread_rwlock_rdlock"], SyncOp::RwlockReadLock, &[RWLOCK]),
        sync(&["pthread_rwlock_tryrdlock"], SyncOp::RwlockTryReadLock, &[RWLOCK]),
        sync(&["pthread_rwlock_timedrdlock"], SyncOp::RwlockTimedReadLock, &[RWLOCK, DEADLINE]),
        sync(&["pthread_rwlock_clockrdlock"], SyncOp::RwlockTimedReadLock, &[RWLOCK, number(0), DEADLINE]),
        sync(&["pthread_rwlock_wrlock"], SyncOp::RwlockWriteLock, &[RWLOCK]),
        sync(&["pthread_rwlock_trywrlock"], SyncOp::RwlockTryWriteLock, &[RWLOCK]),
        sync(&["pthread_rwlock_timedwrlock"], SyncOp::RwlockTimedWriteLock, &[RWLOCK, DEADLINE]),
        sync(&["pthread_rwlock_clockwrlock"], SyncOp::RwlockTimedWriteLock, &[RWLOCK, number(0), DEADLINE]),
        sync(&["pthread_rwlock_unlock"], SyncOp::RwlockUnlock, &[RWLOCK]),
        LibraryRow::lowered(&["pthread_rwlockattr_init"], &[Argument::writes(object("pthread_rwlockattr_t"))], CHECKED),
        LibraryRow::new(&["pthread_rwlockattr_destroy"], &[RWLOCK_ATTR], CHECKED),
        LibraryRow::new(&["pthread_rwlockattr_setpshared"], &[RWLOCK_ATTR, number(0)], CHECKED)
            .demanding(SHARED_OR_NOT),
        // Spin locks
        sync(&["pthread_spin_init"], SyncOp::SpinInit, &[Argument::Other("&spin"), number(0)]),
        sync(&["pthread_spin_destroy"], SyncOp::SpinDestroy, &[Argument::Other("&spin")]),
        sync(&["pthread_spin_lock"], SyncOp::SpinLock, &[Argument::Other("&spin")]),
        sync(&["pthread_spin_trylock"], SyncOp::SpinTryLock, &[Argument::Other("&spin")]),
        sync(&["pthread_spin_unlock"], SyncOp::SpinUnlock, &[Argument::Other("&spin")]),
        // Condition variables
        sync(
            &["pthread_cond_init"],
            SyncOp::CondInit,
            &[COND, Argument::reads(object("pthread_condattr_t")).or_null()],
        ),
        sync(&["pthread_cond_destroy"], SyncOp::CondDestroy, &[COND]),
        sync(&["pthread_cond_signal"], SyncOp::CondSignal, &[COND]),
        sync(&["pthread_cond_broadcast"], SyncOp::CondBroadcast, &[COND]),
        LibraryRow::lowered(&["pthread_cond_timedwait"], &[COND, MUTEX, DEADLINE], CallOutcome::Model(None)),
        LibraryRow::lowered(&["pthread_cond_clockwait"], &[COND, MUTEX, number(0), DEADLINE], CallOutcome::Model(None)),
        LibraryRow::lowered(&["pthread_condattr_init"], &[Argument::writes(object("pthread_condattr_t"))], CHECKED),
        LibraryRow::new(&["pthread_condattr_destroy"], &[COND_ATTR], CHECKED),
        LibraryRow::new(&["pthread_condattr_setpshared"], &[COND_ATTR, number(0)], CHECKED).demanding(SHARED_OR_NOT),
        LibraryRow::new(&["pthread_condattr_setclock"], &[COND_ATTR, number(0)], CHECKED)
            .demanding(&[Demand::between(1, 0, 1, &[EINVAL])]),
        // Barriers
        LibraryRow::lowered(
            &["pthread_barrier_init"],
            &[Argument::Other("&barrier"), Argument::reads(object("pthread_barrierattr_t")).or_null(), number(1)],
            CHECKED,
        ),
        sync(&["pthread_barrier_destroy"], SyncOp::BarrierDestroy, &[Argument::Other("&barrier")]),
        LibraryRow::lowered(
            &["pthread_barrierattr_init"],
            &[Argument::writes(object("pthread_barrierattr_t"))],
            CHECKED,
        ),
        LibraryRow::new(&["pthread_barrierattr_destroy"], &[BARRIER_ATTR], CHECKED),
        LibraryRow::new(&["pthread_barrierattr_setpshared"], &[BARRIER_ATTR, number(0)], CHECKED)
            .demanding(SHARED_OR_NOT),
    ];

pub const SEMAPHORE: &[LibraryRow] = &[
    LibraryRow::lowered(&["sem_post", "sem_wait", "sem_trywait"], &[SEMAPHORE_POINTER], CallOutcome::Model(None))
        .using_errno(),
    LibraryRow::lowered(&["sem_timedwait"], &[SEMAPHORE_POINTER, DEADLINE], CallOutcome::Model(None)).using_errno(),
    LibraryRow::lowered(&["sem_clockwait"], &[SEMAPHORE_POINTER, number(0), DEADLINE], CallOutcome::Model(None))
        .using_errno(),
    LibraryRow::lowered(
        &["sem_getvalue"],
        &[SEMAPHORE_POINTER, Argument::writes(object("int"))],
        CallOutcome::Model(None),
    )
    .using_errno(),
];

pub const C11: &[LibraryRow] = &[
    sync(&["mtx_destroy"], SyncOp::MutexDestroy, &[Argument::Other("&c11_mutex")]),
    sync(&["cnd_init"], SyncOp::CondInit, &[Argument::Other("&c11_cond")]),
    sync(&["cnd_destroy"], SyncOp::CondDestroy, &[Argument::Other("&c11_cond")]),
    sync(&["cnd_signal"], SyncOp::CondSignal, &[Argument::Other("&c11_cond")]),
    sync(&["cnd_broadcast"], SyncOp::CondBroadcast, &[Argument::Other("&c11_cond")]),
    LibraryRow::lowered(&["mtx_timedlock"], &[Argument::Other("&c11_mutex"), DEADLINE], CallOutcome::Model(None)),
    LibraryRow::lowered(
        &["cnd_timedwait"],
        &[Argument::Other("&c11_cond"), Argument::Other("&c11_mutex"), DEADLINE],
        CallOutcome::Model(None),
    ),
    LibraryRow::model(&["thrd_sleep"], &[DEADLINE, Argument::Other("0")], CallOutcome::Model(None)),
    LibraryRow::new(&["thrd_yield"], &[], CallOutcome::Void).yielding(),
];

pub const SCHED: &[LibraryRow] = &[
    LibraryRow::new(&["sched_yield"], &[], CallOutcome::Constant(0)).yielding(),
    LibraryRow::new(&["pthread_yield"], &[], CallOutcome::Constant(0)).yielding(),
];

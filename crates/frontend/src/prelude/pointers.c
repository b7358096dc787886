/* Functions that are lowered where they are called, for those who call them through a pointer. The calls here are such
   calls, not recursion. */
void free(void *pointer) { free(pointer); }
void *malloc(unsigned long size) { return malloc(size); }
void *calloc(unsigned long count, unsigned long size) { return calloc(count, size); }
void *realloc(void *pointer, unsigned long size) { return realloc(pointer, size); }
void *memcpy(void *target, const void *source, unsigned long n) { return memcpy(target, source, n); }
void *memmove(void *target, const void *source, unsigned long n) { return memmove(target, source, n); }
void *memset(void *target, int byte, unsigned long n) { return memset(target, byte, n); }
void abort(void) { abort(); }
void exit(int status) { exit(status); }
void pthread_exit(void *result) { pthread_exit(result); }
int pthread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument)
{
    return pthread_create(thread, attributes, start, argument);
}
int pthread_join(unsigned long thread, void **result) { return pthread_join(thread, result); }
int pthread_detach(unsigned long thread) { return pthread_detach(thread); }
unsigned long pthread_self(void) { return pthread_self(); }
int pthread_equal(unsigned long left, unsigned long right) { return pthread_equal(left, right); }
int thrd_create(unsigned long *thread, int (*start)(void *), void *argument)
{
    return thrd_create(thread, start, argument);
}
int thrd_join(unsigned long thread, int *result) { return thrd_join(thread, result); }
int thrd_detach(unsigned long thread) { return thrd_detach(thread); }
void thrd_exit(int result) { thrd_exit(result); }
void thrd_yield(void) { thrd_yield(); }
int pthread_mutex_init(void *mutex, const void *attributes) { return pthread_mutex_init(mutex, attributes); }
int pthread_mutex_destroy(void *mutex) { return pthread_mutex_destroy(mutex); }
int pthread_mutex_lock(void *mutex) { return pthread_mutex_lock(mutex); }
int pthread_mutex_trylock(void *mutex) { return pthread_mutex_trylock(mutex); }
int pthread_mutex_timedlock(void *mutex, const void *time) { return pthread_mutex_timedlock(mutex, time); }
int pthread_mutex_unlock(void *mutex) { return pthread_mutex_unlock(mutex); }
int mtx_init(void *mutex, int type) { return mtx_init(mutex, type); }
void mtx_destroy(void *mutex) { mtx_destroy(mutex); }
int mtx_lock(void *mutex) { return mtx_lock(mutex); }
int mtx_trylock(void *mutex) { return mtx_trylock(mutex); }
int mtx_timedlock(void *mutex, const void *time) { return mtx_timedlock(mutex, time); }
int mtx_unlock(void *mutex) { return mtx_unlock(mutex); }
int pthread_rwlock_init(void *lock, const void *attributes) { return pthread_rwlock_init(lock, attributes); }
int pthread_rwlock_destroy(void *lock) { return pthread_rwlock_destroy(lock); }
int pthread_rwlock_rdlock(void *lock) { return pthread_rwlock_rdlock(lock); }
int pthread_rwlock_tryrdlock(void *lock) { return pthread_rwlock_tryrdlock(lock); }
int pthread_rwlock_timedrdlock(void *lock, const void *time) { return pthread_rwlock_timedrdlock(lock, time); }
int pthread_rwlock_wrlock(void *lock) { return pthread_rwlock_wrlock(lock); }
int pthread_rwlock_trywrlock(void *lock) { return pthread_rwlock_trywrlock(lock); }
int pthread_rwlock_timedwrlock(void *lock, const void *time) { return pthread_rwlock_timedwrlock(lock, time); }
int pthread_rwlock_clockrdlock(void *lock, int clock, const void *time)
{
    return clock == 0   ? pthread_rwlock_clockrdlock(lock, 0, time)
           : clock == 1 ? pthread_rwlock_clockrdlock(lock, 1, time)
                        : pthread_rwlock_clockrdlock(lock, clock, time);
}
int pthread_rwlock_clockwrlock(void *lock, int clock, const void *time)
{
    return clock == 0   ? pthread_rwlock_clockwrlock(lock, 0, time)
           : clock == 1 ? pthread_rwlock_clockwrlock(lock, 1, time)
                        : pthread_rwlock_clockwrlock(lock, clock, time);
}
int pthread_rwlock_unlock(void *lock) { return pthread_rwlock_unlock(lock); }
int pthread_spin_init(void *lock, int shared) { return pthread_spin_init(lock, shared); }
int pthread_spin_destroy(void *lock) { return pthread_spin_destroy(lock); }
int pthread_spin_lock(void *lock) { return pthread_spin_lock(lock); }
int pthread_spin_trylock(void *lock) { return pthread_spin_trylock(lock); }
int pthread_spin_unlock(void *lock) { return pthread_spin_unlock(lock); }
int pthread_cond_init(void *condition, const void *attributes) { return pthread_cond_init(condition, attributes); }
int pthread_cond_destroy(void *condition) { return pthread_cond_destroy(condition); }
int pthread_cond_wait(void *condition, void *mutex) { return pthread_cond_wait(condition, mutex); }
int pthread_cond_timedwait(void *condition, void *mutex, const void *time)
{
    return pthread_cond_timedwait(condition, mutex, time);
}
int pthread_cond_signal(void *condition) { return pthread_cond_signal(condition); }
int pthread_cond_broadcast(void *condition) { return pthread_cond_broadcast(condition); }
int cnd_init(void *condition) { return cnd_init(condition); }
void cnd_destroy(void *condition) { cnd_destroy(condition); }
int cnd_wait(void *condition, void *mutex) { return cnd_wait(condition, mutex); }
int cnd_timedwait(void *condition, void *mutex, const void *time) { return cnd_timedwait(condition, mutex, time); }
int cnd_signal(void *condition) { return cnd_signal(condition); }
int cnd_broadcast(void *condition) { return cnd_broadcast(condition); }
int pthread_barrier_init(void *barrier, const void *attributes, unsigned count)
{
    return pthread_barrier_init(barrier, attributes, count);
}
int pthread_barrier_destroy(void *barrier) { return pthread_barrier_destroy(barrier); }
int pthread_barrier_wait(void *barrier) { return pthread_barrier_wait(barrier); }
int sem_init(void *semaphore, int shared, unsigned value) { return sem_init(semaphore, shared, value); }
int sem_destroy(void *semaphore) { return sem_destroy(semaphore); }
int sem_wait(void *semaphore) { return sem_wait(semaphore); }
int sem_trywait(void *semaphore) { return sem_trywait(semaphore); }
int sem_timedwait(void *semaphore, const void *time) { return sem_timedwait(semaphore, time); }
int sem_post(void *semaphore) { return sem_post(semaphore); }
int sem_getvalue(void *semaphore, int *value) { return sem_getvalue(semaphore, value); }
int pthread_once(void *control, void (*routine)(void)) { return pthread_once(control, routine); }
void call_once(void *control, void (*routine)(void)) { call_once(control, routine); }
void _exit(int status) { _exit(status); }
void _Exit(int status) { _Exit(status); }
void quick_exit(int status) { quick_exit(status); }
void reach_error(void) { reach_error(); }
void __VERIFIER_error(void) { __VERIFIER_error(); }
void __VERIFIER_assume(int condition) { __VERIFIER_assume(condition); }
void __CPROVER_assume(int condition) { __CPROVER_assume(condition); }
void __ESBMC_assume(int condition) { __ESBMC_assume(condition); }
void __VERIFIER_assert(int condition) { __VERIFIER_assert(condition); }
void __CPROVER_assert(int condition, const char *what) { __CPROVER_assert(condition, what); }
void __ESBMC_assert(int condition, const char *what) { __ESBMC_assert(condition, what); }
void assert(int condition) { assert(condition); }
void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    __assert_fail(assertion, file, line, function);
}
void __VERIFIER_atomic_begin(void) { __VERIFIER_atomic_begin(); }
void __VERIFIER_atomic_end(void) { __VERIFIER_atomic_end(); }
int sched_yield(void) { return sched_yield(); }

/* Every byte is an input of its own. */
void __VERIFIER_nondet_memory(void *memory, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        ((char *)memory)[i] = __VERIFIER_nondet_char();
}

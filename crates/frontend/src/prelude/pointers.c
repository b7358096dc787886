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
int pthread_mutex_lock(void *mutex) { return pthread_mutex_lock(mutex); }
int pthread_mutex_trylock(void *mutex) { return pthread_mutex_trylock(mutex); }
int pthread_mutex_unlock(void *mutex) { return pthread_mutex_unlock(mutex); }
int pthread_rwlock_rdlock(void *lock) { return pthread_rwlock_rdlock(lock); }
int pthread_rwlock_wrlock(void *lock) { return pthread_rwlock_wrlock(lock); }
int pthread_rwlock_unlock(void *lock) { return pthread_rwlock_unlock(lock); }
int pthread_cond_wait(void *condition, void *mutex) { return pthread_cond_wait(condition, mutex); }
int pthread_cond_signal(void *condition) { return pthread_cond_signal(condition); }
int pthread_cond_broadcast(void *condition) { return pthread_cond_broadcast(condition); }
int sem_wait(void *semaphore) { return sem_wait(semaphore); }
int sem_post(void *semaphore) { return sem_post(semaphore); }
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
int pthread_mutex_destroy(void *mutex) { return pthread_mutex_destroy(mutex); }
int sched_yield(void) { return sched_yield(); }

/* Every byte is an input of its own. */
void __VERIFIER_nondet_memory(void *memory, unsigned long size)
{
    for (unsigned long i = 0; i < size; i++)
        ((char *)memory)[i] = __VERIFIER_nondet_char();
}

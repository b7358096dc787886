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
int pthread_mutex_lock(void *mutex) { return pthread_mutex_lock(mutex); }
int pthread_mutex_trylock(void *mutex) { return pthread_mutex_trylock(mutex); }
int pthread_mutex_unlock(void *mutex) { return pthread_mutex_unlock(mutex); }
int pthread_rwlock_rdlock(void *lock) { return pthread_rwlock_rdlock(lock); }
int pthread_rwlock_wrlock(void *lock) { return pthread_rwlock_wrlock(lock); }
int pthread_rwlock_unlock(void *lock) { return pthread_rwlock_unlock(lock); }
int sem_wait(void *semaphore) { return sem_wait(semaphore); }
int sem_post(void *semaphore) { return sem_post(semaphore); }

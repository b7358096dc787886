// Everybody reads a table and then changes it. BROKEN: the read lock is kept while the write lock is asked for, and two
// readers wait for each other (one waits for itself). Repaired: the read lock is given back first.
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int table;

void *worker(void *argument) {
    pthread_rwlock_rdlock(&lock);
    int seen = table;
#ifndef BROKEN
    pthread_rwlock_unlock(&lock);
#endif
    pthread_rwlock_wrlock(&lock);
    table = seen + 1;
    pthread_rwlock_unlock(&lock);
#ifdef BROKEN
    pthread_rwlock_unlock(&lock);
#endif
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}

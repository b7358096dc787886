// Each worker gives its read lock up only after the other has: both wait as owners of what the other wants.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER, k = PTHREAD_RWLOCK_INITIALIZER;

void *worker(void *arg) {
    pthread_rwlock_rdlock(&k);
    pthread_rwlock_wrlock(&l); // VIOLATION
    pthread_rwlock_unlock(&l);
    pthread_rwlock_unlock(&k);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&k); // VIOLATION
    pthread_rwlock_unlock(&k);
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0); // VIOLATION
    return 0;
}

// Who goes on without the read lock has given up the only lock that it had.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

static void *worker(void *arg) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    int seen = x; // RACE
    pthread_rwlock_unlock(&l);
    return seen ? arg : 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_rwlock_wrlock(&l);
    x = 1; // RACE
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    return 0;
}

// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *worker(void *arg) {
    pthread_rwlock_rdlock(&l);
    x++; // VIOLATION
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}

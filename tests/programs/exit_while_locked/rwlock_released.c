// PROPERTY no-exit-while-locked
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *worker(void *arg) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    exit(0);
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    return 0;
}

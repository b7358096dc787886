// PROPERTY lock-misuse
// EXPECT violated
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *worker(void *arg) {
    pthread_rwlock_unlock(&l); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_rdlock(&l);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_rwlock_unlock(&l);
    return 0;
}

// PROPERTY lock-misuse
// EXPECT proved
#include <pthread.h>

pthread_rwlock_t l;

void *worker(void *arg) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    if (pthread_rwlock_trywrlock(&l) == 0) pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_init(&l, 0);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    pthread_rwlock_destroy(&l);
    return 0;
}

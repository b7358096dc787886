// Readers share the lock, the writer has it alone.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x, y;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;

void *first(void *arg) {
    pthread_rwlock_rdlock(&rw);
    y = x;
    pthread_rwlock_unlock(&rw);
    return 0;
}

void *second(void *arg) {
    pthread_rwlock_wrlock(&rw);
    x++;
    pthread_rwlock_unlock(&rw);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, first, 0);
    pthread_create(&t1, 0, second, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}

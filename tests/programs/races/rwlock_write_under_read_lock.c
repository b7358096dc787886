// Two read locks do not exclude each other.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

void *first(void *arg) {
    pthread_rwlock_rdlock(&l);
    x = 1; // RACE
    pthread_rwlock_unlock(&l);
    return 0;
}

void *second(void *arg) {
    pthread_rwlock_rdlock(&l);
    x = 2; // RACE
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

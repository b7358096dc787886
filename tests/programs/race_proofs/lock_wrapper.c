// The lock is taken by a function that is told which one.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;

void take(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
}

void give(pthread_mutex_t *lock) {
    pthread_mutex_unlock(lock);
}

void *first(void *arg) {
    take(&m);
    x++;
    give(&m);
    return 0;
}

void *second(void *arg) {
    take(&n);
    take(&m);
    x++;
    give(&m);
    give(&n);
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

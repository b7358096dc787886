// One unlock for two locks: the other thread waits for ever.
// PROPERTY no-deadlock
// EXPECT violated
#define _GNU_SOURCE
#include <pthread.h>

pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void *worker(void *arg) {
    pthread_mutex_lock(&m); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0); // VIOLATION
    return 0;
}

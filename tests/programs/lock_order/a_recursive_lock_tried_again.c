// A recursive mutex is locked, tried, and unlocked once: one level is left when the thread ends.
// PROPERTY no-deadlock
// EXPECT violated
#define _GNU_SOURCE
#include <pthread.h>
pthread_mutex_t a = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void *worker(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_trylock(&a);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_mutex_lock(&a); // VIOLATION
    pthread_mutex_unlock(&a);
    return 0;
}

// A recursive mutex is free only after as many unlocks as locks.
// EXPECT proved
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <errno.h>

pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int x;

void *worker(void *arg) {
    int got = pthread_mutex_trylock(&m);
    assert(got == 0 || got == EBUSY);
    if (got == 0) {
        assert(x == 0 || x == 2);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    assert(pthread_mutex_unlock(&m) == EPERM);
    pthread_join(t, 0);
    return 0;
}

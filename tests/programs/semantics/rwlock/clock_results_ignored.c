// EXPECT violated
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <time.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
struct timespec soon;
int x;

void *writer(void *arg) {
    pthread_rwlock_wrlock(&l);
    x = 1;
    x = 2;
    pthread_rwlock_unlock(&l);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &soon);
    assert(x != 1); // VIOLATION
    pthread_rwlock_unlock(&l);
    pthread_join(t, 0);
    return 0;
}

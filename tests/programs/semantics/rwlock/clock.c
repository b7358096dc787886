// EXPECT proved
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <time.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
struct timespec soon;

void *worker(void *arg) {
    struct timespec no_time = {.tv_sec = 1, .tv_nsec = 1000000000};
    assert(pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    assert(pthread_rwlock_clockwrlock(&l, CLOCK_REALTIME, &soon) == ETIMEDOUT);
    assert(pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &no_time) == EINVAL);
    return 0;
}

int main(void) {
    pthread_t t;
    int (*take)(pthread_rwlock_t *, clockid_t, const struct timespec *) = pthread_rwlock_clockrdlock;
    assert(take(&l, CLOCK_MONOTONIC, &soon) == 0);
    assert(pthread_rwlock_clockrdlock(&l, CLOCK_REALTIME, &soon) == 0);
    assert(pthread_rwlock_unlock(&l) == 0);
    assert(pthread_rwlock_unlock(&l) == 0);
    assert(pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &soon) == 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(pthread_rwlock_unlock(&l) == 0);
    return 0;
}

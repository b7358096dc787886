// EXPECT proved
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
struct timespec past;
int other;

static void *run(void *arg) {
    other = pthread_rwlock_timedwrlock(&l, &past);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_rwlock_wrlock(&l);
    assert(pthread_rwlock_timedwrlock(&l, &past) == EDEADLK);
    assert(pthread_rwlock_timedrdlock(&l, &past) == EDEADLK);
    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    assert(other == ETIMEDOUT);
    return 0;
}

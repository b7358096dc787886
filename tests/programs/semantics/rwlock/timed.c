// EXPECT proved
#include <pthread.h>
#include <assert.h>
#include <errno.h>
#include <time.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
struct timespec soon;

void *worker(void *arg) {
    assert(pthread_rwlock_timedrdlock(&l, &soon) == ETIMEDOUT);
    assert(pthread_rwlock_timedwrlock(&l, &soon) == ETIMEDOUT);
    assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
    return 0;
}

int main(void) {
    pthread_t t;
    assert(pthread_rwlock_timedrdlock(&l, &soon) == 0);
    assert(pthread_rwlock_unlock(&l) == 0);
    assert(pthread_rwlock_timedwrlock(&l, &soon) == 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    assert(pthread_rwlock_unlock(&l) == 0);
    return 0;
}

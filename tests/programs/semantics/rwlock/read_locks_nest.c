// Several read locks of one thread need as many unlocks.
// EXPECT proved
#include <pthread.h>
#include <assert.h>
#include <errno.h>

pthread_rwlock_t l;

int main(void) {
    assert(pthread_rwlock_init(&l, 0) == 0);
    assert(pthread_rwlock_rdlock(&l) == 0);
    assert(pthread_rwlock_rdlock(&l) == 0);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_unlock(&l) == 0);
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_unlock(&l) == 0);
    assert(pthread_rwlock_trywrlock(&l) == 0);
    assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
    assert(pthread_rwlock_unlock(&l) == 0);
    assert(pthread_rwlock_destroy(&l) == 0);
    return 0;
}

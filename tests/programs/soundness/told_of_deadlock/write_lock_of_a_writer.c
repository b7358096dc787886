// glibc tells a thread that it writes already.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_wrlock(&l);
    assert(pthread_rwlock_wrlock(&l) == 0); // VIOLATION
    return 0;
}

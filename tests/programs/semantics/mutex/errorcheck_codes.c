// A relock gives EDEADLK, an unlock by somebody else EPERM, a destroy while it is held EBUSY.
// EXPECT proved
#include <pthread.h>
#include <assert.h>
#include <errno.h>

pthread_mutex_t m;

void *stranger(void *arg) {
    assert(pthread_mutex_unlock(&m) == EPERM);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attributes;
    int kind;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_gettype(&attributes, &kind);
    assert(kind == PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &attributes);
    assert(pthread_mutex_unlock(&m) == EPERM);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == EDEADLK);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    assert(pthread_mutex_destroy(&m) == EBUSY);
    pthread_create(&t, 0, stranger, 0);
    pthread_join(t, 0);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_destroy(&m) == 0);
    return 0;
}

// An attribute object that says nothing makes a normal mutex.
// EXPECT proved
#include <pthread.h>
#include <assert.h>
#include <errno.h>

pthread_mutex_t m;

int main(void) {
    pthread_mutexattr_t attributes;
    int kind = 7;
    assert(pthread_mutexattr_init(&attributes) == 0);
    assert(pthread_mutexattr_gettype(&attributes, &kind) == 0);
    assert(kind == PTHREAD_MUTEX_DEFAULT);
    assert(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE) == 0);
    pthread_mutex_init(&m, &attributes);
    assert(pthread_mutex_trylock(&m) == 0);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    return 0;
}

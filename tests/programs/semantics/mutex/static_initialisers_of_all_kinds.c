// The kind that a static initialiser gives is respected.
// EXPECT proved
#define _GNU_SOURCE
#include <pthread.h>
#include <assert.h>
#include <errno.h>

pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

int main(void) {
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_lock(&errorcheck) == 0);
    assert(pthread_mutex_lock(&errorcheck) == EDEADLK);
    assert(pthread_mutex_lock(&adaptive) == 0);
    assert(pthread_mutex_trylock(&adaptive) == EBUSY);
    return 0;
}

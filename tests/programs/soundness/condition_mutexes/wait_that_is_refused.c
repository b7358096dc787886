// A mutex that knows its owner refuses the wait of a thread that does not hold it: nobody waits.
// PROPERTY assert
// EXPECT proved
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_mutex_t lock;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attributes);
    int error = pthread_cond_wait(&condition, &lock);
    assert(error == EPERM);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    return 0;
}

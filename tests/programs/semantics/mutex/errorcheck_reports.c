// An errorcheck mutex says what is wrong instead of blocking, which is no misuse and no deadlock.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>

pthread_mutex_t m;

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

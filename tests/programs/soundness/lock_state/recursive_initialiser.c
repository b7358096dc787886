// The kind of a mutex is in its bytes, too.
// PROPERTY no-deadlock
// EXPECT proved
#define _GNU_SOURCE
#include <pthread.h>

int main(void) {
    pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}

// The error code is the documented answer of an errorcheck mutex, so nothing is violated.
// PROPERTY lock-misuse
// EXPECT proved
#define _GNU_SOURCE
#include <pthread.h>

pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

int main(void) {
    pthread_mutex_unlock(&m);
    return 0;
}

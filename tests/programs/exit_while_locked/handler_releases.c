// PROPERTY no-exit-while-locked
// EXPECT violated
// The handler comes too late.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void release(void) {
    pthread_mutex_unlock(&m);
}

int main(void) {
    atexit(release);
    pthread_mutex_lock(&m);
    exit(0); // VIOLATION
}

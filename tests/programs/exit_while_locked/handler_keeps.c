// PROPERTY no-exit-while-locked
// EXPECT violated
// Handlers belong to the exit.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void take(void) {
    pthread_mutex_lock(&m);
}

int main(void) { // VIOLATION
    atexit(take);
    return 0;
}

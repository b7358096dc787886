// PROPERTY no-exit-while-locked
// EXPECT violated
// ENGINES unknown who ends last is not followed
// The process exits with its last thread.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
    pthread_mutex_lock(&m);
    return 0; // VIOLATION
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}

// PROPERTY no-exit-while-locked
// EXPECT violated
// The main thread may return first, but the worker may be quicker.
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int failed;

void *worker(void *arg) {
    pthread_mutex_lock(&m);
    if (failed)
        exit(1); // VIOLATION
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_mutex_lock(&m);
    failed = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}

// The variable lives until the worker has ended.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

void *worker(void *arg) {
    *(int *)arg = 1; // NORACE
    return 0;
}

int main(void) {
    pthread_t t;
    int local = 0;
    pthread_create(&t, 0, worker, &local);
    pthread_join(t, 0);
    return local; // NORACE
}

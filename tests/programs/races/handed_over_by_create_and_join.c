// The main thread touches x only before it creates the worker and after it has joined it.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x;

void *worker(void *arg) {
    x++; // NORACE
    return 0;
}

int main(void) {
    pthread_t t;
    x = 1; // NORACE
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    x = 2; // NORACE
    return 0;
}

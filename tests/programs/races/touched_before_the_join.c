// The main thread is too early.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;

void *worker(void *arg) {
    x++; // RACE
    return 0;
}

int main(void) {
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, worker, 0);
    x = 2; // RACE
    pthread_join(t, 0);
    return 0;
}

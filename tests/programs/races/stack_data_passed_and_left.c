// The variable ends while the worker may still write to it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_t t;

void *worker(void *arg) {
    *(int *)arg = 1; // RACE
    return 0;
}

void start(void) {
    int local = 0;
    pthread_create(&t, 0, worker, &local);
} // RACE

int main(void) {
    start();
    pthread_join(t, 0);
    return 0;
}

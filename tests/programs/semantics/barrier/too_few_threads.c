// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>

pthread_barrier_t b;

void *worker(void *arg) {
    pthread_barrier_wait(&b); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 3);
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_wait(&b); // VIOLATION
    pthread_join(t, 0);
    return 0;
}

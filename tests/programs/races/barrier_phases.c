// Each thread writes its own cell, and after the barrier reads the other.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int a, b;
pthread_barrier_t barrier;

void *first(void *arg) {
    a = 1; // NORACE
    pthread_barrier_wait(&barrier);
    int seen = b; // NORACE
    (void)seen;
    return 0;
}

void *second(void *arg) {
    b = 1; // NORACE
    pthread_barrier_wait(&barrier);
    int seen = a; // NORACE
    (void)seen;
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

// The second thread reads before the barrier.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int a;
pthread_barrier_t barrier;

void *first(void *arg) {
    a = 1; // RACE
    pthread_barrier_wait(&barrier);
    return 0;
}

void *second(void *arg) {
    int seen = a; // RACE
    pthread_barrier_wait(&barrier);
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

// Two rounds over one barrier separate three phases.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

pthread_barrier_t b;
int x;

void *worker(void *arg) {
    pthread_barrier_wait(&b);
    x = 2;
    pthread_barrier_wait(&b);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    x = 1;
    pthread_barrier_wait(&b);
    pthread_barrier_wait(&b);
    x = 3;
    pthread_join(t, 0);
    pthread_barrier_destroy(&b);
    return 0;
}

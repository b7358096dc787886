// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>

pthread_barrier_t b;

void *worker(void *arg) {
    pthread_barrier_wait(&b);
    pthread_barrier_wait(&b);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_barrier_init(&b, 0, 3);
    pthread_create(&t1, 0, worker, 0);
    pthread_create(&t2, 0, worker, 0);
    worker(0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

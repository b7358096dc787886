// A barrier may be destroyed as soon as one thread has left it, and used again with another count.
// PROPERTY lock-misuse
// EXPECT proved
#include <pthread.h>

pthread_barrier_t b;

void *worker(void *arg) {
    pthread_barrier_wait(&b);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    pthread_barrier_wait(&b);
    pthread_barrier_destroy(&b);
    pthread_join(t, 0);
    pthread_barrier_init(&b, 0, 1);
    pthread_barrier_wait(&b);
    return 0;
}

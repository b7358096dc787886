// A barrier orders what comes before it with what comes after it.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

pthread_barrier_t b;
int data, flag;

void *worker(void *arg) {
    data = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    pthread_barrier_wait(&b);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    int seen = __atomic_load_n(&flag, __ATOMIC_RELAXED);
    pthread_barrier_wait(&b);
    if (seen) data = 2;
    pthread_join(t, 0);
    return 0;
}

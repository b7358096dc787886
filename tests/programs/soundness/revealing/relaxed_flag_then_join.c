// A join orders, whatever was revealed before.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int data, flag;

void *worker(void *arg) {
    data = 1;
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int seen = __atomic_load_n(&flag, __ATOMIC_RELAXED);
    pthread_join(t, 0);
    if (seen) data = 2;
    return 0;
}

// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;
int data;

void *worker(void *arg) {
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (atomic_load_explicit(&ready, memory_order_acquire)) data = 2;
    pthread_join(t, 0);
    return 0;
}

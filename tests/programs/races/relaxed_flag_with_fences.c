// Fences with a relaxed flag: the release fence before the store, the acquire fence after the load.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *first(void *arg) {
    data = 42; // NORACE
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return 0;
}

void *second(void *arg) {
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        data++; // NORACE
    }
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

// An atomic read in a round that changes nothing races with a plain write that is only made because the thread went on.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag, gone;

static void *spin(void *unused) {
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        (void)__atomic_load_n(&data, __ATOMIC_SEQ_CST); // RACE
    atomic_store_explicit(&gone, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    if (atomic_load_explicit(&gone, memory_order_relaxed))
        data = 1; // RACE
    pthread_join(thread, NULL);
    return 0;
}

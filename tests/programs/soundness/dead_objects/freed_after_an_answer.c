// The second thread never sees the object dead: the flag is set before the end, and the end waits for an answer that orders.
// PROPERTY no-data-race
// EXPECT proved
// NONDET 123456..123456
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int nondet_int(void);
int *box;
atomic_int offered;
atomic_int answered;

void *first(void *arg) {
    atomic_store_explicit(&offered, 1, memory_order_relaxed);
    if (atomic_load_explicit(&answered, memory_order_acquire)) free(box); // NORACE
    return 0;
}

void *second(void *arg) {
    if (atomic_load_explicit(&offered, memory_order_relaxed)) {
        *box = 2; // NORACE
        atomic_store_explicit(&answered, 1, memory_order_release);
    }
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[2];
    box = calloc(1, sizeof(int));
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}

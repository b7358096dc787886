// As read_behind_a_relaxed_flag, but the flag orders: reading a dead object is invalid, and no race. Another flag that is
// relaxed makes no difference.
// PROPERTY no-data-race
// EXPECT proved
// NONDET 123456..123456
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int nondet_int(void);
int *box;
atomic_int freed;
atomic_int visits;
int seen;

void *first(void *arg) {
    atomic_fetch_add_explicit(&visits, 1, memory_order_relaxed);
    free(box); // NORACE
    atomic_store_explicit(&freed, 1, memory_order_release);
    return 0;
}

void *second(void *arg) {
    atomic_fetch_add_explicit(&visits, 1, memory_order_relaxed);
    if (atomic_load_explicit(&freed, memory_order_acquire)) seen = *box; // NORACE
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

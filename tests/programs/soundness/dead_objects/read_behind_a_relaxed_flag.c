// A relaxed flag says that the object is freed, and orders nothing: the read comes only after the end, and races with it.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int nondet_int(void);
int *box;
atomic_int freed;
int seen;

void *first(void *arg) {
    free(box); // RACE
    atomic_store_explicit(&freed, 1, memory_order_relaxed);
    return 0;
}

void *second(void *arg) {
    if (atomic_load_explicit(&freed, memory_order_relaxed)) seen = box[1]; // RACE
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[2];
    box = calloc(2, sizeof(int));
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}

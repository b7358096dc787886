// Both of the orders hand the data over.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdatomic.h>

int nondet_int(void);
atomic_int ready;
memory_order order;
int data;

void *first(void *arg) {
    data = 1;
    atomic_store_explicit(&ready, 1, order);
    return 0;
}

void *second(void *arg) {
    if (atomic_load_explicit(&ready, memory_order_acquire)) data = 2;
    return 0;
}

int main(void) {
    order = nondet_int() ? memory_order_release : memory_order_seq_cst;
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}

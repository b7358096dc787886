// Operations on synchronisation objects are accesses, too: this semaphore is freed before it is posted.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

int nondet_int(void);
sem_t *ready;
atomic_int freed;

void *first(void *arg) {
    free(ready); // RACE
    atomic_store_explicit(&freed, 1, memory_order_relaxed);
    return 0;
}

void *second(void *arg) {
    if (atomic_load_explicit(&freed, memory_order_relaxed)) sem_post(ready); // RACE
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[2];
    ready = malloc(sizeof *ready);
    sem_init(ready, 0, 0);
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}

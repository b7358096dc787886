// The reader does not look at the flag.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *first(void *arg) {
    data = 42; // RACE
    atomic_store(&ready, 1);
    return 0;
}

void *second(void *arg) {
    atomic_load(&ready);
    data++; // RACE
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

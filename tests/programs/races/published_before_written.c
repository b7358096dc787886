// The flag is set before the data is there.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *first(void *arg) {
    atomic_store(&ready, 1);
    data = 42; // RACE
    return 0;
}

void *second(void *arg) {
    if (atomic_load(&ready))
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

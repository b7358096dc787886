// Atomic increments do not race with each other.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdatomic.h>

atomic_int hits;

void *first(void *arg) {
    hits++; // NORACE
    return 0;
}

void *second(void *arg) {
    atomic_fetch_add(&hits, 1); // NORACE
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    hits = 0; // NORACE
    return 0;
}

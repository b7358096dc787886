// Reads do not race, atomic or not.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdatomic.h>

int hits = 3;

void *first(void *arg) {
    __atomic_load_n(&hits, __ATOMIC_SEQ_CST); // NORACE
    return 0;
}

void *second(void *arg) {
    int seen = hits; // NORACE
    (void)seen;
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

// Atomic accesses do not race with each other.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

_Atomic int x;
int y;

void *first(void *arg) {
    x++;
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);
    return 0;
}

void *second(void *arg) {
    x = 3;
    __atomic_fetch_add(&y, 1, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, first, 0);
    pthread_create(&t1, 0, second, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}

// A plain read beside an atomic write.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int y, z;

void *first(void *arg) {
    __atomic_store_n(&y, 1, __ATOMIC_RELAXED); // VIOLATION
    return 0;
}

void *second(void *arg) {
    z = y; // VIOLATION
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

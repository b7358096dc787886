// A lock made of an atomic exchange.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdatomic.h>

int x;
atomic_int taken;

void enter(void) {
    while (atomic_exchange(&taken, 1))
        ;
}

void leave(void) { atomic_store(&taken, 0); }

void *first(void *arg) {
    enter();
    x++; // NORACE
    leave();
    return 0;
}

void *second(void *arg) {
    enter();
    x++; // NORACE
    leave();
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

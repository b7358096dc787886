// Tickets are drawn and called atomically.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdatomic.h>

int x;
atomic_int next, called;

void enter(void) {
    int own = atomic_fetch_add(&next, 1);
    while (atomic_load(&called) != own)
        ;
}

void leave(void) { atomic_fetch_add(&called, 1); }

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

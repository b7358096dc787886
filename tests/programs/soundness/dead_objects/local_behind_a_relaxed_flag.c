// The block of the local has ended before the flag is set.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <stdatomic.h>

int nondet_int(void);
_Atomic(int *) shown;
atomic_int done;
int seen;

void *first(void *arg) {
    {
        int local = 7;
        atomic_store(&shown, &local);
    } // RACE
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return 0;
}

void *second(void *arg) {
    if (atomic_load_explicit(&done, memory_order_relaxed)) {
        int *local = atomic_load(&shown);
        seen = *local; // RACE
    }
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}

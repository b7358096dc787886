// A constant that every thread has for itself ends with its thread, which races with a read of another one.
// PROPERTY no-data-race
// EXPECT violated
// ENGINES unknown races with the end of thread-local objects are not followed
// NONDET 123456..123456
#include <pthread.h>
#include <stdatomic.h>

int nondet_int(void);
_Thread_local const int limit = 3;
_Atomic(const int *) shown;
int seen;

void *first(void *arg) {
    atomic_store(&shown, &limit);
    return 0; // RACE
}

void *second(void *arg) {
    const int *known = atomic_load(&shown);
    if (known) seen = *known; // RACE
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

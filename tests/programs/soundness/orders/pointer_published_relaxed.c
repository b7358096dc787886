// A pointer to new memory is published without release.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <stdlib.h>

int nondet_int(void);
int *shared;

void *first(void *arg) {
    int *p = malloc(sizeof *p);
    *p = 1; // RACE
    __atomic_store_n(&shared, p, __ATOMIC_RELAXED);
    return 0;
}

void *second(void *arg) {
    int *p = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    if (p) *p = 2; // RACE
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

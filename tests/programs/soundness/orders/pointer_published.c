// A pointer to new memory is published with release and acquire.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *first(void *arg) {
    int *p = malloc(sizeof *p);
    *p = 1;
    __atomic_store_n(&shared, p, __ATOMIC_RELEASE);
    return 0;
}

void *second(void *arg) {
    int *p = __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
    if (p) *p = 2;
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, second, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}

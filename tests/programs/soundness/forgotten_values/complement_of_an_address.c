// The complement of the complement of an address is the address.
// PROPERTY no-data-race
// EXPECT violated
// TREES unknown integer arithmetic on a pointer value
#include <pthread.h>
#include <stdint.h>

int x;

static void *t(void *arg) {
    uintptr_t u = ~(uintptr_t)arg;
    *(int *)~u = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t h;
    pthread_create(&h, 0, t, &x);
    x = 2; // RACE
    pthread_join(h, 0);
    return 0;
}

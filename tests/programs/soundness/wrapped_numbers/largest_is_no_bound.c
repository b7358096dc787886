// LONG_MAX and ULONG_MAX are numbers like any other.
// PROPERTY no-data-race
// EXPECT violated
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

static void *t(void *arg) {
    int *x = arg;
    long m = LONG_MAX;
    unsigned long u = ULONG_MAX;
    if (m == LONG_MAX && u + 1 == 0 && u > (unsigned long)m)
        *x = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t h;
    int *x = malloc(sizeof *x);
    pthread_create(&h, 0, t, x);
    *x = 2; // RACE
    pthread_join(h, 0);
    free(x);
    return 0;
}

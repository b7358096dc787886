// The last to drop a reference frees, but the counter is relaxed.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <stdlib.h>

int nondet_int(void);
int *object;
int count = 2;

void *first(void *arg) {
    int seen = *object; // RACE
    if (__atomic_fetch_add(&count, -1, __ATOMIC_RELAXED) == 1) free(object); // RACE
    return seen ? 0 : arg;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    object = calloc(1, sizeof *object);
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, first, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}

// The last to drop a reference frees, with release and acquire.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

int *object;
int count = 2;

void *first(void *arg) {
    int seen = *object;
    if (__atomic_fetch_add(&count, -1, __ATOMIC_ACQ_REL) == 1) free(object);
    return seen ? 0 : arg;
}

int main(void) {
    object = calloc(1, sizeof *object);
    pthread_t t[2];
    pthread_create(&t[0], 0, first, 0);
    pthread_create(&t[1], 0, first, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}

// free counts as a write: the worker may still use the memory.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg) {
    *(int *)arg = 1; // RACE
    return 0;
}

int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    pthread_create(&t, 0, worker, p);
    free(p); // RACE
    pthread_join(t, 0);
    return 0;
}

// Memory given away to the worker, which frees it.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg) {
    *(int *)arg = 1; // NORACE
    free(arg); // NORACE
    return 0;
}

int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    pthread_create(&t, 0, worker, p);
    pthread_join(t, 0);
    return 0;
}

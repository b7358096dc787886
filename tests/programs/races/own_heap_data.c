// Each thread allocates its own memory.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg) {
    int *own = malloc(sizeof *own);
    *own = 1; // NORACE
    (*own)++; // NORACE
    free(own);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, worker, 0);
    pthread_create(&t2, 0, worker, 0);
    return 0;
}

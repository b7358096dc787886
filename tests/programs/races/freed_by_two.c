// Both threads free the same memory: the second `free` is a write that nothing orders after the first.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int *p;

void *worker(void *arg) {
    free(p); // RACE
    return 0;
}

int main(void) {
    pthread_t a, b;
    p = malloc(sizeof *p);
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    return 0;
}

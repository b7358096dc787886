// Memory is freed while the thread uses it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg) {
    *(int *)arg = 1; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    pthread_create(&t, 0, worker, p);
    free(p); // VIOLATION
    pthread_join(t, 0);
    return 0;
}

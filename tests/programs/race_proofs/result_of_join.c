// What a thread leaves as its result belongs to who joins it.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg) {
    int *p = malloc(sizeof *p);
    *p = 1;
    return p;
}

int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, &result);
    *(int *)result = 2;
    free(result);
    return 0;
}

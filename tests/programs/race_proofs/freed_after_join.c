// Memory is freed when nobody uses it any more.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg) {
    *(int *)arg = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    pthread_create(&t, 0, worker, p);
    pthread_join(t, 0);
    free(p);
    return 0;
}

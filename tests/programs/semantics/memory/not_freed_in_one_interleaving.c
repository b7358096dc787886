// PROPERTY valid-memcleanup
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>

int *_Atomic p;

void *worker(void *arg) {
    p = malloc(sizeof *p); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    free(p);
    pthread_join(t, 0);
    return 0;
}

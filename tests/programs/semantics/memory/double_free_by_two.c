// Each thread looks first, but not atomically.
// PROPERTY valid-free
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int *p;

void *worker(void *arg) {
    if (p) {
        free(p); // VIOLATION
        p = 0;
    }
    return 0;
}

int main(void) {
    pthread_t t;
    p = malloc(sizeof *p);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}

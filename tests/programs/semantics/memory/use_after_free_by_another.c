// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

int *p;

void *worker(void *arg) {
    free(p);
    return 0;
}

int main(void) {
    pthread_t t;
    p = malloc(sizeof *p);
    pthread_create(&t, 0, worker, 0);
    *p = 1; // VIOLATION
    pthread_join(t, 0);
    return 0;
}

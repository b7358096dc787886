// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

void *worker(void *arg) {
    return 0;
}

int main(void) {
    pthread_t *t = malloc(sizeof *t);
    free(t);
    pthread_create(t, 0, worker, 0); // VIOLATION
    return 0;
}

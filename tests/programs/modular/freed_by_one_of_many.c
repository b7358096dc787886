// Any number of threads may use the object, and one of them frees it.
// PROPERTY valid-deref
// EXPECT violated
// NONDET 0..1
// UNWIND 3
#include <pthread.h>
#include <stdlib.h>
int *shared;

void *worker(void *argument) {
    *shared = 1; // VIOLATION
    if (argument)
        free(shared);
    return 0;
}

int main(void) {
    pthread_t t;
    shared = malloc(sizeof(int));
    for (long i = 0; i < 2; i++)
        pthread_create(&t, 0, worker, (void *)i);
    return 0;
}

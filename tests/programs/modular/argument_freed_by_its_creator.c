// Each thread gets an object of its own, which the creator frees without waiting.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void *worker(void *argument) {
    *(int *)argument = 1; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    for (int round = 0; round < 2 && __VERIFIER_nondet_int(); round++) {
        int *own = malloc(sizeof(int));
        pthread_create(&t, 0, worker, own);
        free(own);
    }
    return 0;
}

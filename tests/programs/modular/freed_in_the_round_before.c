// What one round frees, the next one uses.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) {
    int *before = 0;
    while (__VERIFIER_nondet_int()) {
        int *own = malloc(sizeof(int));
        if (before)
            *before = 1; // VIOLATION
        free(own);
        before = own;
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}

// Each round of any number of threads has memory of its own, which nobody else gets to know.
// PROPERTY valid-deref
// EXPECT unbounded
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) {
    while (__VERIFIER_nondet_int()) {
        int *own = malloc(sizeof(int));
        int *same = own;
        *same = 1;
        if (*own)
            *own = 2;
        free(own);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    return 0;
}

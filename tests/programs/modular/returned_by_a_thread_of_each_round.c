// What a thread leaves as its result is freed by whoever joins it, and used once more.
// PROPERTY valid-deref
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) { return malloc(sizeof(int)); }

int main(void) {
    int *last = 0;
    while (__VERIFIER_nondet_int()) {
        pthread_t t;
        void *result;
        pthread_create(&t, 0, worker, 0);
        pthread_join(t, &result);
        if (last)
            *last = 1; // VIOLATION
        last = result;
        free(result);
    }
    return 0;
}

// A section with an assume waits until it can be entered.
// EXPECT proved
#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

int ready, x;

void *first(void *arg) {
    x = 1;
    ready = 1;
    return 0;
}

void *second(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(ready == 1);
    x++;
    __VERIFIER_atomic_end();
    assert(x == 2);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

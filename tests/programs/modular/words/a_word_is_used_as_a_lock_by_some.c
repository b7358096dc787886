// Somebody writes without the lock.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int busy, x;
void *work(void *p) {
    int takes = __VERIFIER_nondet_int();
    if (takes) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(busy == 0);
        busy = 1;
        __VERIFIER_atomic_end();
    }
    int old = x;
    x = old + 1;
    x = old;
    assert(x == old); // VIOLATION
    if (takes) busy = 0;
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}

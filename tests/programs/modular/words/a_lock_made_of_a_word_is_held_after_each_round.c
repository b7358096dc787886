// A loop releases the lock and takes it again, and has it after each round.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int busy, x;
void *work(void *p) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(busy == 0);
    busy = 1;
    __VERIFIER_atomic_end();
    while (__VERIFIER_nondet_int()) {
        busy = 0;
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(busy == 0);
        busy = 1;
        __VERIFIER_atomic_end();
    }
    int old = x;
    x = old + 1;
    x = old;
    assert(x == old);
    busy = 0;
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}

// A compare-and-swap that succeeds knows what it replaces.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
unsigned count;
void *work(void *p) {
    unsigned old, done = 0;
    do {
        old = count;
        if (old + 1 == 0) return 0;
        __VERIFIER_atomic_begin();
        if (count == old) {
            count = old + 1;
            done = 1;
        }
        __VERIFIER_atomic_end();
    } while (!done);
    assert(count > old);
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}

// Inside of an atomic section two words differ, which nobody sees.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int a, b;
void *work(void *p) {
    __VERIFIER_atomic_begin();
    assert(a == b);
    a = a + 1;
    b = a;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}

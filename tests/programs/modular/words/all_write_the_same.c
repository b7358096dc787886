// All threads write the same, so that a thread finds what it wrote.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int s;
void *work(void *p) {
    int mine = __VERIFIER_nondet_int();
    mine = 4;
    __VERIFIER_atomic_begin();
    s = mine;
    __VERIFIER_atomic_end();
    assert(s == mine);
    return 0;
}
int main(void) {
    pthread_t t;
    s = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}

// A thread may write something else.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int s;
void *work(void *p) {
    int mine = __VERIFIER_nondet_int();
    mine = mine ? 4 : 5;
    __VERIFIER_atomic_begin();
    s = mine;
    __VERIFIER_atomic_end();
    assert(s == mine); // VIOLATION
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}

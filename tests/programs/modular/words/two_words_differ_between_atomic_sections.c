// Two words are written in different atomic sections.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int a, b;
void *work(void *p) {
    __VERIFIER_atomic_begin();
    assert(a == b); // VIOLATION
    a = a + 1;
    __VERIFIER_atomic_end();
    for (int i = 0; i < 1; i++) {
        __VERIFIER_atomic_begin();
        b = b + 1;
        __VERIFIER_atomic_end();
    }
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}

// Once the first thread has begun, nobody makes the word zero.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int state, top;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    pthread_mutex_lock(&m);
    if (state == 0) {
        top = 0;
        state = 1;
    }
    pthread_mutex_unlock(&m);
    __VERIFIER_atomic_begin();
    top = 1;
    __VERIFIER_atomic_end();
    assert(top != 0);
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}

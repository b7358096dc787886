// Two words are equal whenever the lock is free.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int a, b;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    pthread_mutex_lock(&m);
    assert(a == b);
    a = __VERIFIER_nondet_int();
    b = a;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}

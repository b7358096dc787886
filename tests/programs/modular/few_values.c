// A flag that is only ever set to one of two values.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int flag;
void *work(void *p) {
    while (__VERIFIER_nondet_int()) if (__VERIFIER_nondet_int()) flag = 3; else flag = 5;
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    int seen = flag;
    assert(seen == 0 || seen == 3 || seen == 5);
    return 0;
}

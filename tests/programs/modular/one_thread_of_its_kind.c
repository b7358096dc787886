// The same with one thread: nobody interferes.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int x;
void *work(void *p) {
    int seen = x;
    x = seen + 1;
    assert(x == seen + 1);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    int round = 0;
    while (__VERIFIER_nondet_int()) round = !round;
    return 0;
}

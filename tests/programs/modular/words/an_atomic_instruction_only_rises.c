// An atomic instruction reads and writes in one step.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
#include <stdatomic.h>
_Atomic unsigned count;
void *work(void *p) {
    unsigned old = count;
    if (old < 1000 && atomic_compare_exchange_strong(&count, &old, old + 1)) assert(count > old);
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}

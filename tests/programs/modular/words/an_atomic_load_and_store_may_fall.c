// An atomic load and an atomic store are two steps.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
#include <stdatomic.h>
_Atomic unsigned count;
void *work(void *p) {
    unsigned old = count;
    count = old + 1;
    assert(count > old); // VIOLATION
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++) pthread_create(&t, 0, work, 0);
    return 0;
}

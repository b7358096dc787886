// Without the lock, a smaller number may replace a larger one.
// EXPECT violated
// NONDET 0..2
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int max;
void *work(void *p) {
    int mine = __VERIFIER_nondet_int();
    if (mine > max) max = mine;
    assert(mine <= max); // VIOLATION
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, work, 0);
    return 0;
}

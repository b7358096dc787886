// A maximum is written under a lock and read without: it only rises.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int max;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *p) {
    int mine = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    if (mine > max) max = mine;
    pthread_mutex_unlock(&m);
    assert(mine <= max);
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}

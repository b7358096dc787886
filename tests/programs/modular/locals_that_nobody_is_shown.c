// The local of each thread is known to that thread alone.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void set(int *place, int value) { *place = value; }
void *work(void *p) {
    int own;
    set(&own, 1);
    assert(own == 1);
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}

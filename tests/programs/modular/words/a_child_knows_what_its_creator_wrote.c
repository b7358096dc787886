// A child is created after the word was set, which stays set.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int ready;
void *child(void *p) {
    assert(ready);
    return 0;
}
void *work(void *p) {
    pthread_t t;
    ready = 1;
    pthread_create(&t, 0, child, 0);
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}

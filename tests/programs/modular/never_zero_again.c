// What is shared is not zero at first, and nobody makes it zero.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
unsigned seed = 1;
void *draw(void *p) {
    unsigned next = __VERIFIER_nondet_int();
    if (next != 0) seed = next;
    return 0;
}
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, draw, 0);
    assert(seed != 0);
    return 0;
}

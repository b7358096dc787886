// What is shared is zero for a moment.
// EXPECT violated
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
unsigned seed = 1;
void *draw(void *p) {
    unsigned next = __VERIFIER_nondet_int();
    seed = next;
    if (next == 0) seed = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 2; i++) pthread_create(&t, 0, draw, 0);
    assert(seed != 0); // VIOLATION
    return 0;
}

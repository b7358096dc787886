// The loop is entered in one section, whichever branch was taken in it before, and however many rounds there are.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int nondet_int(void);
_Atomic int shared, visits;

void *thread(void *arg) {
    __VERIFIER_atomic_begin();
    if (nondet_int()) visits++;
    int before = shared, rounds = 0;
    int most = nondet_int();
    while (rounds < most) rounds++;
    assert(shared == before);
    shared = 1;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    shared = 2;
    pthread_join(t, 0);
    return 0;
}

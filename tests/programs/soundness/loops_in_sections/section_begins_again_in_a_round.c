// Either branch begins a section of its own, in which the loop is entered; the first round ends it and begins another.
// EXPECT violated
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int nondet_int(void);

void *thread(void *arg) {
    int chosen = nondet_int(), round = 0;
    if (chosen)
        __VERIFIER_atomic_begin();
    else
        __VERIFIER_atomic_begin();
    while (round < 4) {
        if (round == 0) {
            __VERIFIER_atomic_end();
            __VERIFIER_atomic_begin();
        }
        round++;
        assert(!(chosen && round == 3)); // VIOLATION
    }
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    return 0;
}

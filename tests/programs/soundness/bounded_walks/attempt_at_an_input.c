// Whether each attempt succeeds depends on an input: the walk parts at the access, which is still one visit of the loop. The
// loop does three iterations, as many as the bound allows.
// UNWIND 3
// EXPECT violated
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
_Atomic int word;

static void *worker(void *arg) {
    for (int i = 0; i < 3; i++) {
        int expected = __VERIFIER_nondet_int() & 1;
        __atomic_compare_exchange_n(&word, &expected, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
    assert(0); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}

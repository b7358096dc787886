// A thread that returns out of an atomic section ends the section: the others go on.
// PROPERTY assert
// EXPECT violated
// NONDET 0..2
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int rounds, done, stop = 1;

static void *work(void *unused) {
    (void)unused;
    for (int i = 0; i < rounds; i++) {
        __VERIFIER_atomic_begin();
        done++;
        if (stop) return 0;
        __VERIFIER_atomic_end();
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    rounds = __VERIFIER_nondet_int();
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(done != 1); // VIOLATION
    return 0;
}

// PROPERTY no-exit-while-locked
// EXPECT violated
// ENGINES unknown the process ends in an atomic section
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    pthread_mutex_trylock(&m);
    exit(0); // VIOLATION
    __VERIFIER_atomic_end();
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}

// PROPERTY no-thread-leak
// EXPECT violated
// ENGINES unknown the process ends in an atomic section
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    exit(0);
    __VERIFIER_atomic_end();
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0); // VIOLATION
    pthread_join(t, 0);
    return 0;
}

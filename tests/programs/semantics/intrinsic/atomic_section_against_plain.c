// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    x++; // VIOLATION
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x = 5; // VIOLATION
    pthread_join(t, 0);
    return 0;
}

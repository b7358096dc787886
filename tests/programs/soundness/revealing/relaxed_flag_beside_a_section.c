// Atomic sections order each other, whatever was revealed before.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int data, flag;

void *worker(void *arg) {
    __VERIFIER_atomic_begin();
    data = 1;
    __VERIFIER_atomic_end();
    __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (__atomic_load_n(&flag, __ATOMIC_RELAXED)) {
        __VERIFIER_atomic_begin();
        data = 2;
        __VERIFIER_atomic_end();
        data = 3;
    }
    pthread_join(t, 0);
    return 0;
}

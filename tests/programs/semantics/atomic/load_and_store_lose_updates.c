// Atomic accesses do not make a read and a later write one step.
// EXPECT violated
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_int x;

void *worker(void *arg) {
    atomic_store(&x, atomic_load(&x) + 1);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(x == 2); // VIOLATION
    return 0;
}

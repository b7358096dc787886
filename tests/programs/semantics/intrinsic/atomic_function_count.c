// The body of a function of this name is one step: main's and the worker's come in 2 orders.
// EXPECT proved
// EXECUTIONS 2
#include <pthread.h>
#include <assert.h>

int x;

void __VERIFIER_atomic_add(void) { x++; }

void *worker(void *arg) {
    __VERIFIER_atomic_add();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    __VERIFIER_atomic_add();
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}

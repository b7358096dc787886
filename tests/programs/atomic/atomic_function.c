// The whole body of a function with this prefix is atomic.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

int x;

void __VERIFIER_atomic_increment(void) { x++; }

void *worker(void *arg) {
    __VERIFIER_atomic_increment();
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, worker, 0);
    pthread_create(&t2, 0, worker, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(x == 2);
    return 0;
}

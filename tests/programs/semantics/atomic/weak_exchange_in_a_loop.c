// Tried again until it succeeds, the weak form does what the strong one does.
// EXPECT holds
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

atomic_int x;

void *worker(void *arg) {
    int seen = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &seen, seen + 1))
        ;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}

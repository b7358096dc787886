// Which thread it is, is not said.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

pthread_barrier_t b;

void *worker(void *arg) {
    pthread_barrier_wait(&b);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    assert(pthread_barrier_wait(&b) == 0); // VIOLATION
    pthread_join(t, 0);
    return 0;
}

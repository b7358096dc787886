// Exactly one thread of a round gets PTHREAD_BARRIER_SERIAL_THREAD, the others 0.
// EXPECT proved
#include <pthread.h>
#include <assert.h>

pthread_barrier_t b;
int serial[2];

void *worker(void *arg) {
    int result = pthread_barrier_wait(&b);
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    *(int *)arg = result == PTHREAD_BARRIER_SERIAL_THREAD;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, &serial[0]);
    worker(&serial[1]);
    pthread_join(t, 0);
    assert(serial[0] + serial[1] == 1);
    return 0;
}

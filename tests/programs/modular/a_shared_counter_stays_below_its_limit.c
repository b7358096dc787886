// Any number of rounds of two threads count up to ten, and no further.
// EXPECT unbounded
#include <assert.h>
#include <pthread.h>

int count, done;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
    while (!done) {
        pthread_mutex_lock(&m);
        if (count < 10)
            count++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_mutex_lock(&m);
    assert(count <= 10);
    pthread_mutex_unlock(&m);
    return 0;
}

// Both creations store into one variable: the second handle may be there already when the first thread looks.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

pthread_t t;

void *worker(void *arg) {
    assert(pthread_equal(t, pthread_self())); // VIOLATION
    return 0;
}

int main(void) {
    pthread_create(&t, 0, worker, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}

// pthread_exit in main does not end the process: the worker always gets to its assertion.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

int exiting;

void *worker(void *arg) {
    assert(!exiting); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    exiting = 1;
    pthread_exit(0);
}

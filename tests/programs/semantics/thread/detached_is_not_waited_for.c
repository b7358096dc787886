// The join of a detached thread fails at once, so nothing is ordered by it.
// EXPECT violated
#include <pthread.h>
#include <assert.h>

int done;

void *worker(void *arg) {
    done = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    pthread_join(t, 0);
    assert(done); // VIOLATION
    return 0;
}

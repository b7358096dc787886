// A join of a detached thread does not wait.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;

void *worker(void *arg) {
    x = 1; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
    pthread_join(t, 0);
    x++; // VIOLATION
    return 0;
}

// Only together do the threads exceed the range.
// PROPERTY no-overflow
// EXPECT violated
#include <pthread.h>
#include <limits.h>

int x = INT_MAX - 1;

void *worker(void *arg) {
    x++; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    return 0;
}

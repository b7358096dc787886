// The life of the local ends while the thread uses it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

void *worker(void *arg) {
    *(int *)arg = 1; // VIOLATION
    return 0;
}

void start(void) {
    int data = 0;
    pthread_t t;
    pthread_create(&t, 0, worker, &data);
} // VIOLATION

int main(void) {
    start();
    return 0;
}

// The creator goes on writing.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;

void *worker(void *arg) {
    x++; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x = 1; // VIOLATION
    pthread_join(t, 0);
    return 0;
}

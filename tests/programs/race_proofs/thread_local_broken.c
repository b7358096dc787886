// The instance of one thread is handed to another.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

__thread int x;

void *worker(void *arg) {
    *(int *)arg = 2; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, &x);
    x++; // VIOLATION
    pthread_join(t, 0);
    return 0;
}

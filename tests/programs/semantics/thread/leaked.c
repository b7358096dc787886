// PROPERTY no-thread-leak
// EXPECT violated
#include <pthread.h>

void *worker(void *arg) { return 0; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0); // VIOLATION
    return 0;
}

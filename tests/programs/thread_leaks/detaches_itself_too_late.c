// The process may exit before the thread has detached itself.
// PROPERTY no-thread-leak
// EXPECT violated
#include <pthread.h>

void *worker(void *unused) {
    pthread_detach(pthread_self());
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0); // VIOLATION
    return 0;
}

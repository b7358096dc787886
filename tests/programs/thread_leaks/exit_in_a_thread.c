// A thread that ends the process itself has not been joined by anybody.
// PROPERTY no-thread-leak
// EXPECT violated
#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused) {
    exit(0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0); // VIOLATION
    pthread_join(t, 0);
    return 0;
}

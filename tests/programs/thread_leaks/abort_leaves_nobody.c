// An abnormal end is no end at which anybody is counted.
// PROPERTY no-thread-leak
// EXPECT proved
#include <pthread.h>
#include <stdlib.h>

void *worker(void *unused) { return 0; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    abort();
}

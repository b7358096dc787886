// A local lives until the thread that uses it is joined.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

void *worker(void *arg) {
    *(int *)arg = 1;
    return 0;
}

void start(void) {
    int data = 0;
    pthread_t t;
    pthread_create(&t, 0, worker, &data);
    pthread_join(t, 0);
}

int main(void) {
    start();
    return 0;
}

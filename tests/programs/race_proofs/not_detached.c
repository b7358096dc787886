// A join waits.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x;

void *worker(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    x++;
    return 0;
}

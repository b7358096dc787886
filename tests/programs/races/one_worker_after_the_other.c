// The second worker is created after the first has been joined.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>

int x;

void *worker(void *arg) {
    x++; // NORACE
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return 0;
}

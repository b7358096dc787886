// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_barrier_t b;
int x;

void *worker(void *arg) {
    pthread_barrier_wait(&b);
    x = 2; // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, worker, 0);
    x = 1;
    pthread_barrier_wait(&b);
    x = 3; // VIOLATION
    pthread_join(t, 0);
    return 0;
}

// Only one of two workers is joined.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

int x;

void *idle(void *arg) { return 0; }

void *worker(void *arg) {
    x++; // RACE
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, worker, 0);
    pthread_create(&t2, 0, idle, 0);
    pthread_join(t2, 0);
    x = 2; // RACE
    return 0;
}

// A mutex that cannot be destroyed reveals its owner without ordering.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;

void *worker(void *arg) {
    data = 1; // RACE
    pthread_mutex_lock(&m); // RACE
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    if (pthread_mutex_destroy(&m) != 0) data = 2; // RACE
    pthread_join(t, 0);
    return 0;
}

// A detach that fails reveals another one without being ordered after it.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>

int nondet_int(void);
pthread_t idle;
int data;

void *nothing(void *arg) { return 0; }

void *worker(void *arg) {
    data = 1; // RACE
    pthread_detach(idle);
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t;
    pthread_create(&idle, 0, nothing, 0);
    pthread_create(&t, 0, worker, 0);
    if (pthread_detach(idle) != 0) data = 2; // RACE
    return 0;
}

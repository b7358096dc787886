// A join that fails reveals a detach without being ordered after it.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>

pthread_t idle;
int data;

void *nothing(void *arg) { return 0; }

void *worker(void *arg) {
    data = 1; // RACE
    pthread_detach(idle);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&idle, 0, nothing, 0);
    pthread_create(&t, 0, worker, 0);
    if (pthread_join(idle, 0) != 0) data = 2; // RACE
    return 0;
}

// After pthread_exit in main the process lives on, and the worker waits for ever.
// PROPERTY no-deadlock
// EXPECT violated
#include <pthread.h>
#include <semaphore.h>

sem_t never;

void *worker(void *arg) {
    sem_wait(&never); // VIOLATION
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_exit(0);
}

// Main returning ends the process, so that nobody waits any more.
// PROPERTY no-deadlock
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>

sem_t never;

void *worker(void *arg) {
    sem_wait(&never);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, 0, worker, 0);
    return 0;
}

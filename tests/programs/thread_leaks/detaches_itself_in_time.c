// The process exits only after the thread has said that it is detached.
// PROPERTY no-thread-leak
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>
sem_t detached;

void *worker(void *unused) {
    pthread_detach(pthread_self());
    sem_post(&detached);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&detached, 0, 0);
    pthread_create(&t, 0, worker, 0);
    sem_wait(&detached);
    return 0;
}

// A post hands over what was written before it.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>

int data;
sem_t ready;

void *first(void *arg) {
    data = 1; // NORACE
    sem_post(&ready);
    return 0;
}

void *second(void *arg) {
    sem_wait(&ready);
    data++; // NORACE
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&ready, 0, 0);
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

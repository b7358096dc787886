// What is written after the post is not handed over.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <semaphore.h>

int data;
sem_t ready;

void *first(void *arg) {
    sem_post(&ready);
    data = 1; // RACE
    return 0;
}

void *second(void *arg) {
    sem_wait(&ready);
    data++; // RACE
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

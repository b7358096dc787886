// A semaphore that starts with two lets both in.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <semaphore.h>

int x;
sem_t s;

void *first(void *arg) {
    sem_wait(&s);
    x++; // RACE
    sem_post(&s);
    return 0;
}

void *second(void *arg) {
    sem_wait(&s);
    x++; // RACE
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&s, 0, 2);
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

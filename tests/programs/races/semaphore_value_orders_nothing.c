// The value of a semaphore tells that x was written, but does not order the two.
// PROPERTY no-data-race
// EXPECT violated
#include <pthread.h>
#include <semaphore.h>

int x;
sem_t s;

void *first(void *arg) {
    x = 1; // RACE
    sem_post(&s);
    return 0;
}

void *second(void *arg) {
    int value;
    sem_getvalue(&s, &value);
    if (value == 1)
        x = 2; // RACE
    return 0;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&s, 0, 0);
    pthread_create(&t1, 0, first, 0);
    pthread_create(&t2, 0, second, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}

// The value of a semaphore reveals a post without ordering.
// PROPERTY no-data-race
// EXPECT violated
// NONDET 123456..123456
#include <pthread.h>
#include <semaphore.h>

int nondet_int(void);
sem_t s;
int data;

void *worker(void *arg) {
    data = 1; // RACE
    sem_post(&s);
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t;
    int value;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, worker, 0);
    sem_getvalue(&s, &value);
    if (value) data = 2; // RACE
    pthread_join(t, 0);
    return 0;
}

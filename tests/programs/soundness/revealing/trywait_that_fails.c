// A trywait that fails reveals a wait of another thread without ordering.
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
    sem_wait(&s);
    return 0;
}

int main(void) {
    if (nondet_int() != 123456) return 0;
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, worker, 0);
    if (sem_trywait(&s) != 0) data = 2; // RACE
    pthread_join(t, 0);
    return 0;
}

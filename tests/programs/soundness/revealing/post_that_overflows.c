// A post that fails reveals the one before it without being ordered after it.
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
    sem_init(&s, 0, 0x7ffffffe);
    pthread_create(&t, 0, worker, 0);
    if (sem_post(&s) != 0) data = 2; // RACE
    pthread_join(t, 0);
    return 0;
}

// A trywait that succeeds orders, one that fails does not.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int data;

void *worker(void *arg) {
    data = 1;
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, worker, 0);
    if (sem_trywait(&s) == 0) data = 2;
    pthread_join(t, 0);
    return 0;
}

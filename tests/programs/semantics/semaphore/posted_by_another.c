// A post happens before the wait that it lets through.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int x;

void *producer(void *arg) {
    x = 1;
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, producer, 0);
    sem_wait(&s);
    x = 2;
    pthread_join(t, 0);
    return 0;
}

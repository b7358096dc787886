// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>

sem_t s;
int x;

void *worker(void *arg) {
    sem_wait(&s);
    x++;
    sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, worker, 0);
    worker(0);
    pthread_join(t, 0);
    sem_destroy(&s);
    return 0;
}

// Whoever destroys the mutex has held it and given it back, and the other thread is done with it.
// PROPERTY no-data-race
// EXPECT proved
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t m;
sem_t done;
int x;

static void *other(void *arg) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    sem_post(&done);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    sem_wait(&done);
    pthread_mutex_destroy(&m);
    return 0;
}

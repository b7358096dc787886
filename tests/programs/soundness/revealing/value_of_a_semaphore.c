// The value of a semaphore reveals a post, and a wait that follows orders.
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
    int value;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, worker, 0);
    sem_getvalue(&s, &value);
    if (value) {
        sem_wait(&s);
        data = 2;
    }
    pthread_join(t, 0);
    return 0;
}
